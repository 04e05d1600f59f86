//! What of a MiRo's parts a robot has, and under which names: by the roles that its profile declares.
//!
//! | of a MiRo | of a robot that has no such part |
//! |---|---|
//! | lift and pitch | the pitch of its head, as a MiRo's leans in all |
//! | six lamps | its one lamp, in the brightest colour |
//! | sound n of P1, n of P2 | the sound that stands in for it. There are 30 and 23, others have no effect |
//! | sound n of P3 | the sound of that name |
//! | wheels up to 400 mm/s | up to 10 m/s and 30 rad/s, and what it makes of them |
//! | yaw, tilt, tail, ears, eyelids | nothing |

use std::sync::Arc;

use latimer_core::PartName;
use latimer_core::model::profile::{Ability, JointRole, Wheels};
use latimer_core::model::{Command, JointPosition, JointTarget, RobotProfile};

use super::drive::Speeds;
use crate::miro::map::downstream::{Aim, COSMETICS, JOINTS, Lamps};
use crate::miro::profile::{COSMETIC_ROLES, JOINT_ROLES, LIBRARIES};

/// There is no sound of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no sound for sound_index_{in_library} = {number}; there are 1 to {most}")]
pub(super) struct SoundError {
    in_library: &'static str,
    number: u32,
    most: u32,
}

/// No robot goes or turns faster than this, m/s and rad/s.
const MOST_MPS: f64 = 10.0;
const MOST_RADPS: f64 = 30.0;

/// What a robot has for what clients of a MiRo ask.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JointMap {
    /// What the robot declares.
    pub(super) profile: Arc<RobotProfile>,
}

impl JointMap {
    /// A speed that it can go at: both parts smaller in the same measure, so that its way keeps its shape.
    pub(super) fn speeds(&self, (linear_mps, angular_radps): Speeds) -> Speeds {
        let (linear_mps, angular_radps) =
            (linear_mps.clamp(-MOST_MPS, MOST_MPS), angular_radps.clamp(-MOST_RADPS, MOST_RADPS));
        let Some(Wheels { max_mps, gap_m, .. }) = self.profile.wheels else {
            return (linear_mps, angular_radps);
        };
        let fastest_mps = linear_mps.abs() + angular_radps.abs() * gap_m / 2.0;
        let share = if fastest_mps > max_mps { max_mps / fastest_mps } else { 1.0 };
        (linear_mps * share, angular_radps * share)
    }

    /// Targets of joints, and those that the robot has no joint for. `changed` tells which were asked for anew.
    pub(super) fn joints(
        &self,
        aims: &[Option<Aim>; 4],
        changed: [bool; 4],
        targets: &mut Vec<JointTarget>,
        lacks: &mut Vec<&'static str>,
    ) {
        let [(_, tilt_deg), (_, lift_deg), _, (_, pitch_deg)] = JOINTS;
        let head = self.profile.joint(JointRole::HeadPitch);
        let leans_whole = self.profile.joint(JointRole::NeckLift).is_none() && head.is_some();
        let mut leans = false;
        let asked = aims.iter().zip(changed).zip(JOINTS.iter().zip(JOINT_ROLES));
        for ((aim, _), ((name, _), role)) in asked.filter(|((_, changed), _)| *changed) {
            let Some(aim) = aim else { continue };
            match (role, self.profile.joint(role)) {
                (JointRole::NeckLift | JointRole::HeadPitch, _) if leans_whole => leans = true,
                (_, Some(part)) => targets.push(target(part, *aim)),
                (_, None) => lacks.push(name),
            }
        }
        let [_, lift, _, pitch] = aims;
        if let Some(head) = head.filter(|_| leans) {
            let angle =
                |aim: &Option<Aim>, first_deg: f64| aim.map_or(first_deg.to_radians(), |(rad, _)| rad);
            let lean = tilt_deg.to_radians() + angle(lift, lift_deg) + angle(pitch, pitch_deg);
            let speed = pitch.or(*lift).and_then(|(_, speed)| speed);
            targets.push(target(head, (lean, speed)));
        }
    }

    /// Targets of what shows a mood, and what the robot has not.
    pub(super) fn cosmetics(
        &self,
        asked: &[Option<f64>; 4],
        targets: &mut Vec<JointTarget>,
        lacks: &mut Vec<&'static str>,
    ) {
        for (share, ((name, _), role)) in asked.iter().zip(COSMETICS.iter().zip(COSMETIC_ROLES)) {
            let Some(ratio) = share else { continue };
            match self.profile.joint(role) {
                Some(part) => targets.push(share_target(part, *ratio)),
                None => lacks.push(name),
            }
        }
    }

    /// Whether it can blink.
    pub(super) fn blinks(&self) -> bool {
        self.profile.joint(JointRole::Eyelids).is_some()
    }

    /// What makes its lamps look so; `changed` tells which were asked for anew.
    pub(super) fn lamps(&self, changed: [bool; 6], wanted: &Lamps) -> Vec<Command> {
        if !changed.contains(&true) {
            return Vec::new();
        }
        let [first, ..] = wanted;
        let brightest =
            wanted.iter().max_by_key(|rgb| rgb.iter().map(|it| u32::from(*it)).sum::<u32>()).unwrap_or(first);
        let lamps = &self.profile.lamps;
        if lamps.len() != wanted.len() {
            return vec![Command::Lamp { part: None, rgb: *brightest }];
        }
        if wanted.iter().all(|rgb| rgb == first) {
            return vec![Command::Lamp { part: None, rgb: *first }];
        }
        let asked = changed.iter().zip(wanted).zip(lamps).filter(|((changed, _), _)| **changed);
        asked.map(|((_, rgb), part)| Command::Lamp { part: part.clone(), rgb: *rgb }).collect()
    }

    /// What plays a sound of P1 (0) or P2 (1), or why there is none.
    pub(super) fn sound(library: usize, number: u32) -> Result<Command, SoundError> {
        let (in_library, most) = LIBRARIES.get(library).copied().unwrap_or_default();
        if !(1..=most).contains(&number) {
            return Err(SoundError { in_library, number, most });
        }
        Ok(play(format!("{in_library}/{number}")))
    }

    /// What plays a sound of the bridge.
    pub(super) fn streamed(&self, name: &str) -> Command {
        let streams = self.profile.can(Ability::StreamSounds);
        play(if streams { format!("P3/{name}") } else { name.to_owned() })
    }
}

fn play(name: String) -> Command {
    Command::Play { name, volume_ratio: None }
}

fn target(part: &PartName, (rad, velocity_radps): Aim) -> JointTarget {
    JointTarget { part: part.clone(), position: JointPosition::angle(rad), velocity_radps, duration: None }
}

fn share_target(part: &PartName, ratio: f64) -> JointTarget {
    let position = JointPosition::Share { ratio };
    JointTarget { part: part.clone(), position, velocity_radps: None, duration: None }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::profile::Joint;

    use super::*;
    use crate::miro::profile::PROFILE;

    fn miro() -> JointMap {
        JointMap { profile: PROFILE.clone() }
    }

    fn other() -> JointMap {
        let head = [("head_pitch", JointRole::HeadPitch), ("head_yaw", JointRole::HeadYaw)];
        let joints = head.map(|(part, role)| Joint::new(part, role)).to_vec();
        let profile = RobotProfile { joints, lamps: vec![None], ..RobotProfile::default() };
        JointMap { profile: profile.into() }
    }

    fn aimed(joint_map: &JointMap, aims: [Option<Aim>; 4]) -> (Vec<(String, f64)>, Vec<&'static str>) {
        let (mut targets, mut lacks) = (Vec::new(), Vec::new());
        joint_map.joints(&aims, aims.map(|aim| aim.is_some()), &mut targets, &mut lacks);
        let aims = targets.iter().map(|it| (it.part.to_string(), it.position.as_angle_rad().unwrap()));
        (aims.collect(), lacks)
    }

    #[test]
    fn the_head_of_another_robot_leans_as_the_whole_neck() {
        let level =
            [None, Some((17_f64.to_radians(), None)), Some((0.3, None)), Some((-12_f64.to_radians(), None))];
        let (aims, lacks) = aimed(&other(), level);
        let [(yaw, left), (pitch, lean)] = &aims[..] else { panic!("{aims:?}") };
        assert_eq!((yaw.as_str(), *left, pitch.as_str()), ("head_yaw", 0.3, "head_pitch"));
        assert!(lean.abs() < 1e-9 && lacks.is_empty(), "level: {lean}");
        let (aims, lacks) = aimed(&miro(), level);
        assert_eq!(aims.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["lift", "yaw", "pitch"]);
        assert!(lacks.is_empty());
        assert_eq!(aimed(&JointMap::default(), level).1, ["lift", "yaw", "pitch"]);
    }

    #[test]
    fn a_speed_is_one_that_the_wheels_can_do_on_the_same_way() {
        assert_eq!(miro().speeds((0.1, -0.5)), (0.1, -0.5));
        assert_eq!(miro().speeds((-9.0, 0.0)), (-0.4, 0.0));
        let (linear, angular) = miro().speeds((1.0, 2.0));
        assert!((linear + angular * 0.082 - 0.4).abs() < 1e-9, "the faster wheel");
        assert!((angular / linear - 2.0).abs() < 1e-9, "the same bend");
        assert_eq!(other().speeds((1.0, 2.0)), (1.0, 2.0));
        assert_eq!(other().speeds((1e30, -1e30)), (10.0, -30.0));
    }

    #[test]
    fn sounds_have_names() {
        let name = |command: Result<Command, SoundError>| match command.unwrap() {
            Command::Play { name, .. } => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(name(JointMap::sound(0, 7)), "P1/7");
        assert_eq!(name(JointMap::sound(1, 23)), "P2/23");
        assert_eq!(name(Ok(miro().streamed("hello"))), "P3/hello");
        assert!(
            JointMap::sound(0, 31)
                .unwrap_err()
                .to_string()
                .contains("sound_index_P1 = 31; there are 1 to 30")
        );
        assert!(JointMap::sound(1, 24).unwrap_err().to_string().contains("1 to 23"));
        assert_eq!(name(Ok(other().streamed("hello"))), "hello");
    }

    #[test]
    fn only_lamps_that_change_are_published() {
        let mut wanted = [[0; 3]; 6];
        assert_eq!(miro().lamps([true; 6], &wanted), [Command::Lamp { part: None, rgb: [0; 3] }]);
        wanted[2] = [9, 0, 0];
        let part = Some(PartName::of("lamp_2"));
        let mut changed = [false; 6];
        assert_eq!(miro().lamps(changed, &wanted), []);
        changed[2] = true;
        assert_eq!(miro().lamps(changed, &wanted), [Command::Lamp { part, rgb: [9, 0, 0] }]);
        assert_eq!(other().lamps(changed, &wanted), [Command::Lamp { part: None, rgb: [9, 0, 0] }]);
    }
}

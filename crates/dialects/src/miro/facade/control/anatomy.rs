//! How a robot is made, as far as control has to do with it: what of a MiRo's parts it has, and under which names.
//!
//! | of a MiRo | of any other robot |
//! |---|---|
//! | yaw | `head_yaw` |
//! | lift and pitch | `head_pitch`, as the head leans in all |
//! | six lamps | its one lamp, in the brightest colour |
//! | sound n of P1, n of P2 | its sounds in order; those of P2 come after 30 of P1. There are 30 and 23, others have no effect |
//! | sound n of P3 | the sound of that name |
//! | wheels up to 400 mm/s | up to 10 m/s and 30 rad/s, and what it makes of them |
//! | tilt, tail, ears, eyelids | nothing |

use latimer_core::PartName;
use latimer_core::model::{Command, JointPosition, JointTarget};

use super::drive::Speeds;
use crate::miro::map::downstream::{Aim, COSMETICS, JOINTS, Lamps};
use crate::miro::wire::signals::{MAX_WHEEL_MMPS, WHEEL_TRACK_MM};

/// The libraries of a MiRo's own sounds and how many each has (published).
const LIBRARIES: [(&str, u32); 2] = [("P1", 30), ("P2", 23)];

/// No robot goes or turns faster than this, m/s and rad/s.
const MOST_MPS: f64 = 10.0;
const MOST_RADPS: f64 = 30.0;

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Anatomy {
    /// That of a MiRo.
    MiRo,
    /// That of another robot: the joints and the sounds that it tells.
    Other {
        /// Their names.
        joints: Vec<PartName>,
        /// Their names, in order.
        sounds: Vec<String>,
    },
}

impl Anatomy {
    /// A speed that it can go at: both parts smaller in the same measure, so that its way keeps its shape.
    pub(super) fn speeds(&self, (linear_mps, angular_radps): Speeds) -> Speeds {
        let (linear_mps, angular_radps) =
            (linear_mps.clamp(-MOST_MPS, MOST_MPS), angular_radps.clamp(-MOST_RADPS, MOST_RADPS));
        match self {
            Self::MiRo => {
                let fastest_mmps = linear_mps.abs() * 1e3 + angular_radps.abs() * WHEEL_TRACK_MM / 2.0;
                let share = if fastest_mmps > MAX_WHEEL_MMPS { MAX_WHEEL_MMPS / fastest_mmps } else { 1.0 };
                (linear_mps * share, angular_radps * share)
            }
            Self::Other { .. } => (linear_mps, angular_radps),
        }
    }

    /// Targets of joints, and those that the robot has no joint for. `changed` tells which were asked for anew.
    pub(super) fn joints(
        &self,
        aims: &[Option<Aim>; 4],
        changed: [bool; 4],
        targets: &mut Vec<JointTarget>,
        lacks: &mut Vec<&'static str>,
    ) {
        let asked = || aims.iter().zip(changed).zip(JOINTS).filter(|((_, changed), _)| *changed);
        let Self::Other { joints, .. } = self else {
            for ((aim, _), (name, _)) in asked() {
                targets.extend(aim.map(|aim| target(name, aim)));
            }
            return;
        };
        let has = |name: &str| joints.iter().any(|it| it.as_str() == name);
        let [(_, tilt_deg), (_, lift_deg), _, (_, pitch_deg)] = JOINTS;
        let mut leans = false;
        for ((aim, _), (name, _)) in asked() {
            match (name, aim) {
                (_, None) => {}
                ("yaw", Some(aim)) if has("head_yaw") => targets.push(target("head_yaw", *aim)),
                ("lift" | "pitch", Some(_)) if has("head_pitch") => leans = true,
                (name, Some(_)) => lacks.push(name),
            }
        }
        let [_, lift, _, pitch] = aims;
        if leans {
            let angle =
                |aim: &Option<Aim>, first_deg: f64| aim.map_or(first_deg.to_radians(), |(rad, _)| rad);
            let lean = tilt_deg.to_radians() + angle(lift, lift_deg) + angle(pitch, pitch_deg);
            let speed = pitch.or(*lift).and_then(|(_, speed)| speed);
            targets.push(target("head_pitch", (lean, speed)));
        }
    }

    /// Targets of what shows a mood, and what the robot has not.
    pub(super) fn cosmetics(
        &self,
        asked: &[Option<f64>; 4],
        targets: &mut Vec<JointTarget>,
        lacks: &mut Vec<&'static str>,
    ) {
        for (share, (name, _)) in asked.iter().zip(COSMETICS) {
            let Some(ratio) = share else { continue };
            match self {
                Self::MiRo => targets.push(share_target(name, *ratio)),
                Self::Other { .. } => lacks.push(name),
            }
        }
    }

    /// Whether it can blink.
    pub(super) const fn blinks(&self) -> bool {
        matches!(self, Self::MiRo)
    }

    /// What makes its lamps look so; `changed` tells which were asked for anew.
    pub(super) fn lamps(&self, changed: [bool; 6], wanted: &Lamps) -> Vec<Command> {
        if !changed.contains(&true) {
            return Vec::new();
        }
        let [first, ..] = wanted;
        let brightest =
            wanted.iter().max_by_key(|rgb| rgb.iter().map(|it| u32::from(*it)).sum::<u32>()).unwrap_or(first);
        match self {
            Self::Other { .. } => vec![Command::Lamp { part: None, rgb: *brightest }],
            Self::MiRo if wanted.iter().all(|rgb| rgb == first) => {
                vec![Command::Lamp { part: None, rgb: *first }]
            }
            Self::MiRo => {
                let asked = changed.iter().zip(wanted).enumerate().filter(|(_, (changed, _))| **changed);
                asked
                    .map(|(i, (_, rgb))| Command::Lamp {
                        part: Some(PartName::of(&format!("lamp_{i}"))),
                        rgb: *rgb,
                    })
                    .collect()
            }
        }
    }

    /// What plays a sound of P1 (0) or P2 (1), or why there is none.
    pub(super) fn sound(&self, library: usize, number: u32) -> Result<Command, String> {
        let (in_library, most) = LIBRARIES.get(library).copied().unwrap_or_default();
        if !(1..=most).contains(&number) {
            return Err(format!("no sound for sound_index_{in_library} = {number}; there are 1 to {most}"));
        }
        match self {
            Self::MiRo => Ok(play(format!("{in_library}/{number}"))),
            Self::Other { sounds, .. } => {
                let before: u32 = LIBRARIES.iter().take(library).map(|(_, most)| most).sum();
                let found = sounds.get((before + number - 1) as usize);
                found.cloned().map(play).ok_or_else(|| {
                    format!(
                        "no sound for sound_index_{in_library} = {number}; the robot tells of {} sounds",
                        sounds.len()
                    )
                })
            }
        }
    }

    /// What plays a sound of the bridge.
    pub(super) fn streamed(&self, name: &str) -> Command {
        match self {
            Self::MiRo => play(format!("P3/{name}")),
            Self::Other { .. } => play(name.to_owned()),
        }
    }
}

fn play(name: String) -> Command {
    Command::Play { name, volume_ratio: None }
}

fn target(name: &str, (rad, velocity_radps): Aim) -> JointTarget {
    JointTarget {
        part: PartName::of(name),
        position: JointPosition::angle(rad),
        velocity_radps,
        duration: None,
    }
}

fn share_target(name: &str, ratio: f64) -> JointTarget {
    let position = JointPosition::Share { ratio };
    JointTarget { part: PartName::of(name), position, velocity_radps: None, duration: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misty() -> Anatomy {
        let joints = ["head_pitch", "head_roll", "head_yaw"].map(PartName::of).to_vec();
        Anatomy::Other { joints, sounds: vec!["a.wav".into(), "b.wav".into()] }
    }

    fn aimed(anatomy: &Anatomy, aims: [Option<Aim>; 4]) -> (Vec<(String, f64)>, Vec<&'static str>) {
        let (mut targets, mut lacks) = (Vec::new(), Vec::new());
        anatomy.joints(&aims, aims.map(|aim| aim.is_some()), &mut targets, &mut lacks);
        let told = targets.iter().map(|it| (it.part.to_string(), it.position.as_angle_rad().unwrap()));
        (told.collect(), lacks)
    }

    #[test]
    fn the_head_of_another_robot_leans_as_the_whole_neck() {
        let level =
            [None, Some((17_f64.to_radians(), None)), Some((0.3, None)), Some((-12_f64.to_radians(), None))];
        let (told, lacks) = aimed(&misty(), level);
        let [(yaw, left), (pitch, lean)] = &told[..] else { panic!("{told:?}") };
        assert_eq!((yaw.as_str(), *left, pitch.as_str()), ("head_yaw", 0.3, "head_pitch"));
        assert!(lean.abs() < 1e-9 && lacks.is_empty(), "level: {lean}");
        let (told, lacks) = aimed(&Anatomy::MiRo, level);
        assert_eq!(told.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["lift", "yaw", "pitch"]);
        assert!(lacks.is_empty());
        let blind = Anatomy::Other { joints: Vec::new(), sounds: Vec::new() };
        assert_eq!(aimed(&blind, level).1, ["lift", "yaw", "pitch"]);
    }

    #[test]
    fn a_speed_is_one_that_the_wheels_can_do_on_the_same_way() {
        assert_eq!(Anatomy::MiRo.speeds((0.1, -0.5)), (0.1, -0.5));
        assert_eq!(Anatomy::MiRo.speeds((-9.0, 0.0)), (-0.4, 0.0));
        let (linear, angular) = Anatomy::MiRo.speeds((1.0, 2.0));
        assert!((linear + angular * 0.082 - 0.4).abs() < 1e-9, "the faster wheel");
        assert!((angular / linear - 2.0).abs() < 1e-9, "the same bend");
        assert_eq!(misty().speeds((1.0, 2.0)), (1.0, 2.0));
        assert_eq!(misty().speeds((1e30, -1e30)), (10.0, -30.0));
    }

    #[test]
    fn sounds_have_names() {
        let name = |command: Result<Command, String>| match command.unwrap() {
            Command::Play { name, .. } => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(name(Anatomy::MiRo.sound(0, 7)), "P1/7");
        assert_eq!(name(Anatomy::MiRo.sound(1, 23)), "P2/23");
        assert_eq!(name(Ok(Anatomy::MiRo.streamed("hello"))), "P3/hello");
        assert_eq!(name(misty().sound(0, 2)), "b.wav");
        assert!(misty().sound(0, 3).unwrap_err().contains("sound_index_P1 = 3"));
        assert!(misty().sound(1, 1).is_err());
        let sounds = (1..=60).map(|i| format!("{i}.wav")).collect();
        let many = Anatomy::Other { joints: Vec::new(), sounds };
        assert_eq!(name(many.sound(0, 30)), "30.wav");
        assert_eq!(name(many.sound(1, 1)), "31.wav");
        for anatomy in [Anatomy::MiRo, many] {
            assert!(anatomy.sound(0, 31).unwrap_err().contains("1 to 30"));
            assert!(anatomy.sound(1, 24).unwrap_err().contains("1 to 23"));
        }
        assert_eq!(name(Ok(misty().streamed("hello"))), "hello");
    }

    #[test]
    fn only_lamps_that_change_are_told() {
        let mut wanted = [[0; 3]; 6];
        assert_eq!(Anatomy::MiRo.lamps([true; 6], &wanted), [Command::Lamp { part: None, rgb: [0; 3] }]);
        wanted[2] = [9, 0, 0];
        let part = Some(PartName::of("lamp_2"));
        let mut changed = [false; 6];
        assert_eq!(Anatomy::MiRo.lamps(changed, &wanted), []);
        changed[2] = true;
        assert_eq!(Anatomy::MiRo.lamps(changed, &wanted), [Command::Lamp { part, rgb: [9, 0, 0] }]);
        assert_eq!(misty().lamps(changed, &wanted), [Command::Lamp { part: None, rgb: [9, 0, 0] }]);
    }
}

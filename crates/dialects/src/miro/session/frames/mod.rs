//! What a robot is asked for, as frames of `platform/control`, fifty a second while anything lasts. Pure; time comes from the caller.
//!
//! ```text
//!           command                    all is over, and was said for half a second
//! Silent ───────────▶ Speaking (50 Hz) ─────────────────────────────────────────▶ Silent
//! ```
//!
//! | what | lasts |
//! |---|---|
//! | a speed | for its time, or a second; then a stop is sent |
//! | a joint | until it is there, or three seconds; a halt has it stay where it is |
//! | a share, a lamp | until it is neutral, or dark |
//! | a blink, a sound | for a tenth of a second: they are pulses |

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::{Command, JointPosition, JointTarget, PartName};
use latimer_ros1::msgs::geometry_msgs::{Twist, Vector3};

use crate::miro::limits::{CONTROL_HOLD_TIMEOUT, JOINT_TIMEOUT, NEUTRAL_HOLD_TIME, PULSE_HOLD_TIME};
use crate::miro::map::downstream::{Aim, BLINK_PERIOD, COSMETICS, JOINTS, Lamps};
use crate::miro::messages::PlatformControl;
use crate::miro::messages::signals::degree_of_freedom::SPEED_INFINITE;

/// So near a joint is there, rad.
const THERE_RAD: f64 = 0.02;
/// Numbers beyond this are mistakes, m/s and rad/s.
const ABSURD: f64 = 100.0;
/// The sounds of P1 and P2, and how many each has (published).
const LIBRARIES: [(&str, u8); 2] = [("P1", 30), ("P2", 23)];

/// A joint under way.
#[derive(Clone, Copy, Debug)]
struct Going {
    aim: Aim,
    until: Timestamp,
    /// When a frame said it first.
    sent: Option<Timestamp>,
}

impl Going {
    fn to(aim: Aim, until: Timestamp) -> Self {
        Self { aim, until, sent: None }
    }
}

/// What the next frames of `platform/control` hold.
#[derive(Debug, Default)]
pub(super) struct Frames {
    speeds: Option<((f64, f64), Timestamp)>,
    joints: [Option<Going>; 4],
    /// Where the joints are, as far as the robot said.
    angles: [Option<f64>; 4],
    cosmetics: [f64; 4],
    blink: Option<(i16, Timestamp)>,
    lamps: Lamps,
    sounds: [Option<(u8, Timestamp)>; 2],
    quiet_at: Option<Timestamp>,
}

/// Why a command cannot be encoded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum CommandError {
    #[error("{linear} m/s and {angular} rad/s are no speed of a robot")]
    Speed { linear: f64, angular: f64 },
    #[error("{0} rad/s is no speed of a joint; it is from 0.001 to {ABSURD}")]
    JointSpeed(f64),
    #[error("no joint {0}; there are: tilt, lift, yaw, pitch, tail, ear_left, ear_right, eyelids, blink")]
    NoJoint(String),
    #[error("{0} is a hinge; give its angle in radians")]
    NoAngle(PartName),
    #[error("{part} has no angle; give a share of its range from {lowest} to 1")]
    NoShare { part: PartName, lowest: f64 },
    #[error("no lamp {0}; there are lamp_0 to lamp_5")]
    NoLamp(String),
    #[error("no sound {0:?} on a MiRo; there are P1/1 to P1/30, P2/1 to P2/23, and P3/NAME")]
    NoSound(String),
}

impl Frames {
    /// Takes what can be said in frames: whether it was such, or why it cannot be done.
    pub(super) fn take(&mut self, command: &Command, now: Timestamp) -> Result<bool, CommandError> {
        match command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                self.drive(*linear_mps, *angular_radps, *duration, now)?;
            }
            Command::DriveTracks(speeds) => {
                let (left, right) = (speeds.left_mps, speeds.right_mps);
                let track_m = crate::miro::messages::signals::WHEEL_TRACK_MM / 1e3;
                self.drive((left + right) / 2.0, (right - left) / track_m, None, now)?;
            }
            Command::Stop { hold: _ } => self.speeds = None,
            Command::Halt { motor_mask: _ } => {
                self.speeds = None;
                self.hold_joints(now);
            }
            Command::Joints(targets) => self.aim(targets, now)?,
            Command::Lamp { part, rgb } => self.light(part.as_ref().map(|it| it.as_str()), *rgb)?,
            Command::Play { name, .. } if !name.starts_with("P3/") => self.play(name, now)?,
            _ => return Ok(false),
        }
        self.quiet_at = Some(now.after(NEUTRAL_HOLD_TIME));
        Ok(true)
    }

    fn drive(
        &mut self,
        linear: f64,
        angular: f64,
        lasts: Option<Duration>,
        now: Timestamp,
    ) -> Result<(), CommandError> {
        if ![linear, angular].iter().all(|it| it.abs() <= ABSURD) {
            return Err(CommandError::Speed { linear, angular });
        }
        let until = now.after(lasts.unwrap_or(CONTROL_HOLD_TIMEOUT));
        self.speeds = (linear != 0.0 || angular != 0.0).then_some(((linear, angular), until));
        Ok(())
    }

    /// Joints under way stay where they are: to say nothing of one leaves it going.
    fn hold_joints(&mut self, now: Timestamp) {
        for (slot, angle) in self.joints.iter_mut().zip(self.angles) {
            let held = slot.take().and(angle);
            *slot = held.map(|angle| Going::to((angle, None), now.after(PULSE_HOLD_TIME)));
        }
    }

    /// All targets, or none if one of them is impossible.
    fn aim(&mut self, targets: &[JointTarget], now: Timestamp) -> Result<(), CommandError> {
        let (mut joints, mut cosmetics, mut blink) = (self.joints, self.cosmetics, self.blink);
        for target in targets {
            let name = target.part.as_str();
            if name == "blink" {
                blink = Some((blink_time(target)?, now.after(PULSE_HOLD_TIME)));
            } else if let Some(i) = JOINTS.iter().position(|(it, _)| *it == name) {
                let angle = angle(target)?;
                let here = self.angles.get(i).copied().flatten();
                let slot = joints.get_mut(i).ok_or_else(|| CommandError::NoJoint(name.to_owned()))?;
                *slot = Some(Going::to((angle, speed(target, angle, here)?), now.after(JOINT_TIMEOUT)));
            } else if let Some(i) = COSMETICS.iter().position(|(it, _)| *it == name) {
                let slot = cosmetics.get_mut(i).ok_or_else(|| CommandError::NoJoint(name.to_owned()))?;
                *slot = share(target, COSMETICS.get(i).map_or(0.0, |(_, lowest)| *lowest))?;
            } else {
                return Err(CommandError::NoJoint(name.to_owned()));
            }
        }
        (self.joints, self.cosmetics, self.blink) = (joints, cosmetics, blink);
        Ok(())
    }

    fn light(&mut self, part: Option<&str>, rgb: [u8; 3]) -> Result<(), CommandError> {
        let Some(part) = part else {
            self.lamps = [rgb; 6];
            return Ok(());
        };
        let number = part.strip_prefix("lamp_").and_then(|it| it.parse::<usize>().ok());
        let lamp = number.and_then(|number| self.lamps.get_mut(number));
        *lamp.ok_or_else(|| CommandError::NoLamp(part.to_owned()))? = rgb;
        Ok(())
    }

    fn play(&mut self, name: &str, now: Timestamp) -> Result<(), CommandError> {
        let (library, number) = name.split_once('/').unwrap_or(("P1", name));
        let found =
            LIBRARIES.iter().zip(&mut self.sounds).find(|((it, _), _)| it.eq_ignore_ascii_case(library));
        let number = number.parse::<u8>().ok().filter(|it| *it > 0);
        match (found, number) {
            (Some(((_, most), slot)), Some(number)) if number <= *most => {
                *slot = Some((number, now.after(PULSE_HOLD_TIME)));
                Ok(())
            }
            _ => Err(CommandError::NoSound(name.to_owned())),
        }
    }

    /// Where a joint is, as the robot says.
    pub(super) fn joint_is_at(&mut self, part: &str, angle_rad: f64, now: Timestamp) {
        let Some(i) = JOINTS.iter().position(|(it, _)| *it == part) else { return };
        if let Some(angle) = self.angles.get_mut(i) {
            *angle = Some(angle_rad);
        }
        // A frame that is there was sent for the old destination until the robot knows the new one.
        let is_over = |going: &mut Going| {
            (going.aim.0 - angle_rad).abs() <= THERE_RAD
                && going.sent.is_some_and(|said| now.since(said) >= PULSE_HOLD_TIME)
        };
        if let Some(slot) = self.joints.get_mut(i) {
            slot.take_if(is_over);
        }
    }

    /// Whether there is something to say.
    pub(super) fn is_publishing(&self) -> bool {
        self.quiet_at.is_some()
    }

    /// The frame for now; `None` if there is nothing to say any more.
    pub(super) fn frame(&mut self, now: Timestamp) -> Option<PlatformControl> {
        let quiet_at = self.quiet_at?;
        self.speeds = self.speeds.filter(|(_, until)| now < *until);
        self.joints = self.joints.map(|it| it.filter(|going| now < going.until));
        for going in self.joints.iter_mut().flatten() {
            going.sent.get_or_insert(now);
        }
        self.blink = self.blink.filter(|(_, until)| now < *until);
        self.sounds = self.sounds.map(|it| it.filter(|(_, until)| now < *until));
        if self.lasts() {
            self.quiet_at = Some(now.after(NEUTRAL_HOLD_TIME));
        } else if now >= quiet_at {
            self.quiet_at = None;
            return None;
        }
        Some(self.encoded())
    }

    fn lasts(&self) -> bool {
        self.speeds.is_some()
            || self.joints.iter().any(Option::is_some)
            || self.cosmetics != [0.0; 4]
            || self.blink.is_some()
            || self.lamps != [[0; 3]; 6]
            || self.sounds.iter().any(Option::is_some)
    }

    fn encoded(&self) -> PlatformControl {
        let (linear_mps, angular_radps) = self.speeds.map_or((0.0, 0.0), |(speeds, _)| speeds);
        let along = Vector3 { x: linear_mps * 1e3, ..Vector3::default() };
        let about = Vector3 { z: angular_radps, ..Vector3::default() };
        let [tail, left, right, eyelids] = self.cosmetics.map(|it| it as f32);
        let [p1, p2] = self.sounds.map(|it| it.map_or(0, |(number, _)| number));
        let mut lights_raw = [0; 18];
        for (raw, colour) in lights_raw.iter_mut().zip(self.lamps.iter().flatten()) {
            *raw = *colour;
        }
        PlatformControl {
            body_vel: Twist { linear: along, angular: about },
            body_config: self.joints.map(|it| it.map_or(0.0, |going| going.aim.0 as f32)),
            body_config_speed: self
                .joints
                .map(|it| it.map_or(0.0, |going| going.aim.1.map_or(SPEED_INFINITE, |speed| speed as f32))),
            tail,
            ear_rotate: [left, right],
            eyelid_closure: eyelids,
            blink_time: self.blink.map_or(0, |(time, _)| time),
            lights_max_drive: u8::MAX,
            lights_raw,
            sound_index_P1: p1,
            sound_index_P2: p2,
            ..PlatformControl::default()
        }
    }
}

fn angle(target: &JointTarget) -> Result<f64, CommandError> {
    let angle = target.position.as_angle_rad().filter(|it| it.abs() <= ABSURD);
    angle.ok_or_else(|| CommandError::NoAngle(target.part.clone()))
}

/// How fast, if not as quickly as possible.
fn speed(target: &JointTarget, angle: f64, here: Option<f64>) -> Result<Option<f64>, CommandError> {
    if let Some(within) = target.duration {
        let way = here.map_or(0.0, |here| (angle - here).abs());
        return Ok((way > THERE_RAD && !within.is_zero()).then(|| way / within.as_secs_f64()));
    }
    match target.velocity_radps {
        Some(speed) if !(0.001..=ABSURD).contains(&speed) => Err(CommandError::JointSpeed(speed)),
        speed => Ok(speed),
    }
}

fn share(target: &JointTarget, lowest: f64) -> Result<f64, CommandError> {
    match target.position {
        JointPosition::Share { ratio } if (lowest..=1.0).contains(&ratio) => Ok(ratio),
        _ => Err(CommandError::NoShare { part: target.part.clone(), lowest }),
    }
}

/// Periods of a blink, below zero if it is a double one.
fn blink_time(target: &JointTarget) -> Result<i16, CommandError> {
    let ratio = share(target, -1.0)?;
    let usual = BLINK_PERIOD * 10;
    let periods = target.duration.unwrap_or(usual).as_millis() / BLINK_PERIOD.as_millis();
    let periods = i16::try_from(periods).unwrap_or(i16::MAX).max(1);
    Ok(if ratio < 0.0 { -periods } else { periods })
}

#[cfg(test)]
mod tests;

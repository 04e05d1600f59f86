//! What a command does to a robot's motion, and so what a stop does to the command.

use std::time::Duration;

use super::{Command, FollowTarget};

/// What a command does to a robot's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionEffect {
    /// Ends all motion. It overtakes every command that was given before it and voids those that are not sent.
    Stops,
    /// Sets the robot, or a part of it, in motion.
    Moves,
    /// Ends something or measures: a stop does not void it.
    OutlivesStop,
    /// Anything else; void after a stop like what moves.
    Other,
}

/// How a command has a robot move, of every command in one table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// It ends all motion.
    Stop,
    /// At a speed of the base or of the tracks.
    Speed,
    /// Straight on after a turn to a heading.
    Heading {
        /// How far.
        distance_m: f64,
        /// In what time, the turn included.
        duration: Duration,
    },
    /// On a circle until a heading.
    Arc {
        /// Radius of the circle.
        radius_m: f64,
        /// In what time.
        duration: Duration,
    },
    /// At the robot's own speed: parts, goals, tasks.
    Own,
    /// Not at all: it ends something or measures.
    Ends,
    /// Not at all.
    Other,
}

impl Command {
    /// What it does to the robot's motion.
    pub const fn motion_effect(&self) -> MotionEffect {
        match self.motion() {
            Motion::Stop => MotionEffect::Stops,
            Motion::Speed | Motion::Heading { .. } | Motion::Arc { .. } | Motion::Own => MotionEffect::Moves,
            Motion::Ends => MotionEffect::OutlivesStop,
            Motion::Other => MotionEffect::Other,
        }
    }

    /// How it has the robot move.
    pub const fn motion(&self) -> Motion {
        match self {
            Self::Stop { .. } | Self::Halt { .. } | Self::EmergencyStop(true) => Motion::Stop,
            Self::Drive { .. } | Self::DriveTracks(_) => Motion::Speed,
            Self::DriveHeading { distance_m, duration, .. } => {
                Motion::Heading { distance_m: *distance_m, duration: *duration }
            }
            Self::DriveArc { radius_m, duration, .. } => {
                Motion::Arc { radius_m: *radius_m, duration: *duration }
            }
            Self::Joints(_)
            | Self::Navigate(_)
            | Self::Follow(FollowTarget::Pose { .. })
            | Self::Carry(_)
            | Self::Task(_) => Motion::Own,
            Self::BehaviourDrive(drive) if !drive.pushes.is_empty() => Motion::Own,
            Self::CancelNavigation
            | Self::CancelTask(_)
            | Self::Follow(FollowTarget::Pause | FollowTarget::Fail)
            | Self::StopSound
            | Self::CancelFaceTraining
            | Self::Sense(_) => Motion::Ends,
            Self::Lamp { .. }
            | Self::Play { .. }
            | Self::Volume(_)
            | Self::Record { .. }
            | Self::ListenForKeyPhrase(_)
            | Self::DetectFaces(_)
            | Self::RecognizeFaces(_)
            | Self::TrainFace(_)
            | Self::ForgetFace(_)
            | Self::Serial(_)
            | Self::SkillMessage { .. }
            | Self::HazardSettings { .. }
            | Self::DriveLimits(_)
            | Self::BehaviourDrive(_)
            | Self::BehaviourSwitches(_)
            | Self::Localization(_)
            | Self::SetPose { .. }
            | Self::UseMap(_)
            | Self::Maintain(_)
            | Self::Picture { .. }
            | Self::Pins { .. }
            | Self::ControlMode(_)
            | Self::EmergencyStop(false)
            | Self::WakeUp
            | Self::Camera(_) => Motion::Other,
        }
    }

    /// Whether it sets a speed of the base or the tracks, which lasts until the next one, a stop, or its own end.
    pub const fn sets_speed(&self) -> bool {
        matches!(self.motion(), Motion::Speed)
    }

    /// Whether it has the robot drive, and not only move a part.
    pub fn moves_base(&self) -> bool {
        self.motion_effect() == MotionEffect::Moves && !matches!(self, Self::Joints(_))
    }

    /// Whether it is a goal of the base, or its end.
    pub const fn is_navigation(&self) -> bool {
        matches!(self, Self::Navigate(_) | Self::CancelNavigation)
    }

    /// Whether it ends all motion: `stop`, `halt`, `emergency_stop`.
    pub fn is_stop(&self) -> bool {
        self.motion_effect() == MotionEffect::Stops
    }
}

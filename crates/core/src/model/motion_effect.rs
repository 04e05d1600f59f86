//! What a command does to a robot's motion, and so what a stop does to the command.

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

impl Command {
    /// What it does to the robot's motion.
    pub const fn motion_effect(&self) -> MotionEffect {
        match self {
            Self::Stop { .. } | Self::Halt { .. } | Self::EmergencyStop(true) => MotionEffect::Stops,
            Self::Drive { .. }
            | Self::DriveTracks(_)
            | Self::DriveHeading { .. }
            | Self::DriveArc { .. }
            | Self::Joints(_)
            | Self::Navigate(_)
            | Self::Follow(FollowTarget::Pose { .. })
            | Self::Carry(_)
            | Self::Task(_) => MotionEffect::Moves,
            Self::BehaviourDrive(drive) if !drive.pushes.is_empty() => MotionEffect::Moves,
            Self::CancelNavigation
            | Self::CancelTask(_)
            | Self::Follow(FollowTarget::Pause | FollowTarget::Fail)
            | Self::StopSound
            | Self::CancelFaceTraining
            | Self::Sense(_) => MotionEffect::OutlivesStop,
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
            | Self::Camera(_) => MotionEffect::Other,
        }
    }

    /// Whether it sets a speed of the base or the tracks, which lasts until the next one, a stop, or its own end.
    pub const fn sets_speed(&self) -> bool {
        matches!(self, Self::Drive { .. } | Self::DriveTracks(_))
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

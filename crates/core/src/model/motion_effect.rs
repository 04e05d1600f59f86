//! What a command does to a robot's motion, and so what a stop does to the command.

use std::time::Duration;

use super::{Command, TrackSpeeds};

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
    Speed {
        /// For how long; until another one or a stop if not given.
        duration: Option<Duration>,
        /// It is none: the robot stands.
        is_zero: bool,
    },
    /// Straight on after a turn to a heading.
    Heading {
        /// By the robot's own yaw.
        heading_rad: f64,
        /// How far.
        distance_m: f64,
        /// In what time, the turn included.
        duration: Duration,
        /// Backwards.
        reverse: bool,
    },
    /// On a circle until a heading.
    Arc {
        /// Radius of the circle.
        radius_m: f64,
        /// In what time.
        duration: Duration,
    },
    /// By itself, until it is there or done: a goal, a task, something to follow.
    Goal,
    /// Its base, in a way and for a time of its own.
    Own,
    /// Parts of it, while the base stands.
    Parts,
    /// Not at once, though the robot may begin to move of its own by it: behaviours, programs, faults that held it.
    Starts,
    /// Not at all: it ends what the robot drives for by itself.
    EndsGoal,
    /// Not at all: it ends something else, or measures.
    Ends,
    /// Not at all.
    Other,
}

impl Motion {
    /// Whether the robot drives, and not only a part of it moves.
    pub const fn moves_base(self) -> bool {
        match self {
            Self::Speed { .. } | Self::Heading { .. } | Self::Arc { .. } | Self::Goal | Self::Own => true,
            Self::Stop | Self::Parts | Self::Starts | Self::EndsGoal | Self::Ends | Self::Other => false,
        }
    }

    /// For how long the robot drives; `None` if nothing tells.
    pub const fn expires_after(self) -> Option<Duration> {
        match self {
            Self::Speed { is_zero: true, .. } => Some(Duration::ZERO),
            Self::Speed { duration, .. } => duration,
            Self::Heading { duration, .. } | Self::Arc { duration, .. } => Some(duration),
            Self::Goal
            | Self::Own
            | Self::Parts
            | Self::Stop
            | Self::Starts
            | Self::EndsGoal
            | Self::Ends
            | Self::Other => None,
        }
    }
}

impl Command {
    /// What it does to the robot's motion.
    pub fn motion_effect(&self) -> MotionEffect {
        match self.motion() {
            Motion::Stop => MotionEffect::Stops,
            Motion::Speed { .. }
            | Motion::Heading { .. }
            | Motion::Arc { .. }
            | Motion::Goal
            | Motion::Own
            | Motion::Parts => MotionEffect::Moves,
            Motion::EndsGoal | Motion::Ends => MotionEffect::OutlivesStop,
            Motion::Starts | Motion::Other => MotionEffect::Other,
        }
    }

    /// How it has the robot move.
    pub fn motion(&self) -> Motion {
        match self {
            Self::Stop { .. } | Self::Halt { .. } | Self::EmergencyStop(true) => Motion::Stop,
            Self::Drive { linear_mps, angular_radps, duration } => {
                Motion::Speed { duration: *duration, is_zero: [*linear_mps, *angular_radps] == [0.0; 2] }
            }
            Self::DriveTracks(TrackSpeeds { left_mps, right_mps }) => {
                Motion::Speed { duration: None, is_zero: [*left_mps, *right_mps] == [0.0; 2] }
            }
            Self::Joints(_) => Motion::Parts,
            Self::Navigate(_) | Self::Task(_) => Motion::Goal,
            Self::BehaviourDrive(drive) if !drive.pushes.is_empty() => Motion::Own,
            Self::BehaviourSwitches(switches) if switches.iter().any(|it| it.enabled) => Motion::Starts,
            Self::SkillMessage { .. } => Motion::Starts,
            Self::CancelNavigation | Self::CancelTask(_) => Motion::EndsGoal,
            Self::Sense(_) => Motion::Ends,
            Self::Native(call) => call.motion(),
            Self::Lamp { .. }
            | Self::Play { .. }
            | Self::Volume(_)
            | Self::HazardSettings { .. }
            | Self::BehaviourDrive(_)
            | Self::BehaviourSwitches(_)
            | Self::Localization(_)
            | Self::SetPose { .. }
            | Self::UseMap(_)
            | Self::Picture { .. }
            | Self::ControlMode(_)
            | Self::EmergencyStop(false)
            | Self::Camera(_) => Motion::Other,
        }
    }

    /// Whether it sets a speed of the base or the tracks, which lasts until the next one, a stop, or its own end.
    pub fn sets_speed(&self) -> bool {
        matches!(self.motion(), Motion::Speed { .. })
    }

    /// Whether it has the robot drive, and not only move a part.
    pub fn moves_base(&self) -> bool {
        self.motion().moves_base()
    }

    /// Whether it is a goal of the base, or its end.
    pub const fn is_navigation(&self) -> bool {
        matches!(self, Self::Navigate(_) | Self::CancelNavigation)
    }

    /// Whether a client that may only see the robot may give it: it ends motion, or asks for a reading.
    pub fn is_for_everybody(&self) -> bool {
        self.ends_motion() || matches!(self, Self::Sense(_))
    }

    /// Whether it ends motion: a stop, or the end of what the robot drives for by itself.
    pub fn ends_motion(&self) -> bool {
        matches!(self.motion(), Motion::Stop | Motion::EndsGoal)
    }

    /// Whether it ends all motion: `stop`, `halt`, `emergency_stop`.
    pub fn is_stop(&self) -> bool {
        self.motion_effect() == MotionEffect::Stops
    }
}

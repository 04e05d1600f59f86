//! Movement: speeds, wheels, inertial sensors, and what became of a motion.

use super::{Accel, AngularRate, Orientation};
use crate::model::record::{record, words};

record! {
    /// A speed of the whole robot, commanded or measured.
    pub struct Velocity {
        /// Forward.
        pub linear_mps: Option<f64>,
        /// Counter-clockwise.
        pub angular_radps: Option<f64>,
        /// Whether a controller holds the speed.
        pub closed_loop: Option<bool>,
        /// Whether speed is ramped up and down.
        pub ramped: Option<bool>,
        /// The robot's own number for the motion.
        pub action_id: Option<i64>,
    }
}

impl Velocity {
    /// A plain speed.
    pub const fn of(linear_mps: f64, angular_radps: f64) -> Self {
        Self {
            linear_mps: Some(linear_mps),
            angular_radps: Some(angular_radps),
            closed_loop: None,
            ramped: None,
            action_id: None,
        }
    }
}

record! {
    /// One drive wheel or track.
    pub struct WheelEncoder {
        /// Rotation since start.
        pub rotation_rad: Option<f64>,
        /// Rate of rotation.
        pub velocity_radps: Option<f64>,
    }
}

record! {
    /// The two drive wheels or tracks.
    pub struct Encoders {
        /// The left one.
        pub left: WheelEncoder,
        /// The right one.
        pub right: WheelEncoder,
    }
}

record! {
    /// An inertial measurement unit, as in `sensor_msgs/Imu`.
    pub struct Imu {
        /// Attitude.
        pub orientation: Option<Orientation>,
        /// Turn rates.
        pub angular_velocity: Option<AngularRate>,
        /// Accelerations, gravity included.
        pub linear_acceleration: Option<Accel>,
    }
}

words! {
    /// What became of a motion.
    pub enum MotionState {
        /// It began.
        Moving = "moving",
        /// It reached its goal.
        Succeeded = "succeeded",
        /// It was stopped by a command.
        Halted = "halted",
        /// Something is in the way.
        Blocked = "blocked",
        /// It was given up.
        Failed = "failed",
    }
}

record! {
    /// A motion began, ended or was stopped.
    pub struct Motion {
        /// What became of it.
        pub state: MotionState,
        /// Which motors, as a bit mask of the robot's own; all if not given.
        pub motor_mask: Option<u32>,
        /// Why, for a person to read.
        pub reason: Option<String>,
    }
}

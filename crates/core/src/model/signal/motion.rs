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
    /// The part of a speed that was measured; others were asked for.
    pub const MEASURED: &str = "measured";

    /// The part of a speed that the robot was asked for.
    pub const COMMANDED: &str = "commanded";

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
    /// How fast a robot drives at most, and how hard it changes its speed; none is negative.
    pub struct SpeedLimits {
        /// Ahead.
        pub forward_mps: Option<f64>,
        /// Backwards.
        pub backward_mps: Option<f64>,
        /// Turning either way.
        pub angular_radps: Option<f64>,
        /// Getting faster.
        pub speed_up_mps2: Option<f64>,
        /// Getting slower.
        pub slow_down_mps2: Option<f64>,
    }
}

impl SpeedLimits {
    /// Nothing is limited, or nothing is known of it.
    pub const NONE: Self = Self {
        forward_mps: None,
        backward_mps: None,
        angular_radps: None,
        speed_up_mps2: None,
        slow_down_mps2: None,
    };
}

record! {
    /// The limits that a robot drives by, and those that it may be given.
    pub struct DriveLimits {
        /// Now.
        pub present: SpeedLimits,
        /// Until they are set.
        pub default: SpeedLimits,
        /// The greatest that can be set; the least is 0.
        pub greatest: SpeedLimits,
    }
}

record! {
    /// How the wheels hold the floor, and whether the robot stands.
    pub struct Traction {
        /// Whether the wheels slip.
        pub slipping: Option<bool>,
        /// Whether they turn and hardly take the robot along.
        pub slipping_badly: Option<bool>,
        /// Whether somebody pushes it.
        pub pushed: Option<bool>,
        /// How fast the robot deems right to drive now, at most.
        pub suggested_mps: Option<f64>,
        /// Whether it stands, by all that it senses.
        pub still: Option<bool>,
        /// Whether its wheels stand.
        pub wheels_still: Option<bool>,
        /// Whether it stands by its inertial sensor.
        pub body_still: Option<bool>,
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

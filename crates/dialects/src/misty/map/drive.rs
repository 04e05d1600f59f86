//! LocomotionCommand, HaltCommand and DriveEncoders: the drive.
//!
//! | wire | model |
//! |---|---|
//! | `linearVelocity`, m/s; `angularVelocity`, degrees/s, left positive | `velocity/commanded` |
//! | `usePid`, `useTrapezoidalDrive`, `actionId` | `closed_loop`, `ramped`, `action_id` |
//! | HaltCommand, `motorMask` 65535 for all | `motion`, halted; no mask for all |
//! | `leftDistance` … degrees, `leftVelocity` … degrees/s | `encoders`, rad and rad/s |
//!
//! The specification gives the commanded speed no units: 0.3 in its sample fits m/s, and every turn that it does give
//! a unit is in degrees.

use std::time::Duration;

use latimer_core::PartName;
use latimer_core::Timestamp;
use latimer_core::model::signal::{Encoders, Motion, MotionState, Velocity, WheelEncoder};

use super::time::{expiry, stamp_from_utc, utc_from_timestamp};
use super::units::{deg_from_rad, finite};
use super::{COMMANDED, Received};
use crate::misty::wire::Extra;
use crate::misty::wire::motion::{DriveEncoders, HaltCommand, LocomotionCommand};

/// Not in the samples; that of the actuators.
const ENCODERS_GOOD_FOR: Duration = Duration::from_secs(1);
const ENCODERS_ID: &str = "enc";
/// `motorMask` of every motor.
const ALL_MOTORS: i64 = 65_535;

/// The commanded speed.
pub(super) fn heard_from_locomotion_command(message: &LocomotionCommand, received: Timestamp) -> Received {
    let LocomotionCommand {
        action_id,
        angular_velocity,
        created,
        linear_velocity,
        use_pid,
        use_trapezoidal_drive,
        value_index: _,
        extra: _,
    } = message;
    Received::new(
        Some(PartName::of(COMMANDED)),
        stamp_from_utc(created.as_deref(), received),
        Velocity {
            linear_mps: *linear_velocity,
            angular_radps: angular_velocity.map(f64::to_radians),
            closed_loop: *use_pid,
            ramped: *use_trapezoidal_drive,
            action_id: *action_id,
        },
    )
}

/// A message about the commanded speed.
pub(super) fn locomotion_command_from_velocity(velocity: &Velocity, at: Timestamp) -> LocomotionCommand {
    LocomotionCommand {
        action_id: velocity.action_id,
        angular_velocity: velocity.angular_radps.and_then(deg_from_rad),
        created: Some(utc_from_timestamp(at)),
        linear_velocity: velocity.linear_mps.and_then(finite),
        use_pid: velocity.closed_loop,
        use_trapezoidal_drive: velocity.ramped,
        value_index: Some(0),
        extra: Extra::new(),
    }
}

/// A stop.
pub(super) fn heard_from_halt_command(message: &HaltCommand, received: Timestamp) -> Received {
    let HaltCommand { created, motor_mask, extra: _ } = message;
    let motor_mask = motor_mask.filter(|mask| *mask != ALL_MOTORS).and_then(|mask| u32::try_from(mask).ok());
    Received::new(
        None,
        stamp_from_utc(created.as_deref(), received),
        Motion { state: MotionState::Halted, motor_mask, reason: None },
    )
}

/// A message about a stop; `None` for what else becomes of a motion.
pub(super) fn halt_command_from_motion(motion: &Motion, at: Timestamp) -> Option<HaltCommand> {
    (motion.state == MotionState::Halted).then(|| HaltCommand {
        created: Some(utc_from_timestamp(at)),
        motor_mask: Some(motion.motor_mask.map_or(ALL_MOTORS, i64::from)),
        extra: Extra::new(),
    })
}

/// The two tracks.
pub(super) fn heard_from_drive_encoders(message: &DriveEncoders, received: Timestamp) -> Received {
    let DriveEncoders {
        created,
        expiry: _,
        left_distance,
        left_velocity,
        right_distance,
        right_velocity,
        sensor_id: _,
        sensor_name: _,
        extra: _,
    } = message;
    let wheel = |distance: &Option<f64>, velocity: &Option<f64>| WheelEncoder {
        rotation_rad: distance.map(f64::to_radians),
        velocity_radps: velocity.map(f64::to_radians),
    };
    Received::new(
        None,
        stamp_from_utc(created.as_deref(), received),
        Encoders { left: wheel(left_distance, left_velocity), right: wheel(right_distance, right_velocity) },
    )
}

/// A message about two tracks or wheels.
pub(super) fn drive_encoders_from_encoders(encoders: &Encoders, at: Timestamp) -> DriveEncoders {
    let Encoders { left, right } = encoders;
    DriveEncoders {
        created: Some(utc_from_timestamp(at)),
        expiry: expiry(at, ENCODERS_GOOD_FOR),
        left_distance: left.rotation_rad.and_then(deg_from_rad),
        left_velocity: left.velocity_radps.and_then(deg_from_rad),
        right_distance: right.rotation_rad.and_then(deg_from_rad),
        right_velocity: right.velocity_radps.and_then(deg_from_rad),
        sensor_id: Some(ENCODERS_ID.to_owned()),
        sensor_name: None,
        extra: Extra::new(),
    }
}

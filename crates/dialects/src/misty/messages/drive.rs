//! LocomotionCommand, HaltCommand and DriveEncoders.
//!
//! The specification gives the commanded speed no units: 0.3 in its sample fits m/s, and every turn that it does give
//! a unit is in degrees.

use latimer_core::PartName;
use latimer_core::model::signal::{Encoders, Motion, MotionState, Velocity, WheelEncoder};

use super::codecs::Utc;
use super::{Context, DEPRECATED, good_for};
use crate::describe::codec::{Codec, CodecInfo, Describe};
use crate::describe::{Extra, Message};
use crate::misty::map::COMMANDED;

/// Section "LocomotionCommand": the commanded velocity changed.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Velocity, context = Context)]
#[message(part = commanded, when = is_commanded)]
pub struct LocomotionCommand {
    /// Number of the action that commanded it.
    #[field(action_id)]
    pub action_id: Option<i64>,
    /// Commanded turn; left is positive.
    #[field(angular_radps, unit = DegreesPerSecond, note = "left is positive; the specification names no unit")]
    pub angular_velocity: Option<f64>,
    /// When it changed; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Commanded speed.
    #[field(linear_mps, note = "the specification names no unit; its sample fits m/s")]
    pub linear_velocity: Option<f64>,
    /// Whether a controller closes the loop.
    #[field(closed_loop, hidden = DEPRECATED, note = "in the `Deprecated` version only")]
    pub use_pid: Option<bool>,
    /// Whether speed changes follow a trapezoid.
    #[field(ramped)]
    pub use_trapezoidal_drive: Option<bool>,
    /// Always 0.
    #[field(constant = 0)]
    pub value_index: Option<i64>,
    pub(crate) extra: Extra,
}

fn commanded(_: &LocomotionCommand) -> Option<PartName> {
    Some(PartName::of(COMMANDED))
}

fn is_commanded(_: &Velocity, context: &Context) -> bool {
    context.part.as_ref().is_some_and(|part| part.as_str() == COMMANDED)
}

/// A stop of all motors.
const HALTED: Motion = Motion { state: MotionState::Halted, motor_mask: None, reason: None };

/// Section "HaltCommand": the robot stopped, however its motion ended.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Motion, context = Context, base = HALTED, when = is_over)]
#[message(ignores(state, reason))]
pub struct HaltCommand {
    /// When it stopped; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Bits of the motors that stopped, 6 for the two tracks.
    #[field(motor_mask, codec = Motors, or = None, note = "65535 means all motors and is no mask here")]
    pub motor_mask: Option<i64>,
    pub(crate) extra: Extra,
}

fn is_over(motion: &Motion, _: &Context) -> bool {
    motion.state != MotionState::Moving
}

/// A mask of motors; of all of them if there is none.
struct Motors;

impl Motors {
    const ALL: i64 = 65_535;
}

impl Describe for Motors {
    fn info(&self) -> CodecInfo {
        CodecInfo { range: Some((0.0, 1_000.0)), ..CodecInfo::default() }
    }
}

impl<Cx> Codec<i64, Option<u32>, Cx> for Motors {
    fn decode(&self, wire: &i64, _: &Cx) -> Option<Option<u32>> {
        Some(u32::try_from(*wire).ok().filter(|_| *wire != Self::ALL))
    }

    fn encode(&self, model: &Option<u32>, _: &Cx) -> Option<i64> {
        Some(model.map_or(Self::ALL, i64::from))
    }
}

/// Section "DriveEncoders": how far the two tracks turned.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Encoders, context = Context)]
#[message(records(left = WheelEncoder, right = WheelEncoder))]
pub struct DriveEncoders {
    /// When the reading was taken; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when the reading is good, 1 s after `created`; not in the samples.
    #[field(computed = good_for::<1_000, _>, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Rotation of the left encoder.
    #[field(left.rotation_rad, unit = Degrees)]
    pub left_distance: Option<f64>,
    /// Angular velocity of the left encoder.
    #[field(left.velocity_radps, unit = DegreesPerSecond)]
    pub left_velocity: Option<f64>,
    /// Rotation of the right encoder.
    #[field(right.rotation_rad, unit = Degrees)]
    pub right_distance: Option<f64>,
    /// Angular velocity of the right encoder.
    #[field(right.velocity_radps, unit = DegreesPerSecond)]
    pub right_velocity: Option<f64>,
    /// Always `enc`.
    #[field(constant = "enc")]
    pub sensor_id: Option<String>,
    /// Not given.
    #[field(own, hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    pub(crate) extra: Extra,
}

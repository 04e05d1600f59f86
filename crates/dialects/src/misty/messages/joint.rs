//! ActuatorPosition.

use latimer_core::PartName;
use latimer_core::model::signal::Joint;

use super::codecs::{NameOf, Utc};
use super::{Context, DEPRECATED, good_for};
use crate::describe::codec::finite;
use crate::describe::{Extra, Message};
use crate::misty::map::names::{Family, Given, JOINTS, part_from_names};

const JOINT: &[Family] = &[Family::Joint];

/// Section "ActuatorPosition": where a joint of the head or an arm stands.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Joint, context = Context, base = Joint::UNKNOWN)]
#[message(ignores(position_m, position_ratio, velocity_radps, velocity_ratiops, self_check))]
#[message(part = part, amend = in_metres)]
pub struct ActuatorPosition {
    /// Hardware id of the motor.
    #[field(part, codec = NameOf::Motor(JOINT), note = "read where no other name is given")]
    pub actuator_id: Option<String>,
    /// When the reading was taken; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when the reading is good, 1 s after `created`.
    #[field(computed = good_for::<1_000, _>, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Name of the sensor.
    #[field(part, codec = NameOf::Id(JOINT))]
    pub sensor_id: Option<String>,
    /// Long name of the sensor.
    #[field(part, codec = NameOf::Name(JOINT), hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    /// Position.
    #[field(position_rad, unit = Degrees, note = "head down, roll right, yaw left and arms down are positive; metres for a slide")]
    pub value: Option<f64>,
    pub(crate) extra: Extra,
}

fn part(message: &ActuatorPosition) -> Option<PartName> {
    let motor = || {
        let id = message.actuator_id.as_deref()?;
        JOINTS.iter().find(|joint| joint.actuator_id == id).map(|joint| PartName::of(joint.part))
    };
    part_from_names(Family::Joint, Given::of(&message.sensor_id, &message.sensor_name, &None)).or_else(motor)
}

/// Slides, which only robots of other families have.
fn in_metres(joint: &Joint, _: &Context, message: &mut ActuatorPosition) {
    message.value = message.value.or(joint.position_m.and_then(finite));
}

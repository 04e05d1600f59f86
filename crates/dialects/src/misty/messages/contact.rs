//! BumpSensor and TouchSensor.

use latimer_core::PartName;
use latimer_core::model::signal::{Contact, ContactSensor, Frame, Point, Pose as ModelPose};

use super::codecs::{NameOf, Utc};
use super::pose::Pose;
use super::{Context, DEPRECATED, NOT_SENT, good_for};
use crate::describe::{Extra, Message, Translate};
use crate::misty::map::names::{Family, Given, part_from_names};

const BUMPER: &[Family] = &[Family::Bumper];
const TOUCH: &[Family] = &[Family::Touch];

const fn nowhere(sensor: ContactSensor, frame: Frame) -> Contact {
    Contact { contacted: false, sensor, position: None, frame }
}

/// Section "BumpSensor": a bumper of the base was pressed or released.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Contact, context = Context, part = bumper, finish = mount_bumper)]
#[message(base = nowhere(ContactSensor::Bumper, Frame::BaseLink), ignores(sensor, position, frame))]
pub struct BumpSensor {
    /// When it happened; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when the reading is good, 125 ms after `created`.
    #[field(computed = good_for::<125, _>, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Pressed (true) or released (false).
    #[field(contacted, required)]
    pub is_contacted: Option<bool>,
    /// Where the bumper sits, as `position` and `frame`; how it is turned is not read.
    #[field(computed = mounting, hidden = DEPRECATED)]
    pub pose: Option<Pose>,
    /// Name of the sensor.
    #[field(part, codec = NameOf::Id(BUMPER))]
    pub sensor_id: Option<String>,
    /// Long name of the sensor.
    #[field(part, codec = NameOf::Name(BUMPER), hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    /// Place of the bumper.
    #[field(part, codec = NameOf::Position(BUMPER), hidden = NOT_SENT, note = "for conditions; not sent")]
    pub sensor_position: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "TouchSensor": a capacitive sensor of the head was touched or released.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Contact, context = Context, part = touch, finish = mount_touch)]
#[message(base = nowhere(ContactSensor::Touch, Frame::Head), ignores(sensor, position, frame))]
pub struct TouchSensor {
    /// When it happened; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when the reading is good, 1 s after `created`.
    #[field(computed = good_for::<1_000, _>, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Touched (true) or released (false).
    #[field(contacted, required)]
    pub is_contacted: Option<bool>,
    /// Where the sensor sits, as `position` and `frame`; how it is turned is not read.
    #[field(computed = mounting, hidden = DEPRECATED)]
    pub pose: Option<Pose>,
    /// Name of the sensor.
    #[field(part, codec = NameOf::Id(TOUCH), note = "`cap` for every touch sensor of Misty")]
    pub sensor_id: Option<String>,
    /// Long name of the sensor.
    #[field(part, codec = NameOf::Name(TOUCH), hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    /// Place of the sensor.
    #[field(part, codec = NameOf::Position(TOUCH))]
    pub sensor_position: Option<String>,
    pub(crate) extra: Extra,
}

fn bumper(message: &BumpSensor) -> Option<PartName> {
    let given = Given::of(&message.sensor_id, &message.sensor_name, &message.sensor_position);
    part_from_names(Family::Bumper, given)
}

fn touch(message: &TouchSensor) -> Option<PartName> {
    let given = Given::of(&message.sensor_id, &message.sensor_name, &message.sensor_position);
    part_from_names(Family::Touch, given)
}

fn mount_bumper(message: &BumpSensor, _: &Context, contact: &mut Contact) {
    mount(message.pose.as_ref(), contact);
}

fn mount_touch(message: &TouchSensor, _: &Context, contact: &mut Contact) {
    mount(message.pose.as_ref(), contact);
}

fn mount(pose: Option<&Pose>, contact: &mut Contact) {
    if let Some(ModelPose { frame, x_m, y_m, z_m, .. }) = pose.and_then(|pose| pose.in_frame(contact.frame)) {
        (contact.frame, contact.position) = (frame, Some(Point { x_m, y_m, z_m }));
    }
}

fn mounting(contact: &Contact, context: &Context) -> Option<Pose> {
    let Point { x_m, y_m, z_m } = *contact.position.as_ref()?;
    Pose::encode(&ModelPose { z_m, ..ModelPose::planar(contact.frame, x_m, y_m, 0.0) }, context)
}

#[cfg(test)]
mod tests {
    use latimer_core::Timestamp;

    use super::*;

    #[test]
    fn a_sensor_comes_back_where_it_sits() {
        let position = Some(Point { x_m: 0.12, y_m: -0.075, z_m: 0.01 });
        let bump = Contact { contacted: true, position, ..nowhere(ContactSensor::Bumper, Frame::Odom) };
        let context = Context::at(Timestamp::default());
        let message = BumpSensor::encode(&bump, &context).unwrap();
        assert_eq!(message.decode(&context).unwrap(), bump);
        let missing = BumpSensor { is_contacted: None, ..message };
        assert_eq!(missing.decode(&context).unwrap_err().field, "isContacted");
        let touch = TouchSensor { is_contacted: Some(true), ..Default::default() }.decode(&context).unwrap();
        assert_eq!((touch.frame, touch.position), (Frame::Head, None));
    }
}

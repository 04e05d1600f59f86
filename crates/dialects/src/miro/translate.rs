//! An update as clients of a MiRo see it: the whole message that holds it, as JSON under the names of ROS.

use std::sync::LazyLock;

use latimer_core::Hub;
use latimer_core::hub::Shared;
use latimer_core::model::signal::{Frame, Pins, Velocity};
use latimer_core::model::{PartName, Signal};
use latimer_ros1::message::{Value, to_json};
use latimer_ros1::msgs::std_msgs;
use serde::Serialize;

use crate::contract::Translated;
use crate::describe::Translate;
use crate::miro::NAME;
use crate::miro::config::Layouts;
use crate::miro::map::{
    EYES, Own, Snapshot, odometry_from_snapshot, sensors_from_snapshot, state_from_snapshot,
    wire_from_compressed, wire_from_image,
};
use crate::miro::messages::{
    CLIFFS, CoreState, EYELIDS, LIGHTS, Moment, NECK, PlatformMics, SONAR, TOUCH_BODY, TOUCH_HEAD,
};
use crate::miro::topic::Topic;
use crate::miro::types::Types;

/// The layouts of this program; those of a folder are the served robots' own.
static TYPES: LazyLock<Option<Types>> = LazyLock::new(|| Types::load(Layouts::Maker, None).ok());

/// An update as a MiRo's clients see it; nothing of what no message of a MiRo tells.
pub(super) fn translate(hub: &Hub, update: &Shared, name: &str) -> Option<Translated> {
    let topic = topic_of(update)?;
    let at = &Moment::since(update.stamp.at, latimer_core::Timestamp::default(), name.into());
    let [left, right] = EYES;
    let header = at.header(if topic.as_str().contains("caml") { left } else { right }.optical);
    let own_family = hub.family(&update.robot) == Some(NAME);
    let payload = match (topic, &update.signal) {
        (Topic::Sensors, _) => json(topic, &sensors_from_snapshot(&known(hub, update), at)),
        (Topic::Odom, _) => json(topic, &odometry_from_snapshot(&known(hub, update), at)),
        (Topic::CoreState, Signal::BehaviourState(state)) => json(topic, &CoreState::encode(state, at)?),
        (Topic::State, _) => {
            let own = Own { own_family, ready: true, ..Own::default() };
            json(topic, &state_from_snapshot(&known(hub, update), own, at, update.stamp.at))
        }
        (_, Signal::Image(image)) => json(topic, &wire_from_image(image, header).ok()?),
        (_, Signal::CompressedImage(file)) => json(topic, &wire_from_compressed(file, header)),
        (_, Signal::Audio(audio)) => json(topic, &PlatformMics::encode(audio, at)?.padded()),
        (_, Signal::Text(text)) => json(topic, &std_msgs::String::encode(text, at)?),
        _ => None,
    }?;
    Some(Translated { topic: topic.as_str().into(), payload: payload.into() })
}

/// What is known of the robot, and this.
fn known(hub: &Hub, update: &Shared) -> Snapshot {
    let mut known = Snapshot::default();
    for last in hub.last_of_robot(&update.robot) {
        known.take(&last);
    }
    known.take(update);
    known
}

/// The topic whose message holds an update; of robots of other families only updates under a MiRo's names.
fn topic_of(update: &Shared) -> Option<Topic> {
    let part = update.part.as_ref().map_or("", PartName::as_str);
    let is_one_of = |names: &[&str]| names.contains(&part);
    let sensed = match &update.signal {
        Signal::Battery(battery) => battery.voltage_v.is_some(),
        Signal::Temperature(_) => part.is_empty(),
        Signal::Imu(imu) => is_one_of(&["head", "body"]) && imu.linear_acceleration.is_some(),
        Signal::Velocity(_) => part == Velocity::MEASURED,
        Signal::Joint(joint) if part == EYELIDS => joint.position_ratio.is_some(),
        Signal::Joint(joint) => is_one_of(&NECK) && joint.position_rad.is_some(),
        Signal::Pins(Pins { inputs, outputs }) => {
            outputs.is_empty() && matches!(&inputs[..], [board] if board.len() <= 4)
        }
        Signal::Range(_) => part == SONAR,
        Signal::Light(_) => is_one_of(&LIGHTS),
        Signal::Cliff(cliff) => {
            is_one_of(&CLIFFS) && (cliff.0.status_code.is_some() || cliff.0.distance_m.is_some())
        }
        Signal::Contact(_) => is_one_of(&TOUCH_HEAD) || is_one_of(&TOUCH_BODY),
        _ => false,
    };
    if sensed {
        return Some(Topic::Sensors);
    }
    match (&update.signal, part) {
        (Signal::Device(_), _) => Some(Topic::State),
        (Signal::BehaviourState(_), _) => Some(Topic::CoreState),
        (Signal::Pose(pose), "") if pose.frame == Frame::Odom => Some(Topic::Odom),
        (Signal::Image(_), "camera_left") => Some(Topic::CamL),
        (Signal::Image(_), "camera_right") => Some(Topic::CamR),
        (Signal::CompressedImage(_), "camera_left") => Some(Topic::CamLCompressed),
        (Signal::CompressedImage(_), "camera_right") => Some(Topic::CamRCompressed),
        (Signal::Audio(_), "mics") => Some(Topic::Mics),
        (Signal::Text(text), _) if text.channel.is_line() => Some(Topic::Log),
        _ => None,
    }
}

/// A message with the fields of its layout, bytes in Base64.
fn json(topic: Topic, message: &impl Serialize) -> Option<Vec<u8>> {
    let layout = TYPES.as_ref()?.of(topic);
    let value: Value = layout.decode(&layout.encode(message).ok()?).ok()?;
    to_json(&value).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use latimer_core::hub::{Origin, RobotInfo};
    use latimer_core::model::Update;
    use latimer_core::model::signal::image::{Encoding, PictureFormat};
    use latimer_core::model::signal::{
        Accel, Audio, Battery, Cliff, CompressedImage, Contact, ContactSensor, Frame, Image, Imu, Joint,
        Light, Pins, Pose, Range, Temperature, Text, TextChannel, Velocity,
    };
    use latimer_core::{Clock, RobotId};
    use serde_json::Value as Json;

    use super::*;
    use crate::describe::check::leaves;
    use crate::miro::map::signals_from_state;
    use crate::miro::messages::{MESSAGES, PlatformState};

    fn said() -> Vec<(&'static str, Signal)> {
        let linear_acceleration = Some(Accel { x_mps2: 0.5, y_mps2: 0.0, z_mps2: 9.75 });
        let imu = Imu { orientation: None, angular_velocity: None, linear_acceleration };
        let (sensor, frame) = (ContactSensor::Touch, Frame::Head);
        let contact = Contact { contacted: true, sensor, position: None, frame };
        let image = Image { encoding: Encoding::Rgb8, width: 1, height: 1, data: vec![8, 4, 8].into() };
        let (format, data) = (PictureFormat::Jpeg, vec![0xff, 0xd8].into());
        let file = CompressedImage { format, width: 1, height: 1, data };
        let text = Text { channel: TextChannel::Log, text: "hello".into(), data: None, truncated: None };
        let audio = Audio { sample_rate_hz: 20_000, channels: 2, samples: vec![1, 0, 2, 0].into() };
        let core = CoreState { priority: vec![0.5; 8], ..CoreState::default() };
        let device = signals_from_state(&PlatformState { serial: 42, ..PlatformState::default() }).remove(0);
        vec![
            ("", Battery { voltage_v: Some(4.75), ..Battery::UNKNOWN }.into()),
            ("", Temperature { temperature_c: 29.5 }.into()),
            ("head", imu.clone().into()),
            ("body", imu.into()),
            ("measured", Velocity::of(0.25, -0.5).into()),
            ("yaw", Joint::hinge(0.5).into()),
            ("eyelids", Joint::share(0.25).into()),
            ("", Pins { inputs: vec![vec![true, false, true, false]], outputs: vec![] }.into()),
            ("sonar", Range::valid(0.25).into()),
            ("rear_left", Light { level_ratio: 1.0 }.into()),
            ("touch_body_2", contact.into()),
            ("left", Cliff(Range { status_code: Some(12), ..Range::nothing() }).into()),
            ("", Pose::planar(Frame::Odom, 1.0, 2.0, 0.0).into()),
            ("camera_left", image.clone().into()),
            ("camera_right", image.into()),
            ("camera_left", file.clone().into()),
            ("camera_right", file.into()),
            ("mics", audio.into()),
            ("", text.into()),
            ("", core.decode(&Moment::default()).unwrap().into()),
            ("", device),
        ]
    }

    fn updates(hub: &Hub) -> Vec<Shared> {
        let robot = RobotId::new("miro-1").unwrap();
        let update = |(part, signal): (&str, Signal)| {
            let update = Update::now(&robot, hub.clock().now(), signal);
            Shared::new(if part.is_empty() { update } else { update.of_part(PartName::of(part)) }, 1)
        };
        said().into_iter().map(update).collect()
    }

    #[tokio::test]
    async fn every_field_of_a_description_is_in_its_message() {
        let hub = Hub::new(Clock::system());
        let mut seen = BTreeSet::new();
        for update in updates(&hub) {
            let encoded =
                translate(&hub, &update, "rob01").unwrap_or_else(|| panic!("{} is not sent", update.key()));
            let message = MESSAGES.iter().find(|message| message.topic == encoded.topic).unwrap();
            let mut found = Vec::new();
            leaves(&serde_json::from_slice(&encoded.payload).unwrap(), "", &mut found);
            // Other builds have these in place of `battery_voltage` and `t_complete`.
            let elsewhere = |wire: &str| {
                wire.starts_with("battery_state")
                    || (message.topic, wire) == (Topic::Mics.as_str(), "time_usec")
            };
            for row in message.rows().iter().filter(|row| !elsewhere(&row.wire)) {
                let wire = row.wire.trim_end_matches("**");
                assert!(
                    found.iter().any(|(path, _)| path.starts_with(wire)),
                    "{}: {}",
                    encoded.topic,
                    row.wire
                );
            }
            assert!(message.kinds.contains(&update.kind()), "{}", update.key());
            seen.insert(encoded.topic.into_owned());
        }
        // The Standard Interface repeats what others tell.
        assert_eq!(seen.len(), 10, "{seen:?}");
    }

    #[tokio::test]
    async fn a_message_tells_all_that_is_known_in_the_robot_s_units() {
        let hub = Hub::new(Clock::system());
        let info = RobotInfo::new(RobotId::new("miro-1").unwrap(), NAME, Origin::Simulated);
        let source = hub.register(info).unwrap();
        let updates = updates(&hub);
        updates.iter().for_each(|update| source.publish(Update::clone(update)));
        let encoded = translate(&hub, &updates[0], "rob01").unwrap();
        let message: Json = serde_json::from_slice(&encoded.payload).unwrap();
        assert_eq!(encoded.topic, "platform/sensors");
        for (path, expected) in [
            ("/battery_voltage", serde_json::json!(4.75)),
            ("/temperature/temperature", 29.5.into()),
            ("/accel_head/linear_acceleration/z", 9.75.into()),
            ("/odometry/twist/twist/linear/x", 250.0.into()),
            ("/odometry/twist/twist/angular/z", (-0.5).into()),
            ("/odometry/pose/pose/position/x", 0.0.into()),
            ("/joint_state/position", serde_json::json!([0.0, 0.0, 0.5, 0.0])),
            ("/eyelid_closure", 0.25.into()),
            ("/dip_state_phys", 5.into()),
            ("/sonar_range/range", 0.25.into()),
            ("/light", "AAD/AA==".into()),
            ("/touch_body", "AAABAA==".into()),
            ("/cliff", "DP8=".into()),
        ] {
            assert_eq!(message.pointer(path), Some(&expected), "{path}");
        }
    }

    #[tokio::test]
    async fn what_other_robots_say_in_other_words_is_not_a_miro_s() {
        let hub = Hub::new(Clock::system());
        let robot = RobotId::new("rover-1").unwrap();
        for (part, signal) in [
            ("front_left", Signal::from(Range::valid(0.25))),
            ("head_yaw", Joint::hinge(0.5).into()),
            ("commanded", Velocity::of(0.1, 0.0).into()),
            ("", Battery::UNKNOWN.into()),
        ] {
            let update = Update::now(&robot, hub.clock().now(), signal).of_part(PartName::of(part));
            assert_eq!(translate(&hub, &Shared::new(update, 1), "rob01"), None, "{part}");
        }
    }
}

//! The tables against messages as they are made.

use std::collections::BTreeSet;

use latimer_core::hub::{Origin, RobotInfo, Shared};
use latimer_core::model::signal::image::{Encoding, PictureFormat};
use latimer_core::model::signal::{
    Accel, Audio, Battery, Cliff, CompressedImage, Contact, ContactSensor, Device, Frame, Image, Imu, Joint,
    Light, Pins, Pose, Range, Temperature, Text, TextChannel, Velocity,
};
use latimer_core::model::{PartName, Signal, Update};
use latimer_core::{Clock, Hub, RobotId};
use serde_json::Value as Json;

use super::{MESSAGES, translate};
use crate::miro::NAME;

fn said() -> Vec<(&'static str, Signal)> {
    let imu = Imu {
        orientation: None,
        angular_velocity: None,
        linear_acceleration: Some(Accel { x_mps2: 0.5, y_mps2: 0.0, z_mps2: 9.75 }),
    };
    let contact =
        Contact { contacted: true, sensor: ContactSensor::Touch, position: None, frame: Frame::Head };
    let image = Image { encoding: Encoding::Rgb8, width: 1, height: 1, data: vec![8, 4, 8].into() };
    let file =
        CompressedImage { format: PictureFormat::Jpeg, width: 1, height: 1, data: vec![0xff, 0xd8].into() };
    let text = Text { channel: TextChannel::Log, text: "hello".into(), data: None, truncated: None };
    let audio = Audio { sample_rate_hz: 20_000, channels: 2, samples: vec![1, 0, 2, 0].into() };
    let device = Device {
        maker: None,
        model: None,
        serial: Some("42".into()),
        name: None,
        firmware: Some("MDK 180509".into()),
        hardware: None,
        ip_address: None,
        mac_address: None,
        simulated: true,
    };
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
        ("", device.into()),
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

/// The paths of all that is not an object or a list.
fn paths(at: &str, value: &Json, into: &mut BTreeSet<String>) {
    match value {
        Json::Object(map) => map.iter().for_each(|(key, value)| {
            let dot = if at.is_empty() { "" } else { "." };
            paths(&format!("{at}{dot}{key}"), value, into);
        }),
        Json::Array(items) => items.iter().for_each(|item| paths(&format!("{at}[]"), item, into)),
        _ => drop(into.insert(at.to_owned())),
    }
}

#[tokio::test]
async fn every_field_of_a_table_is_in_its_message() {
    let hub = Hub::new(Clock::system());
    let mut seen = BTreeSet::new();
    for update in updates(&hub) {
        let told = translate(&hub, &update).unwrap_or_else(|| panic!("{} is not told", update.key()));
        let table = MESSAGES.iter().find(|message| message.topic == told.topic).unwrap();
        let mut leaves = BTreeSet::new();
        paths("", &serde_json::from_slice(&told.payload).unwrap(), &mut leaves);
        for pair in table.fields.pairs() {
            // `[2]` is one of a list, whose items are all called `[]` here.
            let place = |it: char| it.is_ascii_digit();
            let list = pair.wire.split_once('[').filter(|(_, rest)| rest.starts_with(place));
            let wire = list.map_or(pair.wire.to_owned(), |(before, _)| format!("{before}[]"));
            let shown = leaves.iter().any(|leaf| leaf.starts_with(&wire));
            assert!(shown, "{} has no {}: {leaves:?}", told.topic, pair.wire);
        }
        assert!(table.kinds.contains(&update.kind()), "{}", update.key());
        seen.insert(told.topic.into_owned());
    }
    // The Standard Interface repeats what others tell.
    assert_eq!(seen.len(), 9, "{seen:?}");
}

#[tokio::test]
async fn a_message_tells_all_that_is_known_in_the_robot_s_units() {
    let hub = Hub::new(Clock::system());
    let info = RobotInfo::new(RobotId::new("miro-1").unwrap(), NAME, Origin::Simulated);
    let source = hub.register(info).unwrap();
    let updates = updates(&hub);
    updates.iter().for_each(|update| source.publish(Update::clone(update)));
    let told = translate(&hub, &updates[0]).unwrap();
    let message: Json = serde_json::from_slice(&told.payload).unwrap();
    assert_eq!(told.topic, "platform/sensors");
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
        ("/cliff", "DAA=".into()),
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
        assert_eq!(translate(&hub, &Shared::new(update, 1)), None, "{part}");
    }
}

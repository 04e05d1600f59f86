//! Both ways, with numbers that a person can check.

use std::f64::consts::FRAC_PI_2;

use latimer_core::model::signal::{Color, Frame, Imu, Lamp, Orientation, Pose, Range, Text, TextChannel};
use latimer_core::model::{Command, Realities, SenseRequest, Sensing};
use latimer_core::{PartName, RobotId, Signal, Timestamp, Update, Value};

use super::*;
use crate::pera::wire::tests::samples;

const NOW: Timestamp = Timestamp::from_nanos(7);

fn robot() -> RobotId {
    RobotId::new("pera-3").unwrap()
}

fn read(topic: &str, payload: &str) -> Message {
    Message::read(&Topic::parse(topic), payload.as_bytes()).unwrap()
}

fn incoming(topic: &str, payload: &str) -> Vec<PartSignal> {
    signals_from_message(&read(topic, payload), &[])
}

fn written(part: Option<&str>, signal: impl Into<Signal>) -> Option<(String, String)> {
    let update = Update { part: part.map(PartName::of), ..Update::now(&robot(), NOW, signal.into()) };
    let (topic, payload) = message_from_update(3, &update, Some(Reality::V))?.write();
    Some((topic, String::from_utf8(payload.to_vec()).unwrap()))
}

fn line(topic: &str, payload: &str) -> Option<(String, String)> {
    Some((topic.to_owned(), payload.to_owned()))
}

#[test]
fn poses_are_in_metres_and_radians() {
    let found =
        incoming("localization/update", r#"[{"id":3,"x":150,"y":-20.5,"heading":90},{"id":4,"x":1}]"#);
    let pose = Pose::planar(Frame::Map, 1.5, -0.205, FRAC_PI_2);
    assert_eq!(found, [PartSignal { id: 3, part: None, signal: pose.clone().into() }]);
    let expected = r#"[{"id":3,"x":150,"y":-20.5,"heading":90,"reality":"V"}]"#;
    assert_eq!(written(None, pose.clone()), line("localization/update", expected));
    assert_eq!(written(None, Pose { frame: Frame::Odom, ..pose }), None);
    let west = r#"[{"id":3,"x":0,"y":0,"heading":-90,"reality":"V"}]"#;
    let turned = Pose::planar(Frame::Map, 0.0, 0.0, 3.0 * FRAC_PI_2);
    assert_eq!(written(None, turned), line("localization/update", west), "the swarm has no 270");
    let origin = incoming("robot/create", r#"{"id":3}"#);
    assert_eq!(origin[0].signal, Pose::planar(Frame::Map, 0.0, 0.0, 0.0).into());
}

#[test]
fn a_reading_is_published_and_a_request_is_not() {
    assert_eq!(incoming("sensor/distance", r#"{"id":3,"reality":"M"}"#), []);
    let own = incoming("sensor/distance", r#"{"id":"3","dist":"12.5"}"#);
    assert_eq!(own, [PartSignal::new(3, Some("front".into()), Range::valid(0.125))]);
    let reported = incoming("sensor/distance/3", "-6");
    assert_eq!(reported, [PartSignal::new(3, Some("virtual_front".into()), Range::valid(0.0))]);
    for free in ["Infinity", "994", "1000"] {
        assert_eq!(incoming("sensor/distance/3", free)[0].signal, Range::nothing().into(), "{free}");
    }
    assert_eq!(incoming("sensor/distance/3", "993")[0].signal, Range::valid(9.93).into());
    assert_eq!(written(Some("front"), Range::valid(0.25)), line("sensor/distance", r#"{"id":3,"dist":25}"#));
    assert_eq!(written(Some("back"), Range::valid(0.25)), None);
    assert_eq!(written(Some("front"), Range::nothing()), None);
    let free = Range { max_m: Some(10.0), ..Range::nothing() };
    assert_eq!(written(Some("front"), free), line("sensor/distance", r#"{"id":3,"dist":1000}"#));
}

#[test]
fn colours_keep_their_numbers() {
    let color = Color { red: 255, green: 1, blue: 0, ambient_ratio: Some(85.0 / 255.0) };
    let payload = r#"{"id":3,"R":255,"G":1,"B":0,"ambient":85}"#;
    assert_eq!(incoming("sensor/color", payload)[0].signal, color.clone().into());
    assert_eq!(written(Some("front"), color), line("sensor/color", payload));
    assert_eq!(incoming("sensor/color", r#"{"id":3,"R":255,"G":1}"#), []);
    let lamp = Lamp { red: 66, green: 67, blue: 68 };
    let payload = r#"{"id":3,"R":66,"G":67,"B":68}"#;
    assert_eq!(
        incoming("output/neopixel", payload),
        [PartSignal::new(3, Some(NEOPIXEL.into()), lamp.clone())]
    );
    assert_eq!(written(Some(NEOPIXEL), lamp), line("output/neopixel", payload));
}

#[test]
fn proximity_is_published_with_the_angles_that_were_asked_for() {
    let message = read("sensor/proximity/3", "64 14 104 #000000 #404040 red");
    assert_eq!(signals_from_message(&message, &[]), []);
    let angles = [-90.0, 0.0, 45.5].map(Number);
    let parts: Vec<_> = signals_from_message(&message, &angles)
        .into_iter()
        .map(|incoming| (incoming.part.unwrap().to_string(), incoming.signal.kind().as_str()))
        .collect();
    let expected = [
        ("virtual_left", "range"),
        ("virtual_left", "color"),
        ("virtual_front", "range"),
        ("virtual_front", "color"),
        ("virtual_angle_45.5", "range"),
    ];
    assert_eq!(parts.iter().map(|(part, kind)| (part.as_str(), *kind)).collect::<Vec<_>>(), expected);
}

#[test]
fn a_compass_goes_clockwise_from_north() {
    for (degrees, yaw_rad) in [(0.0, FRAC_PI_2), (90.0, 0.0), (180.0, -FRAC_PI_2)] {
        let payload = format!("{{\"id\":3,\"compass\":{degrees}}}");
        let Signal::Imu(imu) = incoming("sensor/compass/", &payload)[0].signal.clone() else { panic!() };
        assert!((imu.orientation.as_ref().unwrap().yaw_rad - yaw_rad).abs() < 1e-12, "{degrees}");
        assert_eq!(written(None, imu), line("sensor/compass/", &payload));
    }
    let orientation = Some(Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: 1.5 });
    let imu = Imu { orientation, angular_velocity: None, linear_acceleration: None };
    assert_eq!(written(None, imu), line("sensor/compass/", r#"{"id":3,"compass":4.06}"#));
}

#[test]
fn what_robots_say_passes_in_both_directions() {
    let found = incoming("comm/out/direct", r#"{"id":3,"msg":"hello","dist":30}"#);
    assert_eq!(found[0].part.as_ref().unwrap().as_str(), "comm_out_direct");
    let again = written(Some("comm_out_direct"), found[0].signal.clone());
    assert_eq!(again, line("comm/out/direct", r#"{"id":3,"msg":"hello","dist":30}"#));
    let found = incoming("comm/in/simple/3", "hello");
    assert_eq!(written(Some("comm_in_simple"), found[0].signal.clone()), line("comm/in/simple/3", "hello"));
    let log = Text { channel: TextChannel::Log, text: "12".into(), data: None, truncated: None };
    assert_eq!(incoming("robot/log", r#"{"id":"3","msg":12}"#)[0].signal, log.clone().into());
    assert_eq!(written(None, log.clone()), line("robot/log", r#"{"id":"3","msg":"12"}"#));
    assert_eq!(written(None, Text { channel: TextChannel::Serial, ..log }), None);
}

#[test]
fn commands_go_both_ways() {
    let skill = |text: &str, data| Command::SkillMessage { text: text.to_owned(), data };
    let comm = |reach: &str| Some(Value::Map(vec![("comm".into(), Value::Text(reach.to_owned().into()))]));
    let sense = |what| Command::Sense(SenseRequest { what, realities: Realities::Real });
    for (command, topic, payload) in [
        (Command::Stop { hold: false }, "robot/msg/3", "STOP -1"),
        (skill("START", None), "robot/msg/3", "START -1"),
        (skill("RESET", None), "robot/msg/3", "RESET -1"),
        (skill("MODE 2", None), "robot/msg/3", "MODE 2"),
        (skill("hello", comm("simple")), "comm/in/simple/3", "hello"),
        (skill("START", comm("direct")), "comm/in/direct/3", "START"),
        (Command::Lamp { part: None, rgb: [1, 2, 3] }, "output/neopixel/3", "1 2 3"),
        (sense(Sensing::Distance), "sensor/distance/3/?", "?"),
        (sense(Sensing::Color), "sensor/color/3/?", "?"),
        (sense(Sensing::Compass), "sensor/compass/3/?", "?"),
    ] {
        let message = message_from_command(3, &command).unwrap();
        let (name, text) = message.write();
        assert_eq!((name.as_str(), &text[..]), (topic, payload.as_bytes()));
        assert_eq!(command_from_message(&read(topic, payload)), Some((Some(3), command)));
    }
    for value in [Value::Int(3), Value::Text("3".into())] {
        let mode = message_from_command(3, &skill("MODE", Some(value))).unwrap();
        assert_eq!(&mode.write().1[..], b"MODE 3", "the value may stand beside the word");
    }
    assert_eq!(
        command_from_message(&read("robot/msg/3", "MODE ")),
        None,
        "a mode that is not named is no order"
    );
    for (text, data) in [("MODE", None), ("MODE 2", Some(Value::Int(3))), ("hello", Some(Value::Int(3)))] {
        let refusal = message_from_command(3, &skill(text, data)).unwrap_err().reason;
        assert!(refusal.contains("write"), "{refusal}");
    }
    let refusal = message_from_command(3, &Command::Volume(0.5)).unwrap_err().reason;
    assert!(refusal.contains("volume") && refusal.contains("skill_message"), "{refusal}");
    assert_eq!(command_from_message(&read("robot/msg/broadcast", "ID? -1")), None);
    let all = command_from_message(&read("robot/msg/broadcast", "STOP -1"));
    assert_eq!(all, Some((None, Command::Stop { hold: false })));
}

#[test]
fn a_robot_gets_its_own_item_of_a_list_alone() {
    let payload = r#"[{"id":"3","x":1,"y":2,"heading":3,"reality":"R"},{"id":"4","x":5,"y":6,"heading":7}]"#;
    let message = read("localization/data", payload);
    let updates = updates_from_message(&message, &Bytes::from(payload), (3, &robot()), &[], NOW);
    assert_eq!(updates.len(), 1);
    let native = updates[0].native.as_ref().unwrap();
    assert_eq!(&native.payload[..], br#"[{"id":"3","x":1,"y":2,"heading":3,"reality":"R"}]"#);
    assert_eq!(robot_of(&message), None);
    assert_eq!(updates_from_message(&message, &Bytes::new(), (9, &robot()), &[], NOW), []);
}

#[test]
fn each_signal_of_each_sample_is_said_in_words_that_mean_the_same() {
    for (topic, payload) in samples() {
        let message = Message::read(&topic, payload.as_bytes()).unwrap();
        for incoming in signals_from_message(&message, &[0.0, 45.0, -90.0].map(Number)) {
            let part = incoming.part.clone();
            let update = Update { part, ..Update::now(&robot(), NOW, incoming.signal.clone()) };
            let Some(sent) = message_from_update(incoming.id, &update, Some(Reality::R)) else { continue };
            let again = signals_from_message(&sent, &[]);
            assert_eq!(again.len(), 1, "{topic} {payload}");
            // Tenths of a millimetre are as fine as it gets, and what is said is said again in the same words.
            let update = Update { signal: again[0].signal.clone(), ..update };
            assert_eq!(
                message_from_update(incoming.id, &update, Some(Reality::R)),
                Some(sent),
                "{topic} {payload}"
            );
        }
    }
}

//! Every frame in `testdata`: read, turned to signals, turned to a message again, compared.

use std::cell::RefCell;

use latimer_core::Timestamp;
use serde_json::Value as Json;

use super::{RECEIVED, parse, update_from_heard};
use crate::misty::map::{SelfStateParts, message_from_update, self_state, signals_from_message, world_state};
use crate::misty::wire::{EventType, Message, Version};
use latimer_core::Signal;

/// What a sample shows of an event.
#[derive(Clone, Copy, PartialEq)]
enum Shows {
    Current,
    Deprecated,
    Whole,
}

impl Shows {
    fn of(self, message: &Message) -> Json {
        match self {
            Self::Current => message.on_wire(Version::Current),
            Self::Deprecated => message.on_wire(Version::Deprecated),
            Self::Whole => message.full(),
        }
    }
}

macro_rules! samples {
    ($($event_type:ident $shows:ident $name:literal,)+) => {
        const SAMPLES: &[(EventType, Shows, &str, &str)] = &[
            $((
                EventType::$event_type,
                Shows::$shows,
                $name,
                include_str!(concat!("../../testdata/", $name, ".json")),
            ),)+
        ];
    };
}

samples! {
    ActuatorPosition Deprecated "actuator_position",
    ActuatorPosition Current "robot_2019_actuator_position",
    AudioPlayComplete Current "audio_play_complete",
    AudioPlayComplete Current "robot_2019_audio_play_complete",
    BatteryCharge Current "battery_charge",
    BumpSensor Deprecated "bump_sensor",
    BumpSensor Current "robot_2019_bump_sensor",
    DriveEncoders Current "drive_encoders",
    DriveEncoders Current "robot_2019_drive_encoders",
    FaceRecognition Deprecated "face_recognition",
    FaceRecognition Current "robot_2019_face_recognition",
    FaceRecognition Current "robot_2021_face_recognition",
    FaceTraining Current "face_training",
    HaltCommand Current "halt_command",
    HaltCommand Current "robot_2019_halt_command",
    HazardNotification Current "hazard_notification",
    Imu Deprecated "imu",
    Imu Current "robot_2019_imu",
    KeyPhraseRecognized Current "key_phrase_recognized",
    LocomotionCommand Deprecated "locomotion_command",
    LocomotionCommand Current "robot_2019_locomotion_command",
    SelfState Current "self_state",
    SerialMessage Current "serial_message",
    SkillData Current "skill_data_debug",
    SkillData Current "skill_data_external_request",
    SlamStatus Current "slam_status",
    SourceFocusConfigMessage Current "source_focus_config_message",
    SourceTrackDataMessage Current "source_track_data_message",
    TimeOfFlight Current "time_of_flight",
    TimeOfFlight Current "robot_2019_time_of_flight",
    TimeOfFlight Whole "robot_2021_time_of_flight",
    TouchSensor Deprecated "touch_sensor",
    TouchSensor Current "robot_2019_touch_sensor",
    WorldState Current "world_state",
}

/// Places where what is written differs from the sample, and why. A line that is not needed fails the test.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("bump_sensor", ".pose.created", ONE_TIME),
    ("bump_sensor", ".pose.framesProvider.rootFrame.created", ONE_TIME),
    ("touch_sensor", ".pose.created", ONE_TIME),
    ("touch_sensor", ".pose.framesProvider.rootFrame.created", ONE_TIME),
    ("touch_sensor", ".pose.pitch", A_POINT),
    ("touch_sensor", ".pose.homogeneousCoordinates.pitch", A_POINT),
    ("touch_sensor", ".pose.homogeneousCoordinates.quaternion", A_POINT),
    ("self_state", ".location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("self_state", ".currentGoal.directedMotion", "reserved; nobody moves the head towards anything"),
    ("self_state", "+.robotRunState", "described by the specification, but not in its sample"),
    ("world_state", ".objects[0].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("world_state", ".objects[1].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("world_state", ".objects[2].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("world_state", ".objects[3].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("world_state", ".objects[4].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("face_recognition", ".sensorId", "later robots send cv"),
    ("face_recognition", ".expiry", "the sample's is 0.7500024 s later, not 0.75 s"),
    ("robot_2019_face_recognition", ".personName", "the specification's spelling has no space"),
    ("robot_2021_face_recognition", "-.label", "not in the specification; repeats personName"),
    ("robot_2019_imu", ".roll", "the same angle, within 180 degrees"),
    ("source_track_data_message", ".degreeOfArrivalSpeech", "the same angle, below 360 degrees"),
    ("robot_2019_time_of_flight", "+.type", "the specification's sample has it"),
    ("robot_2021_time_of_flight", "+.expiry", "left out of what that robot sent"),
    ("robot_2021_time_of_flight", "+.sensorName", "left out of what that robot sent"),
    ("robot_2021_time_of_flight", "-.averageTimeMs", OF_2021),
    ("robot_2021_time_of_flight", "-.inHazard", OF_2021),
    ("robot_2021_time_of_flight", "-.sigma", OF_2021),
    ("robot_2021_time_of_flight", "-.signal", OF_2021),
];

const ONE_TIME: &str = "a signal has one time; robots stamp their frames when they start";
const A_POINT: &str = "a contact has a place, but is not turned";
const OF_2021: &str = "not in the specification, and not in the model";

/// Robots compute quaternions in 32 bits: |cos| of half the angle between two of them is above this.
const SAME_ROTATION: f64 = 1.0 - 1e-7;

/// What is written for what was read.
fn rewritten(message: &Message) -> Message {
    let heard = signals_from_message(message, RECEIVED).unwrap();
    let updates: Vec<_> = heard.into_iter().map(update_from_heard).collect();
    match message.event_type() {
        EventType::SelfState => {
            let mut parts = SelfStateParts::default();
            for update in &updates {
                match &update.signal {
                    Signal::Battery(it) => parts.battery = Some((it, update.stamp)),
                    Signal::Pose(it) => (parts.pose, parts.at) = (Some((it, update.stamp)), update.stamp.at),
                    Signal::Localization(it) => parts.localization = Some(it),
                    Signal::Status(it) => parts.status = Some(it),
                    other => panic!("{other:?}"),
                }
            }
            self_state(&parts)
        }
        EventType::WorldState => {
            let [update] = &updates[..] else { panic!("{updates:?}") };
            let Signal::Objects(objects) = &update.signal else { panic!("{update:?}") };
            world_state(Some(objects), Timestamp::default())
        }
        _ => {
            let [update] = &updates[..] else { panic!("{updates:?}") };
            message_from_update(update).unwrap()
        }
    }
}

/// Compares, and ticks off the exceptions that were needed.
struct Comparison<'a> {
    sample: &'a str,
    needed: &'a RefCell<Vec<(&'static str, &'static str)>>,
}

impl Comparison<'_> {
    fn excepted(&self, path: &str) -> bool {
        let found = EXCEPTIONS.iter().find(|(sample, at, _)| *sample == self.sample && *at == path);
        if let Some((sample, at, _)) = found {
            self.needed.borrow_mut().push((sample, at));
        }
        found.is_some()
    }

    fn compare(&self, path: &str, written: &Json, shown: &Json) {
        if path.ends_with(".quaternion") && same_rotation(written, shown) {
            return;
        }
        match (written, shown) {
            (Json::Object(ours), Json::Object(theirs)) if !path.ends_with(".quaternion") => {
                let ours_only =
                    |key: &&String| theirs.contains_key(*key) || !self.excepted(&format!("+{path}.{key}"));
                let theirs_only =
                    |key: &&String| ours.contains_key(*key) || !self.excepted(&format!("-{path}.{key}"));
                let ours_keys: Vec<_> = ours.keys().filter(ours_only).collect();
                let theirs_keys: Vec<_> = theirs.keys().filter(theirs_only).collect();
                assert_eq!(ours_keys, theirs_keys, "keys of {}{path}", self.sample);
                for (key, value) in
                    ours.iter().filter_map(|(key, value)| Some((key, (value, theirs.get(key)?))))
                {
                    self.compare(&format!("{path}.{key}"), value.0, value.1);
                }
            }
            (Json::Array(ours), Json::Array(theirs)) if ours.len() == theirs.len() => {
                for (i, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                    self.compare(&format!("{path}[{i}]"), ours, theirs);
                }
            }
            (Json::Number(ours), Json::Number(theirs)) if ours.as_f64() == theirs.as_f64() => {}
            _ if written == shown || self.excepted(path) => {}
            _ => panic!("{}{path}: {written} instead of {shown}", self.sample),
        }
    }
}

/// A rotation has two quaternions, which differ in sign.
fn same_rotation(a: &Json, b: &Json) -> bool {
    let part = |json: &Json, name: &str| json[name].as_f64().unwrap();
    let product: f64 = ["w", "x", "y", "z"].iter().map(|name| part(a, name) * part(b, name)).sum();
    let keys = |json: &Json| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    keys(a) == keys(b) && a["isIdentity"] == b["isIdentity"] && product.abs() > SAME_ROTATION
}

#[test]
fn each_sample_is_written_as_it_was_read() {
    let needed = RefCell::new(Vec::new());
    for &(event_type, shows, sample, frame) in SAMPLES {
        let message = parse(event_type, frame);
        let written = rewritten(&message);
        assert_eq!(written.event_type(), event_type);
        Comparison { sample, needed: &needed }.compare("", &shows.of(&written), &shows.of(&message));
    }
    let needed = needed.into_inner();
    for (sample, at, _) in EXCEPTIONS {
        assert!(needed.contains(&(sample, at)), "{sample}{at} is no exception any more");
    }
}

#[test]
fn no_frame_is_forgotten() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/misty/testdata");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(files.filter(|path| path.extension().is_some_and(|it| it == "json")).count(), SAMPLES.len());
}

//! `GET websockets`: the event types and the properties that conditions may name.

use serde_json::{Value, json};

use super::EventType;

/// The answer to `GET websockets`; with a class name in any case, that class alone (or nothing).
pub fn websocket_classes(class: Option<&str>) -> Value {
    let wanted = class.map(str::trim).filter(|class| !class.is_empty());
    let classes = EventType::ALL
        .iter()
        .filter(|event_type| wanted.is_none_or(|name| event_type.as_str().eq_ignore_ascii_case(name)))
        .map(|&event_type| json!({"class": event_type.as_str(), "nestedProperties": properties(event_type)}));
    Value::Array(classes.collect())
}

/// Top-level properties of the full object: a robot lists its own first, then those that all sensors share.
pub fn properties(event_type: EventType) -> &'static [&'static str] {
    match event_type {
        EventType::ActuatorPosition => {
            &["ActuatorId", "Value", "Created", "Expiry", "SensorId", "SensorName"]
        }
        EventType::AudioPlayComplete => &["MetaData", "Created"],
        EventType::BatteryCharge => &[
            "ChargePercent",
            "Current",
            "HealthPercent",
            "IsCharging",
            "State",
            "Temperature",
            "Trained",
            "Voltage",
            "Created",
            "Expiry",
            "SensorId",
            "SensorName",
        ],
        EventType::BumpSensor => {
            &["IsContacted", "Pose", "SensorPosition", "Created", "Expiry", "SensorId", "SensorName"]
        }
        EventType::DriveEncoders => &[
            "LeftDistance",
            "LeftVelocity",
            "RightDistance",
            "RightVelocity",
            "Created",
            "Expiry",
            "SensorId",
            "SensorName",
        ],
        EventType::FaceRecognition => &[
            "Bearing",
            "Distance",
            "Elevation",
            "Label",
            "PersonName",
            "TrackId",
            "Created",
            "Expiry",
            "SensorId",
            "SensorName",
        ],
        EventType::FaceTraining => {
            &["IsProcessComplete", "Message", "MessageType", "Created", "Expiry", "SensorId", "SensorName"]
        }
        EventType::HaltCommand => &["MotorMask", "Created"],
        EventType::HazardNotification => &[
            "BumpSensorsHazardState",
            "CriticalInternalError",
            "CurrentSensorsHazard",
            "DriveStopped",
            "ExcessiveSpeedHazard",
            "MotorStallHazard",
            "TimeOfFlightSensorsHazardState",
        ],
        EventType::Imu => &[
            "Pitch",
            "PitchVelocity",
            "Roll",
            "RollVelocity",
            "XAcceleration",
            "YAcceleration",
            "Yaw",
            "YawVelocity",
            "ZAcceleration",
            "Created",
            "Expiry",
            "SensorId",
            "SensorName",
        ],
        EventType::KeyPhraseRecognized => &["Confidence", "Created"],
        EventType::LocomotionCommand => &[
            "ActionId",
            "AngularVelocity",
            "LinearVelocity",
            "UsePid",
            "UseTrapezoidalDrive",
            "ValueIndex",
            "Created",
        ],
        EventType::SelfState => &[
            "Acceleration",
            "Battery",
            "BumpedState",
            "CameraStatus",
            "CurrentGoal",
            "LocalIPAddress",
            "Location",
            "MentalState",
            "OccupancyGridCell",
            "OccupancyGridCellMeters",
            "RobotRunState",
            "SerialMessages",
            "SlamStatus",
            "TouchedState",
        ],
        EventType::SerialMessage => &["SerialMessage"],
        EventType::SkillData => &["Data", "Message", "Timestamp", "Truncated"],
        EventType::SlamStatus => &["SlamStatus"],
        EventType::SourceFocusConfigMessage => &["GainStep", "SectorsEnabled", "SectorStartAngles"],
        EventType::SourceTrackDataMessage => &[
            "DegreeOfArrivalNoise",
            "DegreeOfArrivalSpeech",
            "TimeOffset",
            "VoiceActivityPolar",
            "VoiceActivitySectors",
        ],
        EventType::TimeOfFlight => &[
            "SensorPosition",
            "DistanceInMeters",
            "AverageTimeMs",
            "InHazard",
            "Sigma",
            "Signal",
            "Status",
            "Type",
            "Created",
            "Expiry",
            "SensorId",
            "SensorName",
        ],
        EventType::TouchSensor => {
            &["IsContacted", "Pose", "SensorPosition", "Created", "Expiry", "SensorId", "SensorName"]
        }
        EventType::WorldState => &["Characteristics", "Objects"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::misty::wire::{Message, keys};

    #[test]
    fn each_property_is_one_that_the_type_knows() {
        for &event_type in EventType::ALL {
            let body: Value =
                properties(event_type).iter().map(|&name| (name.to_owned(), Value::Null)).collect();
            let message = Message::parse(event_type, &body.to_string()).unwrap();
            assert!(message.extra().is_empty(), "{event_type}: {:?}", message.extra());
        }
    }

    #[test]
    fn each_property_that_a_type_writes_is_listed() {
        for &event_type in EventType::ALL {
            let empty = Message::parse(event_type, "{}").unwrap();
            let Value::Object(body) = keys::pascal_case(empty.full()) else {
                panic!("{event_type} is no object")
            };
            for name in body.keys() {
                assert!(properties(event_type).contains(&name.as_str()), "{event_type}: {name}");
            }
        }
    }

    #[test]
    fn a_class_is_found_in_any_case() {
        let one = websocket_classes(Some("timeofflight"));
        assert_eq!(one[0]["class"], "TimeOfFlight");
        assert_eq!(one[0]["nestedProperties"][0], "SensorPosition");
        assert_eq!(one.as_array().unwrap().len(), 1);
        assert_eq!(websocket_classes(Some("NoSuchClass")), json!([]));
        assert_eq!(websocket_classes(None).as_array().unwrap().len(), 21);
    }
}

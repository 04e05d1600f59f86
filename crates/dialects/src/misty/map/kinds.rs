//! Which kinds of signal each event type is made of: what a facade must subscribe to in order to serve it.

use latimer_core::model::Kind;

use super::COMMANDED;
use crate::misty::wire::EventType;

/// The kinds that can become an event of this type.
pub const fn kinds_of(event_type: EventType) -> &'static [Kind] {
    match event_type {
        EventType::ActuatorPosition => &[Kind::Joint],
        EventType::AudioPlayComplete => &[Kind::Playback],
        EventType::BatteryCharge => &[Kind::Battery],
        EventType::BumpSensor | EventType::TouchSensor => &[Kind::Contact],
        EventType::DriveEncoders => &[Kind::Encoders],
        EventType::FaceRecognition => &[Kind::Face],
        EventType::FaceTraining => &[Kind::FaceTraining],
        EventType::HaltCommand => &[Kind::Motion],
        EventType::HazardNotification => &[Kind::Hazard],
        EventType::Imu => &[Kind::Imu],
        EventType::KeyPhraseRecognized => &[Kind::KeyPhrase],
        EventType::LocomotionCommand => &[Kind::Velocity],
        EventType::SelfState => {
            &[Kind::Battery, Kind::Pose, Kind::Localization, Kind::Status, Kind::Contact, Kind::Text]
        }
        EventType::SerialMessage | EventType::SkillData => &[Kind::Text],
        EventType::SlamStatus => &[Kind::Localization],
        EventType::SourceFocusConfigMessage => &[Kind::SoundFocus],
        EventType::SourceTrackDataMessage => &[Kind::SoundSource],
        EventType::TimeOfFlight => &[Kind::Range, Kind::Cliff],
        EventType::WorldState => &[Kind::Objects],
    }
}

/// The only parts that can become an event of this type; empty if any can.
pub const fn parts_of(event_type: EventType) -> &'static [&'static str] {
    match event_type {
        EventType::LocomotionCommand => &[COMMANDED],
        _ => &[],
    }
}

/// The event types that a kind is needed for; empty if Misty has no words for it.
pub const fn event_types_of(kind: Kind) -> &'static [EventType] {
    match kind {
        Kind::Battery => &[EventType::BatteryCharge, EventType::SelfState],
        Kind::Pose | Kind::Status => &[EventType::SelfState],
        Kind::Velocity => &[EventType::LocomotionCommand],
        Kind::Encoders => &[EventType::DriveEncoders],
        Kind::Imu => &[EventType::Imu],
        Kind::Range | Kind::Cliff => &[EventType::TimeOfFlight],
        Kind::Contact => &[EventType::BumpSensor, EventType::SelfState, EventType::TouchSensor],
        Kind::Joint => &[EventType::ActuatorPosition],
        Kind::SoundSource => &[EventType::SourceTrackDataMessage],
        Kind::SoundFocus => &[EventType::SourceFocusConfigMessage],
        Kind::KeyPhrase => &[EventType::KeyPhraseRecognized],
        Kind::Face => &[EventType::FaceRecognition],
        Kind::FaceTraining => &[EventType::FaceTraining],
        Kind::Objects => &[EventType::WorldState],
        Kind::Localization => &[EventType::SelfState, EventType::SlamStatus],
        Kind::Motion => &[EventType::HaltCommand],
        Kind::Hazard => &[EventType::HazardNotification],
        Kind::Text => &[EventType::SelfState, EventType::SerialMessage, EventType::SkillData],
        Kind::Playback => &[EventType::AudioPlayComplete],
        Kind::Image
        | Kind::CompressedImage
        | Kind::Video
        | Kind::Audio
        | Kind::Scan
        | Kind::PointCloud
        | Kind::Map
        | Kind::Color
        | Kind::Light
        | Kind::Lamp
        | Kind::Indicators
        | Kind::Odometry
        | Kind::Relocation
        | Kind::MapInfo
        | Kind::Navigation
        | Kind::Path
        | Kind::Odometer
        | Kind::Footprint
        | Kind::Neighbours
        | Kind::Doors
        | Kind::Task
        | Kind::Alerts
        | Kind::Control
        | Kind::Pins
        | Kind::Temperature
        | Kind::HazardSettings
        | Kind::Device
        | Kind::Library
        | Kind::Link
        | Kind::Other => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_say_the_same() {
        for &event_type in EventType::ALL {
            assert!(!kinds_of(event_type).is_empty());
            for &kind in Kind::ALL {
                let there = kinds_of(event_type).contains(&kind);
                assert_eq!(event_types_of(kind).contains(&event_type), there, "{event_type} {kind}");
            }
        }
    }
}

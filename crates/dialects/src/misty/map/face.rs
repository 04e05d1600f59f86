//! FaceRecognition and FaceTraining.
//!
//! | wire | model |
//! |---|---|
//! | `personName` `null` | `detected` |
//! | `unknown_person`, `unknown person` | `stranger` |
//! | any other name, also as `label` | `known`, with the name |
//! | `bearing`, degrees, left positive | `bearing_rad` |
//! | `elevation`, degrees, down positive as in poses | `elevation_rad`, up positive |
//! | `distance`, cm | `distance_m` |
//! | FaceTraining: `messageType`, `message`, `isProcessComplete` | `face_training` |
//!
//! The specification gives faces no units; its samples fit degrees and centimetres. Strangers are written in its
//! spelling, [`UNKNOWN_PERSON`]; robots of 2019 have a space in it.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::signal::{Face, FaceIdentity, FaceTraining, TrainingMessage};

use super::Received;
use super::time::{expiry, stamp_from_utc, utc_from_timestamp};
use super::units::{cm_from_m, deg_from_rad, m_from_cm};
use crate::misty::wire::Extra;
use crate::misty::wire::face::{
    FaceRecognition, FaceTraining as WireTraining, FaceTrainingMessageType, UNKNOWN_PERSON,
    UNKNOWN_PERSON_WITH_SPACE,
};

const GOOD_FOR: Duration = Duration::from_millis(750);
/// Not in the samples; that of the other slow sensors.
const TRAINING_GOOD_FOR: Duration = Duration::from_secs(1);
const SENSOR_ID: &str = "cv";

/// A face.
pub(super) fn heard_from_face_recognition(message: &FaceRecognition, received: Timestamp) -> Received {
    let FaceRecognition {
        bearing,
        created,
        distance,
        elevation,
        expiry: _,
        label,
        person_name,
        sensor_id: _,
        sensor_name: _,
        track_id,
        extra: _,
    } = message;
    let name = person_name.as_deref().or(label.as_deref()).filter(|name| !name.is_empty());
    let (identity, label) = match name {
        None => (FaceIdentity::Detected, None),
        Some(UNKNOWN_PERSON | UNKNOWN_PERSON_WITH_SPACE) => (FaceIdentity::Stranger, None),
        Some(name) => (FaceIdentity::Known, Some(name.to_owned())),
    };
    Received::new(
        None,
        stamp_from_utc(created.as_deref(), received),
        Face {
            identity,
            label,
            track_id: *track_id,
            bearing_rad: bearing.map(f64::to_radians),
            elevation_rad: elevation.map(|down| -down.to_radians()),
            distance_m: distance.map(m_from_cm),
        },
    )
}

/// A message about a face.
pub(super) fn face_recognition_from_face(face: &Face, at: Timestamp) -> FaceRecognition {
    let Face { identity, label, track_id, bearing_rad, elevation_rad, distance_m } = face;
    let person_name = match identity {
        FaceIdentity::Detected => None,
        FaceIdentity::Stranger => Some(UNKNOWN_PERSON.to_owned()),
        FaceIdentity::Known => Some(label.clone().unwrap_or_else(|| UNKNOWN_PERSON.to_owned())),
    };
    FaceRecognition {
        bearing: bearing_rad.and_then(deg_from_rad),
        created: Some(utc_from_timestamp(at)),
        distance: distance_m.and_then(cm_from_m),
        elevation: elevation_rad.and_then(|up| deg_from_rad(-up)),
        expiry: expiry(at, GOOD_FOR),
        label: None,
        person_name,
        sensor_id: Some(SENSOR_ID.to_owned()),
        sensor_name: None,
        track_id: *track_id,
        extra: Extra::new(),
    }
}

/// How learning a face goes.
pub(super) fn heard_from_face_training(message: &WireTraining, received: Timestamp) -> Received {
    let WireTraining {
        created,
        expiry: _,
        is_process_complete,
        message: text,
        message_type,
        sensor_id: _,
        sensor_name: _,
        extra: _,
    } = message;
    let level = match message_type {
        Some(FaceTrainingMessageType::Error) => TrainingMessage::Error,
        Some(FaceTrainingMessageType::Warning) => TrainingMessage::Warning,
        Some(FaceTrainingMessageType::Status | FaceTrainingMessageType::Other(_)) | None => {
            TrainingMessage::Status
        }
    };
    Received::new(
        None,
        stamp_from_utc(created.as_deref(), received),
        FaceTraining {
            level,
            message: text.clone().unwrap_or_default(),
            complete: is_process_complete.unwrap_or(false),
        },
    )
}

/// A message about learning a face.
pub(super) fn face_training_from_training(training: &FaceTraining, at: Timestamp) -> WireTraining {
    let FaceTraining { level, message, complete } = training;
    WireTraining {
        created: Some(utc_from_timestamp(at)),
        expiry: expiry(at, TRAINING_GOOD_FOR),
        is_process_complete: Some(*complete),
        message: Some(message.clone()),
        message_type: Some(match level {
            TrainingMessage::Status => FaceTrainingMessageType::Status,
            TrainingMessage::Warning => FaceTrainingMessageType::Warning,
            TrainingMessage::Error => FaceTrainingMessageType::Error,
        }),
        sensor_id: Some(SENSOR_ID.to_owned()),
        sensor_name: None,
        extra: Extra::new(),
    }
}

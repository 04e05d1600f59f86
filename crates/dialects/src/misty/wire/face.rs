//! FaceRecognition and FaceTraining.

use serde::{Deserialize, Serialize};

use super::{Extra, number::whole, words::words};

/// `personName` of a face that nobody trained, in the specification's spelling.
pub const UNKNOWN_PERSON: &str = "unknown_person";
/// The same, as robots of 2019 spell it.
pub const UNKNOWN_PERSON_WITH_SPACE: &str = "unknown person";

/// Section "FaceRecognition": a face was detected, and recognized if recognition runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FaceRecognition {
    /// Direction to the face, degrees in the sample's magnitude; the specification names no unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bearing: Option<f64>,
    /// When it was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Distance of the face; the specification names no unit (71 in the sample fits centimetres).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Direction above the horizon, as `bearing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elevation: Option<f64>,
    /// Until when it is good, 0.75 s later in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// `personName` again, from firmware of 2020 and later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Name given in training, [`UNKNOWN_PERSON`], or `null` while recognition is off.
    pub person_name: Option<String>,
    /// `cv`; `null` in the sample of 2018.
    pub sensor_id: Option<String>,
    /// `null` in the sample of 2018.
    pub sensor_name: Option<String>,
    /// Reserved.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub track_id: Option<i64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Section "FaceTraining": how far the training of a face has come.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FaceTraining {
    /// When it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Until when it is good; not in the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// Done, or given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_process_complete: Option<bool>,
    /// Text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What kind of text it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_type: Option<FaceTrainingMessageType>,
    /// `cv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// Not in the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

words! {
    /// `messageType` of a FaceTraining message.
    FaceTrainingMessageType {
        /// No face, several faces, or one too far away.
        Warning = "Warning",
        /// Timed out, already running, or the id is taken.
        Error = "Error",
        /// Which phase runs.
        Status = "Status",
    }
}

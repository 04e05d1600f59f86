//! FaceRecognition and FaceTraining.
//!
//! The specification gives faces no units; its samples fit degrees and centimetres. Strangers are written in its
//! spelling; robots of 2019 have a space in it.

use latimer_core::model::signal::{Face, FaceIdentity, FaceTraining as ModelTraining, TrainingMessage};

use super::codecs::Utc;
use super::{Context, DEPRECATED, good_for};
use crate::describe::codec::Words;
use crate::describe::{Extra, Message};

/// `personName` of a face that nobody trained.
const UNKNOWN_PERSON: &str = "unknown_person";
/// The same, as robots of 2019 spell it.
const UNKNOWN_PERSON_WITH_SPACE: &str = "unknown person";

const SENSOR_ID: &str = "cv";

const NOBODY: Face = Face {
    identity: FaceIdentity::Detected,
    label: None,
    track_id: None,
    bearing_rad: None,
    elevation_rad: None,
    distance_m: None,
};

/// Section "FaceRecognition": a face was detected, and recognized if recognition runs.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Face, context = Context, base = NOBODY, ignores(identity))]
#[message(finish = identify, amend = name)]
pub struct FaceRecognition {
    /// Direction to the face.
    #[field(bearing_rad, unit = Degrees, note = "left is positive; the specification names no unit")]
    pub bearing: Option<i64>,
    /// When it was seen; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Distance of the face.
    #[field(distance_m, unit = Centimetres, note = "the specification names no unit; its sample fits centimetres")]
    pub distance: Option<i64>,
    /// Direction below the horizon.
    #[field(elevation_rad, factor = -1.0, unit = Degrees, note = "down is positive on the wire, up in the model")]
    pub elevation: Option<i64>,
    /// Until when it is good, 0.75 s after `created`.
    #[field(computed = good_for::<750, _>, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// `personName` again, read where that is missing; robots of 2020 and later.
    #[field(own)]
    pub label: Option<String>,
    /// Name given in training.
    #[field(
        label,
        null,
        note = "`null`: a face is `detected`; `unknown_person`: a `stranger`; else `known` by that name"
    )]
    pub person_name: Option<String>,
    /// Always `cv`; `null` in the sample of 2018.
    #[field(constant = SENSOR_ID, null)]
    pub sensor_id: Option<String>,
    /// Not given; `null` in the sample of 2018.
    #[field(own, null, hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    /// Number of the face while it is followed; reserved.
    #[field(track_id)]
    pub track_id: Option<i64>,
    pub(crate) extra: Extra,
}

fn identify(message: &FaceRecognition, _: &Context, face: &mut Face) {
    let name = message.person_name.as_deref().or(message.label.as_deref()).filter(|name| !name.is_empty());
    (face.identity, face.label) = match name {
        None => (FaceIdentity::Detected, None),
        Some(UNKNOWN_PERSON | UNKNOWN_PERSON_WITH_SPACE) => (FaceIdentity::Stranger, None),
        Some(name) => (FaceIdentity::Known, Some(name.to_owned())),
    };
}

fn name(face: &Face, _: &Context, message: &mut FaceRecognition) {
    let unknown = || Some(UNKNOWN_PERSON.to_owned());
    message.person_name = match face.identity {
        FaceIdentity::Detected => None,
        FaceIdentity::Stranger => unknown(),
        FaceIdentity::Known => message.person_name.take().or_else(unknown),
    };
}

const LEVELS: Words<TrainingMessage> = Words(&[
    ("Status", TrainingMessage::Status),
    ("Warning", TrainingMessage::Warning),
    ("Error", TrainingMessage::Error),
]);

/// Section "FaceTraining": how far the training of a face has come.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = ModelTraining, context = Context)]
pub struct FaceTraining {
    /// When it was published; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when it is good, 1 s after `created`; not in the samples.
    #[field(computed = good_for::<1_000, _>, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Done, or given up.
    #[field(complete, or = false)]
    pub is_process_complete: Option<bool>,
    /// Text for people.
    #[field(message, or = String::new())]
    pub message: Option<String>,
    /// Which phase runs; no face, several or one too far away; timed out, already running, or the id is taken.
    #[field(level, codec = LEVELS, or = TrainingMessage::Status)]
    pub message_type: Option<String>,
    /// Always `cv`.
    #[field(constant = SENSOR_ID)]
    pub sensor_id: Option<String>,
    /// Not given.
    #[field(own, hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    pub(crate) extra: Extra,
}

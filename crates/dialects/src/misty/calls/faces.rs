//! Faces: found, compared, learned.

use super::{Arg, Call, NAME, Row};
use crate::misty::rest::row::{row, text};

/// Look for faces.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(
    motion = still,
    no_word,
    wire = row!(Post "faces/detection/start" StartFaceDetection in ComputerVision: Action "start face detection" -> Boolean).begins(),
    wire = row!(Post "faces/detection/stop" StopFaceDetection in ComputerVision: Action "stop face detection" -> Boolean).ends(),
)]
pub struct DetectFaces {
    /// Begin or end.
    #[argument(quantity = Switch, default = true)]
    pub on: bool,
}

/// Compare faces with the known ones.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(
    motion = still,
    no_word,
    wire = row!(Post "faces/recognition/start" StartFaceRecognition in ComputerVision: Action "start face recognition" -> Boolean).begins(),
    wire = row!(Post "faces/recognition/stop" StopFaceRecognition in ComputerVision: Action "stop face recognition" -> Boolean).ends(),
)]
pub struct RecognizeFaces {
    /// Begin or end.
    #[argument(quantity = Switch, default = true)]
    pub on: bool,
}

/// Learn the face in view.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(
    motion = still,
    no_word,
    wire = row!(Post "faces/training/start" StartFaceTraining in ComputerVision: Action "start face training" -> FaceTraining),
)]
pub struct TrainFace {
    /// Under which name.
    #[argument(wire = text("FaceId"))]
    pub label: String,
}

/// Stop learning.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = ends, no_word,
    wire = row!(Post "faces/training/cancel" CancelFaceTraining in ComputerVision: Action "cancel face training" -> Boolean))]
pub struct CancelFaceTraining {}

/// Forget a face.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(
    motion = still,
    no_word,
    wire = row!(Delete "faces" ForgetFaces as ClearLearnedFaces in ComputerVision: Action "forget faces" -> Boolean),
)]
pub struct ForgetFace {
    /// Whose; all if not given.
    #[argument(wire = text("FaceId"))]
    pub label: Option<String>,
}

//! Face detection, recognition and training.

use crate::misty::calls::{CancelFaceTraining, DetectFaces, ForgetFace, RecognizeFaces, TrainFace};
use crate::misty::rest::row::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row!(Get "faces" GetKnownFaces as GetLearnedFaces in ComputerVision: Information "get known faces" -> Strings),
    CancelFaceTraining::ROWS[0],
    DetectFaces::ROWS[0],
    RecognizeFaces::ROWS[0],
    TrainFace::ROWS[0],
    DetectFaces::ROWS[1],
    RecognizeFaces::ROWS[1],
    ForgetFace::ROWS[0],
];

//! Misty's own commands, a struct each. All that knows them follows from it: the REST call that clients make and that a real
//! robot gets, `GET help`, and all of our own.
//!
//! To add one: a struct with its fields, its `motion` and its `wire`; its description in `CALLS`; its `ROWS` in the
//! [catalogue](super::rest::catalogue), where help lists it.

mod audio;
mod driving;
mod faces;
mod hardware;

pub use audio::{Listen, Record};
pub use driving::{DriveArc, DriveHeading};
pub use faces::{CancelFaceTraining, DetectFaces, ForgetFace, RecognizeFaces, TrainFace};
pub use hardware::Serial;
use latimer_core::model::CallDescription;

use super::NAME;
use super::rest::row::{Arg, Row};
use crate::describe::Call;

/// All of them.
pub(super) const CALLS: &[&CallDescription] = &[
    DriveHeading::DESCRIPTION,
    DriveArc::DESCRIPTION,
    Record::DESCRIPTION,
    Listen::DESCRIPTION,
    DetectFaces::DESCRIPTION,
    RecognizeFaces::DESCRIPTION,
    TrainFace::DESCRIPTION,
    CancelFaceTraining::DESCRIPTION,
    ForgetFace::DESCRIPTION,
    Serial::DESCRIPTION,
];

#[cfg(test)]
mod tests;

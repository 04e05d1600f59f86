//! Learning a face.
//!
//! ```text
//!  started ──one face, near──▶ taking pictures ──3 s──▶ detection phase complete ──2 s──▶
//!     │  ▲                        │                     embedding phase complete: learnt
//!     │  └──the face is lost──────┘
//!     └──20 s without a face──▶ error
//! ```

use latimer_core::model::signal::{FaceTraining, TrainingMessage};

use super::faces::Person;
use crate::bodies::reports::Reports;

/// How long it waits for a face, seconds.
const PATIENCE_S: f64 = 20.0;
/// How long it takes pictures, seconds.
const PICTURES_S: f64 = 3.0;
/// How long it computes, seconds.
const EMBEDDING_S: f64 = 2.0;
/// Between two warnings, seconds.
const WARN_S: f64 = 2.0;
/// A face farther than this is too small to learn, metres.
const NEAR_M: f64 = 2.0;

/// A face before the camera.
pub(super) struct Before<'a> {
    pub(super) person: &'a Person,
    pub(super) distance_m: f64,
}

#[derive(Debug, PartialEq)]
enum Phase {
    Searching { since_s: f64, warned_s: f64 },
    Pictures { person: Person, since_s: f64 },
    Embedding { person: Person, since_s: f64 },
    Over,
}

/// Learning under way.
#[derive(Debug)]
pub(super) struct Training {
    name: String,
    phase: Phase,
}

fn publish(reports: &mut Reports, level: TrainingMessage, message: &str, complete: bool) {
    reports.publish(FaceTraining { level, message: message.to_owned(), complete });
}

impl Training {
    /// Begins, or says why not.
    pub(super) fn begin(
        name: &str,
        running: bool,
        taken: bool,
        time_s: f64,
        reports: &mut Reports,
    ) -> Result<Self, &'static str> {
        if running {
            // The training that runs goes on: nothing is complete.
            publish(reports, TrainingMessage::Error, "Error, face training is already underway.", false);
            return Err("a face is being learnt already; wait for it or cancel it");
        }
        if taken {
            publish(reports, TrainingMessage::Error, "Error, the face id is already in use.", true);
            return Err("a face of that name is known already; choose another name or forget it first");
        }
        publish(reports, TrainingMessage::Status, "Face training successfully started.", false);
        // The first warning comes after a second, so that a person in view causes none.
        let phase = Phase::Searching { since_s: time_s, warned_s: time_s - WARN_S + 1.0 };
        Ok(Self { name: name.to_owned(), phase })
    }

    /// Ends on a command.
    pub(super) fn cancel(self, reports: &mut Reports) {
        publish(reports, TrainingMessage::Status, "Face training cancelled.", true);
    }

    pub(super) fn takes_pictures(&self) -> bool {
        matches!(self.phase, Phase::Pictures { .. })
    }

    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Goes on; gives the face and its name once it is learnt.
    pub(super) fn update(
        &mut self,
        time_s: f64,
        face: Option<Before<'_>>,
        several: bool,
        reports: &mut Reports,
    ) -> Option<(Person, String)> {
        match &mut self.phase {
            Phase::Searching { since_s, warned_s } => {
                let problem = match (&face, several) {
                    (None, _) => "Warning, no faces in camera's vision.",
                    (Some(_), true) => "Warning, more than one face in camera's vision.",
                    (Some(face), false) if face.distance_m > NEAR_M => "Warning, the face is too far away.",
                    (Some(face), false) => {
                        self.phase = Phase::Pictures { person: face.person.clone(), since_s: time_s };
                        let message = "Face training is taking pictures, please don't move.";
                        publish(reports, TrainingMessage::Status, message, false);
                        return None;
                    }
                };
                if time_s - *since_s > PATIENCE_S {
                    self.phase = Phase::Over;
                    publish(reports, TrainingMessage::Error, "Error, face training timed out.", true);
                } else if time_s - *warned_s >= WARN_S {
                    *warned_s = time_s;
                    publish(reports, TrainingMessage::Warning, problem, false);
                }
                None
            }
            Phase::Pictures { person, since_s } => {
                if several || face.is_none_or(|face| face.person != person) {
                    self.phase = Phase::Searching { since_s: time_s, warned_s: time_s - WARN_S };
                } else if time_s - *since_s >= PICTURES_S {
                    let message = "Face training detection phase complete.";
                    publish(reports, TrainingMessage::Status, message, false);
                    self.phase = Phase::Embedding { person: person.clone(), since_s: time_s };
                }
                None
            }
            Phase::Embedding { person, since_s } if time_s - *since_s >= EMBEDDING_S => {
                let learnt = (person.clone(), std::mem::take(&mut self.name));
                self.phase = Phase::Over;
                publish(reports, TrainingMessage::Status, "Face training embedding phase complete.", true);
                Some(learnt)
            }
            Phase::Embedding { .. } | Phase::Over => None,
        }
    }
}

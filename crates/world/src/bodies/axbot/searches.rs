//! Relocalization by command: by marks, then by what the scanner sees.
//!
//! ```text
//!  asked ──▶ Marks ──a mark that is on the map──▶ Succeeded
//!              │ none ──▶ Scan ──2 s──▶ Succeeded │ Failed
//! ```

use latimer_core::model::RelocateBy;
use latimer_core::model::signal::{FeatureKind, Frame, Pose, Relocation, RelocationState};

use super::Axbot;
use super::detections::{barcodes_in_reach, landmarks_in_reach};
use crate::geometry::Pose2;
use crate::physics::Surroundings;

/// How long it looks at marks before it decides, seconds (plausible).
const READING_S: f64 = 0.5;

/// So many poles at once are a place of their own.
const ENOUGH_POLES: usize = 3;

/// A place that fits worse should be confirmed by a person, 0..1 (plausible).
const SURE_RATIO: f64 = 0.7;

/// How near a code must be to be read in passing, metres.
const BENEATH_M: f64 = 0.15;

/// A search that goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    by: RelocateBy,
    /// When it decides on marks; nothing once it did.
    marks_s: Option<f64>,
}

/// Why a search fails.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum SearchFailure {
    /// The robot has no map.
    #[error("there is no map to look on; give the robot one first")]
    NoMap,
    /// The request allows neither marks nor the scanner.
    #[error("it may look by nothing")]
    NoMeans,
    /// The laser scanner failed.
    #[error("the laser scanner tells nothing")]
    Blind,
    /// The best match of the scan is too bad.
    #[error("no place on the map fits what is seen; the best fits to {percent:.0} %")]
    NoFit { percent: f64 },
    /// The code in reach is not on the map.
    #[error("the barcode {0} is not on the map")]
    UnknownBarcode(String),
    /// No mark is in reach.
    #[error("there is no mark in reach")]
    NoMark,
}

impl Axbot {
    /// Begins to look for itself.
    pub(super) fn relocate(&mut self, by: RelocateBy) {
        self.search = Some(Search { by, marks_s: Some(self.state.time_s + READING_S) });
        self.rover.bearings.hold_search(true);
        self.rover.bearings.relocate();
        self.state.reports.publish(relocation(RelocationState::Running, String::new()));
    }

    /// Continues a search, and reports how it ended.
    pub(super) fn look_for_itself(&mut self, around: &Surroundings<'_>) {
        let Some(search) = self.search else { return };
        if search.marks_s.is_some_and(|at_s| around.time_s < at_s) || self.rover.bearings.is_searching() {
            return;
        }
        let ended = if self.rover.bearings.is_mapless() {
            Err(SearchFailure::NoMap)
        } else if search.marks_s.is_some() {
            let by_marks = if search.by.marks { self.by_marks(around) } else { Err(SearchFailure::NoMeans) };
            match by_marks {
                Ok(message) => Ok((message, true)),
                Err(failure) if !search.by.scan => Err(failure),
                Err(_) if self.rover.bearings.is_blind(around.time_s) => Err(SearchFailure::Blind),
                Err(_) => {
                    self.search = Some(Search { marks_s: None, ..search });
                    return self.rover.bearings.search(around.pose, around.time_s);
                }
            }
        } else if self.rover.bearings.is_lost() {
            let percent = 100.0 * self.rover.bearings.fit_at(around.pose);
            Err(SearchFailure::NoFit { percent })
        } else {
            Ok(("Succeeded with the laser scan".to_owned(), false))
        };
        self.search = None;
        self.rover.bearings.hold_search(false);
        self.state.reports.publish(match ended {
            Err(failure) => relocation(RelocationState::Failed, failure.to_string()),
            Ok((message, by_marks)) => {
                let (at, fit) = (self.rover.bearings.pose(), self.rover.bearings.fit_at(around.pose));
                let at = around.in_frame(at);
                Relocation {
                    score_percent: Some((fit * 1_000.0).round() / 10.0),
                    needs_confirmation: Some(by_marks || fit < SURE_RATIO),
                    pose: Some(Pose::planar(Frame::Map, at.x_m, at.y_m, at.yaw_rad)),
                    ..relocation(RelocationState::Succeeded, message)
                }
            }
        });
    }

    /// Localizes the robot by a barcode or by poles.
    fn by_marks(&mut self, around: &Surroundings<'_>) -> Result<String, SearchFailure> {
        let codes = barcodes_in_reach(around);
        if let Some((id, believed)) = self.place_by(FeatureKind::Barcode, &codes, around) {
            self.rover.bearings.see_mark(believed, around.pose, around.time_s);
            return Ok(format!("Succeeded with barcode {id}"));
        }
        let poles = landmarks_in_reach(around);
        let on_map = |id: &str| self.marked(FeatureKind::Landmark, id);
        let found: Vec<&str> =
            poles.iter().filter(|(id, _)| on_map(id).is_some()).map(|(id, _)| id.as_str()).collect();
        if found.len() >= ENOUGH_POLES {
            // Poles have no direction; how far off the map has one of them decides.
            let off = poles.iter().find_map(|(id, at)| {
                let marked = on_map(id)?;
                Some([marked.x_m - at.x_m, marked.y_m - at.y_m])
            });
            let [dx, dy] = off.unwrap_or_default();
            let believed = Pose2 { x_m: around.pose.x_m + dx, y_m: around.pose.y_m + dy, ..around.pose };
            let message = format!("Succeeded with landmarks {}", found.join(", "));
            self.rover.bearings.see_mark(believed, around.pose, around.time_s);
            return Ok(message);
        }
        Err(match codes.first() {
            Some((id, _)) => SearchFailure::UnknownBarcode(id.clone()),
            None => SearchFailure::NoMark,
        })
    }

    /// Where the map has a mark of a name.
    fn marked(&self, kind: FeatureKind, id: &str) -> Option<Pose2> {
        self.atlas.points(kind, self.frames.map()).find(|(name, _)| *name == id).map(|(_, at)| at)
    }

    /// Where the robot is by a mark in reach that is on the map: which one, and the place.
    fn place_by(
        &self,
        kind: FeatureKind,
        seen: &[(String, Pose2)],
        around: &Surroundings<'_>,
    ) -> Option<(String, Pose2)> {
        seen.iter().find_map(|(id, at)| {
            let marked = self.marked(kind, id)?;
            Some((id.clone(), around.pose.seen_from(*at).out_of(marked)))
        })
    }

    /// Localizes by a barcode right beneath it, if the map has it.
    pub(super) fn read_floor(&mut self, around: &Surroundings<'_>) {
        if !self.rover.bearings.is_lost() || self.rover.bearings.is_mapless() || self.search.is_some() {
            return;
        }
        let near = |at: [f64; 2]| around.pose.distance_to(at[0], at[1]) < BENEATH_M;
        let codes = around.file.barcodes.iter().filter(|code| near(code.position_m));
        let codes: Vec<_> = codes.map(|code| (code.id.clone(), code.pose())).collect();
        if let Some((_, believed)) = self.place_by(FeatureKind::Barcode, &codes, around) {
            self.rover.bearings.see_mark(believed, around.pose, around.time_s);
        }
    }
}

fn relocation(state: RelocationState, message: String) -> Relocation {
    Relocation {
        state,
        score_percent: None,
        needs_confirmation: None,
        pose: None,
        message: (!message.is_empty()).then_some(message),
    }
}

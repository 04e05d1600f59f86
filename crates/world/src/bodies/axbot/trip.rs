//! How far it went: on this trip and in all, and the trail that it left.

use latimer_core::model::Kind;
use latimer_core::model::signal::{Frame, Odometer, Path};
use latimer_core::{PartName, Timestamp};

use crate::bodies::moment::Moment;
use crate::geometry::Pose2;
use crate::physics::STEP_S;

/// Steps between two reports: 1 s.
const PERIOD: u64 = 100;

/// Distance between two points of the trail, metres, and how many are kept.
const SPACING_M: f64 = 0.1;
const MOST: usize = 500;

/// The counters.
#[derive(Default)]
pub(super) struct Trip {
    start: Option<Timestamp>,
    trip_s: f64,
    trip_m: f64,
    total_m: f64,
    running: bool,
    trail_m: Vec<[f64; 2]>,
}

impl Trip {
    /// Another trip begins.
    pub(super) fn begin(&mut self) {
        (self.start, self.trip_s, self.trip_m, self.running) = (None, 0.0, 0.0, true);
    }

    /// The trip is over.
    pub(super) fn end(&mut self) {
        self.running = false;
    }

    /// Counts a step and reports; poses are told.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, wall: Timestamp, speed_mps: f64, told: Pose2) {
        let way_m = speed_mps.abs() * STEP_S;
        self.total_m += way_m;
        if self.running {
            self.start.get_or_insert(wall);
            self.trip_s += STEP_S;
            self.trip_m += way_m;
        }
        let moved = self.trail_m.last().is_none_or(|[x, y]| told.distance_to(*x, *y) > SPACING_M);
        if moved {
            self.trail_m.push([told.x_m, told.y_m]);
            // Trimmed in one go, so that it is not moved at every point.
            if self.trail_m.len() > 2 * MOST {
                self.trail_m.drain(..MOST);
            }
        }
        if now.due(Kind::Odometer, PERIOD) {
            let Self { start, trip_s, trip_m, total_m, .. } = *self;
            now.reports.say(Odometer { trip_start: start, trip_s, trip_m, total_m });
        }
        if now.due(Kind::Path, PERIOD) {
            let recent = self.trail_m.len().saturating_sub(MOST);
            let points_m = self.trail_m[recent..].to_vec();
            now.reports.of(&PartName::of("trajectory"), Path::of(Frame::Map, points_m));
        }
    }
}

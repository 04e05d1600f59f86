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

/// Most points of the published trail of a whole map; a longer one is thinned.
const MOST_OF_MAP: usize = 4_000;

/// The counters.
#[derive(Default)]
pub(super) struct Trip {
    start: Option<Timestamp>,
    trip_s: f64,
    trip_m: f64,
    total_m: f64,
    running: bool,
    trail_m: Vec<[f64; 2]>,
    /// Distance between two points of the trail while a map is made, metres.
    mapping_m: Option<f64>,
}

impl Trip {
    /// Another trip begins.
    pub(super) fn begin(&mut self) {
        (self.start, self.trip_s, self.trip_m, self.running) = (None, 0.0, 0.0, true);
    }

    /// A map is made from now on, or no more; its trail begins there, and is published as a whole.
    pub(super) fn map(&mut self, on: bool) {
        if on {
            self.trail_m.clear();
        }
        self.mapping_m = on.then_some(SPACING_M);
    }

    /// The trail is forgotten: what comes next is in another frame.
    pub(super) fn forget(&mut self) {
        self.trail_m.clear();
    }

    /// The trip is over.
    pub(super) fn end(&mut self) {
        self.running = false;
    }

    /// Counts a step and reports; poses are published.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, wall: Timestamp, speed_mps: f64, published: Pose2) {
        let way_m = speed_mps.abs() * STEP_S;
        self.total_m += way_m;
        if self.running {
            self.start.get_or_insert(wall);
            self.trip_s += STEP_S;
            self.trip_m += way_m;
        }
        let spacing_m = self.mapping_m.unwrap_or(SPACING_M);
        let moved = self.trail_m.last().is_none_or(|[x, y]| published.distance_to(*x, *y) > spacing_m);
        if moved {
            self.trail_m.push([published.x_m, published.y_m]);
            self.trim();
        }
        if now.due(Kind::Odometer, PERIOD) {
            let Self { start, trip_s, trip_m, total_m, .. } = *self;
            now.reports.publish(Odometer { trip_start: start, trip_s, trip_m, total_m });
        }
        if now.due(Kind::Path, PERIOD) {
            let most = if self.mapping_m.is_some() { MOST_OF_MAP } else { MOST };
            let recent = self.trail_m.len().saturating_sub(most);
            let points_m = self.trail_m[recent..].to_vec();
            now.reports.of(&PartName::of("trajectory"), Path::of(Frame::Map, points_m));
        }
    }

    fn trim(&mut self) {
        match &mut self.mapping_m {
            Some(spacing_m) if self.trail_m.len() > MOST_OF_MAP => {
                let mut index = 0..;
                self.trail_m.retain(|_| index.next().is_some_and(|it| it % 2 == 0));
                *spacing_m *= 2.0;
            }
            // Trimmed in one go, so that it is not moved at every point.
            None if self.trail_m.len() > 2 * MOST => {
                let old = self.trail_m.len() - MOST;
                self.trail_m.drain(..old);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trail_of_a_map_is_whole_and_bounded() {
        let mut trip = Trip::default();
        let go = |trip: &mut Trip, points: usize| {
            for number in 0..points {
                trip.trail_m.push([number as f64, 0.0]);
                trip.trim();
            }
        };
        go(&mut trip, 10_000);
        assert!(trip.trail_m.len() <= 2 * MOST && trip.trail_m.last() == Some(&[9_999.0, 0.0]));
        trip.map(true);
        assert!(trip.trail_m.is_empty(), "what was before is no part of it");
        go(&mut trip, 5_000);
        assert!(trip.trail_m.len() <= MOST_OF_MAP && trip.trail_m[0] == [0.0, 0.0], "nothing is cut off");
        assert_eq!(trip.mapping_m, Some(2.0 * SPACING_M));
        trip.map(false);
        go(&mut trip, 1);
        assert!(trip.trail_m.len() <= 2 * MOST);
    }
}

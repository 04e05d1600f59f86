//! Distance and colour to the left, ahead and to the right, one ray each.
//!
//! The rays are cast only for a subscriber or the robot's own behaviour: a thousand of these robots share one core.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{Color, Range};

use super::parts::{BEARINGS, COLOR_REACH_M, LIGHT_HEIGHT_M, RADIUS_M, RANGE_SIGMA_M, REACH_M};
use crate::bodies::moment::Moment;
use crate::physics::{Hit, Surroundings};

/// Steps between two distances: 50 a second.
const RANGE_PERIOD: u64 = 2;

/// Steps between two colours: 10 a second.
const COLOR_PERIOD: u64 = 10;

/// Steps between two measurements for the robot's own behaviour: 10 a second.
const OWN_PERIOD: u64 = 10;

/// The sensors, and their last values.
pub(super) struct ProximitySensors {
    parts: [PartName; 3],
    distances_m: [Option<f64>; 3],
}

impl ProximitySensors {
    pub(super) fn new() -> Self {
        Self { parts: BEARINGS.map(|(name, _)| PartName::of(name)), distances_m: [None; 3] }
    }

    /// Measures, if a value is demanded.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, around: &Surroundings<'_>, needed: bool) {
        let publishes_range = now.due(Kind::Range, RANGE_PERIOD);
        let publishes_color = now.due(Kind::Color, COLOR_PERIOD);
        if !(publishes_range || publishes_color || needed && now.every(OWN_PERIOD)) {
            return;
        }
        let ambient = publishes_color.then(|| around.light([0.0, 0.0, LIGHT_HEIGHT_M], None));
        for ((part, seen_m), (_, bearing_rad)) in self.parts.iter().zip(&mut self.distances_m).zip(BEARINGS) {
            // From the middle, so that what touches the edge is met from outside.
            let hit = around.cast(0.0, 0.0, bearing_rad, RADIUS_M + REACH_M);
            *seen_m = hit.map(|hit| (hit.distance_m - RADIUS_M + now.rng.normal(RANGE_SIGMA_M)).max(0.0));
            if publishes_range {
                now.reports.of(part, range(*seen_m));
            }
            if let Some(ambient) = ambient {
                now.reports.of(part, color(hit, ambient));
            }
        }
    }

    /// What is free to the left, ahead and to the right, metres; `None` is more than it can see.
    pub(super) fn distances_m(&self) -> [Option<f64>; 3] {
        self.distances_m
    }
}

fn range(distance_m: Option<f64>) -> Range {
    let range = distance_m.map_or(Range::nothing(), Range::valid);
    Range { min_m: Some(0.0), max_m: Some(REACH_M), ..range }
}

/// The colour of what is near enough; black if nothing is.
fn color(hit: Option<Hit>, ambient_ratio: f64) -> Color {
    let near = hit.filter(|hit| hit.distance_m - RADIUS_M <= COLOR_REACH_M);
    let [red, green, blue] = near.map_or([0; 3], |hit| hit.color.0);
    Color { red, green, blue, ambient_ratio: Some(ambient_ratio) }
}

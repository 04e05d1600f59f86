//! The two cliff sensors, and the reflex that stops the robot before an edge.
//!
//! The robot publishes a number from 0, no surface, to 15, surely a surface: how much light comes back from
//! below. That number is the reading's `status_code`; there is a distance only where the surface is sure,
//! and a broken sensor has neither. A dark floor sends little back, so that a black one is an edge to it.

use std::sync::Arc;

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{
    Cliff, Hazard, HazardItem, HazardSettings, HazardSource, Range, RangeStatus, Switch,
};
use latimer_core::{Outcome, model::signal::Limit};

use super::parts::CLIFFS;
use crate::bodies::moment::Moment;
use crate::physics::{Ground, Surroundings};
use crate::rng::Rng;

/// Steps between two readings: 50 a second; the reflex needs each of them.
const PERIOD: u64 = 2;

/// Height of the sensors above the floor, metres (plausible).
const HEIGHT_M: f64 = 0.02;

/// Light that gives a full reading, as the reflectivity of a floor right below (plausible).
const FULL: f64 = 0.4;

/// Noise of the light (plausible).
const SIGMA: f64 = 0.01;

/// From this reading on there surely is a surface.
const SURE: i64 = 8;

/// Below this reading the reflex stops the robot; programs for the robot take the same measure.
const EDGE: i64 = 2;

/// The name by which the reflex is switched.
pub(super) const REFLEX: &str = "cliff_reflex";

/// The sensors and the reflex.
pub(super) struct Cliffs {
    parts: [PartName; 2],
    hazard_names: [Arc<str>; 2],
    edges: [bool; 2],
    reflex: bool,
    settings_published: bool,
}

impl Cliffs {
    pub(super) fn new() -> Self {
        Self {
            parts: CLIFFS.map(|(name, ..)| PartName::of(name)),
            hazard_names: CLIFFS.map(|(name, ..)| format!("cliff_{name}").into()),
            edges: [false; 2],
            reflex: true,
            settings_published: false,
        }
    }

    /// Reads both; a broken one sees an edge, to be on the safe side.
    pub(super) fn update(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        lifted: bool,
        broken: [bool; 2],
    ) {
        if !std::mem::replace(&mut self.settings_published, true) {
            let reflex = Switch { part: REFLEX.into(), enabled: self.reflex };
            now.reports.publish(HazardSettings { bumpers: vec![reflex], ranges: Vec::new() });
        }
        if !now.every(PERIOD) {
            return;
        }
        let publishes = now.due(Kind::Cliff, PERIOD);
        let before = self.edges;
        for (i, (_, x_m, y_m)) in CLIFFS.into_iter().enumerate() {
            let ground = (!lifted).then(|| around.ground(x_m, y_m));
            let raw = (!broken[i]).then(|| raw(ground, now.rng));
            self.edges[i] = raw.is_none_or(|raw| raw < EDGE);
            if publishes {
                now.reports.of(&self.parts[i], Cliff(reading(raw)));
            }
        }
        if self.edges != before {
            let items = self.hazard_names.iter().zip(self.edges);
            let item = |(name, active): (&Arc<str>, bool)| HazardItem {
                source: HazardSource::Range,
                part: name.clone(),
                active,
            };
            now.reports.publish(Hazard { items: items.map(item).collect(), critical_error_code: None });
        }
    }

    /// What forbids driving forward, for a person to read.
    pub(super) fn forbids(&self) -> Option<&str> {
        let edge = self.edges.iter().position(|edge| *edge)?;
        self.reflex.then_some(&*self.hazard_names[edge])
    }

    /// On which side the edge is: 1 left, -1 right, 0 both.
    pub(super) fn side(&self) -> Option<f64> {
        let [left, right] = self.edges;
        (left || right).then(|| f64::from(u8::from(left)) - f64::from(u8::from(right)))
    }

    /// Whether the reflex is on.
    pub(super) const fn has_reflex(&self) -> bool {
        self.reflex
    }

    /// The reflex is on, as after power-up.
    pub(super) fn restart(&mut self) {
        (self.reflex, self.settings_published) = (true, false);
    }

    /// Switches the reflex; all or nothing.
    pub(super) fn set(&mut self, revert: bool, bumpers: &[Switch], ranges: &[Limit]) -> Result<(), Outcome> {
        let mut reflex = revert || self.reflex;
        let unknown = bumpers.iter().map(|it| &it.part).find(|part| &***part != REFLEX);
        if let Some(part) = unknown.or_else(|| ranges.iter().map(|it| &it.part).next()) {
            return Err(Outcome::bad_argument(format!(
                "no hazard {part:?} to set; there is the switch {REFLEX}"
            )));
        }
        for switch in bumpers {
            reflex = switch.enabled;
        }
        self.reflex = reflex;
        self.settings_published = false;
        Ok(())
    }
}

/// How much light comes back, 0..15.
fn raw(ground: Option<Ground>, rng: &mut Rng) -> i64 {
    let light = ground.map_or(0.0, |ground| {
        let spread = HEIGHT_M / (HEIGHT_M + ground.depth_m);
        ground.reflectivity * spread * spread
    });
    (15.0 * (light + rng.normal(SIGMA)) / FULL).round().clamp(0.0, 15.0) as i64
}

fn reading(raw: Option<i64>) -> Range {
    let status = match raw {
        None => RangeStatus::HardwareFault,
        Some(0) => RangeStatus::NothingInView,
        Some(raw) if raw < SURE => RangeStatus::WeakSignal,
        Some(_) => RangeStatus::Valid,
    };
    Range {
        distance_m: (status == RangeStatus::Valid).then_some(HEIGHT_M),
        status,
        status_code: raw,
        min_m: None,
        max_m: None,
        field_of_view_rad: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_give_fifteen_drops_nothing_and_black_is_an_edge() {
        let mut rng = Rng::new(1);
        let mut read = |depth_m, reflectivity| raw(Some(Ground { depth_m, reflectivity }), &mut rng);
        assert_eq!(read(0.0, 0.73), 15);
        assert!((2..8).contains(&read(0.0, 0.12)), "a dark rug");
        assert!(read(0.0, 0.01) < EDGE);
        assert!(read(0.18, 0.73) < EDGE);
        assert!(raw(None, &mut rng) < EDGE, "in the air");
    }
}

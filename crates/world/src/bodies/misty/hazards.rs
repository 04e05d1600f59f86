//! The hazard system: what forbids driving forward or backward.
//!
//! Items come in a fixed order, that of the specification's sample: 4 bumpers, 7 currents, 6 drive zones,
//! 7 stalled motors, 8 time-of-flight sensors (`range_…`, then `cliff_…`), and after them, which the
//! sample lacks but the text describes, 7 motors that run too fast.

use std::sync::Arc;

use latimer_core::Outcome;
use latimer_core::model::signal::{
    Hazard, HazardItem, HazardSettings, HazardSource, Limit, RangeStatus, Switch,
};

use super::parts::{BUMPERS, CURRENTS, EDGE_THRESHOLD_M, EDGES, MOTORS, RANGES, ZONES};
use super::rangers::Seen;
use crate::bodies::check;
use crate::bodies::reports::Reports;

/// What the hazard system looks at.
pub(super) struct Facts<'a> {
    pub(super) bumpers: [bool; 4],
    pub(super) seen: &'a [Option<Seen>; 8],
    pub(super) stalled: bool,
    pub(super) too_fast: bool,
}

/// What holds now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    bumpers: [bool; 4],
    sensors: [bool; 8],
    zones: [bool; 6],
    stalled: bool,
    too_fast: bool,
}

/// The hazard system.
pub(super) struct Hazards {
    bumper_names: [Arc<str>; 4],
    sensor_names: [Arc<str>; 8],
    bumpers_on: [bool; 4],
    thresholds_m: [f64; 8],
    state: State,
}

impl Hazards {
    pub(super) fn new() -> Self {
        let sensor = |i: usize| match i.checked_sub(4) {
            None => format!("range_{}", RANGES[i].0),
            Some(edge) => format!("cliff_{}", EDGES[edge].0),
        };
        Self {
            bumper_names: BUMPERS.map(|(name, ..)| name.into()),
            sensor_names: std::array::from_fn(|i| sensor(i).into()),
            bumpers_on: [true; 4],
            thresholds_m: Self::default_thresholds(),
            state: State::default(),
        }
    }

    fn default_thresholds() -> [f64; 8] {
        // Range sensors are not hazards at this firmware; edge sensors are.
        std::array::from_fn(|i| if i < 4 { 0.0 } else { EDGE_THRESHOLD_M })
    }

    /// Looks again and reports if anything changed.
    pub(super) fn update(&mut self, facts: &Facts<'_>, reports: &mut Reports) {
        let bumpers: [bool; 4] = std::array::from_fn(|i| facts.bumpers[i] && self.bumpers_on[i]);
        let sensors = std::array::from_fn(|i| {
            let threshold_m = self.thresholds_m[i];
            facts.seen[i].as_ref().is_some_and(|seen| threshold_m > 0.0 && is_hazard(i, seen, threshold_m))
        });
        let state = State {
            bumpers,
            sensors,
            zones: zones(bumpers, sensors),
            stalled: facts.stalled,
            too_fast: facts.too_fast,
        };
        if state != self.state {
            self.state = state;
            reports.publish(self.report());
        }
    }

    fn report(&self) -> Hazard {
        let state = &self.state;
        // Only the drive motors are watched for stalling and speed, as on the real robot.
        let of_drive = |on: bool| move |i: usize| on && i < 2;
        let mut items = Vec::with_capacity(39);
        let mut add = |source: HazardSource, part: Arc<str>, active: bool| {
            items.push(HazardItem { source, part, active });
        };
        for (name, active) in self.bumper_names.iter().zip(state.bumpers) {
            add(HazardSource::Bumper, name.clone(), active);
        }
        for (i, name) in CURRENTS.into_iter().enumerate() {
            add(HazardSource::Current, name.into(), of_drive(state.stalled)(i));
        }
        for (name, active) in ZONES.into_iter().zip(state.zones) {
            add(HazardSource::DriveZone, name.into(), active);
        }
        for (i, name) in MOTORS.into_iter().enumerate() {
            add(HazardSource::MotorStall, name.into(), of_drive(state.stalled)(i));
        }
        for (name, active) in self.sensor_names.iter().zip(state.sensors) {
            add(HazardSource::Range, name.clone(), active);
        }
        for (i, name) in MOTORS.into_iter().enumerate() {
            add(HazardSource::Overspeed, name.into(), of_drive(state.too_fast)(i));
        }
        Hazard { items, critical_error_code: Some(0) }
    }

    /// What forbids driving forward (or backward), for a person to read.
    pub(super) fn forbids(&self, forward: bool) -> Option<String> {
        let (bumpers, sensors) = (&self.state.bumpers, &self.state.sensors);
        let bumper = (0..4).filter(|i| (*i < 2) == forward && bumpers[*i]).map(|i| &self.bumper_names[i]);
        let is_front = |i: usize| matches!(i, 0..=2 | 4 | 5);
        let sensor = (0..8).filter(|i| is_front(*i) == forward && sensors[*i]).map(|i| &self.sensor_names[i]);
        let names: Vec<&str> = bumper.chain(sensor).map(|name| &**name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// What must stop the drive whichever way it goes.
    pub(super) fn forbids_all(&self) -> Option<&'static str> {
        if self.state.stalled {
            return Some("the tracks do not move");
        }
        self.state.too_fast.then_some("it turns faster than 100 degrees a second")
    }

    /// On which side the hazard ahead is: 1 left, -1 right, 0 both or unknown.
    pub(super) fn front_side(&self) -> Option<f64> {
        let zones = &self.state.zones;
        (zones[0] || zones[1] || zones[2])
            .then(|| f64::from(u8::from(zones[2])) - f64::from(u8::from(zones[0])))
    }

    /// Which hazards stop the robot.
    pub(super) fn settings(&self) -> HazardSettings {
        let switch = |(part, enabled): (&Arc<str>, bool)| Switch { part: part.clone(), enabled };
        let limit = |(part, threshold_m): (&Arc<str>, f64)| Limit { part: part.clone(), threshold_m };
        HazardSettings {
            bumpers: self.bumper_names.iter().zip(self.bumpers_on).map(switch).collect(),
            ranges: self.sensor_names.iter().zip(self.thresholds_m).map(limit).collect(),
        }
    }

    /// Changes which hazards stop the robot; all or nothing.
    pub(super) fn set(&mut self, revert: bool, bumpers: &[Switch], ranges: &[Limit]) -> Result<(), Outcome> {
        let unknown = |part: &str, known: &[Arc<str>]| {
            Outcome::bad_argument(format!(
                "no sensor {part:?} to watch for hazards; there are: {}",
                known.join(", ")
            ))
        };
        let (mut on, mut limits) = (self.bumpers_on, self.thresholds_m);
        if revert {
            (on, limits) = ([true; 4], Self::default_thresholds());
        }
        for Switch { part, enabled } in bumpers {
            let found = self.bumper_names.iter().position(|name| name == part);
            on[found.ok_or_else(|| unknown(part, &self.bumper_names))?] = *enabled;
        }
        for Limit { part, threshold_m } in ranges {
            let found = self.sensor_names.iter().position(|name| name == part);
            let i = found.ok_or_else(|| unknown(part, &self.sensor_names))?;
            limits[i] = check::within("threshold in metres", *threshold_m, 0.0, 10.0)?;
        }
        (self.bumpers_on, self.thresholds_m) = (on, limits);
        Ok(())
    }
}

/// An edge sensor warns of what is farther than its threshold, or of nothing; a range sensor of what is nearer.
fn is_hazard(sensor: usize, seen: &Seen, threshold_m: f64) -> bool {
    let range = &seen.range;
    let valid = range.distance_m.filter(|_| range.status == RangeStatus::Valid);
    if sensor < 4 {
        return valid.is_some_and(|m| m < threshold_m);
    }
    range.status != RangeStatus::TooNear && valid.is_none_or(|m| m > threshold_m)
}

fn zones(bumpers: [bool; 4], sensors: [bool; 8]) -> [bool; 6] {
    let [front_right, front_left, rear_right, rear_left] = bumpers;
    let [right, center, left, back, edge_front_right, edge_front_left, edge_back_right, edge_back_left] =
        sensors;
    [
        front_right || right || edge_front_right,
        center || (front_right && front_left),
        front_left || left || edge_front_left,
        rear_right || edge_back_right,
        back || (rear_right && rear_left),
        rear_left || edge_back_left,
    ]
}

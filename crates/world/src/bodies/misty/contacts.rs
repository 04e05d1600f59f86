//! Bumpers and touch sensors.

use latimer_core::PartName;
use latimer_core::model::signal::{Contact, ContactSensor, Frame, Point};

use super::parts::{BUMPER_HALF_DEG, BUMPERS, SCRUFF, TOUCHES};
use crate::bodies::reports::Reports;
use crate::physics::Touching;
use crate::sensors::{BumperArc, Press};

struct Sensor {
    part: PartName,
    at: Point,
    press: Press,
}

impl Sensor {
    fn new(name: &str, [x_m, y_m, z_m]: [f64; 3]) -> Self {
        Self { part: PartName::of(name), at: Point { x_m, y_m, z_m }, press: Press::default() }
    }

    fn update(&mut self, felt: bool, time_s: f64, sensor: ContactSensor, reports: &mut Reports) -> bool {
        let Some(contacted) = self.press.update(felt, time_s) else { return false };
        let frame = match sensor {
            ContactSensor::Bumper => Frame::BaseLink,
            ContactSensor::Touch => Frame::Head,
        };
        reports.of(&self.part, Contact { contacted, sensor, position: Some(self.at.clone()), frame });
        true
    }
}

/// The bumpers and touch sensors.
pub(super) struct Contacts {
    bumpers: [(Sensor, BumperArc); 4],
    touches: [Sensor; 6],
}

impl Contacts {
    pub(super) fn new() -> Self {
        let bumpers = BUMPERS.map(|(name, x_m, y_m, center_deg)| {
            let arc =
                BumperArc { center_rad: center_deg.to_radians(), half_rad: BUMPER_HALF_DEG.to_radians() };
            (Sensor::new(name, [x_m, y_m, 0.0]), arc)
        });
        Self { bumpers, touches: TOUCHES.map(|(name, at)| Sensor::new(name, at)) }
    }

    /// Holds a bumper pressed until a time; returns whether there is one of that name.
    pub(super) fn press_bumper(&mut self, part: &PartName, until_s: f64) -> bool {
        let found = self.bumpers.iter_mut().find(|(sensor, _)| sensor.part == *part);
        found.map(|(sensor, _)| sensor.press.hold_until(until_s)).is_some()
    }

    /// Holds a touch sensor touched until a time; returns whether there is one of that name.
    pub(super) fn touch(&mut self, part: &PartName, until_s: f64) -> bool {
        let found = self.touches.iter_mut().find(|sensor| sensor.part == *part);
        found.map(|sensor| sensor.press.hold_until(until_s)).is_some()
    }

    /// Feels what touches the chassis; returns whether a bumper changed.
    pub(super) fn update(&mut self, touching: &[Touching], time_s: f64, reports: &mut Reports) -> bool {
        let mut changed = false;
        for (sensor, arc) in &mut self.bumpers {
            let felt = arc.feels(touching, sensor.press.is_pressed());
            changed |= sensor.update(felt, time_s, ContactSensor::Bumper, reports);
        }
        for sensor in &mut self.touches {
            sensor.update(false, time_s, ContactSensor::Touch, reports);
        }
        changed
    }

    /// Which bumpers are pressed: front right, front left, rear right, rear left.
    pub(super) fn pressed(&self) -> [bool; 4] {
        std::array::from_fn(|i| self.bumpers[i].0.press.is_pressed())
    }

    /// Whether a person holds the robot by its scruff.
    pub(super) fn held_by_scruff(&self) -> bool {
        self.touches[SCRUFF].press.is_pressed()
    }
}

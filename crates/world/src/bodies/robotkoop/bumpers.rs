//! The bumper ring.

use latimer_core::PartName;
use latimer_core::model::signal::{Contact, ContactSensor, Frame, Point};

use super::parts::BUMPERS;
use crate::bodies::reports::Reports;
use crate::physics::Touching;
use crate::sensors::{BumperArc, Press};

struct Bumper {
    part: PartName,
    at: Point,
    arc: BumperArc,
    press: Press,
}

/// The bumpers.
pub(super) struct Bumpers([Bumper; 3]);

impl Bumpers {
    pub(super) fn new() -> Self {
        Self(BUMPERS.map(|(name, x_m, y_m, center_deg, half_deg)| Bumper {
            part: PartName::of(name),
            at: Point { x_m, y_m, z_m: 0.1 },
            arc: BumperArc { center_rad: center_deg.to_radians(), half_rad: half_deg.to_radians() },
            press: Press::default(),
        }))
    }

    /// Holds a bumper pressed until a time; tells whether there is one of that name.
    pub(super) fn press(&mut self, part: &PartName, until_s: f64) -> bool {
        let found = self.0.iter_mut().find(|bumper| bumper.part == *part);
        found.map(|bumper| bumper.press.hold_until(until_s)).is_some()
    }

    /// Feels what touches the chassis and reports changes.
    pub(super) fn update(&mut self, touching: &[Touching], time_s: f64, reports: &mut Reports) {
        for bumper in &mut self.0 {
            let felt = bumper.arc.feels(touching, bumper.press.is_pressed());
            if let Some(contacted) = bumper.press.update(felt, time_s) {
                let (sensor, position) = (ContactSensor::Bumper, Some(bumper.at.clone()));
                reports.of(&bumper.part, Contact { contacted, sensor, position, frame: Frame::BaseLink });
            }
        }
    }

    /// Which side of the bow is pressed: positive is left.
    pub(super) fn front_side(&self) -> Option<f64> {
        let [left, right] = [0, 1].map(|i| self.0[i].press.is_pressed());
        (left || right).then(|| f64::from(u8::from(left)) - f64::from(u8::from(right)))
    }

    /// Whether the stern is pressed.
    pub(super) fn rear(&self) -> bool {
        self.0[2].press.is_pressed()
    }
}

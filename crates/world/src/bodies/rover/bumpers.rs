//! The bumper ring.

use latimer_core::PartName;
use latimer_core::model::signal::{Contact, ContactSensor, Frame, Point};

use crate::bodies::reports::Reports;
use crate::physics::Touching;
use crate::sensors::{BumperArc, Press};

/// A bumper: name, forward and left of the middle in metres, middle of the arc and half of it in degrees.
pub(in crate::bodies) type BumperMake = (&'static str, f64, f64, f64, f64);

struct Bumper {
    part: PartName,
    at: Point,
    arc: BumperArc,
    press: Press,
    published: bool,
}

/// The bumpers.
pub(in crate::bodies) struct Bumpers(Vec<Bumper>);

impl Bumpers {
    pub(in crate::bodies) fn new(make: &[BumperMake]) -> Self {
        let bumper = |&(name, x_m, y_m, center_deg, half_deg): &BumperMake| Bumper {
            part: PartName::of(name),
            at: Point { x_m, y_m, z_m: 0.1 },
            arc: BumperArc { center_rad: center_deg.to_radians(), half_rad: half_deg.to_radians() },
            press: Press::default(),
            published: false,
        };
        Self(make.iter().map(bumper).collect())
    }

    /// Their names, for error messages.
    pub(in crate::bodies) fn names(&self) -> String {
        self.0.iter().map(|it| it.part.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Holds a bumper pressed until a time; returns whether there is one of that name.
    pub(in crate::bodies) fn press(&mut self, part: &PartName, until_s: f64) -> bool {
        let found = self.0.iter_mut().find(|bumper| bumper.part == *part);
        found.map(|bumper| bumper.press.hold_until(until_s)).is_some()
    }

    /// Feels what touches the chassis and reports changes, and each bumper once, so that it is known.
    pub(in crate::bodies) fn update(&mut self, touching: &[Touching], time_s: f64, reports: &mut Reports) {
        for bumper in &mut self.0 {
            let felt = bumper.arc.feels(touching, bumper.press.is_pressed());
            let changed = bumper.press.update(felt, time_s).is_some();
            if !std::mem::replace(&mut bumper.published, true) || changed {
                let contacted = bumper.press.is_pressed();
                let (sensor, position) = (ContactSensor::Bumper, Some(bumper.at.clone()));
                reports.of(&bumper.part, Contact { contacted, sensor, position, frame: Frame::BaseLink });
            }
        }
    }

    /// Which side of the bow is pressed: positive is left.
    pub(in crate::bodies) fn front_side(&self) -> Option<f64> {
        let mut pressed = self.0.iter().filter(|it| it.at.x_m > 0.0 && it.press.is_pressed()).peekable();
        pressed.peek()?;
        let side: f64 = pressed.map(|it| it.at.y_m).sum();
        Some(if side == 0.0 { 0.0 } else { side.signum() })
    }

    /// Whether the stern is pressed.
    pub(in crate::bodies) fn rear(&self) -> bool {
        self.0.iter().any(|it| it.at.x_m < 0.0 && it.press.is_pressed())
    }
}

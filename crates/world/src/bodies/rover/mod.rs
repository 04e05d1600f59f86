//! A rover: two driven wheels, a laser scanner, a map, bumpers, and the way to a goal. Bodies that find
//! their way are built from it.
//!
//! ```text
//!  goal ─▶ way ─▶ drive ─▶ wish ─▶ (the world moves) ─▶ bearings: wheels, scan, localisation ─▶ way
//!                     ▲ bumpers, commands
//! ```

mod bearings;
mod bumpers;
mod certainty;
mod directions;
mod drive;
mod figure;
mod power;
mod way;

pub(super) use bearings::Bearings;
pub(super) use bumpers::{BumperMake, Bumpers};
pub(super) use directions::Direction;
pub(super) use drive::{Drive, DriveBounds};
pub(super) use figure::scanner_and_bumpers;
pub(super) use power::{Power, PowerMake};
pub(super) use way::{Ended, Way};

use super::Origin;
use super::moment::Moment;
use crate::behaviour::{Senses, Vitals};
use crate::drive::{Speeds, TrackLimits};
use crate::nav::NavigatorLimits;
use crate::physics::{Footprint, Surroundings};
use crate::rng::Rng;
use crate::sensors::{DriftModel, Lidar};

/// How a family's rover is made.
pub(super) struct RoverMake {
    /// Its outline, without a load.
    pub(super) footprint: Footprint,
    /// Greatest speed, m/s.
    pub(super) max_linear_mps: f64,
    /// Greatest turn rate, rad/s.
    pub(super) max_angular_radps: f64,
    /// The wheels.
    pub(super) wheels: TrackLimits,
    /// What its wheels count wrong.
    pub(super) drift: DriftModel,
    /// The scanner.
    pub(super) lidar: Lidar,
    /// Whether it looks for itself on the whole map when it is lost, unasked.
    pub(super) finds_itself: bool,
    /// How it drives by itself.
    pub(super) navigation: NavigatorLimits,
}

/// The organs.
pub(super) struct Rover {
    pub(super) drive: Drive,
    pub(super) bearings: Bearings,
    pub(super) way: Way,
    pub(super) bumpers: Bumpers,
    pub(super) power: Power,
}

impl Rover {
    /// Organs of a make; its scan is the body's stream of that number.
    pub(super) fn new(
        make: &'static RoverMake,
        bumpers: &[BumperMake],
        power: &'static PowerMake,
        scan: usize,
        origin: &Origin<'_>,
        rng: &mut Rng,
    ) -> Self {
        Self {
            drive: Drive::new(make),
            bearings: Bearings::new(make, scan, origin, rng),
            way: Way::new(make),
            bumpers: Bumpers::new(bumpers),
            power: Power::new(power, rng),
        }
    }

    /// The world moved: wheels, bumpers, scanner and localisation feel it. Tells how well the scan fits, if
    /// there is a new one, which there is only while the scanner is on.
    pub(super) fn feel(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        in_air: bool,
        scanner_on: bool,
    ) -> Option<f64> {
        self.drive.moved(around.motion, in_air);
        let touching = if in_air { &[] } else { around.touching };
        let was_pressed = self.bumpers.front_side().is_some();
        self.bumpers.update(touching, now.time_s, now.reports);
        if let Some(side) = self.bumpers.front_side() {
            self.bearings.feel(side, now.time_s);
            if !was_pressed {
                self.drive.back_off(now.time_s);
            }
        }
        let busy = self.way.is_active() || self.drive.tracks().running() != Speeds::REST;
        let match_ratio = if scanner_on { self.bearings.look(now, around, busy) } else { None };
        self.bearings.roll(self.drive.tracks().speeds_mps(), around, match_ratio);
        match_ratio
    }

    /// What a behaviour may know.
    pub(super) fn senses(&self, time_s: f64, helpless: bool) -> Senses {
        let (travelled_m, yaw_rad) = self.bearings.travelled();
        Senses {
            time_s,
            yaw_rad,
            travelled_m,
            left_m: self.bearings.free_m(Direction::Left),
            ahead_m: self.bearings.free_m(Direction::Ahead),
            right_m: self.bearings.free_m(Direction::Right),
            behind_m: self.bearings.free_m(Direction::Behind),
            front_hazard: self.bumpers.front_side().or_else(|| self.bearings.edge_side()),
            rear_hazard: self.bumpers.rear() || self.bearings.is_edge_behind(),
            helpless,
            navigates: false,
        }
    }

    /// How it is.
    pub(super) fn vitals(&self) -> Vitals {
        Vitals {
            charge_ratio: Some(self.power.battery.charge_ratio()),
            docked: self.power.is_docked(),
            pose: (!self.bearings.is_lost()).then(|| self.bearings.pose()),
        }
    }
}

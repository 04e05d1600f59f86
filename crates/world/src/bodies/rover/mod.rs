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
mod drive;
mod figure;
mod power;
mod way;

pub(super) use bearings::Bearings;
pub(super) use bumpers::{BumperMake, Bumpers};
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

/// Nearer to stairs it goes no further unasked, metres.
const EDGE_M: f64 = 0.12;

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
            left_m: self.bearings.free_m(0.7),
            ahead_m: self.bearings.free_m(0.0),
            right_m: self.bearings.free_m(-0.7),
            behind_m: self.bearings.free_m(std::f64::consts::PI),
            front_hazard: self.bumpers.front_side().or_else(|| self.edge_side()),
            rear_hazard: self.bumpers.rear()
                || self.bearings.to_keep_out_m(std::f64::consts::PI).is_some_and(|way_m| way_m < EDGE_M),
            helpless,
            navigates: false,
        }
    }

    /// Which side of the bow is about to leave the floor: positive is left.
    fn edge_side(&self) -> Option<f64> {
        let near =
            |bearing_rad: f64| self.bearings.to_keep_out_m(bearing_rad).is_some_and(|way_m| way_m < EDGE_M);
        [(0.5, 1.0), (-0.5, -1.0), (0.0, 0.0)].into_iter().find(|(at, _)| near(*at)).map(|(_, side)| side)
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

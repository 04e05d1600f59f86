//! What can be done to its own parts: calibrating, forgetting faults, switching the scanner.
//!
//! ```text
//!  asked ──▶ Confirmed ──10 s at rest · three turns──▶ Succeeded
//!                └─moved, bumped, lifted, stopped, no room──▶ Failed
//! ```

use std::f64::consts::TAU;

use latimer_core::Outcome;
use latimer_core::model::Maintenance;
use latimer_core::model::signal::{ControlMode, Task, TaskState};

use super::Axbot;
use crate::drive::Speeds;
use crate::physics::{STEP_S, Surroundings};

/// How long the inertial sensor is measured at rest, seconds: ten to twenty in the field.
const REST_S: f64 = 10.0;

/// Faster than this is not at rest, m/s and rad/s.
const MOVED: f64 = 0.01;

/// How far it turns to measure the scale of its gyroscope, radians, how fast, rad/s, and how long it tries at
/// most, seconds (plausible).
const TURNS_RAD: f64 = 3.0 * TAU;
const TURNS_RADPS: f64 = 0.8;
const TURNS_S: f64 = 60.0;

/// Air that it leaves around itself while it turns, metres.
const ROOM_M: f64 = 0.05;

/// How long slipping wheels are reported, seconds (plausible).
const SLIPPING_S: f64 = 5.0;

/// A calibration that goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Calibration {
    /// Of the inertial sensor, until then.
    Imu { until_s: f64 },
    /// Of the gyroscope: how far it has turned, and until when it tries.
    Gyro { turned_rad: f64, until_s: f64 },
}

impl Calibration {
    /// The name that it is reported by.
    fn id(self) -> &'static str {
        match self {
            Self::Imu { .. } => "recalibrate_imu",
            Self::Gyro { .. } => "calibrate_gyro_scale",
        }
    }

    fn report(self, state: TaskState, reason: Option<&str>) -> Task {
        Task { reason: reason.map(str::to_owned), ..Task::new(self.id(), "maintenance", state) }
    }
}

impl Axbot {
    /// Does something to its own parts.
    pub(super) fn maintain(&mut self, what: Maintenance) -> Result<Outcome, Outcome> {
        match what {
            Maintenance::CalibrateImu => {
                return self.calibrate(Calibration::Imu { until_s: self.state.time_s + REST_S });
            }
            Maintenance::CalibrateGyro => {
                let until_s = self.state.time_s + TURNS_S;
                return self.calibrate(Calibration::Gyro { turned_rad: 0.0, until_s });
            }
            Maintenance::CheckJack => {
                if let Some(reason) = self.disabled() {
                    return Err(Outcome::not_now(format!("cannot do that: {reason}")));
                }
                if self.rover.way.is_active() || self.rack.is_some() {
                    return Err(Outcome::not_now("the jack is needed; wait until it stands without a load"));
                }
                return self.jack.check().map(|()| Outcome::Accepted).map_err(Outcome::not_now);
            }
            Maintenance::ClearJackFaults => self.jack.forgive(),
            Maintenance::ClearWheelFaults => {
                self.faults.wheels_s = 0.0;
                self.rover.drive.forgive();
            }
            Maintenance::ClearSlipping => {
                self.slipping_until_s = 0.0;
                self.rover.drive.forgive();
            }
            Maintenance::ClearFall if self.over_drop => {
                return Err(Outcome::not_safe("it lies where there is no floor; put it elsewhere first"));
            }
            Maintenance::ClearFall => (self.state.fallen, self.fell) = (false, false),
            Maintenance::ClearCosts => self.rover.bearings.forget_obstacles(),
            Maintenance::LidarOn => self.switch_lidar(true),
            Maintenance::LidarOff => self.switch_lidar(false),
        }
        Ok(Outcome::Done)
    }

    fn switch_lidar(&mut self, on: bool) {
        self.rover.bearings.switch(on);
        self.lidar_off_s = match (on, self.lidar_off_s) {
            (true, _) => None,
            (false, since_s) => since_s.or(Some(self.state.time_s)),
        };
    }

    fn calibrate(&mut self, calibration: Calibration) -> Result<Outcome, Outcome> {
        if self.calibration.is_some() {
            return Err(Outcome::busy("it calibrates already; wait until that is done"));
        }
        if self.state.is_lifted() || self.state.fallen {
            return Err(Outcome::not_safe("it does not stand on the floor"));
        }
        if self.rover.way.is_active() || self.jack.is_moving() {
            return Err(Outcome::not_now("it is at work; wait until it stands, or cancel that"));
        }
        if let Calibration::Gyro { .. } = calibration {
            if let Some(reason) = self.disabled() {
                return Err(Outcome::not_now(format!("cannot turn: {reason}")));
            }
            if self.switches.mode() != ControlMode::Auto {
                return Err(Outcome::not_now("somebody else drives; set the control mode to auto"));
            }
            if self.rover.power.is_docked() {
                return Err(Outcome::not_now("it stands on a charger; send it away from there first"));
            }
        }
        self.switches.wake(self.state.time_s);
        self.rover.drive.let_go();
        self.state.reports.publish(calibration.report(TaskState::Confirmed, None));
        self.calibration = Some(calibration);
        Ok(Outcome::Accepted)
    }

    /// Gives up a calibration, if there is one.
    pub(super) fn disturb(&mut self, why: &str) {
        if let Some(calibration) = self.calibration.take() {
            self.state.reports.publish(calibration.report(TaskState::Failed, Some(why)));
        }
    }

    /// What a calibration wants the wheels to do.
    pub(super) fn calibrating_speeds(&self) -> Option<Speeds> {
        match self.calibration? {
            Calibration::Imu { .. } => None,
            Calibration::Gyro { .. } => Some(Speeds { linear_mps: 0.0, angular_radps: TURNS_RADPS }),
        }
    }

    /// Goes on with a calibration.
    pub(super) fn keep_calibrating(&mut self, around: &Surroundings<'_>) {
        let Some(calibration) = self.calibration else { return };
        let motion = around.motion;
        let bumped = self.rover.bumpers.front_side().is_some() || self.rover.bumpers.rear();
        let trouble = if self.state.is_lifted() || self.state.fallen {
            Some("it was lifted")
        } else if bumped {
            Some("it was bumped")
        } else {
            None
        };
        if let Some(why) = trouble {
            return self.disturb(why);
        }
        match calibration {
            Calibration::Imu { .. }
                if motion.forward_mps.abs() > MOVED || motion.turn_radps.abs() > MOVED =>
            {
                self.disturb("it moved");
            }
            Calibration::Imu { until_s } if around.time_s >= until_s => {
                self.faults.imu_calibration_s = 0.0;
                self.finish();
            }
            Calibration::Imu { .. } => {}
            Calibration::Gyro { turned_rad, until_s } => {
                let turned_rad = turned_rad + motion.turn_radps * STEP_S;
                if let Some(reason) = self.disabled() {
                    self.disturb(reason);
                } else if self.nearest_m() < self.outline.reach_m() + ROOM_M {
                    self.disturb("there is no room to turn");
                } else if turned_rad >= TURNS_RAD {
                    self.faults.gyro_calibration_s = 0.0;
                    self.finish();
                } else if around.time_s >= until_s {
                    self.disturb("it does not turn");
                } else {
                    self.calibration = Some(Calibration::Gyro { turned_rad, until_s });
                }
            }
        }
    }

    fn finish(&mut self) {
        if let Some(calibration) = self.calibration.take() {
            self.state.reports.publish(calibration.report(TaskState::Succeeded, None));
        }
    }

    /// How far off its middle the nearest thing is that its scanner sees, metres.
    fn nearest_m(&self) -> f64 {
        let (scan, scanner) = self.rover.bearings.scan();
        let here = self.rover.bearings.pose();
        scan.points(scanner).map(|[x, y]| here.distance_to(x, y)).fold(f64::INFINITY, f64::min)
    }

    /// Whether its wheels push in vain, or did so just now.
    pub(super) fn is_slipping(&mut self, time_s: f64) -> bool {
        if self.rover.drive.tracks().is_stalled() {
            self.slipping_until_s = time_s + SLIPPING_S;
        }
        time_s < self.slipping_until_s
    }
}

//! What raises and clears the alerts.

use super::{Axbot, TOO_HOT_C, WARM_C, parts};
use crate::nav::Failure;
use crate::physics::Surroundings;

/// A scanner that is silent for so long is missed, seconds (published).
const SILENT_S: f64 = 1.0;

impl Axbot {
    pub(super) fn temperature_c(&self, time_s: f64) -> f64 {
        let (hot_c, until_s) = self.faults.heat;
        if time_s < until_s { hot_c } else { WARM_C }
    }

    /// Raises and clears alerts by what is so.
    pub(super) fn warn(&mut self, around: &Surroundings<'_>) {
        let (now_s, charge) = (around.time_s, self.rover.power.battery.charge_ratio());
        let faults = &self.faults;
        let facts = [
            (1001, now_s < faults.planner_s),
            (1002, now_s < faults.costs_s),
            (1003, now_s < faults.map_server_s),
            (1004, now_s < faults.mapper_s),
            (2001, now_s < faults.wheels_s),
            (2002, self.rover.drive.tracks().stalled_s() > parts::OVERLOADED_S),
            (3001, now_s < faults.odometry_s),
            (4001, now_s < faults.imu_node_s),
            (4008, self.fell),
            (4009, now_s < faults.imu_s),
            (4501, now_s < faults.imu_calibration_s),
            (4502, now_s < faults.gyro_calibration_s),
            (5001, now_s < faults.lidar_s || self.lidar_off_s.is_some_and(|off_s| now_s - off_s > SILENT_S)),
            (6004, self.temperature_c(now_s) > TOO_HOT_C),
            (8003, charge < parts::EXTREMELY_LOW_RATIO),
            (8501, charge < parts::LOW_RATIO),
            (11_001, now_s < faults.depth_camera_s),
        ];
        for (code, holds) in facts {
            self.alerts.set(code, holds);
        }
        self.alerts.update(&mut self.state.moment(around));
    }

    /// Why docking failed, if it did: the alert, and the reason.
    pub(super) fn docking_error(&self, around: &Surroundings<'_>) -> (i64, Failure) {
        let near =
            |it: &crate::config::Charger| around.pose.distance_to(it.position_m[0], it.position_m[1]) < 1.5;
        if !self.file.chargers.iter().any(near) {
            (10_002, Failure::NoCharger)
        } else if around.time_s < self.faults.charger_s {
            (10_003, Failure::NoCurrent)
        } else {
            (10_001, Failure::DockFailed)
        }
    }
}

/// The robot's own number for a failure that is more than the word for it says.
pub(super) fn failure_code(failure: Failure) -> Option<i64> {
    match failure {
        Failure::NoMap => Some(2),
        Failure::Blind => Some(16),
        Failure::AlreadyCharging => Some(104),
        Failure::FarFromRoute => Some(401),
        Failure::NoCurrent => Some(105),
        Failure::RackMissed => Some(502),
        Failure::LiftTaken => Some(300),
        Failure::LiftShut => Some(301),
        Failure::LiftObscured => Some(302),
        Failure::JackUp => Some(506),
        Failure::NoRackArea => Some(507),
        Failure::RackAreaBare => Some(508),
        Failure::RackAreaEmpty => Some(510),
        Failure::RackAreaMissed => Some(511),
        Failure::RackAreaFull => Some(512),
        Failure::RackAreaShut => Some(513),
        _ => None,
    }
}

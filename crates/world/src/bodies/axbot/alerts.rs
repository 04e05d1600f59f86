//! What is wrong: the robot's own list of codes, raised and cleared by what is so.
//!
//! Thousands are the component, hundreds 0 to 4 an error and 5 to 9 a warning.

use latimer_core::model::Kind;
use latimer_core::model::signal::{
    Alert, Alerts as AlertsSignal, Hazard, HazardItem, HazardSource, Severity,
};

use crate::bodies::moment::Moment;

/// Steps between two reports of a list that stays as it is: 1 s.
const PERIOD: u64 = 100;

/// Every code that the world can raise, with what it says.
const CODES: [(i64, &str); 20] = [
    (1001, "The planning node is not running"),
    (1002, "The occupancy grid server is not running"),
    (1003, "The map server is not running"),
    (1004, "The node that makes maps is not running"),
    (2001, "The wheel node is not running"),
    (2002, "The wheels are overloaded"),
    (3001, "The odometry node is not running"),
    (4001, "The IMU node is not running"),
    (4008, "The tilt is extremely large, the robot has probably fallen"),
    (4009, "IMU data cannot be read"),
    (4501, "The IMU is not calibrated"),
    (4502, "The scale of the gyroscope is not calibrated"),
    (5001, "No lidar data for more than a second"),
    (6004, "Kernel temperature is higher than 80!"),
    (8003, "The battery is extremely low"),
    (8501, "The battery is low"),
    (10001, "Docking failed: no touch signal after the last try"),
    (10002, "The charging dock is not recognised"),
    (10003, "Docking failed: touched, but no current"),
    (11001, "The depth camera node is not running"),
];

/// Codes that mean danger to a drive, with what finds it and where.
const DANGERS: [(&[i64], HazardSource, &str); 3] = [
    (&[2001, 2002], HazardSource::MotorStall, "wheels"),
    (&[4008], HazardSource::DriveZone, "tilt"),
    (&[5001], HazardSource::Range, "lidar"),
];

/// The list.
#[derive(Default)]
pub(super) struct Alerts {
    active: Vec<i64>,
    published: bool,
}

impl Alerts {
    /// Whether a code holds from now on.
    pub(super) fn set(&mut self, code: i64, holds: bool) {
        let known = self.active.iter().position(|it| *it == code);
        match (known, holds) {
            (None, true) => {
                self.active.push(code);
                self.active.sort_unstable();
                self.published = false;
            }
            (Some(number), false) => {
                self.active.remove(number);
                self.published = false;
            }
            _ => {}
        }
    }

    /// Reports changes at once.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        if std::mem::replace(&mut self.published, true) && !now.due(Kind::Alerts, PERIOD) {
            return;
        }
        let alert = |code: &i64| {
            let text = CODES.iter().find(|(known, _)| known == code).map_or("", |(_, text)| text);
            let severity = if code / 100 % 10 < 5 { Severity::Error } else { Severity::Warning };
            Alert { code: *code, severity, message: text.to_owned() }
        };
        now.reports.publish(AlertsSignal { active: self.active.iter().map(alert).collect() });
        now.reports.publish(self.hazards());
    }

    /// What of it keeps the robot from driving.
    fn hazards(&self) -> Hazard {
        let item = |(codes, source, part): &(&[i64], HazardSource, &str)| HazardItem {
            source: *source,
            part: (*part).into(),
            active: codes.iter().any(|code| self.active.contains(code)),
        };
        Hazard { items: DANGERS.iter().map(item).collect(), critical_error_code: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_it_from_driving_is_a_hazard() {
        let mut alerts = Alerts::default();
        alerts.set(6004, true);
        assert!(alerts.hazards().items.iter().all(|it| !it.active));
        alerts.set(5001, true);
        let active: Vec<_> = alerts.hazards().items.into_iter().filter(|it| it.active).collect();
        assert!(matches!(&active[..], [it] if it.source == HazardSource::Range && &*it.part == "lidar"));
    }

    #[test]
    fn every_code_is_listed_once_and_has_a_text() {
        let mut alerts = Alerts::default();
        for (code, text) in CODES {
            alerts.set(code, true);
            alerts.set(code, true);
            assert!(!text.is_empty());
        }
        assert_eq!(alerts.active.len(), CODES.len());
        alerts.set(8501, false);
        assert!(!alerts.active.contains(&8501) && alerts.active.contains(&8003));
    }
}

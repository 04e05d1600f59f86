//! `/alerts`, and those of them that keep a robot from driving, as hazards.

use std::sync::Arc;

use latimer_core::model::signal::{Alert, Alerts, Hazard, HazardItem, HazardSource, Severity};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use super::words::{meaning_of, word_of};
use crate::axbot::wire::Extra;
use crate::axbot::wire::state::{Alert as WireAlert, Alerts as WireAlerts};

pub(in crate::axbot) const LEVELS: [(&str, Severity); 2] =
    [("warning", Severity::Warning), ("error", Severity::Error)];

/// Codes that mean danger to a drive, from and to, with what finds it and where.
const DANGERS: [(i64, i64, HazardSource, &str); 8] = [
    // A step down ahead.
    (1012, 1012, HazardSource::DriveZone, "floor_ahead"),
    // Wheels that run away.
    (2007, 2007, HazardSource::Overspeed, "wheels"),
    // All other faults of the wheels.
    (2001, 2499, HazardSource::MotorStall, "wheels"),
    // It tilts or fell.
    (4004, 4004, HazardSource::DriveZone, "tilt"),
    (4008, 4008, HazardSource::DriveZone, "tilt"),
    // No scans.
    (5001, 5499, HazardSource::Range, "lidar"),
    (8006, 8006, HazardSource::Current, "motors"),
    (8502, 8502, HazardSource::Bumper, "bumper"),
];

/// What is wrong, and beside it what of that keeps the robot from driving.
pub(super) fn heard_from_alerts(message: &WireAlerts, received: Timestamp) -> Vec<Received> {
    let WireAlerts { alerts, extra: _ } = message;
    let Some(alerts) = alerts else { return Vec::new() };
    let active: Vec<Alert> = alerts.iter().filter_map(alert_from_wire).collect();
    let hazards = hazards_from_alerts(&active);
    let stamp = Stamp::gateway(received);
    vec![Received::new(None, stamp, Alerts { active }), Received::new(None, stamp, hazards)]
}

fn alert_from_wire(alert: &WireAlert) -> Option<Alert> {
    let WireAlert { code, level, msg, extra: _ } = alert;
    let code = (*code)?;
    let severity = level.as_deref().and_then(|level| meaning_of(&LEVELS, level));
    let severity = severity.unwrap_or_else(|| severity_from_code(code));
    Some(Alert { code, severity, message: msg.clone().unwrap_or_default() })
}

/// By the vendor's rule: five hundred and more within a thousand are warnings.
fn severity_from_code(code: i64) -> Severity {
    if code.rem_euclid(1_000) < 500 { Severity::Error } else { Severity::Warning }
}

/// Every hazard that alerts can tell, and which of them hold.
pub fn hazards_from_alerts(alerts: &[Alert]) -> Hazard {
    let mut items: Vec<HazardItem> = Vec::new();
    for (.., source, part) in DANGERS {
        if !items.iter().any(|item| item.source == source && *item.part == *part) {
            items.push(HazardItem { source, part: Arc::from(part), active: false });
        }
    }
    for alert in alerts {
        let danger = DANGERS.iter().find(|(from, to, ..)| (*from..=*to).contains(&alert.code));
        let Some((.., source, part)) = danger else { continue };
        items
            .iter_mut()
            .filter(|item| item.source == *source && *item.part == **part)
            .for_each(|item| item.active = true);
    }
    Hazard { items, critical_error_code: None }
}

/// What is wrong.
pub(super) fn alerts(alerts: &Alerts) -> WireAlerts {
    let wire = |alert: &Alert| {
        let Alert { code, severity, message } = alert;
        WireAlert {
            code: Some(*code),
            level: word_of(&LEVELS, severity).map(str::to_owned),
            msg: Some(message.clone()),
            extra: Extra::new(),
        }
    };
    WireAlerts { alerts: Some(alerts.active.iter().map(wire).collect()), extra: Extra::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(code: i64) -> Vec<(HazardSource, String)> {
        let alert = Alert { code, severity: Severity::Error, message: String::new() };
        let hazard = hazards_from_alerts(&[alert]);
        hazard.items.iter().filter(|it| it.active).map(|it| (it.source, it.part.to_string())).collect()
    }

    #[test]
    fn danger_to_a_drive_is_a_hazard() {
        assert_eq!(active(4008), [(HazardSource::DriveZone, "tilt".to_owned())]);
        assert_eq!(active(2002), [(HazardSource::MotorStall, "wheels".to_owned())]);
        assert_eq!(active(2007), [(HazardSource::Overspeed, "wheels".to_owned())]);
        assert_eq!(active(5001), [(HazardSource::Range, "lidar".to_owned())]);
        assert_eq!(active(8501), []);
        assert!(hazards_from_alerts(&[]).items.iter().all(|item| !item.active));
    }

    #[test]
    fn a_code_tells_how_bad_it_is_if_the_level_does_not() {
        let alert = |code, level: &str| {
            let wire = WireAlert { code: Some(code), level: Some(level.into()), ..WireAlert::default() };
            alert_from_wire(&wire).unwrap().severity
        };
        assert_eq!(alert(6004, "none"), Severity::Error);
        assert_eq!(alert(8501, ""), Severity::Warning);
        assert_eq!(alert(8501, "error"), Severity::Error);
    }
}

//! Those of `/alerts` that keep a robot from driving, as hazards.

use std::sync::Arc;

use latimer_core::model::signal::{Alert, Hazard, HazardItem, HazardSource};

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

/// Every hazard that alerts can tell, and which of them hold.
pub(super) fn hazards_from_alerts(alerts: &[Alert]) -> Hazard {
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

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::Severity;

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
}

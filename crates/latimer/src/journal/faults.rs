//! Faults that signals report.

use latimer_core::model::PartName;
use latimer_core::model::signal::{
    Battery, Control, Hazard, HazardSource, PowerState, Range, RangeStatus, Severity,
};

use super::alerts::Fault;

/// Longest message that is kept, in characters.
const MAX_TEXT: usize = 300;

/// Charge below which a battery is low, and above which it is not any more, 0..1.
const LOW_RATIO: f64 = 0.10;
const ENOUGH_RATIO: f64 = 0.12;

pub(super) fn fault(code: Option<i64>, severity: Severity, message: &str) -> Fault {
    Fault { code, severity, message: message.chars().take(MAX_TEXT).collect() }
}

/// The hazards that hold; they stop the robot, as they shall, so they are no errors.
pub(super) fn of_hazard(hazard: &Hazard) -> impl Iterator<Item = Fault> {
    let Hazard { items, critical_error_code } = hazard;
    let broken = critical_error_code
        .filter(|code| *code != 0)
        .map(|code| fault(Some(code), Severity::Error, "the robot's hazard system is broken"));
    let found = items.iter().filter(|item| item.active).map(|item| {
        let what = match item.source {
            HazardSource::Bumper => "a bumper is pressed",
            HazardSource::Range => "something is too near, or the floor too far",
            HazardSource::Current => "a motor draws too much current",
            HazardSource::DriveZone => "something is in the zone where driving stops",
            HazardSource::MotorStall => "a motor does not turn",
            HazardSource::Overspeed => "a motor turns too fast",
        };
        fault(None, Severity::Warning, &format!("{what}: {}", item.part))
    });
    broken.into_iter().chain(found)
}

/// An emergency stop that is pressed: nothing goes on until somebody releases it.
pub(super) fn of_control(control: &Control) -> Vec<Fault> {
    let pressed = || fault(None, Severity::Error, "the emergency stop is pressed");
    control.emergency_stop.then(pressed).into_iter().collect()
}

/// A sensor that says it is broken.
pub(super) fn of_sensor(range: &Range, part: Option<&PartName>) -> Vec<Fault> {
    let broken = || {
        let which = part.map(|part| format!(": {part}")).unwrap_or_default();
        fault(None, Severity::Error, &format!("a sensor is broken{which}"))
    };
    (range.status == RangeStatus::HardwareFault).then(broken).into_iter().collect()
}

/// Whether a battery is low; `None` if that stays as it was.
pub(super) fn charge(battery: &Battery, was_low: bool) -> Option<Vec<Fault>> {
    if matches!(battery.state, PowerState::Charging | PowerState::Full) {
        return Some(Vec::new());
    }
    let charge_ratio = battery.charge_ratio?;
    // No charge in the message: it would be another alert with every percent.
    match charge_ratio {
        charge if charge < LOW_RATIO => {
            Some(vec![fault(None, Severity::Warning, "the battery is low; it has less than 10 % charge")])
        }
        charge if charge > ENOUGH_RATIO || !was_low => Some(Vec::new()),
        _ => None,
    }
}

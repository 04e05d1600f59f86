//! How fast it may drive, as its owner sets it.

use latimer_core::Outcome;
use latimer_core::model::Signal;
use latimer_core::model::signal::{DriveLimits, SpeedLimits};

use super::Axbot;
use super::parts::{GREATEST_LIMITS, LIMITS, ROVER};
use crate::bodies::check;
use crate::bodies::rover::{Drive, DriveBounds};

impl Axbot {
    /// Sets the limits that are given, all or none; those that are not given stay.
    pub(super) fn set_limits(&mut self, given: &SpeedLimits) -> Result<(), Outcome> {
        let SpeedLimits { forward_mps, backward_mps, angular_radps, speed_up_mps2, slow_down_mps2 } =
            given.clone();
        let greatest = &GREATEST_LIMITS;
        let present = &self.limits;
        let set = SpeedLimits {
            forward_mps: set("speed ahead in m/s", forward_mps, present.forward_mps, greatest.forward_mps)?,
            backward_mps: set(
                "speed backwards in m/s",
                backward_mps,
                present.backward_mps,
                greatest.backward_mps,
            )?,
            angular_radps: set(
                "turn rate in rad/s",
                angular_radps,
                present.angular_radps,
                greatest.angular_radps,
            )?,
            speed_up_mps2: set(
                "acceleration in m/s²",
                speed_up_mps2,
                present.speed_up_mps2,
                greatest.speed_up_mps2,
            )?,
            slow_down_mps2: set(
                "deceleration in m/s²",
                slow_down_mps2,
                present.slow_down_mps2,
                greatest.slow_down_mps2,
            )?,
        };
        apply(&set, &mut self.rover.drive);
        self.limits = set;
        // The client that set the limits reads them next.
        let signal = self.limits_signal();
        self.state.reports.publish(signal);
        Ok(())
    }

    /// The limits as it publishes them.
    pub(super) fn limits_signal(&self) -> Signal {
        DriveLimits { present: self.limits.clone(), default: LIMITS, greatest: GREATEST_LIMITS }.into()
    }
}

/// One limit: the given one if it is within bounds, else the present one.
fn set(
    what: &str,
    given: Option<f64>,
    present: Option<f64>,
    greatest: Option<f64>,
) -> Result<Option<f64>, Outcome> {
    let Some(given) = given else { return Ok(present) };
    check::within(&format!("the limit of the {what}"), given, 0.0, greatest.unwrap_or_default()).map(Some)
}

/// Has the wheels keep the limits.
pub(super) fn apply(limits: &SpeedLimits, drive: &mut Drive) {
    let SpeedLimits { forward_mps, backward_mps, angular_radps, speed_up_mps2, slow_down_mps2 } =
        limits.clone();
    let bounds = DriveBounds {
        forward_mps: forward_mps.unwrap_or(ROVER.max_linear_mps),
        backward_mps: backward_mps.unwrap_or(ROVER.max_linear_mps),
        angular_radps: angular_radps.unwrap_or(ROVER.max_angular_radps),
    };
    let wheels = &ROVER.wheels;
    let up_mps2 = speed_up_mps2.unwrap_or(wheels.speed_up_mps2);
    let down_mps2 = slow_down_mps2.unwrap_or(wheels.slow_down_mps2);
    drive.set_limits(bounds, [up_mps2, down_mps2]);
}

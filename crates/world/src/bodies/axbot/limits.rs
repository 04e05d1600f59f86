//! How fast it may drive, as its owner sets it.

use latimer_core::Outcome;
use latimer_core::model::signal::{DriveLimits, SpeedLimits};
use latimer_core::model::{NativeCall, Signal};

use super::Axbot;
use super::parts::{GREATEST_LIMITS, LIMITS, ROVER};
use crate::bodies::check;
use crate::bodies::rover::{Drive, DriveBounds};

impl Axbot {
    /// Sets the limits that are given, all or none; those that are not given stay.
    pub(super) fn set_limits(&mut self, call: &NativeCall) -> Result<(), Outcome> {
        let (present, greatest) = (&self.limits, &GREATEST_LIMITS);
        let limit = |name: &str, what: &str, present: Option<f64>, greatest: Option<f64>| match call
            .argument::<Option<f64>>(name)?
        {
            Some(given) => {
                let what = format!("the limit of the {what}");
                check::within(&what, given, 0.0, greatest.unwrap_or_default()).map(Some)
            }
            None => Ok(present),
        };
        macro_rules! limits {
            ($($name:ident: $what:literal,)*) => {
                SpeedLimits { $($name: limit(stringify!($name), $what, present.$name, greatest.$name)?,)* }
            };
        }
        let set = limits! {
            forward_mps: "speed ahead in m/s",
            backward_mps: "speed backwards in m/s",
            angular_radps: "turn rate in rad/s",
            speed_up_mps2: "acceleration in m/s²",
            slow_down_mps2: "deceleration in m/s²",
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

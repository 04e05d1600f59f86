//! How its wheels hold the floor, and whether it stands.

use latimer_core::model::Kind;
use latimer_core::model::signal::{ControlMode, Traction};

use super::{Axbot, RARE_PERIOD, parts};
use crate::physics::Surroundings;

/// Slower than this is at rest, m/s and rad/s.
const STILL: f64 = 0.005;

/// What was published last.
#[derive(Default)]
pub(super) struct TractionReport(Option<Traction>);

impl Axbot {
    /// Publishes changes at once, and what stays as it is now and then.
    pub(super) fn publish_traction(&mut self, around: &Surroundings<'_>) {
        let traction = self.traction(around);
        if self.traction.0.as_ref() != Some(&traction)
            || self.state.moment(around).due(Kind::Traction, RARE_PERIOD)
        {
            self.state.reports.publish(traction.clone());
            self.traction.0 = Some(traction);
        }
    }

    fn traction(&mut self, around: &Surroundings<'_>) -> Traction {
        let stalled = self.rover.drive.tracks().is_stalled();
        let wheels_still = self.rover.drive.tracks().speeds_mps().iter().all(|mps| mps.abs() < STILL);
        let in_air = self.state.is_lifted();
        let moves = around.motion.forward_mps.abs() > STILL || around.motion.turn_radps.abs() > STILL;
        let body_still = !in_air && !moves;
        let fit_mps = if self.disabled().is_some() { 0.0 } else { self.limits().follow.linear_mps };
        let most_mps = self.limits.forward_mps.unwrap_or(parts::ROVER.max_linear_mps);
        Traction {
            slipping: Some(self.is_slipping(around.time_s)),
            slipping_badly: Some(stalled),
            // Its wheels turn freely then, and only somebody who pushes makes it move.
            pushed: Some(self.switches.mode() == ControlMode::Manual && moves),
            suggested_mps: Some(fit_mps.min(most_mps)),
            still: Some(wheels_still && body_still),
            wheels_still: Some(wheels_still),
            body_still: Some(body_still),
        }
    }
}

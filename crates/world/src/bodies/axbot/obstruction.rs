//! What keeps it from driving, altogether or by itself.

use latimer_core::model::signal::ControlMode;

use super::Axbot;

impl Axbot {
    /// Why it cannot drive at all.
    pub(super) fn disabled(&self) -> Option<&'static str> {
        if self.switches.is_stopped() {
            return Some("the emergency stop is pressed; release it");
        }
        if self.state.is_lifted() {
            return Some("it is held in the air");
        }
        if self.state.fallen {
            return Some("it fell over an edge; put it elsewhere");
        }
        if self.state.time_s < self.faults.wheels_s {
            return Some("the wheels do not answer");
        }
        self.rover.power.battery.is_empty().then_some("the battery is empty; put the robot on a charger")
    }

    /// Whether autonomous driving is blocked.
    pub(super) fn is_held(&self) -> bool {
        self.disabled().is_some()
            || self.switches.mode() != ControlMode::Auto
            || !self.switches.is_awake()
            || self.state.time_s < self.faults.planner_s
            || self.waits_for_target()
            || self.awaits_jack
    }

    /// Whether a command sent it to the charger on which it stands.
    pub(super) fn stays_to_charge(&self) -> bool {
        self.sent_to_charge && self.rover.power.is_docked()
    }
}

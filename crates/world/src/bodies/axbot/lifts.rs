//! Lifts: it calls the one that it is sent into, and the one that it leaves, and drives when the door is open.
//!
//! ```text
//!  sent in ──near the door: called──▶ waits ──open──▶ drives in      taken: 300, shut for 30 s: 301, obscured: 302
//!  within, sent elsewhere: called ──▶ waits ──open──▶ drives out
//! ```
//!
//! There is one floor: a lift that it has left for is the lift that it comes out of.

use latimer_core::model::signal::NavigationKind;

use super::Axbot;
use crate::bodies::{Effect, Outbox};
use crate::config::{Lift, WorldFile};
use crate::nav::Failure;
use crate::physics::{DoorState, Surroundings};

/// So near to the middle of a lift it calls it, metres.
const CALL_M: f64 = 3.0;

/// Steps between two calls: 1 s.
const CALL_PERIOD: u64 = 100;

/// What it says while it is within one.
const WITHIN: &[&str] = &["in_elevator"];

impl Axbot {
    /// Calls a lift that it has to get into or out of, and gives one up that is taken.
    pub(super) fn ride(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        let within = lift_at(around.file, [around.pose.x_m, around.pose.y_m]);
        let enters = self.rover.way.kind() == Some(NavigationKind::EnterElevator);
        let goal = self.rover.way.goal().and_then(|goal| lift_at(around.file, goal.at_m));
        let into = goal.filter(|it| enters && Some(*it) != within);
        let taken = into.is_some_and(|it| is_open(around, it) && is_taken(around, it));
        let from = within.filter(|it| self.rover.way.is_active() && Some(*it) != goal);
        let near = |it: &&Lift| around.pose.distance_to(it.position_m[0], it.position_m[1]) < CALL_M;
        if self.state.tick.is_multiple_of(CALL_PERIOD)
            && let Some(lift) = into.or(from).filter(near)
        {
            out.act(Effect::CallLift(lift.name.clone()));
        }
        self.rover.way.set_flags(if within.is_some() { WITHIN } else { &[] });
        if taken {
            self.cancel_for(Failure::LiftTaken);
        }
    }
}

/// The lift whose cabin a point on the map is in.
pub(super) fn lift_at(file: &WorldFile, [x_m, y_m]: [f64; 2]) -> Option<&Lift> {
    file.lifts.iter().find(|it| it.contains(x_m, y_m))
}

fn is_open(around: &Surroundings<'_>, lift: &Lift) -> bool {
    around.doors.iter().any(|it| it.file.name == lift.name && it.state == DoorState::Open)
}

/// Whether another robot stands in it; this one does not.
fn is_taken(around: &Surroundings<'_>, lift: &Lift) -> bool {
    around.crowd.iter().any(|it| lift.contains(it.pose.x_m, it.pose.y_m))
}

//! Where it drives by habit, on the rounds of its patrol and to the charger: each time is a move with a number of its own,
//! which clients see and can cancel.
//!
//! ```text
//!  waits ──may drive──▶ on a round ──there──▶ on the next one
//!    ▲                       │
//!    └── failed: for 5 s; a command: for `resume_after_s`; the charge is low: until it is charged
//! ```

use latimer_core::model::signal::NavigationKind;
use latimer_core::model::{Destination, NavigationGoal};

use super::Axbot;
use crate::behaviour::{HabitGoal, REST_S};

/// How far a round leaves its line to get around something, metres (plausible).
const DETOUR_M: f64 = 1.0;

/// What it drives by habit.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// The number of the move that it is on, or was last on, and what it is.
    current: Option<(i64, NavigationKind)>,
    /// When the next move may begin, seconds.
    next_s: f64,
}

impl Rounds {
    /// Another drive takes the place of the move.
    pub(super) fn end(&mut self) {
        self.current = None;
    }

    /// A drive failed: the next move waits a moment.
    pub(super) fn rest(&mut self, time_s: f64) {
        self.next_s = time_s + REST_S;
    }
}

impl Axbot {
    /// It has a goal by habit: it begins to drive there unless it drives already or cannot drive.
    pub(super) fn go_by_habit(&mut self, goal: &HabitGoal) {
        let kind = match goal {
            HabitGoal::Round(_) => NavigationKind::Route,
            HabitGoal::Charger => NavigationKind::Charge,
        };
        if self.rounds.current.is_some_and(|(_, current)| current != kind) {
            self.end_habit();
        }
        if self.rover.way.is_active()
            || self.calibration.is_some()
            || self.search.is_some()
            || self.state.time_s < self.rounds.next_s
            || self.hindrance().is_some()
            || self.jack.is_moving()
        {
            return;
        }
        let id = match goal {
            HabitGoal::Round(points_m) => {
                self.leave();
                self.rover.way.set_limits(self.limits());
                self.rover.way.follow_route(points_m.to_vec(), DETOUR_M, None)
            }
            HabitGoal::Charger if !self.knows_charger() => return self.rounds.rest(self.state.time_s),
            HabitGoal::Charger => {
                let goal = NavigationGoal::to(Destination::Charger {
                    pose: None,
                    retries: self.limits().dock_tries,
                });
                if self.navigate(&goal).is_err() {
                    return self.rounds.rest(self.state.time_s);
                }
                // It leaves again by habit, too.
                self.sent_to_charge = false;
                self.rover.way.id().unwrap_or_default()
            }
        };
        self.rounds.current = Some((id, kind));
    }

    /// Ends the move that it makes by habit, if any; a drive that a client asked for goes on, and so does the last step into
    /// the charger.
    pub(super) fn end_habit(&mut self) {
        let Some((id, kind)) = self.rounds.current else { return };
        if kind == NavigationKind::Charge && self.rover.power.is_docked() {
            return;
        }
        self.rounds.end();
        if self.rover.way.id() == Some(id) {
            self.cancel();
        }
    }
}

//! The rounds of its patrol: each is a move along a route with a number of its own, which clients see and can cancel.
//!
//! ```text
//!  waits ──may drive──▶ on a round ──there──▶ on the next one
//!    ▲                       │
//!    └── failed: for 5 s; a command: for `resume_after_s`; the way to the charger
//! ```

use super::Axbot;
use crate::behaviour::REST_S;

/// How far a round leaves its line to get around something, metres (plausible).
const DETOUR_M: f64 = 1.0;

/// The rounds.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// The number of the round that it is on, or was last on.
    id: Option<i64>,
    /// When the next round may begin, seconds.
    next_s: f64,
}

impl Rounds {
    /// Another drive takes the place of the round.
    pub(super) fn end(&mut self) {
        self.id = None;
    }

    /// A drive failed: the next round waits a moment.
    pub(super) fn rest(&mut self, time_s: f64) {
        self.next_s = time_s + REST_S;
    }
}

impl Axbot {
    /// Its patrol wants it to go round: it begins the next round unless it drives already or cannot drive.
    pub(super) fn go_round(&mut self, points_m: &[[f64; 2]]) {
        if self.rover.way.is_active()
            || self.calibration.is_some()
            || self.search.is_some()
            || self.time_s < self.rounds.next_s
            || self.hindrance().is_some()
        {
            return;
        }
        self.leave();
        self.rover.way.set_limits(self.limits());
        self.rounds.id = Some(self.rover.way.follow_route(points_m.to_vec(), DETOUR_M, None));
    }

    /// Ends the round that it is on, if any; a drive that a client asked for goes on.
    pub(super) fn end_round(&mut self) {
        if let Some(id) = self.rounds.id.take()
            && self.rover.way.id() == Some(id)
        {
            self.cancel();
        }
    }
}

//! The speed that a robot is kept at: sent when it changes, again while it lasts, and `Stop` once when it ends.
//!
//! ```text
//!         a speed                     none
//! Rest ────────────▶ Driving ──────────────────▶ Rest
//!                    │    ▲  Drive on change, and again in time
//!                    └────┘
//! ```
//!
//! A robot that receives nothing stops by itself soon, so that it is safe from a gateway that dies.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::Command;

use crate::miro::limits::{SPEED_HOLD_TIME, SPEED_RENEW_INTERVAL};

/// Forward and counter-clockwise, m/s and rad/s.
pub(super) type Speeds = (f64, f64);

/// The speed that was sent last.
#[derive(Debug)]
pub(super) struct Drive {
    /// Least time between two commands.
    least: Duration,
    /// What was sent last, and when, while it goes.
    sent: Option<(Speeds, Timestamp)>,
}

impl Drive {
    pub(super) const fn new(least: Duration) -> Self {
        Self { least, sent: None }
    }

    /// It is sent no more often than this.
    pub(super) const fn pace(&mut self, least: Duration) {
        self.least = least;
    }

    /// Whether the last command drives it.
    pub(super) const fn goes(&self) -> bool {
        self.sent.is_some()
    }

    /// Another client stopped the robot: nothing is left to end.
    pub(super) const fn stopped(&mut self) {
        self.sent = None;
    }

    /// What to say so that it goes at a speed, or stands.
    pub(super) fn step(&mut self, wanted: Option<Speeds>, now: Timestamp) -> Option<Command> {
        let Some(speeds) = wanted else {
            return self.sent.take().map(|_| Command::Stop { hold: false });
        };
        if let Some((before, at)) = self.sent {
            let passed = now.since(at);
            let due = if before == speeds { SPEED_RENEW_INTERVAL } else { self.least };
            if passed < due {
                return None;
            }
        }
        self.sent = Some((speeds, now));
        let (linear_mps, angular_radps) = speeds;
        Some(Command::Drive { linear_mps, angular_radps, duration: Some(SPEED_HOLD_TIME) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_millis(ms))
    }

    fn speed(command: &Command) -> f64 {
        match command {
            Command::Drive { linear_mps, .. } => *linear_mps,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_speed_is_sent_on_change_and_again_and_ended_once() {
        let mut drive = Drive::new(Duration::from_millis(50));
        assert_eq!(drive.step(None, at(0)), None, "what stands is not stopped");
        assert_eq!(speed(&drive.step(Some((0.1, 0.0)), at(20)).unwrap()), 0.1);
        assert_eq!(drive.step(Some((0.2, 0.0)), at(40)), None, "too soon");
        assert_eq!(speed(&drive.step(Some((0.2, 0.0)), at(80)).unwrap()), 0.2);
        assert_eq!(drive.step(Some((0.2, 0.0)), at(270)), None);
        assert!(drive.step(Some((0.2, 0.0)), at(280)).is_some());
        assert!(drive.goes());
        assert_eq!(drive.step(None, at(281)), Some(Command::Stop { hold: false }));
        assert_eq!(drive.step(None, at(300)), None);
    }
}

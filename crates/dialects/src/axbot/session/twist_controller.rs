//! Driving by hand: one `/twist` at a time, the next one after the robot's feedback; no I/O.
//!
//! ```text
//!  idle ──drive──▶ to be sent ──send──▶ unanswered ──feedback, or 1 s──▶ held ──50 ms──▶ to be sent
//!                      ▲                    │ newest wins                  │
//!                      └────────────────────┘                 its time is over: zero, then idle
//!
//!  any ──halt──▶ zero at once, and once more after the feedback that was due
//! ```

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::hub::CommandRequest;
use latimer_core::model::Outcome;
use serde_json::json;

use crate::axbot::limits::{DRIVE_HOLD_TIMEOUT, DRIVE_MAX_TIME, FEEDBACK_TIMEOUT, TWIST_RENEW_INTERVAL};

/// How fast, and for how long.
#[derive(Debug)]
struct Twist {
    linear_mps: f64,
    angular_radps: f64,
    hold: Duration,
    /// Until when it holds, once it was sent: a robot that answers late must not be stopped before it began.
    until: Option<Timestamp>,
}

impl Twist {
    const fn zero() -> Self {
        Self { linear_mps: 0.0, angular_radps: 0.0, hold: Duration::ZERO, until: None }
    }

    fn stands(&self) -> bool {
        self.linear_mps == 0.0 && self.angular_radps == 0.0
    }

    fn frame(&self) -> String {
        json!({
            "topic": "/twist", "linear_velocity": self.linear_mps, "angular_velocity": self.angular_radps,
        })
        .to_string()
    }
}

/// Driving by hand.
#[derive(Debug, Default)]
pub(super) struct TwistController {
    twist: Option<Twist>,
    sent: Option<Timestamp>,
    unanswered: bool,
    /// Who asked for what is to be sent.
    asks: Option<CommandRequest>,
    /// Who asked for what was sent.
    waits: Option<CommandRequest>,
}

impl TwistController {
    /// Goes at a speed for a while, in place of what was before.
    pub(super) fn drive(
        &mut self,
        [linear_mps, angular_radps]: [f64; 2],
        duration: Option<Duration>,
        request: Option<CommandRequest>,
    ) {
        let hold = duration.unwrap_or(DRIVE_HOLD_TIMEOUT).min(DRIVE_MAX_TIME);
        self.twist = Some(Twist { linear_mps, angular_radps, hold, until: None });
        if let Some(older) = std::mem::replace(&mut self.asks, request) {
            older.answer(Outcome::not_now("a newer drive took its place before the robot was ready for it"));
        }
    }

    /// Stands still: what to send at once, whatever the robot has not answered. If it has not, the same is due again
    /// after that. What was to be driven is answered that a stop came after it.
    pub(super) fn halt(&mut self, now: Timestamp) -> String {
        for overtaken in [self.asks.take(), self.waits.take()].into_iter().flatten() {
            overtaken.answer(Outcome::stopped());
        }
        self.twist = self.unanswered.then(Twist::zero);
        self.unanswered = true;
        self.sent = Some(now);
        Twist::zero().frame()
    }

    /// The robot has taken the last twist.
    pub(super) fn feedback(&mut self) {
        self.unanswered = false;
        if let Some(request) = self.waits.take() {
            request.answer(Outcome::Accepted);
        }
    }

    /// Something is not done; if it is the last twist, nothing is driven any more.
    pub(super) fn throttled_warning(&mut self, reason: &str) {
        let Some(reason) = reason.strip_prefix("/twist: ") else { return };
        if let Some(request) = self.waits.take() {
            request.answer(Outcome::not_now(reason));
            self.twist = self.twist.take_if(|twist| twist.until.is_none());
        }
    }

    /// What is to be sent now.
    pub(super) fn due(&mut self, now: Timestamp) -> Option<String> {
        if self.wakes()? > now {
            return None;
        }
        if let Some(late) = self.waits.take() {
            late.answer(Outcome::TimedOut);
        }
        self.unanswered = false;
        // A drive whose caller gave up before the robot was ready for it.
        if let Some(outcome) = self.asks.as_ref().and_then(|asks| asks.check().err()) {
            self.asks.take().into_iter().for_each(|asks| asks.answer(outcome.clone()));
            self.twist = Some(Twist::zero());
        }
        let twist = self.twist.as_mut()?;
        if twist.until.is_some_and(|until| now >= until) {
            *twist = Twist::zero();
        }
        twist.until.get_or_insert_with(|| now.after(twist.hold));
        let frame = twist.frame();
        if twist.stands() {
            self.twist = None;
        }
        self.waits = self.asks.take();
        self.waits.iter().for_each(CommandRequest::sent);
        self.unanswered = true;
        self.sent = Some(now);
        Some(frame)
    }

    /// When there is something to do next; `None` if nothing is driven and nothing waited for.
    pub(super) fn wakes(&self) -> Option<Timestamp> {
        let patience = self.sent.map(|sent| sent.after(FEEDBACK_TIMEOUT));
        if self.unanswered && (self.twist.is_some() || self.waits.is_some()) {
            return patience;
        }
        let twist = self.twist.as_ref()?;
        match (self.sent, twist.until) {
            (Some(sent), Some(until)) => Some(sent.after(TWIST_RENEW_INTERVAL).min(until.max(sent))),
            _ => Some(Timestamp::from_nanos(i64::MIN)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_nanos(ms * 1_000_000)
    }

    fn speed(frame: &str) -> f64 {
        serde_json::from_str::<serde_json::Value>(frame).unwrap()["linear_velocity"].as_f64().unwrap()
    }

    /// Lets time pass in steps of 10 ms with prompt feedback: when a twist was sent, and how fast.
    fn sent(wheel: &mut TwistController, from_ms: i64, to_ms: i64) -> Vec<(i64, f64)> {
        let mut sent = Vec::new();
        for now in (from_ms..to_ms).step_by(10) {
            if let Some(frame) = wheel.due(at(now)) {
                sent.push((now, speed(&frame)));
                wheel.feedback();
            }
        }
        sent
    }

    #[test]
    fn a_drive_is_renewed_and_ends_with_zero() {
        let mut wheel = TwistController::default();
        wheel.drive([0.5, 0.1], Some(Duration::from_millis(120)), None);
        assert_eq!(sent(&mut wheel, 0, 2_000), [(0, 0.5), (50, 0.5), (100, 0.5), (120, 0.0)]);
        assert_eq!(wheel.wakes(), None);
        wheel.drive([0.5, 0.0], None, None);
        let all = sent(&mut wheel, 2_000, 9_000);
        assert_eq!((all.len(), all.last()), (21, Some(&(3_000, 0.0))));
    }

    #[test]
    fn nothing_is_sent_before_the_feedback_and_the_newest_wins() {
        let mut wheel = TwistController::default();
        wheel.drive([0.1, 0.0], None, None);
        assert_eq!(wheel.due(at(0)).as_deref().map(speed), Some(0.1));
        wheel.drive([0.2, 0.0], None, None);
        wheel.drive([0.3, 0.0], None, None);
        assert_eq!(wheel.due(at(900)), None);
        wheel.feedback();
        assert_eq!(wheel.due(at(910)).as_deref().map(speed), Some(0.3));
        // Robots that give no feedback are driven all the same, slowly.
        wheel.drive([0.4, 0.0], None, None);
        assert_eq!(wheel.due(at(1_900)), None);
        assert_eq!(wheel.due(at(1_910)).as_deref().map(speed), Some(0.4));
    }

    #[test]
    fn a_drive_that_is_over_before_it_could_be_sent_still_ends_with_zero() {
        let mut wheel = TwistController::default();
        wheel.drive([0.1, 0.0], Some(Duration::ZERO), None);
        assert_eq!(sent(&mut wheel, 0, 1_000), [(0, 0.1), (10, 0.0)]);
    }

    #[test]
    fn a_drive_holds_from_when_the_robot_hears_of_it() {
        let mut wheel = TwistController::default();
        wheel.drive([0.1, 0.0], None, None);
        wheel.due(at(0)).unwrap();
        wheel.drive([0.2, 0.0], None, None);
        // The robot takes nothing for 0.9 s.
        wheel.feedback();
        let all = sent(&mut wheel, 900, 5_000);
        assert_eq!((all.first(), all.last()), (Some(&(900, 0.2)), Some(&(1_900, 0.0))));
    }

    #[test]
    fn a_halt_is_said_at_once_and_again_after_what_was_on_its_way() {
        let mut wheel = TwistController::default();
        assert_eq!(speed(&wheel.halt(at(0))), 0.0);
        wheel.feedback();
        assert_eq!(sent(&mut wheel, 0, 5_000), [], "nothing was on its way");
        wheel.drive([0.5, 0.0], None, None);
        wheel.due(at(5_000)).unwrap();
        wheel.drive([0.6, 0.0], None, None);
        assert_eq!(speed(&wheel.halt(at(5_010))), 0.0);
        assert_eq!(wheel.due(at(5_020)), None, "the robot has answered neither");
        wheel.feedback();
        assert_eq!(sent(&mut wheel, 5_030, 9_000), [(5_030, 0.0)]);
        assert_eq!(wheel.wakes(), None);
    }
}

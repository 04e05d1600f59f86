//! Messages that waited at a broker while the link to it was away. Nobody knows for how long exactly: at most since the last sign of
//! the broker.

use latimer_core::Timestamp;
use latimer_core::model::{Command, Motion, MotionEffect};

use crate::limits::LATE_COMMAND_MAX_AGE;

/// Whether a command that was sent then, at the earliest, comes too late: it may move the robot now.
pub(crate) fn is_too_late(command: &Command, sent: Timestamp, now: Timestamp) -> bool {
    let may_move = command.motion_effect() == MotionEffect::Moves || command.motion() == Motion::Starts;
    may_move && now.since(sent) > LATE_COMMAND_MAX_AGE
}

/// Why it is refused.
pub(crate) fn refusal(sent: Timestamp, now: Timestamp) -> String {
    format!("it may have waited {} s at the broker; send it again", now.since(sent).as_secs())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_may_move_a_robot_is_not_obeyed_late() {
        let sent = Timestamp::from_nanos(7);
        let late = |command: &Command, after: Duration| is_too_late(command, sent, sent.after(after));
        let drive = Command::Drive { linear_mps: 0.1, angular_radps: 0.0, duration: None };
        let start = Command::SkillMessage { text: "START".to_owned(), data: None };
        for moves in [&drive, &start] {
            assert!(!late(moves, LATE_COMMAND_MAX_AGE));
            assert!(late(moves, LATE_COMMAND_MAX_AGE + Duration::from_millis(1)));
        }
        for harmless in [Command::Stop { hold: false }, Command::Lamp { part: None, rgb: [1, 2, 3] }] {
            assert!(!late(&harmless, 100 * LATE_COMMAND_MAX_AGE), "{harmless:?}");
        }
        assert!(refusal(sent, sent.after(Duration::from_secs(300))).contains("300 s"));
    }
}

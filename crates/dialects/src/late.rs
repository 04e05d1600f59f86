//! Messages that waited at a broker: while the link to it was away, at most since its last sign, or because it retained them.

use latimer_core::Timestamp;
use latimer_core::model::{Command, Motion, MotionEffect};
use latimer_mqtt::Message;

use crate::limits::LATE_COMMAND_MAX_AGE;

/// When a message was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// Then at the earliest.
    After(Timestamp),
    /// Some day: the broker retained it.
    SomeDay,
}

impl Sent {
    /// When a message was sent that has been received.
    pub(crate) fn of(message: &Message, now: Timestamp) -> Self {
        if message.retain { Self::SomeDay } else { Self::After(message.published_after(now)) }
    }
}

/// Why a command is refused that comes too late: it may move the robot now.
pub(crate) fn refusal(command: &Command, sent: Sent, now: Timestamp) -> Option<String> {
    let may_move = command.motion_effect() == MotionEffect::Moves || command.motion() == Motion::Starts;
    match sent {
        _ if !may_move => None,
        Sent::SomeDay => {
            let reason =
                "the broker retained it, so that nobody knows when it was sent; send it without retain";
            Some(reason.to_owned())
        }
        Sent::After(sent) if now.since(sent) <= LATE_COMMAND_MAX_AGE => None,
        Sent::After(sent) => {
            Some(format!("it may have waited {} s at the broker; send it again", now.since(sent).as_secs()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_may_move_a_robot_is_not_obeyed_late() {
        let sent = Timestamp::from_nanos(7);
        let late =
            |command: &Command, after: Duration| refusal(command, Sent::After(sent), sent.after(after));
        let drive = Command::Drive { linear_mps: 0.1, angular_radps: 0.0, duration: None };
        let start = Command::SkillMessage { text: "START".to_owned(), data: None };
        for moves in [&drive, &start] {
            assert_eq!(late(moves, LATE_COMMAND_MAX_AGE), None);
            assert!(late(moves, LATE_COMMAND_MAX_AGE + Duration::from_millis(1)).is_some());
            assert!(refusal(moves, Sent::SomeDay, sent).is_some_and(|it| it.contains("retained")));
        }
        for harmless in [Command::Stop { hold: false }, Command::Lamp { part: None, rgb: [1, 2, 3] }] {
            assert_eq!(late(&harmless, 100 * LATE_COMMAND_MAX_AGE), None, "{harmless:?}");
            assert_eq!(refusal(&harmless, Sent::SomeDay, sent), None, "{harmless:?}");
        }
        assert!(late(&drive, Duration::from_secs(300)).is_some_and(|it| it.contains("300 s")));
    }
}

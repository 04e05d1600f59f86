//! Its program, as far as the swarm reaches it: it runs or waits, and it receives messages.
//!
//! ```text
//! running ──stop──▶ waiting ──START, RESET, a drive──▶ running
//! ```

use latimer_core::model::signal::{Text, TextChannel};
use latimer_core::{Outcome, PartName, Value};

use super::super::reports::Reports;

/// Longest text that reaches it, bytes.
const MAX_TEXT: usize = 1_024;

/// Beside a text: how it came from another robot, or how it goes to others.
const COMM: &str = "comm";

/// A note is for people, not for other robots.
const NOTE: &str = "log";

/// The robot's program.
#[derive(Default)]
pub(super) struct Program {
    waits: bool,
}

/// What a text makes the program do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It goes on.
    On,
    /// It begins anew.
    Anew,
    /// It received a text, which it publishes.
    Received,
}

impl Program {
    /// Whether its behaviour rests.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// It was stopped.
    pub(super) fn stop(&mut self) {
        self.waits = true;
    }

    /// A client drives it, and stops it.
    pub(super) fn driven(&mut self) {
        self.waits = false;
    }

    /// Takes a text: an order, or what another robot said.
    pub(super) fn take(
        &mut self,
        text: &str,
        data: Option<&Value>,
        reports: &mut Reports,
    ) -> Result<Turn, Outcome> {
        check_length(text)?;
        let comm = comm_of(data);
        let word = text.split_whitespace().next().unwrap_or_default();
        match (comm, word) {
            (None, "START") => {
                self.waits = false;
                Ok(Turn::On)
            }
            (None, "RESET") => {
                self.waits = false;
                Ok(Turn::Anew)
            }
            (None, "MODE") => Err(Outcome::unsupported("its program has one mode only")),
            _ => {
                let part = if comm == Some("direct") { "comm_in_direct" } else { "comm_in_simple" };
                report(reports, part, TextChannel::Chat, text, None);
                Ok(Turn::Received)
            }
        }
    }

    /// Says a text: to the robots around it, with `comm` beside it to those ahead of it (`direct`) or as a note (`log`).
    pub(super) fn say(text: &str, data: Option<&Value>, reports: &mut Reports) -> Result<(), Outcome> {
        check_length(text)?;
        match comm_of(data) {
            None | Some("simple") => report(reports, "comm_out_simple", TextChannel::Chat, text, data),
            Some("direct") => report(reports, "comm_out_direct", TextChannel::Chat, text, data),
            Some(NOTE) => report(reports, NOTE, TextChannel::Log, text, data),
            Some(word) => {
                let reason = format!("{COMM} is {word:?}; give simple, direct or {NOTE}");
                return Err(Outcome::bad_argument(reason));
            }
        }
        Ok(())
    }
}

fn check_length(text: &str) -> Result<(), Outcome> {
    if text.len() > MAX_TEXT {
        let reason = format!("a text of {} bytes is too long, the most is {MAX_TEXT}", text.len());
        return Err(Outcome::bad_argument(reason));
    }
    Ok(())
}

fn comm_of(data: Option<&Value>) -> Option<&str> {
    data?.at(&[COMM.into()])?.as_str()
}

fn report(reports: &mut Reports, part: &str, channel: TextChannel, text: &str, data: Option<&Value>) {
    let text = Text { channel, text: text.into(), data: data.cloned(), truncated: Some(false) };
    reports.of(&PartName::of(part), text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_until_it_is_started() {
        let (mut program, mut reports) = (Program::default(), Reports::default());
        program.stop();
        assert!(program.waits());
        assert_eq!(program.take("hello", None, &mut reports), Ok(Turn::Received));
        assert!(program.waits(), "that was no order");
        assert_eq!(program.take("START -1", None, &mut reports), Ok(Turn::On));
        assert!(!program.waits());
        program.stop();
        assert_eq!(program.take("RESET", None, &mut reports), Ok(Turn::Anew));
        assert!(!program.waits());
        let comm = Value::Map(vec![("comm".into(), Value::Text("direct".into()))]);
        program.stop();
        assert_eq!(
            program.take("START", Some(&comm), &mut reports),
            Ok(Turn::Received),
            "another robot said it"
        );
        assert!(program.take(&"x".repeat(2_000), None, &mut reports).is_err());
        assert!(program.take("MODE 2", None, &mut reports).is_err());
    }
}

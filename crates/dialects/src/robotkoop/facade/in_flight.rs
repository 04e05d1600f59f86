//! What one served robot was asked over the broker, and which reports may be published: pure, and bounded.
//!
//! ```text
//!  order ──▶ InFlight ──▶ the robot ──▶ accepted: confirm, unless the robot said so itself
//!                                   reports:  confirm before the first, nothing after the end
//! ```
//!
//! A confirmation says that the task arrived, and nothing else; so it comes before `unkown` and `missing_info`, too.
//!
//! StatusReports on tasks that came another way, from the API or from the robot's own mind, pass as they are.

use std::collections::VecDeque;

use latimer_core::model::signal::{Task, TaskState};

use crate::robotkoop::life::Phase;
use crate::robotkoop::limits::MAX_REMEMBERED_TASKS;

#[derive(Debug)]
struct Entry {
    id: String,
    phase: Phase,
    /// It was sent, or sent again, and nobody answered that yet.
    unanswered: bool,
}

/// What is to be said to a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StatusReports {
    /// First of all a confirmation.
    pub(super) confirm: bool,
    /// The report itself.
    pub(super) report: bool,
}

/// What one served robot was asked over the broker, and which reports may be published.
#[derive(Debug, Default)]
pub(super) struct InFlight(VecDeque<Entry>);

impl InFlight {
    /// A task arrived, or arrived again.
    pub(super) fn ordered(&mut self, id: &str) {
        let known = self.0.iter().position(|it| it.id == id).and_then(|it| self.0.remove(it));
        let phase = known.map_or(Phase::Sent, |it| it.phase.sent_again());
        self.0.push_back(Entry { id: id.to_owned(), phase, unanswered: true });
        if self.0.len() > MAX_REMEMBERED_TASKS {
            let over = self.0.iter().position(|it| it.phase.is_over()).unwrap_or_default();
            self.0.remove(over);
        }
    }

    /// The robot took a task: whether that is to be confirmed, as it has not said so itself.
    pub(super) fn accepted(&mut self, id: &str) -> bool {
        self.reported(&Task::new(id, "", TaskState::Confirmed)).report
    }

    /// The robot reports.
    pub(super) fn reported(&mut self, task: &Task) -> StatusReports {
        let Some(entry) = self.0.iter_mut().find(|it| it.id == task.id) else {
            return StatusReports { confirm: false, report: true };
        };
        let Some(phase) = entry.phase.reported(task) else { return StatusReports::default() };
        entry.phase = phase;
        let unanswered = std::mem::take(&mut entry.unanswered);
        match task.state {
            TaskState::Confirmed => StatusReports { confirm: false, report: unanswered },
            _ => StatusReports { confirm: unanswered, report: true },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said to each word: `=` the report, `+` a confirmation before it, `-` nothing.
    fn sent(words: &str) -> String {
        let mut in_flight = InFlight::default();
        let mut sign = |word: &str| {
            let sent = match word {
                "order" => {
                    in_flight.ordered("T");
                    return "";
                }
                "accepted" => StatusReports { confirm: false, report: in_flight.accepted("T") },
                word => in_flight.reported(&Task::new("T", "bring", TaskState::from_word(word).unwrap())),
            };
            match (sent.confirm, sent.report) {
                (true, _) => "+",
                (false, true) => "=",
                (false, false) => "-",
            }
        };
        words.split(' ').map(&mut sign).collect()
    }

    #[test]
    fn a_task_is_confirmed_once_whoever_is_first() {
        assert_eq!(sent("order accepted confirmed progress succeeded"), "=-==");
        assert_eq!(sent("order confirmed accepted progress"), "=-=");
        assert_eq!(sent("order progress accepted confirmed"), "+--");
        assert_eq!(sent("order confirmed missing_info accepted"), "==-");
        assert_eq!(sent("order missing_info accepted order accepted confirmed"), "+-=-");
    }

    #[test]
    fn a_task_that_is_sent_again_is_confirmed_again() {
        assert_eq!(sent("order confirmed progress order confirmed accepted progress"), "===-=");
        assert_eq!(sent("order accepted succeeded order accepted succeeded"), "====");
    }

    #[test]
    fn nothing_is_said_after_the_end() {
        assert_eq!(sent("order failed accepted failed progress"), "+---");
        assert_eq!(sent("order unknown confirmed succeeded"), "+--");
    }

    #[test]
    fn what_came_another_way_passes() {
        assert_eq!(sent("confirmed progress succeeded progress"), "====");
    }

    #[test]
    fn it_is_bounded() {
        let mut in_flight = InFlight::default();
        for i in 0..10_000 {
            in_flight.ordered(&format!("T{i}"));
        }
        assert_eq!(in_flight.0.len(), MAX_REMEMBERED_TASKS);
    }
}

//! What one served robot was asked over the broker, and what is said of it: pure, and bounded.
//!
//! ```text
//!  order ──▶ Desk ──▶ the robot ──▶ accepted: confirm, unless the robot said so itself
//!                                   reports:  each once, confirm before the first, nothing after the end
//!                                   refused:  success false
//! ```
//!
//! Nothing that is asked goes without an answer. Reports on tasks that came another way, from the API or from the robot's
//! own mind, pass as they are.

use std::collections::VecDeque;

use latimer_core::model::signal::{Task, TaskState};

use crate::robotkoop::life::Phase;
use crate::robotkoop::map::status_from_task;
use crate::robotkoop::wire::Status;

/// Tasks that are remembered; the oldest that ended is forgotten first.
const MOST: usize = 256;

#[derive(Debug)]
struct Entry {
    id: String,
    phase: Phase,
    /// It was sent, or sent again, and nobody confirmed that yet.
    unconfirmed: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Desk(VecDeque<Entry>);

impl Desk {
    /// A task arrived, or arrived again.
    pub(super) fn ordered(&mut self, id: &str) {
        let known = self.0.iter().position(|it| it.id == id).and_then(|it| self.0.remove(it));
        let phase = known.map_or(Phase::Sent, |it| it.phase.sent_again());
        self.0.push_back(Entry { id: id.to_owned(), phase, unconfirmed: true });
        if self.0.len() > MOST {
            let over = self.0.iter().position(|it| it.phase.is_over()).unwrap_or_default();
            self.0.remove(over);
        }
    }

    /// The robot took the task: what is to be said, if it has not said so itself.
    pub(super) fn accepted(&mut self, id: &str) -> Option<Status> {
        self.told(&Task::new(id, "", TaskState::Confirmed)).pop()
    }

    /// The robot reports: what is to be said of it, in order.
    pub(super) fn told(&mut self, task: &Task) -> Vec<Status> {
        let status = status_from_task(task);
        let Some(entry) = self.0.iter_mut().find(|it| it.id == task.id) else {
            return status.into_iter().collect();
        };
        let Some(phase) = entry.phase.told(task) else { return Vec::new() };
        let mut said = Vec::new();
        let settled = matches!(task.state, TaskState::MissingInfo | TaskState::Unknown);
        if std::mem::take(&mut entry.unconfirmed) && task.state != TaskState::Confirmed && !settled {
            said.push(Status::Confirm);
        } else if task.state == TaskState::Confirmed && entry.phase != Phase::Sent && !self.resent(task) {
            return said;
        }
        if let Some(entry) = self.0.iter_mut().find(|it| it.id == task.id) {
            entry.phase = phase;
        }
        said.extend(status);
        said
    }

    /// Whether a task is known, and lives.
    pub(super) fn lives(&self, id: &str) -> bool {
        self.0.iter().any(|it| it.id == id && !it.phase.is_over())
    }
}

//! The life of a task, as both sides see it: pure, without a clock or a broker.
//!
//! ```text
//!  sent ──▶ Sent ──confirm──▶ Taken ──progress, anomaly──▶ Running ──success──▶ Succeeded · Failed
//!            │ ▲                │                           │  ▲  ▲
//!            │ │ sent again     │ missing_info   pause_task ▼  │  │ resume_task, any other progress
//!            │ └──── Lacking ◀──┴──────────               Paused  │
//!            │         ▲                                          │
//!            ├─────────┘ missing_info        assistance ──▶ Asking ── progress
//!            │                                                │
//!            │ unkown, also after confirm                     └─ sent again ──▶ Sent
//!            ▼
//!         Unknown                        any that lives ── success ──▶ Succeeded · Failed
//! ```
//!
//! A task is sent again under its own name: with what was missing, with a choice, or changed. While it runs or is
//! paused that changes nothing here; once it ended it is a new task of the same name. Robots that skip a step, such as
//! `confirm`, are believed; what is said of a task after its end belongs to nothing.

use latimer_core::model::signal::{Task, TaskAction, TaskState};

/// How a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nobody answered yet.
    Sent,
    /// The robot has it.
    Taken,
    /// Something is missing.
    Lacking,
    /// The robot is at it.
    Running,
    /// The robot does something else first.
    Paused,
    /// A person has to choose.
    Asking,
    /// It is done.
    Succeeded,
    /// It was given up.
    Failed,
    /// The robot does not know such a task.
    Unknown,
}

impl Phase {
    /// Whether nothing more comes.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Unknown)
    }

    /// The task is sent again.
    #[must_use]
    pub const fn sent_again(self) -> Self {
        match self {
            Self::Running | Self::Paused => self,
            _ => Self::Sent,
        }
    }

    /// The robot reports; `None` if the task is over, so that the report belongs to nothing.
    pub fn reported(self, task: &Task) -> Option<Self> {
        if self.is_over() {
            return None;
        }
        Some(match task.state {
            TaskState::Confirmed if self == Self::Sent => Self::Taken,
            TaskState::Confirmed => self,
            TaskState::MissingInfo => Self::Lacking,
            TaskState::Unknown => Self::Unknown,
            TaskState::Progress if task.action == Some(TaskAction::PauseTask) => Self::Paused,
            TaskState::Progress | TaskState::Anomaly => Self::Running,
            TaskState::Assistance => Self::Asking,
            TaskState::Succeeded => Self::Succeeded,
            TaskState::Failed | TaskState::Cancelled => Self::Failed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Phase; 9] = [
        Phase::Sent,
        Phase::Taken,
        Phase::Lacking,
        Phase::Running,
        Phase::Paused,
        Phase::Asking,
        Phase::Succeeded,
        Phase::Failed,
        Phase::Unknown,
    ];

    fn report(word: &str) -> Task {
        let progress = |action| Task { action: Some(action), ..Task::new("T", "bring", TaskState::Progress) };
        match word {
            "pause_task" => progress(TaskAction::PauseTask),
            "resume_task" => progress(TaskAction::ResumeTask),
            "progress" => progress(TaskAction::Goto),
            "failed" => Task::new("T", "bring", TaskState::Failed),
            word => Task::new("T", "bring", TaskState::from_word(word).unwrap()),
        }
    }

    #[test]
    fn every_report_in_every_phase() {
        let words = [
            "confirmed",
            "missing_info",
            "unknown",
            "progress",
            "pause_task",
            "resume_task",
            "assistance",
            "anomaly",
            "succeeded",
            "failed",
        ];
        let mut table = vec![format!("{:<10} sent again → {:?}", "", ALL.map(Phase::sent_again))];
        for phase in ALL {
            let next = words.map(|word| match phase.reported(&report(word)) {
                Some(next) if next == phase => format!("{word} ="),
                Some(next) => format!("{word} {next:?}"),
                None => "-".to_owned(),
            });
            table.push(format!("{:<10} {}", format!("{phase:?}"), next.join(", ")));
        }
        insta::assert_snapshot!(table.join("\n"));
    }

    fn phases(words: &str) -> Phase {
        words.split(' ').fold(Phase::Sent, |phase, word| match word {
            "again" => phase.sent_again(),
            word => phase.reported(&report(word)).unwrap_or(phase),
        })
    }

    #[test]
    fn whole_lives() {
        for (words, end) in [
            ("confirmed progress progress succeeded", Phase::Succeeded),
            ("missing_info again confirmed progress failed", Phase::Failed),
            ("confirmed missing_info", Phase::Lacking),
            ("unknown confirmed", Phase::Unknown),
            ("confirmed progress pause_task again resume_task", Phase::Running),
            ("confirmed assistance again", Phase::Sent),
            ("confirmed assistance again confirmed progress succeeded progress", Phase::Succeeded),
            ("progress succeeded again", Phase::Sent),
        ] {
            assert_eq!(phases(words), end, "{words}");
        }
    }
}

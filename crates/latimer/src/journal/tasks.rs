//! Tasks: what robots reported of each, from its beginning to its end.
//!
//! A drive to somewhere is a task too, reported by `navigation`. A name that comes back after its task ended
//! is a new task; a report that says nothing new only moves `updated`.

use std::collections::VecDeque;

use latimer_core::model::signal::{Navigation, NavigationState, Task, TaskAction, TaskState};
use latimer_core::{RobotId, Signal, Timestamp, Update};

use crate::limits::JOURNAL_MAX_TASKS;

/// Reports that are kept of one task: the first, and the last ones.
const MAX_REPORTS: usize = 200;

/// Longest text that is kept, in characters.
const MAX_TEXT: usize = 300;

/// The source of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskSource {
    /// `robot/task`.
    Task,
    /// `robot/navigation`.
    Navigation,
}

impl TaskSource {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Navigation => "navigation",
        }
    }
}

/// One report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TaskReport {
    pub(crate) at: Timestamp,
    pub(crate) state: &'static str,
    pub(crate) action: Option<&'static str>,
    pub(crate) target: Option<String>,
    pub(crate) reason: Option<String>,
}

/// One task.
#[derive(Clone, Debug)]
pub(crate) struct TaskRecord {
    pub(crate) robot: RobotId,
    pub(crate) source: TaskSource,
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) begun: Timestamp,
    pub(crate) updated: Timestamp,
    pub(crate) ended: Option<Timestamp>,
    pub(crate) reports: Vec<TaskReport>,
    /// Reports that were left out after the first.
    pub(crate) left_out: u64,
}

impl TaskRecord {
    /// The last report.
    pub(crate) fn state(&self) -> &'static str {
        self.reports.last().map_or("", |report| report.state)
    }

    /// Takes a report; whether anything in it is new.
    fn add(&mut self, report: TaskReport, ends: bool) -> bool {
        self.updated = report.at;
        if self.reports.last().is_some_and(|last| TaskReport { at: report.at, ..last.clone() } == report) {
            return false;
        }
        if ends {
            self.ended = Some(report.at);
        }
        if self.reports.len() == MAX_REPORTS {
            self.reports.remove(1);
            self.left_out += 1;
        }
        self.reports.push(report);
        true
    }
}

/// The last tasks, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct TaskLog(VecDeque<TaskRecord>);

impl TaskLog {
    pub(super) fn newest(&self) -> impl Iterator<Item = &TaskRecord> {
        self.0.iter().rev()
    }

    /// Takes an update; whether it changes a task.
    pub(super) fn take(&mut self, update: &Update) -> bool {
        match &update.signal {
            Signal::Task(task) => self.take_task(update, task),
            Signal::Navigation(navigation) => self.take_navigation(update, navigation),
            _ => false,
        }
    }

    fn take_task(&mut self, update: &Update, task: &Task) -> bool {
        let Task { id, kind, state, action, target, missing, alternatives, location, objects, reason } = task;
        let choices = alternatives.iter().map(|it| format!("{} at {}", it.object, it.location)).collect();
        let listed = [("missing", missing.clone()), ("instead", choices), ("found", objects.clone())];
        let listed = listed.into_iter().find(|(_, words)| !words.is_empty());
        let report = TaskReport {
            at: update.received,
            state: state.as_str(),
            action: action.map(TaskAction::as_str),
            target: target.as_ref().or(location.as_ref()).map(|text| cut(text)),
            reason: reason
                .clone()
                .or(listed.map(|(what, words)| format!("{what}: {}", words.join(", "))))
                .map(|text| cut(&text)),
        };
        let ends = matches!(
            state,
            TaskState::Succeeded | TaskState::Failed | TaskState::Cancelled | TaskState::Unknown
        );
        self.report(update, TaskSource::Task, id, kind, report, ends)
    }

    fn take_navigation(&mut self, update: &Update, navigation: &Navigation) -> bool {
        let Navigation {
            id,
            kind,
            state,
            failure,
            failure_code: _,
            reason,
            target,
            place,
            remaining_m: _,
            stuck,
            passed_points: _,
            flags: _,
        } = navigation;
        let goal = target.as_ref().map(|pose| format!("{:.2}, {:.2}", pose.x_m, pose.y_m));
        let report = TaskReport {
            at: update.received,
            state: state.as_str(),
            action: stuck.then_some(TaskAction::WayBlocked.as_str()),
            target: place.clone().or(goal).map(|text| cut(&text)),
            reason: reason.clone().or(failure.map(|it| it.as_str().to_owned())).map(|text| cut(&text)),
        };
        if *state == NavigationState::Idle {
            return self.idle(update, &report);
        }
        let ends = *state != NavigationState::Moving;
        self.report(update, TaskSource::Navigation, &id.to_string(), kind.as_str(), report, ends)
    }

    /// A robot without a goal has ended the ones it had, whatever their outcome.
    fn idle(&mut self, update: &Update, report: &TaskReport) -> bool {
        let open = self.0.iter_mut().filter(|task| {
            task.source == TaskSource::Navigation && task.robot == update.robot && task.ended.is_none()
        });
        // All of them, not only up to the first that is new.
        open.map(|task| task.add(report.clone(), true)).filter(|new| *new).count() > 0
    }

    fn report(
        &mut self,
        update: &Update,
        source: TaskSource,
        id: &str,
        kind: &str,
        report: TaskReport,
        ends: bool,
    ) -> bool {
        let id = cut(id);
        let known = self
            .0
            .iter_mut()
            .rev()
            .find(|task| task.source == source && task.robot == update.robot && task.id == id);
        if let Some(task) = known.filter(|task| task.ended.is_none() || ends) {
            return task.add(report, ends && task.ended.is_none());
        }
        if self.0.len() == JOURNAL_MAX_TASKS {
            self.0.pop_front();
        }
        self.0.push_back(TaskRecord {
            robot: update.robot.clone(),
            source,
            id,
            kind: cut(kind),
            begun: report.at,
            updated: report.at,
            ended: ends.then_some(report.at),
            reports: vec![report],
            left_out: 0,
        });
        true
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

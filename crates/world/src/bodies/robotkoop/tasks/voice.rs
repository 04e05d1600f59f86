//! How a task speaks: reports on itself, and lines for people.

use latimer_core::model::TaskRequest;
use latimer_core::model::signal::{Alternative, Task, TaskAction, TaskState};

/// The voice of one task.
pub(in crate::bodies::robotkoop) struct Voice<'a> {
    id: String,
    kind: String,
    reports: &'a mut Vec<Task>,
    speech: &'a mut Vec<String>,
}

impl<'a> Voice<'a> {
    /// The voice of a task, with its outputs.
    pub(in crate::bodies::robotkoop) fn of(
        request: &TaskRequest,
        reports: &'a mut Vec<Task>,
        speech: &'a mut Vec<String>,
    ) -> Self {
        Self { id: request.id.clone(), kind: request.kind.clone(), reports, speech }
    }

    /// What the robot begins to do, and to what.
    pub(super) fn act(&mut self, action: TaskAction, target: impl Into<String>) {
        let target = Some(target.into());
        self.report(TaskState::Progress, |task| (task.action, task.target) = (Some(action), target));
    }

    /// What the robot states that has no target.
    pub(super) fn state(&mut self, action: TaskAction) {
        self.report(TaskState::Progress, |task| task.action = Some(action));
    }

    /// Things that are where they do not belong.
    pub(super) fn anomaly(&mut self, location: &str, objects: Vec<String>) {
        let location = Some(location.to_owned());
        self.report(TaskState::Anomaly, |task| (task.location, task.objects) = (location, objects));
    }

    /// A choice for a person.
    pub(super) fn assist(&mut self, action: TaskAction, object: &str, alternatives: Vec<Alternative>) {
        let target = Some(object.to_owned());
        self.report(TaskState::Assistance, |task| {
            (task.action, task.target, task.alternatives) = (Some(action), target, alternatives);
        });
    }

    /// What has to be known first.
    pub(super) fn missing(&mut self, missing: Vec<String>, reason: String) {
        self.report(TaskState::MissingInfo, |task| (task.missing, task.reason) = (missing, Some(reason)));
    }

    /// A report that has a state and perhaps a reason.
    pub(super) fn stands(&mut self, state: TaskState, reason: Option<String>) {
        self.report(state, |task| task.reason = reason);
    }

    /// A line for people.
    pub(super) fn speak(&mut self, line: String) {
        self.speech.push(line);
    }

    fn report(&mut self, state: TaskState, fill: impl FnOnce(&mut Task)) {
        let mut task = Task::new(&*self.id, &*self.kind, state);
        fill(&mut task);
        self.reports.push(task);
    }
}

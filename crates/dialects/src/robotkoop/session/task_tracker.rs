//! The tasks that one robot was given, as far as this gateway received them: kinds and parameters that its reports do not
//! repeat, and who waits for an answer. Pure, and bounded.

use std::collections::VecDeque;

use latimer_core::Timestamp;
use latimer_core::model::signal::{Task, TaskState};
use latimer_core::model::{Outcome, TaskRequest};

use crate::robotkoop::life::Phase;
use crate::robotkoop::limits::{MAX_REMEMBERED_TASKS, MAX_WAITING_FOR_TASK, TASK_TAKEN_TIMEOUT};

/// A task, and those who wait until the robot says what becomes of it.
#[derive(Debug)]
struct Entry<W> {
    request: TaskRequest,
    phase: Phase,
    waiting: Vec<W>,
    /// When it counts as taken, if it was confirmed and somebody waits.
    taken_at: Option<Timestamp>,
}

/// The tasks that one robot was given, as far as this gateway received. `W` is the waiting asker.
#[derive(Debug)]
pub(super) struct TaskTracker<W>(VecDeque<Entry<W>>);

impl<W> Default for TaskTracker<W> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

/// A sender that waits, and what the robot answered.
pub(super) type Answer<W> = (W, Outcome);

impl<W> TaskTracker<W> {
    /// A task is about to be sent: as a whole, with what was sent of it before. An asker that the tracker has
    /// no room for is answered.
    pub(super) fn send(&mut self, request: TaskRequest, waiting: Option<W>) -> (TaskRequest, Vec<Answer<W>>) {
        let mut entry = match self.0.iter().position(|it| it.request.id == request.id) {
            Some(known) => match self.0.remove(known) {
                Some(known) if !known.phase.is_over() => Entry {
                    request: merged(&known.request, request),
                    phase: known.phase.sent_again(),
                    ..known
                },
                _ => Entry { request, phase: Phase::Sent, waiting: Vec::new(), taken_at: None },
            },
            None => Entry { request, phase: Phase::Sent, waiting: Vec::new(), taken_at: None },
        };
        entry.waiting.extend(waiting);
        let whole = entry.request.clone();
        let impatient = entry.waiting.len().saturating_sub(MAX_WAITING_FOR_TASK);
        let mut answers: Vec<Answer<W>> =
            entry.waiting.drain(..impatient).map(|it| (it, Outcome::TimedOut)).collect();
        self.0.push_back(entry);
        answers.extend(self.forget());
        (whole, answers)
    }

    /// Somebody sent a task, perhaps this gateway itself, which receives what it publishes.
    pub(super) fn observed(&mut self, request: TaskRequest) {
        let known = self.0.iter_mut().find(|it| it.request.id == request.id && !it.phase.is_over());
        match known {
            Some(known) => known.request = merged(&known.request, request),
            None => {
                self.0.push_back(Entry { request, phase: Phase::Sent, waiting: Vec::new(), taken_at: None });
                // No caller waits for a task that another program sent; callers that wait for other tasks stay.
                if self.0.len() > MAX_REMEMBERED_TASKS {
                    let idle = self.0.iter().position(|it| it.waiting.is_empty()).unwrap_or_default();
                    self.0.remove(idle);
                }
            }
        }
    }

    fn forget(&mut self) -> Vec<Answer<W>> {
        if self.0.len() <= MAX_REMEMBERED_TASKS {
            return Vec::new();
        }
        let over = self.0.iter().position(|it| it.phase.is_over()).unwrap_or_default();
        let gone = self.0.remove(over).map(|it| it.waiting).unwrap_or_default();
        let reason = || Outcome::busy(format!("more than {MAX_REMEMBERED_TASKS} tasks wait for the robot"));
        gone.into_iter().map(|it| (it, reason())).collect()
    }

    /// What a task is for, if anybody said.
    pub(super) fn kind(&self, id: &str) -> &str {
        self.0.iter().find(|it| it.request.id == id).map_or("", |it| it.request.kind.as_str())
    }

    /// The robot reports on a task; those who waited for that are answered.
    pub(super) fn reported(&mut self, task: &Task, now: Timestamp) -> Vec<Answer<W>> {
        let Some(entry) = self.0.iter_mut().find(|it| it.request.id == task.id) else { return Vec::new() };
        let Some(phase) = entry.phase.reported(task) else { return Vec::new() };
        entry.phase = phase;
        if task.state == TaskState::Confirmed {
            entry.taken_at = (!entry.waiting.is_empty()).then(|| now.after(TASK_TAKEN_TIMEOUT));
            return Vec::new();
        }
        entry.taken_at = None;
        let outcome = match task.state {
            TaskState::Unknown => {
                Outcome::unsupported(format!("the robot does not know the task {:?}", entry.request.kind))
            }
            TaskState::Failed => Outcome::not_now("the robot gave the task up at once, and does not say why"),
            _ => Outcome::Accepted,
        };
        std::mem::take(&mut entry.waiting).into_iter().map(|it| (it, outcome.clone())).collect()
    }

    /// When the next task counts as taken.
    pub(super) fn next_taken(&self) -> Option<Timestamp> {
        self.0.iter().filter_map(|it| it.taken_at).min()
    }

    /// Answers those whose task was confirmed and counts as taken by now.
    pub(super) fn taken(&mut self, now: Timestamp) -> Vec<Answer<W>> {
        let taken = self.0.iter_mut().filter(|it| it.taken_at.is_some_and(|at| at <= now));
        let answers = taken.flat_map(|it| {
            it.taken_at = None;
            std::mem::take(&mut it.waiting)
        });
        answers.map(|it| (it, Outcome::Accepted)).collect()
    }

    #[cfg(test)]
    fn phase(&self, id: &str) -> Option<Phase> {
        self.0.iter().find(|it| it.request.id == id).map(|it| it.phase)
    }
}

/// A task with what a later message adds or changes.
fn merged(before: &TaskRequest, later: TaskRequest) -> TaskRequest {
    let other = |name: &str| {
        let now = later.parameters.iter().find(|(known, _)| known == name);
        now.is_some_and(|(_, now)| before.parameter(name).is_some_and(|before| before != now))
    };
    // Where the thing was that is not to be had says nothing of where the other one is.
    let other = other("object");
    let mut parameters = before.parameters.clone();
    parameters.retain(|(name, _)| !(other && name == "from"));
    for (name, value) in later.parameters {
        match parameters.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => parameters.push((name, value)),
        }
    }
    TaskRequest { parameters, ..later }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: &str, parameters: &[(&str, &str)]) -> TaskRequest {
        TaskRequest {
            id: id.to_owned(),
            kind: "bring".to_owned(),
            parameters: parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            asker: None,
            priority: 3,
        }
    }

    fn report(state: TaskState) -> Task {
        Task::new("T", "", state)
    }

    const NOW: Timestamp = Timestamp::from_nanos(1_000);

    #[test]
    fn who_waits_is_answered_when_the_robot_says_what_becomes_of_it() {
        for (state, ok) in [
            (TaskState::MissingInfo, true),
            (TaskState::Progress, true),
            (TaskState::Unknown, false),
            (TaskState::Failed, false),
        ] {
            let mut tracker = TaskTracker::default();
            tracker.send(request("T", &[]), Some(7));
            assert_eq!(tracker.reported(&Task::new("other", "", state), NOW), []);
            assert_eq!(tracker.reported(&report(TaskState::Confirmed), NOW), [], "it only arrived");
            let answers = tracker.reported(&report(state), NOW);
            assert!(answers.len() == 1 && answers[0].0 == 7 && answers[0].1.is_ok() == ok, "{answers:?}");
            assert_eq!(tracker.reported(&report(state), NOW), [], "once");
            assert_eq!(tracker.next_taken(), None);
            assert_eq!((tracker.kind("T"), tracker.kind("other")), ("bring", ""));
        }
    }

    #[test]
    fn what_was_confirmed_and_not_refused_soon_is_taken() {
        let mut tracker = TaskTracker::default();
        tracker.send(request("T", &[]), Some(7));
        tracker.reported(&report(TaskState::Confirmed), NOW);
        assert_eq!(tracker.next_taken(), Some(NOW.after(TASK_TAKEN_TIMEOUT)));
        assert_eq!(tracker.taken(NOW), []);
        assert_eq!(tracker.taken(NOW.after(TASK_TAKEN_TIMEOUT)), [(7, Outcome::Accepted)]);
        assert_eq!(
            (tracker.next_taken(), tracker.taken(NOW.after(TASK_TAKEN_TIMEOUT))),
            (None, Vec::new()),
            "once"
        );
    }

    #[test]
    fn what_was_missing_is_sent_with_all_that_was_there() {
        let mut tracker = TaskTracker::default();
        tracker.send(request("T", &[("to", "user")]), Some(1));
        tracker.reported(&report(TaskState::MissingInfo), NOW);
        let (whole, _) = tracker.send(request("T", &[("object", "coke")]), Some(2));
        assert_eq!(whole, request("T", &[("to", "user"), ("object", "coke")]));
        assert_eq!(tracker.phase("T"), Some(Phase::Sent));
        tracker.reported(&report(TaskState::Confirmed), NOW);
        assert_eq!(tracker.taken(NOW.after(TASK_TAKEN_TIMEOUT)), [(2, Outcome::Accepted)]);
    }

    #[test]
    fn a_choice_forgets_where_the_other_thing_was() {
        let mut tracker = TaskTracker::<()>::default();
        tracker.send(request("T", &[("object", "coke"), ("from", "Kitchen"), ("to", "user")]), None);
        tracker.reported(&report(TaskState::Assistance), NOW);
        let (whole, _) = tracker.send(request("T", &[("object", "fanta")]), None);
        assert_eq!(whole, request("T", &[("object", "fanta"), ("to", "user")]));
    }

    #[test]
    fn a_name_that_comes_back_after_the_end_is_a_new_task() {
        let mut tracker = TaskTracker::<()>::default();
        tracker.send(request("T", &[("object", "coke")]), None);
        tracker.reported(&report(TaskState::Succeeded), NOW);
        let (whole, _) = tracker.send(request("T", &[("to", "user")]), None);
        assert_eq!(whole, request("T", &[("to", "user")]));
    }

    #[test]
    fn what_is_overheard_changes_no_phase() {
        let mut tracker = TaskTracker::default();
        tracker.send(request("T", &[("object", "coke")]), Some(1));
        tracker.reported(&report(TaskState::Confirmed), NOW);
        tracker.observed(request("T", &[("object", "coke")]));
        assert_eq!(tracker.phase("T"), Some(Phase::Taken));
        tracker.observed(request("S", &[]));
        assert_eq!(tracker.kind("S"), "bring", "somebody else sent it");
        for i in 0..1_000 {
            tracker.observed(request(&format!("S{i}"), &[]));
        }
        assert_eq!(tracker.0.len(), MAX_REMEMBERED_TASKS);
    }

    #[test]
    fn callers_that_wait_for_one_task_are_bounded() {
        let mut tracker = TaskTracker::default();
        let answers: Vec<_> = (0..20).flat_map(|i| tracker.send(request("T", &[]), Some(i)).1).collect();
        assert_eq!(answers, [0, 1, 2, 3].map(|i| (i, Outcome::TimedOut)), "sent so often");
        assert_eq!(tracker.0[0].waiting.len(), MAX_WAITING_FOR_TASK);
    }

    #[test]
    fn it_is_bounded_and_nobody_waits_for_ever() {
        let mut tracker = TaskTracker::default();
        let answered: usize =
            (0..1_000).map(|i| tracker.send(request(&format!("T{i}"), &[]), Some(i)).1.len()).sum();
        assert_eq!((tracker.0.len(), answered), (MAX_REMEMBERED_TASKS, 1_000 - MAX_REMEMBERED_TASKS));
    }
}

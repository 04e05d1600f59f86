//! One robot of the hub as a household robot: what it was asked, what it said, whom it saw. Pure but for its hub.

use std::collections::{BTreeSet, VecDeque};

use latimer_core::model::signal::{Face, Task, TaskState};
use latimer_core::model::{Kind, Signal};
use latimer_core::{RobotId, Timestamp, Update};

use super::drives::Drives;
use super::in_flight::InFlight;
use crate::robotkoop::NAME;
use crate::robotkoop::limits::FACE_REPORT_INTERVAL;
use crate::robotkoop::map::{Names, messages_from_update, seconds_from_timestamp, status_from_task};
use crate::robotkoop::wire::{Body, Head, Message, Status};

/// The kinds that are followed.
pub(super) const KINDS: [Kind; 5] = [Kind::Task, Kind::Navigation, Kind::Motion, Kind::Text, Kind::Face];

/// Most people, and most tasks under way, that are remembered.
const MOST: usize = 64;

/// One robot of the hub as a household robot.
#[derive(Debug)]
pub(super) struct Served {
    /// Its name here.
    pub(super) robot: RobotId,
    /// What it calls itself.
    pub(super) id: String,
    /// Whether it does tasks by itself, so that its drives are no tasks.
    pub(super) does_tasks: bool,
    /// Commands that it has not answered.
    pub(super) asked: usize,
    dialogue: String,
    in_flight: InFlight,
    pub(super) drives: Drives,
    under_way: BTreeSet<String>,
    seen: VecDeque<(Option<String>, Option<i64>, Timestamp)>,
}

impl Served {
    pub(super) fn new(robot: RobotId, id: String, does_tasks: bool, dialogue: &str) -> Self {
        Self {
            robot,
            id,
            does_tasks,
            asked: 0,
            dialogue: dialogue.to_owned(),
            in_flight: InFlight::default(),
            drives: Drives::default(),
            under_way: BTreeSet::new(),
            seen: VecDeque::new(),
        }
    }

    /// A task arrived.
    pub(super) fn ordered(&mut self, id: &str) {
        self.in_flight.ordered(id);
    }

    /// The robot took a task.
    pub(super) fn accepted(&mut self, id: &str, now: Timestamp) -> Option<Message> {
        self.in_flight.accepted(id).then(|| self.report(id, Status::Confirm, now))
    }

    /// A report that the gateway makes for the robot.
    pub(super) fn publish(&mut self, task: &Task, now: Timestamp) -> Vec<Message> {
        let report = status_from_task(task).map(|status| self.report(&task.id, status, now));
        self.gated(task, report.into_iter().collect(), now)
    }

    /// What it says to an update.
    pub(super) fn reported(&mut self, update: &Update, now: Timestamp) -> Vec<Message> {
        let messages = |it: &Self| it.messages(update);
        match &update.signal {
            Signal::Task(task) => {
                let messages = messages(self);
                self.note(task);
                self.gated(task, messages, now)
            }
            Signal::Navigation(navigation) => {
                let silent = !self.under_way.is_empty();
                let tasks = self.drives.navigation(&self.robot, navigation, silent);
                tasks.iter().flat_map(|task| self.publish(task, update.received)).collect()
            }
            Signal::Motion(motion) if self.under_way.is_empty() => {
                let milliseconds = update.received.as_nanos().div_euclid(1_000_000);
                let tasks = self.drives.motion(&self.robot, motion, milliseconds);
                tasks.iter().flat_map(|task| self.publish(task, update.received)).collect()
            }
            Signal::Face(face) if !self.is_change(face, now) => Vec::new(),
            Signal::Face(_) | Signal::Text(_) => messages(self),
            _ => Vec::new(),
        }
    }

    /// In the gateway's time, as its confirmations: a world may go faster than the clock. A household robot's own words
    /// keep the robot's.
    fn messages(&self, update: &Update) -> Vec<Message> {
        let own = update.native.as_ref().is_some_and(|native| native.dialect == NAME);
        let mut messages = messages_from_update(update, Names { robot: &self.id, dialogue: &self.dialogue });
        for message in messages.iter_mut().filter(|_| !own) {
            message.head.timestamp = Some(seconds_from_timestamp(update.received));
        }
        messages
    }

    fn gated(&mut self, task: &Task, messages: Vec<Message>, now: Timestamp) -> Vec<Message> {
        let sent = self.in_flight.reported(task);
        let confirm = sent.confirm.then(|| self.report(&task.id, Status::Confirm, now));
        let reports = if sent.report { messages } else { Vec::new() };
        confirm.into_iter().chain(reports).collect()
    }

    /// Which of its own tasks are under way, that its drives belong to.
    fn note(&mut self, task: &Task) {
        match task.state {
            TaskState::Progress | TaskState::Anomaly | TaskState::Assistance => {
                if self.under_way.len() < MOST {
                    self.under_way.insert(task.id.clone());
                }
            }
            TaskState::Confirmed => {}
            _ => drop(self.under_way.remove(&task.id)),
        }
    }

    /// Whether somebody was not seen for a while.
    fn is_change(&mut self, face: &Face, now: Timestamp) -> bool {
        let known =
            |it: &(Option<String>, Option<i64>, Timestamp)| it.0 == face.label && it.1 == face.track_id;
        self.seen.retain(|it| now.since(it.2) < FACE_REPORT_INTERVAL);
        if self.seen.iter().any(known) {
            return false;
        }
        if self.seen.len() == MOST {
            self.seen.pop_front();
        }
        self.seen.push_back((face.label.clone(), face.track_id, now));
        true
    }

    fn report(&self, task_id: &str, status: Status, now: Timestamp) -> Message {
        let head = Head {
            source_id: self.id.clone(),
            timestamp: Some(seconds_from_timestamp(now)),
            task_id: task_id.to_owned(),
            ..Head::default()
        };
        Message { head, body: Body::Report(status) }
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::Stamp;
    use latimer_core::model::signal::{FaceIdentity, Motion, MotionState, TaskAction};

    use super::*;

    fn served(does_tasks: bool) -> Served {
        Served::new(RobotId::new("r-1").unwrap(), "R_1".to_owned(), does_tasks, "SI_1")
    }

    fn update(signal: impl Into<Signal>) -> Update {
        Update::now(&RobotId::new("r-1").unwrap(), Timestamp::from_nanos(5_000_000_000), signal.into())
    }

    fn words(messages: &[Message]) -> Vec<String> {
        let word = |it: &Message| match &it.body {
            Body::Report(status) => format!("{} {}", it.head.task_id, status.type_word()),
            Body::Request(request) => request.type_word().to_owned(),
            other => panic!("{other:?}"),
        };
        messages.iter().map(word).collect()
    }

    fn motion(state: MotionState) -> Update {
        update(Motion { state, motor_mask: None, reason: None })
    }

    #[test]
    fn a_drive_is_a_task_unless_it_belongs_to_one() {
        let mut robot = served(false);
        let now = Timestamp::from_nanos(6);
        let moving = robot.reported(&motion(MotionState::Moving), now);
        assert_eq!(words(&moving), ["r-1-motion5000 progress"]);
        assert_eq!((moving[0].head.source_id.as_str(), moving[0].head.timestamp), ("R_1", Some(5)));
        assert_eq!(words(&robot.reported(&motion(MotionState::Succeeded), now)), ["r-1-motion5000 success"]);
        let goto = Task { action: Some(TaskAction::Goto), ..Task::new("T", "goto", TaskState::Progress) };
        assert_eq!(words(&robot.reported(&update(goto), now)), ["T progress"]);
        assert!(robot.reported(&motion(MotionState::Moving), now).is_empty());
        robot.reported(&update(Task::new("T", "goto", TaskState::Succeeded)), now);
        assert_eq!(robot.reported(&motion(MotionState::Moving), now).len(), 1);
    }

    #[test]
    fn everything_is_stamped_by_one_clock_however_fast_the_world_goes() {
        let mut robot = served(true);
        let at = |second: i64| Timestamp::from_nanos(second * 1_000_000_000);
        robot.ordered("T");
        let confirm = robot.accepted("T", at(100)).unwrap();
        let ahead =
            |signal: Signal| Update { received: at(101), stamp: Stamp::robot(at(400)), ..update(signal) };
        let goto = Task { action: Some(TaskAction::Goto), ..Task::new("T", "bring", TaskState::Progress) };
        let progress = robot.reported(&ahead(goto.into()), at(101));
        assert_eq!((confirm.head.timestamp, progress[0].head.timestamp), (Some(100), Some(101)));
        let mut other = served(false);
        let moving = Motion { state: MotionState::Moving, motor_mask: None, reason: None };
        assert_eq!(other.reported(&ahead(moving.into()), at(101))[0].head.timestamp, Some(101));
    }

    #[test]
    fn a_person_in_sight_all_the_time_is_published_once() {
        let mut robot = served(false);
        let face = |label: &str| Face {
            identity: FaceIdentity::Known,
            label: Some(label.to_owned()),
            track_id: Some(1),
            bearing_rad: None,
            elevation_rad: None,
            distance_m: None,
        };
        let mut seen = |label, second: i64| {
            robot.reported(&update(face(label)), Timestamp::from_nanos(second * 1_000_000_000)).len()
        };
        let often: usize = (0..30).map(|second| seen("Anna", second)).sum();
        assert_eq!((often, seen("Ben", 10), seen("Anna", 31)), (1, 1, 1));
        for i in 0..1_000 {
            robot.reported(&update(face(&format!("{i}"))), Timestamp::from_nanos(0));
        }
        assert_eq!(robot.seen.len(), MOST);
    }
}

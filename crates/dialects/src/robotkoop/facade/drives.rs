//! Drives of robots that do no tasks, reported as tasks: pure, and bounded.
//!
//! ```text
//!            moving                    stuck                     succeeded
//!  nothing ─────────▶ goto PLACE ──────────────▶ way_blocked ──────────────▶ success
//!                          ▲                         │       failed, halted, idle
//!                          └───── goes on: goto ─────┘ ────────────────────▶ success false
//! ```
//!
//! A drive that was asked for over the broker has the name of that task; any other gets one of its own.

use latimer_core::RobotId;
use latimer_core::model::signal::{
    Motion, MotionState, Navigation, NavigationFailure, NavigationState, Task, TaskAction, TaskState,
};

/// Drives that are remembered; a robot has one at a time.
const MOST: usize = 16;

/// The kind of such tasks.
pub(super) const GOTO: &str = "goto";

/// How a robot numbers what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Drive(i64),
    /// Motions have no numbers; there is one at a time.
    Motion,
}

#[derive(Debug)]
struct Drive {
    number: Number,
    task: String,
    place: Option<String>,
    begun: bool,
    blocked: bool,
}

impl Drive {
    fn act(&self, action: TaskAction) -> Task {
        let target = self.place.clone();
        Task { action: Some(action), target, ..Task::new(&*self.task, GOTO, TaskState::Progress) }
    }

    fn end(&self, done: bool) -> Task {
        Task::new(&*self.task, GOTO, if done { TaskState::Succeeded } else { TaskState::Failed })
    }

    fn go(&mut self, sent: &mut Vec<Task>) {
        if !std::mem::replace(&mut self.begun, true) || std::mem::take(&mut self.blocked) {
            sent.push(self.act(TaskAction::Goto));
        }
    }

    fn block(&mut self, sent: &mut Vec<Task>) {
        if !std::mem::replace(&mut self.blocked, true) {
            sent.push(self.act(TaskAction::WayBlocked));
        }
    }
}

/// Drives of robots that do no tasks, reported as tasks.
#[derive(Debug, Default)]
pub(super) struct Drives(Vec<Drive>);

impl Drives {
    /// A drive is about to be asked for.
    pub(super) fn expect(&mut self, number: i64, task: &str, place: &str) {
        let place = Some(place.to_owned());
        self.open(Drive {
            number: Number::Drive(number),
            task: task.to_owned(),
            place,
            begun: false,
            blocked: false,
        });
    }

    /// It was refused.
    pub(super) fn forget(&mut self, number: i64) {
        self.0.retain(|it| it.number != Number::Drive(number));
    }

    fn open(&mut self, drive: Drive) {
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push(drive);
    }

    /// A robot tells how its drive stands. `silent` robots begin no task of their own by driving.
    pub(super) fn navigation(&mut self, robot: &RobotId, reported: &Navigation, silent: bool) -> Vec<Task> {
        let mut sent = Vec::new();
        let number = Number::Drive(reported.id);
        let moving = reported.state == NavigationState::Moving;
        if moving && !silent && self.0.iter().all(|it| it.number != number) {
            let point = || reported.target.as_ref().map(|it| format!("{:.2}, {:.2}", it.x_m, it.y_m));
            let task = format!("{robot}-drive{}", reported.id);
            let place = reported.place.clone().or_else(point);
            self.open(Drive { number, task, place, begun: false, blocked: false });
        }
        if moving {
            // One drive takes the place of another.
            self.end(|it| it.begun && it.number != number, false, &mut sent);
        }
        match reported.state {
            NavigationState::Idle => self.end(|it| it.begun, false, &mut sent),
            NavigationState::Moving => {
                if let Some(drive) = self.0.iter_mut().find(|it| it.number == number) {
                    if reported.stuck { drive.block(&mut sent) } else { drive.go(&mut sent) }
                }
            }
            NavigationState::Succeeded => self.end(|it| it.number == number, true, &mut sent),
            NavigationState::Failed => {
                if reported.failure.is_some_and(is_blocked)
                    && let Some(drive) = self.0.iter_mut().find(|it| it.number == number)
                {
                    drive.block(&mut sent);
                }
                self.end(|it| it.number == number, false, &mut sent);
            }
            NavigationState::Cancelled => self.end(|it| it.number == number, false, &mut sent),
        }
        sent
    }

    /// A robot tells what became of a motion, as of `milliseconds` since 1970.
    pub(super) fn motion(&mut self, robot: &RobotId, reported: &Motion, milliseconds: i64) -> Vec<Task> {
        let mut sent = Vec::new();
        let of_motion = |it: &Drive| it.number == Number::Motion;
        if reported.state == MotionState::Moving && self.0.is_empty() {
            let task = format!("{robot}-motion{milliseconds}");
            self.open(Drive { number: Number::Motion, task, place: None, begun: false, blocked: false });
        }
        if let Some(drive) = self.0.iter_mut().find(|it| of_motion(it)) {
            match reported.state {
                MotionState::Moving => drive.go(&mut sent),
                MotionState::Blocked => drive.block(&mut sent),
                _ => {}
            }
        }
        match reported.state {
            MotionState::Moving => {}
            MotionState::Succeeded => self.end(of_motion, true, &mut sent),
            MotionState::Halted | MotionState::Blocked | MotionState::Failed => {
                self.end(of_motion, false, &mut sent);
            }
        }
        sent
    }

    fn end(&mut self, over: impl Fn(&Drive) -> bool, done: bool, sent: &mut Vec<Task>) {
        sent.extend(self.0.iter().filter(|it| over(it)).map(|it| it.end(done)));
        self.0.retain(|it| !over(it));
    }
}

/// Whether something stands in the way.
fn is_blocked(failure: NavigationFailure) -> bool {
    matches!(
        failure,
        NavigationFailure::GoalBlocked
            | NavigationFailure::WayBlocked
            | NavigationFailure::NoWay
            | NavigationFailure::DoorShut
    )
}

#[cfg(test)]
#[path = "drives_tests.rs"]
mod tests;

//! Tasks that wait for their turn: of each robot some at a time, so that a flood for one costs the others nothing.

use latimer_core::model::TaskRequest;
use latimer_core::model::signal::{Task, TaskState};
use latimer_core::{RobotId, Timestamp};
use latimer_mqtt::{Publisher, QueueItem};

use super::{Facade, pending, publish};
use crate::robotkoop::map::task_from_order;
use crate::robotkoop::wire::{Head, Order};

/// Commands that one robot may have under way; a task whose turn comes then fails at once.
const MOST_ASKED: usize = 32;

/// A task, how long its message was, and the stops that the robot had been given when it came.
#[derive(Debug)]
pub(super) struct Waiting {
    task: TaskRequest,
    bytes: usize,
    stops: u64,
}

impl QueueItem for Waiting {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn split(&mut self) -> Option<Self> {
        None
    }
}

impl Facade {
    /// A task arrived, of so many bytes.
    pub(super) fn wait(&mut self, head: &Head, order: &Order, bytes: usize) {
        let Some(robot) = self.addressee(head) else { return self.pass_by(head) };
        let stops = self.hub.stops(&robot);
        let waiting = Waiting { task: task_from_order(head, order), bytes, stops };
        if !self.orders.push(robot.clone(), waiting)
            && let Some(count) = self.flooded.due(self.hub.clock().now(), 1)
        {
            tracing::warn!(%robot, count, "a robot gets tasks faster than they are answered; the newest are left out");
        }
    }

    /// Deals with the tasks whose turn it is.
    pub(super) fn take_turn(&mut self, publisher: &Publisher) {
        let now = self.hub.clock().now();
        for (robot, waiting) in self.orders.take(publisher.progress()) {
            self.ordered(robot, waiting, publisher, now);
        }
    }

    fn ordered(&mut self, robot: RobotId, waiting: Waiting, publisher: &Publisher, now: Timestamp) {
        let Waiting { task, bytes: _, stops } = waiting;
        let Some(served) = self.robots.get_mut(&robot) else { return };
        served.ordered(&task.id);
        if served.asked >= MOST_ASKED {
            if let Some(count) = self.busy.due(now, 1) {
                tracing::warn!(%robot, count, most = MOST_ASKED, "too many tasks at once; what comes now fails");
            }
            return publish(
                publisher,
                served.publish(&Task::new(&*task.id, &*task.kind, TaskState::Failed), now),
            );
        }
        served.asked += 1;
        self.asked.push(pending::task(&self.hub, robot, task, stops));
    }
}

//! Tasks that wait for their turn: of each robot some at a time, so that a flood for one costs the others nothing.

use latimer_core::model::signal::{Task, TaskState};
use latimer_core::model::{Command, TaskRequest};
use latimer_core::{RobotId, Timestamp};
use latimer_mqtt::{Publisher, QueueItem};

use super::{Facade, pending, publish};
use crate::late::{self, Sent};
use crate::robotkoop::limits::MAX_PENDING_COMMANDS;
use crate::robotkoop::map::task_from_order;
use crate::robotkoop::wire::{Head, Order};

/// A task, how long its message was, when it was sent, and the stops that the robot had been given when it came.
#[derive(Debug)]
pub(super) struct Waiting {
    task: TaskRequest,
    bytes: usize,
    sent: Sent,
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
    /// A task arrived, of so many bytes and sent then.
    pub(super) fn wait(&mut self, head: &Head, order: &Order, bytes: usize, sent: Sent) {
        let Some(robot) = self.addressee(head) else { return self.pass_by(head) };
        let stops = self.hub.stops(&robot);
        let waiting = Waiting { task: task_from_order(head, order), bytes, sent, stops };
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
        let Waiting { task, bytes: _, sent, stops } = waiting;
        let Some(served) = self.robots.get_mut(&robot) else { return };
        served.ordered(&task.id);
        let failed = Task::new(&*task.id, &*task.kind, TaskState::Failed);
        if let Some(reason) = late::refusal(&Command::Task(task.clone()), sent, now) {
            if let Some(count) = self.late.due(now, 1) {
                tracing::warn!(%robot, task = %task.id, %reason, count, "a task comes too late and fails");
            }
            return publish(publisher, served.publish(&failed, now));
        }
        if served.asked >= MAX_PENDING_COMMANDS {
            if let Some(count) = self.busy.due(now, 1) {
                tracing::warn!(%robot, count, most = MAX_PENDING_COMMANDS, "too many tasks at once; what comes now fails");
            }
            return publish(publisher, served.publish(&failed, now));
        }
        served.asked += 1;
        self.asked.push(pending::task(&self.hub, robot, task, stops));
    }
}

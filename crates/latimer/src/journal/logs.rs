//! The logs of the journal, and the kinds that each keeps.

use std::collections::HashMap;

use latimer_core::hub::Shared;
use latimer_core::memory::Reservation;
use latimer_core::model::signal::LinkState;
use latimer_core::model::{Class, Kind};
use latimer_core::{RobotId, Signal, Timestamp};

use super::alerts::AlertLog;
use super::events::EventLog;
use super::history::History;
use super::tasks::TaskLog;

/// Pure state: updates in, records out.
#[derive(Debug, Default)]
pub(super) struct Logs {
    pub(super) tasks: TaskLog,
    pub(super) alerts: AlertLog,
    pub(super) events: EventLog,
    pub(super) history: History,
    /// How each link stood, so that only changes are events.
    links: HashMap<RobotId, LinkState>,
}

impl Logs {
    /// The kinds that are written down.
    pub(super) fn kinds() -> impl Iterator<Item = Kind> {
        let kept = |kind: &Kind| kind.class() == Class::Event || matches!(kind, Kind::Alerts | Kind::Link);
        Kind::ALL.iter().copied().filter(kept)
    }

    /// Writes down an update; whether an alert was raised or cleared.
    pub(super) fn take(&mut self, update: &Shared) -> bool {
        let mut alerted = false;
        if update.kind() == Kind::Link && update.sequence() == 1 {
            // The first word of a robot that is new; one of that name may have been here before.
            alerted |= self.alerts.forget(&update.robot, update.received);
        }
        self.history.take(update);
        let changed = self.tasks.take(update);
        alerted |= self.alerts.take(update);
        let is_event = match &update.signal {
            // A robot reports its progress many times during one drive.
            Signal::Navigation(_) => changed,
            // Robots repeat them; what counts is that something begins or ends.
            Signal::Alerts(_) | Signal::Hazard(_) => alerted,
            Signal::Link(link) => self.links.insert(update.robot.clone(), link.state) != Some(link.state),
            _ => update.kind().class() == Class::Event,
        };
        if is_event {
            self.events.push(update);
        }
        alerted
    }

    /// Counts what is kept; events that there is no memory for are forgotten, the oldest first.
    pub(super) fn account(&mut self, room: &mut Reservation) {
        let history = self.history.bytes();
        loop {
            room.set((history + self.events.bytes()) as u64);
            if !room.is_exceeded() || !self.events.forget_oldest() {
                return;
            }
        }
    }

    /// Robots came or went: forgets what held of those that are not there any more.
    pub(super) fn keep_only(&mut self, is_there: impl Fn(&RobotId) -> bool, now: Timestamp) {
        self.links.retain(|robot, _| is_there(robot));
        self.history.keep_only(&is_there);
        self.alerts.keep_only(is_there, now);
    }
}

//! Queries with one answer for all subscribers: a query right after an answer gets the next answer, which is shared.
//!
//! Each is as long as the swarm, so a client that asks without end would keep all others waiting.

use latimer_core::Timestamp;

use super::Engine;
use crate::pera::limits::QUERY_MIN_INTERVAL;
use crate::pera::messages::arena::Obstacle;
use crate::pera::wire::{Message, Reality};

/// Of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broadcast {
    /// Where the robots of a reality are.
    ServedIds(Reality),
    /// What stands in the arena in a reality.
    Obstacles(Reality),
}

/// Those that were asked for lately; there are six at most.
#[derive(Debug, Default)]
pub(super) struct Broadcasts(Vec<RecentQuery>);

#[derive(Debug)]
struct RecentQuery {
    what: Broadcast,
    rests_until: Timestamp,
    /// Somebody asked again.
    waits: bool,
}

impl Broadcasts {
    /// Whether a question is to be answered now; it is due later otherwise.
    fn ask(&mut self, what: Broadcast, now: Timestamp) -> bool {
        match self.0.iter_mut().find(|asked| asked.what == what) {
            Some(asked) if asked.rests_until > now => {
                asked.waits = true;
                false
            }
            Some(asked) => {
                (asked.rests_until, asked.waits) = (now.after(QUERY_MIN_INTERVAL), false);
                true
            }
            None => {
                self.0.push(RecentQuery { what, rests_until: now.after(QUERY_MIN_INTERVAL), waits: false });
                true
            }
        }
    }

    /// When the next one is due.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.0.iter().filter(|asked| asked.waits).map(|asked| asked.rests_until).min()
    }

    fn take_due(&mut self, now: Timestamp) -> Vec<Broadcast> {
        let due = self.0.iter_mut().filter(|asked| asked.waits && asked.rests_until <= now);
        let taken = due.map(|asked| {
            (asked.rests_until, asked.waits) = (now.after(QUERY_MIN_INTERVAL), false);
            asked.what
        });
        taken.collect()
    }
}

impl Engine {
    pub(super) fn asked_for(&mut self, what: Broadcast, now: Timestamp) {
        if self.broadcasts.ask(what, now) {
            self.broadcast(what);
        }
    }

    /// Answers what was asked for meanwhile.
    pub(super) fn broadcast_due(&mut self, now: Timestamp) {
        for what in self.broadcasts.take_due(now) {
            self.broadcast(what);
        }
    }

    fn broadcast(&mut self, what: Broadcast) {
        match what {
            Broadcast::ServedIds(reality) => {
                self.reply(Message::LocalizationData(self.members.coordinates(reality)));
            }
            Broadcast::Obstacles(reality) => {
                let counts = |it: &&Obstacle| reality == Reality::M || it.reality == Some(reality);
                let listed = self.listed.iter().filter(counts).cloned().collect();
                self.publish(Message::Obstacles(listed), self.settings.reply_qos, true);
            }
        }
    }
}

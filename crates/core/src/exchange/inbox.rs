//! Where publishers leave updates for one sink: pointers, in the order in which they came, bounded in every class.
//!
//! ```text
//!            ┌ event: queue; beyond its bound counted by robot and kind                 ┐
//! push() ──▶ ┤ state: queue, so that a reader sees every change; beyond its bound the   ├──▶ take()
//!            │        newest of each topic                                              │
//!            ├ bulk:  the newest of each topic                                          │
//!            └ stream: queue; beyond its bound counted by robot and kind                ┘
//! ```
//!
//! Nothing here evaluates subscriptions, so a push takes the same time for any number of them.

use std::collections::VecDeque;
use std::sync::Arc;

use foldhash::HashMap;
use indexmap::IndexMap;

use super::topic::TopicId;
use super::{EndReason, GapReason, MailboxLimits, Shared};
use crate::clock::Timestamp;
use crate::model::{Class, Kind, RobotId};

/// The newest update of a topic, and how many before it were not read.
#[derive(Debug)]
pub(super) struct Newest {
    pub(super) update: Arc<Shared>,
    pub(super) skipped: u64,
}

/// How many updates there was no room for, and when the first of them came.
#[derive(Debug)]
pub(super) struct Lost {
    pub(super) count: u64,
    pub(super) since: Timestamp,
}

/// What waits for the reader.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    pub(super) events: VecDeque<Arc<Shared>>,
    pub(super) states: VecDeque<Arc<Shared>>,
    pub(super) frames: VecDeque<Arc<Shared>>,
    /// States that came while `states` was full, and frames.
    pub(super) newest_states: IndexMap<TopicId, Newest>,
    pub(super) newest_bulk: IndexMap<TopicId, Newest>,
    /// That for which there was no room.
    pub(super) lost: HashMap<(RobotId, Kind, GapReason), Lost>,
    /// Robots that were silent since then, and are back.
    pub(super) silences: HashMap<RobotId, Timestamp>,
    /// The sink waits for something to come, so nothing that waits is its fault.
    pub(super) parked: bool,
    pub(super) drained: Timestamp,
    /// The reader has more than it handed over.
    pub(super) unread: bool,
    pub(super) ended: Option<EndReason>,
}

impl Inbox {
    /// Queues a pointer to an update; an error has the reason.
    pub(super) fn push(
        &mut self,
        update: &Arc<Shared>,
        limits: &MailboxLimits,
        now: Timestamp,
    ) -> Option<GapReason> {
        let reason = match update.kind().class() {
            Class::Event if self.events.len() < limits.events => {
                self.events.push_back(update.clone());
                return None;
            }
            Class::Stream if self.frames.len() < limits.frames => {
                self.frames.push_back(update.clone());
                return None;
            }
            Class::Event | Class::Stream => GapReason::QueueFull,
            Class::State if self.newest_states.is_empty() && self.states.len() < limits.events => {
                self.states.push_back(update.clone());
                return None;
            }
            Class::State if newest(&mut self.newest_states, update, limits.keys) => return None,
            Class::Bulk if newest(&mut self.newest_bulk, update, limits.keys) => return None,
            Class::State | Class::Bulk => GapReason::TooManyKeys,
        };
        let key = (update.robot.clone(), update.kind(), reason);
        self.lost.entry(key).or_insert(Lost { count: 0, since: now }).count += 1;
        Some(reason)
    }

    /// How many updates wait: of a topic whose states only the newest of which counts, one.
    pub(super) fn waiting(&self) -> usize {
        self.events.len()
            + self.states.len()
            + self.frames.len()
            + self.newest_states.len()
            + self.newest_bulk.len()
    }

    /// All that came since the last time; what the sink does stays.
    pub(super) fn take(&mut self) -> Self {
        let rest =
            Self { parked: self.parked, drained: self.drained, ended: self.ended.clone(), ..Self::default() };
        std::mem::replace(self, rest)
    }
}

/// Keeps the newest update of a topic; whether there was room.
fn newest(kept: &mut IndexMap<TopicId, Newest>, update: &Arc<Shared>, most: usize) -> bool {
    let Some(topic) = update.topic().map(|(topic, _)| topic.id) else { return true };
    if let Some(waiting) = kept.get_mut(&topic) {
        // Publishers of one topic may overtake each other.
        if waiting.update.sequence() < update.sequence() {
            waiting.update = update.clone();
        }
        waiting.skipped += 1;
        return true;
    }
    let has_room = kept.len() < most;
    if has_room {
        kept.insert(topic, Newest { update: update.clone(), skipped: 0 });
    }
    has_room
}

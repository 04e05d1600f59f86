//! What a node says on `/rosout`.

use std::sync::Arc;

use super::publication::Publication;
use super::shared::Shared;
use crate::limits::NODE_LOG_QUEUE_CAPACITY;
use crate::message::Catalog;
use crate::msgs::rosgraph_msgs::Log;
use crate::msgs::std_msgs::Header;

const TOPIC: &str = "/rosout";

/// How much a log message matters, as in `rosgraph_msgs/Log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For people who look for a fault.
    Debug,
    /// As it should be.
    Info,
    /// To be looked at.
    Warn,
    /// Something failed.
    Error,
    /// Nothing works any more.
    Fatal,
}

impl Level {
    const fn number(self) -> i8 {
        match self {
            Self::Debug => 1,
            Self::Info => 2,
            Self::Warn => 4,
            Self::Error => 8,
            Self::Fatal => 16,
        }
    }

    /// All of them, the least first.
    pub(super) const ALL: [Self; 5] = [Self::Debug, Self::Info, Self::Warn, Self::Error, Self::Fatal];

    /// As roscpp's services call it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
            Self::Fatal => "fatal",
        }
    }

    /// The level of a word in any case.
    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word().eq_ignore_ascii_case(word))
    }
}

/// The topic, latched as rospy has it.
pub(super) fn publication(id: u64) -> Option<Arc<Publication>> {
    let layout = Catalog::common().layout("rosgraph_msgs/Log").ok()?;
    Some(Arc::new(Publication::new(id, TOPIC.to_owned(), layout, NODE_LOG_QUEUE_CAPACITY, true)))
}

/// Says something to all who listen.
pub(super) fn say(shared: &Shared, level: Level, text: &str) {
    if level < shared.log_level() {
        return;
    }
    let topics = shared.topics();
    let Some(publication) = topics.offered.get(TOPIC).cloned() else { return };
    let offered = topics.offered.keys().cloned().collect();
    drop(topics);
    let log = Log {
        header: Header { stamp: (shared.now)(), ..Header::default() },
        level: level.number(),
        name: shared.name.to_string(),
        msg: text.to_owned(),
        topics: offered,
        ..Log::default()
    };
    if let Err(error) = publication.publish(&log) {
        tracing::warn!(node = %shared.name, %error, "a line for /rosout cannot be written");
    }
}

//! A topic that is offered.
//!
//! ```text
//!  publish ──encode once──▶ broadcast, bounded ──▶ follower's task ──▶ socket
//!                                             ├──▶ follower's task ──▶ …
//! ```
//!
//! Each follower has a place of its own in the same queue of the same bytes. One that falls behind by more than the queue
//! loses the oldest; nobody waits for it.

mod follower;
mod publisher;
mod stamp;
mod welcome;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;

pub(super) use self::follower::{Follower, feed};
pub use self::publisher::Publisher;
pub(super) use self::welcome::{Welcome, WelcomeError, welcome};

use crate::limits::PUBLISHER_QUEUE_MAX;
use crate::message::{EncodeError, Layout};

/// A topic that is offered.
#[derive(Debug)]
pub(super) struct Publication {
    /// Tells it from an earlier one of the same name.
    pub id: u64,
    /// Its name.
    pub topic: String,
    /// Its messages.
    pub layout: Arc<Layout>,
    /// Whether who comes gets the last message.
    pub latch: bool,
    /// It is withdrawn.
    pub closed: CancellationToken,
    /// How many handles the program holds.
    publishers: AtomicUsize,
    count: watch::Sender<usize>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    sender: broadcast::Sender<Bytes>,
    sequence: u32,
    last: Option<Bytes>,
    followers: BTreeMap<u64, Arc<Follower>>,
}

/// A follower's place in the queue.
#[derive(Debug)]
pub(super) struct FrameQueue {
    /// The last message's frame, if it is latched.
    pub last: Option<Bytes>,
    /// The frames to come.
    pub frames: broadcast::Receiver<Bytes>,
}

impl Publication {
    pub(super) fn new(id: u64, topic: String, layout: Arc<Layout>, queue: usize, latch: bool) -> Self {
        let sender = broadcast::Sender::new(queue.clamp(1, PUBLISHER_QUEUE_MAX));
        let state = State { sender, sequence: 0, last: None, followers: BTreeMap::new() };
        let (closed, count) = (CancellationToken::new(), watch::Sender::new(0));
        Self {
            id,
            topic,
            layout,
            latch,
            closed,
            publishers: AtomicUsize::new(0),
            count,
            state: Mutex::new(state),
        }
    }

    /// Adds a follower.
    pub(super) fn join(&self, follower: Arc<Follower>) -> FrameQueue {
        let mut state = self.state();
        state.followers.insert(follower.id, follower);
        self.count.send_replace(state.followers.len());
        FrameQueue { last: state.last.clone(), frames: state.sender.subscribe() }
    }

    /// Takes a follower out.
    pub(super) fn leave(&self, id: u64) {
        let mut state = self.state();
        state.followers.remove(&id);
        self.count.send_replace(state.followers.len());
    }

    /// Who follows, in the order of their coming.
    pub(super) fn followers(&self) -> Vec<Arc<Follower>> {
        self.state().followers.values().cloned().collect()
    }

    pub(super) fn publish<T: Serialize + ?Sized>(&self, message: &T) -> Result<(), EncodeError> {
        if !self.latch && self.state().followers.is_empty() {
            return Ok(());
        }
        let frame = self.layout.encode_frame(message)?;
        let mut state = self.state();
        state.sequence = state.sequence.wrapping_add(1);
        let frame = if self.layout.has_header() { stamp::sequence(frame, state.sequence) } else { frame };
        if self.latch {
            state.last = Some(frame.clone());
        }
        // Nobody listens yet; the last message is kept for who comes.
        let _ = state.sender.send(frame);
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Events: the last ones, whole but without what robots really sent, which may be big.

use std::collections::VecDeque;
use std::sync::Arc;

use latimer_core::hub::Shared;
use latimer_core::{Signal, Update};

use crate::limits::JOURNAL_MAX_EVENTS;

/// Text that all of them may have together, in bytes.
const MAX_TEXT: usize = 4 << 20;

/// Bytes of an event beside its text, about.
const EACH_BYTES: usize = 1_024;

/// The last events, oldest first.
#[derive(Debug, Default)]
pub(super) struct EventLog {
    updates: VecDeque<Arc<Shared>>,
    text: usize,
}

impl EventLog {
    pub(super) fn newest(&self) -> impl Iterator<Item = &Arc<Shared>> {
        self.updates.iter().rev()
    }

    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.text + self.updates.len() * EACH_BYTES
    }

    /// Makes room for newer ones.
    pub(super) fn forget_oldest(&mut self) -> bool {
        let oldest = self.updates.pop_front();
        self.text -= oldest.as_ref().map_or(0, |oldest| text_of(oldest));
        oldest.is_some()
    }

    pub(super) fn push(&mut self, update: &Shared) {
        // A copy: the one in the hub keeps its encodings and its native form as long as it lives.
        let lean = Update { native: None, ..Update::clone(update) };
        self.text += text_of(&lean);
        self.updates.push_back(Arc::new(Shared::new(lean, update.sequence())));
        while self.updates.len() > JOURNAL_MAX_EVENTS || self.text > MAX_TEXT {
            if !self.forget_oldest() {
                break;
            }
        }
    }
}

/// The one kind of event whose size a robot chooses freely.
fn text_of(update: &Update) -> usize {
    match &update.signal {
        Signal::Text(text) => text.text.len() + text.data.as_ref().map_or(0, |data| data.to_string().len()),
        _ => 0,
    }
}

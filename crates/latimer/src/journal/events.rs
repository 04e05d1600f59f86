//! Events: the last ones, whole but without what robots really sent, which may be big.

use std::collections::VecDeque;
use std::sync::Arc;

use latimer_core::hub::Shared;
use latimer_core::{Signal, Update};

/// Events that are kept.
const MAX_EVENTS: usize = 2_000;

/// Text that all of them may have together, in bytes.
const MAX_TEXT: usize = 4 << 20;

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

    pub(super) fn push(&mut self, update: &Shared) {
        // A copy: the one in the hub keeps its encodings and its native form as long as it lives.
        let lean = Update { native: None, ..Update::clone(update) };
        self.text += text_of(&lean);
        self.updates.push_back(Arc::new(Shared::new(lean, update.sequence())));
        while self.updates.len() > MAX_EVENTS || self.text > MAX_TEXT {
            let Some(oldest) = self.updates.pop_front() else { break };
            self.text -= text_of(&oldest);
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

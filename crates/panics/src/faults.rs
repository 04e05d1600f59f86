//! Panics that tests ask for.

use std::cell::Cell;

thread_local! {
    /// The work that panics next.
    static NEXT: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Has the next work of this name panic that is begun on this thread, whichever thread does it.
pub fn fail_next(doing: &'static str) {
    NEXT.set(Some(doing));
}

/// Whether work is the one that shall panic.
pub(crate) fn is_next(doing: &'static str) -> bool {
    NEXT.get() == Some(doing) && NEXT.take().is_some()
}

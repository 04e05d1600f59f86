//! Event names in use. A robot keeps one list for all sockets and refuses a name that is taken.
//!
//! A real robot forgets a name only when its own socket unsubscribes, so that a crashed client locks
//! itself out until the next restart; here a name is free again as soon as its socket is gone.

use std::sync::{Arc, Mutex, PoisonError};

use foldhash::HashSet;

/// The names of one robot.
#[derive(Debug, Default)]
pub(super) struct Names(Mutex<HashSet<Arc<str>>>);

impl Names {
    /// Takes a name; `None` if it is taken.
    pub(super) fn take(self: &Arc<Self>, name: &str) -> Option<Taken> {
        let name: Arc<str> = name.into();
        let new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
        new.then(|| Taken { names: self.clone(), name })
    }
}

/// A name in use; free again when this is dropped.
#[derive(Debug)]
pub(super) struct Taken {
    names: Arc<Names>,
    name: Arc<str>,
}

impl Taken {
    pub(super) fn as_str(&self) -> &str {
        &self.name
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.names.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_free_again_when_its_holder_is_gone() {
        let names = Arc::new(Names::default());
        let held = names.take("a").unwrap();
        assert!(names.take("a").is_none());
        drop(held);
        assert!(names.take("a").is_some());
    }
}

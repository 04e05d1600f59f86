//! The frames that coordinates are given in.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::model::record::words;

/// Names of frames of the tree, kept as long as the program runs: each name once, and only of frames that there were.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The name of a frame of the tree, such as `world` or `rover-1/map`; as cheap to copy as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FrameName(&'static str);

impl FrameName {
    /// Keeps a name for good, hence for the hub alone, which gives names of frames that exist.
    pub(crate) fn keep(name: &str) -> Self {
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(name) {
            return Self(known);
        }
        let name: &'static str = Box::leak(name.into());
        names.insert(name);
        Self(name)
    }

    /// The name.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

words! {
    /// The frame that coordinates are given in: one of the robot's own (REP-105, and its own parts), or one of the tree if that was asked for.
    pub enum Frame {
        /// Fixed to the map; corrected when the robot relocalises.
        Map = "map",
        /// Fixed where the robot started; drifts, never jumps.
        Odom = "odom",
        /// Fixed to the robot's base.
        BaseLink = "base_link",
        /// Fixed to the robot's head.
        Head = "head",
        ;
        /// One of the tree, by its name there; robots publish in their own.
        Tree(FrameName),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_once() {
        let (one, other) = (FrameName::keep("hall"), FrameName::keep(&["ha", "ll"].concat()));
        assert!(std::ptr::eq(one.as_str(), other.as_str()));
        assert_eq!(Frame::Tree(one).to_string(), "hall");
        assert_eq!(Frame::from_word("hall"), None);
        assert_eq!(Frame::ALL.len(), 4);
    }
}

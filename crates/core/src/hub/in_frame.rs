//! Conditions and picked fields with coordinates in one frame.

use super::Hub;
use crate::exchange::{ModelView, Shared, View};
use crate::model::signal::FrameName;
use crate::model::{Path, Value};

/// The model's own names, with coordinates in one frame of the tree; what has no transform has no values.
#[derive(Clone, Debug)]
pub struct InFrameView {
    hub: Hub,
    frame: FrameName,
}

impl InFrameView {
    /// The view into a frame, by the places that a hub knows.
    pub fn new(hub: Hub, frame: FrameName) -> Self {
        Self { hub, frame }
    }
}

impl View for InFrameView {
    fn value(&self, update: &Shared, path: &Path) -> Option<Value> {
        match self.hub.in_frame(update, self.frame) {
            Ok(Some(placed)) => ModelView.value(&placed, path),
            Ok(None) => ModelView.value(update, path),
            Err(_) => None,
        }
    }
}

//! The topics' messages that describe themselves, each field beside what it is in the model.
//!
//! Keys stand in the order of the specification; one that a frame lacks is `None`, never 0, and is left out again; one that
//! the specification does not name is kept in `extra` and written behind the others.

pub mod around;
pub mod battery;
pub mod camera;
pub(in crate::axbot) mod codecs;
pub mod device;
pub mod drive;
pub mod grids;
pub mod joints;
pub mod localization;
pub mod objects;
pub mod place;
pub mod state;

/// The bodies of all topics, by the names that the list of topics has.
pub(in crate::axbot) mod bodies {
    pub(in crate::axbot) use super::{
        around::*, battery::*, camera::*, device::*, drive::*, grids::*, joints::*, localization::*,
        objects::*, place::*, state::*,
    };
}

use std::cell::RefCell;

use bytes::Bytes;

use latimer_core::model::signal::Pose;
use latimer_core::{PartName, Timestamp};

use super::style::Style;
use crate::describe;

/// What encoding needs beside a record.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// When it happened.
    pub at: Timestamp,
    /// How messages are written.
    pub style: Style,
    /// Where the robot is, if it knows that.
    pub pose: Option<Pose>,
    /// Whether it has a map.
    pub has_map: bool,
    /// The name of its map among all maps anywhere.
    pub map_uid: Option<String>,
    /// The bumpers that there are, and whether each is pressed.
    pub bumpers: Vec<(PartName, bool)>,
    /// The pictures that a message gives addresses of, each with the word that its address begins with.
    pub pictures: RefCell<Vec<(&'static str, Bytes)>>,
}

impl describe::Context for Context {
    fn at(&self) -> Timestamp {
        self.at
    }
}

#[cfg(test)]
mod tests;

//! What the topics' messages hold, each field beside what it is in the model.
//!
//! A message that is a line of numbers has its numbers as fields, by the names that its documents give them.

pub mod arena;
mod codecs;
pub mod comm;
pub mod localization;
pub mod management;
pub mod robot;
pub mod sensor;

#[cfg(test)]
mod tests;

use latimer_core::model::Realities;

use super::roster::SwarmId;
use super::wire::Reality;

/// What encoding needs beside a record.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Which robot tells it.
    pub id: SwarmId,
    /// What the robot is, if that is published.
    pub reality: Option<Reality>,
}

/// The letters of what a robot is, or of what counts.
const REALITIES: &[(&str, Realities)] =
    &[("R", Realities::Real), ("V", Realities::Virtual), ("M", Realities::Mixed)];

fn whose<R>(_: &R, context: &Context) -> Option<SwarmId> {
    Some(context.id)
}

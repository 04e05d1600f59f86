//! The topics' messages as they are on the wire: the specification's words and units, no logic.
//!
//! | file | topics |
//! |---|---|
//! | [`robot`] | `robot/*` |
//! | [`localization`] | `localization`, `localization/*` |
//! | [`sensor`] | `sensor/*` |
//! | [`comm`] | `comm/*`, `output/neopixel*` |
//! | [`arena`] | `obstacles*`, `config/arena/` |
//! | [`management`] | `mgt/*`, `service/*`, `test` |
//!
//! Read is more than is written: numbers as texts, texts as numbers, words without quotes, objects in the place of lists,
//! keys that are missing or stand twice, of which the last counts. A number that cannot be read where one need not
//! be counts as not given. Keys that nobody here knows are passed over.

pub mod arena;
pub mod comm;
mod id;
mod list;
pub mod localization;
pub mod management;
mod message;
mod number;
mod reality;
pub mod robot;
pub mod sensor;
mod text;

#[cfg(test)]
pub(super) mod tests;

use message::Problem;
pub use message::{MAX_BYTES, MAX_BYTES_OF_ONE, Message};
pub use number::Number;
pub use reality::Reality;

use super::topic::{Sensor, Topic};

/// A message that cannot be read: of which topic, what is wrong, what to send instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{topic}: {problem}; send {example}")]
pub struct ReadError {
    /// Of which topic.
    pub topic: Topic,
    /// What is wrong.
    pub problem: String,
    /// A message that would do.
    pub example: &'static str,
    /// Whether it may be a message of another topic; what is no JSON is none of any that has JSON.
    pub may_be_another: bool,
}

impl ReadError {
    fn new(topic: &Topic, problem: Problem) -> Self {
        let Problem { text: problem, may_be_another } = problem;
        Self { topic: topic.clone(), problem, example: example(topic), may_be_another }
    }
}

/// A message of a topic, to copy.
pub fn example(topic: &Topic) -> &'static str {
    match topic {
        Topic::Create => "{\"id\":0,\"x\":10,\"y\":10,\"heading\":0,\"reality\":\"R\"}",
        Topic::Live => "{\"id\":0,\"reality\":\"V\"}",
        Topic::Delete | Topic::SnapshotAsked => "{\"id\":0}",
        Topic::Order(_) | Topic::OrderAll => "ID? -1",
        Topic::Log => "{\"id\":\"5\",\"msg\":\"123\"}",
        Topic::Ota(_) => "an address",
        Topic::Localization => "0",
        Topic::LocalizationOf(_) => "12.345 -7.891 200",
        Topic::LocalizationUpdate | Topic::LocalizationData => {
            "[{\"id\":0,\"x\":10,\"y\":10,\"heading\":0,\"reality\":\"R\"}]"
        }
        Topic::LocalizationDataAsked | Topic::ObstaclesAsked => "M, V or R",
        Topic::Sensor(Sensor::Distance) => "{\"id\":0,\"dist\":12,\"reality\":\"M\"}",
        Topic::Sensor(Sensor::Color) => "{\"id\":0,\"R\":1,\"G\":2,\"B\":3,\"ambient\":2,\"reality\":\"M\"}",
        Topic::Sensor(Sensor::Proximity) => "{\"id\":0,\"angles\":[-90,0,90],\"reality\":\"V\"}",
        Topic::Sensor(Sensor::Compass) => "{\"id\":0,\"compass\":90}",
        Topic::SensorOf(Sensor::Color, _) => "255 0 0 85",
        Topic::SensorOf(Sensor::Proximity, _) => "5 10 5 #404040 #000000 #FF0000",
        Topic::SensorOf(..) => "74",
        Topic::CommOut(_) => "{\"id\":0,\"msg\":\"hello\",\"dist\":30}",
        Topic::CommIn(..) | Topic::Visualizer => "a text",
        Topic::Neopixel => "{\"id\":0,\"R\":66,\"G\":66,\"B\":66}",
        Topic::NeopixelOf(_) => "66 66 66",
        Topic::Obstacles => "a list of obstacles",
        Topic::ObstaclesDelete => "{\"id\":\"1f (Wall)\"}",
        Topic::Arena => "{\"xMin\":-90,\"xMax\":90,\"yMin\":-90,\"yMax\":90,\"units\":\"virtual\"}",
        Topic::Snapshot => "all that is known of a robot",
        Topic::Discovery => "{\"uuid\":\"1f\",\"timestamp\":\"2026-01-01T00:00:00.000Z\"}",
        Topic::Test => "{\"x\":0,\"y\":0,\"heading\":0}",
        Topic::LocalizationUpdateAsked
        | Topic::SensorAsked(..)
        | Topic::ObstaclesDeleteAll
        | Topic::Terminate(_)
        | Topic::Unknown(_) => "?",
    }
}

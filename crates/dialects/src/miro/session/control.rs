//! What the robot is told.

use latimer_core::Clock;
use latimer_core::hub::CommandRequest;
use latimer_core::model::Outcome;
use latimer_ros1::node::{Node, NodeError, Publisher};

use super::Settings;
use crate::miro::map::Said;
use crate::miro::topic::Topic;

/// The topics that a bridge follows, advertised.
pub(super) struct Control {
    _control: Publisher,
}

impl Control {
    pub(super) fn advertise(node: &Node, settings: &Settings, _clock: Clock) -> Result<Self, NodeError> {
        let topic = Topic::Control;
        let control = node.advertise(&topic.of(&settings.name), settings.types.of(topic), 1, false)?;
        Ok(Self { _control: control })
    }

    /// Takes a command.
    pub(super) fn obey(&mut self, request: CommandRequest) {
        let what = request.command.name();
        request.answer(Outcome::Refused(format!("a MiRo that is not simulated cannot {what}")));
    }

    /// What the robot said.
    pub(super) fn heard(&mut self, _said: &[Said]) {}

    /// Waits until something is to be sent, and sends it. Cancel safe.
    pub(super) async fn tick(&mut self) {
        std::future::pending().await
    }

    /// The connection ends; who waits is told why.
    pub(super) fn hang_up(&mut self, _reason: &str) {}
}

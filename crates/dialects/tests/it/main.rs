//! Every dialect from outside: what it serves as its clients see it, what it connects to as the hub does.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

pub(crate) mod axbot;
mod axbot_rest;
mod axbot_session;
mod conformance;
mod gate;
mod grants;
mod miro;
mod miro_control;
pub(crate) mod misty;
mod pace;
mod pera_robots;
mod revoked;
mod rig;
mod robotkoop;
mod rosbridge;
mod time;

use latimer_core::derive::Deriving;
use latimer_core::service::Service as _;
use latimer_core::{Clock, Command, Hub};
use latimer_dialects::describe::Call;

/// A command of one family.
pub(crate) fn own(call: impl Call) -> Command {
    call.command().unwrap()
}

/// A hub that derives what programs expect of a robot, as that of a gateway does.
pub(crate) fn deriving_hub() -> Hub {
    let hub = Hub::new(Clock::system());
    hub.set_vocabulary(latimer_dialects::vocabulary());
    tokio::spawn(Box::new(Deriving(hub.clone())).run(tokio_util::sync::CancellationToken::new()));
    hub
}

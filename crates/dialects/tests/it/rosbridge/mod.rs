//! The bridge as its clients see it.

#[allow(dead_code, reason = "tests of commands follow")]
mod connected;
mod grants;
mod names;
mod pace;
#[allow(dead_code, reason = "tests of commands follow")]
mod real;

use latimer_core::hub::Source;
use latimer_core::{Clock, Hub};
use latimer_dialects::BuildContext;
use latimer_dialects::listen::Ports;
use latimer_dialects::rosbridge::RosbridgeConfig;

use crate::rig::{Running, play};

/// A bridge with one robot that a test plays.
pub(crate) struct Bridge {
    pub(crate) source: Source,
    /// `host:port`.
    pub(crate) address: String,
    _running: Running,
}

impl Bridge {
    pub(crate) async fn start(ports: Ports) -> Self {
        let hub = Hub::new(Clock::system());
        let source = play(&hub, "rover", "test");
        let context = BuildContext { ports, ..BuildContext::new(&hub) };
        let listen = Some("127.0.0.1:0".parse().unwrap());
        let config = RosbridgeConfig { listen, ..RosbridgeConfig::default() };
        let running = Running::start(Box::new(config), context).await;
        Self { source, address: running.authority(), _running: running }
    }
}

//! The bridge as its clients see it.

mod grants;
mod pace;

use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::{Clock, Hub, RobotId};
use latimer_dialects::listen::Ports;
use latimer_dialects::rosbridge::RosbridgeConfig;
use latimer_dialects::{BuildContext, Configured};
use tokio_util::sync::{CancellationToken, DropGuard};

/// A bridge with one robot that a test plays.
pub(crate) struct Bridge {
    pub(crate) source: Source,
    /// `host:port`.
    pub(crate) address: String,
    _stop: DropGuard,
}

impl Bridge {
    pub(crate) async fn start(ports: Ports) -> Self {
        let hub = Hub::new(Clock::system());
        let robot = RobotId::new("rover").unwrap();
        let source = hub.register(RobotInfo::new(robot, "test", Origin::Simulated)).unwrap();
        let context = BuildContext { ports, ..BuildContext::new(&hub) };
        let listen = Some("127.0.0.1:0".parse().unwrap());
        let config = RosbridgeConfig { listen, ..RosbridgeConfig::default() };
        let built = Box::new(config).build(context).await.unwrap();
        let address = built.endpoints[0].url.trim_start_matches("ws://").trim_end_matches('/').to_owned();
        let stop = CancellationToken::new();
        tokio::spawn(built.service.run(stop.clone()));
        Self { source, address, _stop: stop.drop_guard() }
    }
}

//! The gateway as a client of a robot behind a real bridge.

mod reading;

use latimer_core::{Clock, Command, Hub, Outcome, RobotId};
use latimer_dialects::rosbridge::NAME;
use latimer_dialects::{BuildContext, find};

use super::real::RealBridge;
use crate::rig::{Observer, PATIENCE, Running, checked};

/// A gateway that is connected to the robot behind a bridge, whose topics are not below a name.
pub(super) struct Gateway {
    hub: Hub,
    observer: Observer,
    _running: Running,
}

impl Gateway {
    /// With more keys of the entry that connects to it.
    async fn of(bridge: &RealBridge, keys: &str, observes: &str) -> Self {
        let hub = Hub::new(Clock::system());
        let observer = Observer::of(&hub, &format!("base-1/link {observes}"));
        let address = &bridge.address;
        let table = format!("[[connect]]\nrobot = 'base-1'\naddress = '{address}'\nname = ''\n{keys}");
        let dialect = checked(find(NAME).unwrap(), &table).unwrap();
        let running = Running::start(dialect, BuildContext::new(&hub)).await;
        Self { hub, observer, _running: running }
    }

    async fn command(&self, command: Command) -> Outcome {
        self.hub.command(&robot(), command, PATIENCE).await
    }
}

fn robot() -> RobotId {
    RobotId::new("base-1").unwrap()
}

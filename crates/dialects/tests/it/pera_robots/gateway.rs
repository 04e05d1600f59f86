//! A gateway of this dialect alone, with robots that tests play.

use std::sync::Arc;

use latimer_core::hub::{Shared, Source};
use latimer_core::model::signal::{Frame, Link, Pose};
use latimer_core::service::BuildError;
use latimer_core::{BrokerAddress, Clock, Hub, RobotId};
use latimer_dialects::pera::PeraConfig;
use latimer_dialects::{BuildContext, Built, Configured};

pub(crate) use crate::rig::publish;
use crate::rig::{Observer, Running, play};

pub(crate) fn id(name: &str) -> RobotId {
    RobotId::new(name).unwrap()
}

pub(crate) struct Gateway {
    pub(crate) hub: Hub,
    observer: Observer,
    running: Running,
}

/// Builds what `[pera]` says.
pub(crate) async fn build(
    hub: &Hub,
    table: &str,
    broker: Option<BrokerAddress>,
) -> Result<Built, BuildError> {
    let config: PeraConfig = toml::from_str(table).unwrap();
    let context = BuildContext { broker, ..BuildContext::new(hub) };
    Ok(Box::new(config).build(context).await?.whole())
}

impl Gateway {
    pub(crate) async fn start(table: &str, broker: &BrokerAddress) -> Self {
        let hub = Hub::new(Clock::system());
        let observer = Observer::of(&hub, "**");
        let running = Running::of(build(&hub, table, Some(broker.clone())).await.unwrap());
        Self { hub, observer, running }
    }

    /// A robot that the test plays, in the middle of the map.
    pub(crate) fn robot(&self, name: &str) -> Source {
        let source = self.lost_robot(name);
        publish(&source, None, Pose::planar(Frame::Map, 0.0, 0.0, 0.0));
        source
    }

    /// One that does not know where it is.
    pub(crate) fn lost_robot(&self, name: &str) -> Source {
        play(&self.hub, name, "test")
    }

    /// The next update of a sort; others are passed over.
    pub(crate) async fn update(&self, wanted: impl Fn(&Shared) -> bool) -> Arc<Shared> {
        self.observer.update(wanted).await
    }

    /// The next state of the link to a robot of a sort.
    pub(crate) async fn link(&self, wanted: impl Fn(&Link) -> bool) -> Link {
        self.observer.link(wanted).await
    }

    pub(crate) async fn stop(self) {
        self.running.stop().await;
    }
}

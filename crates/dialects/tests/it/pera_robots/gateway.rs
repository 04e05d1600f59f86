//! A gateway of this dialect alone, with robots that tests play.

use std::sync::{Arc, Mutex};

use latimer_core::hub::{Delivery, MailboxLimits, Origin, RobotInfo, Shared, Sink, Source, Subscription};
use latimer_core::model::signal::{Frame, Link, LinkState, Pose};
use latimer_core::service::BuildError;
use latimer_core::{BrokerAddress, Clock, Hub, PartName, RobotId, Signal, Update};
use latimer_dialects::pera::PeraConfig;
use latimer_dialects::{BuildContext, Built, Configured};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::swarm::PATIENCE;

pub(crate) fn id(name: &str) -> RobotId {
    RobotId::new(name).unwrap()
}

pub(crate) struct Gateway {
    pub(crate) hub: Hub,
    sink: Sink,
    rest: Mutex<Vec<Delivery>>,
    stop: CancellationToken,
    running: JoinHandle<()>,
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
        let sink = hub.sink("test", "observer", MailboxLimits::default());
        sink.subscribe(Subscription::to("**".parse().unwrap()));
        let built = build(&hub, table, Some(broker.clone())).await.unwrap();
        let stop = CancellationToken::new();
        let running = tokio::spawn(built.service.run(stop.clone()));
        Self { hub, sink, rest: Mutex::default(), stop, running }
    }

    /// A robot that the test plays, in the middle of the map.
    pub(crate) fn robot(&self, name: &str) -> Source {
        let source = self.lost_robot(name);
        publish(&source, None, Pose::planar(Frame::Map, 0.0, 0.0, 0.0));
        source
    }

    /// One that does not know where it is.
    pub(crate) fn lost_robot(&self, name: &str) -> Source {
        let info = RobotInfo::new(id(name), "test", Origin::Simulated);
        let source = self.hub.register(info).unwrap();
        source.link(LinkState::Up, None);
        source
    }

    /// The next update of a sort; others are passed over.
    pub(crate) async fn update(&self, wanted: impl Fn(&Shared) -> bool) -> Arc<Shared> {
        let search = async {
            let mut waiting = std::mem::take(&mut *self.rest.lock().unwrap());
            loop {
                let mut found = None;
                for delivery in waiting.drain(..) {
                    match delivery {
                        Delivery::Update(_, update) if found.is_none() && wanted(&update) => {
                            found = Some(update)
                        }
                        other if found.is_some() => self.rest.lock().unwrap().push(other),
                        _ => {}
                    }
                }
                if let Some(found) = found {
                    return found;
                }
                self.sink.receive(&mut waiting).await;
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("what must come, comes")
    }

    /// The next state of the link to a robot of a sort.
    pub(crate) async fn link(&self, wanted: impl Fn(&Link) -> bool) -> Link {
        let is_it = |update: &Shared| matches!(&update.signal, Signal::Link(link) if wanted(link));
        match self.update(is_it).await.signal.clone() {
            Signal::Link(link) => link,
            other => unreachable!("{other:?}"),
        }
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.running).await.expect("it stops").unwrap();
    }
}

/// Lets a robot say something.
pub(crate) fn publish(source: &Source, part: Option<&str>, signal: impl Into<Signal>) {
    let update = Update::now(source.robot(), Clock::system().now(), signal.into());
    source.publish(Update { part: part.map(PartName::of), ..update });
}

//! A gateway of one dialect, without the binary around it; and two of them, connected.

use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use latimer_core::hub::{Delivery, MailboxLimits, Origin, RobotInfo, Shared, Sink, Source, Subscription};
use latimer_core::model::signal::{Frame, Link, LinkState, Pose};
use latimer_core::service::Rules;
use latimer_core::{Clock, Hub, RobotId, Signal, Update};
use latimer_dialects::{BuildContext, Entry, Translator, Transport};
pub(crate) use latimer_e2e::PATIENCE;
use latimer_mqtt::broker::Meter;
use latimer_mqtt::{Broker, BrokerConfig};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::cable::Cable;
use super::samples;

pub(crate) fn robot() -> RobotId {
    RobotId::new("robot-1").unwrap()
}

/// One gateway.
pub(crate) struct House {
    pub(crate) hub: Hub,
    pub(crate) urls: Vec<String>,
    pub(crate) translator: Arc<dyn Translator>,
    stop: CancellationToken,
    running: JoinHandle<()>,
    meter: Meter,
    end_broker: CancellationToken,
    broker: JoinHandle<()>,
}

impl House {
    async fn build(entry: &'static Entry, hub: Hub, table: &str) -> Self {
        let table = toml::de::ValueDeserializer::parse(&inline(table)).map(entry.from_toml).unwrap();
        let dialect = table.unwrap();
        dialect.validate(&Rules::default()).unwrap();
        let translator = dialect.translator();
        let broker = broker().await;
        let context = BuildContext { broker: Some(broker.address().clone()), ..BuildContext::new(&hub) };
        let built = dialect.build(context).await.unwrap().whole();
        let (stop, end_broker) = (CancellationToken::new(), CancellationToken::new());
        let meter = broker.meter().unwrap();
        let broker = tokio::spawn(broker.run(end_broker.clone()));
        let running = tokio::spawn(built.service.run(stop.clone()));
        let urls = built.endpoints.into_iter().map(|endpoint| endpoint.url).collect();
        Self { hub, urls, translator, stop, running, meter, end_broker, broker }
    }

    /// One that serves the robot.
    pub(crate) async fn serving(entry: &'static Entry, hub: Hub) -> Self {
        Self::serving_with(entry, hub, "").await
    }

    /// The same with more keys in its table.
    pub(crate) async fn serving_with(entry: &'static Entry, hub: Hub, keys: &str) -> Self {
        let table = (entry.serve)(&robot(), "127.0.0.1:0".parse().unwrap());
        let house = Self::build(entry, hub, &format!("{table}{keys}")).await;
        if entry.transport == Transport::Mqtt {
            // A broker has nobody for what is published before.
            tokio::time::timeout(PATIENCE, house.subscribed()).await.expect("its facade subscribes");
        }
        house
    }

    async fn subscribed(&self) {
        while self.meter.read().subscriptions == 0 {
            // Nothing tells when a client subscribes.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Host and port of what it serves at.
    pub(crate) fn authority(&self) -> String {
        authority(&self.urls[0])
    }

    pub(crate) async fn connected(entry: &'static Entry, address: &str) -> Self {
        Self::build(entry, Hub::new(Clock::system()), &(entry.connect)(&robot(), address)).await
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.running.await.unwrap();
        self.end_broker.cancel();
        self.broker.await.unwrap();
    }
}

/// Each gateway has a broker of its own; dialects without MQTT let it be.
async fn broker() -> Broker {
    let listen = Some("127.0.0.1:0".parse().unwrap());
    BrokerConfig { listen, ..BrokerConfig::default() }.build(Default::default()).await.unwrap().unwrap()
}

/// `[[a]]` tables as one inline table, because a dialect reads a value, not a file.
fn inline(table: &str) -> String {
    let table: toml::Table = toml::from_str(table).unwrap();
    toml::Value::Table(table).to_string()
}

/// A robot here, served by one gateway and connected to by another.
pub(crate) struct Loopback {
    pub(crate) here: House,
    pub(crate) there: House,
    pub(crate) source: Source,
    sequence: Mutex<u64>,
}

impl Loopback {
    pub(crate) async fn start(entry: &'static Entry, cable: Option<&Cable>) -> Self {
        let hub = Hub::new(Clock::system());
        let source = play(&hub, entry);
        let here = House::serving(entry, hub).await;
        let address = here.authority();
        let through = match cable {
            Some(cable) => {
                cable.plug_into(entry, &address).await;
                cable.address.clone()
            }
            None => address.clone(),
        };
        let there = House::connected(entry, &through).await;
        Self { here, there, source, sequence: Mutex::new(0) }
    }

    /// Says all that the dialect has words for, until some of it is heard there: not everything is said twice.
    pub(crate) async fn passes(&self, observer: &Observer) {
        let hub = &self.here.hub;
        let can_say =
            |update: &Update| self.here.translator.translate(hub, &Shared::new(update.clone(), 1)).is_some();
        let says = || samples::all(hub).into_iter().filter(can_say);
        let kinds: Vec<_> = says().map(|update| update.kind()).collect();
        let say_all = || says().for_each(|update| drop(self.publish(update)));
        observer.update(say_all, |incoming| kinds.contains(&incoming.kind())).await;
    }

    /// Says something here; returns it as the hub carries it.
    pub(crate) fn publish(&self, update: Update) -> Shared {
        self.source.publish(update.clone());
        let mut sequence = self.sequence.lock().unwrap();
        *sequence += 1;
        Shared::new(update, *sequence)
    }

    pub(crate) async fn stop(self) {
        let Self { here, there, source, .. } = self;
        there.stop().await;
        here.stop().await;
        drop(source);
    }
}

/// A robot of a family that the test plays.
pub(crate) fn play(hub: &Hub, family: &Entry) -> Source {
    play_as(hub, family.robot(robot(), Origin::Simulated))
}

/// A robot that the test plays.
pub(crate) fn play_as(hub: &Hub, info: RobotInfo) -> Source {
    let source = hub.register(info).unwrap();
    source.link(LinkState::Up, None);
    // A robot that knows no place is not shown everywhere.
    let place = Pose::planar(Frame::Map, 0.0, 0.0, 0.0);
    source.publish(Update::now(&robot(), Clock::system().now(), place.into()));
    source
}

/// `ws://host:port/path` without the rest.
fn authority(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap().to_owned()
}

/// An observer of all robots.
pub(crate) struct Observer(Arc<Sink>);

impl Observer {
    pub(crate) fn of(house: &House) -> Self {
        let sink = house.hub.sink("test", "observer", MailboxLimits::default());
        sink.subscribe(Subscription::to("**".parse().unwrap()));
        Self(Arc::new(sink))
    }

    /// The next delivery of a sort.
    pub(crate) async fn delivery(&self, wanted: impl Fn(&Delivery) -> bool) -> Delivery {
        let search = async {
            let mut deliveries = Vec::new();
            loop {
                self.0.receive(&mut deliveries).await;
                if let Some(found) = deliveries.drain(..).find(|delivery| wanted(delivery)) {
                    return found;
                }
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("what must come, comes")
    }

    /// The next update of a sort; `again` is said until it arrives, as subscriptions take a moment.
    pub(crate) async fn update<T>(
        &self,
        again: impl Fn() -> T,
        wanted: impl Fn(&Shared) -> bool,
    ) -> Arc<Shared> {
        let found = |delivery: &Delivery| matches!(delivery, Delivery::Update(_, update) if wanted(update));
        let repeat = async {
            loop {
                tokio::time::sleep(Duration::from_millis(100)).await;
                again();
            }
        };
        let delivery = tokio::select! {
            delivery = self.delivery(found) => delivery,
            () = repeat => unreachable!(),
        };
        match delivery {
            Delivery::Update(_, update) => update,
            other => unreachable!("{other:?}"),
        }
    }

    /// The next state of the link of a sort.
    pub(crate) async fn link(&self, wanted: impl Fn(&Link) -> bool) -> Link {
        let update =
            self.update(|| (), |update| matches!(&update.signal, Signal::Link(link) if wanted(link))).await;
        match update.signal.clone() {
            Signal::Link(link) => link,
            other => unreachable!("{other:?}"),
        }
    }
}

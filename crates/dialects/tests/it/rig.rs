//! What most tests need: robots that they play, gateways that run, a broker, clients' sockets, and an observer of a hub.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_core::hub::{
    CommandRequest, Delivery, MailboxLimits, Origin, RobotInfo, Shared, Sink, Source, Subscription,
};
use latimer_core::model::signal::{Link, LinkState};
use latimer_core::model::{Command, Outcome};
use latimer_core::service::{ConfigError, Rules};
use latimer_core::{BrokerAddress, Clock, Hub, PartName, RobotId, Signal, Update};
use latimer_dialects::config::Serve;
use latimer_dialects::{AnyDialect, BuildContext, Built, Endpoint, Entry};
pub(crate) use latimer_e2e::PATIENCE;
use latimer_mqtt::BrokerConfig;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::time::Time;

pub(crate) async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("what must come, comes")
}

/// A robot of a family, with what every one of it has; of a family that is none nothing is declared.
pub(crate) fn robot_info(robot: &RobotId, family: &'static str) -> RobotInfo {
    match latimer_dialects::find(family) {
        Some(entry) => entry.robot(robot.clone(), Origin::Simulated),
        None => RobotInfo::new(robot.clone(), family, Origin::Simulated),
    }
}

/// A robot that the test plays, and that is heard.
pub(crate) fn play(hub: &Hub, robot: &str, family: &'static str) -> Source {
    let source = hub.register(robot_info(&RobotId::new(robot).unwrap(), family)).unwrap();
    source.link(LinkState::Up, None);
    source
}

/// Lets a robot say something.
pub(crate) fn publish(source: &Source, part: Option<&str>, signal: impl Into<Signal>) {
    let update = Update::now(source.robot(), Clock::system().now(), signal.into());
    source.publish(Update { part: part.map(PartName::of), ..update });
}

/// What a robot is asked next.
pub(crate) async fn asked(source: &mut Source) -> CommandRequest {
    in_time(source.next_command()).await
}

/// The same, answered.
pub(crate) async fn answer(source: &mut Source, outcome: Outcome) -> Command {
    let request = asked(source).await;
    let command = request.command.clone();
    request.answer(outcome);
    command
}

/// A dialect with its table, or what is wrong with that.
pub(crate) fn checked(entry: &Entry, table: &str) -> Result<AnyDialect, ConfigError> {
    let table: toml::Table = toml::from_str(table).unwrap();
    let table = toml::Value::Table(table).to_string();
    let dialect = toml::de::ValueDeserializer::parse(&table).map(entry.from_toml).unwrap().unwrap();
    dialect.validate(&Rules::default()).map(|()| dialect)
}

/// A robot on a free port of its own.
pub(crate) fn served(robot: &RobotId) -> Vec<Serve> {
    let listen = "127.0.0.1:0".parse().unwrap();
    vec![Serve { robot: robot.clone(), listen, allow_origins: Vec::new() }]
}

/// A dialect that runs until this is dropped.
pub(crate) struct Running {
    pub(crate) endpoints: Vec<Endpoint>,
    stop: DropGuard,
    task: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start(dialect: AnyDialect, context: BuildContext) -> Self {
        Self::of(dialect.build(context).await.unwrap().whole())
    }

    pub(crate) fn of(built: Built) -> Self {
        let stop = CancellationToken::new();
        let task = tokio::spawn(built.service.run(stop.clone()));
        Self { endpoints: built.endpoints, stop: stop.drop_guard(), task }
    }

    /// Host and port of what it serves at first.
    pub(crate) fn authority(&self) -> String {
        let url = self.endpoints.first().map_or("", |endpoint| &endpoint.url);
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        rest.split('/').next().unwrap().to_owned()
    }

    pub(crate) async fn stop(self) {
        self.stop.disarm().cancel();
        in_time(self.task).await.unwrap();
    }
}

/// A subscriber of a hub that keeps what it has received.
pub(crate) struct Observer {
    sink: Sink,
    /// Came together with what was looked for.
    rest: Mutex<VecDeque<Delivery>>,
}

impl Observer {
    /// Looks at a list of selections with spaces or commas between.
    pub(crate) fn of(hub: &Hub, what: &str) -> Self {
        let sink = hub.sink("test", "observer", MailboxLimits::default());
        for what in what.split([' ', ',']).filter(|it| !it.is_empty()) {
            sink.subscribe(Subscription::to(what.parse().unwrap()));
        }
        Self { sink, rest: Mutex::default() }
    }

    /// The next update of a sort; others are passed over.
    pub(crate) async fn update(&self, wanted: impl Fn(&Shared) -> bool) -> Arc<Shared> {
        in_time(async {
            loop {
                while let Some(delivery) = self.rest.lock().unwrap().pop_front() {
                    match delivery {
                        Delivery::Update(_, update) if wanted(&update) => return update,
                        _ => {}
                    }
                }
                let mut deliveries = Vec::new();
                self.sink.receive(&mut deliveries).await;
                self.rest.lock().unwrap().extend(deliveries);
            }
        })
        .await
    }

    /// The link, once it is of a sort.
    pub(crate) async fn link(&self, wanted: impl Fn(&Link) -> bool) -> Link {
        let is = |update: &Shared| matches!(&update.signal, Signal::Link(link) if wanted(link));
        match &self.update(is).await.signal {
            Signal::Link(link) => link.clone(),
            other => unreachable!("{other:?}"),
        }
    }

    pub(crate) async fn is_up(&self) {
        self.link(|link| link.state == LinkState::Up).await;
    }
}

/// A broker that runs.
pub(crate) struct Broker {
    pub(crate) address: BrokerAddress,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Broker {
    pub(crate) async fn start() -> Self {
        Self::at("127.0.0.1:0").await
    }

    async fn at(listen: &str) -> Self {
        let config: BrokerConfig = toml::from_str(&format!("listen = \"{listen}\"")).unwrap();
        let broker = config.build(Default::default()).await.unwrap().unwrap();
        let (address, stop) = (broker.address().clone(), CancellationToken::new());
        let task = tokio::spawn(broker.run(stop.clone()));
        Self { address, stop, task }
    }

    /// The same broker again, at the same port.
    pub(crate) async fn restarted(self) -> Self {
        self.stop.cancel();
        in_time(self.task).await.unwrap();
        Self::at(&self.address.authority()).await
    }
}

/// A client's WebSocket.
pub(crate) struct Socket(pub(crate) WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Opens one at `host:port/path`, or as a request says.
    pub(crate) async fn open(request: impl IntoClientRequest + Unpin) -> Self {
        Self(tokio_tungstenite::connect_async(request).await.unwrap().0)
    }

    pub(crate) async fn send(&mut self, text: impl ToString) {
        self.0.send(Message::text(text.to_string())).await.unwrap();
    }

    /// The next frame that is no ping.
    pub(crate) async fn message(&mut self) -> Message {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("a frame comes");
            match frame.expect("the socket stays").unwrap() {
                Message::Ping(_) | Message::Pong(_) => {}
                other => return other,
            }
        }
    }

    /// Its text, so that the order of keys can be seen.
    pub(crate) async fn text(&mut self) -> String {
        match self.message().await {
            Message::Text(text) => text.to_string(),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn json(&mut self) -> Value {
        serde_json::from_str(&self.text().await).unwrap()
    }
}

/// A socket of a client on a clock that stands.
pub(crate) struct Client {
    socket: Socket,
    time: Time,
    refusal: Refusal,
}

/// What a server of a dialect refuses, and what its refusal contains: all frames before it have come with it.
pub(crate) struct Refusal {
    pub(crate) sent: &'static str,
    pub(crate) key: &'static str,
    pub(crate) contains: &'static str,
}

impl Client {
    pub(crate) async fn open(address: String, time: Time, refusal: Refusal) -> Self {
        Self { socket: Socket::open(address).await, time, refusal }
    }

    /// All frames that were sent so far.
    pub(crate) async fn so_far(&mut self) -> Vec<Value> {
        let Refusal { sent, key, contains } = self.refusal;
        self.socket.send(sent).await;
        let mut frames = Vec::new();
        loop {
            let frame = self.socket.json().await;
            if frame[key].as_str().is_some_and(|it| it.contains(contains)) {
                return frames;
            }
            frames.push(frame);
        }
    }

    /// All frames that are sent within a time.
    pub(crate) async fn all_within(&mut self, time: Duration) -> Vec<Value> {
        self.time.pass(time).await;
        self.so_far().await
    }
}

impl Deref for Client {
    type Target = Socket;

    fn deref(&self) -> &Socket {
        &self.socket
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Socket {
        &mut self.socket
    }
}

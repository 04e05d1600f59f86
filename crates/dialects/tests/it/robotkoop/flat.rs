//! A broker, a gateway of this dialect, and somebody else at the broker.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use latimer_core::hub::{
    CommandRequest, Delivery, MailboxLimits, Origin, RobotInfo, Sink, Source, Subscription,
};
use latimer_core::model::signal::{LinkState, Task, TaskAction, TaskState};
use latimer_core::model::{Command, Outcome, TaskRequest};
use latimer_core::service::{BuildError, Rules};
use latimer_core::{BrokerAddress, Clock, Hub, RobotId, Signal, Update};
use latimer_dialects::robotkoop::ENTRY;
use latimer_dialects::{BuildContext, Built};
pub(crate) use latimer_e2e::PATIENCE;
use latimer_mqtt::{BrokerConfig, Connection, Login, Message, Qos};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A robot that tells whether robots are served.
const PROBE: &str = "probe";

pub(crate) async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("what must come, comes")
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
        let address = broker.address().clone();
        let stop = CancellationToken::new();
        let task = tokio::spawn(broker.run(stop.clone()));
        Self { address, stop, task }
    }

    /// Ends it and starts it again at the same port.
    pub(crate) async fn restart(self) -> Self {
        self.stop.cancel();
        in_time(self.task).await.unwrap();
        Self::at(&self.address.authority()).await
    }
}

/// What the dialect makes of a table.
pub(crate) async fn build(hub: &Hub, table: &str, broker: Option<&Broker>) -> Result<Built, BuildError> {
    let table: toml::Table = toml::from_str(table).unwrap();
    let table = toml::Value::Table(table).to_string();
    let dialect = toml::de::ValueDeserializer::parse(&table).map(ENTRY.from_toml).unwrap().unwrap();
    dialect.validate(&Rules::default()).unwrap();
    let context = BuildContext { broker: broker.map(|it| it.address.clone()), ..BuildContext::new(hub) };
    Ok(dialect.build(context).await?.whole())
}

/// A gateway of this dialect, and whoever looks at its hub.
pub(crate) struct Gateway {
    pub(crate) hub: Hub,
    sink: Sink,
    waiting: Mutex<VecDeque<Delivery>>,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl Gateway {
    pub(crate) async fn start(hub: Hub, table: &str, broker: &Broker) -> Self {
        let built = build(&hub, table, Some(broker)).await.unwrap();
        let sink = hub.sink("test", "observer", MailboxLimits::default());
        sink.subscribe(Subscription::to("**".parse().unwrap()));
        let stop = CancellationToken::new();
        let running = tokio::spawn(built.service.run(stop.clone()));
        Self { hub, sink, waiting: Mutex::default(), stop, running }
    }

    /// The same with robots that are served, once the broker brings them tasks.
    pub(crate) async fn serving(hub: Hub, table: &str, broker: &Broker) -> Self {
        let mut probe = play(&hub, PROBE, "misty");
        let table = match table.contains("serve_all") {
            true => table.to_owned(),
            false => format!("{table}[[serve]]\nrobot = \"{PROBE}\"\n"),
        };
        let gateway = Self::start(hub, &table, broker).await;
        let mut peer = Peer::robot(broker).await;
        in_time(async {
            loop {
                // Nobody else can tell when the broker brings it what is said, so it is said until it is heard.
                peer.order(PROBE, "probe", "clean", json!({})).await;
                let soon = Duration::from_millis(100);
                if tokio::time::timeout(soon, probe.next_command()).await.is_ok() {
                    return;
                }
            }
        })
        .await;
        gateway
    }

    /// The next update of a sort.
    pub(crate) async fn incoming(&self, wanted: impl Fn(&Update) -> bool) -> Update {
        in_time(async {
            loop {
                let mut waiting = std::mem::take(&mut *self.waiting.lock().unwrap());
                while let Some(delivery) = waiting.pop_front() {
                    if let Delivery::Update(_, update) = delivery
                        && wanted(&update)
                    {
                        *self.waiting.lock().unwrap() = waiting;
                        return Update::clone(&update);
                    }
                }
                let mut deliveries = Vec::new();
                self.sink.receive(&mut deliveries).await;
                self.waiting.lock().unwrap().extend(deliveries);
            }
        })
        .await
    }

    pub(crate) async fn is_up(&self) {
        self.incoming(|it| matches!(&it.signal, Signal::Link(link) if link.state == LinkState::Up)).await;
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        tokio::time::timeout(Duration::from_secs(2), self.running).await.expect("it stops").unwrap();
    }
}

/// A robot of the hub that the test itself plays.
pub(crate) fn play(hub: &Hub, robot: &str, family: &'static str) -> Source {
    let robot = RobotId::new(robot).unwrap();
    let source = hub.register(robot_info(robot, family)).unwrap();
    source.link(LinkState::Up, None);
    source
}

pub(crate) fn publish(source: &Source, signal: impl Into<Signal>) {
    source.publish(Update::now(source.robot(), Clock::system().now(), signal.into()));
}

pub(crate) async fn asked(source: &mut Source) -> CommandRequest {
    in_time(source.next_command()).await
}

/// The task that a robot is asked to do.
pub(crate) async fn task(source: &mut Source, outcome: Outcome) -> TaskRequest {
    let request = asked(source).await;
    let Command::Task(task) = request.command.clone() else { panic!("{:?}", request.command) };
    request.answer(outcome);
    task
}

pub(crate) fn report(id: &str, state: TaskState) -> Task {
    Task::new(id, "bring", state)
}

pub(crate) fn doing(id: &str, action: TaskAction, target: Option<&str>) -> Task {
    Task { action: Some(action), target: target.map(str::to_owned), ..report(id, TaskState::Progress) }
}

/// Somebody else at the broker.
pub(crate) struct Peer(Connection);

impl Peer {
    /// A dialogue system, which hears robots.
    pub(crate) async fn dialogue(broker: &Broker) -> Self {
        Self::open(broker, &["/robots/status", "/robots/task"]).await
    }

    /// A robot, which hears the dialogue system.
    pub(crate) async fn robot(broker: &Broker) -> Self {
        Self::open(broker, &["/dialogue/task", "/dialogue/status"]).await
    }

    async fn open(broker: &Broker, topics: &[&str]) -> Self {
        let login = Login {
            address: broker.address.clone(),
            client_id: format!("peer-{:016x}", rand::random::<u64>()),
            subscriptions: topics.iter().map(|it| ((*it).to_owned(), Qos::AtMostOnce)).collect(),
            will: None,
            keep_alive: Duration::from_secs(60),
            trust: Default::default(),
        };
        Self(Connection::open(&login).await.unwrap())
    }

    pub(crate) async fn publish(&mut self, topic: &str, payload: impl Into<Vec<u8>>) {
        self.publish_with(Qos::AtMostOnce, topic, payload).await;
    }

    async fn publish_with(&mut self, qos: Qos, topic: &str, payload: impl Into<Vec<u8>>) {
        self.0.publish(Message::new(topic, payload.into(), qos)).await.unwrap();
    }

    /// Says a task in the words of the project's own dialogue system.
    pub(crate) async fn order(&mut self, target: &str, id: &str, kind: &str, parameter: Value) {
        self.order_with(Qos::AtMostOnce, target, id, kind, parameter).await;
    }

    /// The same of a quality of service.
    pub(crate) async fn order_with(
        &mut self,
        qos: Qos,
        target: &str,
        id: &str,
        kind: &str,
        parameter: Value,
    ) {
        let task = json!({"target_id": target, "source_id": "dm", "timestamp": 1_630_000_000, "task_id": id,
            "priority": 3, "type": kind, "parameter": parameter});
        self.publish_with(qos, "/dialogue/task", task.to_string()).await;
    }

    /// Says a report.
    pub(crate) async fn report(&mut self, source: &str, id: &str, kind: &str, parameter: Value) {
        self.report_with(Qos::AtMostOnce, source, id, kind, parameter).await;
    }

    /// The same of a quality of service.
    pub(crate) async fn report_with(
        &mut self,
        qos: Qos,
        source: &str,
        id: &str,
        kind: &str,
        parameter: Value,
    ) {
        let report = json!({"source_id": source, "timestamp": 1_630_000_000, "task_id": id, "type": kind,
            "parameter": parameter});
        self.publish_with(qos, "/robots/status", report.to_string()).await;
    }

    /// Topic and JSON of the next message that is not the probe's.
    pub(crate) async fn next(&mut self) -> (String, Value) {
        loop {
            let message = in_time(self.0.next()).await.unwrap();
            let sent: Value = serde_json::from_slice(&message.payload).unwrap();
            if sent["source_id"] != PROBE && sent["target_id"] != PROBE {
                return (message.topic.clone(), sent);
            }
        }
    }

    /// The next message in short: `Task1 progress goto Sofa`.
    pub(crate) async fn receive(&mut self) -> String {
        short(&self.next().await.1)
    }
}

/// Task, type, and what else there is to say.
pub(crate) fn short(message: &Value) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let parameter = &message["parameter"];
    let sent = match message["type"].as_str().unwrap() {
        "progress" => {
            let actions = parameter["performed_actions"].as_array().unwrap();
            assert_eq!(actions.len(), 1, "clients read the first only: {message}");
            format!(" {} {}", text(&actions[0]["action"]), text(&actions[0]["target"]))
        }
        "confirm" | "unkown" => {
            assert_eq!(*parameter, json!({}));
            String::new()
        }
        _ => format!(" {parameter}"),
    };
    format!("{} {}{sent}", text(&message["task_id"]), text(&message["type"]))
}

/// A robot of a family, with what every one of it has; of a family that is none nothing is declared.
fn robot_info(robot: RobotId, family: &'static str) -> RobotInfo {
    match latimer_dialects::find(family) {
        Some(entry) => entry.robot(robot, Origin::Simulated),
        None => RobotInfo::new(robot, family, Origin::Simulated),
    }
}

//! A broker, a gateway of this dialect, and somebody else at the broker.

use std::time::Duration;

use latimer_core::hub::Source;
use latimer_core::model::signal::{Task, TaskAction, TaskState};
use latimer_core::model::{Command, Outcome, TaskRequest};
use latimer_core::service::BuildError;
use latimer_core::{Hub, Update};
use latimer_dialects::robotkoop::ENTRY;
use latimer_dialects::{BuildContext, Built};
use latimer_mqtt::{Connection, Login, Message, Qos};
use serde_json::{Value, json};

use crate::rig::{self, Observer, Running};
pub(crate) use crate::rig::{Broker, PATIENCE, asked, in_time, play, publish};

/// A robot that tells whether robots are served.
const PROBE: &str = "probe";

/// What the dialect makes of a table.
pub(crate) async fn build(hub: &Hub, table: &str, broker: Option<&Broker>) -> Result<Built, BuildError> {
    let dialect = rig::checked(&ENTRY, table).unwrap();
    let context = BuildContext { broker: broker.map(|it| it.address.clone()), ..BuildContext::new(hub) };
    Ok(dialect.build(context).await?.whole())
}

/// A gateway of this dialect, and whoever looks at its hub.
pub(crate) struct Gateway {
    pub(crate) hub: Hub,
    observer: Observer,
    running: Running,
}

impl Gateway {
    pub(crate) async fn start(hub: Hub, table: &str, broker: &Broker) -> Self {
        let built = build(&hub, table, Some(broker)).await.unwrap();
        let (observer, running) = (Observer::of(&hub, "**"), Running::of(built));
        Self { hub, observer, running }
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
        let update = self.observer.update(|update| wanted(update)).await;
        Update::clone(&update)
    }

    pub(crate) async fn is_up(&self) {
        self.observer.is_up().await;
    }

    pub(crate) async fn stop(self) {
        self.running.stop().await;
    }
}

/// The task that a robot is asked to do.
pub(crate) async fn task(source: &mut Source, outcome: Outcome) -> TaskRequest {
    match rig::answer(source, outcome).await {
        Command::Task(task) => task,
        other => panic!("{other:?}"),
    }
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
        self.publish_with(qos, "/dialogue/task", order(target, id, kind, &parameter)).await;
    }

    /// The same retained by the broker.
    pub(crate) async fn retained_order(&mut self, target: &str, id: &str, kind: &str, parameter: Value) {
        let task = order(target, id, kind, &parameter);
        let message = Message::new("/dialogue/task", task, Qos::AtMostOnce).retained();
        self.0.publish(message).await.unwrap();
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

fn order(target: &str, id: &str, kind: &str, parameter: &Value) -> String {
    json!({"target_id": target, "source_id": "dm", "timestamp": 1_630_000_000, "task_id": id, "priority": 3,
        "type": kind, "parameter": parameter})
    .to_string()
}

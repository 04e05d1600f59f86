//! The gateway as a rosbridge: every robot of the hub below its own name, on one socket a client.
//!
//! ```text
//! client ──subscribe, publish, call_service──▶ Client ──▶ hub
//! client ◀──publish, service_response, status── Client ◀── Sink::receive, outcomes
//! ```

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{Message as WsMessage, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{ConnectInfo, State};
use axum::response::Response;
use axum::routing::any;
use bytes::Bytes;
use foldhash::HashMap;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use latimer_core::hub::{Delivery, Form, Selection, Shared, Sink, Subscription, SubscriptionId};
use latimer_core::{Command, Hub, Outcome, RobotId, Timestamp, Update};
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::config::{RosbridgeConfig, ros_name};
use super::protocol::{Frame, answer, error, publish};
use super::topics::{self, COMMANDS, Topic};
use super::{NAME, rosapi};
use crate::socket::{self, Heard, Over};

/// Largest message that is read, bytes: a picture in base64.
const MAX_MESSAGE_BYTES: usize = 8 << 20;
/// Largest message that is written, bytes: a large map as numbers.
const LARGEST_BYTES: usize = 64 << 20;
/// Room for what a client sends at a time, bytes; larger messages make it grow.
const READ_BUFFER_BYTES: usize = 4 << 10;
/// Topics that one client may subscribe to.
const MAX_TOPICS: usize = 512;
/// Commands of one client that may wait for their robots.
const MAX_COMMANDS: usize = 64;
/// How long a robot may take to answer a command.
const PATIENCE: Duration = Duration::from_secs(10);

/// What robots are called.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Arc<BTreeMap<RobotId, String>>);

impl Names {
    /// The names that the config gives.
    pub(super) fn of(config: &RosbridgeConfig) -> Self {
        let served =
            config.serve.iter().filter_map(|it| Some((it.robot.clone(), format!("/{}/", it.name.as_ref()?))));
        let connected = config.connect.iter().map(|it| (it.robot.clone(), it.prefix()));
        Self(Arc::new(connected.chain(served).collect()))
    }

    /// What a robot's topics begin with: `/rover_1/`.
    pub(super) fn prefix(&self, robot: &RobotId) -> String {
        self.0.get(robot).cloned().unwrap_or_else(|| format!("/{}/", ros_name(robot)))
    }
}

/// All that clients share.
#[derive(Clone)]
pub(super) struct Facade {
    pub(super) hub: Hub,
    names: Names,
    stop: CancellationToken,
    clients: TaskTracker,
}

impl Facade {
    pub(super) fn new(hub: Hub, names: Names, stop: CancellationToken) -> Self {
        // A robot that is connected to without a name of its own there has one here.
        let served = names.0.iter().filter(|(_, prefix)| prefix.len() > 1);
        let names = Names(Arc::new(served.map(|(robot, name)| (robot.clone(), name.clone())).collect()));
        Self { hub, names, stop, clients: TaskTracker::new() }
    }

    /// The tasks of the clients.
    pub(super) fn clients(&self) -> TaskTracker {
        self.clients.clone()
    }

    /// A socket at any address, as rosbridge's own server has it.
    pub(super) fn router(&self) -> Router {
        Router::new().fallback(open).with_state(self.clone())
    }

    /// The same on the common port.
    pub(super) fn common_port(&self) -> Router {
        Router::new().route("/rosbridge", any(open)).with_state(self.clone())
    }

    /// Every robot, with what its topics begin with.
    pub(super) fn robots(&self) -> impl Iterator<Item = (RobotId, String)> {
        let robots = self.hub.robots().into_iter().map(|it| it.info.robot);
        robots.map(|robot| (robot.clone(), self.names.prefix(&robot)))
    }

    /// The robot that a topic or service is of, and its path below the robot's name.
    pub(super) fn find<'a>(&self, name: &'a str) -> Option<(RobotId, &'a str)> {
        self.robots().find_map(|(robot, prefix)| {
            let path = name.strip_prefix(&prefix).or_else(|| name.strip_prefix(&prefix[1..]))?;
            Some((robot, path))
        })
    }
}

async fn open(
    State(facade): State<Facade>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let clients = facade.clients.clone();
    socket::served(upgrade, LARGEST_BYTES)
        .read_buffer_size(READ_BUFFER_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .on_upgrade(move |socket| clients.track_future(socket::serve_one(serve(socket, facade, peer))))
}

async fn serve(mut stream: WebSocket, facade: Facade, peer: SocketAddr) {
    let sink = facade.hub.sink(NAME, peer.to_string(), Default::default());
    let mut client = Client {
        heard: facade.hub.clock().now(),
        sink,
        facade,
        topics: HashMap::default(),
        subscribed: HashMap::default(),
        commands: FuturesUnordered::new(),
        out: Vec::new(),
    };
    let over = client.run(&mut stream).await;
    if let Some(reason) = socket::end(&mut stream, over).await {
        tracing::info!(%peer, %reason, "closes a client of the bridge");
    }
}

/// A topic that a client follows.
struct Followed {
    subscription: SubscriptionId,
    /// The client's names for its subscriptions, each with its least time between messages, ms.
    wishes: Vec<(Option<Json>, u64)>,
}

struct Client {
    facade: Facade,
    sink: Sink,
    topics: HashMap<String, Followed>,
    subscribed: HashMap<SubscriptionId, (String, &'static Topic)>,
    /// Commands on their way; each ends with a frame for the client, if there is something to say.
    commands: FuturesUnordered<BoxFuture<'static, Option<String>>>,
    heard: Timestamp,
    /// Frames to write at the next flush.
    out: Vec<WsMessage>,
}

impl Client {
    async fn run(&mut self, stream: &mut WebSocket) -> Over {
        let (clock, stop) = (self.facade.hub.clock(), self.facade.stop.clone());
        let mut deliveries = Vec::new();
        let mut ping = tokio::time::interval(socket::PING_EVERY);
        ping.reset();
        loop {
            let over = tokio::select! {
                () = stop.cancelled() => Some(Over::Close(close_code::AWAY, "the gateway stops".into())),
                message = stream.next() => {
                    self.heard = clock.now();
                    match Heard::of(message, MAX_MESSAGE_BYTES) {
                        Heard::Text(text) => self.take(&text),
                        Heard::NoText => self.push(error(None, "the message is no UTF-8 text; send JSON text")),
                        Heard::Sign => {}
                        Heard::Over(over) => return over,
                    }
                    None
                }
                () = self.sink.receive(&mut deliveries) => self.deliver(deliveries.drain(..)),
                Some(told) = self.commands.next() => {
                    told.into_iter().for_each(|frame| self.push(frame));
                    None
                }
                _ = ping.tick() => socket::ask(clock.now().since(self.heard), &mut self.out),
            };
            if let Err(over) = socket::write(stream, &mut self.out, &stop).await {
                return over;
            }
            if let Some(over) = over {
                return over;
            }
        }
    }

    fn push(&mut self, frame: String) {
        self.out.push(WsMessage::text(frame));
    }

    fn take(&mut self, text: &str) {
        let done = match Frame::parse(text) {
            Ok(frame) => {
                let id = frame.id.clone();
                self.obey(frame).map_err(|problem| error(id.as_ref(), &problem))
            }
            Err(problem) => Err(error(None, &format!("the message is no frame of rosbridge: {problem}"))),
        };
        if let Err(frame) = done {
            self.push(frame);
        }
    }

    fn obey(&mut self, frame: Frame<'_>) -> Result<(), String> {
        let topic = || frame.topic.clone().ok_or_else(|| format!("{} needs a topic", frame.op));
        match frame.op.as_str() {
            "subscribe" => self.subscribe(topic()?, &frame),
            "unsubscribe" => {
                self.unsubscribe(&topic()?, frame.id.as_ref());
                Ok(())
            }
            "advertise" => self.command_topic(&topic()?, frame.ros_type().as_deref()).map(drop),
            "publish" => self.publish(&topic()?, &frame),
            "call_service" => self.call(frame),
            "unadvertise" | "set_level" | "auth" => Ok(()),
            other => Err(format!(
                "{other:?} is not known here; subscribe, unsubscribe, advertise, unadvertise, publish and call_service are"
            )),
        }
    }

    fn subscribe(&mut self, name: String, frame: &Frame<'_>) -> Result<(), String> {
        if self.topics.len() >= MAX_TOPICS && !self.topics.contains_key(&name) {
            return Err(format!("{MAX_TOPICS} topics are the limit of one client; unsubscribe one"));
        }
        let found = self.facade.find(&name).and_then(|(robot, path)| Some((robot, topics::find(path)?)));
        let (robot, (topic, part)) = found.ok_or_else(|| {
            format!("there is no topic {name}; call /rosapi/topics for those that there are")
        })?;
        if let Some(asked) = frame.ros_type().filter(|asked| asked != topic.ros_type) {
            return Err(format!("{name} is of type {}, not {asked}", topic.ros_type));
        }
        let every_ms = frame.throttle_rate.filter(|it| it.is_finite() && *it > 0.0).unwrap_or(0.0) as u64;
        let before = self.topics.remove(&name);
        let mut wishes = before.map(|it| self.forget(it)).unwrap_or_default();
        wishes.retain(|(id, _)| *id != frame.id);
        wishes.push((frame.id.clone(), every_ms));
        let select = match &part {
            Some(part) => {
                format!("{robot}/{}/{part}", topic.kind).parse().map_err(|error| format!("{error}"))?
            }
            None => Selection::of_kinds(&robot, topic.kinds()),
        };
        let every = Duration::from_millis(wishes.iter().map(|(_, every)| *every).min().unwrap_or_default());
        let subscription = self.sink.subscribe(Subscription { every, ..Subscription::to(select) });
        self.subscribed.insert(subscription, (name.clone(), topic));
        self.topics.insert(name, Followed { subscription, wishes });
        Ok(())
    }

    /// Ends one of the client's subscriptions to a topic, or all.
    fn unsubscribe(&mut self, name: &str, id: Option<&Json>) {
        let Some(followed) = self.topics.get_mut(name) else { return };
        followed.wishes.retain(|(known, _)| id.is_some() && known.as_ref() != id);
        if followed.wishes.is_empty() {
            let followed = self.topics.remove(name);
            followed.map(|it| self.forget(it));
        }
    }

    fn forget(&mut self, Followed { subscription, wishes }: Followed) -> Vec<(Option<Json>, u64)> {
        self.sink.unsubscribe(subscription);
        self.subscribed.remove(&subscription);
        wishes
    }

    fn command_topic(
        &self,
        name: &str,
        asked: Option<&str>,
    ) -> Result<(RobotId, &'static topics::CommandTopic), String> {
        let known = || COMMANDS.iter().map(|it| it.path).collect::<Vec<_>>().join(", ");
        let found = self
            .facade
            .find(name)
            .and_then(|(robot, path)| Some((robot, COMMANDS.iter().find(|topic| topic.path == path)?)));
        let (robot, topic) =
            found.ok_or_else(|| format!("nothing listens on {name}; robots listen on {}", known()))?;
        match asked.filter(|asked| *asked != topic.ros_type) {
            Some(asked) => Err(format!("{name} is of type {}, not {asked}", topic.ros_type)),
            None => Ok((robot, topic)),
        }
    }

    fn publish(&mut self, name: &str, frame: &Frame<'_>) -> Result<(), String> {
        let (robot, topic) = self.command_topic(name, None)?;
        let message = frame.msg.ok_or("publish needs a msg")?;
        let command = topic.command(message.get()).map_err(|error| format!("{name}: {error}"))?;
        let (name, id) = (name.to_owned(), frame.id.clone());
        self.give(robot, command, move |outcome| {
            let problem = problem(&outcome)?;
            Some(error(id.as_ref(), &format!("{name}: {problem}")))
        })
    }

    fn call(&mut self, frame: Frame<'_>) -> Result<(), String> {
        let service = frame.service.as_deref().ok_or("call_service needs a service")?;
        // Clients leave the first slash out, too.
        let service = format!("/{}", service.trim_start_matches('/'));
        let args = frame.args.unwrap_or_default();
        if let Some(values) = rosapi::answer(&self.facade, &service, &args) {
            self.push(answer(frame.id, &service, values, true));
            return Ok(());
        }
        let found = self
            .facade
            .find(&service)
            .and_then(|(robot, path)| Some((robot, rosapi::command_from_call(path, &args)?)));
        let Some((robot, command)) = found else {
            let values =
                format!("there is no service {service}; call /rosapi/services for those that there are");
            self.push(answer(frame.id, &service, values.into(), false));
            return Ok(());
        };
        self.give(robot, command, move |outcome| {
            let problem = problem(&outcome);
            let values = json!({"success": problem.is_none(), "message": problem.unwrap_or_default()});
            Some(answer(frame.id, &service, values, true))
        })
    }

    /// Gives a robot a command; what `tell` makes of the outcome is sent to the client.
    fn give(
        &mut self,
        robot: RobotId,
        command: Command,
        tell: impl FnOnce(Outcome) -> Option<String> + Send + 'static,
    ) -> Result<(), String> {
        if self.commands.len() >= MAX_COMMANDS && !command.is_stop() {
            return Err(format!("{MAX_COMMANDS} commands of this client wait for their robots; send fewer"));
        }
        let outcome = self.facade.hub.command(&robot, command, PATIENCE);
        self.commands.push(Box::pin(async move { tell(outcome.await) }));
        Ok(())
    }

    fn deliver(&mut self, deliveries: impl Iterator<Item = Delivery>) -> Option<Over> {
        for delivery in deliveries {
            match delivery {
                Delivery::Update(id, update) => {
                    let Some((name, topic)) = self.subscribed.get(&id) else { continue };
                    // A topic of one kind may tell some of its updates only.
                    let told = topics::translate(&self.facade.hub, &update)
                        .is_some_and(|(it, ..)| it.path == topic.path);
                    let Some(message) = told.then(|| message(&self.facade.hub, topic, &update)).flatten()
                    else {
                        continue;
                    };
                    let frame = publish(name, &message);
                    match frame.len() {
                        ..=LARGEST_BYTES => self.push(frame),
                        bytes => {
                            let problem = format!(
                                "a message of {bytes} bytes on {name} is left out; {LARGEST_BYTES} can be sent"
                            );
                            self.push(error(None, &problem));
                        }
                    }
                }
                Delivery::Gap(gap) => {
                    if let Some((name, _)) = self.subscribed.get(&gap.subscription) {
                        let problem = format!("messages on {name} may be missing, because {}", gap.reason);
                        self.push(error(None, &problem));
                    }
                }
                Delivery::End(reason) => return Some(Over::from(&reason)),
            }
        }
        None
    }
}

/// Why a command is not done; `None` if it is.
fn problem(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => None,
        Outcome::Refused(refusal) => Some(refusal.to_string()),
        Outcome::TimedOut => Some(format!("the robot did not answer in {} s", PATIENCE.as_secs())),
    }
}

/// An update as a message of a topic.
#[derive(PartialEq)]
struct AsMessage(&'static str);

impl Form for AsMessage {
    const DIALECT: &'static str = NAME;
    type Output = Option<String>;
}

/// The message of a topic, encoded once however many clients there are.
fn message(hub: &Hub, topic: &'static Topic, update: &Shared) -> Option<String> {
    let text = update.derived(AsMessage(topic.path), |plain| match native(plain) {
        Some(native) => String::from_utf8(native.to_vec()).ok(),
        None => topic.encode(hub, plain),
    });
    (*text).clone()
}

/// What a robot behind a bridge said passes through as it said it.
pub(super) fn native(update: &Update) -> Option<Bytes> {
    update.native.as_ref().filter(|native| native.dialect == NAME).map(|native| native.payload.clone())
}

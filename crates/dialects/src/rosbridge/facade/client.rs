//! One client: its subscriptions, and its commands on their way.

use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::ws::Message;
use foldhash::HashMap;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use latimer_core::hub::{
    CommandClient, CommandId, Delivery, MailboxLimits, Selection, Shared, Sink, Subscription, SubscriptionId,
};
use latimer_core::limits::COMMAND_TIMEOUT;
use latimer_core::{Author, Command, Outcome, RobotId};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use super::error::RequestError;
use super::{Facade, message, rosapi};
use crate::pace::Allowance;
use crate::rosbridge::NAME;
use crate::rosbridge::limits::{MAX_COMMANDS_PER_CLIENT, MAX_TOPICS_PER_CLIENT};
use crate::rosbridge::protocol::{Frame, answer, error, publish};
use crate::rosbridge::topics::{self, COMMANDS, CommandTopic, Topic};
use crate::socket::{self, Ended};

/// Largest message that is read, bytes: a picture in base64.
pub(super) const MAX_MESSAGE_BYTES: usize = 8 << 20;
/// Largest message that is written, bytes: a large map as numbers.
pub(super) const LARGEST_BYTES: usize = 64 << 20;

/// A topic that a client follows.
struct Followed {
    subscription: SubscriptionId,
    /// The client's names for its subscriptions, each with its least time between messages, ms.
    wishes: Vec<(Option<Json>, u64)>,
}

pub(super) struct Client {
    facade: Facade,
    driver: CommandClient,
    sink: Sink,
    deliveries: Vec<Delivery>,
    topics: HashMap<String, Followed>,
    subscribed: HashMap<SubscriptionId, (String, &'static Topic)>,
    allowance: Allowance,
    /// Commands on their way; each ends with a frame for the client, if there is something to report.
    commands: FuturesUnordered<BoxFuture<'static, Option<String>>>,
    /// Frames to write at the next flush.
    out: Vec<Message>,
}

impl socket::Client for Client {
    const MAX_MESSAGE_BYTES: usize = MAX_MESSAGE_BYTES;

    fn receive(&mut self, text: Option<&str>) {
        let Some(text) = text else {
            return self.push(error(None, "the message is no UTF-8 text; send JSON text"));
        };
        let (id, done) = match serde_json::from_str::<Frame<'_>>(text) {
            Ok(frame) => (frame.id.clone(), self.handle(frame)),
            Err(error) => (None, Err(error.into())),
        };
        if let Err(problem) = done {
            self.push(error(id.as_ref(), &problem.to_string()));
        }
    }

    fn received(&mut self) {
        self.driver.received();
    }

    async fn wait(&mut self) -> Option<Ended> {
        tokio::select! {
            () = self.sink.receive(&mut self.deliveries) => {
                let mut deliveries = std::mem::take(&mut self.deliveries);
                let over = self.deliver(deliveries.drain(..));
                self.deliveries = deliveries;
                over
            }
            Some(report) = self.commands.next() => {
                report.into_iter().for_each(|frame| self.push(frame));
                None
            }
        }
    }

    fn out(&mut self) -> &mut Vec<Message> {
        &mut self.out
    }
}

impl Client {
    pub(super) fn new(facade: Facade, peer: SocketAddr, author: Author) -> Self {
        let facade = Facade { hub: facade.hub.seen_by(&author), ..facade };
        Self {
            sink: facade.hub.sink(NAME, peer.to_string(), MailboxLimits::default()),
            driver: facade.hub.connected_client(author),
            deliveries: Vec::new(),
            facade,
            topics: HashMap::default(),
            subscribed: HashMap::default(),
            allowance: Allowance::new(MAX_COMMANDS_PER_CLIENT, MAX_COMMANDS_PER_CLIENT),
            commands: FuturesUnordered::new(),
            out: Vec::new(),
        }
    }

    fn push(&mut self, frame: String) {
        self.out.push(Message::text(frame));
    }

    fn handle(&mut self, frame: Frame<'_>) -> Result<(), RequestError> {
        let missing = |field| RequestError::Missing { op: frame.op.clone(), field };
        let topic = || frame.topic.clone().ok_or_else(|| missing("topic"));
        match frame.op.as_str() {
            "subscribe" => self.subscribe(topic()?, &frame),
            "unsubscribe" => {
                self.unsubscribe(&topic()?, frame.id.as_ref());
                Ok(())
            }
            "advertise" => self.command_topic(&topic()?, frame.ros_type()).map(drop),
            "publish" => self.publish(topic()?, frame.msg.ok_or_else(|| missing("msg"))?, frame.id),
            "call_service" => {
                let service = frame.service.as_deref().ok_or_else(|| missing("service"))?;
                self.call(service, frame.args.unwrap_or_default(), frame.id)
            }
            "unadvertise" | "set_level" | "auth" => Ok(()),
            _ => Err(RequestError::UnknownOp(frame.op)),
        }
    }

    fn subscribe(&mut self, name: String, frame: &Frame<'_>) -> Result<(), RequestError> {
        if self.topics.len() >= MAX_TOPICS_PER_CLIENT && !self.topics.contains_key(&name) {
            return Err(RequestError::TooManyTopics);
        }
        let found = self.facade.find(&name, topics::find);
        let (robot, (topic, part)) = found.ok_or_else(|| self.absent(&name, RequestError::NoTopic))?;
        if !topic.is_offered(&self.facade.hub, &robot, part.as_ref()) {
            return Err(RequestError::Absent { topic: name, robot, kind: topic.kind });
        }
        expect_type(&name, topic.ros_type, frame.ros_type())?;
        let every_ms = frame.throttle_rate.filter(|it| it.is_finite() && *it > 0.0).unwrap_or(0.0) as u64;
        let before = self.topics.remove(&name);
        let mut wishes = before.map(|it| self.forget(it)).unwrap_or_default();
        wishes.retain(|(id, _)| *id != frame.id);
        wishes.push((frame.id.clone(), every_ms));
        let select = match &part {
            Some(part) => format!("{robot}/{}/{part}", topic.kind).parse()?,
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

    /// Why there is nothing of a name.
    fn absent(&self, name: &str, otherwise: fn(String) -> RequestError) -> RequestError {
        self.facade.taken(name).map_or_else(|| otherwise(name.to_owned()), RequestError::NameTaken)
    }

    fn command_topic(
        &self,
        name: &str,
        ros_type: Option<String>,
    ) -> Result<(RobotId, &'static CommandTopic), RequestError> {
        let found = self.facade.find(name, |path| COMMANDS.iter().find(|topic| topic.path == path));
        let (robot, topic) = found.ok_or_else(|| self.absent(name, RequestError::NoCommandTopic))?;
        expect_type(name, topic.ros_type, ros_type)?;
        Ok((robot, topic))
    }

    fn publish(&mut self, topic: String, msg: &RawValue, id: Option<Json>) -> Result<(), RequestError> {
        let (robot, command_topic) = self.command_topic(&topic, None)?;
        let decoded = (command_topic.decode)(msg.get());
        let command = decoded.map_err(|error| RequestError::Message { topic: topic.clone(), error })?;
        self.command(robot, command, move |command, outcome| {
            let problem = problem(command, &outcome)?;
            Some(error(id.as_ref(), &format!("{topic}: {problem}")))
        })
    }

    fn call(&mut self, service: &str, args: Json, id: Option<Json>) -> Result<(), RequestError> {
        // Clients leave the first slash out, too.
        let service = format!("/{}", service.trim_start_matches('/'));
        if let Some(values) = rosapi::answer(&self.facade, &service, &args) {
            self.push(answer(id.as_ref(), &service, &values, true));
            return Ok(());
        }
        let found = self.facade.find(&service, |path| rosapi::command_from_call(path, &args));
        let Some((robot, command)) = found else {
            let absent = format!("there is no service {service}; call /rosapi/services for a list");
            let values = json!(self.facade.taken(&service).map_or(absent, |taken| taken.to_string()));
            self.push(answer(id.as_ref(), &service, &values, false));
            return Ok(());
        };
        self.command(robot, command, move |command, outcome| {
            let problem = problem(command, &outcome);
            let values = json!({"success": problem.is_none(), "message": problem.unwrap_or_default()});
            Some(answer(id.as_ref(), &service, &values, true))
        })
    }

    /// Sends a robot a command, and the client what `report` makes of the outcome.
    fn command(
        &mut self,
        robot: RobotId,
        command: Command,
        report: impl FnOnce(CommandId, Outcome) -> Option<String> + Send + 'static,
    ) -> Result<(), RequestError> {
        let taken = self.allowance.take(&robot, &command).ok_or(RequestError::TooManyCommands)?;
        let answer = self.driver.command(&robot, command, COMMAND_TIMEOUT);
        let id = answer.id();
        self.commands.push(Box::pin(async move {
            let outcome = answer.await;
            drop(taken);
            report(id, outcome)
        }));
        Ok(())
    }

    fn deliver(&mut self, deliveries: impl Iterator<Item = Delivery>) -> Option<Ended> {
        for delivery in deliveries {
            match delivery {
                Delivery::Update(id, update) => self.update(id, &update),
                Delivery::Gap(gap) => {
                    if let Some((name, _)) = self.subscribed.get(&gap.subscription) {
                        let problem = format!("messages on {name} may be missing, because {}", gap.reason);
                        self.push(error(None, &problem));
                    }
                }
                Delivery::End(reason) => return Some(Ended::from(&reason)),
            }
        }
        None
    }

    fn update(&mut self, id: SubscriptionId, update: &Shared) {
        let Some((name, topic)) = self.subscribed.get(&id) else { return };
        if topic.is_alias(update) {
            return;
        }
        let Some(message) = message(&self.facade.hub, topic, update) else { return };
        let mut frame = publish(name, &message);
        if frame.len() > LARGEST_BYTES {
            let bytes = frame.len();
            frame = error(None, &format!("{name}: {bytes} bytes are left out; {LARGEST_BYTES} can be sent"));
        }
        self.push(frame);
    }
}

/// Why a command is not done; `None` if it is.
fn problem(command: CommandId, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => None,
        Outcome::Refused(refusal) => Some(command.beside(refusal)),
        Outcome::TimedOut => {
            let within_s = COMMAND_TIMEOUT.as_secs();
            Some(command.beside(format_args!("the robot did not answer in {within_s} s")))
        }
    }
}

fn expect_type(topic: &str, known: &'static str, requested: Option<String>) -> Result<(), RequestError> {
    match requested.filter(|requested| requested != known) {
        Some(requested) => Err(RequestError::OtherType { topic: topic.to_owned(), known, requested }),
        None => Ok(()),
    }
}

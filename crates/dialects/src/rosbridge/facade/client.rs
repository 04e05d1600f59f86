//! One client: what it sends, and what waits to be written.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::Message;
use foldhash::HashMap;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use latimer_core::access::Role;
use latimer_core::hub::{CommandClient, Delivery, MailboxLimits, Population, Sink, SubscriptionId};
use latimer_core::{Author, RobotId, Timestamp};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::actions::Action;
use super::error::RequestError;
use super::following::Followed;
use super::outgoing::Packing;
use super::relay::{Event, Inbox};
use super::republisher::Republished;
use super::{Facade, rosout};
use crate::lenient_json::{Bare, without_bare_numbers};
use crate::pace::Allowance;
use crate::rosbridge::NAME;
use crate::rosbridge::fragments::Fragments;
use crate::rosbridge::limits::MAX_COMMANDS_PER_CLIENT;
use crate::rosbridge::protocol::{Frame, Level, status};
use crate::socket::{self, Ended};

/// Largest message that is read, bytes: a picture in base64.
pub(super) const MAX_MESSAGE_BYTES: usize = 8 << 20;
/// Largest message that is written, bytes: a large map as numbers.
pub(super) const LARGEST_BYTES: usize = 64 << 20;

/// What comes of a command or call that was under way.
pub(super) enum Report {
    /// Nothing that the client is to know.
    Done,
    /// A frame.
    Frame(Packing, String),
    /// A message on a topic, if it is followed.
    Message { topic: String, message: String },
    /// It was refused.
    Refused { id: Option<Json>, robot: RobotId, topic: String, problem: String },
}

pub(super) struct Client {
    pub(super) facade: Facade,
    author: Author,
    pub(super) driver: CommandClient,
    pub(super) sink: Sink,
    deliveries: Vec<Delivery>,
    pub(super) topics: HashMap<Arc<str>, Followed>,
    /// The topics that the hub is asked for.
    pub(super) subscribed: HashMap<SubscriptionId, Arc<str>>,
    /// When something goes out that waits for its time.
    pub(super) due: Option<Timestamp>,
    pub(super) actions: HashMap<SubscriptionId, Action>,
    /// Transforms that it wants computed, and how often it asked for such.
    pub(super) republished: Vec<Republished>,
    pub(super) republished_before: u64,
    /// The topics that it publishes for other clients, with the ids by which it advertised them.
    pub(super) advertised: HashMap<String, Vec<Option<Json>>>,
    pub(super) inbox: Inbox,
    population: Population,
    pub(super) allowance: Allowance,
    /// Commands and calls on their way.
    pub(super) pending: FuturesUnordered<BoxFuture<'static, Report>>,
    /// From which level on it wants `status`.
    level: Level,
    fragments: Fragments,
    /// Frames to write at the next flush.
    out: Vec<Message>,
}

impl socket::Client for Client {
    const MAX_MESSAGE_BYTES: usize = MAX_MESSAGE_BYTES;

    fn receive(&mut self, text: Option<&str>) {
        let Some(text) = text else {
            return self.refuse(None, None, "the message is no UTF-8 text; send JSON text");
        };
        self.read(text);
    }

    fn received(&mut self) {
        self.driver.received();
    }

    async fn wait(&mut self) -> Option<Ended> {
        let (clock, due) = (self.facade.hub.clock(), self.due);
        tokio::select! {
            () = self.sink.receive(&mut self.deliveries) => {
                let mut deliveries = std::mem::take(&mut self.deliveries);
                let over = self.deliver(deliveries.drain(..));
                self.deliveries = deliveries;
                return over;
            }
            Some(report) = self.pending.next() => match report {
                Report::Done => {}
                Report::Frame(packing, frame) => self.pack(packing, frame),
                Report::Message { topic, message } => self.send(&topic, &message),
                Report::Refused { id, robot, topic, problem } => {
                    self.note(id.as_ref(), Level::Error, Some(robot), &topic, &problem);
                }
            },
            Some(event) = self.inbox.receive() => self.hear(event),
            () = clock.sleep_until(due.unwrap_or_default()), if due.is_some() => self.send_due(),
            () = self.population.changed() => {
                self.resolve();
                self.end_actions_of_gone();
            }
        }
        None
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
            driver: facade.hub.connected_client(author.clone()),
            author,
            deliveries: Vec::new(),
            inbox: facade.relay.join(),
            population: facade.hub.population(),
            facade,
            topics: HashMap::default(),
            subscribed: HashMap::default(),
            due: None,
            actions: HashMap::default(),
            republished: Vec::new(),
            republished_before: 0,
            advertised: HashMap::default(),
            allowance: Allowance::new(MAX_COMMANDS_PER_CLIENT, MAX_COMMANDS_PER_CLIENT),
            pending: FuturesUnordered::new(),
            // Clients of the registries have nothing that takes a `status`.
            level: Level::None,
            fragments: Fragments::new(MAX_MESSAGE_BYTES),
            out: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, frame: String) {
        self.out.push(Message::text(frame));
    }

    /// Takes frames, which may stand one behind the other.
    fn read(&mut self, text: &str) {
        let mut frames = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        loop {
            let at = frames.byte_offset();
            let Some(raw) = frames.next() else { return };
            let frame = raw.and_then(|raw| Ok((raw.get(), serde_json::from_str::<Frame<'_>>(raw.get())?)));
            let (id, topic, done) = match frame {
                Ok((text, frame)) if frame.op == "fragment" => (frame.id, None, self.join(text)),
                Ok((_, frame)) => (frame.id.clone(), frame.topic.clone(), self.handle(frame)),
                // Python writes numbers for which JSON has no word.
                Err(error) => match without_bare_numbers(&text[at..], Bare::Text) {
                    Some(strict) => return self.read(&strict),
                    None => (None, None, Err(error.into())),
                },
            };
            if let Err(problem) = done {
                self.refuse(id.as_ref(), topic.as_deref(), &problem.to_string());
            }
        }
    }

    fn join(&mut self, fragment: &str) -> Result<(), RequestError> {
        if let Some(text) = self.fragments.join(fragment)? {
            // What is joined is no fragment again.
            self.handle(serde_json::from_str::<Frame<'_>>(&text)?)?;
        }
        Ok(())
    }

    /// Puts a frame in line as the client asked for it.
    pub(super) fn pack(&mut self, packing: Packing, frame: String) {
        self.out.extend(packing.text(frame));
    }

    pub(super) fn push_all(&mut self, frames: Vec<Message>) {
        self.out.extend(frames);
    }

    fn handle(&mut self, frame: Frame<'_>) -> Result<(), RequestError> {
        let missing = |field| RequestError::Missing { op: frame.op.clone(), field };
        let topic = || frame.topic.clone().ok_or_else(|| missing("topic"));
        let service = || frame.service.clone().ok_or_else(|| missing("service"));
        match frame.op.as_str() {
            "subscribe" => self.subscribe(topic()?, &frame),
            "unsubscribe" => {
                self.unsubscribe(&topic()?, frame.id.as_ref());
                Ok(())
            }
            "advertise" => self.advertise(&topic()?, &frame),
            "unadvertise" => {
                self.unadvertise(&rooted(&topic()?), frame.id.as_ref());
                Ok(())
            }
            "publish" => self.publish(topic()?, &frame),
            "call_service" => {
                let (service, packing) = (service()?, Packing::asked(&frame));
                self.call(&service, frame.args.unwrap_or_default(), frame.id, packing);
                Ok(())
            }
            "advertise_service" => {
                let ros_type = frame.ros_type().ok_or_else(|| missing("type"))?;
                self.advertise_service(&service()?, &ros_type)
            }
            "unadvertise_service" => {
                self.facade.relay.unadvertise_service(self.inbox.client, &rooted(&service()?));
                Ok(())
            }
            "service_response" => {
                self.answer(frame);
                Ok(())
            }
            "set_level" => {
                let word = frame.level.as_deref().ok_or_else(|| missing("level"))?;
                self.level = Level::from_word(word).ok_or_else(|| RequestError::Level(word.to_owned()))?;
                Ok(())
            }
            "send_action_goal" => self.send_action_goal(&frame),
            "cancel_action_goal" => self.cancel_action_goal(&frame),
            "auth" => Ok(()),
            _ => Err(RequestError::UnknownOp(frame.op)),
        }
    }

    /// Tells what is wrong with a frame.
    fn refuse(&mut self, id: Option<&Json>, topic: Option<&str>, problem: &str) {
        let robot = topic.and_then(|topic| self.facade.find(topic, |_| Some(())));
        self.note(id, Level::Error, robot.map(|(robot, ())| robot), topic.unwrap_or_default(), problem);
    }

    /// A line on `/rosout`, and a `status` for a client that asked for such.
    pub(super) fn note(
        &mut self,
        id: Option<&Json>,
        level: Level,
        robot: Option<RobotId>,
        topic: &str,
        text: &str,
    ) {
        if level >= self.level && self.level != Level::None {
            self.push(status(id, level, text));
        }
        let at = self.facade.hub.clock().now();
        self.facade.relay.log(self.inbox.client, robot, rosout::line(at, level, topic, text));
    }

    /// Whether it may have a name for other clients.
    pub(super) fn expect_free(&self, name: &str) -> Result<(), RequestError> {
        match self.facade.taken(name) {
            Some(taken) => Err(taken.into()),
            None => self.expect_driver(),
        }
    }

    /// Whether it may send others something: who may only see changes nothing.
    pub(super) fn expect_driver(&self) -> Result<(), RequestError> {
        match self.author.caller() {
            Some(caller) if !caller.may_somewhere(Role::Drive, NAME) => Err(RequestError::MayOnlySee),
            _ => Ok(()),
        }
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Message { topic, message } => self.relayed(&topic, &message),
            Event::Log { about, client, message } => self.logged(about.as_ref(), client, &message),
            Event::Call { id, service, args } => self.asked(id, &service, args),
        }
    }
}

/// A name as it is kept: clients leave the first slash out, too.
pub(super) fn rooted(name: &str) -> String {
    format!("/{}", name.trim_start_matches('/'))
}

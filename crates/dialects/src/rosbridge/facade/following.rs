//! What a client follows: topics of robots, of other clients, and `/rosout`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use latimer_core::hub::{Delivery, Selection, Shared, Subscription, SubscriptionId};
use latimer_core::{RobotId, Timestamp};
use serde_json::Value as Json;

use super::client::{Client, LARGEST_BYTES, rooted};
use super::error::RequestError;
use super::extra::Extra;
use super::message;
use super::outgoing::Packing;
use super::relay::ClientId;
use super::rosout::{LOG, ROSOUT};
use crate::rosbridge::limits::{MAX_QUEUED_MESSAGES, MAX_TOPICS_PER_CLIENT, QUEUED_MESSAGES_MAX_BYTES};
use crate::rosbridge::protocol::{Frame, Level};
use crate::rosbridge::topics::{self, Topic};
use crate::socket::Ended;

/// A topic that a client follows, by the name that it gave.
pub(super) struct Followed {
    of: Of,
    subscription: Option<SubscriptionId>,
    wishes: Vec<Wish>,
    /// When the last message went out of those that are held back here.
    sent: Option<Timestamp>,
    /// What goes out later, the oldest first.
    waiting: VecDeque<Arc<str>>,
    /// The drive whose end was sent last.
    ended: Option<i64>,
}

/// One of the client's subscriptions to a topic.
struct Wish {
    id: Option<Json>,
    every: Duration,
    queue: usize,
    packing: Packing,
}

impl Wish {
    fn of(frame: &Frame<'_>) -> Self {
        let number = |it: Option<f64>| it.filter(|it| it.is_finite() && *it > 0.0).unwrap_or(0.0);
        Self {
            id: frame.id.clone(),
            every: Duration::from_millis(number(frame.throttle_rate) as u64),
            queue: (number(frame.queue_length) as usize).min(MAX_QUEUED_MESSAGES),
            packing: Packing::asked(frame),
        }
    }
}

/// Whose topic it is.
enum Of {
    /// A robot's, of one of its signals.
    Signal(&'static Topic, Selection),
    /// Of several, or of none.
    Extra(Extra, Option<Selection>),
    /// Of other clients.
    Clients,
    /// What the bridge notes, of one robot or of all.
    Rosout(Option<RobotId>),
}

impl Of {
    fn selection(&self) -> Option<&Selection> {
        match self {
            Self::Signal(_, selection) | Self::Extra(_, Some(selection)) => Some(selection),
            Self::Extra(_, None) | Self::Clients | Self::Rosout(_) => None,
        }
    }
}

impl Followed {
    /// Least time between messages: the fastest of the subscriptions that are there.
    fn every(&self) -> Duration {
        self.wishes.iter().map(|it| it.every).min().unwrap_or_default()
    }

    /// How many messages wait between two that go out: as few as one of the subscriptions wants, as rosbridge's own server has it.
    fn queue(&self) -> usize {
        self.wishes.iter().map(|it| it.queue).min().unwrap_or_default()
    }

    /// What the hub is asked for: it keeps the newest alone, which is a queue of one.
    fn hub_interval(&self) -> Duration {
        let is_hubs = self.of.selection().is_some() && self.queue() < 2;
        if is_hubs { self.every() } else { Duration::ZERO }
    }

    fn packing(&self) -> Packing {
        self.wishes.iter().fold(Packing::default(), |packing, it| packing.with(it.packing))
    }

    /// When the first message that waits goes out.
    fn due(&self) -> Option<Timestamp> {
        self.waiting.front().and(self.sent).map(|sent| sent.after(self.every()))
    }

    fn waiting_bytes(&self) -> usize {
        self.waiting.iter().map(|it| it.len()).sum()
    }

    /// Takes a message, and gives it back if it goes out at once. `free_bytes` is what may wait.
    fn pace(&mut self, message: Arc<str>, now: Timestamp, free_bytes: usize) -> Option<Arc<str>> {
        let every = self.every() - self.hub_interval();
        if self.waiting.is_empty() && self.sent.is_none_or(|sent| now.since(sent) >= every) {
            self.sent = Some(now);
            return Some(message);
        }
        self.waiting.push_back(message);
        while self.waiting.len() > self.queue() || self.waiting_bytes() > free_bytes {
            self.waiting.pop_front();
        }
        None
    }
}

impl Client {
    pub(super) fn subscribe(&mut self, name: String, frame: &Frame<'_>) -> Result<(), RequestError> {
        let wish = Wish::of(frame);
        if let Some(followed) = self.topics.get_mut(&*name) {
            followed.wishes.retain(|it| it.id != wish.id);
            if followed.wishes.len() >= MAX_TOPICS_PER_CLIENT {
                return Err(RequestError::TooManyTopics);
            }
            followed.wishes.push(wish);
        } else {
            if self.topics.len() >= MAX_TOPICS_PER_CLIENT {
                return Err(RequestError::TooManyTopics);
            }
            let of = self.source_of(&name, frame.ros_type())?;
            let (wishes, waiting) = (vec![wish], VecDeque::new());
            let followed = Followed { of, subscription: None, wishes, sent: None, waiting, ended: None };
            self.topics.insert(name.as_str().into(), followed);
        }
        // Who subscribes once more wants the last state once more.
        self.select(&name);
        self.plan();
        Ok(())
    }

    fn source_of(&mut self, name: &str, ros_type: Option<String>) -> Result<Of, RequestError> {
        if let Some((robot, extra)) = self.facade.extra(name) {
            expect_type(name, extra.ros_type(), ros_type)?;
            return Ok(Of::Extra(extra, extra.selection(robot.as_ref())?));
        }
        if let Some((robot, (topic, part))) = self.facade.find(name, topics::find) {
            if !topic.is_offered(&self.facade.hub, &robot, part.as_ref()) {
                return Err(RequestError::Absent { topic: name.to_owned(), robot, kind: topic.kind });
            }
            expect_type(name, topic.ros_type, ros_type)?;
            let selection = match &part {
                Some(part) => format!("{robot}/{}/{part}", topic.kind).parse()?,
                None => Selection::of_kinds(&robot, topic.kinds()),
            };
            return Ok(Of::Signal(topic, selection));
        }
        let (client, rooted) = (self.inbox.client, rooted(name));
        let of_robot = self.facade.find(&rooted, |path| (path == &ROSOUT[1..]).then_some(()));
        if of_robot.is_some() || rooted == ROSOUT {
            expect_type(name, LOG, ros_type)?;
            self.facade.relay.subscribe(client, ROSOUT, Some(LOG))?;
            return Ok(Of::Rosout(of_robot.map(|(robot, ())| robot)));
        }
        if let Some(taken) = self.facade.taken(&rooted) {
            return Err(taken.into());
        }
        self.facade.relay.subscribe(client, &rooted, ros_type.as_deref())?;
        if self.facade.relay.type_of(&rooted).is_none() {
            let text = format!("there is no topic {rooted} yet; /rosapi/topics lists those that there are");
            self.note(None, Level::Warning, None, name, &text);
        }
        Ok(Of::Clients)
    }

    /// Follows robots that have come since their topics were subscribed to, and sends what changes with them.
    pub(super) fn resolve(&mut self) {
        for name in self.topics.keys().cloned().collect::<Vec<_>>() {
            match self.topics.get(&name).map(|it| &it.of) {
                Some(Of::Extra(Extra::TfStatic, _)) => self.send_still(&name),
                Some(Of::Clients) => self.take_over(&name),
                _ => {}
            }
        }
    }

    fn take_over(&mut self, name: &str) {
        if self.facade.extra(name).is_none() && self.facade.find(name, topics::find).is_none() {
            return;
        }
        if let Ok(of) = self.source_of(name, None) {
            self.facade.relay.unsubscribe(self.inbox.client, &rooted(name));
            self.topics.entry(name.into()).and_modify(|it| it.of = of);
            self.select(name);
        }
    }

    /// Asks the hub for a robot's topic as often as the client wants it.
    fn select(&mut self, name: &str) {
        let Some(followed) = self.topics.get_mut(name) else { return };
        let every = followed.hub_interval();
        // A result is that of a goal that ends from now on.
        let initial = !matches!(followed.of, Of::Extra(Extra::Result, _));
        let subscribe = |select| Subscription { every, initial, ..Subscription::to(select) };
        let subscription = followed.of.selection().map(|it| self.sink.subscribe(subscribe(it.clone())));
        if let Some(before) = std::mem::replace(&mut followed.subscription, subscription) {
            self.sink.unsubscribe(before);
            self.subscribed.remove(&before);
        }
        self.subscribed.extend(subscription.map(|id| (id, name.into())));
        self.send_still(name);
    }

    /// Sends what is there without a signal.
    fn send_still(&mut self, name: &str) {
        let of = self.topics.get(name).map(|it| &it.of);
        let Some(Of::Extra(extra, _)) = of else { return };
        if let Some(message) = self.facade.still(*extra, name) {
            self.send(name, &message);
        }
    }

    /// Ends one of the client's subscriptions to a topic, or all.
    pub(super) fn unsubscribe(&mut self, name: &str, id: Option<&Json>) {
        let Some(followed) = self.topics.get_mut(name) else { return };
        let before = followed.hub_interval();
        followed.wishes.retain(|known| id.is_some() && known.id.as_ref() != id);
        if !followed.wishes.is_empty() {
            if followed.hub_interval() != before {
                self.select(name);
            }
            return;
        }
        let client = self.inbox.client;
        let Some(Followed { of, subscription, .. }) = self.topics.remove(name) else { return };
        if let Some(subscription) = subscription {
            self.sink.unsubscribe(subscription);
            self.subscribed.remove(&subscription);
        }
        match of {
            Of::Clients => self.facade.relay.unsubscribe(client, &rooted(name)),
            Of::Rosout(_) if !self.topics.values().any(|it| matches!(it.of, Of::Rosout(_))) => {
                self.facade.relay.unsubscribe(client, ROSOUT);
            }
            _ => {}
        }
    }

    pub(super) fn deliver(&mut self, deliveries: impl Iterator<Item = Delivery>) -> Option<Ended> {
        for delivery in deliveries {
            match delivery {
                Delivery::Update(id, update) => self.update(id, &update),
                Delivery::Gap(gap) => {
                    if let Some(name) = self.subscribed.get(&gap.subscription).cloned() {
                        let problem = format!("messages on {name} may be missing, because {}", gap.reason);
                        self.note(None, Level::Warning, None, &name, &problem);
                    }
                }
                Delivery::End(reason) => return Some(Ended::from(&reason)),
            }
        }
        None
    }

    fn update(&mut self, id: SubscriptionId, update: &Shared) {
        let Some(name) = self.subscribed.get(&id).cloned() else { return self.update_action(id, update) };
        let Some(followed) = self.topics.get_mut(&name) else { return };
        let message = match &followed.of {
            Of::Signal(topic, _) if !topic.is_alias(update) => message(&self.facade, topic, update),
            Of::Extra(extra, _) => self.facade.extra_message(*extra, &mut followed.ended, update),
            _ => None,
        };
        if let Some(message) = message {
            self.offer(&name, message.into());
        }
    }

    /// Sends a message when the client wants the next one.
    fn offer(&mut self, name: &str, message: Arc<str>) {
        let waiting: usize = self.topics.values().map(Followed::waiting_bytes).sum();
        let now = self.facade.hub.clock().now();
        let Some(followed) = self.topics.get_mut(name) else { return };
        let free_bytes = (QUEUED_MESSAGES_MAX_BYTES + followed.waiting_bytes()).saturating_sub(waiting);
        match followed.pace(message, now, free_bytes) {
            Some(message) => self.send(name, &message),
            None => self.plan(),
        }
    }

    /// Sends what waited for its time.
    pub(super) fn send_due(&mut self) {
        let now = self.facade.hub.clock().now();
        let mut messages = Vec::new();
        for (name, followed) in &mut self.topics {
            if followed.due().is_some_and(|due| due <= now) {
                followed.sent = Some(now);
                messages.extend(followed.waiting.pop_front().map(|message| (name.clone(), message)));
            }
        }
        messages.iter().for_each(|(name, message)| self.send(name, message));
        self.republish_due();
        self.plan();
    }

    /// Finds out when something is due again.
    pub(super) fn plan(&mut self) {
        let waiting = self.topics.values().filter_map(Followed::due);
        self.due = waiting.chain(self.republished.iter().map(|it| it.due)).min();
    }

    /// Sends a message on a topic as the client wants it packed, if it follows that.
    pub(super) fn send(&mut self, name: &str, message: &str) {
        if message.len() > LARGEST_BYTES {
            let bytes = message.len();
            let problem = format!("{name}: {bytes} bytes are left out; {LARGEST_BYTES} can be sent");
            return self.note(None, Level::Error, None, name, &problem);
        }
        let Some(followed) = self.topics.get(name) else { return };
        let ros_type = || match followed.of {
            Of::Signal(topic, _) => Some(topic.ros_type.to_owned()),
            Of::Extra(extra, _) => Some(extra.ros_type().to_owned()),
            Of::Clients => self.facade.relay.type_of(&rooted(name)),
            Of::Rosout(_) => Some(LOG.to_owned()),
        };
        let at = self.facade.hub.clock().now();
        let frames = followed.packing().message(name, ros_type, message, at);
        self.push_all(frames);
    }

    /// Takes a message of another client.
    pub(super) fn relayed(&mut self, topic: &str, message: &Arc<str>) {
        // A client may follow one topic with and without its first slash.
        for name in [topic, &topic[1..]] {
            if self.topics.get(name).is_some_and(|it| matches!(it.of, Of::Clients)) {
                self.offer(name, message.clone());
            }
        }
    }

    /// Takes a line of `/rosout`. What is about a robot is for those who may see it, all else for its own client.
    pub(super) fn logged(&mut self, about: Option<&RobotId>, client: ClientId, message: &str) {
        let may_see = match about {
            Some(robot) => self.facade.hub.shows(robot),
            None => client == self.inbox.client || self.facade.hub.shows_all(),
        };
        if !may_see {
            return;
        }
        let is_of = |of: &Of| match of {
            Of::Rosout(wanted) => wanted.is_none() || about.is_none() || wanted.as_ref() == about,
            _ => false,
        };
        let names = self.topics.iter().filter(|(_, it)| is_of(&it.of)).map(|(name, _)| name.clone());
        names.collect::<Vec<_>>().iter().for_each(|name| self.send(name, message));
    }
}

pub(super) fn expect_type(topic: &str, known: &str, requested: Option<String>) -> Result<(), RequestError> {
    match requested.filter(|requested| requested != known) {
        Some(requested) => {
            Err(RequestError::OtherType { topic: topic.to_owned(), known: known.to_owned(), requested })
        }
        None => Ok(()),
    }
}

//! What a client follows: topics of robots, of other clients, and `/rosout`.

use std::time::Duration;

use latimer_core::hub::{Delivery, Selection, Shared, Subscription, SubscriptionId};
use latimer_core::{RobotId, Timestamp};
use serde_json::Value as Json;

use super::client::{Client, LARGEST_BYTES, rooted};
use super::error::RequestError;
use super::message;
use super::outgoing::Packing;
use super::relay::ClientId;
use super::rosout::{LOG, ROSOUT};
use crate::rosbridge::limits::MAX_TOPICS_PER_CLIENT;
use crate::rosbridge::protocol::{Frame, Level};
use crate::rosbridge::topics;
use crate::socket::Ended;

/// A topic that a client follows, by the name that it gave.
pub(super) struct Followed {
    of: Of,
    wishes: Vec<Wish>,
    /// When the last message of other clients went out.
    sent: Option<Timestamp>,
}

/// One of the client's subscriptions to a topic.
#[derive(Clone)]
struct Wish {
    id: Option<Json>,
    every: Duration,
    packing: Packing,
}

/// Whose topic it is.
enum Of {
    /// A robot's: what to select of it.
    Robot(SubscriptionId, Selection),
    /// Of other clients.
    Clients,
    /// What the bridge notes, of one robot or of all.
    Rosout(Option<RobotId>),
}

impl Followed {
    /// Least time between messages: the fastest of the subscriptions that are there.
    fn every(&self) -> Duration {
        self.wishes.iter().map(|it| it.every).min().unwrap_or_default()
    }

    fn packing(&self) -> Packing {
        self.wishes.iter().fold(Packing::default(), |packing, it| packing.with(it.packing))
    }
}

impl Client {
    pub(super) fn subscribe(&mut self, name: String, frame: &Frame<'_>) -> Result<(), RequestError> {
        if let Some(followed) = self.follow_extra(&name, frame) {
            return followed;
        }
        let every_ms = frame.throttle_rate.filter(|it| it.is_finite() && *it > 0.0).unwrap_or(0.0);
        let wish = Wish {
            id: frame.id.clone(),
            every: Duration::from_millis(every_ms as u64),
            packing: Packing::asked(frame),
        };
        if let Some(followed) = self.topics.get_mut(&name) {
            let before = followed.every();
            followed.wishes.retain(|it| it.id != wish.id);
            followed.wishes.push(wish);
            // Who subscribes once more wants the last state once more.
            let is_robots = matches!(followed.of, Of::Robot(..));
            if is_robots || followed.every() != before {
                self.select(&name);
            }
            return Ok(());
        }
        if self.topics.len() >= MAX_TOPICS_PER_CLIENT {
            return Err(RequestError::TooManyTopics);
        }
        let of = self.source_of(&name, frame.ros_type())?;
        self.topics.insert(name.clone(), Followed { of, wishes: vec![wish], sent: None });
        self.select(&name);
        Ok(())
    }

    fn source_of(&mut self, name: &str, ros_type: Option<String>) -> Result<Of, RequestError> {
        if let Some((robot, (topic, part))) = self.facade.find(name, topics::find) {
            if !topic.is_offered(&self.facade.hub, &robot, part.as_ref()) {
                return Err(RequestError::Absent { topic: name.to_owned(), robot, kind: topic.kind });
            }
            expect_type(name, topic.ros_type, ros_type)?;
            let selection = match &part {
                Some(part) => format!("{robot}/{}/{part}", topic.kind).parse()?,
                None => Selection::of_kinds(&robot, topic.kinds()),
            };
            let subscription = self.sink.subscribe(Subscription::to(selection.clone()));
            self.subscribed.insert(subscription, (name.to_owned(), topic));
            return Ok(Of::Robot(subscription, selection));
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

    /// Follows robots that have come since their topics were subscribed to.
    pub(super) fn resolve(&mut self) {
        let waits = self.topics.iter().filter(|(_, it)| matches!(it.of, Of::Clients));
        for name in waits.map(|(name, _)| name.clone()).collect::<Vec<_>>() {
            if self.facade.find(&name, topics::find).is_none() {
                continue;
            }
            if let Ok(of) = self.source_of(&name, None) {
                self.facade.relay.unsubscribe(self.inbox.client, &rooted(&name));
                let Some(followed) = self.topics.get_mut(&name) else { continue };
                followed.of = of;
                self.select(&name);
            }
        }
    }

    /// Asks the hub for a robot's topic as often as the client wants it.
    fn select(&mut self, name: &str) {
        let Some(followed) = self.topics.get_mut(name) else { return };
        let every = followed.every();
        let Of::Robot(subscription, selection) = &mut followed.of else { return };
        self.sink.unsubscribe(*subscription);
        let known = self.subscribed.remove(subscription);
        *subscription = self.sink.subscribe(Subscription { every, ..Subscription::to(selection.clone()) });
        self.subscribed.extend(known.map(|known| (*subscription, known)));
    }

    /// Ends one of the client's subscriptions to a topic, or all.
    pub(super) fn unsubscribe(&mut self, name: &str, id: Option<&Json>) {
        self.unfollow_extra(name, id);
        let Some(followed) = self.topics.get_mut(name) else { return };
        let before = followed.every();
        followed.wishes.retain(|known| id.is_some() && known.id.as_ref() != id);
        if !followed.wishes.is_empty() {
            if followed.every() != before {
                self.select(name);
            }
            return;
        }
        let client = self.inbox.client;
        match self.topics.remove(name).map(|it| it.of) {
            Some(Of::Robot(subscription, _)) => {
                self.sink.unsubscribe(subscription);
                self.subscribed.remove(&subscription);
            }
            Some(Of::Clients) => self.facade.relay.unsubscribe(client, &rooted(name)),
            Some(Of::Rosout(_)) if !self.topics.values().any(|it| matches!(it.of, Of::Rosout(_))) => {
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
                    if let Some((name, _)) = self.subscribed.get(&gap.subscription).cloned() {
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
        let Some((name, topic)) = self.subscribed.get(&id) else { return self.update_extra(id, update) };
        if topic.is_alias(update) {
            return;
        }
        let Some(message) = message(&self.facade, topic, update) else { return };
        let name = name.clone();
        let ros_type = topic.ros_type;
        self.send(&name, Some(ros_type), &message);
    }

    fn send(&mut self, name: &str, ros_type: Option<&str>, message: &str) {
        if message.len() > LARGEST_BYTES {
            let bytes = message.len();
            let problem = format!("{name}: {bytes} bytes are left out; {LARGEST_BYTES} can be sent");
            return self.note(None, Level::Error, None, name, &problem);
        }
        let Some(packing) = self.topics.get(name).map(Followed::packing) else { return };
        let at = self.facade.hub.clock().now();
        self.push_all(packing.message(name, ros_type, message, at));
    }

    /// Takes a message of another client.
    pub(super) fn relayed(&mut self, topic: &str, message: &str) {
        let now = self.facade.hub.clock().now();
        let mut names = Vec::new();
        // A client may follow one topic with and without its first slash.
        for name in [topic, &topic[1..]] {
            let Some(followed) = self.topics.get_mut(name) else { continue };
            let is_due = followed.sent.is_none_or(|sent| now.since(sent) >= followed.every());
            if matches!(followed.of, Of::Clients) && is_due {
                followed.sent = Some(now);
                names.push(name);
            }
        }
        let ros_type = self.facade.relay.type_of(topic);
        names.into_iter().for_each(|name| self.send(name, ros_type.as_deref(), message));
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
        names.collect::<Vec<_>>().iter().for_each(|name| self.send(name, Some(LOG), message));
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

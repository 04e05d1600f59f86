//! Robots of the swarm as robots of the hub: `NAME-ID`, with what they publish and the commands that they get.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bytes::Bytes;
use latimer_core::hub::{Origin, Source};
use latimer_core::model::signal::LinkState;
use latimer_core::model::{Command, Outcome};
use latimer_core::{Hub, RobotId, Timestamp, Update};

use super::member::Members;
use crate::pera::ENTRY;
use crate::pera::map::{message_from_command, robot_of, update_from_odd, updates_from_message};
use crate::pera::messages::robot::Coordinate;
use crate::pera::roster::SwarmId;
use crate::pera::session::Senses;
use crate::pera::topic::Topic;
use crate::pera::wire::Message;
use crate::throttled_warning::ThrottledWarning;

/// Robots that come into the hub at a time; requests wait meanwhile.
const AT_A_TIME: usize = 4;

/// Updates kept of a robot that is not in the hub yet, so that its first readings are not lost.
const EARLY: usize = 8;

/// Longest message that is kept so, bytes.
const EARLY_BYTES: usize = 4 << 10;

struct JoinedRobot {
    robot: RobotId,
    /// `None` until it is its turn, and if its name is taken.
    source: Option<Source>,
    /// What it said before its turn.
    early: Vec<Update>,
    /// Readings that it was asked for.
    senses: Senses,
}

impl JoinedRobot {
    /// Hands updates on, now or when the robot is in the hub.
    fn publish(&mut self, updates: impl IntoIterator<Item = Update>) {
        match &self.source {
            Some(source) => updates.into_iter().for_each(|update| source.publish(update)),
            None => {
                let size = |it: &Update| it.native.as_ref().map_or(0, |native| native.payload.len());
                let room = EARLY.saturating_sub(self.early.len());
                self.early.extend(updates.into_iter().filter(|it| size(it) <= EARLY_BYTES).take(room));
            }
        }
    }
}

/// All of them.
pub(super) struct JoinedRobots {
    hub: Hub,
    prefix: String,
    /// Where their messages arrive.
    origin: String,
    by_id: BTreeMap<SwarmId, JoinedRobot>,
    arriving: VecDeque<SwarmId>,
    /// Why the broker is away.
    away: Option<String>,
    taken: ThrottledWarning,
    /// The hub's number of commands when they were looked for last.
    looked_at: u64,
    /// Those who have readings to make.
    asked: BTreeSet<SwarmId>,
    /// Those that a connection of their own shows in the hub.
    connected: BTreeSet<SwarmId>,
}

impl JoinedRobots {
    pub(super) fn new(hub: Hub, prefix: String, origin: String, connected: BTreeSet<SwarmId>) -> Self {
        let away = Some("the broker was not reached yet".to_owned());
        Self {
            hub,
            prefix,
            origin,
            by_id: BTreeMap::new(),
            arriving: VecDeque::new(),
            away,
            taken: ThrottledWarning::default(),
            looked_at: 0,
            asked: BTreeSet::new(),
            connected,
        }
    }

    /// The name of a robot of the swarm in the hub.
    pub(super) fn robot(&self, id: SwarmId) -> Option<&RobotId> {
        self.by_id.get(&id).map(|joined| &joined.robot)
    }

    /// A robot has come; it is in the hub a little later.
    pub(super) fn appear(&mut self, id: SwarmId) {
        if self.by_id.contains_key(&id) {
            return;
        }
        // Somebody else of the gateway may be called so, who is another robot.
        let names = [format!("{}-{id}", self.prefix), format!("{}-guest-{id}", self.prefix)];
        let mut names = names.iter().filter_map(|name| RobotId::new(name).ok());
        let Some(robot) = names.find(|name| !self.hub.has(name)) else { return };
        self.by_id
            .insert(id, JoinedRobot { robot, source: None, early: Vec::new(), senses: Senses::default() });
        if !self.connected.contains(&id) {
            self.arriving.push_back(id);
        }
    }

    /// A robot has gone, or is one of the gateway's own; what it was called.
    pub(super) fn leave(&mut self, id: SwarmId) -> Option<RobotId> {
        self.by_id.remove(&id).map(|joined| joined.robot)
    }

    /// Whether somebody waits to come into the hub.
    pub(super) fn is_anybody_arriving(&self) -> bool {
        !self.arriving.is_empty()
    }

    /// Whether nobody is there.
    pub(super) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Lets some of those who wait into the hub.
    pub(super) fn let_in(&mut self, members: &Members, now: Timestamp) {
        for _ in 0..AT_A_TIME {
            let Some(id) = self.arriving.pop_front() else { return };
            let Some(joined) = self.by_id.get_mut(&id).filter(|joined| joined.source.is_none()) else {
                continue;
            };
            let origin = Origin::Connected(self.origin.clone());
            let info = ENTRY.robot(joined.robot.clone(), origin);
            match self.hub.register(info) {
                Ok(source) => {
                    match &self.away {
                        None => source.link(LinkState::Up, None),
                        Some(reason) => source.link(LinkState::Down, Some(reason.clone())),
                    }
                    joined.source = Some(source);
                    let early = std::mem::take(&mut joined.early);
                    // It may be known from what waited at the broker.
                    let placed = early.last().map_or(now, |update| update.received);
                    if let Some(place) = members.get(id).map(|member| member.place) {
                        let message = Message::LocalizationOf(id, place);
                        let (_, payload) = message.write();
                        joined.publish(updates_from_message(
                            &message,
                            &payload,
                            (id, &joined.robot.clone()),
                            &[],
                            placed,
                        ));
                    }
                    joined.publish(early);
                }
                Err(error) => {
                    if let Some(count) = self.taken.due(now, 1) {
                        tracing::warn!(%error, count, "a robot of the swarm cannot be shown");
                    }
                    continue;
                }
            }
        }
    }

    /// Publishes what a message says of robots of the swarm that was sent then, at the earliest.
    pub(super) fn receive(&mut self, message: &Message, payload: &Bytes, members: &Members, sent: Timestamp) {
        let (list, wrap): (_, fn(Vec<Coordinate>) -> Message) = match message {
            Message::LocalizationUpdate(list) => (list, Message::LocalizationUpdate),
            Message::LocalizationData(list) => (list, Message::LocalizationData),
            message => {
                if let Some(id) = robot_of(message) {
                    self.publish(id, message, payload, members, sent);
                }
                return;
            }
        };
        if let [it] = &list[..] {
            return self.publish(it.id, message, payload, members, sent);
        }
        for it in list {
            let message = wrap(vec![it.clone()]);
            let (_, payload) = message.write();
            self.publish(it.id, &message, &payload, members, sent);
        }
    }

    /// Publishes what a message says of one of them.
    pub(super) fn publish(
        &mut self,
        id: SwarmId,
        message: &Message,
        payload: &Bytes,
        members: &Members,
        sent: Timestamp,
    ) {
        let Some(joined) = self.by_id.get_mut(&id).filter(|_| !self.connected.contains(&id)) else { return };
        joined.senses.receive(message, sent);
        let angles = members.get(id).map(|member| &member.angles[..]).unwrap_or_default();
        let updates = updates_from_message(message, payload, (id, &joined.robot), angles, sent);
        joined.publish(updates);
    }

    /// Hands on what nobody can read, if it is known whose it is.
    pub(super) fn queue_malformed(&mut self, id: SwarmId, topic: &Topic, payload: &Bytes, sent: Timestamp) {
        if let Some(joined) = self.by_id.get_mut(&id).filter(|_| !self.connected.contains(&id)) {
            let update = update_from_odd(&joined.robot, topic, payload, sent);
            joined.publish([update]);
        }
    }

    /// The broker is there, or away and why; that it stays away for another reason is no news of the robots.
    pub(super) fn set_link(&mut self, away: Option<String>) {
        if away.is_some() && self.away.is_some() {
            self.away = away;
            return;
        }
        let state = if away.is_none() { LinkState::Up } else { LinkState::Down };
        for source in self.by_id.values().filter_map(|joined| joined.source.as_ref()) {
            source.link(state, away.clone());
        }
        self.away = away;
    }

    /// Takes the commands that wait, and gives what is to be published for them. One for a reading is answered when the
    /// reading comes, the others when they are sent, since robots of the swarm answer to nothing.
    pub(super) fn commands(&mut self, now: Timestamp) -> Vec<Message> {
        self.asked.retain(|id| {
            let Some(joined) = self.by_id.get_mut(id) else { return false };
            joined.senses.expire(now);
            !joined.senses.is_empty()
        });
        let mut messages = Vec::new();
        let given = self.hub.commands_given();
        if std::mem::replace(&mut self.looked_at, given) == given {
            return messages;
        }
        for (id, joined) in &mut self.by_id {
            let Some(source) = &mut joined.source else { continue };
            while let Some(request) = source.try_next_command() {
                match (&self.away, message_from_command(*id, &request.command)) {
                    (Some(reason), _) => {
                        request.answer(Outcome::unreachable(format!("the broker is away: {reason}")));
                    }
                    (None, Ok(message)) => {
                        request.sent();
                        messages.push(message);
                        match *request.command {
                            Command::Sense(_) => {
                                joined.senses.wait(request, now);
                                self.asked.insert(*id);
                            }
                            _ => request.answer(Outcome::Accepted),
                        }
                    }
                    (None, Err(refusal)) => request.answer(refusal.into()),
                }
            }
        }
        messages
    }
}

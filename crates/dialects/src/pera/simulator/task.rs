//! The simulator's task: what is heard goes into the engine, what it wants done is done.

use std::time::Duration;

use bytes::Bytes;
use latimer_core::dialect::Context;
use latimer_core::stage::{Answer, Ask};
use latimer_core::{BrokerAddress, Clock, Hub, RobotId, Stage, Timestamp};
use latimer_mqtt::{Heard, Link, Login, Message as Packet, Progress, Publisher, Qos};
use tokio_util::sync::CancellationToken;

use super::body::Asks;
use super::complaints::Complaint;
use super::engine::{Deed, Engine, Request, Settings};
use super::guests::Guests;
use super::readings::{last_readings, message_from_readings, sense_from_request};
use crate::pera::config::{Connect, Geometry, PeraConfig};
use crate::pera::roster::{Roster, SwarmId};
use crate::pera::topic::{Channel, Sensor, Topic};
use crate::pera::wire::{Message, ReadError};

/// Messages taken in one turn; a request among them waits for the others.
const MOST_HEARD: usize = 256;

/// Requests of one robot that are answered in one turn: as many as it has sensors.
const MOST_OF_EACH: usize = 4;

/// Answers that the broker has not confirmed, at most; the rest waits as requests, where each robot has its turn.
const MOST_ON_THE_WAY: usize = 128;

/// How long the world has for its answers.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long after the greeting the obstacles are told.
const AFTER_GREETING: Duration = Duration::from_secs(1);

/// Between two looks at what stands in the arena, and at who is one of the gateway's own robots.
const LOOK: Duration = Duration::from_secs(1);

/// Between two looks for commands.
const COMMANDS: Duration = Duration::from_millis(20);

/// A simulator or an observer that is not running yet.
pub(in crate::pera) struct Simulator {
    engine: Engine,
    login: Login,
    channel: Channel,
    frame: String,
    hub: Hub,
    clock: Clock,
    stage: Option<Stage>,
    roster: Roster,
    guests: Guests,
}

impl Simulator {
    pub(super) fn new(
        settings: Settings,
        login: Login,
        channel: Channel,
        config: &PeraConfig,
        context: &Context,
        stage: Option<Stage>,
        roster: Roster,
    ) -> Self {
        let own_broker = |it: &&Connect| {
            it.address.parse().is_ok_and(|it: BrokerAddress| it.authority() == login.address.authority())
        };
        let connected = config.connect.iter().filter(own_broker).filter_map(Connect::number).collect();
        let (hub, origin) = (context.hub.clone(), login.address.to_string());
        let guests = Guests::new(hub, config.name.clone(), origin, connected);
        Self {
            engine: Engine::new(settings),
            login,
            channel,
            frame: config.frame.clone(),
            hub: context.hub.clone(),
            clock: context.clock,
            stage,
            roster,
            guests,
        }
    }

    /// Runs until `shutdown`.
    pub(in crate::pera) async fn run(self, shutdown: CancellationToken) {
        let (ear, _, hearing) = Link::new(self.login.clone(), self.clock, shutdown.clone());
        let (mouth, publisher, speaking) = Link::new(self.login.speaking(), self.clock, shutdown.clone());
        let (hearing, speaking) = (tokio::spawn(hearing), tokio::spawn(speaking));
        let now = self.clock.now();
        let mut task = Task {
            it: self,
            publisher,
            asks: Asks::default(),
            introduce_at: None,
            look_at: now,
            commands_at: now,
            unreadable: Complaint::default(),
            lost: Complaint::default(),
            unmeasured: Complaint::default(),
        };
        task.look(now).await;
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = task.run(ear, mouth) => {}
        }
        // They say goodbye to the broker.
        let _ = tokio::join!(hearing, speaking);
    }
}

struct Task {
    it: Simulator,
    publisher: Publisher,
    asks: Asks,
    introduce_at: Option<Timestamp>,
    look_at: Timestamp,
    commands_at: Timestamp,
    unreadable: Complaint,
    lost: Complaint,
    unmeasured: Complaint,
}

impl Task {
    async fn run(&mut self, mut ear: Link, mut mouth: Link) {
        let mut heard = Vec::new();
        loop {
            let now = self.it.clock.now();
            // Somebody waits, so nothing but what is there already is waited for.
            let (asked, progress) = (!self.it.engine.requests.is_empty(), self.publisher.progress());
            let is_ready = room(progress) > 0 && self.it.engine.requests.is_ready(progress);
            let (busy, wake_at) = (is_ready || self.it.guests.is_anybody_arriving(), self.wake_at(now));
            let (clock, publisher) = (self.it.clock, self.publisher.clone());
            let pause = async {
                match busy {
                    true => tokio::task::yield_now().await,
                    false => clock.sleep_until(wake_at).await,
                }
            };
            tokio::select! {
                biased;
                taken = ear.next_many(&mut heard, MOST_HEARD) => {
                    if taken == 0 {
                        return;
                    }
                }
                () = publisher.confirmed_beyond(progress.confirmed), if asked && !is_ready => {}
                Some(Heard::Lost(lost)) = mouth.next() => heard.push(Heard::Lost(lost)),
                () = pause => {}
            }
            let now = self.it.clock.now();
            for heard in heard.drain(..) {
                self.hear(heard, now);
            }
            self.by_the_clock(now).await;
            self.do_deeds(now);
            self.answer(now).await;
            self.it.guests.let_in(&self.it.engine.members, now);
        }
    }

    fn wake_at(&mut self, now: Timestamp) -> Timestamp {
        let beat = self.it.engine.next_beat(now);
        let commands = (!self.it.guests.is_empty()).then_some(self.commands_at);
        [beat, commands, self.introduce_at].into_iter().flatten().fold(self.look_at, Timestamp::min)
    }

    fn hear(&mut self, heard: Heard, now: Timestamp) {
        match heard {
            Heard::Message(packet) => self.read(&packet, now),
            Heard::Up => {
                self.it.guests.set_link(None);
                self.it.engine.greet(now);
                self.introduce_at = Some(now.after(AFTER_GREETING));
            }
            Heard::Down(reason) => {
                self.it.engine.lose_broker();
                self.it.guests.set_link(Some(reason));
            }
            Heard::Lost(lost) => {
                if let Some(count) = self.lost.due(now, lost.count) {
                    tracing::warn!(count, reason = %lost.reason, "messages of the swarm were lost");
                }
            }
        }
    }

    fn read(&mut self, packet: &Packet, now: Timestamp) {
        let Some(topic) = self.it.channel.topic(&packet.topic) else { return };
        match Message::read(&topic, &packet.payload) {
            Ok(message) => {
                self.it.engine.hear(&message, packet.retain, now);
                // So that who comes with a message is there to be told of.
                self.do_deeds(now);
                if !packet.retain {
                    self.it.guests.hear(&message, &packet.payload, &self.it.engine.members, now);
                }
            }
            Err(error) => self.read_odd(&topic, &packet.payload, &error, now),
        }
    }

    /// A message that is none of its topic: a compass without a heading is a question, the rest is told now and then.
    fn read_odd(&mut self, topic: &Topic, payload: &Bytes, error: &ReadError, now: Timestamp) {
        let named = match error.may_be_another.then(|| Message::read(&Topic::Live, payload)) {
            Some(Ok(Message::Live(it))) => Some(it.id),
            _ => None,
        };
        match (topic, named) {
            (Topic::Sensor(Sensor::Compass), Some(id)) => return self.it.engine.hear_compass_asked(id, now),
            (_, Some(id)) => self.it.guests.tell_odd(id, topic, payload, now),
            (_, None) => {}
        }
        if let Some(count) = self.unreadable.due(now, 1) {
            tracing::warn!(%error, count, "a message of the swarm cannot be read");
        }
    }

    async fn by_the_clock(&mut self, now: Timestamp) {
        self.it.engine.tick(now);
        if self.introduce_at.is_some_and(|at| at <= now) {
            self.introduce_at = None;
            self.it.engine.introduce(now);
        }
        if self.look_at <= now {
            self.look(now).await;
        }
        if self.commands_at <= now {
            self.commands_at = now.after(COMMANDS);
            for message in self.it.guests.commands(now) {
                self.publish(&message, Qos::AtLeastOnce, false);
            }
        }
    }

    /// Looks at what stands in the arena, and lets go of guests that are the gateway's own robots, and
    /// takes in those that no longer are.
    async fn look(&mut self, now: Timestamp) {
        self.look_at = now.after(LOOK);
        let own = self.it.roster.all();
        self.it.engine.set_own(own.iter().map(|(id, _)| *id).collect());
        for (id, _) in own {
            if let Some(robot) = self.it.guests.leave(id) {
                self.asks.release(id, &robot);
            }
        }
        let (guests, roster) = (&self.it.guests, &self.it.roster);
        self.it.engine.appear_again(|id| guests.robot(id).is_none() && roster.robot(id).is_none());
        let Some(stage) = &self.it.stage else { return };
        match stage.ask(Ask::Arena { frame: self.it.frame.clone() }, PATIENCE).await {
            Ok(Answer::Arena(arena)) => self.it.engine.set_arena(*arena),
            Ok(_) => {}
            Err(error) => self.complain_of_world(&error.to_string(), 1, now),
        }
    }

    fn do_deeds(&mut self, now: Timestamp) {
        for deed in self.it.engine.take_deeds() {
            match deed {
                Deed::Say(message, qos, kept) => {
                    let payload = self.publish(&message, qos, kept);
                    if matches!(message, Message::CommIn(..)) {
                        self.it.guests.hear(&message, &payload, &self.it.engine.members, now);
                    }
                }
                Deed::Appear(id) if self.it.roster.robot(id).is_none() => {
                    self.it.guests.appear(id);
                    self.embody(id);
                }
                Deed::Appear(_) => {}
                Deed::Move(id) => {
                    let member = self.it.engine.members.get(id);
                    if let (Some(robot), Some(member)) = (self.it.guests.robot(id), member) {
                        self.asks.shift(id, robot, member);
                    }
                }
                Deed::Leave(id) => {
                    // Of another reality it stays in the hub, and gets another body.
                    let stays = self.it.engine.members.get(id).is_some();
                    let robot = match stays {
                        true => self.it.guests.robot(id).cloned(),
                        false => self.it.guests.leave(id),
                    };
                    if let Some(robot) = robot {
                        self.asks.release(id, &robot);
                    }
                }
            }
        }
    }

    /// Asks for a guest's body, as soon as it is known which frame it is placed in.
    fn embody(&mut self, id: SwarmId) {
        let (guests, engine) = (&self.it.guests, &self.it.engine);
        if let (Some(robot), Some(member), true) =
            (guests.robot(id), engine.members.get(id), engine.knows_arena())
        {
            self.asks.embody(robot, member, engine.frame());
        }
    }

    /// Moves bodies, and answers requests, as many as are due in one turn.
    async fn answer(&mut self, now: Timestamp) {
        let progress = self.publisher.progress();
        let requests = self.it.engine.requests.take(room(progress), MOST_OF_EACH, progress);
        let mut asks = self.asks.take();
        if self.it.stage.is_none() {
            asks.clear();
        }
        let (deeds, mut measured) = (asks.len(), Vec::new());
        for (id, request) in requests {
            match self.it.engine.settings.geometry {
                Geometry::Reference => {
                    let message = self.it.engine.reckoned(id, &request);
                    if let Some(message) = message.or_else(|| self.remembered(id, &request)) {
                        self.reply(id, &message, now);
                    }
                }
                Geometry::Exact => {
                    let own = self.it.roster.robot(id);
                    let Some(robot) = own.clone().or_else(|| self.it.guests.robot(id).cloned()) else {
                        continue;
                    };
                    asks.push(Ask::Sense { robot, request: sense_from_request(&request) });
                    measured.push((id, own, request));
                }
            }
        }
        let Some(stage) = self.it.stage.as_ref().filter(|_| !asks.is_empty()) else { return };
        let answers = match stage.ask(Ask::All(asks), PATIENCE).await {
            Ok(Answer::All(answers)) => answers,
            Ok(_) => return,
            Err(error) => return self.complain_of_world(&error.to_string(), measured.len() as u64, now),
        };
        let mut answers = answers.into_iter();
        for error in answers.by_ref().take(deeds).filter_map(Result::err) {
            self.complain_of_world(&error, 1, now);
        }
        for ((id, own, request), answer) in measured.into_iter().zip(answers) {
            self.answer_measured(id, own.as_ref(), &request, answer, now);
        }
    }

    fn answer_measured(
        &mut self,
        id: SwarmId,
        own: Option<&RobotId>,
        request: &Request,
        answer: Result<Answer, String>,
        now: Timestamp,
    ) {
        let message = match (answer, own) {
            (Ok(Answer::Sensed(readings)), _) => message_from_readings(id, &request.wish, &readings),
            (Err(_), Some(_)) => self.remembered(id, request),
            (Err(error), None) => {
                // It has no body, because the world was too busy or not there yet when it came.
                self.embody(id);
                return self.complain_of_world(&error, 1, now);
            }
            (Ok(_), _) => return,
        };
        if let Some(message) = message {
            self.reply(id, &message, now);
        }
    }

    /// What a robot of this gateway measured itself, for one that is not in the world or knows no place.
    fn remembered(&self, id: SwarmId, request: &Request) -> Option<Message> {
        let own = self.it.roster.robot(id)?;
        let place = self.it.engine.members.get(id).map(|member| member.place);
        message_from_readings(id, &request.wish, &last_readings(&self.it.hub, &own, &request.wish, place))
    }

    fn reply(&mut self, id: SwarmId, message: &Message, now: Timestamp) {
        self.it.engine.remember(message);
        let payload = self.publish(message, self.it.engine.settings.reply_qos, false);
        self.it.guests.tell(id, message, &payload, &self.it.engine.members, now);
    }

    fn publish(&self, message: &Message, qos: Qos, kept: bool) -> Bytes {
        let (topic, payload) = message.write();
        let packet = Packet::new(self.it.channel.join(&topic), payload.clone(), qos);
        let packet = if kept { packet.retained() } else { packet };
        // What does not get through is told by the link, as a loss.
        let _ = self.publisher.publish(packet);
        payload
    }

    fn complain_of_world(&mut self, reason: &str, count: u64, now: Timestamp) {
        if let Some(count) = self.unmeasured.due(now, count) {
            tracing::warn!(reason, count, "the simulated world did not do what the swarm needs");
        }
    }
}

/// How many requests can be answered in this turn: a flood of answers would stand in the way of all others.
fn room(progress: Progress) -> usize {
    MOST_ON_THE_WAY.saturating_sub(usize::try_from(progress.unconfirmed()).unwrap_or(usize::MAX))
}

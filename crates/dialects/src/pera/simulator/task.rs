//! The simulator's task: it passes received messages to the engine and carries out its effects.

use crate::contract::BuildContext;
use latimer_core::{BrokerAddress, Clock, Hub, Timestamp};
use latimer_mqtt::{Link, LinkEvent, Login, Publisher, Qos};
use latimer_simulator_api::{SimulatorHandle, WorldRequest, WorldResponse};
use tokio_util::sync::CancellationToken;

use super::arrivals::Arrivals;
use super::body::Asks;
use super::creators::Creators;
use super::engine::{Effect, Engine, Settings};
use super::joined_robots::JoinedRobots;
use crate::pera::config::{Connect, PeraConfig};
use crate::pera::limits::{
    ADMISSION_INTERVAL, ARENA_LOOK_INTERVAL, COMMAND_LOOK_INTERVAL, WORLD_ANSWER_TIMEOUT,
};
use crate::pera::roster::{Roster, SwarmId};
use crate::pera::topic::Channel;
use crate::throttled_warning::ThrottledWarning;

/// Messages taken in one turn; a request among them waits for the others.
const MOST_HEARD: usize = 256;

/// A simulator or an observer that is not running yet.
pub(in crate::pera) struct Simulator {
    pub(super) engine: Engine,
    login: Login,
    pub(super) channel: Channel,
    frame: String,
    pub(super) hub: Hub,
    pub(super) clock: Clock,
    pub(super) simulator: Option<SimulatorHandle>,
    pub(super) roster: Roster,
    pub(super) joined_robots: JoinedRobots,
}

impl Simulator {
    pub(super) fn new(
        settings: Settings,
        login: Login,
        channel: Channel,
        config: &PeraConfig,
        context: &BuildContext,
        simulator: Option<SimulatorHandle>,
        roster: Roster,
    ) -> Self {
        let own_broker = |it: &&Connect| {
            it.address.parse().is_ok_and(|it: BrokerAddress| it.authority() == login.address.authority())
        };
        let connected = config.connect.iter().filter(own_broker).filter_map(Connect::number).collect();
        let (hub, origin) = (context.hub.clone(), login.address.to_string());
        let joined_robots = JoinedRobots::new(hub, config.name.clone(), origin, connected);
        Self {
            engine: Engine::new(settings, roster.clone()),
            login,
            channel,
            frame: config.frame.clone(),
            hub: context.hub.clone(),
            clock: context.clock,
            simulator,
            roster,
            joined_robots,
        }
    }

    /// Who brings robots, if it can be known.
    pub(super) fn with_creators(mut self, creators: Option<Creators>) -> Self {
        self.engine.creators = creators;
        self
    }

    /// Runs until `shutdown`.
    pub(in crate::pera) async fn run(self, shutdown: CancellationToken) {
        let (subscriber, _, receiving) = Link::new(self.login.clone(), self.clock, shutdown.clone());
        let (sender, publisher, speaking) = Link::new(self.login.publishing(), self.clock, shutdown.clone());
        let (receiving, speaking) = (tokio::spawn(receiving), tokio::spawn(speaking));
        let now = self.clock.now();
        let mut task = Task {
            it: self,
            publisher,
            arrivals: Arrivals::default(),
            asks: Asks::default(),
            bodies_at: now,
            introduce_at: None,
            look_at: now,
            commands_at: now,
            welcome_at: now,
            unreadable: ThrottledWarning::default(),
            lost: ThrottledWarning::default(),
            unmeasured: ThrottledWarning::default(),
        };
        task.look(now).await;
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = task.run(subscriber, sender) => {}
        }
        // They say goodbye to the broker.
        let _ = tokio::join!(receiving, speaking);
    }
}

/// One that runs.
pub(super) struct Task {
    pub(super) it: Simulator,
    pub(super) publisher: Publisher,
    pub(super) arrivals: Arrivals,
    pub(super) asks: Asks,
    pub(super) bodies_at: Timestamp,
    pub(super) introduce_at: Option<Timestamp>,
    look_at: Timestamp,
    commands_at: Timestamp,
    pub(super) welcome_at: Timestamp,
    pub(super) unreadable: ThrottledWarning,
    pub(super) lost: ThrottledWarning,
    pub(super) unmeasured: ThrottledWarning,
}

impl Task {
    async fn run(&mut self, mut subscriber: Link, mut sender: Link) {
        let mut incoming = Vec::new();
        loop {
            let now = self.it.clock.now();
            // Somebody waits, so nothing but what is there already is waited for.
            let (asked, progress) = (!self.it.engine.requests.is_empty(), self.publisher.progress());
            let is_turn = self.it.engine.requests.is_ready(progress);
            let wake_at = self.wake_at(now);
            let (clock, publisher) = (self.it.clock, self.publisher.clone());
            let pause = async {
                match is_turn {
                    true => tokio::task::yield_now().await,
                    false => clock.sleep_until(wake_at).await,
                }
            };
            tokio::select! {
                biased;
                taken = subscriber.next_many(&mut incoming, MOST_HEARD) => {
                    if taken == 0 {
                        return;
                    }
                }
                () = publisher.confirmed_beyond(progress.confirmed), if asked && !is_turn => {}
                Some(LinkEvent::Lost(lost)) = sender.next() => incoming.push(LinkEvent::Lost(lost)),
                () = pause => {}
            }
            let now = self.it.clock.now();
            self.receive_all(incoming.drain(..), now);
            self.by_the_clock(now).await;
            self.do_deeds();
            self.answer(now).await;
            if self.welcome_at <= now {
                self.welcome_at = now.after(ADMISSION_INTERVAL);
                self.it.joined_robots.let_in(&self.it.engine.members, now);
            }
        }
    }

    fn wake_at(&mut self, now: Timestamp) -> Timestamp {
        let beat = self.it.engine.next_beat(now);
        let commands = (!self.it.joined_robots.is_empty()).then_some(self.commands_at);
        let somebody_comes = !self.arrivals.is_empty() || self.it.joined_robots.is_anybody_arriving();
        let welcome = somebody_comes.then_some(self.welcome_at);
        let bodies = (!self.asks.is_empty()).then_some(self.bodies_at);
        [beat, commands, welcome, bodies, self.introduce_at]
            .into_iter()
            .flatten()
            .fold(self.look_at, Timestamp::min)
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
            self.commands_at = now.after(COMMAND_LOOK_INTERVAL);
            for message in self.it.joined_robots.commands(now) {
                self.publish(&message, Qos::AtLeastOnce, false);
            }
        }
    }

    /// Looks at what stands in the arena, and forgets those that are the gateway's own robots, and
    /// takes in those that no longer are.
    async fn look(&mut self, now: Timestamp) {
        self.look_at = now.after(ARENA_LOOK_INTERVAL);
        for (id, _) in self.it.roster.all() {
            if let Some(robot) = self.it.joined_robots.leave(id) {
                self.asks.release(id, &robot);
            }
        }
        let (joined_robots, roster) = (&self.it.joined_robots, &self.it.roster);
        self.it.engine.appear_again(|id| joined_robots.robot(id).is_none() && roster.robot(id).is_none());
        let Some(simulator) = &self.it.simulator else { return };
        match simulator.ask(WorldRequest::Arena { frame: self.it.frame.clone() }, WORLD_ANSWER_TIMEOUT).await
        {
            Ok(WorldResponse::Arena(arena)) => self.it.engine.set_arena(*arena),
            Ok(_) => {}
            Err(error) => self.complain_of_world(&error.to_string(), 1, now),
        }
    }

    pub(super) fn do_deeds(&mut self) {
        for effect in self.it.engine.take_deeds() {
            match effect {
                Effect::Say(message, qos, kept) => drop(self.publish(&message, qos, kept)),
                Effect::Appear(id) if self.it.roster.robot(id).is_none() => {
                    self.it.joined_robots.appear(id);
                    self.embody(id);
                }
                Effect::Appear(_) => {}
                Effect::Move(id) => {
                    let member = self.it.engine.members.get(id);
                    if let (Some(robot), Some(member)) = (self.it.joined_robots.robot(id), member) {
                        self.asks.shift(id, robot, member);
                    }
                }
                Effect::Leave(id) => {
                    // Of another reality it stays in the hub, and gets another body.
                    let stays = self.it.engine.members.get(id).is_some();
                    let robot = match stays {
                        true => self.it.joined_robots.robot(id).cloned(),
                        false => self.it.joined_robots.leave(id),
                    };
                    if let Some(robot) = robot {
                        self.asks.release(id, &robot);
                    }
                }
            }
        }
    }

    /// Asks the world for a robot's body, as soon as it is known which frame it is placed in.
    pub(super) fn embody(&mut self, id: SwarmId) {
        let (joined_robots, engine) = (&self.it.joined_robots, &self.it.engine);
        if let (Some(robot), Some(member), true) =
            (joined_robots.robot(id), engine.members.get(id), engine.knows_arena())
        {
            self.asks.embody(id, robot, member, engine.frame());
        }
    }
}

//! The loop of the world's thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use latimer_core::hub::{Source, WakeUps};
use latimer_core::limits::LOG_INTERVAL;
use latimer_core::model::signal::LinkState;
use latimer_core::model::{Kind, Refusal};
use latimer_core::{Clock, PartName, RobotId, Timestamp, Update};
use latimer_simulator_api::{Pace, RequestQueue, WorldRequest, WorldResponse};

use super::effort::Effort;
use super::pacer::Pacer;
use super::population::{Change, Changes, PopulationError};
use super::register;
use crate::bodies::Demand;
use crate::camera::RenderQueue;
use crate::limits::{DEMAND_LOOK_INTERVAL, MAX_NAP};
use crate::world::{Newcomer, World};

pub(super) struct Runner {
    world: World,
    /// In the world's order of robots.
    sources: Vec<Source>,
    changes: Changes,
    clock: Clock,
    requests: RequestQueue,
    pacer: Pacer,
    effort: Effort,
    /// The number of the hub's demand that the world has, and since when.
    published: Option<(u64, Timestamp)>,
    stopping: Arc<AtomicBool>,
    complained: Option<Timestamp>,
    render_queue: RenderQueue,
}

impl Runner {
    #[expect(clippy::too_many_arguments, reason = "it is called once, and each is another thing")]
    pub(super) fn new(
        world: World,
        sources: Vec<Source>,
        changes: Changes,
        clock: Clock,
        requests: RequestQueue,
        speed: f64,
        render_queue: RenderQueue,
        stopping: Arc<AtomicBool>,
    ) -> Self {
        let now = clock.now();
        let pacer = Pacer::new(now, speed);
        let effort = Effort::new(requests.meter(), now);
        effort.goes(&pacer);
        requests.reached(now);
        Self {
            world,
            sources,
            changes,
            clock,
            requests,
            pacer,
            effort,
            published: None,
            stopping,
            complained: None,
            render_queue,
        }
    }

    pub(super) fn run(mut self) {
        self.requests.answered_by(thread::current());
        self.render_queue.wakes(thread::current());
        for source in &self.sources {
            source.link(LinkState::Up, None);
        }
        let mut updates = Vec::new();
        while !self.stopping.load(Ordering::Acquire) {
            self.answer();
            self.answer_requests();
            self.let_come_and_go();
            self.show();
            let now = self.clock.now();
            self.effort.look(now);
            match self.pacer.due() {
                Some(due) if due <= now => self.step(now, &mut updates),
                Some(due) => thread::park_timeout(due.since(now).min(MAX_NAP)),
                None => thread::park_timeout(MAX_NAP),
            }
        }
        for source in &self.sources {
            source.link(LinkState::Down, Some("the simulation was stopped".to_owned()));
        }
    }

    fn step(&mut self, now: Timestamp, updates: &mut Vec<Update>) {
        self.listen(now);
        let (at, left_out) = self.pacer.step(now);
        if !left_out.is_zero() {
            self.complain(left_out, now);
        }
        self.world.step(at, updates);
        for shot in self.world.take_shots() {
            self.render_queue.submit(shot);
        }
        self.publish(updates);
        self.requests.reached(at);
        self.effort.stepped(self.clock.now().since(now), !left_out.is_zero());
    }

    /// Hands out the pictures that are ready.
    fn show(&self) {
        let received = self.clock.now();
        for frame in self.render_queue.rendered() {
            if let Some(source) = self.sources.iter().find(|source| *source.robot() == frame.robot) {
                frame.updates().for_each(|update| source.publish(Update { received, ..update }));
            }
        }
    }

    /// Passes the hub's demand to the world.
    fn listen(&mut self, now: Timestamp) {
        let Some(number) = self.sources.first().map(Source::demand_number) else { return };
        if self
            .published
            .is_some_and(|(published, when)| published == number || now.since(when) < DEMAND_LOOK_INTERVAL)
        {
            return;
        }
        self.published = Some((number, now));
        let demand = |(streams, source): (&[(Kind, PartName)], &Source)| {
            let of_kinds = Demand::of(source.wanted());
            streams.iter().enumerate().fold(of_kinds, |demand, (number, (kind, part))| {
                let wanted = demand.wants(*kind) && source.wants(*kind, Some(part));
                if wanted && *kind == Kind::Video {
                    // A new subscriber of a stream can decode nothing before a key frame.
                    self.render_queue.restart_video(source.robot(), part);
                }
                if wanted { demand.with_stream(number) } else { demand }
            })
        };
        let demands: Vec<Demand> = self.world.streams().zip(&self.sources).map(demand).collect();
        self.world.listen(demands);
    }

    /// Says that time was left out, but not all the time.
    fn complain(&mut self, late: Duration, now: Timestamp) {
        if self.complained.is_none_or(|before| now.since(before) > LOG_INTERVAL) {
            self.complained = Some(now);
            tracing::warn!(late_ms = late.as_millis(), "the simulated world cannot keep up with its speed");
        }
    }

    fn answer(&mut self) {
        for source in &mut self.sources {
            while let Some(request) = source.try_next_command() {
                request.sent();
                let span = request.span();
                let outcome = span.in_scope(|| self.world.command(source.robot(), request.command.clone()));
                request.answer(outcome);
            }
        }
    }

    fn answer_requests(&mut self) {
        while let Some(request) = self.requests.next_request() {
            request.fulfil(|ask| match ask {
                WorldRequest::Pace(pace) => self.pace(pace),
                ask => self.world.ask(ask).map(|answer| self.paced(answer)),
            });
        }
    }

    fn let_come_and_go(&mut self) {
        while let Ok((change, answer)) = self.changes.queue.try_recv() {
            let done = match change {
                Change::Add(newcomer) => self.add(newcomer),
                Change::Remove(robot) => self.remove(robot),
            };
            // The asker may have gone.
            let _ = answer.send(done);
        }
    }

    fn add(&mut self, newcomer: Newcomer) -> Result<(), PopulationError> {
        let Newcomer { robot, kind, start, habits } = newcomer;
        self.world.add_robot(robot.clone(), &kind, start, habits)?;
        let Some((_, body)) = self.world.population().last() else {
            return Err(PopulationError::Unknown(robot));
        };
        match register(&self.changes.hub, &self.world, &robot, body) {
            Ok(source) => {
                source.link(LinkState::Up, None);
                self.sources.push(source);
                self.published = None;
                Ok(())
            }
            Err(taken) => {
                self.world.remove_robot(&robot);
                Err(taken.into())
            }
        }
    }

    fn remove(&mut self, robot: RobotId) -> Result<(), PopulationError> {
        if !self.world.remove_robot(&robot) {
            return Err(PopulationError::Unknown(robot));
        }
        for source in self.sources.extract_if(.., |source| *source.robot() == robot) {
            source.link(LinkState::Down, Some("the robot was taken out of the simulation".to_owned()));
        }
        self.published = None;
        Ok(())
    }

    fn pace(&mut self, pace: Pace) -> Result<WorldResponse, Refusal> {
        self.pacer.set(pace, self.clock.now())?;
        self.effort.goes(&self.pacer);
        Ok(WorldResponse::Done)
    }

    /// Adds to what the world looks like how fast it goes, which the world itself does not know.
    fn paced(&self, mut answer: WorldResponse) -> WorldResponse {
        let now = match &mut answer {
            WorldResponse::Seen(scenery) => &mut scenery.now,
            WorldResponse::Glimpsed(now) => now,
            WorldResponse::Done
            | WorldResponse::Sensed(_)
            | WorldResponse::Arena(_)
            | WorldResponse::All(_) => return answer,
        };
        now.speed = self.pacer.speed();
        now.paused = self.pacer.is_paused();
        now.load_ratio = self.effort.ratio();
        answer
    }

    /// Hands out updates; they come robot by robot in the world's order.
    fn publish(&self, updates: &mut Vec<Update>) {
        let mut sources = self.sources.iter().peekable();
        let received = self.clock.now();
        // Readers are woken when the step is through.
        let mut wakes = WakeUps::default();
        for update in updates.drain(..) {
            while sources.next_if(|source| *source.robot() != update.robot).is_some() {}
            if let Some(source) = sources.peek() {
                source.publish_with(Update { received, ..update }, &mut wakes);
            }
        }
    }
}

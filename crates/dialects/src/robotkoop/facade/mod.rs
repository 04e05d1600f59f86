//! The gateway as household robots: any robot of the hub, so that a dialogue system sees one of its own.
//!
//! ```text
//! /dialogue/task ──▶ the robot that it names ──▶ Command::Task ─┬─ taken ──▶ confirm, and what the robot reports
//!                                                               └─ refused ──▶ does it tasks? failure; else foreign ──▶ drive, say
//! hub: task, navigation, motion ──▶ in_flight, drives ──▶ /robots/status
//! hub: text to people, faces ─────────────────────▶ /robots/task
//! /dialogue/status ──▶ counted
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `robot` | one served robot |
//! | `orders` | tasks that wait for their turn |
//! | `in_flight` | what it was asked over the broker |
//! | `drives` | its drives as tasks |
//! | `stray` | tasks for robots that are not served |
//! | `foreign` | what a robot that does no tasks makes of one |
//! | `ask` | commands under way, and where a robot could be sent |

mod drives;
mod foreign;
mod in_flight;
mod orders;
mod pending;
mod robot;
mod stray;

use std::collections::BTreeMap;

use crate::contract::BuildContext;
use crate::late::Sent;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use latimer_core::hub::{Delivery, MailboxLimits, Selection, Sink, Subscription};
use latimer_core::model::profile::Ability;
use latimer_core::model::signal::{Task, TaskState};
use latimer_core::model::{Outcome, Refusal, RefusalCode};
use latimer_core::{BrokerAddress, Hub, RobotId};
use latimer_listen::Trust;
use latimer_mqtt::{FairQueue, Link, LinkEvent, Login, Publisher, Qos};
use latimer_simulator_api::SimulatorHandle;
use tokio_util::sync::CancellationToken;

use super::NAME;
use super::config::Serve;
use super::topic::Topic;
use super::wire::{Body, Head, Message};
use crate::robotkoop::limits::KEEP_ALIVE_INTERVAL;
use crate::throttled_warning::ThrottledWarning;
use orders::Waiting;
use pending::{Done, PendingRequest};
use robot::Served;
use stray::Strays;

/// Messages taken in one turn.
const MOST_RECEIVED: usize = 64;

/// The received messages.
const SUBSCRIPTIONS: [Topic; 2] = [Topic::DialogueTask, Topic::DialogueStatus];

/// Which robots are served, and where.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) broker: BrokerAddress,
    pub(super) trust: Trust,
    pub(super) dialogue: String,
    pub(super) serve: Vec<Serve>,
    pub(super) serve_all: bool,
    /// What the robots at this broker call themselves that the gateway connects to and sends tasks to.
    pub(super) connected: Vec<String>,
}

/// All served robots at their broker.
pub(super) struct Facade {
    hub: Hub,
    simulator: Option<SimulatorHandle>,
    settings: Settings,
    robots: BTreeMap<RobotId, Served>,
    asked: FuturesUnordered<BoxFuture<'static, Done>>,
    /// The number of the last drive that was asked for.
    number: i64,
    /// Tasks that wait for their turn.
    orders: FairQueue<RobotId, Waiting>,
    odd: ThrottledWarning,
    lost: ThrottledWarning,
    flooded: ThrottledWarning,
    late: ThrottledWarning,
    busy: ThrottledWarning,
    refused: ThrottledWarning,
    strays: Strays,
    acknowledged: u64,
}

impl Facade {
    pub(super) fn new(context: &BuildContext, settings: Settings) -> Self {
        Self {
            hub: context.hub.clone(),
            simulator: context.simulator.clone(),
            settings,
            robots: BTreeMap::new(),
            asked: FuturesUnordered::new(),
            number: context.clock.now().as_nanos().div_euclid(1_000_000_000),
            orders: FairQueue::default(),
            odd: ThrottledWarning::default(),
            lost: ThrottledWarning::default(),
            flooded: ThrottledWarning::default(),
            late: ThrottledWarning::default(),
            busy: ThrottledWarning::default(),
            refused: ThrottledWarning::default(),
            strays: Strays::default(),
            acknowledged: 0,
        }
    }

    /// Serves until `stop`.
    pub(super) async fn run(mut self, stop: CancellationToken) {
        let login = Login {
            address: self.settings.broker.clone(),
            client_id: format!("latimer-robotkoop-robots-{:016x}", rand::random::<u64>()),
            subscriptions: SUBSCRIPTIONS.iter().map(|it| (it.to_string(), Qos::ExactlyOnce)).collect(),
            will: None,
            keep_alive: KEEP_ALIVE_INTERVAL,
            trust: self.settings.trust.clone(),
        };
        let clock = self.hub.clock();
        // Or what the broker says of answers would stand behind a flood.
        let (mut subscriber, _, subscribing) = Link::new(login.clone(), clock, stop.clone());
        let (mut sender, publisher, sending) = Link::new(login.publishing(), clock, stop.clone());
        let (subscribing, sending) = (tokio::spawn(subscribing), tokio::spawn(sending));
        let mut population = self.hub.population();
        let mut sink = self.sink();
        let (mut deliveries, mut incoming) = (Vec::new(), Vec::new());
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                () = population.changed() => self.find_robots(&sink),
                Some(done) = self.asked.next() => self.answered(done, &publisher),
                () = sink.receive(&mut deliveries) => {
                    for delivery in deliveries.drain(..) {
                        self.reported(delivery, &publisher);
                    }
                    if sink.ended().is_some() {
                        sink = self.sink();
                    }
                }
                count = subscriber.next_many(&mut incoming, MOST_RECEIVED) => {
                    if count == 0 {
                        break;
                    }
                    incoming.drain(..).for_each(|incoming| self.receive(incoming));
                }
                Some(LinkEvent::Lost(lost)) = sender.next() => self.receive(LinkEvent::Lost(lost)),
                () = self.orders.ready(&publisher) => {}
            }
            self.take_turn(&publisher);
        }
        // They say goodbye to the broker.
        let _ = tokio::join!(subscribing, sending);
    }

    /// Follows all robots that are served by now.
    fn sink(&self) -> Sink {
        let sink = self.hub.internal_sink(NAME, self.settings.broker.authority(), MailboxLimits::default());
        self.robots.keys().for_each(|robot| follow(&sink, robot));
        sink
    }

    /// Takes in robots that came; those that went keep their tasks until they come again.
    fn find_robots(&mut self, sink: &Sink) {
        let mut wanted = BTreeMap::new();
        for it in &self.settings.serve {
            wanted.entry(it.robot.clone()).or_insert_with(|| it.source_id().to_owned());
        }
        if self.settings.serve_all {
            // Those that speak for themselves at a broker are not repeated.
            let known = self.hub.robots().into_iter().map(|it| it.info);
            for info in known.filter(|it| !it.is_connected_by(NAME)) {
                let id = info.robot.to_string();
                wanted.entry(info.robot).or_insert(id);
            }
        }
        for (robot, id) in wanted {
            let does_tasks = self.hub.profile(&robot).can(Ability::DoTasks);
            match self.robots.get_mut(&robot) {
                Some(served) => served.does_tasks |= does_tasks,
                None => {
                    follow(sink, &robot);
                    let served = Served::new(robot.clone(), id, does_tasks, &self.settings.dialogue);
                    self.robots.insert(robot, served);
                }
            }
        }
    }

    fn reported(&mut self, delivery: Delivery, publisher: &Publisher) {
        match delivery {
            Delivery::Update(_, update) => {
                let now = self.hub.clock().now();
                let Some(served) = self.robots.get_mut(&update.robot) else { return };
                publish(publisher, served.reported(&update, now));
            }
            Delivery::Gap(gap) => {
                tracing::debug!(robot = %gap.robot, lost = ?gap.lost, "reports of a household robot are missing");
            }
            Delivery::End(reason) => tracing::warn!(%reason, "household robots are followed anew"),
        }
    }

    fn receive(&mut self, incoming: LinkEvent) {
        let now = self.hub.clock().now();
        let message = match incoming {
            LinkEvent::Up => {
                return tracing::info!(broker = %self.settings.broker, "household robots are served");
            }
            LinkEvent::Down(reason) => {
                return tracing::warn!(broker = %self.settings.broker, %reason, "household robots are not served");
            }
            LinkEvent::Lost(lost) => {
                if let Some(count) = self.lost.due(now, lost.count) {
                    tracing::warn!(count, reason = %lost.reason, "messages of household robots were lost");
                }
                return;
            }
            LinkEvent::Message(message) => message,
        };
        let Ok(topic) = message.topic.parse::<Topic>() else { return };
        match Message::read(topic, &message.payload) {
            Ok(Message { head, body: Body::Order(order) }) => {
                self.wait(&head, &order, message.payload.len(), Sent::of(&message, now));
            }
            Ok(Message { head, body: Body::Receipt(_) }) => {
                self.acknowledged += 1;
                tracing::debug!(task = %head.task_id, by = %head.source_id, count = self.acknowledged, "acknowledged");
            }
            Ok(_) => {}
            Err(error) => {
                if let Some(count) = self.odd.due(now, 1) {
                    tracing::warn!(%error, count, "a message to household robots is not understood");
                }
            }
        }
    }

    /// Whom a task is for: by what the robot calls itself, or by its name here; the only one, if it names nobody.
    fn addressee(&self, head: &Head) -> Option<RobotId> {
        let Some(target) = head.target_id.as_deref() else {
            return self.robots.keys().next().filter(|_| self.robots.len() == 1).cloned();
        };
        let by_id = self.robots.values().find(|it| it.id == target);
        by_id
            .or_else(|| self.robots.values().find(|it| it.robot.as_str() == target))
            .map(|it| it.robot.clone())
    }

    fn answered(&mut self, done: Done, publisher: &Publisher) {
        let Done { robot, task, stops, what, span, outcome } = done;
        let _entered = span.enter();
        let now = self.hub.clock().now();
        let Some(served) = self.robots.get_mut(&robot) else { return };
        served.asked = served.asked.saturating_sub(1);
        let failed = Task::new(&*task.id, &*task.kind, TaskState::Failed);
        match (what, outcome) {
            (_, outcome) if outcome.is_ok() => publish(publisher, served.accepted(&task.id, now)),
            (PendingRequest::Drive(number), outcome) => {
                served.drives.forget(number);
                if let Some(count) = self.refused.due(now, 1) {
                    tracing::info!(%robot, task = %task.id, ?outcome, count, "the robot does not drive");
                }
                publish(publisher, served.publish(&failed, now));
            }
            (PendingRequest::Task, Outcome::Refused(Refusal { code: RefusalCode::Unsupported, reason }))
                if !served.does_tasks =>
            {
                tracing::debug!(%robot, task = %task.id, %reason, "the robot does no tasks");
                served.asked += 1;
                self.asked.push(pending::ways(
                    self.hub.clone(),
                    self.simulator.clone(),
                    robot,
                    (task, stops),
                ));
            }
            (PendingRequest::Task, outcome) => {
                if let Some(count) = self.refused.due(now, 1) {
                    tracing::info!(%robot, task = %task.id, ?outcome, count, "the robot does not do the task");
                }
                publish(publisher, served.publish(&failed, now));
            }
            (PendingRequest::Ways(ways), _) => match foreign::plan(&task, &ways) {
                foreign::Plan::Say(report) => publish(publisher, served.publish(&report, now)),
                foreign::Plan::Drive(destination, place) => {
                    self.number += 1;
                    served.drives.expect(self.number, &task.id, &place);
                    served.asked += 1;
                    self.asked.push(pending::drive(
                        &self.hub,
                        robot,
                        (task, stops),
                        self.number,
                        destination,
                    ));
                }
            },
        }
    }
}

fn follow(sink: &Sink, robot: &RobotId) {
    sink.subscribe(Subscription::to(Selection::of_kinds(robot, &robot::KINDS)));
}

fn publish(publisher: &Publisher, messages: impl IntoIterator<Item = Message>) {
    for message in messages {
        let message = latimer_mqtt::Message::new(message.topic().as_str(), message.write(), Qos::ExactlyOnce);
        // The link counts and logs what finds no room.
        let _ = publisher.publish(message);
    }
}

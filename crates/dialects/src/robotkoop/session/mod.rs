//! The gateway as the dialogue system towards a robot, while its broker is there. The link to the broker stays, so that orders and
//! reports that are sent meanwhile arrive later, and callers wait for what becomes of them.
//!
//! ```text
//! connect, subscribe ──▶ up ─┬─ /robots/status, /robots/task of this robot ──▶ signals ──▶ hub
//!                            │        └─ concerns a person ──▶ /dialogue/status
//!                            ├─ command Task ──tracker──▶ /dialogue/task ── report after confirm ──▶ outcome
//!                            └─ /dialogue/task of others ──tracker──▶ what the robot's reports are about
//! ```
//!
//! The protocol has no sign of life, so the link is up while the broker is; a robot that is not there shows by tasks
//! that nobody answers. It has no word for calling a task off either.

mod task_tracker;

use std::borrow::Cow;
use std::time::Duration;

use futures_util::future::BoxFuture;
use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::signal::{LinkState, Other};
use latimer_core::model::{Command, Native, Outcome, TaskRequest};
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_core::{BrokerAddress, Clock, Signal, Timestamp, Update};
use latimer_listen::Trust;
use latimer_mqtt::{Login, Qos};
use serde::Deserialize;
use tokio_util::task::TaskTracker as Leaving;

use super::NAME;
use super::map::{
    USUAL_PRIORITY, acknowledged, order_from_task, received_from_request, seconds_from_timestamp,
    stamp_from_seconds, task_from_order, tasks_from_status,
};
use super::topic::Topic;
use super::wire::{Body, Head, MAX_BYTES, Message, Request, Status, Success};
use crate::kept_link::KeptLink;
use crate::link::publish_unknown;
use crate::robotkoop::limits::KEEP_ALIVE_INTERVAL;
use crate::throttled_warning::ThrottledWarning;
use task_tracker::TaskTracker;

/// The received messages.
const SUBSCRIPTIONS: [Topic; 3] = [Topic::RobotsStatus, Topic::RobotsTask, Topic::DialogueTask];

/// Whom a session speaks to, and how.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Where.
    pub(super) broker: BrokerAddress,
    pub(super) trust: Trust,
    /// What the robot calls itself.
    pub(super) robot: String,
    /// What the gateway is called.
    pub(super) sender: String,
    /// Whether reports that concern a person are acknowledged.
    pub(super) acknowledge: bool,
}

/// A connection to one robot.
#[derive(Debug)]
pub(super) struct RobotKoopSession {
    settings: Settings,
    clock: Clock,
    link: KeptLink,
    /// Kept from one connection to the next: the robot may still be at it.
    tracker: TaskTracker<CommandRequest>,
    odd: ThrottledWarning,
}

impl RobotKoopSession {
    pub(super) fn new(settings: Settings, clock: Clock, leaving: Leaving) -> Self {
        let login = Login {
            address: settings.broker.clone(),
            client_id: format!("latimer-robotkoop-{:016x}", rand::random::<u64>()),
            subscriptions: SUBSCRIPTIONS.iter().map(|it| (it.to_string(), Qos::ExactlyOnce)).collect(),
            will: None,
            keep_alive: KEEP_ALIVE_INTERVAL,
            trust: settings.trust.clone(),
        };
        let link = KeptLink::new(login, clock, leaving);
        Self { settings, clock, link, tracker: TaskTracker::default(), odd: ThrottledWarning::default() }
    }

    /// Takes a message; what is to be said to it.
    fn receive(&mut self, source: &Source, incoming: &latimer_mqtt::Message) -> Option<Message> {
        let now = self.clock.now();
        // What waited at the broker shows what was then, not what is now.
        let sent = incoming.published_after(now);
        let topic: Topic = incoming.topic.parse().ok()?;
        let message = match Message::read(topic, &incoming.payload) {
            Ok(message) => message,
            Err(error) => {
                self.warn(source, now, &error.to_string());
                if is_sent_by(&self.settings.robot, &incoming.payload) {
                    publish_unknown(source, sent, native(topic, incoming));
                }
                return None;
            }
        };
        let head = &message.head;
        let ours = match &message.body {
            Body::Order(_) => head.target_id.as_deref().is_none_or(|it| it == self.settings.robot),
            _ => head.source_id == self.settings.robot,
        };
        if !ours {
            return None;
        }
        let native = native(topic, incoming);
        match &message.body {
            Body::Order(order) => {
                self.tracker.observed(task_from_order(head, order));
                None
            }
            Body::Request(request) => {
                self.requested(source, head, request, native, sent);
                None
            }
            Body::Report(status) => {
                self.reported(source, head, status, native, (sent, now));
                (self.settings.acknowledge && acknowledged(status)).then(|| self.receipt(head, now))
            }
            Body::Receipt(_) => None,
        }
    }

    /// A report that was sent then, at the earliest.
    fn reported(
        &mut self,
        source: &Source,
        head: &Head,
        status: &Status,
        native: Native,
        (sent, now): (Timestamp, Timestamp),
    ) {
        let tasks = tasks_from_status(&head.task_id, self.tracker.kind(&head.task_id), status);
        let stamp = stamp_from_seconds(head.timestamp, sent);
        let robot = source.robot();
        // The original is one of several records that it tells, so it goes with none of them.
        let native = (tasks.len() <= 1).then_some(native);
        if let Status::Other(kind, _) = status {
            self.warn(source, now, &format!("nobody knows reports of type {kind:?}"));
            let signal = Signal::from(Other { topic: Topic::RobotsStatus.as_str().into() });
            let update = Update { stamp, native, ..Update::now(robot, sent, signal) };
            return source.publish(update);
        }
        for task in tasks {
            // The caller is answered before the report is published, so that it finds its task taken.
            for (request, outcome) in self.tracker.reported(&task, now) {
                request.answer(outcome);
            }
            let update = Update { stamp, native: native.clone(), ..Update::now(robot, sent, task.into()) };
            source.publish(update);
        }
    }

    /// A request that was sent then, at the earliest.
    fn requested(
        &mut self,
        source: &Source,
        head: &Head,
        request: &Request,
        native: Native,
        sent: Timestamp,
    ) {
        let robot = source.robot().clone();
        let update = match received_from_request(head, request, sent) {
            Ok(incoming) => Update {
                part: incoming.part,
                stamp: incoming.stamp,
                native: Some(native),
                ..Update::now(&robot, sent, incoming.signal)
            },
            Err(incomplete) => {
                self.warn(
                    source,
                    self.clock.now(),
                    &format!("of a request {:?} {incomplete}", request.type_word()),
                );
                let signal = Signal::from(Other { topic: Topic::RobotsTask.as_str().into() });
                Update { native: Some(native), ..Update::now(&robot, sent, signal) }
            }
        };
        source.publish(update);
    }

    /// What the project's dialogue system says to such a report.
    fn receipt(&self, head: &Head, now: Timestamp) -> Message {
        let head = Head {
            target_id: Some(head.source_id.clone()),
            source_id: self.settings.sender.clone(),
            timestamp: Some(seconds_from_timestamp(now)),
            task_id: head.task_id.clone(),
            priority: head.priority.or(Some(USUAL_PRIORITY)),
        };
        Message { head, body: Body::Receipt(Status::Success(Success { success: Some(true) })) }
    }

    /// Takes a command; what is to be said for it.
    fn obey(&mut self, request: CommandRequest) -> Option<Message> {
        let refusal = match &*request.command {
            Command::Task(task) => {
                let task = task.clone();
                return Some(self.order(task, request));
            }
            Command::CancelTask(_) => "household robots know no word for calling a task off".to_owned(),
            other => {
                format!("a household robot that is not simulated does tasks only, not {}", other.name())
            }
        };
        request.answer(Outcome::unsupported(refusal));
        None
    }

    fn order(&mut self, task: TaskRequest, request: CommandRequest) -> Message {
        request.sent();
        let (whole, forgotten) = self.tracker.send(task, Some(request));
        for (request, outcome) in forgotten {
            request.answer(outcome);
        }
        order_from_task(&whole, &self.settings.robot, &self.settings.sender, self.clock.now())
    }

    fn warn(&mut self, source: &Source, now: Timestamp, reason: &str) {
        if let Some(count) = self.odd.due(now, 1) {
            tracing::warn!(robot = %source.robot(), %reason, count, "a message is not understood");
        }
    }

    async fn serve(&mut self, source: &mut Source) -> SessionEnd {
        source.link(LinkState::Up, None);
        let mut refresh = tokio::time::interval(Duration::from_secs(10));
        loop {
            let (clock, taken_at) = (self.clock, self.tracker.next_taken());
            let taken = async {
                match taken_at {
                    Some(at) => clock.sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            let sent = tokio::select! {
                request = source.next_command() => self.obey(request),
                () = taken => {
                    for (request, outcome) in self.tracker.taken(clock.now()) {
                        request.answer(outcome);
                    }
                    None
                }
                incoming = self.link.next() => match incoming {
                    Ok(incoming) => self.receive(source, &incoming),
                    Err(end) => return end,
                },
                _ = refresh.tick() => {
                    source.refresh_link();
                    None
                }
            };
            let Some(sent) = sent else { continue };
            let message = latimer_mqtt::Message::new(sent.topic().as_str(), sent.write(), Qos::ExactlyOnce);
            if let Err(error) = self.link.publish(message) {
                return SessionEnd::retry(error);
            }
        }
    }
}

/// A message as it came.
fn native(topic: Topic, incoming: &latimer_mqtt::Message) -> Native {
    Native {
        dialect: NAME,
        topic: topic.as_str().into(),
        payload: incoming.payload.clone(),
        definition: None,
    }
}

/// Whether a message that cannot be read names a robot as its sender.
fn is_sent_by(robot: &str, payload: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Sender<'a> {
        #[serde(borrow)]
        source_id: Cow<'a, str>,
    }
    payload.len() <= MAX_BYTES
        && serde_json::from_slice::<Sender<'_>>(payload).is_ok_and(|sender| sender.source_id == robot)
}

impl Session for RobotKoopSession {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            match self.link.up().await {
                Ok(()) => self.serve(source).await,
                Err(end) => end,
            }
        })
    }

    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move { self.link.probe().await })
    }
}

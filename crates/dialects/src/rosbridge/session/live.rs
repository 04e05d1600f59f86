//! What holds while one connection to a bridge lasts: topics, what waits to be written, a speed that is repeated, calls.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::Kind;
use latimer_core::{Clock, Timestamp};
use serde_json::{Value as Json, json};

use super::EMERGENCY_CALL;
use super::action::{Goal, Told};
use super::graph::{Cancel, Graph, Outgoing};
use super::reading::Known;
use super::rosapi::Rosapi;
use crate::rosbridge::fragments::Fragments;
use crate::rosbridge::limits::{MAX_PENDING_CALLS, RECEIVED_FRAME_MAX_BYTES};
use crate::rosbridge::protocol::{about, publish};
use crate::rosbridge::topics::EMERGENCY_STOP;

/// What holds while one connection lasts.
pub(super) struct Live {
    /// Messages that come in pieces.
    pub(super) fragments: Fragments,
    /// The robot's topics.
    pub(super) graph: Graph,
    /// What rosapi tells, and whether it does.
    pub(super) rosapi: Rosapi,
    pub(super) known: Known,
    /// Topics that are subscribed to, with the type as the bridge spells it.
    followed: BTreeMap<String, String>,
    /// Topics of which a message came. Each is followed until then, so that what a robot has is known before somebody asks for it.
    pub(super) seen: BTreeSet<String>,
    /// Frames to write.
    pub(super) out: Vec<String>,
    /// Calls of services, for the connection that has nothing else to wait for them.
    pub(super) calls_out: Vec<String>,
    /// Topics that commands were published on.
    advertised: BTreeSet<String>,
    pub(super) speed: Option<Repeated>,
    /// A goal of an action that is under way.
    pub(super) goal: Option<Goal>,
    /// Goals that were given, for their names.
    pub(super) goals_given: i64,
    /// It has the service that holds the robot.
    pub(super) has_emergency_stop: bool,
    /// Emergency stops that the bridge was called for, by the number of the call.
    pub(super) calls: VecDeque<(u64, CommandRequest)>,
    called: u64,
}

/// A speed that is repeated.
pub(super) struct Repeated {
    pub(super) outgoing: Outgoing,
    pub(super) message: String,
    /// A stop, for when its time is over.
    pub(super) still: String,
    /// Until when; without an end as long as the connection lasts.
    pub(super) until: Option<Timestamp>,
    pub(super) every: Duration,
    pub(super) next: Timestamp,
}

pub(super) async fn repeat_is_due(clock: Clock, speed: Option<&Repeated>) {
    match speed {
        Some(speed) => clock.sleep_until(speed.next).await,
        None => std::future::pending().await,
    }
}

impl Live {
    pub(super) fn new(prefix: &str, now: Timestamp) -> Self {
        Self {
            fragments: Fragments::new(RECEIVED_FRAME_MAX_BYTES),
            graph: Graph::default(),
            rosapi: Rosapi::new(now),
            known: Known::new(prefix),
            followed: BTreeMap::new(),
            seen: BTreeSet::new(),
            out: Vec::new(),
            calls_out: Vec::new(),
            advertised: BTreeSet::new(),
            speed: None,
            goal: None,
            goals_given: 0,
            has_emergency_stop: false,
            calls: VecDeque::new(),
            called: 0,
        }
    }

    pub(super) fn publish(&mut self, outgoing: &Outgoing, message: &str) {
        if self.advertised.insert(outgoing.name.clone()) {
            self.out.push(about("advertise", &outgoing.name, &outgoing.ros_type));
        }
        self.out.push(publish(&outgoing.name, message));
    }

    /// Publishes the present speed once more, or a stop when its time is over.
    pub(super) fn repeat(&mut self, now: Timestamp) {
        let Some(speed) = &mut self.speed else { return };
        if speed.until.is_none_or(|until| now < until) {
            self.out.push(publish(&speed.outgoing.name, &speed.message));
            speed.next = now.after(speed.every);
        } else {
            self.out.push(publish(&speed.outgoing.name, &speed.still));
            self.speed = None;
        }
    }

    /// Has the bridge hold the robot, or let go of it.
    pub(super) fn call_emergency_stop(&mut self, prefix: &str, pressed: bool, request: CommandRequest) {
        self.called += 1;
        let (id, service) =
            (format!("{EMERGENCY_CALL}:{}", self.called), format!("{prefix}{}", EMERGENCY_STOP.0));
        self.calls_out.push(call(&id, &service, &json!({"data": pressed})));
        // One that is not answered so long is given again by who waits for it.
        if self.calls.len() >= MAX_PENDING_CALLS {
            self.calls.pop_front();
        }
        self.calls.push_back((self.called, request));
    }

    /// Takes what is told of the goal; one that did not begin is cancelled.
    pub(super) fn take_told(&mut self, source: &Source, told: Told, now: Timestamp) {
        let Some(goal) = &mut self.goal else { return };
        if matches!(told, Told::Nothing) {
            self.out.push(goal.cancel());
        }
        if goal.take(source, told, now) {
            self.goal = None;
        }
    }

    /// Cancels what the robot drives for by itself.
    pub(super) fn cancel(&mut self) {
        self.out.extend(self.goal.as_ref().map(Goal::cancel));
        for cancel in self.graph.cancels.clone() {
            match cancel {
                Cancel::Topic(outgoing) => {
                    self.publish(&outgoing, r#"{"id":""}"#);
                }
                Cancel::Service(service) => {
                    let goal = json!({"goal_id": {"uuid": vec![0; 16]}, "stamp": {"sec": 0, "nanosec": 0}});
                    let args = json!({"goal_info": goal});
                    self.calls_out
                        .push(json!({"op": "call_service", "service": service, "args": args}).to_string());
                }
            }
        }
    }

    /// Subscribes to what somebody follows and to what was not seen yet, and to nothing else.
    pub(super) fn follow(&mut self, source: &Source, now: Timestamp) {
        let is_wanted = |name: &String| {
            let incoming = &self.graph.incoming[name];
            let is_followed = |kind: &Kind| source.wants(*kind, incoming.part.as_ref());
            // What does not change is told once, by each that tells some of it.
            let is_static = incoming.reader.is_transforms() && name.ends_with("_static");
            is_static || !self.seen.contains(name) || incoming.reader.kinds().iter().any(is_followed)
        };
        let wanted = self.graph.incoming.iter().filter(|(name, _)| is_wanted(name));
        let wanted: BTreeMap<_, _> = wanted.map(|(name, it)| (name.clone(), it.ros_type.clone())).collect();
        for gone in self.followed.keys().filter(|name| !wanted.contains_key(*name)) {
            self.out.push(json!({"op": "unsubscribe", "topic": gone}).to_string());
        }
        for (name, ros_type) in wanted.iter().filter(|(name, _)| !self.followed.contains_key(*name)) {
            self.out.push(about("subscribe", name, ros_type));
            self.rosapi.begins(name, now);
        }
        self.followed = wanted;
    }

    /// Whether it is subscribed to a topic.
    pub(super) fn follows(&self, name: &str) -> bool {
        self.followed.contains_key(name)
    }
}

/// A call of a service.
pub(super) fn call(id: &str, service: &str, args: &Json) -> String {
    json!({"op": "call_service", "id": id, "service": service, "args": args}).to_string()
}

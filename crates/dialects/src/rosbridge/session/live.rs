//! What holds while one connection to a bridge lasts: topics, what waits to be written, a speed that is repeated, calls.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::PartName;
use latimer_core::{Clock, Timestamp};
use serde_json::{Value as Json, json};

use super::{EMERGENCY_CALL, GOAL_ID};
use crate::rosbridge::fragments::Fragments;
use crate::rosbridge::limits::{MAX_PENDING_CALLS, RECEIVED_FRAME_MAX_BYTES};
use crate::rosbridge::protocol::{about, publish};
use crate::rosbridge::topics::{EMERGENCY_STOP, Topic};

/// A robot's topics by name, each with the part that it is about.
pub(super) type Topics = BTreeMap<String, (&'static Topic, Option<PartName>)>;

/// How all goals of an action are cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cancel {
    /// By a message on this topic.
    Topic(String),
    /// By a call of this service.
    Service(String),
}

/// What holds while one connection lasts.
pub(super) struct Live {
    /// Messages that come in pieces.
    pub(super) fragments: Fragments,
    /// The robot's topics, by name.
    pub(super) topics: Topics,
    /// How the goals of its own navigation are cancelled.
    pub(super) cancels: Vec<Cancel>,
    /// Those that are subscribed to.
    pub(super) followed: Vec<String>,
    /// Frames to write.
    pub(super) out: Vec<String>,
    /// Topics that commands were published on.
    pub(super) advertised: Vec<String>,
    pub(super) speed: Option<Repeated>,
    /// It has the service that holds the robot.
    pub(super) has_emergency_stop: bool,
    /// Emergency stops that the bridge was called for, by the number of the call.
    pub(super) calls: VecDeque<(u64, CommandRequest)>,
    pub(super) called: u64,
}

/// A speed that is repeated.
pub(super) struct Repeated {
    pub(super) message: String,
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

impl Default for Live {
    fn default() -> Self {
        Self {
            fragments: Fragments::new(RECEIVED_FRAME_MAX_BYTES),
            topics: Topics::new(),
            cancels: Vec::new(),
            followed: Vec::new(),
            out: Vec::new(),
            advertised: Vec::new(),
            speed: None,
            has_emergency_stop: false,
            calls: VecDeque::new(),
            called: 0,
        }
    }
}

impl Live {
    pub(super) fn publish(&mut self, name: &str, ros_type: &str, message: &str) {
        if !self.advertised.iter().any(|it| it == name) {
            self.advertised.push(name.to_owned());
            self.out.push(about("advertise", name, ros_type));
        }
        self.out.push(publish(name, message));
    }

    /// Has the bridge hold the robot, or let go of it.
    pub(super) fn call_emergency_stop(&mut self, prefix: &str, pressed: bool, request: CommandRequest) {
        self.called += 1;
        let (id, service) =
            (format!("{EMERGENCY_CALL}:{}", self.called), format!("{prefix}{}", EMERGENCY_STOP.0));
        self.out.push(call(&id, &service, &json!({"data": pressed})));
        // One that is not answered so long is given again by who waits for it.
        if self.calls.len() >= MAX_PENDING_CALLS {
            self.calls.pop_front();
        }
        self.calls.push_back((self.called, request));
    }

    /// Cancels what the robot drives for by itself.
    pub(super) fn cancel(&mut self) {
        for cancel in self.cancels.clone() {
            match cancel {
                Cancel::Topic(name) => {
                    self.publish(&name, GOAL_ID, r#"{"stamp":{"secs":0,"nsecs":0},"id":""}"#);
                }
                Cancel::Service(service) => {
                    let goal = json!({"goal_id": {"uuid": vec![0; 16]}, "stamp": {"sec": 0, "nanosec": 0}});
                    let args = json!({"goal_info": goal});
                    self.out
                        .push(json!({"op": "call_service", "service": service, "args": args}).to_string());
                }
            }
        }
    }

    /// Subscribes to what somebody follows, and to nothing else.
    pub(super) fn follow(&mut self, source: &Source) {
        let wanted = |(name, (topic, part)): (&String, &(&'static Topic, Option<PartName>))| {
            source.wants(topic.kind, part.as_ref()).then(|| (name.clone(), topic.ros_type))
        };
        let wanted: BTreeMap<String, &str> = self.topics.iter().filter_map(wanted).collect();
        for gone in self.followed.iter().filter(|name| !wanted.contains_key(*name)) {
            self.out.push(json!({"op": "unsubscribe", "topic": gone}).to_string());
        }
        for (name, ros_type) in wanted.iter().filter(|(name, _)| !self.followed.contains(name)) {
            self.out.push(about("subscribe", name, ros_type));
        }
        self.followed = wanted.into_keys().collect();
    }
}

/// A call of a service.
pub(super) fn call(id: &str, service: &str, args: &Json) -> String {
    json!({"op": "call_service", "id": id, "service": service, "args": args}).to_string()
}

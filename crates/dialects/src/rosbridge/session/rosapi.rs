//! What rosapi tells of a robot's topics while a connection lasts, and what is wrong if it tells nothing.
//!
//! ```text
//! topics ──▶ subscribers of each topic for commands, publishers of the odometry ──▶ complete ──▶ link up
//!   └─ refused, or no answer in time ──▶ link up with the config's topics, and says why; down if it names none
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::Kind;
use serde_json::{Value as Json, json};

use super::graph::{Graph, Incoming};
use super::live::call;
use crate::rosbridge::limits::{
    MAX_LISTED_TOPICS, MISSED_MESSAGES, ODOMETRY_SILENCE_TIMEOUT, ROSAPI_RETRY_INTERVAL, ROSAPI_TIMEOUT,
};

/// The names of our calls.
const TOPICS_CALL: &str = "latimer:topics";
const SUBSCRIBERS_CALL: &str = "latimer:subscribers:";
const PUBLISHERS_CALL: &str = "latimer:publishers:";
const ACTIONS_CALL: &str = "latimer:actions";

/// What it tells.
#[derive(Debug)]
pub(super) struct Rosapi {
    /// When the topics were asked for, while there is no answer.
    asked: Option<Timestamp>,
    /// Why nothing is known from it.
    pub(super) fault: Option<String>,
    /// Calls whose answers are awaited.
    pending: BTreeSet<String>,
    /// Whether somebody subscribes to a topic that commands are published on.
    subscribed: BTreeMap<String, bool>,
    /// Whether somebody publishes the topic that shows whether the robot lives.
    published: BTreeMap<String, bool>,
    /// Actions that are there, if it tells that.
    pub(super) actions: Option<Vec<String>>,
    /// How topics come that are subscribed to.
    heard: BTreeMap<String, Heard>,
    /// When what is not known by then is given up.
    pub(super) deadline: Timestamp,
}

/// How a topic comes.
#[derive(Debug)]
struct Heard {
    /// When it came last, or was subscribed to.
    last: Timestamp,
    /// The longest time between two messages.
    longest: Duration,
}

/// What an answer was of.
pub(super) enum Answered {
    /// The list of topics, or why there is none.
    Topics(Result<Json, String>),
    /// Which actions there are.
    Actions,
    /// Something else of this module.
    Taken,
    /// Something else.
    Other,
}

/// The topic that shows whether the robot lives: it comes all the time.
pub(super) fn vital(graph: &Graph) -> Option<&String> {
    let of = |kind: Kind| {
        let has = |it: &Incoming| it.reader.kinds().contains(&kind) && !it.reader.is_transforms();
        graph.incoming.iter().find(|(_, it)| has(it)).map(|(name, _)| name)
    };
    [Kind::Velocity, Kind::Imu, Kind::Scan, Kind::Joint].into_iter().find_map(of)
}

impl Rosapi {
    pub(super) fn new(now: Timestamp) -> Self {
        Self {
            asked: None,
            fault: None,
            pending: BTreeSet::new(),
            subscribed: BTreeMap::new(),
            published: BTreeMap::new(),
            actions: None,
            heard: BTreeMap::new(),
            deadline: now.after(ROSAPI_TIMEOUT),
        }
    }

    /// Asks for the topics, unless that was asked and is not answered: then it is not called for a while.
    pub(super) fn ask(&mut self, out: &mut Vec<String>, now: Timestamp) {
        if let Some(asked) = self.asked {
            if now.since(asked) >= ROSAPI_TIMEOUT {
                self.is_silent();
            }
            if now.since(asked) < ROSAPI_RETRY_INTERVAL {
                return;
            }
        }
        self.asked = Some(now);
        out.push(call(TOPICS_CALL, "/rosapi/topics", &json!({})));
    }

    /// Whether the topics were asked for, and did not come.
    pub(super) const fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Notes that it does not answer.
    pub(super) fn is_silent(&mut self) {
        let within_s = ROSAPI_TIMEOUT.as_secs();
        self.fault.get_or_insert_with(|| format!("rosapi did not answer within {within_s} s"));
    }

    /// Asks who subscribes to the topics of commands, who publishes the one that shows whether the robot lives, and for actions.
    pub(super) fn ask_for_nodes(&mut self, graph: &Graph, out: &mut Vec<String>) {
        out.push(call(ACTIONS_CALL, "/rosapi/action_servers", &json!({})));
        self.pending.insert(ACTIONS_CALL.to_owned());
        let mut ask = |of: &str, service: &str, name: &str| {
            let id = format!("{of}{name}");
            out.push(call(&id, &format!("/rosapi/{service}"), &json!({"topic": name})));
            self.pending.insert(id);
        };
        for outgoing in graph.outgoing.values() {
            ask(SUBSCRIBERS_CALL, "subscribers", &outgoing.name);
        }
        if let Some(name) = vital(graph) {
            ask(PUBLISHERS_CALL, "publishers", name);
        }
        let is_there = |name: &String| graph.outgoing.values().any(|it| it.name == *name);
        self.subscribed.retain(|name, _| is_there(name));
        self.published.retain(|name, _| graph.incoming.contains_key(name));
        self.heard.retain(|name, _| graph.incoming.contains_key(name));
    }

    /// Takes the answer of a call.
    pub(super) fn answered(&mut self, id: &str, values: Option<&Json>, result: Option<bool>) -> Answered {
        let is_known = result != Some(false);
        if id == TOPICS_CALL {
            self.asked = None;
            let Some(values) = values.filter(|_| is_known) else {
                let said = values.map(Json::to_string).unwrap_or_default();
                let fault = format!("the bridge cannot list its topics, as rosapi does: {said}");
                self.fault = Some(fault.clone());
                return Answered::Topics(Err(fault));
            };
            self.fault = None;
            return Answered::Topics(Ok(values.clone()));
        }
        if id == ACTIONS_CALL {
            self.pending.remove(id);
            let names = values.and_then(|it| it["action_servers"].as_array()).filter(|_| is_known);
            let names = names.map(|it| it.iter().take(MAX_LISTED_TOPICS));
            self.actions = names.map(|it| it.filter_map(|it| it.as_str().map(str::to_owned)).collect());
            return Answered::Actions;
        }
        let (known, name, list) = if let Some(name) = id.strip_prefix(SUBSCRIBERS_CALL) {
            (&mut self.subscribed, name, "subscribers")
        } else if let Some(name) = id.strip_prefix(PUBLISHERS_CALL) {
            (&mut self.published, name, "publishers")
        } else {
            return Answered::Other;
        };
        if self.pending.remove(id) {
            match values.and_then(|it| it[list].as_array()).filter(|_| is_known) {
                Some(nodes) => _ = known.insert(name.to_owned(), !nodes.is_empty()),
                // It does not say.
                None => _ = known.remove(name),
            }
        }
        Answered::Taken
    }

    /// Whether all that was asked is answered.
    pub(super) fn is_complete(&self) -> bool {
        self.asked.is_none() && self.pending.is_empty()
    }

    /// Whether it says that nobody subscribes to a topic.
    pub(super) fn nobody_subscribes(&self, name: &str) -> bool {
        self.fault.is_none() && self.subscribed.get(name) == Some(&false)
    }

    /// A topic is subscribed to from now on.
    pub(super) fn begins(&mut self, name: &str, now: Timestamp) {
        self.heard.insert(name.to_owned(), Heard { last: now, longest: Duration::ZERO });
    }

    /// A message came on a topic.
    pub(super) fn heard(&mut self, name: &str, now: Timestamp) {
        if let Some(heard) = self.heard.get_mut(name) {
            heard.longest = heard.longest.max(now.since(heard.last));
            heard.last = now;
        }
    }

    /// What is wrong with a robot whose bridge is there; `follows` says of the topic that shows whether it lives whether it is subscribed to.
    pub(super) fn problem(
        &self,
        graph: &Graph,
        follows: impl Fn(&str) -> bool,
        now: Timestamp,
    ) -> Option<String> {
        let mut problems = Vec::new();
        problems.extend(self.fault.as_ref().map(|fault| {
            format!("{fault}; the topics of the config are all that is known, start rosapi beside the bridge for others")
        }));
        problems.extend(graph.problems.iter().cloned());
        match vital(graph) {
            Some(name) if self.fault.is_none() && self.published.get(name) == Some(&false) => {
                problems.push(format!("nobody publishes {name}: the robot's own program does not run"));
            }
            Some(name) if follows(name) => {
                // What comes seldom is not missed soon.
                let is_silent = |it: &&Heard| {
                    now.since(it.last) >= ODOMETRY_SILENCE_TIMEOUT.max(it.longest * MISSED_MESSAGES)
                };
                let silent = self.heard.get(name).filter(is_silent);
                problems.extend(
                    silent.map(|_| {
                        format!("nothing comes on {name}; see whether the robot's own program runs")
                    }),
                );
            }
            Some(_) => {}
            None if graph.incoming.is_empty() => {
                problems
                    .push("the bridge lists no topic of the robot; see its name in the config".to_owned());
            }
            None => {}
        }
        (!problems.is_empty()).then(|| problems.join("; "))
    }
}

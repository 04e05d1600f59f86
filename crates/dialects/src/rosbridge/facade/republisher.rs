//! `tf2_web_republisher`: transforms between frames that a page names, as often as it wants them, computed here instead of in each page.
//!
//! ```text
//! goal, or call of /republish_tfs ──▶ Republished ──every 1/rate s──▶ feedback, or a topic of its own
//!                                          ▲ cancel, or nobody who follows the topic
//! ```

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_ros1::msgs::geometry_msgs::{Transform, TransformStamped};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::client::Client;
use super::error::RequestError;
use super::frames::{self, Frames, Rigid, Tree};
use super::goals;
use super::{Facade, REPUBLISHER_NODE};
use crate::rosbridge::limits::{MAX_GOALS_PER_CLIENT, MAX_REPUBLISHED_FRAMES, REPUBLISHING_MAX_HZ};
use crate::rosbridge::topics::DecodeError;
use crate::rosbridge::types;

/// Below the node's name: where goals are taken and cancelled, with the types.
pub(super) const TAKEN: [(&str, &str); 2] =
    [("goal", "tf2_web_republisher/TFSubscriptionActionGoal"), ("cancel", "actionlib_msgs/GoalID")];
/// The service, and its type.
pub(super) const SERVICE: (&str, &str) = ("/republish_tfs", "tf2_web_republisher/RepublishTFs");
/// What a topic is called that was made for a call, with a number behind it.
pub(super) const TOPIC: &str = "tf2_web_republisher/tf_repub_";
/// A page may take so long to follow its topic, or longer if it says so.
const LEAST_TIMEOUT: Duration = Duration::from_secs(2);

/// What a page asks for.
#[derive(Debug, Deserialize)]
struct Wanted {
    #[serde(default)]
    source_frames: Vec<String>,
    #[serde(default)]
    target_frame: String,
    #[serde(default)]
    angular_thres: f64,
    #[serde(default)]
    trans_thres: f64,
    #[serde(default)]
    rate: f64,
    #[serde(default)]
    timeout: Json,
}

/// Transforms that a client wants.
pub(super) struct Republished {
    to: To,
    target: String,
    /// Each frame, with where it was when that was sent last.
    sources: Vec<(String, Option<Rigid>)>,
    least_m: f64,
    least_rad: f64,
    every: Duration,
    pub(super) due: Timestamp,
}

enum To {
    /// `feedback`, with the goal's id.
    Goal(Json),
    /// A topic, which is forgotten then if nobody follows it.
    Topic { name: String, timeout: Duration, until: Timestamp },
}

impl Republished {
    /// What is to be sent at a time.
    fn transforms(&mut self, tree: &Tree, at: Timestamp) -> Vec<TransformStamped> {
        let Self { target, sources, least_m, least_rad, .. } = self;
        let moved = |before: Rigid, now: Rigid| {
            let [shift_m, turn_rad] = now.distance(before);
            *least_m == 0.0 || *least_rad == 0.0 || shift_m > *least_m || turn_rad > *least_rad
        };
        let due = sources.iter_mut().filter_map(|(source, sent)| {
            let now = tree.seen_from(target, source)?;
            if !sent.is_none_or(|before| moved(before, now)) {
                return None;
            }
            *sent = Some(now);
            let (header, transform) = (frames::header(at, target.clone()), Transform::from(now));
            Some(TransformStamped { header, child_frame_id: source.clone(), transform })
        });
        due.collect()
    }
}

/// The topic of goals or of what cancels them that a name is, with its type.
pub(super) fn taken(name: &str) -> Option<(&'static str, &'static str)> {
    let path = name.trim_start_matches('/').strip_prefix(&REPUBLISHER_NODE[1..])?.strip_prefix('/')?;
    TAKEN.into_iter().find(|(known, _)| *known == path)
}

impl Facade {
    /// All that is known of the frames of the site and of those robots of which one is named.
    fn tree(&self, named: &[&str]) -> Tree {
        let at = self.hub.clock().now();
        let mut transforms = frames::of_site(&self.hub, at);
        for (robot, _) in self.robots() {
            let prefix = self.frame_prefix(&robot);
            if named.iter().any(|frame| frame.starts_with(&prefix)) {
                let frames = Frames { hub: &self.hub, robot: &robot, prefix: &prefix };
                transforms.extend(frames.fixed(at));
                transforms.extend(self.hub.last_of_robot(&robot).iter().flat_map(|it| frames.moving(it)));
            }
        }
        Tree::of(transforms)
    }
}

impl Client {
    /// Takes a goal of the republisher, or what cancels one; `None` if the topic is another.
    pub(super) fn publish_to_republisher(
        &mut self,
        topic: &str,
        msg: &str,
    ) -> Option<Result<(), RequestError>> {
        let (word, ros_type) = taken(topic)?;
        let layout = types::layout(ros_type)?;
        let wrong = |error: DecodeError| RequestError::Message { topic: topic.to_owned(), error };
        let now = self.facade.hub.clock().now();
        let read = || -> Result<Json, DecodeError> {
            let whole = types::relayed(layout.structure(), &serde_json::from_str(msg)?, now)?;
            Ok(serde_json::from_str(&whole)?)
        };
        let json = match read() {
            Ok(json) => json,
            Err(error) => return Some(Err(wrong(error))),
        };
        if word == "cancel" {
            self.end_republished(&json["id"]);
            return Some(Ok(()));
        }
        let mut goal_id = json["goal_id"].clone();
        if goal_id["id"] == "" {
            goal_id["id"] = format!("{REPUBLISHER_NODE}-{}", self.next_number()).into();
        }
        let taken = self.republish(&json["goal"], |_, _| To::Goal(goal_id));
        Some(taken.map(|_| self.tell_republished()))
    }

    /// Begins to republish for a call of the service; the name of the topic.
    pub(super) fn republish_on_topic(&mut self, args: &Json) -> Result<Json, RequestError> {
        let name = format!("/{TOPIC}{}", self.next_number());
        self.republish(args, |timeout, now| To::Topic {
            name: name.clone(),
            timeout,
            until: now.after(timeout),
        })?;
        Ok(json!({"topic_name": name}))
    }

    fn next_number(&mut self) -> u64 {
        self.republished_before += 1;
        self.republished_before
    }

    fn republish(
        &mut self,
        wanted: &Json,
        to: impl FnOnce(Duration, Timestamp) -> To,
    ) -> Result<(), RequestError> {
        if self.republished.len() >= MAX_GOALS_PER_CLIENT {
            return Err(RequestError::TooManyGoals);
        }
        let wanted: Wanted = serde_json::from_value(wanted.clone())?;
        if wanted.source_frames.len() > MAX_REPUBLISHED_FRAMES {
            return Err(RequestError::TooManyFrames);
        }
        let frame = |name: &str| name.trim_start_matches('/').to_owned();
        let seconds = wanted.timeout["secs"].as_u64().unwrap_or_default();
        let now = self.facade.hub.clock().now();
        let rate_hz =
            if wanted.rate > 0.0 { wanted.rate.min(REPUBLISHING_MAX_HZ) } else { REPUBLISHING_MAX_HZ };
        let every = Duration::try_from_secs_f64(1.0 / rate_hz).unwrap_or(Duration::MAX);
        self.republished.push(Republished {
            to: to(LEAST_TIMEOUT.max(Duration::from_secs(seconds.min(3600))), now),
            target: frame(&wanted.target_frame),
            sources: wanted.source_frames.iter().map(|it| (frame(it), None)).collect(),
            least_m: wanted.trans_thres,
            least_rad: wanted.angular_thres,
            every,
            due: now,
        });
        self.plan();
        Ok(())
    }

    /// Ends the goal of a name, or all of them without one.
    fn end_republished(&mut self, id: &Json) {
        let all = id.as_str().is_none_or(str::is_empty);
        let is_ended = |it: &Republished| matches!(&it.to, To::Goal(goal) if all || goal["id"] == *id);
        let ended: Vec<_> = self.republished.extract_if(.., |it| is_ended(it)).collect();
        let at = self.facade.hub.clock().now();
        for it in ended {
            if let To::Goal(goal_id) = it.to {
                let status = json!({"goal_id": goal_id, "status": goals::PREEMPTED, "text": ""});
                let result = json!({"header": goals::header(at), "status": status, "result": {}});
                self.send_of_republisher("result", &result);
            }
        }
        self.tell_republished();
        self.plan();
    }

    /// Tells which goals there are.
    fn tell_republished(&mut self) {
        let at = self.facade.hub.clock().now();
        let goals = self.republished.iter().filter_map(|it| match &it.to {
            To::Goal(goal_id) => Some(json!({"goal_id": goal_id, "status": goals::ACTIVE, "text": ""})),
            To::Topic { .. } => None,
        });
        let list = json!({"header": goals::header(at), "status_list": goals.collect::<Vec<_>>()});
        self.send_of_republisher("status", &list);
    }

    fn send_of_republisher(&mut self, word: &str, message: &Json) {
        self.send_if_followed(&format!("{REPUBLISHER_NODE}/{word}"), message);
    }

    /// Sends a message on a topic by each name that the client follows it by.
    fn send_if_followed(&mut self, topic: &str, message: &Json) {
        let text = message.to_string();
        for name in [topic, &topic[1..]] {
            self.send(name, &text);
        }
    }

    /// Sends what is due of all that the client wants republished.
    pub(super) fn republish_due(&mut self) {
        let now = self.facade.hub.clock().now();
        let due = |it: &Republished| it.due <= now;
        if !self.republished.iter().any(due) {
            return;
        }
        let mut republished = std::mem::take(&mut self.republished);
        let frames = republished
            .iter()
            .filter(|it| due(it))
            .flat_map(|it| it.sources.iter().map(|(source, _)| &**source).chain([&*it.target]));
        let tree = self.facade.tree(&frames.collect::<Vec<_>>());
        republished.retain_mut(|it| {
            if it.due > now {
                return true;
            }
            it.due = now.after(it.every);
            if let To::Topic { name, timeout, until } = &mut it.to {
                if ![&**name, &name[1..]].iter().any(|name| self.topics.contains_key(*name)) {
                    return now < *until;
                }
                *until = now.after(*timeout);
            }
            let transforms = it.transforms(&tree, now);
            if transforms.is_empty() {
                return true;
            }
            match &it.to {
                To::Topic { name, .. } => self.send_if_followed(name, &json!({"transforms": transforms})),
                To::Goal(goal_id) => {
                    let status = json!({"goal_id": goal_id, "status": goals::ACTIVE, "text": ""});
                    let feedback = json!({"header": goals::header(now), "status": status, "feedback": {"transforms": transforms}});
                    self.send_of_republisher("feedback", &feedback);
                }
            }
            true
        });
        self.republished = republished;
    }
}

//! Topics that no single signal makes: what a client has of them.

use std::time::Duration;

use foldhash::HashMap;
use latimer_core::hub::{Population, Selection, Shared, Subscription, SubscriptionId};
use latimer_core::model::Kind;
use latimer_core::{Command, RobotId, Signal};
use serde_json::{Value as Json, json};

use super::actions::Action;
use super::client::Client;
use super::error::RequestError;
use super::frames::{self, Frames, description};
use super::goals::{self, GOAL, RESULT};
use super::{Facade, goals::Goals};
use crate::rosbridge::limits::MAX_TOPICS_PER_CLIENT;
use crate::rosbridge::protocol::{Frame, publish};

/// A topic that no single signal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extra {
    Tf,
    TfStatic,
    Description,
    Status,
    Feedback,
    Result,
}

/// Those of all robots, by their whole names.
const OF_ALL: [(&str, &str, Extra); 2] =
    [("/tf", "tf2_msgs/TFMessage", Extra::Tf), ("/tf_static", "tf2_msgs/TFMessage", Extra::TfStatic)];

/// Those of a robot, below its name.
const OF_ROBOT: [(&str, &str, Extra); 4] = [
    ("robot_description", "std_msgs/String", Extra::Description),
    ("move_base/status", "actionlib_msgs/GoalStatusArray", Extra::Status),
    ("move_base/feedback", "move_base_msgs/MoveBaseActionFeedback", Extra::Feedback),
    (RESULT, "move_base_msgs/MoveBaseActionResult", Extra::Result),
];

/// The names and types of all of them, and of the topic on which goals are published, which this bridge subscribes to. The topic that cancels
/// goals is not listed: only another gateway looks for it, and its stop ends them anyway.
pub(super) fn listed(robots: &[(RobotId, String)]) -> Vec<(String, &'static str, bool)> {
    let of_robot = OF_ROBOT
        .map(|(path, ros_type, _)| (path, ros_type, false))
        .into_iter()
        .chain([(GOAL.0, GOAL.1, true)]);
    let below = |(_, prefix): &(RobotId, String)| {
        let prefix = prefix.clone();
        of_robot
            .clone()
            .map(move |(path, ros_type, is_taken)| (format!("{prefix}{path}"), ros_type, is_taken))
    };
    let all = OF_ALL.into_iter().map(|(name, ros_type, _)| (name.to_owned(), ros_type, false));
    all.chain(robots.iter().flat_map(below)).collect()
}

/// What a client has of these.
#[derive(Default)]
pub(super) struct Extras {
    pub(super) topics: HashMap<String, Followed>,
    by: HashMap<SubscriptionId, String>,
    pub(super) actions: HashMap<SubscriptionId, Action>,
    /// Tells that robots came, while fixed frames are followed.
    population: Option<Population>,
}

pub(super) struct Followed {
    extra: Extra,
    ids: Vec<Option<Json>>,
    subscription: Option<SubscriptionId>,
    /// The drive whose end was sent last.
    ended: Option<i64>,
}

impl Extras {
    /// Waits until robots came or went, if that matters. Cancel safe.
    pub(super) async fn robots_changed(&mut self) {
        match &mut self.population {
            Some(population) => population.changed().await,
            None => std::future::pending().await,
        }
    }
}

impl Facade {
    /// What a robot's frames begin with on this socket.
    pub(super) fn frame_prefix(&self, robot: &RobotId) -> String {
        match &self.alone {
            Some(_) => String::new(),
            None => {
                self.names.prefix(robot).map_or_else(String::new, |it| it.trim_start_matches('/').to_owned())
            }
        }
    }

    /// The robot as URDF, by the name of the parameter that holds it.
    pub(super) fn described(&self, parameter: &str) -> Option<String> {
        let (robot, ()) = self.find(parameter, |path| (path == "robot_description").then_some(()))?;
        let prefix = self.frame_prefix(&robot);
        Some(description(&Frames { hub: &self.hub, robot: &robot, prefix: &prefix }))
    }

    /// A command whose place is given in the frame that its message names, with the place on the robot's map.
    pub(super) fn settled(
        &self,
        robot: &RobotId,
        command: Command,
        message: &str,
    ) -> Result<Command, RequestError> {
        if !matches!(command, Command::Navigate(_) | Command::SetPose { .. }) {
            return Ok(command);
        }
        let prefix = self.frame_prefix(robot);
        Ok(Frames { hub: &self.hub, robot, prefix: &prefix }.settle(command, &frames::frame_of(message))?)
    }

    fn extra(&self, name: &str) -> Option<(Option<RobotId>, &'static str, Extra)> {
        let all =
            OF_ALL.iter().find(|(known, ..)| known.trim_start_matches('/') == name.trim_start_matches('/'));
        if let Some((_, ros_type, extra)) = all {
            return Some((self.alone.clone(), ros_type, *extra));
        }
        OF_ROBOT.iter().find(|(path, ..)| name.ends_with(path))?;
        let of_robot = |path: &str| OF_ROBOT.iter().find(|(known, ..)| *known == path);
        let (robot, (_, ros_type, extra)) = self.find(name, of_robot)?;
        Some((Some(robot), ros_type, *extra))
    }
}

impl Client {
    /// Subscribes to a topic of these; `None` if it is none.
    pub(super) fn follow_extra(&mut self, name: &str, frame: &Frame<'_>) -> Option<Result<(), RequestError>> {
        let (robot, known, extra) = self.facade.extra(name)?;
        if self.extras.topics.len() >= MAX_TOPICS_PER_CLIENT && !self.extras.topics.contains_key(name) {
            return Some(Err(RequestError::TooManyTopics));
        }
        if let Some(requested) = frame.ros_type().filter(|it| it != known) {
            let topic = name.to_owned();
            return Some(Err(RequestError::OtherType { topic, known: known.to_owned(), requested }));
        }
        let every_ms = frame.throttle_rate.filter(|it| it.is_finite() && *it > 0.0).unwrap_or(0.0) as u64;
        let kinds: &[Kind] = match extra {
            Extra::Tf => &[Kind::Pose, Kind::Joint],
            Extra::TfStatic | Extra::Description => &[],
            Extra::Status | Extra::Result => &[Kind::Navigation],
            Extra::Feedback => &[Kind::Pose, Kind::Navigation],
        };
        let before = self.extras.topics.remove(name);
        let mut ids = before.map(|it| self.forget_extra(it)).unwrap_or_default();
        ids.retain(|it| *it != frame.id);
        ids.push(frame.id.clone());
        let select = match &robot {
            Some(robot) => Ok(Selection::of_kinds(robot, kinds)),
            None => "*/pose,*/joint".parse(),
        };
        let subscription = match select {
            Ok(_) if kinds.is_empty() => None,
            Ok(select) => {
                let every = Duration::from_millis(every_ms);
                // A result is that of a goal that ends from now on.
                let initial = extra != Extra::Result;
                let id = self.sink.subscribe(Subscription { every, initial, ..Subscription::to(select) });
                self.extras.by.insert(id, name.to_owned());
                Some(id)
            }
            Err(error) => return Some(Err(error.into())),
        };
        if extra == Extra::TfStatic {
            self.extras.population = Some(self.facade.hub.population());
        }
        if let Some(text) = self.facade.described(name).filter(|_| extra == Extra::Description) {
            self.push(publish(name, &json!({"data": text}).to_string()));
        }
        self.extras.topics.insert(name.to_owned(), Followed { extra, ids, subscription, ended: None });
        Some(Ok(()))
    }

    pub(super) fn unfollow_extra(&mut self, name: &str, id: Option<&Json>) {
        let Some(followed) = self.extras.topics.get_mut(name) else { return };
        followed.ids.retain(|known| id.is_some() && known.as_ref() != id);
        if followed.ids.is_empty() {
            let followed = self.extras.topics.remove(name);
            followed.map(|it| self.forget_extra(it));
        }
    }

    fn forget_extra(&mut self, Followed { extra, ids, subscription, .. }: Followed) -> Vec<Option<Json>> {
        if extra == Extra::TfStatic {
            self.extras.population = None;
        }
        if let Some(subscription) = subscription {
            self.sink.unsubscribe(subscription);
            self.extras.by.remove(&subscription);
        }
        ids
    }

    /// Sends where all is that does not move: again when robots come.
    pub(super) fn send_fixed(&mut self) {
        let at = self.facade.hub.clock().now();
        let mut transforms = frames::of_site(&self.facade.hub, at);
        for (robot, _) in self.facade.robots() {
            let prefix = self.facade.frame_prefix(&robot);
            transforms.extend(Frames { hub: &self.facade.hub, robot: &robot, prefix: &prefix }.fixed(at));
        }
        let names = self.extras.topics.iter().filter(|(_, it)| it.extra == Extra::TfStatic);
        let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        if let Some(message) = frames::message(transforms) {
            names.iter().for_each(|name| self.push(publish(name, &message)));
        }
    }

    /// Takes an update that one of these is followed for.
    pub(super) fn update_extra(&mut self, id: SubscriptionId, update: &Shared) {
        if let Some(name) = self.extras.by.get(&id) {
            let name = name.clone();
            if let Some(message) = self.extra_message(&name, update) {
                self.push(publish(&name, &message));
            }
        } else if self.extras.actions.contains_key(&id) {
            self.update_action(id, update);
        }
    }

    fn extra_message(&mut self, name: &str, update: &Shared) -> Option<String> {
        let followed = self.extras.topics.get_mut(name)?;
        let robot = &update.robot;
        let is_named = self.facade.alone.is_some() || self.facade.names.prefix(robot).is_some();
        let prefix = self.facade.frame_prefix(robot);
        let frames = Frames { hub: &self.facade.hub, robot, prefix: &prefix };
        let (all, at): (&Goals, _) = (&self.facade.goals, update.stamp.at);
        let message = match (followed.extra, &update.signal) {
            (Extra::Tf, _) if is_named => {
                let transforms = frames.moving(update);
                return if transforms.is_empty() { None } else { frames::message(transforms) };
            }
            (Extra::Status, Signal::Navigation(it)) => goals::status(all, robot, it, at),
            (Extra::Feedback, Signal::Pose(pose)) => goals::feedback(all, &frames, pose, at)?,
            (Extra::Result, Signal::Navigation(it)) => {
                let result = goals::result(all, robot, it, at)?;
                if followed.ended.replace(it.id) == Some(it.id) {
                    return None;
                }
                result
            }
            _ => return None,
        };
        Some(message.to_string())
    }
}

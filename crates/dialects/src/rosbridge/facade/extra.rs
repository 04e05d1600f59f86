//! Topics that no single signal makes, and goals of actions: what a client has of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use foldhash::HashMap;
use latimer_core::hub::{Population, Selection, Shared, Subscription, SubscriptionId};
use latimer_core::model::signal::NavigationState;
use latimer_core::model::{Kind, NavigationGoal};
use latimer_core::{Command, RobotId, Signal};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use super::calls::problem;
use super::client::{Client, Report};
use super::error::RequestError;
use super::frames::{self, Frames, description};
use super::goals::{self, ACTION, CANCEL, GOAL, Given, RESULT};
use super::outgoing::Packing;
use super::{Facade, goals::Goals};
use crate::rosbridge::limits::{MAX_GOALS_PER_CLIENT, MAX_TOPICS_PER_CLIENT};
use crate::rosbridge::protocol::{Frame, action_feedback, action_result, publish};
use crate::rosbridge::topics;

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

/// The names and types of all of them, with that on which goals are given, which is taken. What cancels them is not listed: who looks for it so is another
/// gateway, whose stop ends them anyway.
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
    topics: HashMap<String, Followed>,
    by: HashMap<SubscriptionId, String>,
    actions: HashMap<SubscriptionId, Action>,
    /// Tells that robots came, while fixed frames are followed.
    population: Option<Population>,
}

struct Followed {
    extra: Extra,
    ids: Vec<Option<Json>>,
    subscription: Option<SubscriptionId>,
    /// The drive whose end was sent last.
    ended: Option<i64>,
}

/// A goal of an action that is under way.
struct Action {
    id: Option<Json>,
    name: String,
    robot: RobotId,
    given: Given,
    wants_feedback: bool,
    is_known: bool,
    /// The robot did not take it.
    refused: Arc<AtomicBool>,
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

    /// Whether a topic is one on which goals of `move_base` are given or cancelled.
    pub(super) fn takes_goals(&self, name: &str) -> bool {
        self.goal_topic(name).is_some()
    }

    /// The robot whose goals a topic is for. Of other names no robot is looked for.
    fn goal_topic(&self, name: &str) -> Option<(RobotId, (&'static str, &'static str))> {
        let topics = [GOAL, CANCEL];
        topics.iter().find(|(path, _)| name.ends_with(path))?;
        self.facade.find(name, |path| topics.into_iter().find(|(known, _)| *known == path))
    }

    /// Takes a goal of `move_base`, or what cancels one; `None` if the topic is another.
    pub(super) fn publish_goal(
        &mut self,
        name: &str,
        msg: &RawValue,
        id: Option<&Json>,
    ) -> Option<Result<(), RequestError>> {
        let (robot, topic) = self.goal_topic(name)?;
        Some(self.take_goal(name, robot, topic == GOAL, msg.get(), id.cloned()))
    }

    fn take_goal(
        &mut self,
        name: &str,
        robot: RobotId,
        is_goal: bool,
        text: &str,
        id: Option<Json>,
    ) -> Result<(), RequestError> {
        let wrong = |error: topics::DecodeError| RequestError::Message { topic: name.to_owned(), error };
        let message: Json = serde_json::from_str(text).map_err(|error| wrong(error.into()))?;
        let topic = name.to_owned();
        if !is_goal {
            // Without a name all goals are cancelled.
            if message["id"]
                .as_str()
                .is_some_and(|id| !id.is_empty() && !self.facade.goals.is_last(&robot, id))
            {
                return Ok(());
            }
            return self.command(robot.clone(), Command::CancelNavigation, move |command, outcome| {
                refusal(problem(command, &outcome), id, robot, topic)
            });
        }
        let pose = message["goal"]["target_pose"].to_string();
        let command = topics::GOAL.read(&pose).map_err(wrong)?;
        let command = self.facade.settled(&robot, command, &pose)?;
        let goal_id = &message["goal_id"];
        let given =
            self.facade.goals.give(&robot, goal_id["id"].as_str().unwrap_or_default(), &goal_id["stamp"]);
        let result = format!("{}{RESULT}", name.strip_suffix(GOAL.0).unwrap_or_default());
        let hears = self.extras.topics.contains_key(&result);
        self.command(robot.clone(), numbered(command, &given), move |command, outcome| {
            match problem(command, &outcome) {
                Some(problem) if hears => {
                    let rejected = goals::rejected(&given, &problem).to_string();
                    Report::Frame(Packing::default(), publish(&result, &rejected))
                }
                problem => refusal(problem, id, robot, topic),
            }
        })
    }

    /// Begins a goal of an action.
    pub(super) fn send_action_goal(&mut self, frame: &Frame<'_>) -> Result<(), RequestError> {
        let name = frame.action.clone().unwrap_or_default();
        let found = self.facade.find(&name, |path| (path == ACTION.0).then_some(()));
        let (robot, ()) = found.ok_or_else(|| RequestError::NoAction(name.clone()))?;
        let refused = self.extras.actions.iter().filter(|(_, it)| it.refused.load(Ordering::Relaxed));
        let refused: Vec<SubscriptionId> = refused.map(|(id, _)| *id).collect();
        refused.into_iter().for_each(|id| self.end_action(id));
        if self.extras.actions.len() >= MAX_GOALS_PER_CLIENT {
            return Err(RequestError::TooManyGoals);
        }
        let args = frame.args.clone().unwrap_or_default();
        let pose = args.get("pose").or_else(|| args.get(0)).unwrap_or(&Json::Null).to_string();
        let wrong = |error| RequestError::Message { topic: name.clone(), error };
        let command = topics::GOAL.read(&pose).map_err(wrong)?;
        let command = self.facade.settled(&robot, command, &pose)?;
        let id = frame.id.clone();
        let given = self.facade.goals.give(
            &robot,
            id.as_ref().and_then(Json::as_str).unwrap_or_default(),
            &Json::Null,
        );
        let select = Selection::of_kinds(&robot, &[Kind::Navigation, Kind::Pose]);
        let subscription = self.sink.subscribe(Subscription::to(select));
        let command = numbered(command, &given);
        let wants_feedback = frame.feedback == Some(true);
        let refused = Arc::new(AtomicBool::new(false));
        let (id_, name_, robot_) = (id.clone(), name.clone(), robot.clone());
        let action = Action {
            id: id_,
            name: name_,
            robot: robot_,
            given,
            wants_feedback,
            is_known: false,
            refused: refused.clone(),
        };
        self.extras.actions.insert(subscription, action);
        let sent = self.command(robot, command, move |command, outcome| {
            let Some(problem) = problem(command, &outcome) else { return Report::Done };
            refused.store(true, Ordering::Relaxed);
            let status = goals::end(NavigationState::Failed).unwrap_or_default();
            let frame = action_result(id.as_ref(), &name, &problem.into(), status, false);
            Report::Frame(Packing::default(), frame)
        });
        if sent.is_err() {
            self.end_action(subscription);
        }
        sent
    }

    /// Forgets a goal that ended.
    pub(super) fn end_action(&mut self, id: SubscriptionId) {
        self.sink.unsubscribe(id);
        self.extras.actions.remove(&id);
    }

    /// Cancels a goal of an action.
    pub(super) fn cancel_action_goal(&mut self, frame: &Frame<'_>) -> Result<(), RequestError> {
        let name = frame.action.clone().unwrap_or_default();
        let goal = self.extras.actions.values().find(|it| it.id == frame.id && it.name == name);
        let robot = goal.ok_or_else(|| RequestError::NoGoal(name.clone()))?.robot.clone();
        let id = frame.id.clone();
        self.command(robot.clone(), Command::CancelNavigation, move |command, outcome| {
            refusal(problem(command, &outcome), id, robot, name)
        })
    }

    fn update_action(&mut self, id: SubscriptionId, update: &Shared) {
        let Some(action) = self.extras.actions.get_mut(&id) else { return };
        if action.refused.load(Ordering::Relaxed) {
            return self.end_action(id);
        }
        let robot = action.robot.clone();
        let frame = match &update.signal {
            Signal::Navigation(it) => {
                let told = self.facade.goals.told(&robot, it, update.received);
                let is_this = told.is_some_and(|told| told.id == action.given.id);
                if is_this {
                    (action.given.number, action.is_known) = (it.id, true);
                }
                let end = match is_this {
                    true => goals::end(it.state),
                    // Another goal came in its stead.
                    false if action.is_known => goals::end(NavigationState::Failed),
                    false => None,
                };
                let Some(status) = end else { return };
                let reason = if is_this { goals::reason(it) } else { "another goal was given".to_owned() };
                let values = json!({"error_code": 0, "error_msg": reason});
                action_result(action.id.as_ref(), &action.name, &values, status, goals::is_success(status))
            }
            Signal::Pose(pose) if action.wants_feedback => {
                let prefix = self.facade.frame_prefix(&robot);
                let frames = Frames { hub: &self.facade.hub, robot: &robot, prefix: &prefix };
                let values = goals::values(&frames, pose, update.stamp.at, &action.given);
                let Some(values) = values else { return };
                let frame = action_feedback(action.id.as_ref(), &action.name, &values);
                return self.push(frame);
            }
            _ => return,
        };
        self.end_action(id);
        self.push(frame);
    }
}

/// A goal with the number that its robot shall tell of it by.
fn numbered(command: Command, given: &Given) -> Command {
    match command {
        Command::Navigate(goal) => Command::Navigate(NavigationGoal { id: Some(given.number), ..goal }),
        other => other,
    }
}

/// What a client hears of a command that a robot did not take.
fn refusal(problem: Option<String>, id: Option<Json>, robot: RobotId, topic: String) -> Report {
    match problem {
        None => Report::Done,
        Some(problem) => {
            let problem = format!("{topic}: {problem}");
            Report::Refused { id, robot, topic, problem }
        }
    }
}

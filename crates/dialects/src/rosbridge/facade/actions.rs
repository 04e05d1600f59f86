//! Goals of `move_base` and of actions: what a client has under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use latimer_core::hub::{Selection, Shared, Subscription, SubscriptionId};
use latimer_core::model::signal::NavigationState;
use latimer_core::model::{Kind, NavigationGoal};
use latimer_core::{Command, RobotId, Signal};
use serde_json::{Value as Json, json};

use super::calls::problem;
use super::client::{Client, Report};
use super::error::RequestError;
use super::frames::Frames;
use super::goals::{self, ACTION, CANCEL, GOAL, Given, RESULT};
use super::outgoing::Packing;
use super::republisher;
use crate::rosbridge::limits::MAX_GOALS_PER_CLIENT;
use crate::rosbridge::protocol::{Frame, action_feedback, action_result};
use crate::rosbridge::{topics, types};

/// A goal of an action that is under way.
pub(super) struct Action {
    id: Option<Json>,
    name: String,
    robot: RobotId,
    given: Given,
    wants_feedback: bool,
    is_known: bool,
    /// The robot did not take it.
    refused: Arc<AtomicBool>,
}

impl Client {
    /// Whether a topic is one on which goals are given or cancelled.
    pub(super) fn takes_goals(&self, name: &str) -> bool {
        self.goal_topic(name).is_some() || republisher::taken(name).is_some()
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
        msg: &str,
        id: Option<&Json>,
    ) -> Option<Result<(), RequestError>> {
        let (robot, topic) = self.goal_topic(name)?;
        Some(self.take_goal(name, robot, topic == GOAL, msg, id.cloned()))
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
        let hears = self.topics.contains_key(&*result);
        self.command(robot.clone(), numbered(command, &given), move |command, outcome| {
            match problem(command, &outcome) {
                Some(problem) if hears => {
                    Report::Message { topic: result, message: goals::rejected(&given, &problem).to_string() }
                }
                problem => refusal(problem, id, robot, topic),
            }
        })
    }

    /// Begins a goal of an action; one that cannot be one has a result, for which its client waits.
    pub(super) fn send_action_goal(&mut self, frame: &Frame<'_>) -> Result<(), RequestError> {
        let begun = self.begin_action(frame);
        if let Err(error) = &begun {
            let name = frame.action.as_deref().unwrap_or_default();
            let values = Json::from(error.to_string());
            self.push(action_result(frame.id.as_ref(), name, &values, goals::UNKNOWN, false));
        }
        begun
    }

    fn begin_action(&mut self, frame: &Frame<'_>) -> Result<(), RequestError> {
        let name = frame.action.clone().unwrap_or_default();
        let found = self.facade.find(&name, |path| (path == ACTION.0).then_some(()));
        let (robot, ()) = found.ok_or_else(|| RequestError::NoAction(name.clone()))?;
        if !self.facade.hub.offers(&robot, Kind::Navigation, None) {
            return Err(RequestError::Untold(robot));
        }
        // A robot does one drive at a time: of one that told nothing of an earlier goal nothing will come.
        let facade = &self.facade;
        let is_over = |it: &Action| {
            it.refused.load(Ordering::Relaxed)
                || !facade.hub.has(&it.robot)
                || (it.robot == robot && !it.is_known)
        };
        let over: Vec<_> = self.actions.iter().filter(|(_, it)| is_over(it)).map(|(id, _)| *id).collect();
        over.into_iter().for_each(|id| self.abandon(id));
        if self.actions.len() >= MAX_GOALS_PER_CLIENT {
            return Err(RequestError::TooManyGoals);
        }
        let wrong = |error| RequestError::Message { topic: name.clone(), error };
        let mut args = frame.args.clone().unwrap_or_default();
        if let Some(layout) = types::layout("nav2_msgs/NavigateToPoseGoal") {
            args = types::arguments(layout.structure(), args).map_err(|error| wrong(error.into()))?;
        }
        let pose = args["pose"].to_string();
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
        let refused = Arc::new(AtomicBool::new(false));
        let action = Action {
            id: id.clone(),
            name: name.clone(),
            robot: robot.clone(),
            given,
            wants_feedback: frame.feedback == Some(true),
            is_known: false,
            refused: refused.clone(),
        };
        self.actions.insert(subscription, action);
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

    /// Ends a goal of which nothing will be heard.
    fn abandon(&mut self, id: SubscriptionId) {
        if let Some(Action { id, name, refused, .. }) = self.actions.get(&id)
            && !refused.load(Ordering::Relaxed)
        {
            let values = json!({"error_code": 0, "error_msg": "the robot told nothing of it"});
            let status = goals::end(NavigationState::Failed).unwrap_or_default();
            self.push(action_result(id.as_ref(), name, &values, status, false));
        }
        self.end_action(id);
    }

    /// Ends goals of robots that are gone.
    pub(super) fn end_actions_of_gone(&mut self) {
        let hub = &self.facade.hub;
        let gone = self.actions.iter().filter(|(_, it)| !hub.has(&it.robot)).map(|(id, _)| *id);
        gone.collect::<Vec<_>>().into_iter().for_each(|id| self.abandon(id));
    }

    /// Forgets a goal that ended.
    pub(super) fn end_action(&mut self, id: SubscriptionId) {
        self.sink.unsubscribe(id);
        self.actions.remove(&id);
    }

    /// Cancels a goal of an action.
    pub(super) fn cancel_action_goal(&mut self, frame: &Frame<'_>) -> Result<(), RequestError> {
        let name = frame.action.clone().unwrap_or_default();
        let goal = self.actions.values().find(|it| it.id == frame.id && it.name == name);
        let robot = goal.ok_or_else(|| RequestError::NoGoal(name.clone()))?.robot.clone();
        let id = frame.id.clone();
        self.command(robot.clone(), Command::CancelNavigation, move |command, outcome| {
            refusal(problem(command, &outcome), id, robot, name)
        })
    }

    pub(super) fn update_action(&mut self, id: SubscriptionId, update: &Shared) {
        let Some(action) = self.actions.get_mut(&id) else { return };
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

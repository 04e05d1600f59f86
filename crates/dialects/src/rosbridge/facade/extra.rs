//! Topics that no single signal makes.

use latimer_core::hub::{Selection, SelectionError, Shared};
use latimer_core::model::Kind;
use latimer_core::{Command, RobotId, Signal};
use serde_json::json;

use super::Facade;
use super::error::RequestError;
use super::frames::{self, Frames, description};
use super::goals::{self, RESULT};
use super::republisher;

/// A topic that no single signal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    Tf,
    TfStatic,
    Description,
    Status,
    Feedback,
    Result,
    /// Those of the republisher, which it sends by itself.
    RepublisherStatus,
    RepublisherFeedback,
    RepublisherResult,
    Republished,
}

/// Those of all robots, below the root.
pub(super) const OF_ALL: [(&str, Extra); 5] = [
    ("tf", Extra::Tf),
    ("tf_static", Extra::TfStatic),
    ("tf2_web_republisher/status", Extra::RepublisherStatus),
    ("tf2_web_republisher/feedback", Extra::RepublisherFeedback),
    ("tf2_web_republisher/result", Extra::RepublisherResult),
];

/// Those of a robot, below its name.
pub(super) const OF_ROBOT: [(&str, Extra); 4] = [
    ("robot_description", Extra::Description),
    ("move_base/status", Extra::Status),
    ("move_base/feedback", Extra::Feedback),
    (RESULT, Extra::Result),
];

impl Extra {
    pub(super) fn ros_type(self) -> &'static str {
        match self {
            Self::Tf | Self::TfStatic => "tf2_msgs/TFMessage",
            Self::Description => "std_msgs/String",
            Self::Status | Self::RepublisherStatus => "actionlib_msgs/GoalStatusArray",
            Self::Feedback => "move_base_msgs/MoveBaseActionFeedback",
            Self::Result => "move_base_msgs/MoveBaseActionResult",
            Self::RepublisherFeedback => "tf2_web_republisher/TFSubscriptionActionFeedback",
            Self::RepublisherResult => "tf2_web_republisher/TFSubscriptionActionResult",
            Self::Republished => "tf2_web_republisher/TFArray",
        }
    }

    /// What it is made of, of one robot or of all; `None` if no signal moves it.
    pub(super) fn selection(self, robot: Option<&RobotId>) -> Result<Option<Selection>, SelectionError> {
        let kinds: &[Kind] = match self {
            Self::Tf => &[Kind::Pose, Kind::Joint],
            Self::Status | Self::Result => &[Kind::Navigation],
            Self::Feedback => &[Kind::Pose, Kind::Navigation],
            _ => return Ok(None),
        };
        match robot {
            Some(robot) => Ok(Some(Selection::of_kinds(robot, kinds))),
            None => "*/pose,*/joint".parse().map(Some),
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

    /// The topic of these that a name is, with its robot, or that of this socket.
    pub(super) fn extra(&self, name: &str) -> Option<(Option<RobotId>, Extra)> {
        let below = name.trim_start_matches('/');
        if let Some((_, extra)) = OF_ALL.iter().find(|(path, _)| *path == below) {
            return Some((self.alone.clone(), *extra));
        }
        if below.starts_with(republisher::TOPIC) {
            return Some((None, Extra::Republished));
        }
        OF_ROBOT.iter().find(|(path, _)| name.ends_with(path))?;
        let (robot, extra) = self
            .find(name, |path| OF_ROBOT.iter().find(|(known, _)| *known == path).map(|(_, extra)| *extra))?;
        Some((Some(robot), extra))
    }

    /// The message that a late subscriber gets first: the latched one, or the status of the goal.
    pub(super) fn still(&self, extra: Extra, name: &str) -> Option<String> {
        match extra {
            Extra::TfStatic => {}
            Extra::Description => return Some(json!({"data": self.described(name)?}).to_string()),
            Extra::Status => {
                let (robot, _) = self.extra(name)?;
                return Some(goals::current(&self.goals, &self.hub, &robot?).to_string());
            }
            _ => return None,
        }
        let at = self.hub.clock().now();
        let mut transforms = frames::of_site(&self.hub, at);
        for (robot, _) in self.robots() {
            let prefix = self.frame_prefix(&robot);
            transforms.extend(Frames { hub: &self.hub, robot: &robot, prefix: &prefix }.fixed(at));
        }
        frames::message(transforms)
    }

    /// The message for an update; `ended` is the drive whose end was published last.
    pub(super) fn extra_message(
        &self,
        extra: Extra,
        ended: &mut Option<i64>,
        update: &Shared,
    ) -> Option<String> {
        let robot = &update.robot;
        let is_named = self.alone.is_some() || self.names.prefix(robot).is_some();
        let prefix = self.frame_prefix(robot);
        let frames = Frames { hub: &self.hub, robot, prefix: &prefix };
        let (all, at) = (&*self.goals, update.stamp.at);
        let message = match (extra, &update.signal) {
            (Extra::Tf, _) if is_named => {
                let transforms = frames.moving(update);
                return if transforms.is_empty() { None } else { frames::message(transforms) };
            }
            (Extra::Status, Signal::Navigation(it)) => goals::status(all, robot, it, at),
            (Extra::Feedback, Signal::Pose(pose)) => goals::feedback(all, &frames, pose, at)?,
            (Extra::Result, Signal::Navigation(it)) => {
                let result = goals::result(all, robot, it, at)?;
                if ended.replace(it.id) == Some(it.id) {
                    return None;
                }
                result
            }
            _ => return None,
        };
        Some(message.to_string())
    }
}

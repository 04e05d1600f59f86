//! Topics on which robots take commands.

use latimer_core::model::signal::{Frame, Joint, Lamp, Pose, Velocity};
use latimer_core::model::{Destination, JointPosition, JointTarget, NavigationGoal};
use latimer_core::{Command, Timestamp};
use latimer_ros1::msgs::{Message, geometry_msgs, sensor_msgs, std_msgs};
use serde::Serialize;
use serde_json::Value as Json;

use super::DecodeError;
use crate::describe::{Incomplete, Translate};
use crate::rosbridge::limits::TWIST_HOLD_TIMEOUT;
use crate::rosbridge::messages::{ColorRgba, Context, JointState, Odometry, PoseStamped, Twist};
use crate::rosbridge::{types, whole};

/// A topic on which a robot takes commands.
#[derive(Clone, Copy, Debug)]
pub(in crate::rosbridge) struct CommandTopic {
    /// Below the robot's name.
    pub(in crate::rosbridge) path: &'static str,
    /// Such as `geometry_msgs/Twist`.
    pub(in crate::rosbridge) ros_type: &'static str,
    /// Another type that it takes, and its field that holds a message of the first.
    pub(in crate::rosbridge) wrapped: Option<(&'static str, &'static str)>,
    /// The command of a message.
    decode: fn(&str) -> Result<Command, DecodeError>,
}

impl CommandTopic {
    /// Whether it takes messages of a type.
    pub(in crate::rosbridge) fn takes(&self, ros_type: &str) -> bool {
        self.ros_type == ros_type || self.wrapped.is_some_and(|(other, _)| other == ros_type)
    }

    /// The types that it takes.
    pub(in crate::rosbridge) fn types(&self) -> String {
        let other = self.wrapped.map(|(other, _)| format!(" or {other}")).unwrap_or_default();
        format!("{}{other}", self.ros_type)
    }

    /// The command of a message, of which each field is held against its type.
    pub(in crate::rosbridge) fn read(&self, text: &str) -> Result<Command, DecodeError> {
        let json: Json = serde_json::from_str(text)?;
        let wrapped = self.wrapped.filter(|(_, field)| json.get(field).is_some());
        let ros_type = wrapped.map_or(self.ros_type, |(ros_type, _)| ros_type);
        if let Some(layout) = types::layout(ros_type) {
            types::read(layout.structure(), &json)?;
        }
        let message = wrapped.and_then(|(_, field)| json.get(field)).unwrap_or(&json).to_string();
        // What is left out is zero.
        (self.decode)(&whole::complete(self.ros_type, &message).unwrap_or(message))
    }
}

/// How fast to go; all zero is a stop.
pub(in crate::rosbridge) const CMD_VEL: CommandTopic = CommandTopic {
    path: "cmd_vel",
    ros_type: geometry_msgs::Twist::TYPE,
    wrapped: Some((geometry_msgs::TwistStamped::TYPE, "twist")),
    decode: |text| {
        let speed = serde_json::from_str::<Twist>(text)?.decode(&Context::default())?;
        Ok(match [speed.linear_mps.unwrap_or(0.0), speed.angular_radps.unwrap_or(0.0)] {
            [0.0, 0.0] => Command::Stop { hold: false },
            [linear_mps, angular_radps] => {
                Command::Drive { linear_mps, angular_radps, duration: Some(TWIST_HOLD_TIMEOUT) }
            }
        })
    },
};

/// Where to go, in the frame of its header.
pub(in crate::rosbridge) const GOAL: CommandTopic = CommandTopic {
    path: "goal",
    ros_type: geometry_msgs::PoseStamped::TYPE,
    wrapped: None,
    decode: |text| {
        let Pose { x_m, y_m, yaw_rad, .. } =
            serde_json::from_str::<PoseStamped>(text)?.decode(&Context::default())?;
        Ok(Command::Navigate(NavigationGoal::to(Destination::Point { x_m, y_m, yaw_rad: Some(yaw_rad) })))
    },
};

/// The same by the names that navigators of ROS 1 and 2 have for it.
const MOVE_BASE_GOAL: CommandTopic = CommandTopic { path: "move_base_simple/goal", ..GOAL };
const GOAL_POSE: CommandTopic = CommandTopic { path: "goal_pose", ..GOAL };

/// Where the robot is, in the frame of its header.
const INITIAL_POSE: CommandTopic = CommandTopic {
    path: "initialpose",
    ros_type: geometry_msgs::PoseWithCovarianceStamped::TYPE,
    wrapped: None,
    decode: |text| {
        let place = serde_json::from_str::<Odometry>(text)?.place();
        let Pose { x_m, y_m, yaw_rad, .. } = place.ok_or(Incomplete { field: "pose.pose" })?;
        Ok(Command::SetPose { x_m, y_m, yaw_rad })
    },
};

/// The colour of the main lamp.
const SET_LAMP: CommandTopic = CommandTopic {
    path: "set_lamp",
    ros_type: std_msgs::ColorRGBA::TYPE,
    wrapped: None,
    decode: |text| {
        let Lamp { red, green, blue } =
            serde_json::from_str::<ColorRgba>(text)?.decode(&Context::default())?;
        Ok(Command::Lamp { part: None, rgb: [red, green, blue] })
    },
};

/// Where a joint shall stand.
const SET_JOINT: CommandTopic = CommandTopic {
    path: "set_joint",
    ros_type: sensor_msgs::JointState::TYPE,
    wrapped: None,
    decode: |text| {
        let message = serde_json::from_str::<JointState>(text)?;
        let part = message.part(&Context::default()).ok_or(Incomplete { field: "name" })?;
        let joint = message.decode(&Context::default())?;
        let rad = joint.position_rad.ok_or(Incomplete { field: "position" })?;
        let (position, velocity_radps) = (JointPosition::angle(rad), joint.velocity_radps);
        Ok(Command::Joints(vec![JointTarget { part, position, velocity_radps, duration: None }]))
    },
};

/// All topics on which robots take commands.
pub(in crate::rosbridge) const COMMANDS: [CommandTopic; 7] =
    [CMD_VEL, GOAL, MOVE_BASE_GOAL, GOAL_POSE, INITIAL_POSE, SET_LAMP, SET_JOINT];

/// The service by which a robot is held, below its name, and its type; other types are other things.
pub(in crate::rosbridge) const EMERGENCY_STOP: (&str, &str) = ("emergency_stop", "std_srvs/SetBool");

/// A robot's services, below its name, with their types.
pub(in crate::rosbridge) const SERVICES: [(&str, &str); 2] = [("stop", "std_srvs/Trigger"), EMERGENCY_STOP];

/// The message of a command as JSON, and its topic; `None` if ROS has no common message for it.
pub(in crate::rosbridge) fn command_message(
    command: &Command,
    now: Timestamp,
) -> Option<(CommandTopic, String)> {
    let context = Context { at: now, ..Context::default() };
    let twist = |velocity: Velocity| json(CMD_VEL, Twist::encode(&velocity, &context));
    match command {
        Command::Drive { linear_mps, angular_radps, .. } => twist(Velocity::of(*linear_mps, *angular_radps)),
        Command::Stop { .. } | Command::Halt { .. } | Command::EmergencyStop(true) => {
            twist(Velocity::of(0.0, 0.0))
        }
        Command::Navigate(NavigationGoal {
            destination: Destination::Point { x_m, y_m, yaw_rad }, ..
        }) => {
            let goal = Pose::planar(Frame::Map, *x_m, *y_m, yaw_rad.unwrap_or_default());
            json(GOAL, PoseStamped::encode(&goal, &Context { frame: Some(Frame::Map), ..context }))
        }
        Command::Lamp { part: None, rgb: [red, green, blue] } => {
            json(SET_LAMP, ColorRgba::encode(&Lamp { red: *red, green: *green, blue: *blue }, &context))
        }
        Command::Joints(targets) => match &targets[..] {
            [JointTarget { part, position: JointPosition::Angle { rad }, velocity_radps, .. }] => {
                let joint = Joint { velocity_radps: *velocity_radps, ..Joint::hinge(*rad) };
                json(SET_JOINT, JointState::encode(&joint, &Context { part: Some(part.clone()), ..context }))
            }
            _ => None,
        },
        _ => None,
    }
}

fn json(topic: CommandTopic, message: Option<impl Serialize>) -> Option<(CommandTopic, String)> {
    Some((topic, serde_json::to_string(&message?).ok()?))
}

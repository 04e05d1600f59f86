//! The messages, spelled as the platform's specification and the programs of its maker spell them, and what their fields are in the model.
//!
//! The `.msg` texts beside are the layouts. A field that another build of them lacks is as if it were zero, one that it has besides is not
//! read: these structs are only what is understood of them.

mod arrays;
mod config;
mod control;
mod core;
mod joints;
mod lenient;
mod mics;
mod sensors;
pub mod signals;
mod standard;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use latimer_core::Timestamp;
use latimer_core::model::Kind;
use latimer_core::model::signal::TextChannel;
use latimer_ros1::msgs::geometry_msgs::Twist;
use latimer_ros1::msgs::nav_msgs::Odometry;
use latimer_ros1::msgs::sensor_msgs::{CompressedImage, Image, JointState, Range};
use latimer_ros1::msgs::std_msgs::{self, Header};

pub use self::core::{Affect, AudioEvent, CoreConfig, CoreControl, CoreState, PriorityPeak, Push, Sleep};
pub use arrays::{Cliffs, Lights, Numbers, Shares, Touches};
pub use config::{BridgeConfig, BridgeStream, PlatformConfig};
pub use control::PlatformControl;
pub use mics::PlatformMics;
pub(super) use sensors::SURFACE;
#[cfg(test)]
pub(super) use sensors::UNMEASURED;
pub use sensors::{BatteryState, PlatformSensors, Senses};
pub(super) use standard::SONAR_M;
pub use state::PlatformState;

use super::map::usec_from_timestamp;
use super::node::time_from_timestamp;
use super::topic::Topic;
use crate::describe::Described;
use crate::table::{Fields, MessageInfo};

/// What a robot publishes; what it receives is no signal.
pub(super) const MESSAGES: &[MessageInfo] = &[
    message::<PlatformSensors>(
        Topic::Sensors,
        &[
            Kind::Battery,
            Kind::Temperature,
            Kind::Imu,
            Kind::Velocity,
            Kind::Joint,
            Kind::Pins,
            Kind::Range,
            Kind::Light,
            Kind::Contact,
            Kind::Cliff,
        ],
        "What the platform senses, 50 times a second.",
    ),
    message::<PlatformState>(
        Topic::State,
        &[Kind::Device, Kind::Status, Kind::Alerts],
        "How the processors of the platform are, 50 times a second.",
    ),
    message::<Image>(Topic::CamL, &[Kind::Image], "What the left eye sees; the part is `camera_left`."),
    message::<Image>(Topic::CamR, &[Kind::Image], "What the right eye sees; the part is `camera_right`."),
    message::<CompressedImage>(
        Topic::CamLCompressed,
        &[Kind::CompressedImage],
        "What the left eye sees, as files; the part is `camera_left`.",
    ),
    message::<CompressedImage>(
        Topic::CamRCompressed,
        &[Kind::CompressedImage],
        "What the right eye sees, as files; the part is `camera_right`.",
    ),
    message::<PlatformMics>(
        Topic::Mics,
        &[Kind::Audio],
        "What the ears hear, a tenth of a second; the part is `mics`.",
    ),
    message::<CoreState>(
        Topic::CoreState,
        &[Kind::BehaviourState],
        "How the robot's own behaviour stands, 50 times a second, of robots that tell of theirs.",
    ),
    message::<std_msgs::String>(
        Topic::Log,
        &[Kind::Text],
        "What the robot says, and why a command was refused.",
    ),
    message::<Twist>(Topic::BodyVel, &[Kind::Velocity], "Standard Interface: how fast it goes."),
    message::<Odometry>(
        Topic::Odom,
        &[Kind::Pose, Kind::Velocity],
        "Standard Interface: where it is by its wheels.",
    ),
    message::<JointState>(Topic::KinematicJoints, &[Kind::Joint], "Standard Interface: how the neck stands."),
    message::<Range>(Topic::SonarRange, &[Kind::Range], "Standard Interface: what the sonar measures."),
    message::<Cliffs>(Topic::Cliff, &[Kind::Cliff], "Standard Interface: how surely there is a floor."),
    message::<Lights>(Topic::Light, &[Kind::Light], "Standard Interface: how bright it is."),
    message::<Touches>(Topic::Touch, &[Kind::Contact], "Standard Interface: what is touched."),
];

const fn message<T: Described>(topic: Topic, kinds: &'static [Kind], summary: &'static str) -> MessageInfo {
    MessageInfo {
        topic: topic.as_str(),
        answers: matches!(topic, Topic::Log),
        texts: match topic {
            Topic::Log => TextChannel::LINES,
            _ => &[],
        },
        kinds,
        summary,
        fields: Fields::of::<T>(),
        rate_hz: topic.rate_hz(),
        ..MessageInfo::EMPTY
    }
}

/// The joints of the neck, in the order of the wire.
pub const NECK: [&str; 4] = ["tilt", "lift", "yaw", "pitch"];
/// Parts of the light sensors, in the order of the wire.
pub const LIGHTS: [&str; 4] = ["front_left", "front_right", "rear_left", "rear_right"];
/// Parts of the cliff sensors, in the order of the wire.
pub const CLIFFS: [&str; 2] = ["left", "right"];
/// The sonar.
pub const SONAR: &str = "sonar";
/// The eyelids.
pub const EYELIDS: &str = "eyelids";
/// Touch sensors behind the ears.
pub const TOUCH_HEAD: [&str; 4] = ["touch_head_0", "touch_head_1", "touch_head_2", "touch_head_3"];
/// Touch sensors down the back.
pub const TOUCH_BODY: [&str; 4] = ["touch_body_0", "touch_body_1", "touch_body_2", "touch_body_3"];
/// Both, in the order of `sensors/touch`.
pub const TOUCHES: [&str; 8] = {
    let ([a, b, c, d], [e, f, g, h]) = (TOUCH_HEAD, TOUCH_BODY);
    [a, b, c, d, e, f, g, h]
};

/// When a message is assembled, by both clocks, and for whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The gateway's clock, or that of the simulated world.
    pub at: Timestamp,
    /// The embedded clock.
    pub usec: i32,
    /// Nanoseconds since the embedded clock's last microsecond; 0 if that is not known.
    pub since_usec_ns: i64,
    /// The robot's name, below which its frames are.
    pub frames: Arc<str>,
}

impl Moment {
    /// A moment of a robot whose embedded clock was switched on then.
    pub fn since(at: Timestamp, switched_on: Timestamp, frames: Arc<str>) -> Self {
        let since_usec_ns = at.since(switched_on).subsec_nanos() % 1_000;
        Self {
            at,
            usec: usec_from_timestamp(at, switched_on),
            since_usec_ns: i64::from(since_usec_ns),
            frames,
        }
    }

    /// A header; the publisher numbers it.
    pub fn header(&self, frame: &str) -> Header {
        Header { seq: 0, stamp: time_from_timestamp(self.at), frame_id: self.frame(frame) }
    }

    /// A frame of the robot, e.g. `rob01/base_link`.
    pub fn frame(&self, frame: &str) -> String {
        if self.frames.is_empty() { frame.to_owned() } else { format!("{}/{frame}", self.frames) }
    }
}

/// The embedded clock's time of any message.
fn usec<T>(_: &T, at: &Moment) -> Option<i32> {
    Some(at.usec)
}

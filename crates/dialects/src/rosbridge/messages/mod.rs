//! ROS messages in rosbridge's JSON, each field beside what it is in the model. Units, axes and frames are ROS's own
//! (REP-103, REP-105), which are the model's.
//!
//! A number that is not known is `null`, as rosbridge writes NaN; bytes are base64.

mod geometry;
mod navigation;
mod sensors;
#[cfg(test)]
mod tests;
mod values;

use latimer_core::Timestamp;
use latimer_core::model::PartName;
use latimer_core::model::signal::{Frame, Pose};

pub use self::geometry::{Header, PlainPose, Quaternion, Time, Twist, Vector3, WithinPose, WithinTwist};
pub use self::navigation::{MapMetaData, OccupancyGrid, Odometry, PoseStamped};
pub use self::sensors::{BatteryState, CompressedImage, Imu, JointState, LaserScan, Range};
pub use self::values::{Bumper, ColorRgba, Line, Touch};
use crate::describe;

/// Declares messages, of which any field may be missing: `name: type = (what it is in the model)`.
macro_rules! messages {
    ($($(#[$($about:tt)*])* $name:ident {
        $($(#[$($doc:tt)*])* $field:ident: $type:ty $(= ($($meaning:tt)*))?,)*
    })*) => {
        $(
            #[derive(Clone, Debug, Default, PartialEq, Message)]
            $(#[$($about)*])*
            pub struct $name {
                $($(#[$($doc)*])* $(#[field($($meaning)*)])? pub $field: Option<$type>,)*
            }
        )*
    };
}

use messages;

/// What encoding needs beside a record.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// When it happened.
    pub at: Timestamp,
    /// Which part of the robot it is about.
    pub part: Option<PartName>,
    /// The frame of the coordinates in it, if they are not those of the robot's base.
    pub frame: Option<Frame>,
    /// Where the robot is, as it knows itself.
    pub place: Option<Pose>,
}

impl describe::Context for Context {
    fn at(&self) -> Timestamp {
        self.at
    }

    fn part(&self) -> Option<&PartName> {
        self.part.as_ref()
    }
}

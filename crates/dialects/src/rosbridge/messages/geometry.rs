//! `std_msgs/Header` and `geometry_msgs`.

use latimer_core::model::signal::Velocity;

use super::{Context, messages};
use crate::describe::Message;
use crate::rosbridge::codecs::{Forward, Turning};

messages! {
    /// `time`; ROS 2 calls its fields `sec` and `nanosec`.
    Time {
        /// Seconds since 1970.
        secs: i64 = (own, alias = "sec"),
        /// Nanoseconds in the second.
        nsecs: i64 = (own, alias = "nanosec"),
    }

    /// `std_msgs/Header`.
    Header {
        /// When it was measured.
        stamp: Time,
        /// The frame of the coordinates, or the part of the robot.
        frame_id: String,
    }

    /// `geometry_msgs/Vector3` and `geometry_msgs/Point`.
    #[derive(Copy)]
    Vector3 {
        /// Forward.
        x: f64,
        /// Left.
        y: f64,
        /// Up.
        z: f64,
    }

    /// `geometry_msgs/Quaternion`.
    #[derive(Copy)]
    Quaternion {
        /// Of x.
        x: f64,
        /// Of y.
        y: f64,
        /// Of z.
        z: f64,
        /// The real part.
        w: f64,
    }

    /// `geometry_msgs/Pose`.
    PlainPose {
        /// Place, metres.
        position: Vector3,
        /// Attitude.
        orientation: Quaternion,
    }

    /// `geometry_msgs/PoseWithCovariance` without the covariance.
    WithinPose {
        /// The pose.
        pose: PlainPose,
    }

    /// `geometry_msgs/Twist`.
    #[message(record = Velocity, context = Context, ignores(closed_loop, ramped, action_id))]
    Twist {
        /// Along x, forward.
        linear: Vector3 = (linear_mps, codec = Forward),
        /// About z, counter-clockwise.
        angular: Vector3 = (angular_radps, codec = Turning),
    }

    /// `geometry_msgs/TwistWithCovariance` without the covariance.
    WithinTwist {
        /// The speeds.
        twist: Twist,
    }
}

impl Quaternion {
    /// None.
    pub(in crate::rosbridge) const ZERO: Self =
        Self { x: Some(0.0), y: Some(0.0), z: Some(0.0), w: Some(0.0) };
}

impl Vector3 {
    pub(in crate::rosbridge) const ZERO: Self = Self { x: Some(0.0), y: Some(0.0), z: Some(0.0) };
}

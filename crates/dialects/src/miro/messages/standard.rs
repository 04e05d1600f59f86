//! Messages of ROS's own packages, as far as a MiRo has to do with them.

use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{
    Accel, AngularRate, Frame, Imu, Pose, Range, RangeStatus, Text, TextChannel, Velocity,
};
use latimer_ros1::msgs::geometry_msgs::{Quaternion, Twist};
use latimer_ros1::msgs::nav_msgs::Odometry;
use latimer_ros1::msgs::std_msgs::{self, Header};
use latimer_ros1::msgs::{Time, sensor_msgs};

use super::Moment;
use crate::describe::codec::{CodecInfo, Words, codecs};
use crate::describe::describe;
use crate::miro::map::FORMAT;

/// Nearest and farthest distance that the sonar measures, metres.
pub(in crate::miro) const SONAR_M: [f64; 2] = [0.03, 1.0];

describe! {
    Time { secs, nsecs }
}

describe! {
    Header {
        /// Numbered by the publisher.
        #[field(own)]
        seq,
        /// When.
        #[field(stamp)]
        stamp,
        /// Where, or which sensor, below the robot's name: `base_link`, `odom`, `head`, `body`, `sonar`, `caml_optical`, `camr_optical`.
        #[field(own)]
        frame_id,
    }
}

describe! {
    #[message(record = Velocity, context = Moment, ignores(closed_loop, ramped, action_id))]
    Twist {
        /// Forward.
        #[field(linear_mps)]
        linear.x,
        /// Counter-clockwise.
        #[field(angular_radps)]
        angular.z,
    }
}

describe! {
    Quaternion {
        /// Of a turn on the floor.
        #[field(model = "", unit = Plain, note = "sine of half the angle")]
        z,
        /// Of a turn on the floor.
        #[field(model = "", unit = Plain, note = "cosine of half the angle")]
        w,
    }
}

describe! {
    #[message(record = Pose, context = Moment, base = Pose::planar(Frame::Odom, 0.0, 0.0, 0.0))]
    #[message(ignores(frame, z_m, roll_rad, pitch_rad), amend = framed)]
    Odometry {
        /// When, and in which frame.
        #[field(model = "")]
        header,
        /// `base_link` below the robot's name.
        #[field(own)]
        child_frame_id,
        /// Where it is.
        #[field(x_m, codec = Finite, required)]
        pose.pose.position.x,
        /// Where it is.
        #[field(y_m, codec = Finite, required)]
        pose.pose.position.y,
        /// Which way it looks.
        #[field(yaw_rad, codec = Yaw, required)]
        pose.pose.orientation,
        /// How fast it goes.
        #[field(model = "", kind = Velocity)]
        twist.twist,
    }
}

fn framed(pose: &Pose, at: &Moment, message: &mut Odometry) {
    message.header = at.header(pose.frame.as_str());
    message.child_frame_id = at.frame("base_link");
}

describe! {
    #[message(record = Imu, context = Moment, wholes(angular_velocity = AngularRate, linear_acceleration = Accel))]
    #[message(ignores(orientation), finish = measured, amend = not_measured)]
    sensor_msgs::Imu {
        /// When.
        #[field(model = "")]
        header,
        /// About x.
        #[field(angular_velocity.x_radps, codec = Finite)]
        angular_velocity.x,
        /// About y.
        #[field(angular_velocity.y_radps, codec = Finite)]
        angular_velocity.y,
        /// About z.
        #[field(angular_velocity.z_radps, codec = Finite)]
        angular_velocity.z,
        /// Forward, gravity included.
        #[field(linear_acceleration.x_mps2, codec = Finite)]
        linear_acceleration.x,
        /// To the left.
        #[field(linear_acceleration.y_mps2, codec = Finite)]
        linear_acceleration.y,
        /// Upwards.
        #[field(linear_acceleration.z_mps2, codec = Finite)]
        linear_acceleration.z,
    }
}

/// -1 in the first place of a covariance says that the quantity is not measured; nor are turns of exactly 0.
fn measured(message: &sensor_msgs::Imu, _: &Moment, imu: &mut Imu) {
    let still = AngularRate { x_radps: 0.0, y_radps: 0.0, z_radps: 0.0 };
    let is_known = |covariance: &[f64; 9]| covariance[0] >= 0.0;
    imu.angular_velocity.take_if(|it| !is_known(&message.angular_velocity_covariance) || *it == still);
    imu.linear_acceleration.take_if(|_| !is_known(&message.linear_acceleration_covariance));
}

fn not_measured(imu: &Imu, _: &Moment, message: &mut sensor_msgs::Imu) {
    message.orientation_covariance[0] = -1.0;
    message.angular_velocity_covariance[0] = if imu.angular_velocity.is_some() { 0.0 } else { -1.0 };
    message.linear_acceleration_covariance[0] = if imu.linear_acceleration.is_some() { 0.0 } else { -1.0 };
}

describe! {
    #[message(record = Range, context = Moment, base = Range::nothing(), ignores(status, status_code), finish = met)]
    sensor_msgs::Range {
        /// When.
        #[field(model = "")]
        header,
        /// 0, sound.
        #[field(own, codec = Byte)]
        radiation_type,
        /// Width of the cone.
        #[field(field_of_view_rad, codec = Thousandths)]
        field_of_view,
        /// Nearest distance that is measured.
        #[field(min_m, codec = Thousandths)]
        min_range,
        /// Farthest distance that is measured.
        #[field(max_m, codec = Thousandths)]
        max_range,
        /// Distance.
        #[field(distance_m, codec = Thousandths, note = "0 is nothing in view")]
        range,
    }
}

fn met(_: &sensor_msgs::Range, _: &Moment, range: &mut Range) {
    let [near_m, far_m] = SONAR_M;
    let min_m = *range.min_m.get_or_insert(near_m);
    range.max_m.get_or_insert(far_m);
    range.status = match range.distance_m {
        None => RangeStatus::NothingInView,
        Some(m) if m < min_m => RangeStatus::TooNear,
        Some(_) => RangeStatus::Valid,
    };
}

describe! {
    sensor_msgs::Image {
        /// When.
        #[field(model = "")]
        header,
        /// Pixels from the top down.
        #[field(model = "height")]
        height,
        /// Pixels from left to right.
        #[field(model = "width")]
        width,
        /// What a pixel is.
        #[field(model = "encoding", note = "`rgb8`, of no more colours than R5G6B5 has")]
        encoding,
        /// 0.
        #[field(own, codec = Byte)]
        is_bigendian,
        /// Bytes a row.
        #[field(own)]
        step,
        /// Pixels, row by row.
        #[field(model = "data", note = "in Base64")]
        data,
    }
}

describe! {
    sensor_msgs::CompressedImage {
        /// When.
        #[field(model = "")]
        header,
        /// What the file is.
        #[field(model = "format", codec = Words(&[(FORMAT, PictureFormat::Jpeg)]))]
        format,
        /// The file.
        #[field(model = "data", note = "the file in Base64")]
        data,
    }
}

describe! {
    #[message(record = Text, context = Moment, base = no_text(), ignores(channel, data, truncated))]
    std_msgs::String {
        /// A line.
        #[field(text, required)]
        data,
    }
}

fn no_text() -> Text {
    Text { channel: TextChannel::Log, text: "".into(), data: None, truncated: None }
}

/// A number, if it is one.
pub(super) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// A float of 32 bits, of which 0 stands for an unknown value. They are no better than thousandths, and look worse.
pub(super) fn number(float: f32) -> Option<f64> {
    finite(f64::from(float)).map(|it| (it * 1e3).round() / 1e3).filter(|it| *it > 0.0)
}

codecs! {
    /// Any number but NaN and the infinities.
    Finite: f64, f64 { CodecInfo::default(), |wire| finite(*wire), |model| Some(*model) }

    /// Thousandths, and 0 for what is not known.
    Thousandths: f32, f64 {
        CodecInfo { range: Some((0.001, 100.0)), ..CodecInfo::default() },
        |wire| number(*wire),
        |model| finite(*model).map(|it| it as f32)
    }

    /// A turn on the floor; of another twice the angle about z.
    Yaw: Quaternion, f64 {
        CodecInfo::default(),
        |wire| {
            let Quaternion { x, y, z, w } = wire;
            finite((2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z)))
        },
        |model| {
            let (sin, cos) = (model / 2.0).sin_cos();
            Some(Quaternion { x: 0.0, y: 0.0, z: sin, w: cos })
        }
    }

    /// A number of 0 to 255.
    Byte: u8, u8 {
        CodecInfo { range: Some((0.0, 255.0)), ..CodecInfo::default() }, |wire| Some(*wire), |model| Some(*model)
    }
}

//! `platform/sensors`, from what is known of a robot.

use std::f64::consts::FRAC_PI_6;

use latimer_core::model::signal::{Frame, Imu, Range, RangeStatus};
use latimer_ros1::msgs::Time;
use latimer_ros1::msgs::geometry_msgs::{Quaternion, Vector3};
use latimer_ros1::msgs::nav_msgs::Odometry;
use latimer_ros1::msgs::sensor_msgs;
use latimer_ros1::msgs::std_msgs::Header;

use super::snapshot::{NECK, Snapshot};
use crate::miro::wire::{BatteryState, PlatformSensors};

/// Nearest and farthest distance that the sonar measures, metres.
pub(super) const SONAR_M: [f64; 2] = [0.03, 1.0];
/// The reading of a cliff sensor that surely sees a surface.
pub(super) const SURFACE: u8 = 15;
/// An edge sensor of another make that measures more than this sees no surface, metres.
const EDGE_M: f64 = 0.06;

/// When a message is assembled, by both clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The wall clock.
    pub stamp: Time,
    /// The embedded clock.
    pub usec: i32,
}

impl Moment {
    /// A header; the publisher numbers it.
    pub fn header(self, frame_id: &str) -> Header {
        Header { seq: 0, stamp: self.stamp, frame_id: frame_id.to_owned() }
    }
}

/// What the platform senses; what is not known is zero. A robot of another family without edge sensors stands on its floor.
pub fn sensors_from_snapshot(known: &Snapshot, own_family: bool, at: Moment) -> PlatformSensors {
    let voltage = known.battery.as_ref().and_then(|it| it.voltage_v).unwrap_or_default() as f32;
    PlatformSensors {
        header: at.header("base_link"),
        msg_flags: 0,
        time_usec: at.usec,
        battery_voltage: voltage,
        battery_state: BatteryState { voltage, present: voltage > 0.0 },
        temperature: sensor_msgs::Temperature {
            header: at.header("base_link"),
            temperature: known.temperature_c.unwrap_or_default(),
            variance: 0.0,
        },
        accel_head: imu(known.imu_head.as_ref(), at.header("head")),
        accel_body: imu(known.imu_body.as_ref(), at.header("body")),
        odometry: odometry_in_mm(known, at),
        joint_state: joint_state_from_snapshot(known, at),
        eyelid_closure: known.eyelids.as_ref().and_then(|it| it.position_ratio).unwrap_or_default() as f32,
        dip_state_phys: known.dip,
        sonar_range: range_from_snapshot(known, at),
        light: known.light.map(|level| (level.unwrap_or_default() * 255.0).round() as u8),
        touch_head: known.touch_head.bits(),
        touch_body: known.touch_body.bits(),
        cliff: std::array::from_fn(|i| match &known.cliffs[i] {
            Some(range) => surface_from_range(range, own_family),
            None if own_family => 0,
            None => SURFACE,
        }),
    }
}

/// Standard Interface: how fast it goes, m/s and rad/s.
pub fn body_vel_from_snapshot(known: &Snapshot) -> latimer_ros1::msgs::geometry_msgs::Twist {
    let mut twist = latimer_ros1::msgs::geometry_msgs::Twist::default();
    let velocity = known.velocity.as_ref();
    twist.linear.x = velocity.and_then(|it| it.linear_mps).unwrap_or_default();
    twist.angular.z = velocity.and_then(|it| it.angular_radps).unwrap_or_default();
    twist
}

/// Standard Interface: where it is by its wheels, or else on its map, and how fast it goes, m and rad.
pub fn odometry_from_snapshot(known: &Snapshot, at: Moment) -> Odometry {
    let frame = known.pose.as_ref().map_or(Frame::Odom, |pose| pose.frame);
    let mut odometry = Odometry {
        header: at.header(frame.as_str()),
        child_frame_id: "base_link".to_owned(),
        ..Odometry::default()
    };
    odometry.twist.twist = body_vel_from_snapshot(known);
    let (sin, cos) = (known.pose.as_ref().map_or(0.0, |pose| pose.yaw_rad) / 2.0).sin_cos();
    odometry.pose.pose.orientation = Quaternion { x: 0.0, y: 0.0, z: sin, w: cos };
    if let Some(pose) = &known.pose {
        odometry.pose.pose.position.x = pose.x_m;
        odometry.pose.pose.position.y = pose.y_m;
    }
    odometry
}

/// mm/s and rad/s; everything else is zero, the pose too.
fn odometry_in_mm(known: &Snapshot, at: Moment) -> Odometry {
    let mut odometry =
        Odometry { header: at.header("odom"), child_frame_id: "base_link".to_owned(), ..Odometry::default() };
    odometry.twist.twist = body_vel_from_snapshot(known);
    odometry.twist.twist.linear.x *= 1_000.0;
    odometry
}

/// How the neck stands.
pub fn joint_state_from_snapshot(known: &Snapshot, at: Moment) -> sensor_msgs::JointState {
    let joint = |i: usize| known.neck[i].as_ref();
    sensor_msgs::JointState {
        header: at.header("base_link"),
        name: NECK.map(str::to_owned).to_vec(),
        position: (0..4).map(|i| joint(i).and_then(|it| it.position_rad).unwrap_or_default()).collect(),
        velocity: (0..4).map(|i| joint(i).and_then(|it| it.velocity_radps).unwrap_or_default()).collect(),
        // Programs read four of them; no robot here measures them.
        effort: vec![0.0; 4],
    }
}

/// What the sonar measures; 0 is nothing.
pub fn range_from_snapshot(known: &Snapshot, at: Moment) -> sensor_msgs::Range {
    let sonar = known.sonar();
    let [near_m, far_m] = SONAR_M;
    let number = |it: Option<f64>, or: f64| it.filter(|it| it.is_finite()).unwrap_or(or) as f32;
    sensor_msgs::Range {
        header: at.header("sonar"),
        radiation_type: 0,
        field_of_view: number(sonar.and_then(|it| it.field_of_view_rad), FRAC_PI_6),
        min_range: near_m as f32,
        max_range: far_m as f32,
        range: sonar.and_then(met_m).unwrap_or_default() as f32,
    }
}

/// How far away something is that was surely met within the sonar's reach; never 0, which is nothing.
fn met_m(range: &Range) -> Option<f64> {
    let sure = matches!(range.status, RangeStatus::Valid | RangeStatus::TooNear | RangeStatus::Unknown);
    let [near_m, far_m] = SONAR_M;
    range.distance_m.filter(|m| sure && (0.0..=far_m).contains(m)).map(|m| m.max(near_m))
}

/// 0..15: a MiRo's own reading, or whether a sensor of another make sees the floor.
fn surface_from_range(range: &Range, own_family: bool) -> u8 {
    // What another make's code stands for nobody knows here.
    if let Some(raw) = range.status_code.filter(|_| own_family) {
        return u8::try_from(raw).unwrap_or_default().min(SURFACE);
    }
    match range.distance_m {
        Some(m) if range.status == RangeStatus::Valid && m <= EDGE_M => SURFACE,
        _ => 0,
    }
}

/// -1 in the first place of a covariance says that the quantity is not measured.
fn imu(imu: Option<&Imu>, header: Header) -> sensor_msgs::Imu {
    let mut message = sensor_msgs::Imu { header, ..sensor_msgs::Imu::default() };
    if let Some(cell) = message.orientation_covariance.first_mut() {
        *cell = -1.0;
    }
    match imu.and_then(|it| it.angular_velocity.as_ref()) {
        Some(rate) => {
            message.angular_velocity = Vector3 { x: rate.x_radps, y: rate.y_radps, z: rate.z_radps }
        }
        None => {
            if let Some(cell) = message.angular_velocity_covariance.first_mut() {
                *cell = -1.0;
            }
        }
    }
    match imu.and_then(|it| it.linear_acceleration.as_ref()) {
        Some(accel) => {
            message.linear_acceleration = Vector3 { x: accel.x_mps2, y: accel.y_mps2, z: accel.z_mps2 };
        }
        None => {
            if let Some(cell) = message.linear_acceleration_covariance.first_mut() {
                *cell = -1.0;
            }
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{Cliff, Pose};
    use latimer_core::model::{PartName, Update};
    use latimer_core::{RobotId, Signal, Timestamp};

    use super::*;

    fn knowing(part: &str, signal: impl Into<Signal>) -> Snapshot {
        let mut known = Snapshot::default();
        let robot = RobotId::new("robot-1").unwrap();
        known.take(&Update::now(&robot, Timestamp::default(), signal.into()).of_part(PartName::of(part)));
        known
    }

    fn surface(part: &str, range: Range, own_family: bool) -> u8 {
        let known = knowing(part, Cliff(range));
        let cliff = sensors_from_snapshot(&known, own_family, Moment::default()).cliff;
        cliff[usize::from(part.ends_with("right"))]
    }

    #[test]
    fn a_code_is_how_much_surface_there_is_of_a_miro_only() {
        let floor = Range { status_code: Some(0), ..Range::valid(0.03) };
        let edge = Range {
            distance_m: None,
            status: RangeStatus::NothingInView,
            status_code: Some(208),
            ..floor.clone()
        };
        assert_eq!(surface("front_left", floor.clone(), false), SURFACE, "a floor is seen");
        assert_eq!(surface("front_right", edge, false), 0, "an edge is seen");
        let far = Range { distance_m: Some(0.3), ..floor.clone() };
        assert_eq!(surface("front_right", far, false), 0, "the floor is far below");
        for raw in [0, 7, 15] {
            let own = Range { distance_m: None, status_code: Some(raw.into()), ..floor.clone() };
            assert_eq!(surface("left", own, true), raw);
        }
        let broken = Range { status: RangeStatus::HardwareFault, status_code: None, ..Range::nothing() };
        assert_eq!(surface("right", broken, true), 0, "on the safe side");
    }

    #[test]
    fn a_pose_is_in_the_frame_in_which_it_was_told() {
        let frame = |known: &Snapshot| odometry_from_snapshot(known, Moment::default()).header.frame_id;
        assert_eq!(frame(&Snapshot::default()), "odom");
        for it in [Frame::Odom, Frame::Map] {
            assert_eq!(frame(&knowing("base", Pose::planar(it, 1.0, 2.0, 0.0))), it.as_str());
        }
    }

    #[test]
    fn what_is_too_near_for_the_sonar_is_not_nothing() {
        let near = |m| Range { status: RangeStatus::TooNear, ..Range::valid(m) };
        let told = |range| range_from_snapshot(&knowing("sonar", range), Moment::default()).range;
        assert_eq!([told(near(0.0)), told(near(0.01)), told(Range::valid(0.5))], [0.03, 0.03, 0.5]);
        assert_eq!([told(Range::nothing()), told(Range::valid(1.5))], [0.0; 2]);
    }
}

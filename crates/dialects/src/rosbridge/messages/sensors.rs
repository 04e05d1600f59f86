//! `sensor_msgs`.

use bytes::Bytes;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{
    Battery, CompressedImage as ModelImage, Imu as ModelImu, Joint, PowerState, Range as ModelRange,
    RangeStatus, Scan,
};

use super::{Context, Header, Quaternion, Vector3, messages};
use crate::describe::Message;
use crate::describe::codec::{Base64, Only, Same, Words};
use crate::picture_size::picture_size;
use crate::rosbridge::codecs::{Accels, Picture, Rates, Rays, Stamped, Turned};

messages! {
    /// `sensor_msgs/BatteryState`.
    #[message(record = Battery, context = Context, base = Battery::UNKNOWN, ignores(health_ratio, gauge_trained, cycles))]
    BatteryState {
        /// When.
        header: Header = (stamp, codec = Stamped),
        /// Terminal voltage.
        voltage: f64 = (voltage_v, null),
        /// Of the cells.
        temperature: f64 = (temperature_c, null),
        /// Negative while discharging.
        current: f64 = (current_a, null),
        /// Charge that fits in now, Ah.
        capacity: f64 = (capacity_ah, null),
        /// Charge that fitted in when it was new, Ah.
        design_capacity: f64 = (design_capacity_ah, null),
        /// Charge left, 0 to 1 in spite of its name.
        percentage: f64 = (charge_ratio, null),
        /// 0 unknown, 1 charging, 2 discharging, 3 not charging, 4 full.
        power_supply_status: i64 = (state, codec = POWER_STATES, or = PowerState::Unknown),
        /// Always true.
        present: bool = (constant = true),
        /// Of each cell.
        cell_voltage: Vec<f64> = (cell_voltages_v, each, or = Vec::new()),
    }

    /// `sensor_msgs/Range`.
    #[message(record = ModelRange, context = Context, base = ModelRange::nothing(), finish = met)]
    #[message(ignores(status, status_code), amend = sure)]
    Range {
        /// When, and which sensor.
        header: Header = (stamp, codec = Stamped),
        /// Always infrared.
        radiation_type: i64 = (constant = 1),
        /// Width of the cone.
        field_of_view: f64 = (field_of_view_rad, null),
        /// Nearest distance that the sensor measures.
        min_range: f64 = (min_m, null),
        /// Farthest distance that the sensor measures.
        max_range: f64 = (max_m, null),
        /// `null` if nothing is in view.
        range: f64 = (distance_m, null),
    }

    /// `sensor_msgs/Imu`. Of what the sensor does not measure the first covariance is -1 and the values mean nothing.
    #[message(record = ModelImu, context = Context, amend = whole, finish = measured_alone)]
    Imu {
        /// When.
        header: Header = (stamp, codec = Stamped),
        /// Attitude.
        orientation: Quaternion = (orientation, codec = Turned),
        /// -1 first if there is none.
        orientation_covariance: Vec<f64> = (computed = orientation_covariance),
        /// Turn rates, rad/s.
        angular_velocity: Vector3 = (angular_velocity, codec = Rates),
        /// -1 first if there are none.
        angular_velocity_covariance: Vec<f64> = (computed = angular_velocity_covariance),
        /// Accelerations, gravity included, m/s².
        linear_acceleration: Vector3 = (linear_acceleration, codec = Accels),
        /// -1 first if there are none.
        linear_acceleration_covariance: Vec<f64> = (computed = linear_acceleration_covariance),
    }

    /// `sensor_msgs/LaserScan`.
    #[message(record = Scan, context = Context, ignores(pose))]
    LaserScan {
        /// When.
        header: Header = (stamp, codec = Stamped),
        /// Bearing of the first ray.
        angle_min: f64 = (angle_min_rad, required),
        /// Bearing of the last ray.
        angle_max: f64 = (computed = last_ray),
        /// From one ray to the next.
        angle_increment: f64 = (angle_increment_rad, required),
        /// Nearest distance measured.
        range_min: f64 = (range_min_m, or = 0.0),
        /// Farthest distance measured.
        range_max: f64 = (range_max_m, or = f64::MAX),
        /// Distances; `null` if nothing was met.
        ranges: Vec<serde_json::Value> = (ranges_m, codec = Rays, required),
    }

    /// `sensor_msgs/JointState` of one joint.
    #[message(record = Joint, context = Context, when = is_hinge)]
    #[message(ignores(position_m, position_ratio, velocity_ratiops, self_check))]
    JointState {
        /// When.
        header: Header = (stamp, codec = Stamped),
        /// Which joint.
        name: Vec<String> = (part, codec = Only(Same)),
        /// Its angle.
        position: Vec<f64> = (position_rad, codec = Only(Same)),
        /// Its rate.
        velocity: Vec<f64> = (velocity_radps, codec = Only(Same)),
    }

    /// `sensor_msgs/CompressedImage`.
    #[message(record = ModelImage, context = Context, ignores(width, height), base = NO_PICTURE, finish = measured)]
    CompressedImage {
        /// When, and which camera.
        header: Header = (stamp, codec = Stamped),
        /// `jpeg` or `png`; what stands before it is read over.
        format: String = (format, codec = Picture, required),
        /// The file in base64.
        data: String = (data, codec = Base64, required),
    }
}

const POWER_STATES: Words<PowerState> = Words(&[
    ("0", PowerState::Unknown),
    ("0", PowerState::Fault),
    ("1", PowerState::Charging),
    ("2", PowerState::Discharging),
    ("3", PowerState::NotCharging),
    ("4", PowerState::Full),
]);

fn met(message: &Range, _: &Context, range: &mut ModelRange) {
    if message.range.is_some() {
        range.status = RangeStatus::Valid;
    }
}

/// A reading that cannot be trusted is none: ROS has no status beside the number.
fn sure(range: &ModelRange, _: &Context, message: &mut Range) {
    if !matches!(range.status, RangeStatus::Valid | RangeStatus::Unknown) {
        message.range = None;
    }
}

/// The covariance of a value: unknown, or that of a value that is not measured.
fn covariance<T>(value: Option<&T>) -> Option<Vec<f64>> {
    let mut covariance = vec![0.0; 9];
    if value.is_none() {
        covariance[0] = -1.0;
    }
    Some(covariance)
}

fn orientation_covariance(imu: &ModelImu, _: &Context) -> Option<Vec<f64>> {
    covariance(imu.orientation.as_ref())
}

fn angular_velocity_covariance(imu: &ModelImu, _: &Context) -> Option<Vec<f64>> {
    covariance(imu.angular_velocity.as_ref())
}

fn linear_acceleration_covariance(imu: &ModelImu, _: &Context) -> Option<Vec<f64>> {
    covariance(imu.linear_acceleration.as_ref())
}

/// Programs take each field without asking whether it is there.
fn whole(_: &ModelImu, _: &Context, message: &mut Imu) {
    message.orientation.get_or_insert(Quaternion::ZERO);
    message.angular_velocity.get_or_insert(Vector3::ZERO);
    message.linear_acceleration.get_or_insert(Vector3::ZERO);
}

fn measured_alone(message: &Imu, _: &Context, imu: &mut ModelImu) {
    let lacks = |covariance: &Option<Vec<f64>>| {
        covariance.as_ref().and_then(|it| it.first()).is_some_and(|first| *first < 0.0)
    };
    imu.orientation.take_if(|_| lacks(&message.orientation_covariance));
    imu.angular_velocity.take_if(|_| lacks(&message.angular_velocity_covariance));
    imu.linear_acceleration.take_if(|_| lacks(&message.linear_acceleration_covariance));
}

fn last_ray(scan: &Scan, _: &Context) -> Option<f64> {
    let steps = scan.ranges_m.len().saturating_sub(1);
    Some(scan.angle_min_rad + scan.angle_increment_rad * steps as f64)
}

fn is_hinge(joint: &Joint, _: &Context) -> bool {
    joint.position_rad.is_some()
}

const NO_PICTURE: ModelImage =
    ModelImage { format: PictureFormat::Jpeg, width: 0, height: 0, data: Bytes::new() };

fn measured(_: &CompressedImage, _: &Context, image: &mut ModelImage) {
    (image.width, image.height) = picture_size(image.format, &image.data).unwrap_or_default();
}

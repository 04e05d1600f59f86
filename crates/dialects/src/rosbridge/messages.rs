//! ROS messages in rosbridge's JSON, each field beside what it is in the model. Units, axes and frames are ROS's own
//! (REP-103, REP-105), which are the model's.
//!
//! A number that is not known is `null`, as rosbridge writes NaN; bytes are base64.

use bytes::Bytes;
use latimer_core::Timestamp;
use latimer_core::model::PartName;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{
    Battery, CompressedImage as ModelImage, Contact, ContactSensor, Frame, Imu as ModelImu, Joint, Lamp,
    OccupancyGrid as ModelGrid, Orientation, Pose, PowerState, Range as ModelRange, RangeStatus, Scan, Text,
    TextChannel, Velocity,
};

use super::codecs::{
    Base64, Cells, Code, Level, Picture, Placed, Rates, Rays, Single, Stamped, Turned, size_of,
};
use crate::describe::codec::Codec;
use crate::describe::{self, Message};

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

/// `time`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Time {
    /// Seconds since 1970.
    pub secs: Option<i64>,
    /// Nanoseconds in the second.
    pub nsecs: Option<i64>,
}

/// `std_msgs/Header`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Header {
    /// When it was measured.
    pub stamp: Option<Time>,
    /// The frame of the coordinates, or the part of the robot.
    pub frame_id: Option<String>,
}

/// `geometry_msgs/Vector3` and `geometry_msgs/Point`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Message)]
pub struct Vector3 {
    /// Forward.
    pub x: Option<f64>,
    /// Left.
    pub y: Option<f64>,
    /// Up.
    pub z: Option<f64>,
}

/// `geometry_msgs/Quaternion`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Message)]
pub struct Quaternion {
    /// Of x.
    pub x: Option<f64>,
    /// Of y.
    pub y: Option<f64>,
    /// Of z.
    pub z: Option<f64>,
    /// The real part.
    pub w: Option<f64>,
}

/// `geometry_msgs/Pose`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct PlainPose {
    /// Place, metres.
    pub position: Option<Vector3>,
    /// Attitude.
    pub orientation: Option<Quaternion>,
}

/// `geometry_msgs/PoseWithCovariance` without the covariance.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct WithinPose {
    /// The pose.
    pub pose: Option<PlainPose>,
}

/// `geometry_msgs/Twist`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Velocity, context = Context, ignores(closed_loop, ramped, action_id))]
pub struct Twist {
    /// Along x, forward.
    #[field(linear_mps, codec = Single::X)]
    pub linear: Option<Vector3>,
    /// About z, counter-clockwise.
    #[field(angular_radps, codec = Single::Z)]
    pub angular: Option<Vector3>,
}

/// `geometry_msgs/TwistWithCovariance` without the covariance.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct WithinTwist {
    /// The speeds.
    pub twist: Option<Twist>,
}

/// `sensor_msgs/BatteryState`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Battery, context = Context, base = Battery::UNKNOWN, ignores(health_ratio, gauge_trained, cycles))]
pub struct BatteryState {
    /// When.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// Terminal voltage.
    #[field(voltage_v, null)]
    pub voltage: Option<f64>,
    /// Of the cells.
    #[field(temperature_c, null)]
    pub temperature: Option<f64>,
    /// Negative while discharging.
    #[field(current_a, null)]
    pub current: Option<f64>,
    /// Charge that fits in now, Ah.
    #[field(capacity_ah, null)]
    pub capacity: Option<f64>,
    /// Charge that fitted in when it was new, Ah.
    #[field(design_capacity_ah, null)]
    pub design_capacity: Option<f64>,
    /// Charge left, 0 to 1 in spite of its name.
    #[field(charge_ratio, null)]
    pub percentage: Option<f64>,
    /// 0 unknown, 1 charging, 2 discharging, 3 not charging, 4 full.
    #[field(state, codec = POWER_STATES, or = PowerState::Unknown)]
    pub power_supply_status: Option<i64>,
    /// Always true.
    #[field(constant = true)]
    pub present: Option<bool>,
    /// Of each cell.
    #[field(cell_voltages_v, each, or = Vec::new())]
    pub cell_voltage: Option<Vec<f64>>,
}

const POWER_STATES: Code<PowerState> = Code(&[
    (0, PowerState::Unknown),
    (0, PowerState::Fault),
    (1, PowerState::Charging),
    (2, PowerState::Discharging),
    (3, PowerState::NotCharging),
    (4, PowerState::Full),
]);

/// `sensor_msgs/Range`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelRange, context = Context, base = ModelRange::nothing(), finish = met)]
#[message(ignores(status, status_code), amend = sure)]
pub struct Range {
    /// When, and which sensor.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// Always infrared.
    #[field(constant = 1)]
    pub radiation_type: Option<i64>,
    /// Width of the cone.
    #[field(field_of_view_rad, null)]
    pub field_of_view: Option<f64>,
    /// Nearest distance that the sensor measures.
    #[field(min_m, null)]
    pub min_range: Option<f64>,
    /// Farthest distance that the sensor measures.
    #[field(max_m, null)]
    pub max_range: Option<f64>,
    /// `null` if nothing is in view.
    #[field(distance_m, null)]
    pub range: Option<f64>,
}

fn met(message: &Range, range: &mut ModelRange) {
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

/// `sensor_msgs/Imu` without covariances.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelImu, context = Context)]
pub struct Imu {
    /// When.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// Attitude.
    #[field(orientation, codec = Turned)]
    pub orientation: Option<Quaternion>,
    /// Turn rates, rad/s.
    #[field(angular_velocity, codec = Rates)]
    pub angular_velocity: Option<Vector3>,
    /// Accelerations, gravity included, m/s².
    #[field(linear_acceleration, codec = Rates)]
    pub linear_acceleration: Option<Vector3>,
}

/// `sensor_msgs/LaserScan`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Scan, context = Context, ignores(pose))]
pub struct LaserScan {
    /// When.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// Bearing of the first ray.
    #[field(angle_min_rad, required)]
    pub angle_min: Option<f64>,
    /// Bearing of the last ray.
    #[field(computed = last_ray)]
    pub angle_max: Option<f64>,
    /// From one ray to the next.
    #[field(angle_increment_rad, required)]
    pub angle_increment: Option<f64>,
    /// Nearest distance measured.
    #[field(range_min_m, or = 0.0)]
    pub range_min: Option<f64>,
    /// Farthest distance measured.
    #[field(range_max_m, or = f64::MAX)]
    pub range_max: Option<f64>,
    /// Distances; `null` if nothing was met.
    #[field(ranges_m, codec = Rays, required)]
    pub ranges: Option<Vec<serde_json::Value>>,
}

fn last_ray(scan: &Scan, _: &Context) -> Option<f64> {
    let steps = scan.ranges_m.len().saturating_sub(1);
    Some(scan.angle_min_rad + scan.angle_increment_rad * steps as f64)
}

/// `sensor_msgs/JointState` of one joint.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Joint, context = Context, when = is_hinge)]
#[message(ignores(position_m, position_ratio, velocity_ratiops, self_check))]
pub struct JointState {
    /// When.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// Which joint.
    #[field(part, codec = Single::X)]
    pub name: Option<Vec<String>>,
    /// Its angle.
    #[field(position_rad, codec = Single::X)]
    pub position: Option<Vec<f64>>,
    /// Its rate.
    #[field(velocity_radps, codec = Single::X)]
    pub velocity: Option<Vec<f64>>,
}

fn is_hinge(joint: &Joint, _: &Context) -> bool {
    joint.position_rad.is_some()
}

/// `geometry_msgs/PoseStamped`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Pose, context = Context, base = ORIGIN, finish = framed, ignores(frame))]
pub struct PoseStamped {
    /// When, and in which frame.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// Where and how turned.
    #[field(items(x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad), codec = Placed, required)]
    pub pose: Option<PlainPose>,
}

const ORIGIN: Pose = Pose::planar(Frame::Map, 0.0, 0.0, 0.0);

fn framed(message: &PoseStamped, pose: &mut Pose) {
    pose.frame = frame_of(message.header.as_ref(), Frame::Map);
}

fn frame_of(header: Option<&Header>, otherwise: Frame) -> Frame {
    let name = header.and_then(|it| it.frame_id.as_deref());
    name.and_then(|it| Frame::from_word(it.trim_start_matches('/'))).unwrap_or(otherwise)
}

/// `nav_msgs/Odometry` without covariances: how fast the robot is, and where it is by what it knows itself.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Velocity, context = Context, ignores(closed_loop, ramped, action_id))]
pub struct Odometry {
    /// When, and in which frame the pose is.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// The frame of the speeds.
    #[field(constant = "base_link")]
    pub child_frame_id: Option<String>,
    /// Where it is; a signal of its own.
    #[field(computed = placed, kind = Pose)]
    pub pose: Option<WithinPose>,
    /// How fast it is.
    #[field(items(linear_mps, angular_radps), codec = Rates, or = [None; 2])]
    pub twist: Option<WithinTwist>,
}

/// Clients count on a pose: of a robot that knows none the quaternion is all zero, which is no attitude.
fn placed(_: &Velocity, context: &Context) -> Option<WithinPose> {
    let nowhere = || {
        let zero = Some(0.0);
        let position = Some(Vector3 { x: zero, y: zero, z: zero });
        PlainPose { position, orientation: Some(Quaternion { x: zero, y: zero, z: zero, w: zero }) }
    };
    let place = context.place.as_ref().and_then(|place| {
        let Pose { frame: _, x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad } = *place;
        Placed.encode(&[x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad], context)
    });
    Some(WithinPose { pose: Some(place.unwrap_or_else(nowhere)) })
}

impl Odometry {
    /// Where the robot is, if it tells.
    pub(super) fn place(&self) -> Option<Pose> {
        let pose = self.pose.as_ref()?.pose.as_ref()?;
        let _attitude: Orientation = Codec::<_, _, Context>::decode(&Turned, pose.orientation.as_ref()?)?;
        let [x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad] = Codec::<_, _, Context>::decode(&Placed, pose)?;
        let frame = frame_of(self.header.as_ref(), Frame::Odom);
        Some(Pose { frame, x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad })
    }
}

/// `sensor_msgs/CompressedImage`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelImage, context = Context, ignores(width, height), base = NO_PICTURE, finish = measured)]
pub struct CompressedImage {
    /// When, and which camera.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// `jpeg` or `png`; what stands before it is read over.
    #[field(format, codec = Picture, required)]
    pub format: Option<String>,
    /// The file in base64.
    #[field(data, codec = Base64, required)]
    pub data: Option<String>,
}

const NO_PICTURE: ModelImage =
    ModelImage { format: PictureFormat::Jpeg, width: 0, height: 0, data: Bytes::new() };

fn measured(_: &CompressedImage, image: &mut ModelImage) {
    [image.width, image.height] = size_of(image).unwrap_or_default();
}

/// `nav_msgs/MapMetaData`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct MapMetaData {
    /// Metres of a cell.
    #[field(model = "resolution_m")]
    pub resolution: Option<f64>,
    /// Cells from west to east.
    #[field(model = "width")]
    pub width: Option<i64>,
    /// Cells from south to north.
    #[field(model = "height")]
    pub height: Option<i64>,
    /// Where the first cell's corner is.
    #[field(own)]
    pub origin: Option<PlainPose>,
}

/// `nav_msgs/OccupancyGrid`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelGrid, context = Context, base = NO_MAP, amend = tell_size, finish = take_size)]
#[message(ignores(frame, resolution_m, width, height, origin_x_m, origin_y_m))]
pub struct OccupancyGrid {
    /// When, and in which frame.
    #[field(stamp, codec = Stamped)]
    pub header: Option<Header>,
    /// Size and place.
    #[field(own)]
    pub info: Option<MapMetaData>,
    /// Row by row from the south-west: 0 free to 100 taken, -1 not known.
    #[field(cells, codec = Cells, required)]
    pub data: Option<Vec<i64>>,
}

const NO_MAP: ModelGrid = ModelGrid {
    frame: Frame::Map,
    resolution_m: 0.0,
    width: 0,
    height: 0,
    origin_x_m: 0.0,
    origin_y_m: 0.0,
    cells: Bytes::new(),
};

fn tell_size(grid: &ModelGrid, context: &Context, message: &mut OccupancyGrid) {
    let origin = Placed.encode(&[grid.origin_x_m, grid.origin_y_m, 0.0, 0.0, 0.0, 0.0], context);
    let (resolution, width) = (Some(grid.resolution_m), Some(grid.width.into()));
    message.info = Some(MapMetaData { resolution, width, height: Some(grid.height.into()), origin });
}

fn take_size(message: &OccupancyGrid, grid: &mut ModelGrid) {
    let Some(info) = &message.info else { return };
    let cells = |count: Option<i64>| count.and_then(|it| u32::try_from(it).ok()).unwrap_or_default();
    let origin = info.origin.as_ref().and_then(|it| it.position.as_ref());
    grid.frame = frame_of(message.header.as_ref(), Frame::Map);
    grid.resolution_m = info.resolution.unwrap_or_default();
    (grid.width, grid.height) = (cells(info.width), cells(info.height));
    (grid.origin_x_m, grid.origin_y_m) =
        origin.map_or((0.0, 0.0), |it| (it.x.unwrap_or_default(), it.y.unwrap_or_default()));
}

/// `std_msgs/Bool` of a bumper.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Contact, context = Context, base = BUMPER, when = is_bumper, ignores(sensor, position, frame))]
pub struct Bumper {
    /// Whether it is pressed.
    #[field(contacted, required)]
    pub data: Option<bool>,
}

/// `std_msgs/Bool` of a sensor for touch.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Contact, context = Context, base = TOUCH, when = is_touch, ignores(sensor, position, frame))]
pub struct Touch {
    /// Whether it is touched.
    #[field(contacted, required)]
    pub data: Option<bool>,
}

const BUMPER: Contact =
    Contact { contacted: false, sensor: ContactSensor::Bumper, position: None, frame: Frame::BaseLink };
// Without a position the frame says nothing; those that are stroked sit on heads.
const TOUCH: Contact = Contact { sensor: ContactSensor::Touch, frame: Frame::Head, ..BUMPER };

fn is_bumper(contact: &Contact, _: &Context) -> bool {
    contact.sensor == ContactSensor::Bumper
}

fn is_touch(contact: &Contact, _: &Context) -> bool {
    contact.sensor == ContactSensor::Touch
}

/// `std_msgs/ColorRGBA`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Lamp, context = Context)]
pub struct ColorRgba {
    /// 0 to 1.
    #[field(red, codec = Level, required)]
    pub r: Option<f64>,
    /// 0 to 1.
    #[field(green, codec = Level, required)]
    pub g: Option<f64>,
    /// 0 to 1.
    #[field(blue, codec = Level, required)]
    pub b: Option<f64>,
    /// Always 1.
    #[field(constant = 1.0)]
    pub a: Option<f64>,
}

/// `std_msgs/String` of the robot's log.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Text, context = Context, base = no_text(), when = is_log, ignores(channel, data, truncated))]
pub struct Line {
    /// The line.
    #[field(text, required)]
    pub data: Option<String>,
}

fn no_text() -> Text {
    Text { channel: TextChannel::Log, text: "".into(), data: None, truncated: None }
}

fn is_log(text: &Text, _: &Context) -> bool {
    text.channel == TextChannel::Log
}

//! The translation of topics that is no table of fields, and the dispatch to that which is ([`messages`](super::messages)):
//! pure functions, nothing else.
//!
//! | file | topics | signals |
//! |---|---|---|
//! | `control` | `/sensor_manager_state` | control |
//! | `slam` | `/slam/state` | localization |
//! | `planning`, `fail_reasons` | `/planning_state` | navigation |
//! | `laser` | `/horizontal_laser_2d/matched` | scan, point_cloud |
//! | `sonar` | `/scan_matched_points2` of a robot with one range sensor | range |
//! | `ways` | `/scan_matched_points2`, `/path`, `/trajectory`, `/local_path` | scan, point_cloud, path |
//! | `grid` | maps of cells | map |
//! | `camera` | `/rgb_cameras/*` | video, compressed_image |
//! | `alerts` | `/alerts` | alerts, hazard |
//! | `bumpers` | `/bumper_state` | contact |
//! | `around` | `/nearby_robot_footprints` | neighbours |
//! | `objects`, `marks` | what the robot sees | objects |
//! | `device` | `/device_info_brief`, `/map/info`, `/action`, `/imu_state` | device, map_info, task |
//!
//! `units` is what they share.
//!
//! Both ways hold for robots of any family: a value that is not known is left out, a pose in another frame than the
//! map's does not count unless the robot has no map at all, and what a chassis has no words for is `None`. Three topics tell half of a record: their other
//! half is put beside them by a session, which receives both ([`sleep_state`], [`neighbours_from_nearby`], [`grid_from_png`]).

use bytes::Bytes;
use latimer_core::model::profile::Ray;
use latimer_core::model::signal::{ContactSensor, MapInfo, Pose};
use latimer_core::{PartName, Signal, Timestamp, Update};

use super::messages::Context;
use super::messages::around::{NearbyAutoDoors, NearbyRobots, RobotModel};
use super::messages::battery::{BatteryState, DetailedBatteryState};
use super::messages::joints::{JackState, RollerState};
use super::messages::place::{GlobalPositioningState, OdomState, TrackedPose};
use super::messages::state::{
    Alerts, IoPinsState, MotionMetrics, RobotSignal, TravelledDistance, WheelState,
};
use super::style::Style;
use super::topic::Topic;
use super::wire::{Body, Message};
pub use crate::describe::Received;
use crate::describe::{Incomplete, Translate};

mod alerts;
mod around;
mod bumpers;
mod camera;
mod control;
mod device;
pub(in crate::axbot) mod fail_reasons;
mod grid;
mod laser;
mod marks;
mod objects;
mod planning;
mod slam;
mod sonar;
pub(in crate::axbot) mod units;
mod ways;

#[cfg(test)]
mod tests;

pub use alerts::hazards_from_alerts;
pub(in crate::axbot) use around::digest_of;
pub use around::neighbours_from_nearby;
pub use control::sleep_state;
pub use grid::{grid_from_png, part_of};
pub(in crate::axbot) use units::counts;

/// What else a message is made of, besides the update that it tells.
pub struct Known<'a> {
    /// How messages are written.
    pub style: Style,
    /// Where the robot is on its map, if it knows that.
    pub pose: Option<&'a Pose>,
    /// Whether it never has a map, so that the frame in which it started is all the world that it knows.
    pub mapless: bool,
    /// Where its only range sensor is and looks, if it has but one and tells how its joints stand.
    pub sonar: Option<Ray>,
    /// The map that it drives by.
    pub map: Option<&'a MapInfo>,
    /// The bumpers that are pressed, and those that there are.
    pub bumpers: &'a [(PartName, bool)],
    /// Keeps a picture under a name that begins with a word, and tells the address to fetch it at,
    /// `static-files/map-….png`.
    pub keep: &'a dyn Fn(&str, &Bytes) -> String,
}

/// All that a message tells: usually one signal; none of a half of a record, whose other half is put beside it.
pub fn signals_from_message(message: &Message, received: Timestamp) -> Result<Vec<Received>, Incomplete> {
    let topic = message.topic();
    let one = match message {
        Message::Map(it)
        | Message::Costmap5cm(it)
        | Message::Costmap1cm(it)
        | Message::EnvMatchMap(it)
        | Message::EnvSymmetryMap(it)
        | Message::IncrementalMap(it) => grid::received_from_grid(topic, it, received),
        Message::WheelState(it) => it.received(received),
        Message::SlamState(it) => slam::received_from_slam_state(it, received),
        Message::VisionDetectedObjects(it) => Ok(objects::received_from_vision(it, received)),
        Message::BatteryState(it) => it.received(received),
        Message::DetailedBatteryState(it) => it.received(received),
        Message::TrackedPose(it) => it.received(received),
        Message::PlanningState(it) => planning::received_from_planning_state(it, received),
        Message::ScanMatchedPoints2(it) => ways::received_from_scan(it, received),
        Message::Path(it) => ways::received_from_path(it, received),
        Message::Trajectory(it) => ways::received_from_trajectory(it, received),
        Message::LocalPath(it) => ways::received_from_local_path(it, received),
        Message::Alerts(it) => return alerts::received_from_alerts(it, received),
        Message::TravelledDistance(it) => it.received(received),
        Message::FrontVideo(it) | Message::BackVideo(it) | Message::FrontAugmentedVideo(it) => {
            camera::received_from_video(topic, it, received)
        }
        Message::FrontCompressed(it) | Message::BackCompressed(it) => {
            camera::received_from_picture(topic, it, received)
        }
        Message::RobotModel(it) => it.received(received),
        Message::NearbyRobots(it) => it.received(received),
        Message::OdomState(it) => it.received(received),
        Message::GlobalPositioningState(it) => it.received(received),
        Message::DeviceInfoBrief(it) => Ok(device::received_from_device_info(it, received)),
        Message::JackState(it) => it.received(received),
        Message::RollerState(it) => it.received(received),
        Message::CollectedBarcode(it) => Ok(marks::received_from_barcode(it, received)),
        Message::DetectedRack(it) => marks::received_from_rack(it, received),
        Message::RobotSignal(it) => it.received(received),
        Message::NearbyAutoDoors(it) => it.received(received),
        Message::BumperState(it) => return Ok(bumpers::received_from_bumper_state(it, received)),
        Message::DetectedPallets(it) => Ok(objects::received_from_pallets(it, received)),
        Message::Landmarks(it) => Ok(objects::received_from_landmarks(it, received)),
        Message::IoPinsState(it) => it.received(received),
        Message::MapInfo(it) => device::received_from_map_info(it, received),
        Message::Action(it) => return Ok(device::received_from_action(it, received).into_iter().collect()),
        Message::ImuState(it) => {
            return Ok(device::received_from_imu_state(it, received).into_iter().collect());
        }
        Message::HorizontalLaser(it) => laser::received_from_laser(it, received),
        Message::MotionMetrics(it) => it.received(received),
        // Halves of records, see above, and what a robot would like to have of others.
        Message::SensorManagerState(_)
        | Message::NearbyRobotFootprints(_)
        | Message::MapV2(_)
        | Message::CostmapV2(_)
        | Message::IncrementalMapV2(_)
        | Message::ExternalRgbCameraControl(_) => return Ok(Vec::new()),
    };
    one.map(|received| vec![received])
}

/// What a chassis would send on a topic for an update of any robot; `None` if it has no words for it, or if the
/// robot does not know what the message is about.
pub fn message_from_update(topic: Topic, update: &Update, known: &Known<'_>) -> Option<Message> {
    topic.carries(update.kind(), update.part.as_ref()).then_some(())?;
    let (at, style) = (update.stamp.at, known.style);
    let stamps = style.scan_stamps;
    let context = &Context { at, style, mapless: known.mapless };
    match (topic, &update.signal) {
        (Topic::MapV2 | Topic::CostmapV2 | Topic::IncrementalMapV2, Signal::Map(it)) => {
            grid::cached_grid(topic, it, at, known)?.into_message(topic)
        }
        (_, Signal::Map(it)) => grid::grid(topic, it, at, known)?.into_message(topic),
        (Topic::SensorManagerState, Signal::Control(it)) => {
            control::sensor_manager_state(it)?.into_message(topic)
        }
        (_, Signal::Control(it)) => WheelState::encode(it, context)?.into_message(topic),
        (_, Signal::Localization(it)) => slam::slam_state(it, known.map.is_some()).into_message(topic),
        (Topic::VisionDetectedObjects, Signal::Objects(it)) => objects::vision(it).into_message(topic),
        (Topic::DetectedPallets, Signal::Objects(it)) => objects::pallets(it).into_message(topic),
        (Topic::Landmarks, Signal::Objects(it)) => objects::landmarks(it).into_message(topic),
        (Topic::CollectedBarcode, Signal::Objects(it)) => marks::barcode(it, known).into_message(topic),
        (Topic::DetectedRack, Signal::Objects(it)) => marks::rack(it, known).into_message(topic),
        (Topic::DetailedBatteryState, Signal::Battery(it)) => {
            DetailedBatteryState::encode(it, context)?.into_message(topic)
        }
        (_, Signal::Battery(it)) => BatteryState::encode(it, context)?.into_message(topic),
        (_, Signal::Pose(it)) => TrackedPose::encode(it, context)?.into_message(topic),
        (_, Signal::Navigation(it)) => planning::planning_state(it, known).into_message(topic),
        (Topic::HorizontalLaser, Signal::Scan(it)) => laser::laser_from_scan(it, at)?.into_message(topic),
        (Topic::HorizontalLaser, Signal::PointCloud(it)) => {
            laser::laser_from_cloud(it, at)?.into_message(topic)
        }
        (_, Signal::Scan(it)) => ways::points_from_scan(it, at, stamps)?.into_message(topic),
        (_, Signal::PointCloud(it)) => ways::points_from_cloud(it, at, stamps)?.into_message(topic),
        (_, Signal::Range(it)) => {
            let pose = known.pose.filter(|pose| units::counts(pose.frame, known.mapless))?;
            sonar::points_from_range(it, pose, known.sonar?, at, stamps)?.into_message(topic)
        }
        (Topic::Trajectory, Signal::Path(it)) => ways::trajectory(it)?.into_message(topic),
        (Topic::LocalPath, Signal::Path(it)) => ways::local_path(it)?.into_message(topic),
        (_, Signal::Path(it)) => ways::path(it, at, stamps)?.into_message(topic),
        (_, Signal::Alerts(it)) => Alerts::encode(it, context)?.into_message(topic),
        (_, Signal::Odometer(it)) => TravelledDistance::encode(it, context)?.into_message(topic),
        (_, Signal::Video(it)) => camera::video(it, at).into_message(topic),
        (_, Signal::CompressedImage(it)) => camera::picture(it, at).into_message(topic),
        (_, Signal::Footprint(it)) => RobotModel::encode(it, context)?.into_message(topic),
        (Topic::NearbyRobotFootprints, Signal::Neighbours(it)) => {
            around::nearby_robot_footprints(it).into_message(topic)
        }
        (_, Signal::Neighbours(it)) => NearbyRobots::encode(it, context)?.into_message(topic),
        (_, Signal::Odometry(it)) => OdomState::encode(it, context)?.into_message(topic),
        (_, Signal::Relocation(it)) => GlobalPositioningState::encode(it, context)?.into_message(topic),
        (_, Signal::Device(it)) => device::device_info(it)?.into_message(topic),
        (Topic::RollerState, Signal::Joint(it)) => RollerState::encode(it, context)?.into_message(topic),
        (_, Signal::Joint(it)) => JackState::encode(it, context)?.into_message(topic),
        (_, Signal::Indicators(it)) => RobotSignal::encode(it, context)?.into_message(topic),
        (_, Signal::Doors(it)) => NearbyAutoDoors::encode(it, context)?.into_message(topic),
        (_, Signal::Contact(it)) if it.sensor == ContactSensor::Bumper => {
            bumpers::bumper_state(known.bumpers)?.into_message(topic)
        }
        (_, Signal::Pins(it)) => IoPinsState::encode(it, context)?.into_message(topic),
        (_, Signal::MapInfo(it)) => device::map_info(it).into_message(topic),
        (Topic::ImuState, Signal::Task(it)) => device::imu_state(it)?.into_message(topic),
        (_, Signal::Task(it)) => device::action(it, at)?.into_message(topic),
        (_, Signal::Velocity(it)) => MotionMetrics::encode(it, context)?.into_message(topic),
        _ => None,
    }
}

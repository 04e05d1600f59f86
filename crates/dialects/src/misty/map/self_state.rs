//! SelfState: the robot about itself.
//!
//! | wire | model |
//! |---|---|
//! | `battery` | `battery` |
//! | `location.pose` | `pose` |
//! | `slamStatus` | `localization` |
//! | `robotRunState`, `cameraStatus`, `localIPAddress` | `status` |
//! | `bumpedState`, `touchedState`, `serialMessages` | reserved: written from contacts and text, not read |
//! | `acceleration`, `currentGoal`, `mentalState`, `occupancyGridCell` … | reserved: written as the sample shows them |
//!
//! A Misty that does not know something writes zeros, words for "unknown" or `null`, so this does the same for what
//! other robots do not know, and neither is taken for knowledge when it is read. The sample lacks `robotRunState`,
//! which the text describes: a robot that does not tell it runs, or else it would not answer.

use std::sync::Arc;

use latimer_core::model::signal::{Battery, CameraState, Frame, Localization, Pose, RunState, Status};
use latimer_core::{PartName, Signal, Stamp, Timestamp};
use serde_json::Value as Json;

use super::Received;
use super::names::{Family, names_from_part};
use super::reserved;
use super::slam::{localization_from_slam_status, slam_status_from_localization};
use super::time::stamp_from_utc;
use crate::describe::Translate;
use crate::misty::messages::Context;
use crate::misty::messages::battery::BatteryCharge;
use crate::misty::messages::pose::Location;
use crate::misty::wire::self_state::{
    BumpedState, CameraStatus, RobotRunState, RunState as WireRunState, SelfState, TouchedState,
};
use crate::misty::wire::slam::{RunMode, SlamStatus};
use crate::misty::wire::{Extra, Message};

/// What is known of a robot at a moment; the default is nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct SelfStateParts<'a> {
    /// The moment.
    pub at: Timestamp,
    /// The battery, and when it was read.
    pub battery: Option<(&'a Battery, Stamp)>,
    /// Where the robot is, and since when.
    pub pose: Option<(&'a Pose, Stamp)>,
    /// How well it knows that.
    pub localization: Option<&'a Localization>,
    /// What it is doing.
    pub status: Option<&'a Status>,
    /// Bumpers that are pressed.
    pub bumped: &'a [PartName],
    /// Touch sensors that are touched.
    pub touched: &'a [PartName],
    /// The last lines from the serial port.
    pub serial: &'a [Arc<str>],
}

/// What a robot says of itself.
pub(super) fn heard_from_self_state(message: &SelfState, received: Timestamp) -> Vec<Received> {
    let SelfState {
        acceleration: _,
        battery,
        bumped_state: _,
        camera_status,
        current_goal: _,
        local_ip_address,
        location,
        mental_state: _,
        occupancy_grid_cell: _,
        occupancy_grid_cell_meters: _,
        robot_run_state,
        serial_messages: _,
        slam_status,
        touched_state: _,
        extra: _,
    } = message;
    let arrival = Stamp::gateway(received);
    let battery = battery.as_ref().and_then(|battery| battery.received(received).ok());
    let localization = slam_status.as_ref().filter(|status| tells(status)).map(localization_from_slam_status);
    let pose = location.as_ref().and_then(|location| {
        let pose = location.pose.as_ref()?.in_frame(Frame::Map)?;
        let known = pose != NOWHERE || localization.as_ref().is_some_and(|it| it.has_pose == Some(true));
        known.then(|| Received::new(None, stamp_of_location(location, received), pose))
    });
    let status = status(robot_run_state.as_ref(), camera_status.as_ref(), local_ip_address.as_deref());
    [
        battery.filter(|heard| heard.signal != Signal::Battery(Battery::UNKNOWN)),
        pose,
        localization.map(|localization| Received::new(None, arrival, localization)),
        status.map(|status| Received::new(None, arrival, status)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What Misty says of her place while she does not know it.
const NOWHERE: Pose = Pose::planar(Frame::Map, 0.0, 0.0, 0.0);

fn stamp_of_location(location: &Location, received: Timestamp) -> Stamp {
    let pose = location.pose.as_ref();
    stamp_from_utc(pose.and_then(|pose| pose.created.as_deref()), received)
}

/// Whether a status is more than [`reserved::no_slam_status`].
fn tells(status: &SlamStatus) -> bool {
    status.run_mode != Some(RunMode::NotAvailable) || status.status != Some(0)
}

fn status(
    run: Option<&RobotRunState>,
    camera: Option<&CameraStatus>,
    ip_address: Option<&str>,
) -> Option<Status> {
    if run.is_none() && camera.is_none() && ip_address.is_none() {
        return None;
    }
    let run_state = run.and_then(|RobotRunState { current_state, extra: _ }| current_state.as_ref());
    let (taking_picture, camera) = match camera {
        Some(CameraStatus { is_taking_picture, onboard_camera_status, extra: _ }) => {
            (*is_taking_picture, onboard_camera_status.as_deref().and_then(CameraState::from_word))
        }
        None => (None, None),
    };
    Some(Status {
        run_state: match run_state {
            Some(WireRunState::Loading) => RunState::Loading,
            Some(WireRunState::Updating) => RunState::Updating,
            Some(WireRunState::Running | WireRunState::Other(_)) | None => RunState::Running,
        },
        camera,
        taking_picture,
        ip_address: ip_address.map(str::to_owned),
    })
}

/// A message of a robot about itself.
pub fn self_state(parts: &SelfStateParts<'_>) -> Message {
    let SelfStateParts { at, battery, pose, localization, status, bumped, touched, serial } = *parts;
    let unknown = Battery::UNKNOWN;
    let (battery, read_at) = battery.map_or((&unknown, at), |(battery, stamp)| (battery, stamp.at));
    let (pose, seen_at) = pose.map_or((&NOWHERE, at), |(pose, stamp)| (pose, stamp.at));
    SelfState {
        acceleration: Some(reserved::acceleration()),
        battery: BatteryCharge::encode(battery, &Context::at(read_at)),
        bumped_state: Some(bumped_state(bumped)),
        camera_status: status.and_then(camera_status),
        current_goal: Some(reserved::current_goal()),
        local_ip_address: status.and_then(|status| status.ip_address.clone()),
        location: Some(Location::of(pose, &Context::at(seen_at))),
        mental_state: Some(reserved::mental_state(at)),
        occupancy_grid_cell: Some(reserved::grid_cell()),
        occupancy_grid_cell_meters: Some(0.0),
        robot_run_state: status.map(|status| robot_run_state(status.run_state)),
        serial_messages: Some(Json::from(serial.iter().map(|line| &**line).collect::<Vec<&str>>())),
        slam_status: Some(localization.map_or_else(reserved::no_slam_status, slam_status_from_localization)),
        touched_state: Some(touched_state(touched)),
        extra: Extra::new(),
    }
    .into()
}

fn bumped_state(engaged: &[PartName]) -> BumpedState {
    let names = || engaged.iter().map(|part| names_from_part(Family::Bumper, Some(part)));
    BumpedState {
        disengaged_sensor_ids: Some(Vec::new()),
        disengaged_sensor_names: Some(Vec::new()),
        disengaged_sensors: Some(Vec::new()),
        engaged_sensor_ids: Some(names().map(|it| it.sensor_id.into()).collect()),
        engaged_sensor_names: Some(names().map(|it| it.sensor_name.into()).collect()),
        engaged_sensors: Some(names().map(|it| it.sensor_position.into()).collect()),
        extra: Extra::new(),
    }
}

fn touched_state(engaged: &[PartName]) -> TouchedState {
    let names = engaged.iter().map(|part| names_from_part(Family::Touch, Some(part)));
    TouchedState {
        disengaged_sensors: Some(Vec::new()),
        engaged_sensors: Some(names.map(|it| it.sensor_position.into()).collect()),
        extra: Extra::new(),
    }
}

fn camera_status(status: &Status) -> Option<CameraStatus> {
    let word = match status.camera? {
        CameraState::Off => "Off",
        CameraState::Ready => "Ready",
        CameraState::Streaming => "Streaming",
        CameraState::Error => "Error",
    };
    Some(CameraStatus {
        is_taking_picture: status.taking_picture,
        onboard_camera_status: Some(word.to_owned()),
        extra: Extra::new(),
    })
}

fn robot_run_state(state: RunState) -> RobotRunState {
    let word = match state {
        RunState::Loading => WireRunState::Loading,
        RunState::Running => WireRunState::Running,
        RunState::Updating => WireRunState::Updating,
    };
    RobotRunState { current_state: Some(word), extra: Extra::new() }
}

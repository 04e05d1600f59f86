//! SelfState: the robot about itself. No table, as it is composed of several signals.
//!
//! A Misty that does not know something writes zeros, words for "unknown" or `null`, so this does the same for what
//! other robots do not know, and neither is taken for knowledge when it is read. The sample lacks `robotRunState`,
//! which the text describes: a robot that does not tell it runs, or else it would not answer.

use std::sync::Arc;

use latimer_core::frames::Pose2;
use latimer_core::model::signal::{
    Battery, CameraState, Frame, Localization, OccupancyGrid, Pose, RunState, Status,
};
use latimer_core::{PartName, Signal, Stamp, Timestamp};
use serde_json::{Value as Json, json};

use super::battery::BatteryCharge;
use super::pose::Location;
use super::slam::{
    SlamStatus, is_known, localization_from_slam_status, no_slam_status, slam_status_from_localization,
};
use super::{Context, Event};
use crate::describe::codec::Words;
use crate::describe::{Extra, Incomplete, Message, Received, Translate};
use crate::misty::map::names::{Family, Names, names_from_part};
use crate::misty::map::time::{stamp_from_utc, utc_from_timestamp};

const CAMERAS: Words<CameraState> = Words(&[
    ("Off", CameraState::Off),
    ("Ready", CameraState::Ready),
    ("Streaming", CameraState::Streaming),
    ("Error", CameraState::Error),
]);

/// Booting; booted, and not updating; installing an update.
const RUN_STATES: Words<RunState> = Words(&[
    ("Loading", RunState::Loading),
    ("Running", RunState::Running),
    ("Updating", RunState::Updating),
]);

/// Section "SelfState": the robot about itself, by a timer. Reserved parts may be empty or `null`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct SelfState {
    /// Written as the specification's sample shows it, not read.
    #[field(reserved, null)]
    pub acceleration: Option<Json>,
    /// The battery.
    #[field(model = "", kind = Battery, null)]
    pub battery: Option<BatteryCharge>,
    /// Bumpers that are pressed, by id, name and place: written from contacts, not read.
    #[field(reserved, null)]
    pub bumped_state: Option<Json>,
    /// The RGB camera.
    #[field(model = "", kind = Status, null)]
    pub camera_status: Option<CameraStatus>,
    /// What the robot is trying to do: written as the specification's sample shows it, not read.
    #[field(reserved, null)]
    pub current_goal: Option<Json>,
    /// IPv4 address of the robot.
    #[field(model = "ip_address", kind = Status, name = "localIPAddress", null)]
    pub local_ip_address: Option<String>,
    /// Where the robot is on the current map.
    #[field(model = "", kind = Pose, null)]
    pub location: Option<Location>,
    /// Mood, character and needs: written as the specification's sample shows it, not read.
    #[field(reserved, null)]
    pub mental_state: Option<Json>,
    /// Cell of the current map that the robot is in, 0 0 while it does not know: written from the pose, not read.
    #[field(reserved, null)]
    pub occupancy_grid_cell: Option<Json>,
    /// Side of a cell, m, 0 while the robot does not know where it is: written, not read.
    #[field(reserved, null)]
    pub occupancy_grid_cell_meters: Option<f64>,
    /// Whether the robot boots, runs or updates; described, but not in the sample.
    #[field(model = "", kind = Status)]
    pub robot_run_state: Option<RobotRunState>,
    /// The last lines from the serial port: written, not read.
    #[field(reserved, null)]
    pub serial_messages: Option<Json>,
    /// Mapping and localisation.
    #[field(model = "", kind = Localization, null)]
    pub slam_status: Option<SlamStatus>,
    /// Touch sensors that are touched: written from contacts, not read.
    #[field(reserved, null)]
    pub touched_state: Option<Json>,
    pub(crate) extra: Extra,
}

/// `cameraStatus`: whether the RGB camera is free.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct CameraStatus {
    /// A picture is being taken.
    #[field(model = "taking_picture")]
    pub is_taking_picture: Option<bool>,
    /// What the camera is doing, `Streaming` in the sample.
    #[field(model = "camera", codec = CAMERAS)]
    pub onboard_camera_status: Option<String>,
    pub(crate) extra: Extra,
}

/// `robotRunState`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct RobotRunState {
    /// What the system is doing.
    #[field(model = "run_state", codec = RUN_STATES)]
    pub current_state: Option<String>,
    pub(crate) extra: Extra,
}

/// What is known of a robot at a moment; the default is nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct SelfStateParts<'a> {
    /// The moment.
    pub at: Timestamp,
    /// The battery, and when it was read.
    pub battery: Option<(&'a Battery, Stamp)>,
    /// Where the robot is, and since when.
    pub pose: Option<(&'a Pose, Stamp)>,
    /// The map that it is on.
    pub map: Option<&'a OccupancyGrid>,
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

/// What Misty says of her place while she does not know it.
const NOWHERE: Pose = Pose::planar(Frame::Map, 0.0, 0.0, 0.0);

impl Event for SelfState {
    /// What the robot knows of itself, which may be nothing.
    fn signals(&self, received: Timestamp) -> Result<Vec<Received>, Incomplete> {
        let arrival = Stamp::gateway(received);
        let battery =
            self.battery.as_ref().map(|battery| battery.received(&Context::at(received))).transpose()?;
        let slam = self.slam_status.as_ref().filter(|status| is_known(status));
        let localization = slam.map(localization_from_slam_status);
        let has_pose = localization.as_ref().is_some_and(|it| it.has_pose == Some(true));
        let place = self.location.as_ref().and_then(|location| location.pose.as_ref());
        let pose = place.and_then(|wire| {
            let pose = wire.in_frame(Frame::Map).filter(|pose| *pose != NOWHERE || has_pose)?;
            Some(Received::new(None, stamp_from_utc(wire.created.as_deref(), received), pose))
        });
        Ok([
            battery.filter(|it| it.signal != Signal::Battery(Battery::UNKNOWN)),
            pose,
            localization.map(|it| Received::new(None, arrival, it)),
            self.status().map(|it| Received::new(None, arrival, it)),
        ]
        .into_iter()
        .flatten()
        .collect())
    }
}

impl SelfState {
    fn status(&self) -> Option<Status> {
        let (run, camera, ip_address) = (&self.robot_run_state, &self.camera_status, &self.local_ip_address);
        if run.is_none() && camera.is_none() && ip_address.is_none() {
            return None;
        }
        let run = run.as_ref().and_then(|run| RUN_STATES.meaning(run.current_state.as_deref()?));
        let camera = camera.as_ref();
        Some(Status {
            run_state: run.unwrap_or(RunState::Running),
            camera: camera.and_then(|camera| CAMERAS.meaning(camera.onboard_camera_status.as_deref()?)),
            taking_picture: camera.and_then(|camera| camera.is_taking_picture),
            ip_address: ip_address.clone(),
        })
    }
}

/// A message of a robot about itself.
pub fn self_state(parts: &SelfStateParts<'_>) -> crate::misty::wire::Message {
    let SelfStateParts { at, battery, pose, map, localization, status, bumped, touched, serial } = *parts;
    let unknown = Battery::UNKNOWN;
    let (battery, read_at) = battery.map_or((&unknown, at), |(battery, stamp)| (battery, stamp.at));
    let knows = localization.is_none_or(|it| it.has_pose == Some(true));
    let place = pose.map(|(pose, _)| pose).filter(|pose| knows && pose.frame == Frame::Map);
    let (cell_m, corner) = map
        .filter(|map| map.frame == Frame::Map && map.resolution_m > 0.0)
        .map_or((CELL_M, Pose2::default()), |map| (map.resolution_m, map.corner()));
    let cell = place.map_or([0; 2], |pose| {
        corner.point_in(pose.x_m, pose.y_m).map(|at_m| (at_m / cell_m).floor() as i64)
    });
    let touched = names(Family::Touch, touched, |it| it.sensor_position.into_owned());
    let (pose, seen_at) = pose.map_or((&NOWHERE, at), |(pose, stamp)| (pose, stamp.at));
    SelfState {
        acceleration: Some(json!({"units": "None", "x": 0.0, "y": 0.0, "z": 0.0})),
        battery: BatteryCharge::encode(battery, &Context::at(read_at)),
        bumped_state: Some(bumped_state(bumped)),
        camera_status: status.and_then(camera_status),
        current_goal: Some(json!({
            "directedMotion": null,
            "directedMotionBehavior": "Update",
            "haltActionSequence": false,
        })),
        local_ip_address: status.and_then(|status| status.ip_address.clone()),
        location: Some(Location::of(pose, &Context::at(seen_at))),
        mental_state: Some(mental_state(at)),
        occupancy_grid_cell: Some(json!({"x": cell[0], "y": cell[1]})),
        occupancy_grid_cell_meters: Some(place.map_or(0.0, |_| cell_m)),
        robot_run_state: status.map(|status| RobotRunState {
            current_state: RUN_STATES.word(&status.run_state).map(str::to_owned),
            extra: Extra::new(),
        }),
        serial_messages: Some(serial.iter().map(|line| Json::from(&**line)).collect()),
        slam_status: Some(localization.map_or_else(no_slam_status, slam_status_from_localization)),
        touched_state: Some(json!({"disengagedSensors": [], "engagedSensors": touched})),
        extra: Extra::new(),
    }
    .into()
}

/// Side of a cell of a Misty's map, metres (plausible).
const CELL_M: f64 = 0.05;

fn names(family: Family, parts: &[PartName], of: fn(Names<'_>) -> String) -> Json {
    parts.iter().map(|part| Json::from(of(names_from_part(family, Some(part))))).collect()
}

fn bumped_state(engaged: &[PartName]) -> Json {
    let names = |of| names(Family::Bumper, engaged, of);
    json!({
        "disengagedSensorIds": [],
        "disengagedSensorNames": [],
        "disengagedSensors": [],
        "engagedSensorIds": names(|it| it.sensor_id.to_owned()),
        "engagedSensorNames": names(|it| it.sensor_name.into_owned()),
        "engagedSensors": names(|it| it.sensor_position.into_owned()),
    })
}

/// No mood.
fn mental_state(at: Timestamp) -> Json {
    json!({
        "affect": {"arousal": 0.0, "dominance": 0.0, "valence": 0.0},
        "created": utc_from_timestamp(at),
        "personality": {"agreeableness": 0.0, "conscientiousness": 0.0, "extraversion": 0.0, "neuroticism": 0.0, "openness": 0.0},
        "physiologicalBehavior": {"hunger": {"isEating": false, "level": 0.0}, "sleepiness": {"isSleeping": false, "level": 0.0}},
    })
}

fn camera_status(status: &Status) -> Option<CameraStatus> {
    Some(CameraStatus {
        is_taking_picture: status.taking_picture,
        onboard_camera_status: Some(CAMERAS.word(&status.camera?)?.to_owned()),
        extra: Extra::new(),
    })
}

//! `/device_info_brief`, `/map/info`, `/action`, `/imu_state`.

use latimer_core::model::signal::{Device, MapInfo, Task, TaskState};
use latimer_core::{Stamp, Timestamp};
use serde_json::Value;

use super::Received;
use super::units::{moment_from_timestamp, stamp_from_moment};
use crate::axbot::messages::device::{Action, DeviceInfoBrief, DeviceNames, ImuState};
use crate::axbot::messages::grids::MapInfo as WireMapInfo;
use crate::axbot::overlays::{features_from_overlays, overlays_from_features};
use crate::axbot::wire::Extra;
use crate::describe::{Incomplete, need};

/// The kind of the tasks that are told on `/action`.
const MAINTENANCE: &str = "maintenance";

/// Their names, and what the vendor calls them in messages.
pub(in crate::axbot) const ACTIONS: [(&str, &str); 2] =
    [("recalibrate_imu", "IMU calibration"), ("calibrate_gyro_scale", "Gyroscope scale calibration")];

/// How a calibration stands, by the vendor's numbers.
const CALIBRATION: [(i64, TaskState); 3] =
    [(1, TaskState::Progress), (2, TaskState::Succeeded), (3, TaskState::Failed)];

/// What the message of a failure begins with.
const ERROR: &str = "error";

/// What the robot is.
pub(super) fn received_from_device_info(message: &DeviceInfoBrief, received: Timestamp) -> Received {
    let DeviceInfoBrief {
        rosversion: _,
        rosdistro: _,
        axbot_version,
        device,
        baseboard: _,
        wheel_control: _,
        lidar: _,
        bottom_sensor_pack: _,
        depth_camera: _,
        remote_params: _,
        extra: _,
    } = message;
    let DeviceNames { model, sn, name, extra: _ } = device.clone().unwrap_or_default();
    let device = Device {
        maker: None,
        model,
        serial: sn,
        name,
        firmware: axbot_version.clone(),
        hardware: None,
        ip_address: None,
        mac_address: None,
        simulated: false,
    };
    Received::new(None, Stamp::gateway(received), device)
}

/// What the robot is, as far as it is known; `None` if nothing is.
pub(super) fn device_info(device: &Device) -> Option<DeviceInfoBrief> {
    let Device { model, serial, name, firmware, .. } = device;
    let names =
        DeviceNames { model: model.clone(), sn: serial.clone(), name: name.clone(), extra: Extra::new() };
    let device = (names != DeviceNames::default()).then_some(names);
    let brief = DeviceInfoBrief { axbot_version: firmware.clone(), device, ..DeviceInfoBrief::default() };
    (brief != DeviceInfoBrief::default()).then_some(brief)
}

/// The map; nothing if it has no name. Marks that cannot be read are left out.
pub(super) fn received_from_map_info(
    message: &WireMapInfo,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let WireMapInfo { name, uid, map_version, overlays_version, overlays, extra: _ } = message;
    let overlays = match overlays {
        Some(Value::String(text)) => Some(text.clone()),
        Some(object) => Some(object.to_string()),
        None => None,
    };
    let features = overlays.and_then(|text| features_from_overlays(&text).ok());
    let map = MapInfo {
        name: need(name.clone().or_else(|| uid.clone()), "name")?,
        uid: uid.clone(),
        version: *map_version,
        features_version: *overlays_version,
        features: features.unwrap_or_default(),
    };
    Ok(Received::new(None, Stamp::gateway(received), map))
}

/// The map, its marks as an object.
pub(super) fn map_info(map: &MapInfo) -> WireMapInfo {
    let MapInfo { name, uid, version, features_version, features } = map;
    WireMapInfo {
        name: Some(name.clone()),
        uid: uid.clone(),
        map_version: *version,
        overlays_version: *features_version,
        overlays: serde_json::from_str(&overlays_from_features(features)).ok(),
        extra: Extra::new(),
    }
}

/// What became of something; nothing but for what robots do to themselves.
pub(super) fn received_from_action(message: &Action, received: Timestamp) -> Option<Received> {
    let Action { timestamp, email: _, username: _, device_name: _, action, message, extra: _ } = message;
    let (id, _) = ACTIONS.iter().find(|(known, _)| action.as_deref() == Some(*known))?;
    let message = message.as_deref().unwrap_or_default();
    let failed = message.get(..ERROR.len()).is_some_and(|start| start.eq_ignore_ascii_case(ERROR));
    let state = if failed { TaskState::Failed } else { TaskState::Succeeded };
    let reason = Some(message.to_owned()).filter(|message| !message.is_empty());
    let task = Task { reason, ..Task::new(*id, MAINTENANCE, state) };
    Some(Received::new(None, stamp_from_moment(timestamp.as_ref(), received), task))
}

/// What became of something that a robot did to itself; `None` before it ended, and for any other task.
pub(super) fn action(task: &Task, at: Timestamp) -> Option<Action> {
    let (word, name) = ACTIONS.iter().find(|(known, _)| *known == task.id && task.kind == MAINTENANCE)?;
    let reason = task.reason.as_deref();
    let message = match task.state {
        TaskState::Succeeded => reason.map_or_else(|| format!("{name} succeeded"), str::to_owned),
        TaskState::Failed | TaskState::Cancelled => match reason {
            Some(reason) if reason.starts_with(ERROR) => reason.to_owned(),
            Some(reason) => format!("{ERROR}: {reason}"),
            None => format!("{ERROR}: {name} failed"),
        },
        _ => return None,
    };
    Some(Action {
        timestamp: Some(moment_from_timestamp(at)),
        email: None,
        username: None,
        device_name: None,
        action: Some((*word).to_owned()),
        message: Some(message),
        extra: Extra::new(),
    })
}

/// How the calibration of the inertial sensor stands; nothing if there was none.
pub(super) fn received_from_imu_state(message: &ImuState, received: Timestamp) -> Option<Received> {
    let ImuState {
        calibrate_state,
        calibrate_fail_reason: _,
        temperature: _,
        angular_velocity_standard_deviation_10s: _,
        angular_velocity_avg_10s: _,
        linear_acc_standard_deviation_10s: _,
        gyro_calibrating: _,
        gyro_bias: _,
        gyro_bias_target: _,
        extra: _,
    } = message;
    let (_, state) = CALIBRATION.iter().find(|(number, _)| Some(*number) == *calibrate_state)?;
    let [(id, _), _] = ACTIONS;
    Some(Received::new(None, Stamp::gateway(received), Task::new(id, MAINTENANCE, *state)))
}

/// How the calibration of the inertial sensor stands; `None` for any other task.
pub(super) fn imu_state(task: &Task) -> Option<ImuState> {
    let [(id, _), _] = ACTIONS;
    let state = match task.state {
        TaskState::Confirmed => TaskState::Progress,
        TaskState::Cancelled => TaskState::Failed,
        other => other,
    };
    let (number, _) = CALIBRATION.iter().find(|(_, known)| *known == state)?;
    (task.id == id && task.kind == MAINTENANCE).then(|| ImuState {
        calibrate_state: Some(*number),
        calibrate_fail_reason: Some(i64::from(state == TaskState::Failed)),
        ..ImuState::default()
    })
}

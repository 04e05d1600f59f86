//! `GET device`: what the robot is, with its received parts as its capabilities.

use latimer_core::Signal;
use latimer_core::hub::Shared;
use latimer_core::model::Kind;
use latimer_core::model::signal::{ContactSensor, Device};
use serde_json::{Map, Value as Json, json};

use super::robot::FacadeRobot;
use crate::describe::Translate;
use crate::misty::map::names::{BUMPERS, EDGES, Family, RANGES, TOUCHES, names_from_part};
use crate::misty::messages::Context;
use crate::misty::messages::battery::{BATTERY_SENSOR_ID, BATTERY_SENSOR_NAME, BatteryCharge};
use crate::misty::wire::Message;

/// A Misty's own messages pass through; those of another robot are encoded in Misty's words.
pub(super) fn answer(robot: &FacadeRobot) -> Json {
    let update = robot.last(Kind::Device);
    if let Some(native) = update.as_ref().and_then(|update| update.native.as_ref())
        && native.dialect == crate::misty::NAME
        && let Ok(sent) = serde_json::from_slice(&native.payload)
    {
        return sent;
    }
    let known = match update.as_ref().map(|update| &update.signal) {
        Some(Signal::Device(device)) => Some(device),
        _ => None,
    };
    let text = |of: fn(&Device) -> &Option<String>| known.and_then(|device| of(device).clone());
    let board =
        json!({"boardId": null, "firmware": text(|it| &it.firmware), "hardware": text(|it| &it.hardware)});
    json!({
        "batteryLevel": battery(robot),
        "currentProfileName": null,
        "hardwareInfo": {"mcBoard": board, "rtcBoard": board},
        "ipAddress": text(|it| &it.ip_address).unwrap_or_else(|| robot.ip.to_string()),
        "macAddress": text(|it| &it.mac_address),
        "networkConnectivity": "LocalAccess",
        "outputCapabilities": outputs(robot),
        "robotId": robot.robot.as_str(),
        "robotName": text(|it| &it.name).unwrap_or_else(|| robot.robot.to_string()),
        "robotVersion": text(|it| &it.firmware),
        "sensorCapabilities": sensors(robot),
        "sensoryServiceAppVersion": text(|it| &it.firmware),
        "serialNumber": text(|it| &it.serial),
        "sku": text(|it| &it.model),
        "windowsOSVersion": null,
    })
}

fn battery(robot: &FacadeRobot) -> Option<Json> {
    let update = robot.last(Kind::Battery)?;
    match &update.signal {
        Signal::Battery(battery) => {
            let message: Message = BatteryCharge::encode(battery, &Context::at(update.stamp.at))?.into();
            Some(message.full())
        }
        _ => None,
    }
}

/// Name of each joint, by which it is moved, and its id.
fn outputs(robot: &FacadeRobot) -> Map<String, Json> {
    let joints = robot.hub.last_of_parts(&robot.robot, Kind::Joint);
    let pair = |joint: &Shared| {
        let names = names_from_part(Family::Joint, joint.part.as_ref());
        (lower_first(&names.sensor_name), json!(names.actuator_id))
    };
    joints.iter().map(|joint| pair(joint)).collect()
}

/// Name and id of each sensor with a reading; a Misty has all of hers though they have not spoken yet.
fn sensors(robot: &FacadeRobot) -> Map<String, Json> {
    let mut sensors: Map<String, Json> =
        robot.hub.last_of_robot(&robot.robot).iter().filter_map(|update| sensor(update)).collect();
    if robot.hub.family(&robot.robot) == Some(crate::misty::NAME) {
        for sensor in [&BUMPERS[..], &TOUCHES, &RANGES, &EDGES].into_iter().flatten() {
            let (name, id) = capability(sensor.sensor_name, sensor.sensor_id);
            sensors.insert(name, id);
        }
    }
    sensors
}

fn sensor(update: &Shared) -> Option<(String, Json)> {
    let of = |family| {
        let names = names_from_part(family, update.part.as_ref());
        Some((lower_first(&names.sensor_name), json!(names.sensor_id)))
    };
    let fixed = |name: &str, id: &str| Some((name.to_owned(), json!(id)));
    match &update.signal {
        Signal::Joint(_) => of(Family::Joint),
        Signal::Range(_) => of(Family::Range),
        Signal::Cliff(_) => of(Family::Edge),
        Signal::Contact(it) => {
            let family = if it.sensor == ContactSensor::Bumper { Family::Bumper } else { Family::Touch };
            let names = names_from_part(family, update.part.as_ref());
            Some(capability(&names.sensor_name, names.sensor_id))
        }
        Signal::Battery(_) => fixed(BATTERY_SENSOR_NAME, BATTERY_SENSOR_ID),
        Signal::Imu(_) => fixed("/Sensors/RTC/IMU", "imu"),
        Signal::Encoders(_) => fixed("driveEncoders", "enc"),
        Signal::HazardSettings(_) | Signal::Hazard(_) => fixed("hazardNotificationSensor", "hzrd"),
        Signal::Localization(_) => fixed("/Sensors/OccipitalSlam", "slam"),
        _ => None,
    }
}

/// Sensors are listed one by one, touch sensors as the one chip that they share.
fn capability(name: &str, id: &str) -> (String, Json) {
    let name = if id == TOUCHES[0].sensor_id { "/Sensors/CapTouch".to_owned() } else { lower_first(name) };
    (name, json!(id))
}

/// `Bump_FrontLeft` as `bump_FrontLeft`: how capabilities are spelled.
fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

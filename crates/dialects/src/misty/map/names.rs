//! The names of Misty's sensors and of the parts that they are here.
//!
//! | family | part | `sensorId` | `sensorName` | `sensorPosition` |
//! |---|---|---|---|---|
//! | joint | `head_pitch` … | `ahp` | `Actuator_HeadPitch` | |
//! | bumper | `bump_front_right` … | `bfr` | `Bump_FrontRight` | `FrontRight` |
//! | touch | `touch_chin` … | `cap`, for all | `CapTouch_Chin` | `Chin` |
//! | range | `front_right` … | `toffr` | `toF_Right` | `Right` |
//! | edge | `front_right` … | `tofdfr` | `toF_DownFrontRight` | `DownFrontRight` |
//!
//! A sonar on the nose, cliff sensors left and right and the turn of a head stand where Misty's own do, so that her programs
//! find them: `sonar` is `toffc`, the edges `left` and `right` are `tofdfl` and `tofdfr`, `yaw` is `ahy`.
//!
//! A part that Misty does not have otherwise keeps its name as `sensorId`, and gets it as `sensorName` in Misty's manner:
//! `sonar_left` is `SonarLeft`. A sensor that nobody knows becomes a part by its `sensorId`, so both ways meet.

use std::borrow::Cow;

use latimer_core::PartName;

use super::manner::{pascal_case, snake_case};
use crate::misty::wire::contact::{BUMP_SENSORS, ContactPlace, TOUCH_SENSORS};
use crate::misty::wire::motion::{ACTUATORS, Actuator};
use crate::misty::wire::tof::{TOF_SENSORS, TofSensor};

/// A sensor of Misty II.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sensor {
    /// The part's name in the model.
    pub part: &'static str,
    /// `sensorId`.
    pub sensor_id: &'static str,
    /// `sensorName`.
    pub sensor_name: &'static str,
    /// `sensorPosition`; empty where events have none.
    pub sensor_position: &'static str,
    /// `actuatorId`; empty if it is no actuator.
    pub actuator_id: &'static str,
}

const fn joint(part: &'static str, wire: Actuator) -> Sensor {
    let Actuator { sensor_id, sensor_name, actuator_id } = wire;
    Sensor { part, sensor_id, sensor_name, sensor_position: "", actuator_id }
}

const fn contact(part: &'static str, wire: ContactPlace) -> Sensor {
    let ContactPlace { sensor_id, sensor_name, sensor_position } = wire;
    Sensor { part, sensor_id, sensor_name, sensor_position, actuator_id: "" }
}

const fn tof(part: &'static str, wire: &TofSensor) -> Sensor {
    let TofSensor { place: _, sensor_name, hazard_name: _, sensor_id, sensor_position, type_: _ } = wire;
    Sensor { part, sensor_id, sensor_name, sensor_position, actuator_id: "" }
}

/// The joints.
pub const JOINTS: [Sensor; 5] = [
    joint("head_pitch", ACTUATORS[0]),
    joint("head_yaw", ACTUATORS[1]),
    joint("head_roll", ACTUATORS[2]),
    joint("arm_left", ACTUATORS[3]),
    joint("arm_right", ACTUATORS[4]),
];

/// The bumpers.
pub const BUMPERS: [Sensor; 4] = [
    contact("bump_front_right", BUMP_SENSORS[0]),
    contact("bump_front_left", BUMP_SENSORS[1]),
    contact("bump_rear_right", BUMP_SENSORS[2]),
    contact("bump_rear_left", BUMP_SENSORS[3]),
];

/// The touch sensors; all share one `sensorId`.
pub const TOUCHES: [Sensor; 6] = [
    contact("touch_chin", TOUCH_SENSORS[0]),
    contact("touch_head_left", TOUCH_SENSORS[1]),
    contact("touch_head_right", TOUCH_SENSORS[2]),
    contact("touch_head_back", TOUCH_SENSORS[3]),
    contact("touch_head_front", TOUCH_SENSORS[4]),
    contact("touch_scruff", TOUCH_SENSORS[5]),
];

/// The range sensors.
pub const RANGES: [Sensor; 4] = [
    tof("front_right", &TOF_SENSORS[0]),
    tof("front_left", &TOF_SENSORS[1]),
    tof("front_center", &TOF_SENSORS[2]),
    tof("back", &TOF_SENSORS[3]),
];

/// The edge sensors.
pub const EDGES: [Sensor; 4] = [
    tof("front_right", &TOF_SENSORS[4]),
    tof("front_left", &TOF_SENSORS[5]),
    tof("back_right", &TOF_SENSORS[6]),
    tof("back_left", &TOF_SENSORS[7]),
];

/// Parts of other robots that are what a sensor of Misty's is: family, part, and the part that she has.
const LIKE_HERS: [(Family, &str, &str); 4] = [
    (Family::Range, "sonar", "front_center"),
    (Family::Edge, "left", "front_left"),
    (Family::Edge, "right", "front_right"),
    (Family::Joint, "yaw", "head_yaw"),
];

/// `sensorId` of every touch sensor.
const SHARED_ID: &str = TOUCH_SENSORS[0].sensor_id;

/// Sensors among which a part's name is unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// [`JOINTS`].
    Joint,
    /// [`BUMPERS`].
    Bumper,
    /// [`TOUCHES`].
    Touch,
    /// [`RANGES`].
    Range,
    /// [`EDGES`].
    Edge,
}

impl Family {
    /// The sensors that Misty has.
    pub const fn sensors(self) -> &'static [Sensor] {
        match self {
            Self::Joint => &JOINTS,
            Self::Bumper => &BUMPERS,
            Self::Touch => &TOUCHES,
            Self::Range => &RANGES,
            Self::Edge => &EDGES,
        }
    }

    /// The `sensorId` of a robot's only sensor, when that has no part.
    const fn word(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Bumper => "bumper",
            Self::Touch => "touch",
            Self::Range => "range",
            Self::Edge => "edge",
        }
    }
}

/// What a sensor is called on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names<'a> {
    /// `sensorId`.
    pub sensor_id: &'a str,
    /// `sensorName`.
    pub sensor_name: Cow<'static, str>,
    /// `sensorPosition`.
    pub sensor_position: Cow<'static, str>,
    /// `actuatorId`.
    pub actuator_id: &'a str,
}

/// The names of a part of any robot.
pub fn names_from_part(family: Family, part: Option<&PartName>) -> Names<'_> {
    let part = part.map_or(family.word(), PartName::as_str);
    let hers = LIKE_HERS.iter().find(|(of, like, _)| *of == family && *like == part);
    let part = hers.map_or(part, |(.., hers)| hers);
    match family.sensors().iter().find(|sensor| sensor.part == part) {
        Some(sensor) => Names {
            sensor_id: sensor.sensor_id,
            sensor_name: sensor.sensor_name.into(),
            sensor_position: sensor.sensor_position.into(),
            actuator_id: sensor.actuator_id,
        },
        None => {
            let name: Cow<'static, str> = pascal_case(part).into();
            Names { sensor_id: part, sensor_name: name.clone(), sensor_position: name, actuator_id: part }
        }
    }
}

/// The names by which a message tells its sensor.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'a> {
    /// `sensorId`.
    pub sensor_id: Option<&'a str>,
    /// `sensorName`.
    pub sensor_name: Option<&'a str>,
    /// `sensorPosition`.
    pub sensor_position: Option<&'a str>,
}

impl Given<'_> {
    fn own_id(&self) -> Option<&str> {
        self.sensor_id.filter(|id| *id != SHARED_ID)
    }
}

/// The sensor of Misty's that is meant, by the first name that tells.
pub(super) fn sensor_from_names(family: Family, given: Given<'_>) -> Option<&'static Sensor> {
    type NameOf = fn(&Sensor) -> &'static str;
    let by = |name: Option<&str>, of: NameOf| {
        let name = name.filter(|name| !name.is_empty())?;
        family.sensors().iter().find(|sensor| of(sensor).eq_ignore_ascii_case(name))
    };
    by(given.own_id(), |sensor| sensor.sensor_id)
        .or_else(|| by(given.sensor_name, |sensor| sensor.sensor_name))
        .or_else(|| by(given.sensor_position, |sensor| sensor.sensor_position))
}

/// The part that is meant: Misty's own, or one named after what the message gives.
pub fn part_from_names(family: Family, given: Given<'_>) -> Option<PartName> {
    if let Some(sensor) = sensor_from_names(family, given) {
        return Some(PartName::of(sensor.part));
    }
    if let Some(id) = given.own_id().filter(|id| !id.is_empty()) {
        return (id != family.word()).then(|| PartName::of(id));
    }
    let name = given.sensor_position.or(given.sensor_name).filter(|name| !name.is_empty())?;
    Some(PartName::of(&snake_case(name)))
}

//! The names of Misty's sensors and of the parts that they are here.
//!
//! A part that Misty does not have keeps its name as `sensorId`, and gets it as `sensorName` in Misty's manner:
//! `sonar_left` is `SonarLeft`. A sensor that nobody knows becomes a part by its `sensorId`, so both ways meet.

use std::borrow::Cow;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use latimer_core::PartName;
use latimer_core::model::Kind;

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

type Name = &'static str;

const fn joint(part: Name, sensor_id: Name, sensor_name: Name, actuator_id: Name) -> Sensor {
    Sensor { part, sensor_id, sensor_name, sensor_position: "", actuator_id }
}

const fn placed(part: Name, sensor_id: Name, sensor_name: Name, sensor_position: Name) -> Sensor {
    Sensor { part, sensor_id, sensor_name, sensor_position, actuator_id: "" }
}

/// The joints.
pub const JOINTS: [Sensor; 5] = [
    joint("head_pitch", "ahp", "Actuator_HeadPitch", "Awb61F"),
    joint("head_yaw", "ahy", "Actuator_HeadYaw", "2ABzJD"),
    joint("head_roll", "ahr", "Actuator_HeadRoll", "QSygCx"),
    joint("arm_left", "ala", "Actuator_LeftArm", "NBQEA0"),
    joint("arm_right", "ara", "Actuator_RightArm", "dYV1Vt"),
];

/// The bumpers.
pub const BUMPERS: [Sensor; 4] = [
    placed("bump_front_right", "bfr", "Bump_FrontRight", "FrontRight"),
    placed("bump_front_left", "bfl", "Bump_FrontLeft", "FrontLeft"),
    placed("bump_rear_right", "brr", "Bump_RearRight", "RearRight"),
    placed("bump_rear_left", "brl", "Bump_RearLeft", "RearLeft"),
];

/// The touch sensors; all share one `sensorId`.
pub const TOUCHES: [Sensor; 6] = [
    placed("touch_chin", SHARED_ID, "CapTouch_Chin", "Chin"),
    placed("touch_head_left", SHARED_ID, "CapTouch_HeadLeft", "HeadLeft"),
    placed("touch_head_right", SHARED_ID, "CapTouch_HeadRight", "HeadRight"),
    placed("touch_head_back", SHARED_ID, "CapTouch_HeadBack", "HeadBack"),
    placed("touch_head_front", SHARED_ID, "CapTouch_HeadFront", "HeadFront"),
    placed("touch_scruff", SHARED_ID, "CapTouch_Scruff", "Scruff"),
];

/// The range sensors.
pub const RANGES: [Sensor; 4] = [
    placed("front_right", "toffr", "toF_Right", "Right"),
    placed("front_left", "toffl", "toF_Left", "Left"),
    placed("front_center", "toffc", "toF_Center", "Center"),
    placed("back", "tofr", "toF_Back", "Back"),
];

/// The edge sensors.
pub const EDGES: [Sensor; 4] = [
    placed("front_right", "tofdfr", "toF_DownFrontRight", "DownFrontRight"),
    placed("front_left", "tofdfl", "toF_DownFrontLeft", "DownFrontLeft"),
    placed("back_right", "tofdrr", "toF_DownBackRight", "DownBackRight"),
    placed("back_left", "tofdrl", "toF_DownBackLeft", "DownBackLeft"),
];

/// The only lamp, behind the logo.
pub const CHEST: &str = "chest";

/// `sensorId` of every touch sensor.
const SHARED_ID: &str = "cap";

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

    /// Those that report a kind.
    pub(in crate::misty) const fn of_kind(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Joint => &[Self::Joint],
            Kind::Contact => &[Self::Bumper, Self::Touch],
            Kind::Range => &[Self::Range],
            Kind::Cliff => &[Self::Edge],
            _ => &[],
        }
    }

    /// The `sensorId` of a robot's only sensor, when that has no part.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Bumper => "bumper",
            Self::Touch => "touch",
            Self::Range => "range",
            Self::Edge => "edge",
        }
    }
}

/// Whether Misty's programs know a part of a kind: of kinds whose sensors have names, those that she has.
pub fn is_known(kind: Kind, part: Option<&PartName>) -> bool {
    let families = Family::of_kind(kind);
    let mut sensors = families.iter().flat_map(|family| family.sensors());
    families.is_empty() || sensors.any(|it| part.is_some_and(|part| part.as_str() == it.part))
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
    match family.sensors().iter().find(|sensor| sensor.part == part) {
        Some(sensor) => Names {
            sensor_id: sensor.sensor_id,
            sensor_name: sensor.sensor_name.into(),
            sensor_position: sensor.sensor_position.into(),
            actuator_id: sensor.actuator_id,
        },
        None => {
            let name: Cow<'static, str> = part.to_upper_camel_case().into();
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

impl<'a> Given<'a> {
    /// The names of a message.
    pub fn of(id: &'a Option<String>, name: &'a Option<String>, position: &'a Option<String>) -> Self {
        Self { sensor_id: id.as_deref(), sensor_name: name.as_deref(), sensor_position: position.as_deref() }
    }

    fn own_id(&self) -> Option<&str> {
        self.sensor_id.filter(|id| *id != SHARED_ID)
    }
}

/// The sensor of Misty's that is meant, by the first name that tells.
pub(in crate::misty) fn sensor_from_names(family: Family, given: Given<'_>) -> Option<&'static Sensor> {
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
    Some(PartName::of(&name.to_snake_case()))
}

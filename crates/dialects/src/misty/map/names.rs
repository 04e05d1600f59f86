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
//! A part that Misty does not have keeps its name as `sensorId`, and gets it as `sensorName` in Misty's manner:
//! `sonar_left` is `SonarLeft`. A sensor that nobody knows becomes a part by its `sensorId`, so both ways meet.

use std::borrow::Cow;

use latimer_core::PartName;

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

/// `sonar_left` as `SonarLeft`.
pub(super) fn pascal_case(name: &str) -> String {
    let mut at_start = true;
    let mut pascal = String::with_capacity(name.len());
    for c in name.chars() {
        let gap = matches!(c, '_' | '-' | '.' | ' ');
        if !gap {
            pascal.push(if at_start { c.to_ascii_uppercase() } else { c });
        }
        at_start = gap;
    }
    pascal
}

/// `SonarLeft` and `Sonar left` as `sonar_left`.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for c in name.chars() {
        let gap = !c.is_alphanumeric();
        if (gap || (c.is_ascii_uppercase() && after_small)) && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        if !gap {
            snake.push(c.to_ascii_lowercase());
        }
        after_small = !gap && !c.is_ascii_uppercase();
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILIES: [Family; 5] = [Family::Joint, Family::Bumper, Family::Touch, Family::Range, Family::Edge];

    #[test]
    fn the_table_says_what_its_parts_say() {
        let names: Vec<_> = FAMILIES
            .iter()
            .flat_map(|family| family.sensors())
            .map(|sensor| format!("{} {} {}", sensor.part, sensor.sensor_id, sensor.sensor_name))
            .collect();
        assert_eq!(
            names,
            [
                "head_pitch ahp Actuator_HeadPitch",
                "head_yaw ahy Actuator_HeadYaw",
                "head_roll ahr Actuator_HeadRoll",
                "arm_left ala Actuator_LeftArm",
                "arm_right ara Actuator_RightArm",
                "bump_front_right bfr Bump_FrontRight",
                "bump_front_left bfl Bump_FrontLeft",
                "bump_rear_right brr Bump_RearRight",
                "bump_rear_left brl Bump_RearLeft",
                "touch_chin cap CapTouch_Chin",
                "touch_head_left cap CapTouch_HeadLeft",
                "touch_head_right cap CapTouch_HeadRight",
                "touch_head_back cap CapTouch_HeadBack",
                "touch_head_front cap CapTouch_HeadFront",
                "touch_scruff cap CapTouch_Scruff",
                "front_right toffr toF_Right",
                "front_left toffl toF_Left",
                "front_center toffc toF_Center",
                "back tofr toF_Back",
                "front_right tofdfr toF_DownFrontRight",
                "front_left tofdfl toF_DownFrontLeft",
                "back_right tofdrr toF_DownBackRight",
                "back_left tofdrl toF_DownBackLeft",
            ]
        );
    }

    #[test]
    fn every_part_comes_back_from_what_a_message_of_either_version_gives() {
        for family in FAMILIES {
            for sensor in family.sensors() {
                let part = PartName::of(sensor.part);
                let names = names_from_part(family, Some(&part));
                let given = Given {
                    sensor_id: Some(names.sensor_id),
                    sensor_name: Some(&names.sensor_name),
                    sensor_position: Some(&names.sensor_position),
                };
                assert_eq!(part_from_names(family, given), Some(part.clone()));
                let current = Given { sensor_name: None, ..given };
                assert_eq!(part_from_names(family, current), Some(part.clone()));
                let named = Given { sensor_name: given.sensor_name, ..Given::default() };
                assert_eq!(part_from_names(family, named), Some(part));
            }
        }
    }

    #[test]
    fn a_part_that_misty_lacks_is_not_lost() {
        for family in FAMILIES {
            let part = PartName::of("sonar_left");
            let names = names_from_part(family, Some(&part));
            assert_eq!((names.sensor_id, &*names.sensor_name), ("sonar_left", "SonarLeft"));
            let given = Given { sensor_id: Some(names.sensor_id), ..Given::default() };
            assert_eq!(part_from_names(family, given), Some(part));
            let names = names_from_part(family, None);
            let given = Given { sensor_id: Some(names.sensor_id), ..Given::default() };
            assert_eq!(part_from_names(family, given), None);
        }
    }

    #[test]
    fn a_sensor_that_nobody_knows_becomes_a_part() {
        let given = Given { sensor_id: Some("cap"), sensor_position: Some("LeftEar"), ..Given::default() };
        assert_eq!(part_from_names(Family::Touch, given), Some(PartName::of("left_ear")));
        assert_eq!(part_from_names(Family::Touch, Given::default()), None);
        assert_eq!(part_from_names(Family::Range, Given { sensor_id: Some(""), ..Given::default() }), None);
    }

    #[test]
    fn words_change_their_manner() {
        assert_eq!(pascal_case("sonar_front-2.left"), "SonarFront2Left");
        assert_eq!(pascal_case("__é_ü"), "éü");
        for (name, snake) in [
            ("SonarLeft", "sonar_left"),
            ("Front right hazard", "front_right_hazard"),
            ("TOF_DownFrontRight", "tof_down_front_right"),
            ("IMU", "imu"),
            ("", ""),
        ] {
            assert_eq!(snake_case(name), snake);
        }
    }
}

//! HazardNotification: what keeps the robot from driving. No table, as the items of six lists are those of one.
//!
//! Misty always lists all her sensors, so those that a robot does not name are written as in no hazard. A part that
//! Misty lacks comes behind them under its own name.

use std::sync::Arc;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use latimer_core::model::signal::{Hazard, HazardItem, HazardSource};

use super::Context;
use crate::describe::codec::{CodecInfo, Describe};
use crate::describe::{Extra, Incomplete, Message, Translate};

/// One sensor, zone or motor: its part in the model and its name on the wire.
pub type HazardName = (&'static str, &'static str);

const BUMPERS: &[HazardName] = &[
    ("bump_front_right", "Bump_FrontRight"),
    ("bump_front_left", "Bump_FrontLeft"),
    ("bump_rear_right", "Bump_RearRight"),
    ("bump_rear_left", "Bump_RearLeft"),
];
const CURRENTS: &[HazardName] = &[
    ("track_right", "CurrentSensor_RightTrack"),
    ("track_left", "CurrentSensor_LeftTrack"),
    ("arm_right", "CurrentSensor_RightArm"),
    ("arm_left", "CurrentSensor_LeftArm"),
    ("head_pitch", "CurrentSensor_HeadPitch"),
    ("head_roll", "CurrentSensor_HeadRoll"),
    ("head_yaw", "CurrentSensor_HeadYaw"),
];
const ZONES: &[HazardName] = &[
    ("front_right", "Front right hazard"),
    ("front_center", "Front center hazard"),
    ("front_left", "Front left hazard"),
    ("back_right", "Back right hazard"),
    ("back_center", "Back center hazard"),
    ("back_left", "Back left hazard"),
];
const MOTORS: &[HazardName] = &[
    ("drive_right", "RightDrive"),
    ("drive_left", "LeftDrive"),
    ("arm_right", "RightArm"),
    ("arm_left", "LeftArm"),
    ("head_pitch", "HeadPitch"),
    ("head_roll", "HeadRoll"),
    ("head_yaw", "HeadYaw"),
];
const RANGES: &[HazardName] = &[
    ("range_front_right", "TOF_Right"),
    ("range_front_center", "TOF_Center"),
    ("range_front_left", "TOF_Left"),
    ("range_back", "TOF_Back"),
    ("cliff_front_right", "TOF_DownFrontRight"),
    ("cliff_front_left", "TOF_DownFrontLeft"),
    ("cliff_back_right", "TOF_DownBackRight"),
    ("cliff_back_left", "TOF_DownBackLeft"),
];

/// What Misty watches for hazards of a source, in the order of the specification's sample.
pub const fn hazard_names(source: HazardSource) -> &'static [HazardName] {
    match source {
        HazardSource::Bumper => BUMPERS,
        HazardSource::Current => CURRENTS,
        HazardSource::DriveZone => ZONES,
        HazardSource::MotorStall | HazardSource::Overspeed => MOTORS,
        HazardSource::Range => RANGES,
    }
}

/// The part that a name on the wire stands for.
fn hazard_part_from_name(source: HazardSource, name: &str) -> Arc<str> {
    let known = hazard_names(source).iter().find(|(_, wire)| wire.eq_ignore_ascii_case(name));
    known.map_or_else(|| name.to_snake_case().into(), |(part, _)| (*part).into())
}

/// The names of what is watched for hazards of a source.
struct Watched(HazardSource);

impl Describe for Watched {
    fn info(&self) -> CodecInfo {
        let words = hazard_names(self.0).iter().map(|(part, name)| (*name, *part));
        CodecInfo { words: words.collect(), ..CodecInfo::default() }
    }
}

/// Section "HazardNotification": a hazard began or ended; all sensors are listed. The message carries no time.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct HazardNotification {
    /// The bumpers.
    #[field(model = "items", note = "items whose source is `bumper`")]
    pub bump_sensors_hazard_state: Option<Vec<BumperState>>,
    /// What failed inside.
    #[field(
        model = "critical_error_code",
        note = "0 none, 1 firmware and processor do not talk, 2 real-time controller lost"
    )]
    pub critical_internal_error: Option<i64>,
    /// The motor currents; reserved.
    #[field(model = "items", note = "items whose source is `current`")]
    pub current_sensors_hazard: Option<Vec<CurrentState>>,
    /// Zones in which driving is stopped.
    #[field(model = "items", note = "items whose source is `drive_zone`")]
    pub drive_stopped: Option<Vec<ZoneState>>,
    /// Motors that turn too fast; described, but not in the sample.
    #[field(model = "items", note = "items whose source is `overspeed`; only if a robot tells")]
    pub excessive_speed_hazard: Option<Vec<SpeedState>>,
    /// Stalled motors; reserved.
    #[field(model = "items", note = "items whose source is `motor_stall`")]
    pub motor_stall_hazard: Option<Vec<StallState>>,
    /// The time-of-flight sensors.
    #[field(model = "items", note = "items whose source is `range`")]
    pub time_of_flight_sensors_hazard_state: Option<Vec<RangeState>>,
    pub(crate) extra: Extra,
}

/// Whether one sensor, zone or motor is in a hazard state.
trait State: Sized {
    const SOURCE: HazardSource;

    fn of(name: String, active: bool) -> Self;

    fn item(&self) -> Option<HazardItem>;

    fn items(states: &Option<Vec<Self>>) -> impl Iterator<Item = HazardItem> {
        states.iter().flatten().filter_map(Self::item)
    }

    /// All that Misty watches, then what else a robot named.
    fn list(items: &[HazardItem]) -> Option<Vec<Self>> {
        let names = hazard_names(Self::SOURCE);
        let of_source = || items.iter().filter(|item| item.source == Self::SOURCE);
        let own = names.iter().map(|(part, name)| {
            let active = of_source().any(|item| *item.part == **part && item.active);
            Self::of((*name).to_owned(), active)
        });
        let foreign = of_source()
            .filter(|item| names.iter().all(|(part, _)| *item.part != **part))
            .map(|item| Self::of(item.part.to_upper_camel_case(), item.active));
        Some(own.chain(foreign).collect())
    }
}

macro_rules! states {
    ($($(#[$about:meta])* $name:ident: $source:ident,)*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Debug, Default, PartialEq, Message)]
            #[message(json = strict, rename = "camelCase")]
            pub struct $name {
                /// In a hazard state.
                #[field(model = "active")]
                pub in_hazard: Option<bool>,
                /// Its name.
                #[field(model = "part", codec = Watched(HazardSource::$source))]
                pub sensor_name: Option<String>,
                pub(crate) extra: Extra,
            }

            impl State for $name {
                const SOURCE: HazardSource = HazardSource::$source;

                fn of(name: String, active: bool) -> Self {
                    Self { in_hazard: Some(active), sensor_name: Some(name), extra: Extra::new() }
                }

                fn item(&self) -> Option<HazardItem> {
                    let part = hazard_part_from_name(Self::SOURCE, self.sensor_name.as_deref()?);
                    Some(HazardItem { source: Self::SOURCE, part, active: self.in_hazard? })
                }
            }
        )*
    };
}

states! {
    /// A bumper.
    BumperState: Bumper,
    /// The current of a motor.
    CurrentState: Current,
    /// A zone about the robot.
    ZoneState: DriveZone,
    /// How fast a motor turns.
    SpeedState: Overspeed,
    /// Whether a motor is stalled.
    StallState: MotorStall,
    /// A time-of-flight sensor.
    RangeState: Range,
}

impl Translate for HazardNotification {
    type Record = Hazard;
    type Context = Context;

    fn decode(&self, _: &Context) -> Result<Hazard, Incomplete> {
        let items = State::items(&self.bump_sensors_hazard_state)
            .chain(State::items(&self.current_sensors_hazard))
            .chain(State::items(&self.drive_stopped))
            .chain(State::items(&self.motor_stall_hazard))
            .chain(State::items(&self.time_of_flight_sensors_hazard_state))
            .chain(State::items(&self.excessive_speed_hazard));
        Ok(Hazard { items: items.collect(), critical_error_code: self.critical_internal_error })
    }

    fn encode(hazard: &Hazard, _: &Context) -> Option<Self> {
        let Hazard { items, critical_error_code } = hazard;
        let tells_speed = items.iter().any(|item| item.source == HazardSource::Overspeed);
        Some(Self {
            bump_sensors_hazard_state: State::list(items),
            critical_internal_error: Some(critical_error_code.unwrap_or(0)),
            current_sensors_hazard: State::list(items),
            drive_stopped: State::list(items),
            excessive_speed_hazard: State::list(items).filter(|_| tells_speed),
            motor_stall_hazard: State::list(items),
            time_of_flight_sensors_hazard_state: State::list(items),
            extra: Extra::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_robots_hazard_comes_behind_mistys_own() {
        let item = HazardItem { source: HazardSource::Bumper, part: "bumper_front".into(), active: true };
        let hazard = Hazard { items: vec![item.clone()], critical_error_code: None };
        let message = HazardNotification::encode(&hazard, &Context::at(Default::default())).unwrap();
        let bumpers = message.bump_sensors_hazard_state.as_ref().unwrap();
        assert_eq!(bumpers.len(), 5);
        assert_eq!(bumpers[4].sensor_name.as_deref(), Some("BumperFront"));
        assert!(bumpers[..4].iter().all(|state| state.in_hazard == Some(false)));
        assert_eq!(message.excessive_speed_hazard, None);
        assert!(message.decode(&Context::at(Default::default())).unwrap().items.contains(&item));
    }
}

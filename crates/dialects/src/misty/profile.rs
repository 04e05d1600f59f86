//! What every Misty II has and can.

use std::f64::consts::PI;
use std::sync::{Arc, LazyLock};

use latimer_core::model::profile::{
    Ability, Camera, CameraRole, Joint, JointRole, MapUse, Place, PlacedSensor, RangeSensor,
};
use latimer_core::model::{Kind, PartName, RobotProfile};

use super::map::names::{BUMPERS, CHEST, EDGES, RANGES, TOUCHES};
use crate::table::kinds;

/// Where the range sensors look, in the order of [`RANGES`]: right and left a little outward (plausible), ahead, back.
const BEARINGS_RAD: [f64; 4] = [-0.26, 0.26, 0.0, PI];

/// What a range sensor sees: an array of 16 × 16 sees 27 degrees (published).
const FIELD_RAD: f64 = 0.471;

/// Where bumpers, touch sensors and edge sensors sit, in the order of their lists.
const BUMPER_PLACES: [Place; 4] = [Place::FrontRight, Place::FrontLeft, Place::BackRight, Place::BackLeft];
const TOUCH_PLACES: [Place; 6] =
    [Place::Chin, Place::HeadLeft, Place::HeadRight, Place::HeadBack, Place::HeadFront, Place::Neck];

/// The sounds that the makers put on every robot, without `s_` and `.wav` (published: the documentation names them, and programs do).
const SYSTEM_SOUNDS: [&str; 29] = [
    "Acceptance",
    "Amazement",
    "Anger",
    "Annoyance",
    "Awe",
    "Awe2",
    "Awe3",
    "Boredom",
    "Disapproval",
    "DisorientedConfused",
    "DisorientedConfused4",
    "Distraction",
    "Fear",
    "Grief",
    "Joy",
    "Joy2",
    "Joy3",
    "Love",
    "PhraseByeBye",
    "PhraseEvilAhHa",
    "PhraseHello",
    "PhraseOwwww",
    "PhraseUhOh",
    "Rage",
    "Sadness",
    "Sleepy",
    "SystemCameraShutter",
    "SystemSuccess",
    "SystemWakeWord",
];

fn placed() -> Vec<PlacedSensor> {
    let contacts = BUMPERS.iter().zip(BUMPER_PLACES).chain(TOUCHES.iter().zip(TOUCH_PLACES));
    let edges = EDGES.iter().zip(BUMPER_PLACES);
    let contacts = contacts.map(|(it, place)| PlacedSensor::contact(it.part, place));
    contacts.chain(edges.map(|(it, place)| PlacedSensor::edge(it.part, place))).collect()
}

/// The parts that the specification lists; where they sit exactly is published nowhere.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(|| {
    Arc::new(RobotProfile {
        cameras: vec![Camera::new("camera", CameraRole::Front)],
        joints: vec![
            Joint::new("head_pitch", JointRole::HeadPitch),
            Joint::new("head_roll", JointRole::HeadRoll),
            Joint::new("head_yaw", JointRole::HeadYaw),
            Joint::new("arm_left", JointRole::ArmLeft),
            Joint::new("arm_right", JointRole::ArmRight),
        ],
        lamps: vec![Some(PartName::of(CHEST))],
        sounds: SYSTEM_SOUNDS.iter().map(|it| format!("s_{it}.wav")).collect(),
        ranges: RANGES
            .iter()
            .zip(BEARINGS_RAD)
            .map(|(it, bearing_rad)| {
                RangeSensor::new(Kind::Range, Some(it.part)).toward(bearing_rad, FIELD_RAD)
            })
            .collect(),
        placed: placed(),
        attitude: true,
        map: MapUse::Localizes,
        abilities: vec![Ability::Drive, Ability::PlaySounds],
        kinds: kinds(super::wire::MESSAGES),
        ..RobotProfile::default()
    })
});

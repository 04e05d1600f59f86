//! What every Misty II has and can.

use std::sync::{Arc, LazyLock};

use latimer_core::model::profile::{Ability, Camera, CameraRole, Joint, JointRole, MapUse, RangeSensor};
use latimer_core::model::{Kind, PartName, RobotProfile};

use super::map::names::{CHEST, RANGES};

/// The parts that the specification lists; where they sit is published nowhere.
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
        ranges: RANGES.iter().map(|it| RangeSensor::new(Kind::Range, Some(it.part))).collect(),
        map: MapUse::Localizes,
        abilities: vec![Ability::PlaySounds],
        ..RobotProfile::default()
    })
});

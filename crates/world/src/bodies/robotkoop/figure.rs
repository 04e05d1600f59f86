//! What it looks like and what can be done with it.

use latimer_core::model::profile::{Ability, Camera, CameraRole, Joint, JointRole, MapUse};
use latimer_core::model::signal::TextChannel;
use latimer_core::model::{Kind, RobotProfile};

use super::KIND;
use super::arm::{SHUT_DEG, STOWED};
use super::mast::{AHEAD_M, CAMERA_MODE};
use super::parts::{BUMPERS, CAMERA_HEIGHT_M, FOOTPRINT, JOINTS, ROVER};
use crate::bodies::camera_driver;
use crate::bodies::figure::{Figure, FigureJoint, FigurePart, outline};
use crate::bodies::rover::scanner_and_bumpers;

/// Its camera.
const CAMERA: &str = "camera";

/// Height of the scanner and the bumpers above the floor, metres.
const SCANNER_M: f64 = 0.2;

pub(super) fn figure() -> Figure {
    let camera =
        FigurePart::new(Kind::Image, CAMERA, [AHEAD_M, 0.0, CAMERA_HEIGHT_M]).wide(CAMERA_MODE.field_rad);
    let neutral = STOWED.into_iter().chain([SHUT_DEG]);
    let joints = JOINTS.iter().zip(neutral);
    Figure {
        kind: &KIND,
        outline_m: outline(FOOTPRINT),
        parts: scanner_and_bumpers(&ROVER, &BUMPERS, SCANNER_M).chain([camera]).collect(),
        joints: joints
            .map(|((part, min, max, _), neutral)| FigureJoint::degrees(part, *min, *max, neutral))
            .collect(),
        lamps: Vec::new(),
        cameras: camera_driver::KINDS.map(|kind| (kind, CAMERA)).to_vec(),
        key_phrase: None,
        sounds: Vec::new(),
        kinds: &[
            Kind::Alerts,
            Kind::Battery,
            Kind::CompressedImage,
            Kind::Contact,
            Kind::Control,
            Kind::Device,
            Kind::Face,
            Kind::Image,
            Kind::Joint,
            Kind::Link,
            Kind::Localization,
            Kind::Navigation,
            Kind::Objects,
            Kind::Path,
            Kind::Pose,
            Kind::Scan,
            Kind::Status,
            Kind::Task,
            Kind::Text,
            Kind::Velocity,
            Kind::Video,
        ],
        stimuli: &["bump", "battery", "lift", "place", "lose_pose", "emergency_stop", "fail", "forget_home"],
        commands: &[
            "drive",
            "drive_tracks",
            "stop",
            "halt",
            "joints",
            "localization",
            "set_pose",
            "navigate",
            "cancel_navigation",
            "control_mode",
            "emergency_stop",
            "camera",
            "task",
            "cancel_task",
        ],
        max_linear_mps: ROVER.max_linear_mps,
        max_angular_radps: ROVER.max_angular_radps,
    }
}

/// What the joints move, in their order.
const JOINT_ROLES: [JointRole; 4] =
    [JointRole::Shoulder, JointRole::Elbow, JointRole::Wrist, JointRole::Gripper];

/// What it has and can.
pub(super) fn profile() -> RobotProfile {
    let mut profile = RobotProfile {
        cameras: vec![Camera::new(CAMERA, CameraRole::Front)],
        joints: JOINTS.iter().zip(JOINT_ROLES).map(|((name, ..), role)| Joint::new(name, role)).collect(),
        map: MapUse::Localizes,
        texts: vec![TextChannel::Chat],
        ..figure().profile()
    };
    profile.abilities.push(Ability::Carry);
    profile
}

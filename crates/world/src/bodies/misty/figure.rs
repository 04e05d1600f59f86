//! What it looks like and what can be done with it.

use latimer_core::model::profile::{Camera, CameraRole, Joint, JointRole, MapUse};
use latimer_core::model::{Kind, RobotProfile};

use super::KIND;
use super::camera::{CAMERA_AHEAD_M, CAMERA_HEIGHT_M, CAMERA_MODE};
use super::clips;
use super::parts::{
    BUMPER_HALF_DEG, BUMPERS, CHEST_LAMP, EDGES, FOOTPRINT, JOINTS, MAX_ANGULAR_RADPS, MAX_LINEAR_MPS,
    RANGES, TOUCHES,
};
use crate::bodies::figure::{Figure, FigureJoint, FigureLamp, FigurePart, outline};

/// Where the head's own axes begin above the floor, metres (plausible: the crown is 8 cm higher).
const HEAD_M: f64 = 0.27;

/// Height of range sensors and bumpers above the floor, metres (plausible).
const BELT_M: f64 = 0.06;

/// Its camera.
const CAMERA: &str = "camera";

pub(super) fn figure() -> Figure {
    let ranges = RANGES.iter().map(|(name, cone)| {
        FigurePart::new(Kind::Range, name, [cone.x_m, cone.y_m, BELT_M])
            .turned(cone.yaw_rad)
            .wide(cone.field_of_view_rad)
            .far(cone.reach_m)
    });
    let edges = EDGES.iter().map(|(name, edge)| {
        FigurePart::new(Kind::Cliff, name, [edge.x_m, edge.y_m, edge.height_m])
            .wide(edge.field_of_view_rad)
            .far(edge.reach_m)
    });
    let bumpers = BUMPERS.iter().map(|(name, x_m, y_m, middle_deg)| {
        FigurePart::new(Kind::Contact, name, [*x_m, *y_m, BELT_M])
            .turned(middle_deg.to_radians())
            .wide((2.0 * BUMPER_HALF_DEG).to_radians())
    });
    let touches = TOUCHES
        .iter()
        .map(|(name, [x_m, y_m, z_m])| FigurePart::new(Kind::Contact, name, [*x_m, *y_m, HEAD_M + z_m]));
    let camera = FigurePart::new(Kind::Image, CAMERA, [CAMERA_AHEAD_M, 0.0, CAMERA_HEIGHT_M])
        .wide(CAMERA_MODE.field_rad);
    let joint =
        |(part, min, max, _): (&'static str, f64, f64, f64)| FigureJoint::degrees(part, min, max, 0.0);
    Figure {
        kind: &KIND,
        outline_m: outline(FOOTPRINT),
        parts: ranges.chain(edges).chain(bumpers).chain(touches).chain([camera]).collect(),
        joints: JOINTS.map(joint).to_vec(),
        lamps: vec![FigureLamp { part: Some(CHEST_LAMP.0), label: "Chest" }],
        cameras: crate::bodies::camera_driver::KINDS.map(|kind| (kind, CAMERA)).to_vec(),
        key_phrase: Some("Hey, Misty!"),
        sounds: clips::names(),
        stimuli: &[
            "touch",
            "bump",
            "face",
            "key_phrase",
            "sound",
            "serial",
            "skill_message",
            "battery",
            "lift",
            "place",
            "lose_pose",
            "fail",
        ],
        commands: &[
            "drive",
            "drive_tracks",
            "drive_heading",
            "drive_arc",
            "stop",
            "halt",
            "joints",
            "lamp",
            "play",
            "volume",
            "record",
            "listen",
            "detect_faces",
            "recognize_faces",
            "train_face",
            "cancel_face_training",
            "forget_face",
            "serial",
            "skill_message",
            "hazard_settings",
            "localization",
            "camera",
        ],
        max_linear_mps: MAX_LINEAR_MPS,
        max_angular_radps: MAX_ANGULAR_RADPS,
    }
}

/// What the joints move, in their order.
const JOINT_ROLES: [JointRole; 5] =
    [JointRole::HeadPitch, JointRole::HeadRoll, JointRole::HeadYaw, JointRole::ArmLeft, JointRole::ArmRight];

/// What it has and can.
pub(super) fn profile() -> RobotProfile {
    RobotProfile {
        cameras: vec![Camera::new(CAMERA, CameraRole::Front)],
        joints: JOINTS.iter().zip(JOINT_ROLES).map(|((name, ..), role)| Joint::new(name, role)).collect(),
        map: MapUse::Localizes,
        ..figure().profile()
    }
}

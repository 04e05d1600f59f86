//! What it looks like and what can be done with it.

use latimer_core::model::profile::{Camera, CameraRole, Joint, JointRole, MapUse, Place, Wheels};
use latimer_core::model::signal::TextChannel;
use latimer_core::model::{Kind, RobotProfile};

use super::KIND;
use super::camera::{CAMERA_AHEAD_M, CAMERA_HEIGHT_M, CAMERA_MODE};
use super::clips;
use super::parts::{
    BUMPER_HALF_DEG, BUMPERS, CHEST_LAMP, EDGES, ENCODER_WHEEL_M, FOOTPRINT, JOINTS, MAX_ANGULAR_RADPS,
    MAX_LINEAR_MPS, RANGES, TOUCHES, TRACKS,
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
            .around(edge.y_m.atan2(edge.x_m))
    });
    let bumpers = BUMPERS.iter().map(|(name, x_m, y_m, middle_deg)| {
        FigurePart::new(Kind::Contact, name, [*x_m, *y_m, BELT_M])
            .turned(middle_deg.to_radians())
            .around(middle_deg.to_radians())
            .wide((2.0 * BUMPER_HALF_DEG).to_radians())
    });
    let touches = TOUCHES.iter().zip(TOUCH_PLACES).map(|((name, [x_m, y_m, z_m]), place)| {
        FigurePart::new(Kind::Contact, name, [*x_m, *y_m, HEAD_M + z_m]).placed(place)
    });
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
        kinds: &[
            Kind::Battery,
            Kind::Cliff,
            Kind::CompressedImage,
            Kind::Contact,
            Kind::Device,
            Kind::Encoders,
            Kind::Face,
            Kind::FaceTraining,
            Kind::Hazard,
            Kind::HazardSettings,
            Kind::Image,
            Kind::Imu,
            Kind::Joint,
            Kind::KeyPhrase,
            Kind::Lamp,
            Kind::Library,
            Kind::Link,
            Kind::Localization,
            Kind::Motion,
            Kind::Objects,
            Kind::Playback,
            Kind::Pose,
            Kind::Range,
            Kind::SoundFocus,
            Kind::SoundSource,
            Kind::Status,
            Kind::Text,
            Kind::Velocity,
            Kind::Video,
        ],
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

/// Where the touch sensors sit, in their order.
const TOUCH_PLACES: [Place; 6] =
    [Place::Chin, Place::HeadLeft, Place::HeadRight, Place::HeadBack, Place::HeadFront, Place::Neck];

/// What the joints move, in their order.
const JOINT_ROLES: [JointRole; 5] =
    [JointRole::HeadPitch, JointRole::HeadRoll, JointRole::HeadYaw, JointRole::ArmLeft, JointRole::ArmRight];

/// What it has and can.
pub(super) fn profile() -> RobotProfile {
    RobotProfile {
        cameras: vec![Camera::new(CAMERA, CameraRole::Front)],
        joints: JOINTS.iter().zip(JOINT_ROLES).map(|((name, ..), role)| Joint::new(name, role)).collect(),
        wheels: Some(Wheels {
            max_mps: MAX_LINEAR_MPS,
            gap_m: TRACKS.gap_m,
            radius_m: Some(ENCODER_WHEEL_M),
        }),
        attitude: true,
        map: MapUse::Localizes,
        texts: vec![TextChannel::Serial, TextChannel::Skill],
        ..figure().profile()
    }
}

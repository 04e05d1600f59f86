//! What it looks like and what can be done with it.

use latimer_core::model::profile::{Ability, Camera, CameraRole, Joint, JointRole, Lens, MapUse, Mount};
use latimer_core::model::{Kind, RobotProfile};

use super::KIND;
use super::parts::{BUMPERS, CAMERA_AHEAD_M, CAMERA_HEIGHT_M, CAMERA_MODE, OUTLINE_M, ROVER};
use crate::bodies::camera_driver;
use crate::bodies::figure::{Figure, FigurePart};
use crate::bodies::rover::scanner_and_bumpers;

/// Its cameras: name, ahead or behind, where it looks.
const CAMERAS: [(&str, f64, f64); 2] =
    [("camera_front", CAMERA_AHEAD_M, 0.0), ("camera_back", -CAMERA_AHEAD_M, std::f64::consts::PI)];

/// Height of the scanner and the bumpers above the floor, metres (plausible).
const SCANNER_M: f64 = 0.2;

pub(super) fn figure() -> Figure {
    let cameras = CAMERAS.map(|(name, ahead_m, yaw_rad)| {
        FigurePart::new(Kind::Image, name, [ahead_m, 0.0, CAMERA_HEIGHT_M])
            .turned(yaw_rad)
            .wide(CAMERA_MODE.field_rad)
    });
    let augmented = (Kind::Video, super::augmented::PART);
    let streams = CAMERAS.iter().flat_map(|(name, ..)| camera_driver::KINDS.map(|kind| (kind, *name)));
    Figure {
        kind: &KIND,
        outline_m: OUTLINE_M.to_vec(),
        parts: scanner_and_bumpers(&ROVER, &BUMPERS, SCANNER_M).chain(cameras).collect(),
        joints: Vec::new(),
        lamps: Vec::new(),
        cameras: streams.chain([augmented]).collect(),
        key_phrase: None,
        sounds: Vec::new(),
        kinds: &[
            Kind::Alerts,
            Kind::Battery,
            Kind::CompressedImage,
            Kind::Contact,
            Kind::Control,
            Kind::Device,
            Kind::Doors,
            Kind::DriveLimits,
            Kind::Footprint,
            Kind::Hazard,
            Kind::Image,
            Kind::Imu,
            Kind::Indicators,
            Kind::Joint,
            Kind::Link,
            Kind::Localization,
            Kind::Map,
            Kind::MapInfo,
            Kind::Motion,
            Kind::Navigation,
            Kind::Neighbours,
            Kind::Objects,
            Kind::Odometer,
            Kind::Odometry,
            Kind::Path,
            Kind::Pins,
            Kind::Pose,
            Kind::Scan,
            Kind::Status,
            Kind::Temperature,
            Kind::Traction,
            Kind::Velocity,
            Kind::Video,
        ],
        stimuli: &["bump", "battery", "lift", "place", "lose_pose", "emergency_stop", "fail", "heat"],
        commands: &[
            "drive",
            "drive_tracks",
            "drive_limits",
            "stop",
            "halt",
            "localization",
            "set_pose",
            "use_map",
            "navigate",
            "cancel_navigation",
            "follow",
            "carry",
            "maintain",
            "pins",
            "control_mode",
            "emergency_stop",
            "wake_up",
            "camera",
            "picture",
        ],
        max_linear_mps: ROVER.max_linear_mps,
        max_angular_radps: ROVER.max_angular_radps,
    }
}

/// What it has and can.
pub(super) fn profile() -> RobotProfile {
    let camera = |((name, ahead_m, yaw_rad), role)| Camera {
        mount: Some(Mount::fixed([ahead_m, 0.0, CAMERA_HEIGHT_M], yaw_rad)),
        lens: Some(Lens::straight(CAMERA_MODE.field_rad)),
        ..Camera::new(name, role)
    };
    let mut profile = RobotProfile {
        cameras: CAMERAS.into_iter().zip([CameraRole::Front, CameraRole::Back]).map(camera).collect(),
        joints: vec![Joint::new("jack", JointRole::Jack)],
        attitude: true,
        map: MapUse::Makes,
        ..figure().profile()
    };
    profile.abilities.extend([Ability::RideLifts, Ability::ReportCosts, Ability::ReportLocalPath]);
    profile
}

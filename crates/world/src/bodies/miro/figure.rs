//! What it looks like and what can be done with it.

use latimer_core::PartName;
use latimer_core::model::profile::{
    Ability, Axis, Camera, CameraRole, Hinge, Joint, JointRole, Lens, MapUse, Mount, Place, RangeSensor,
    Wheels,
};
use latimer_core::model::{Kind, RobotProfile};

use super::KIND;
use super::cameras::{CAMERAS, Cameras};
use super::neck::{self, Angles};
use super::parts::{
    BODY_TOUCHES, CLIFFS, COSMETICS, EYE_DISTORTION, EYE_FIELD_RAD, FOOTPRINT, HEAD_TOUCHES, JOINTS, LAMPS,
    LIFT_AT_M, LIGHTS, NOSE_M, RIGHT_EAR_M, SONAR_FIELD_RAD, SONAR_M, TILT_AT_M, WHEELS, YAW_AT_M,
};
use super::voice;
use crate::bodies::figure::{Figure, FigureJoint, FigureLamp, FigurePart, outline};

/// What people call the lamps, numbered as the parts are.
const LAMP_LABELS: [&str; 6] = ["Lamp 0", "Lamp 1", "Lamp 2", "Lamp 3", "Lamp 4", "Lamp 5"];

/// Height of the cliff sensors above the floor, metres (plausible).
const CLIFF_M: f64 = 0.03;

pub(super) fn figure() -> Figure {
    let joints = JOINTS.map(|(part, min, max, first, _)| FigureJoint::degrees(part, min, max, first));
    let cosmetics = COSMETICS.map(|(part, lowest, _)| FigureJoint::share(part, lowest));
    let lamps =
        LAMPS.iter().zip(LAMP_LABELS).map(|((part, _), label)| FigureLamp { part: Some(part), label });
    Figure {
        kind: &KIND,
        outline_m: outline(FOOTPRINT),
        parts: parts(),
        joints: joints.into_iter().chain(cosmetics).collect(),
        lamps: lamps.collect(),
        cameras: CAMERAS.iter().flat_map(|name| Cameras::KINDS.map(|kind| (kind, *name))).collect(),
        key_phrase: None,
        sounds: voice::names().collect(),
        kinds: &[
            Kind::Audio,
            Kind::Battery,
            Kind::BehaviourState,
            Kind::Cliff,
            Kind::CompressedImage,
            Kind::Contact,
            Kind::Device,
            Kind::Encoders,
            Kind::Hazard,
            Kind::HazardSettings,
            Kind::Image,
            Kind::Imu,
            Kind::Joint,
            Kind::Lamp,
            Kind::Library,
            Kind::Light,
            Kind::Link,
            Kind::Pins,
            Kind::Playback,
            Kind::Pose,
            Kind::Range,
            Kind::SoundSource,
            Kind::Temperature,
            Kind::Velocity,
        ],
        stimuli: &["touch", "sound", "battery", "lift", "place", "fail", "heat"],
        commands: &[
            "drive",
            "drive_tracks",
            "stop",
            "halt",
            "joints",
            "lamp",
            "play",
            "stop_sound",
            "hazard_settings",
            "behaviour_drive",
            "behaviour_switches",
            "camera",
        ],
        max_linear_mps: WHEELS.max_mps,
        max_angular_radps: WHEELS.max_radps(),
    }
}

fn parts() -> Vec<FigurePart> {
    let [tilt, lift, yaw, pitch] = JOINTS.map(|(_, _, _, first, _)| first.to_radians());
    let head = neck::head(Angles { tilt, lift, yaw, pitch });
    let sonar =
        FigurePart::new(Kind::Range, "sonar", head.point_out(NOSE_M)).wide(SONAR_FIELD_RAD).far(SONAR_M[1]);
    let cliffs = CLIFFS.iter().map(|(name, x_m, y_m)| {
        FigurePart::new(Kind::Cliff, name, [*x_m, *y_m, CLIFF_M]).around(y_m.atan2(*x_m))
    });
    let lights =
        LIGHTS.iter().map(|(name, at_m, yaw_rad)| FigurePart::new(Kind::Light, name, *at_m).turned(*yaw_rad));
    let head_touches =
        HEAD_TOUCHES.iter().map(|(name, at_m)| FigurePart::new(Kind::Contact, name, head.point_out(*at_m)));
    let head_touches = head_touches.zip(HEAD_PLACES).map(|(part, place)| part.placed(place));
    let body_touches = BODY_TOUCHES.iter().map(|(name, at_m)| FigurePart::new(Kind::Contact, name, *at_m));
    let body_touches = body_touches.zip(BODY_PLACES).map(|(part, place)| part.placed(place));
    let eyes = CAMERAS.iter().zip([true, false]).map(|(name, left)| {
        let eye = neck::eye(head, left);
        let [_, _, yaw_rad] = eye.roll_pitch_yaw();
        FigurePart::new(Kind::Image, name, eye.at_m).turned(yaw_rad).wide(EYE_FIELD_RAD)
    });
    // The microphones are one stream: between the ears.
    let [x_m, _, z_m] = RIGHT_EAR_M;
    let ears = FigurePart::new(Kind::Audio, "mics", head.point_out([x_m, 0.0, z_m]));
    let all = [sonar].into_iter().chain(cliffs).chain(lights).chain(head_touches).chain(body_touches);
    all.chain(eyes).chain([ears]).collect()
}

/// Where the touch sensors sit, in the order of [`HEAD_TOUCHES`] and [`BODY_TOUCHES`].
const HEAD_PLACES: [Place; 4] =
    [Place::HeadFrontLeft, Place::HeadFrontRight, Place::HeadBackLeft, Place::HeadBackRight];
const BODY_PLACES: [Place; 4] = [Place::Back1, Place::Back2, Place::Back3, Place::Back4];

/// What the joints move, in the order of [`JOINTS`] and [`COSMETICS`].
const JOINT_ROLES: [JointRole; 8] = [
    JointRole::BodyTilt,
    JointRole::NeckLift,
    JointRole::HeadYaw,
    JointRole::HeadPitch,
    JointRole::Tail,
    JointRole::EarLeft,
    JointRole::EarRight,
    JointRole::Eyelids,
];

/// Where the joints that carry the head sit, and what they turn about.
const NECK: [([f64; 3], Axis); 4] =
    [(TILT_AT_M, Axis::Y), (LIFT_AT_M, Axis::Y), (YAW_AT_M, Axis::Z), ([0.0; 3], Axis::Y)];

/// What it has and can.
pub(super) fn profile() -> RobotProfile {
    let hinge = |((joint, ..), (at_m, axis)): ((&str, f64, f64, f64, f64), _)| Hinge {
        joint: PartName::of(joint),
        at_m,
        axis,
    };
    let hinges: Vec<Hinge> = JOINTS.into_iter().zip(NECK).map(hinge).collect();
    let eye = |(name, role): (&&str, CameraRole)| {
        let is_left = role == CameraRole::Left;
        let (at_m, yaw_rad, pitch_rad) = neck::eye_in_head(is_left);
        Camera {
            mount: Some(Mount { hinges: hinges.clone(), at_m, yaw_rad, pitch_rad }),
            // As the pictures are drawn.
            lens: Some(Lens { field_rad: EYE_FIELD_RAD, radial: EYE_DISTORTION.by_tangents(EYE_FIELD_RAD) }),
            ..Camera::new(name, role)
        }
    };
    let sonar = RangeSensor {
        mount: Some(Mount { hinges: hinges.clone(), at_m: NOSE_M, yaw_rad: 0.0, pitch_rad: 0.0 }),
        field_rad: Some(SONAR_FIELD_RAD),
        max_m: Some(SONAR_M[1]),
        ..RangeSensor::new(Kind::Range, Some("sonar"))
    };
    let names = JOINTS.iter().map(|(name, ..)| *name).chain(COSMETICS.iter().map(|(name, ..)| *name));
    let roles = [CameraRole::Left, CameraRole::Right];
    let mut profile = RobotProfile {
        wheels: Some(Wheels { max_mps: WHEELS.max_mps, gap_m: WHEELS.tracks.gap_m, radius_m: None }),
        cameras: CAMERAS.iter().zip(roles).map(eye).collect(),
        joints: names.zip(JOINT_ROLES).map(|(name, role)| Joint::new(name, role)).collect(),
        ranges: vec![sonar],
        map: MapUse::Never,
        still: super::core::still(),
        ..figure().profile()
    };
    profile.abilities.push(Ability::StreamSounds);
    profile
}

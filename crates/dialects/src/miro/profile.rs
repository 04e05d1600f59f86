//! What every MiRo has and can.

use std::f64::consts::{FRAC_PI_4, FRAC_PI_6};
use std::sync::{Arc, LazyLock};

use latimer_core::PartName;
use latimer_core::model::profile::{
    Ability, Axis, Camera, CameraRole, Hinge, Joint, JointRole, Lens, MapUse, Mount, Place, PlacedSensor,
    RangeSensor, Wheels,
};
use latimer_core::model::{Kind, RobotProfile};

use super::map::downstream::{COSMETICS, JOINTS};
use super::messages::signals::{MAX_WHEEL_MMPS, WHEEL_TRACK_MM};
use super::messages::{CLIFFS, SONAR, SONAR_M, TOUCH_BODY, TOUCH_HEAD};
use crate::table::kinds;

/// The libraries of its own sounds and how many each has (published).
pub(super) const LIBRARIES: [(&str, u32); 2] = [("P1", 30), ("P2", 23)];

/// The joints that carry the head, each in the axes of the one before: metres, and what it turns about (published).
const NECK: [([f64; 3], Axis); 4] = [
    ([0.0, 0.0, 0.045], Axis::Y),
    ([0.002_2, 0.0, 0.035_7], Axis::Y),
    ([0.0, 0.0, 0.120_1], Axis::Z),
    ([0.0, 0.0, 0.0], Axis::Y),
];

/// The nose in the head's axes, metres (published).
const NOSE_M: [f64; 3] = [0.099_4, 0.0, 0.025];

/// The right eye in the head's axes, metres (published); the left one is its mirror image.
const RIGHT_EYE_M: [f64; 3] = [0.037_7, -0.043_1, 0.056_8];

/// How far an eye looks outward and up, radians (published: 27 and 45 degrees).
const EYE_DIVERGENCE_RAD: f64 = 0.471_238_898;
const EYE_ELEVATION_RAD: f64 = FRAC_PI_4;

/// What an eye sees to either side of its axis, radians (published: 45 degrees).
const EYE_HALF_FIELD_RAD: f64 = FRAC_PI_4;

/// How an eye bends what it sees, by the second and fourth power of the distance from its axis in widths of the picture (published).
const EYE_DISTORTION: [f64; 2] = [-0.75, 0.25];

/// What moves, in the order of [`JOINTS`] and [`COSMETICS`].
pub(super) const JOINT_ROLES: [JointRole; 4] =
    [JointRole::BodyTilt, JointRole::NeckLift, JointRole::HeadYaw, JointRole::HeadPitch];
pub(super) const COSMETIC_ROLES: [JointRole; 4] =
    [JointRole::Tail, JointRole::EarLeft, JointRole::EarRight, JointRole::Eyelids];

/// What the maker publishes of the platform.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(|| {
    let names = JOINTS.iter().chain(&COSMETICS).map(|(name, _)| *name);
    let roles = JOINT_ROLES.into_iter().chain(COSMETIC_ROLES);
    let sounds = LIBRARIES.iter().flat_map(|(name, most)| (1..=*most).map(move |i| format!("{name}/{i}")));
    Arc::new(RobotProfile {
        wheels: Some(Wheels { max_mps: MAX_WHEEL_MMPS / 1e3, gap_m: WHEEL_TRACK_MM / 1e3, radius_m: None }),
        cameras: vec![eye("camera_left", CameraRole::Left), eye("camera_right", CameraRole::Right)],
        joints: names.zip(roles).map(|(name, role)| Joint::new(name, role)).collect(),
        lamps: (0..6).map(|i| Some(PartName::of(&format!("lamp_{i}")))).collect(),
        sounds: sounds.collect(),
        ranges: vec![RangeSensor {
            mount: Some(Mount { hinges: neck(), at_m: NOSE_M, yaw_rad: 0.0, pitch_rad: 0.0 }),
            field_rad: Some(FRAC_PI_6),
            max_m: Some(SONAR_M[1]),
            ..RangeSensor::new(Kind::Range, Some(SONAR))
        }],
        placed: placed(),
        // It counts its wheels.
        map: MapUse::Never,
        abilities: vec![Ability::Drive, Ability::PlaySounds, Ability::StreamSounds],
        kinds: kinds(super::messages::MESSAGES),
        still: super::map::downstream::core::still(),
        ..RobotProfile::default()
    })
});

/// Where the touch sensors and edge sensors sit, in the order of their lists: four on the head, four down the back.
const HEAD_PLACES: [Place; 4] =
    [Place::HeadFrontLeft, Place::HeadFrontRight, Place::HeadBackLeft, Place::HeadBackRight];
const BODY_PLACES: [Place; 4] = [Place::Back1, Place::Back2, Place::Back3, Place::Back4];
const CLIFF_PLACES: [Place; 2] = [Place::FrontLeft, Place::FrontRight];

fn placed() -> Vec<PlacedSensor> {
    let touches = TOUCH_HEAD.iter().zip(HEAD_PLACES).chain(TOUCH_BODY.iter().zip(BODY_PLACES));
    let touches = touches.map(|(part, place)| PlacedSensor::contact(part, place));
    let edges = CLIFFS.iter().zip(CLIFF_PLACES).map(|(part, place)| PlacedSensor::edge(part, place));
    touches.chain(edges).collect()
}

fn eye(part: &str, role: CameraRole) -> Camera {
    let [x_m, y_m, z_m] = RIGHT_EYE_M;
    let side = if role == CameraRole::Left { -1.0 } else { 1.0 };
    let mount = Mount {
        hinges: neck(),
        at_m: [x_m, side * y_m, z_m],
        yaw_rad: -side * EYE_DIVERGENCE_RAD,
        pitch_rad: -EYE_ELEVATION_RAD,
    };
    Camera { mount: Some(mount), lens: Some(eye_lens()), ..Camera::new(part, role) }
}

/// The maker counts distances in widths of a picture, which is twice as wide at one metre as half of the field.
fn eye_lens() -> Lens {
    let [k1, k2] = EYE_DISTORTION;
    let width_m = 2.0 * EYE_HALF_FIELD_RAD.tan();
    Lens { field_rad: 2.0 * EYE_HALF_FIELD_RAD, radial: [k1 / width_m.powi(2), k2 / width_m.powi(4)] }
}

fn neck() -> Vec<Hinge> {
    let hinge = |((joint, _), (at_m, axis))| Hinge { joint: PartName::of(joint), at_m, axis };
    JOINTS.into_iter().zip(NECK).map(hinge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it is after power-up: the head is level.
    const FIRST: [f64; 4] = [-5.0, 17.0, 0.0, -12.0];

    fn nose(degrees: [f64; 4]) -> [f64; 3] {
        let mount = PROFILE.range(&PartName::of(SONAR)).unwrap().mount.as_ref().unwrap();
        let angle = |joint: &PartName| {
            let i = JOINTS.iter().position(|(name, _)| *name == joint.as_str())?;
            degrees.get(i).map(|it| it.to_radians())
        };
        mount.ray(angle).unwrap().at(0.5)
    }

    #[test]
    fn the_sonar_looks_where_the_neck_turns_it() {
        let ahead = nose(FIRST);
        // The nose is about 0.12 m before the wheels, and 0.22 m above the floor.
        assert!((ahead[0] - 0.62).abs() < 0.02 && ahead[1].abs() < 1e-6 && (ahead[2] - 0.22).abs() < 0.01);
        let left = nose([-5.0, 17.0, 60.0, -12.0]);
        assert!(left[1] > 0.45 && left[0] < ahead[0], "{left:?}");
        assert!(nose([-5.0, 17.0, 0.0, 8.0])[2] < ahead[2] - 0.1, "it looks down");
    }
}

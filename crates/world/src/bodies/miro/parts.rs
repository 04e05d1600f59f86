//! What a MiRo is made of: places, limits and names of its parts.
//!
//! Wheels, neck, eyes and ears are the published numbers of the platform's header; what is published
//! nowhere is plausible for an animal of the size of a small rabbit and 3 kg, and marked so.
//!
//! All places are in the axes of the named link, metres: forward, left, up. The links are the foot, which
//! is the chassis, and body, neck, gimbal and head, each turned against the one before.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use crate::bodies::battery::DriveLoad;
use crate::bodies::lamps::LampPlace;
use crate::bodies::wheels::WheelMake;
use crate::camera::Distortion;
use crate::drive::TrackLimits;
use crate::physics::Footprint;
use crate::sensors::{Cell, Cone};

/// Outline and mass (plausible).
pub(super) const FOOTPRINT: Footprint =
    Footprint { length_m: 0.3, width_m: 0.2, corner_m: 0.06, mass_kg: 3.0 };

/// The wheels: 164 mm apart, 400 mm/s at most (published), motors plausible. A speed that is not renewed is
/// kept for one second (published) and then given up; what happens then is not, so it stops.
pub(super) const WHEELS: WheelMake = WheelMake {
    max_mps: 0.4,
    tracks: TrackLimits { gap_m: 0.164, speed_up_mps2: 1.0, slow_down_mps2: 3.0, spin_radps2: 15.0 },
    hold_s: 1.0,
};

/// Radius of the wheels: half of the published 90 mm, metres.
pub(super) const WHEEL_RADIUS_M: f64 = 0.045;

/// Where the body link begins, in the foot's axes (published).
pub(super) const TILT_AT_M: [f64; 3] = [0.0, 0.0, 0.045];
/// Where the neck link begins, in the body's axes (published).
pub(super) const LIFT_AT_M: [f64; 3] = [0.002_2, 0.0, 0.035_7];
/// Where the gimbal begins, in the neck's axes (published).
pub(super) const YAW_AT_M: [f64; 3] = [0.0, 0.0, 0.120_1];

/// The nose with its sonar, in the head's axes (published).
pub(super) const NOSE_M: [f64; 3] = [0.099_4, 0.0, 0.025];
/// The right eye, in the head's axes (published); the left one is its mirror image.
pub(super) const RIGHT_EYE_M: [f64; 3] = [0.037_7, -0.043_1, 0.056_8];
/// The right ear, in the head's axes (published).
pub(super) const RIGHT_EAR_M: [f64; 3] = [-0.047_4, -0.051_9, 0.082_7];

/// How far an eye looks up from the head's own level (published: 45 degrees).
pub(super) const EYE_ELEVATION_RAD: f64 = FRAC_PI_4;
/// How far an eye looks outward (published: 27 degrees).
pub(super) const EYE_DIVERGENCE_RAD: f64 = 0.471_238_898;
/// What an eye sees from side to side: twice the published half of 45 degrees.
pub(super) const EYE_FIELD_RAD: f64 = FRAC_PI_2;
/// How its lens bends that (published). Radius 1 is the width of the picture, and the ends of the middle row stay: so does a program
/// of the maker's kit that draws a grid over the pictures.
pub(super) const EYE_DISTORTION: Distortion = Distortion { k1: -0.75, k2: 0.25 };

/// Joints: name, lowest, highest and first angle in degrees (published), greatest speed in degrees a second
/// (plausible). Positive lift and pitch lean forward, positive yaw turns left. The tilt is fixed.
pub(super) const JOINTS: [(&str, f64, f64, f64, f64); 4] = [
    ("tilt", -5.0, -5.0, -5.0, 0.0),
    ("lift", 17.0, 65.0, 17.0, 60.0),
    ("yaw", -60.0, 60.0, 0.0, 150.0),
    ("pitch", -15.0, 8.0, -12.0, 90.0),
];

/// Cosmetic joints: name, lowest share (the highest is 1), shares a second (plausible). The tail droops at
/// -1 and wags at 1; ears face forward at 0 and sideways at 1; eyelids are open at 0.
pub(super) const COSMETICS: [(&str, f64, f64); 4] =
    [("tail", -1.0, 8.0), ("ear_left", 0.0, 4.0), ("ear_right", 0.0, 4.0), ("eyelids", 0.0, 10.0)];

/// The sonar: nearest and farthest distance measured, metres (published: 0.03 and 1.00).
pub(super) const SONAR_M: [f64; 2] = [0.03, 1.0];
/// Width of its cone, radians, and how many rays stand for it (plausible).
pub(super) const SONAR_FIELD_RAD: f64 = 0.52;
pub(super) const SONAR_RAYS: u32 = 7;

/// The sonar's cone in a direction; `x_m` and `y_m` are where the nose is.
pub(super) const fn sonar_cone(x_m: f64, y_m: f64, yaw_rad: f64, reach_m: f64) -> Cone {
    Cone { x_m, y_m, yaw_rad, field_of_view_rad: SONAR_FIELD_RAD, rays: SONAR_RAYS, reach_m }
}

/// Cliff sensors: name, forward and left of the middle, metres (plausible).
pub(super) const CLIFFS: [(&str, f64, f64); 2] = [("left", 0.12, 0.06), ("right", 0.12, -0.06)];

/// Light sensors: name, place and where they face from ahead, in the foot's axes (plausible).
pub(super) const LIGHTS: [(&str, [f64; 3], f64); 4] = [
    ("front_left", [0.1, 0.08, 0.12], FRAC_PI_4),
    ("front_right", [0.1, -0.08, 0.12], -FRAC_PI_4),
    ("rear_left", [-0.12, 0.08, 0.12], 3.0 * FRAC_PI_4),
    ("rear_right", [-0.12, -0.08, 0.12], -3.0 * FRAC_PI_4),
];

/// Touch sensors behind the ears, in the head's axes (plausible).
pub(super) const HEAD_TOUCHES: [(&str, [f64; 3]); 4] = [
    ("touch_head_0", [-0.03, 0.03, 0.09]),
    ("touch_head_1", [-0.03, -0.03, 0.09]),
    ("touch_head_2", [-0.06, 0.03, 0.08]),
    ("touch_head_3", [-0.06, -0.03, 0.08]),
];

/// Touch sensors down the back, front to rear, in the foot's axes (plausible).
pub(super) const BODY_TOUCHES: [(&str, [f64; 3]); 4] = [
    ("touch_body_0", [0.03, 0.0, 0.15]),
    ("touch_body_1", [-0.02, 0.0, 0.15]),
    ("touch_body_2", [-0.07, 0.0, 0.14]),
    ("touch_body_3", [-0.12, 0.0, 0.12]),
];

/// The lamps under the shell, three down each side (plausible).
pub(super) const LAMPS: [LampPlace; 6] = [
    ("lamp_0", [0.06, 0.1, 0.14]),
    ("lamp_1", [-0.02, 0.1, 0.14]),
    ("lamp_2", [-0.1, 0.1, 0.13]),
    ("lamp_3", [0.06, -0.1, 0.14]),
    ("lamp_4", [-0.02, -0.1, 0.14]),
    ("lamp_5", [-0.1, -0.1, 0.13]),
];

/// Four nickel cells: 4.8 V (published), the rest plausible.
pub(super) const CELL: Cell =
    Cell { in_series: 4.0, capacity_ah: 10.0, resistance_ohm: 0.08, charging_a: 2.0 };

/// Current of the computers, of one moving joint, and of the drive at a crawl and for each m/s, amperes
/// (plausible).
pub(super) const BASE_LOAD_A: f64 = 1.2;
pub(super) const JOINT_LOAD_A: f64 = 0.3;
pub(super) const DRIVE_LOAD: DriveLoad = DriveLoad { crawl_a: 0.4, growth_a: 3.0 };

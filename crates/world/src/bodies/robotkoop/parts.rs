//! What the household robot is made of: an arm on a round base with two driven wheels.
//!
//! No such robot is published with numbers: everything here is plausible for a service robot of its size
//! and stands in one place to be changed.

use crate::bodies::battery::DriveLoad;
use crate::bodies::rover::{BumperMake, PowerMake, RoverMake};
use crate::drive::TrackLimits;
use crate::nav::{Berth, FollowLimits, NavigatorLimits};
use crate::physics::Footprint;
use crate::sensors::{Cell, DriftModel, Lidar};

/// Outline and mass: a round base of 55 cm.
pub(super) const FOOTPRINT: Footprint =
    Footprint { length_m: 0.55, width_m: 0.55, corner_m: 0.27, mass_kg: 45.0 };

/// Radius of the base, metres.
const RADIUS_M: f64 = 0.275;

/// How it drives, and its scanner, 20 cm above the floor at the bow.
pub(super) static ROVER: RoverMake = RoverMake {
    footprint: FOOTPRINT,
    max_linear_mps: MAX_LINEAR_MPS,
    max_angular_radps: MAX_ANGULAR_RADPS,
    wheels: TrackLimits { gap_m: 0.42, speed_up_mps2: 0.5, slow_down_mps2: 1.0, spin_radps2: 4.0 },
    drift: DriftModel::USUAL,
    lidar: Lidar {
        x_m: 0.18,
        y_m: 0.0,
        yaw_rad: 0.0,
        field_of_view_rad: std::f64::consts::TAU,
        rays: 240,
        min_m: 0.05,
        max_m: 10.0,
        sigma_m: 0.008,
    },
    finds_itself: true,
    navigation: NavigatorLimits {
        follow: FollowLimits {
            linear_mps: MAX_LINEAR_MPS,
            angular_radps: MAX_ANGULAR_RADPS,
            slow_down_mps2: 0.6,
            spin_radps2: 3.0,
        },
        berth: Berth { radius_m: RADIUS_M + 0.025, margin_m: 0.25 },
        gap_m: 0.15,
        patience_s: 2.0,
        give_up_s: 20.0,
        door_s: 30.0,
        dock_mps: 0.12,
        dock_tries: 3,
    },
};

/// Greatest speed, m/s.
const MAX_LINEAR_MPS: f64 = 0.5;

/// Greatest turn rate, rad/s.
const MAX_ANGULAR_RADPS: f64 = 1.2;

/// A pack of 24 V, and what it feeds.
pub(super) static POWER: PowerMake = PowerMake {
    cell: Cell { in_series: 7.0, capacity_ah: 20.0, resistance_ohm: 0.08, charging_a: 6.0 },
    base_a: 1.5,
    drive: DriveLoad { crawl_a: 0.8, growth_a: 6.0 },
    stall_a: 9.0,
    charges: None,
};

/// Current of one moving joint, amperes.
pub(super) const JOINT_LOAD_A: f64 = 0.9;

/// Bumpers: name, forward and left of the middle in metres, middle of the arc and half of it in degrees.
pub(super) const BUMPERS: [BumperMake; 3] = [
    ("bump_front_left", 0.19, 0.19, 45.0, 50.0),
    ("bump_front_right", 0.19, -0.19, -45.0, 50.0),
    ("bump_rear", -0.275, 0.0, 180.0, 90.0),
];

/// Joints: name, limits in degrees, greatest speed in degrees a second. The gripper opens.
pub(super) const JOINTS: [(&str, f64, f64, f64); 4] = [
    ("shoulder", -100.0, 100.0, 40.0),
    ("elbow", -10.0, 150.0, 50.0),
    ("wrist", -110.0, 110.0, 70.0),
    ("gripper", 0.0, 50.0, 40.0),
];

/// How far the arm reaches from the middle of the base, metres.
pub(super) const REACH_M: f64 = 1.2;

/// Half of the camera's view to the sides, radians: a wide-angle camera on a mast.
pub(super) const HALF_VIEW_RAD: f64 = 0.8;

/// How far small things are recognised, metres.
pub(super) const SIGHT_M: f64 = 3.0;

/// How far people are recognised, all around: the mast turns to people in the scan, metres.
pub(super) const PERSON_SIGHT_M: f64 = 5.0;

/// Height of the camera above the floor, metres.
pub(super) const CAMERA_HEIGHT_M: f64 = 1.25;

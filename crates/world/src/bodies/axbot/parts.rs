//! What the chassis is made of.
//!
//! The outline is the published sample of a robot model; numbers without a source are plausible for a
//! delivery robot of that size and stand in one place to be changed.

use std::f64::consts::TAU;

use latimer_core::model::signal::{Device, DevicePart, SpeedLimits};

use crate::bodies::CameraMode;
use crate::bodies::battery::DriveLoad;
use crate::bodies::rover::{BumperMake, PowerMake, RoverMake};
use crate::drive::TrackLimits;
use crate::nav::{Berth, FollowLimits, NavigatorLimits};
use crate::physics::Footprint;
use crate::sensors::{Cell, DriftModel, Lidar};

/// A rectangle around the published outline.
pub(super) const FOOTPRINT: Footprint =
    Footprint { length_m: 0.648, width_m: 0.496, corner_m: 0.12, mass_kg: 60.0 };

/// Mass of a rack with its load, kilograms.
pub(super) const RACK_KG: f64 = 40.0;

/// The published outline, turned so that x points ahead, metres.
pub(super) const OUTLINE_M: [[f64; 2]; 20] = [
    [-0.25, -0.13],
    [-0.228, -0.203],
    [-0.178, -0.235],
    [-0.077, -0.245],
    [0.029, -0.248],
    [0.163, -0.243],
    [0.217, -0.235],
    [0.26, -0.207],
    [0.291, -0.17],
    [0.324, -0.122],
    [0.324, 0.122],
    [0.291, 0.17],
    [0.26, 0.207],
    [0.217, 0.235],
    [0.163, 0.243],
    [0.029, 0.248],
    [-0.077, 0.245],
    [-0.178, 0.235],
    [-0.228, 0.203],
    [-0.25, 0.13],
];

/// Greatest speed, m/s.
const MAX_LINEAR_MPS: f64 = 0.8;

/// Greatest turn rate, rad/s.
const MAX_ANGULAR_RADPS: f64 = 1.2;

/// How it drives, and its scanner.
pub(super) static ROVER: RoverMake = RoverMake {
    footprint: FOOTPRINT,
    max_linear_mps: MAX_LINEAR_MPS,
    max_angular_radps: MAX_ANGULAR_RADPS,
    wheels: TrackLimits { gap_m: 0.36, speed_up_mps2: 0.6, slow_down_mps2: 1.2, spin_radps2: 4.0 },
    drift: DriftModel::USUAL,
    lidar: Lidar {
        x_m: 0.22,
        y_m: 0.0,
        yaw_rad: 0.0,
        field_of_view_rad: TAU,
        rays: 360,
        min_m: 0.05,
        max_m: 15.0,
        sigma_m: 0.01,
    },
    finds_itself: false,
    navigation: NavigatorLimits {
        follow: FollowLimits {
            linear_mps: MAX_LINEAR_MPS,
            angular_radps: MAX_ANGULAR_RADPS,
            slow_down_mps2: 0.7,
            spin_radps2: 3.0,
        },
        berth: Berth { radius_m: 0.42, margin_m: 0.25 },
        gap_m: 0.15,
        patience_s: 2.0,
        give_up_s: 20.0,
        door_s: 30.0,
        dock_mps: 0.15,
        dock_tries: 3,
    },
};

/// How fast it drives by default; backwards as in the vendor's manual.
pub(super) const LIMITS: SpeedLimits = SpeedLimits {
    forward_mps: Some(MAX_LINEAR_MPS),
    backward_mps: Some(0.2),
    angular_radps: Some(MAX_ANGULAR_RADPS),
    speed_up_mps2: Some(ROVER.wheels.speed_up_mps2),
    slow_down_mps2: Some(ROVER.wheels.slow_down_mps2),
};

/// The greatest limits that it takes; those of the accelerations and backwards are the ranges of the vendor's manual.
pub(super) const GREATEST_LIMITS: SpeedLimits = SpeedLimits {
    forward_mps: Some(MAX_LINEAR_MPS),
    backward_mps: Some(0.3),
    angular_radps: Some(MAX_ANGULAR_RADPS),
    speed_up_mps2: Some(0.8),
    slow_down_mps2: Some(2.0),
};

/// The same beneath a rack, where it drives between legs that it would usually keep off.
pub(super) fn between_legs() -> NavigatorLimits {
    let navigation = ROVER.navigation;
    NavigatorLimits { berth: Berth { radius_m: FOOTPRINT.width_m / 2.0 + 0.02, margin_m: 0.2 }, ..navigation }
}

/// The same with a rack: slower, and keeping off by the rack's size.
pub(super) fn laden(reach_m: f64) -> NavigatorLimits {
    let NavigatorLimits { follow, .. } = ROVER.navigation;
    NavigatorLimits {
        follow: FollowLimits { linear_mps: 0.5, angular_radps: 0.8, ..follow },
        berth: Berth { radius_m: reach_m + 0.02, margin_m: 0.2 },
        ..ROVER.navigation
    }
}

/// Seven lithium cells: 26.3 V in the published sample.
pub(super) static POWER: PowerMake = PowerMake {
    cell: Cell { in_series: 7.0, capacity_ah: 30.0, resistance_ohm: 0.06, charging_a: 8.0 },
    base_a: 1.8,
    drive: DriveLoad { crawl_a: 1.0, growth_a: 5.0 },
    stall_a: STALL_A,
    charges: Some(120),
};

/// Current of wheels that push in vain, amperes: a base that pressed against its dock was seen to draw 30.4 A in all.
const STALL_A: f64 = 28.6;

/// For so long wheels push in vain before they are reported as overloaded, seconds (plausible).
pub(super) const OVERLOADED_S: f64 = 1.0;

/// Current of the jack's motor, amperes.
pub(super) const JACK_LOAD_A: f64 = 4.0;

/// A charge with which it goes on with what it does unasked, 0..1.
pub(super) const FULL_RATIO: f64 = 0.99;

/// Below this charge the battery is low, and extremely low, 0..1.
pub(super) const LOW_RATIO: f64 = 0.15;
pub(super) const EXTREMELY_LOW_RATIO: f64 = 0.05;

/// Bumpers.
pub(super) const BUMPERS: [BumperMake; 2] =
    [("bump_front", 0.324, 0.0, 0.0, 70.0), ("bump_rear", -0.324, 0.0, 180.0, 70.0)];

/// Both cameras: 640 × 480 at 10 pictures a second.
pub(super) const CAMERA_MODE: CameraMode =
    CameraMode { size_px: [640, 480], rate_hz: 10.0, max_rate_hz: 30.0, field_rad: 1.4 };

/// Height of the cameras above the floor and their distance from the middle, metres.
pub(super) const CAMERA_HEIGHT_M: f64 = 0.9;
pub(super) const CAMERA_AHEAD_M: f64 = 0.2;

/// What a chassis tells of its software and of its parts: model, kind and version of each. As in the published sample, but for
/// the options, of which it has none.
pub(super) fn components(device: &mut Device) {
    const PARTS: [(&str, [Option<&str>; 3]); 5] = [
        ("baseboard", [None, None, Some("22032218")]),
        ("wheel_control", [None, Some("amps"), Some("amps_20211103")]),
        ("lidar", [Some("ld06"), None, None]),
        ("bottom_sensor_pack", [None, None, Some("")]),
        ("depth_camera", [None, None, Some("")]),
    ];
    device.ros_version = Some("1.15.11".to_owned());
    device.ros_distribution = Some("noetic".to_owned());
    device.options = Some(Vec::new());
    device.parts = PARTS
        .map(|(name, texts)| {
            let [model, kind, firmware] = texts.map(|text| text.map(str::to_owned));
            DevicePart { name: name.to_owned(), model, kind, firmware }
        })
        .into();
}

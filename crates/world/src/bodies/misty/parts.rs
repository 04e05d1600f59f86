//! What a Misty II is made of: places, limits and names of its parts.
//!
//! Bumpers, edge sensors and one touch sensor sit where the specification's own samples show them
//! (`BumpSensor`, `WorldState`, `TouchSensor`); limits of head and arms are the published ones. What is
//! published nowhere is plausible for a robot of 26 × 24 cm and 3 kg, and marked so.
//!
//! Orders are those of the specification's `HazardNotification` sample: right before left.

use crate::bodies::battery::DriveLoad;
use crate::bodies::lamps::LampPlace;
use crate::drive::{PilotLimits, TrackLimits};
use crate::physics::Footprint;
use crate::sensors::{Cell, Cone, EdgeSensor, TimeOfFlight};

/// Outline and mass (plausible).
pub(super) const FOOTPRINT: Footprint =
    Footprint { length_m: 0.26, width_m: 0.24, corner_m: 0.05, mass_kg: 3.0 };

/// The light behind the logo on the chest (plausible).
pub(super) const CHEST_LAMP: LampPlace = ("chest", [0.13, 0.0, 0.18]);

/// Greatest speed: the hazard system's limit, 450 mm/s.
pub(super) const MAX_LINEAR_MPS: f64 = 0.45;

/// Greatest turn rate of a plain drive command (plausible, below the hazard limit of 100 °/s).
pub(super) const MAX_ANGULAR_RADPS: f64 = std::f64::consts::FRAC_PI_2;

/// Turn rate from which on the hazard system stops the drive: 100 °/s.
pub(super) const OVERSPEED_RADPS: f64 = 1.745;

/// The tracks (plausible).
pub(super) const TRACKS: TrackLimits =
    TrackLimits { gap_m: 0.20, speed_up_mps2: 0.9, slow_down_mps2: 3.0, spin_radps2: 12.0 };

/// Lines and arcs turn at 45 °/s at most.
pub(super) const PILOT: PilotLimits =
    PilotLimits { linear_mps: MAX_LINEAR_MPS, angular_radps: 0.785, slow_down_mps2: TRACKS.slow_down_mps2 };

/// Radius of the wheels that carry the encoders, metres (plausible).
pub(super) const ENCODER_WHEEL_M: f64 = 0.036;

/// Two cells: the samples show 8.203 V at -0.441 A and 6.612 V at -0.911 A.
pub(super) const CELL: Cell =
    Cell { in_series: 2.0, capacity_ah: 5.2, resistance_ohm: 0.13, charging_a: 1.5 };

/// Current of the computers alone, as in the `BatteryCharge` sample, amperes.
pub(super) const BASE_LOAD_A: f64 = 0.441;

/// Current of the drive motors, and while they push in vain, amperes (plausible).
pub(super) const DRIVE_LOAD: DriveLoad = DriveLoad { crawl_a: 0.3, growth_a: 2.4 };
pub(super) const STALL_LOAD_A: f64 = 4.0;

/// Bumpers: name, forward and left of the middle in metres, direction of the middle of the arc in degrees.
pub(super) const BUMPERS: [(&str, f64, f64, f64); 4] = [
    ("bump_front_right", 0.12, -0.075, -40.0),
    ("bump_front_left", 0.12, 0.075, 40.0),
    ("bump_rear_right", -0.09, -0.075, -140.0),
    ("bump_rear_left", -0.09, 0.075, 140.0),
];

/// Half of a bumper's arc, degrees; neighbours overlap by 20 at the middle of bow and stern.
pub(super) const BUMPER_HALF_DEG: f64 = 50.0;

/// Touch sensors: name and place in the head's frame, metres (`touch_head_left` as in the sample).
pub(super) const TOUCHES: [(&str, [f64; 3]); 6] = [
    ("touch_chin", [0.09, 0.0, -0.03]),
    ("touch_head_left", [0.03, 0.05, 0.08]),
    ("touch_head_right", [0.03, -0.05, 0.08]),
    ("touch_head_back", [-0.05, 0.0, 0.08]),
    ("touch_head_front", [0.08, 0.0, 0.08]),
    ("touch_scruff", [-0.08, 0.0, 0.0]),
];

/// The touch sensor by which the robot is carried: commands are ignored while it is held.
pub(super) const SCRUFF: usize = 5;

/// Range sensors: name and cone. A 16 × 16 array sees 27 degrees.
pub(super) const RANGES: [(&str, Cone); 4] = [
    ("front_right", cone(0.11, -0.075, -0.26)),
    ("front_center", cone(0.12, 0.0, 0.0)),
    ("front_left", cone(0.11, 0.075, 0.26)),
    ("back", cone(-0.12, 0.0, std::f64::consts::PI)),
];

const fn cone(x_m: f64, y_m: f64, yaw_rad: f64) -> Cone {
    Cone { x_m, y_m, yaw_rad, field_of_view_rad: 0.471, rays: 7, reach_m: 4.0 }
}

/// Range of the range sensors: trusted to 1.2 m, aliased after 1.3 m.
pub(super) const TIME_OF_FLIGHT: TimeOfFlight = TimeOfFlight { min_m: 0.0, trusted_m: 1.2, wrap_m: 1.3 };

/// Edge sensors: name and place.
pub(super) const EDGES: [(&str, EdgeSensor); 4] = [
    ("front_right", edge(0.12, -0.075)),
    ("front_left", edge(0.12, 0.075)),
    ("back_right", edge(-0.09, -0.075)),
    ("back_left", edge(-0.09, 0.075)),
];

const fn edge(x_m: f64, y_m: f64) -> EdgeSensor {
    EdgeSensor { x_m, y_m, height_m: 0.035, reach_m: 0.2, field_of_view_rad: 0.436 }
}

/// Distance past which an edge sensor is a hazard unless set otherwise, metres.
pub(super) const EDGE_THRESHOLD_M: f64 = 0.06;

/// Joints: name, limits in degrees, greatest speed in degrees a second (plausible).
pub(super) const JOINTS: [(&str, f64, f64, f64); 5] = [
    ("head_pitch", -40.0, 26.0, 90.0),
    ("head_roll", -40.0, 40.0, 75.0),
    ("head_yaw", -81.0, 81.0, 120.0),
    ("arm_left", -29.0, 90.0, 140.0),
    ("arm_right", -29.0, 90.0, 140.0),
];

/// Which joint turns the head.
pub(super) const HEAD_PITCH: usize = 0;
/// Which joint turns the head sideways.
pub(super) const HEAD_YAW: usize = 2;

/// Zones in which the hazard system stops the drive; the first three forbid forward, the others backward.
pub(super) const ZONES: [&str; 6] =
    ["front_right", "front_center", "front_left", "back_right", "back_center", "back_left"];

/// Motors as the hazard system names them, currents with `track_` and stalls with `drive_` first.
pub(super) const CURRENTS: [&str; 7] =
    ["track_right", "track_left", "arm_right", "arm_left", "head_pitch", "head_roll", "head_yaw"];

/// Motors that may stall or run too fast.
pub(super) const MOTORS: [&str; 7] =
    ["drive_right", "drive_left", "arm_right", "arm_left", "head_pitch", "head_roll", "head_yaw"];

/// Bits of the two drive motors in a halt's mask, as a real robot was seen to send it.
pub(super) const DRIVE_MASK: u32 = 6;

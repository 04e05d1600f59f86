//! Moves: where to, along which way, and what the scanner meets. Their translation is in `map`.

use latimer_core::model::signal::{NavigationKind, NavigationState};

use super::codecs::{METRES, RADIANS};
use super::place::Pose;
use crate::axbot::wire::{Moment, Point};
use crate::describe::codec::Words;
use crate::describe::{Extra, Message};

const WHILE: &str = "while it holds, its name is among the words";
const STAMP: &str = "milliseconds since 1970, or seconds if the config says so; both are read";

/// `ActionType`; the last two are move types of the REST calls.
pub(in crate::axbot) const KINDS: Words<NavigationKind> = Words(&[
    ("none", NavigationKind::Other),
    ("standard", NavigationKind::Goto),
    ("charge", NavigationKind::Charge),
    ("along_given_route", NavigationKind::Route),
    ("return_to_elevator_waiting_point", NavigationKind::ToElevator),
    ("enter_elevator", NavigationKind::EnterElevator),
    ("leave_elevator", NavigationKind::LeaveElevator),
    ("pull_over", NavigationKind::PullOver),
    ("align_with_rack", NavigationKind::AlignWithRack),
    ("to_unload_point", NavigationKind::ToUnloadPoint),
    ("follow_target", NavigationKind::Follow),
]);

/// `MoveState`; the first word of a state is the one that is written.
pub(in crate::axbot) const STATES: Words<NavigationState> = Words(&[
    ("idle", NavigationState::Idle),
    ("none", NavigationState::Idle),
    ("moving", NavigationState::Moving),
    ("succeeded", NavigationState::Succeeded),
    ("failed", NavigationState::Failed),
    ("cancelled", NavigationState::Cancelled),
]);

/// Section "Planning State"; the last four are older or later than the specification.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct PlanningState {
    /// The map that is used.
    #[field(own)]
    pub map_uid: Option<String>,
    /// The move's number.
    #[field(model = "id")]
    pub action_id: Option<i64>,
    /// `ActionType`.
    #[field(model = "kind", codec = KINDS)]
    pub action_type: Option<String>,
    /// `MoveState`.
    #[field(model = "state", codec = STATES)]
    pub move_state: Option<String>,
    /// Counts if it failed; of a robot without numbers the one that fits `failure` best.
    #[field(model = "failure_code")]
    pub fail_reason: Option<i64>,
    /// Counts if it failed.
    #[field(model = "reason")]
    pub fail_reason_str: Option<String>,
    /// Metres.
    #[field(model = "remaining_m", codec = METRES)]
    pub remaining_distance: Option<f64>,
    /// Where to.
    #[field(model = "target")]
    pub target_poses: Option<Vec<Pose>>,
    /// Deprecated by `action_type`, and read where that is missing.
    #[field(own)]
    pub move_intent: Option<String>,
    /// The pose of the current target.
    #[field(own)]
    pub intent_target_pose: Option<Pose>,
    /// `StuckState`, or `none`.
    #[field(
        model = "flags",
        note = "`stuck` unless it is `none`; `move_stucked` is written where no more is known"
    )]
    pub stuck_state: Option<String>,
    /// Whether it is in a lift.
    #[field(model = "flags", note = WHILE)]
    pub in_elevator: Option<bool>,
    /// Whether something is too near to see past.
    #[field(model = "flags", note = WHILE)]
    pub viewport_blocked: Option<bool>,
    /// Whether it waits at the roadside for another robot to leave its goal.
    #[field(model = "flags", note = WHILE)]
    pub is_waiting_for_dest: Option<bool>,
    /// Whether it docks with a conveyor.
    #[field(model = "flags", note = WHILE)]
    pub docking_with_conveyer: Option<bool>,
    /// How many points of the route are behind it.
    #[field(model = "passed_points")]
    pub given_route_passed_point_count: Option<i64>,
    /// Where the charger is.
    #[field(own)]
    pub charger_pose: Option<Pose>,
    /// Whether it drives to its charger.
    #[field(model = "flags", note = WHILE)]
    pub going_back_to_charger: Option<bool>,
    /// Whether it waits for a charger to get free.
    #[field(model = "flags", note = WHILE)]
    pub waiting_for_charge: Option<bool>,
    /// Who asked for the move.
    pub creator: Option<String>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Lidar Point Cloud".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct ScanMatchedPoints2 {
    /// Milliseconds since 1970; robots were seen to send seconds.
    #[field(stamp, note = STAMP)]
    pub stamp: Option<Moment>,
    /// On the map, with height, and of some robots how sure it is; of a scan the ends of its rays.
    #[field(model = "points_m", kind = PointCloud)]
    pub points: Option<Vec<Point>>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Global Path".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Path {
    /// Milliseconds since 1970.
    #[field(stamp, note = STAMP)]
    pub stamp: Option<Moment>,
    /// On the map; since 2.12.0 with heading.
    #[field(items(points_m, points_m, yaws_rad), codec = RADIANS)]
    pub positions: Option<Vec<Point>>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Trajectory".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Trajectory {
    /// On the map.
    #[field(items(points_m, points_m), codec = METRES)]
    pub points: Option<Vec<Point>>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Local Path".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct LocalPath {
    /// Metres.
    #[field(model = "width_m")]
    pub width: Option<f64>,
    /// `##RRGGBBAA`; always as in the specification's sample.
    #[field(own)]
    pub color: Option<String>,
    /// On the map, with heading.
    #[field(items(points_m, points_m, yaws_rad), codec = RADIANS)]
    pub poses: Option<Vec<Point>>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// What stands in each point of `LaserPoints`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct PointField {
    /// `x`, `y`, `z`, `intensity`.
    pub name: Option<String>,
    /// `f32`.
    pub data_type: Option<String>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// `/horizontal_laser_2d/matched`: what one scanner meets, in the world's frame.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct LaserPoints {
    /// Seconds since 1970.
    #[field(stamp)]
    pub stamp: Option<Moment>,
    /// What stands in each point, one after the other: x, y and z are written, others skipped.
    #[field(own)]
    pub fields: Option<Vec<PointField>>,
    /// Numbers of four bytes, little-endian, in Base64.
    #[field(model = "points_m", kind = PointCloud)]
    pub data: Option<String>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

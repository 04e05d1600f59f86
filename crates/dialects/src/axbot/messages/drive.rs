//! Moves: where to, along which way, and what the scanner meets.

use latimer_core::model::signal::{
    Frame, Navigation, NavigationFailure, NavigationKind, NavigationState, PointCloud,
};

use super::Context;
use super::codecs::{METRES, RADIANS, ScanStamp, Spot};
use super::place::Pose;
use crate::axbot::map::fail_reasons::{self, code_and_word, failure_from_code, word_from_code};
use crate::axbot::wire::{Moment, Point};
use crate::describe::codec::{Flag, Last, Nested, Words};
use crate::describe::{Extra, Message, Translate};

const WHILE: &str = "while it holds, its name is among the words";
const STAMP: &str = "milliseconds since 1970, or seconds if the config says so; both are read";

/// `ActionType`; the last two are move types of the REST calls.
const KINDS: Words<NavigationKind> = Words(&[
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
const STATES: &[(&str, NavigationState)] = &[
    ("idle", NavigationState::Idle),
    ("none", NavigationState::Idle),
    ("moving", NavigationState::Moving),
    ("succeeded", NavigationState::Succeeded),
    ("failed", NavigationState::Failed),
    ("cancelled", NavigationState::Cancelled),
];

/// What remains of the way of a robot that is on no drive, metres: the field is in every message.
pub(in crate::axbot) const AT_REST_M: f64 = 0.0;

/// `StuckState` of one that is not stuck, of one of which no more is known, and of one that cannot turn.
const NOT_STUCK: &str = "none";
const MOVE_STUCK: &str = "move_stucked";
const SPIN_STUCK: &str = "target_spin_stucked";

/// Section "Planning State"; the last four are older or later than the specification.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Navigation, context = Context, ignores(failure, place, stuck))]
#[message(finish = what_failed, amend = why_it_failed)]
pub struct PlanningState {
    /// The map that is used.
    #[field(own = map_uid)]
    pub map_uid: Option<String>,
    /// The move's number.
    #[field(id, required)]
    pub action_id: Option<i64>,
    /// `ActionType`.
    #[field(kind, codec = KINDS, or = NavigationKind::Other)]
    pub action_type: Option<String>,
    /// `MoveState`.
    #[field(state, words = STATES, required)]
    pub move_state: Option<String>,
    /// Counts if it failed; of a robot without numbers the one that fits `failure` best.
    #[field(failure_code)]
    pub fail_reason: Option<i64>,
    /// Counts if it failed.
    #[field(reason)]
    pub fail_reason_str: Option<String>,
    /// Metres; 0 of a robot that is on no drive.
    #[field(remaining_m)]
    pub remaining_distance: Option<f64>,
    /// Where to.
    #[field(target, codec = Last(Nested), or = None)]
    pub target_poses: Option<Vec<Pose>>,
    /// Deprecated by `action_type`, and read where that is missing.
    #[field(own = no_intent)]
    pub move_intent: Option<String>,
    /// The pose of the current target.
    #[field(own = target_pose)]
    pub intent_target_pose: Option<Pose>,
    /// `StuckState`, or `none`.
    #[field(
        model = "flags",
        note = "`stuck` unless it is `none`; `move_stucked` is written where no more is known"
    )]
    pub stuck_state: Option<String>,
    /// Whether it is in a lift.
    #[field(among = flags, codec = Flag("in_elevator", None), note = WHILE)]
    pub in_elevator: Option<bool>,
    /// Whether something is too near to see past.
    #[field(among = flags, codec = Flag("viewport_blocked", None), note = WHILE)]
    pub viewport_blocked: Option<bool>,
    /// Whether it waits at the roadside for another robot to leave its goal.
    #[field(among = flags, codec = Flag("is_waiting_for_dest", None), note = WHILE)]
    pub is_waiting_for_dest: Option<bool>,
    /// Whether it docks with a conveyor.
    #[field(among = flags, codec = Flag("docking_with_conveyer", None), note = WHILE)]
    pub docking_with_conveyer: Option<bool>,
    /// How many points of the route are behind it.
    #[field(passed_points)]
    pub given_route_passed_point_count: Option<i64>,
    /// Where the charger is.
    #[field(own)]
    pub charger_pose: Option<Pose>,
    /// Whether it drives to its charger.
    #[field(among = flags, codec = Flag("going_back_to_charger", None), note = WHILE)]
    pub going_back_to_charger: Option<bool>,
    /// Whether it waits for a charger to get free.
    #[field(among = flags, codec = Flag("waiting_for_charge", None), note = WHILE)]
    pub waiting_for_charge: Option<bool>,
    /// Who asked for the move.
    #[field(own)]
    pub creator: Option<String>,
    pub(crate) extra: Extra,
}

fn map_uid(_: &Navigation, context: &Context) -> Option<String> {
    context.map_uid.clone()
}

fn target_pose(navigation: &Navigation, context: &Context) -> Option<Pose> {
    Pose::encode(navigation.target.as_ref()?, context)
}

/// The specification shows it empty: `action_type` came in its place.
fn no_intent(_: &Navigation, _: &Context) -> Option<String> {
    Some(String::new())
}

/// Robots before 2.5.2 have the older key of its kind only. Why it failed counts if it did.
fn what_failed(message: &PlanningState, _: &Context, navigation: &mut Navigation) {
    if message.action_type.is_none() {
        let kind = message.move_intent.as_deref().and_then(|word| KINDS.meaning(word));
        navigation.kind = kind.unwrap_or(NavigationKind::Other);
    }
    if navigation.state == NavigationState::Failed {
        navigation.failure = navigation.failure_code.map(failure_from_code);
    } else {
        (navigation.failure_code, navigation.reason) = (None, None);
    }
    let stuck = message.stuck_state.as_deref().filter(|word| !word.is_empty() && *word != NOT_STUCK);
    navigation.stuck = stuck.is_some();
    navigation.flags.splice(0..0, stuck.map(Into::into));
}

/// The robot's own number and words for a failure, else those of the vendor that fit it best.
fn why_it_failed(navigation: &Navigation, _: &Context, message: &mut PlanningState) {
    let has_failed = navigation.state == NavigationState::Failed;
    let (code, word) = match navigation.failure_code {
        _ if !has_failed => fail_reasons::NONE,
        Some(code) => (code, word_from_code(code).unwrap_or_default()),
        None => code_and_word(navigation.failure.unwrap_or(NavigationFailure::Other)),
    };
    message.fail_reason = Some(code);
    if navigation.state != NavigationState::Moving {
        message.remaining_distance.get_or_insert(AT_REST_M);
    }
    let vendors = Some(word.to_owned()).filter(|word| !word.is_empty());
    message.fail_reason_str = message.fail_reason_str.take().filter(|_| has_failed).or(vendors);
    let cannot_turn = navigation.flags.iter().any(|flag| **flag == *SPIN_STUCK);
    let stuck = match (navigation.stuck, cannot_turn) {
        (false, _) => NOT_STUCK,
        (true, false) => MOVE_STUCK,
        (true, true) => SPIN_STUCK,
    };
    message.stuck_state = Some(stuck.to_owned());
}

const ON_MAP: PointCloud = PointCloud { frame: Frame::Map, points_m: Vec::new() };

fn is_on_map(cloud: &PointCloud, _: &Context) -> bool {
    cloud.frame == Frame::Map
}

/// Section "Lidar Point Cloud".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = PointCloud, context = Context, base = ON_MAP, when = is_on_map)]
#[message(part = "lidar", ignores(frame))]
pub struct ScanMatchedPoints2 {
    /// Milliseconds since 1970; robots were seen to send seconds.
    #[field(stamp, codec = ScanStamp, note = STAMP)]
    pub stamp: Option<Moment>,
    /// On the map, with height, and of some robots how sure it is; of a scan the ends of its rays.
    #[field(points_m, codec = Spot, each, kind = PointCloud, required)]
    pub points: Option<Vec<Point>>,
    pub(crate) extra: Extra,
}

/// Section "Global Path".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Path {
    /// Milliseconds since 1970.
    #[field(stamp, codec = ScanStamp, note = STAMP)]
    pub stamp: Option<Moment>,
    /// On the map; since 2.12.0 with heading.
    #[field(items(points_m, points_m, yaws_rad), codec = RADIANS)]
    pub positions: Option<Vec<Point>>,
    pub(crate) extra: Extra,
}

/// Section "Trajectory".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Trajectory {
    /// On the map.
    #[field(items(points_m, points_m), codec = METRES)]
    pub points: Option<Vec<Point>>,
    pub(crate) extra: Extra,
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
    pub(crate) extra: Extra,
}

/// What stands in each point of `LaserPoints`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct PointField {
    /// `x`, `y`, `z`, `intensity`.
    pub name: Option<String>,
    /// `f32`.
    pub data_type: Option<String>,
    pub(crate) extra: Extra,
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
    pub(crate) extra: Extra,
}

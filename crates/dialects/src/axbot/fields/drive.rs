//! Moves: where to, along which way, and what the scanner meets.

use latimer_core::model::Kind;

use super::{SCAN_STAMP, message, metres, radians};
use crate::axbot::topic::Topic;
use crate::table::{FieldPair, Message, WordPair};

const KINDS: &[WordPair] = &[
    ("none", "other"),
    ("standard", "goto"),
    ("charge", "charge"),
    ("along_given_route", "route"),
    ("return_to_elevator_waiting_point", "to_elevator"),
    ("enter_elevator", "enter_elevator"),
    ("leave_elevator", "leave_elevator"),
    ("pull_over", "pull_over"),
    ("align_with_rack", "align_with_rack"),
    ("to_unload_point", "to_unload_point"),
    ("follow_target", "follow"),
];

const STATES: &[WordPair] = &[
    ("none", "idle"),
    ("idle", "idle"),
    ("moving", "moving"),
    ("succeeded", "succeeded"),
    ("failed", "failed"),
    ("cancelled", "cancelled"),
];

/// A key that is a word among the flags while it holds.
const fn flag(wire: &'static str) -> FieldPair {
    FieldPair::same(wire, Kind::Navigation, "flags").note("while it holds, its name is among the words")
}

pub(super) const PLANNING_STATE: Message = message(
    Topic::PlanningState,
    &[Kind::Navigation],
    "How the latest move stands. The message has no time.",
    &[
        FieldPair::own("map_uid", "the map that the robot drives by, from `map_info`; not read"),
        FieldPair::same("action_id", Kind::Navigation, "id"),
        FieldPair::words("action_type", Kind::Navigation, "kind", KINDS),
        FieldPair::words("move_state", Kind::Navigation, "state", STATES),
        FieldPair::same("fail_reason", Kind::Navigation, "failure_code")
            .note("counts if the move failed; of a robot without numbers the one that fits `failure` best"),
        FieldPair::same("fail_reason_str", Kind::Navigation, "reason").note("counts if the move failed"),
        metres("remaining_distance", Kind::Navigation, "remaining_m"),
        metres("target_poses[].pos[]", Kind::Navigation, "target.x_m").note("the first number"),
        metres("target_poses[].pos[]", Kind::Navigation, "target.y_m").note("the second number"),
        radians("target_poses[].ori", Kind::Navigation, "target.yaw_rad"),
        FieldPair::own("move_intent", "written empty, read where `action_type` is missing"),
        FieldPair::own("intent_target_pose.**", "not written"),
        FieldPair::same("stuck_state", Kind::Navigation, "flags")
            .note("`stuck` unless it is `none`; `move_stucked` is written where no more is known"),
        flag("in_elevator"),
        flag("viewport_blocked"),
        flag("is_waiting_for_dest"),
        flag("docking_with_conveyer"),
        FieldPair::same("given_route_passed_point_count", Kind::Navigation, "passed_points"),
        FieldPair::own("charger_pose.**", "not written"),
        flag("going_back_to_charger"),
        flag("waiting_for_charge"),
        FieldPair::own("creator", "who asked; not written"),
    ],
);

pub(super) const SCAN_MATCHED_POINTS_2: Message = message(
    Topic::ScanMatchedPoints2,
    &[Kind::Scan, Kind::PointCloud, Kind::Range],
    "What the scanner meets, on the map; a scan is told by where its rays end, at the height of the scanner; \
     of a robot with one range sensor the point that it meets.",
    &[
        SCAN_STAMP,
        metres("points[][]", Kind::PointCloud, "points_m")
            .note("x, y, z, and of some robots how sure it is; read as a point cloud"),
    ],
);

pub(super) const HORIZONTAL_LASER: Message = message(
    Topic::HorizontalLaser,
    &[Kind::Scan, Kind::PointCloud],
    "What one scanner meets, on the map, as numbers of four bytes.",
    &[
        FieldPair::time("stamp").note("seconds since 1970"),
        FieldPair::own("fields[].name", "what stands in each point: x, y, z are written, others skipped"),
        FieldPair::own("fields[].data_type", "f32 is read and written"),
        FieldPair::same("data", Kind::PointCloud, "points_m").note("little-endian, in Base64"),
    ],
);

pub(super) const PATH: Message = message(
    Topic::Path,
    &[Kind::Path],
    "The way that the robot plans, on the map; the part is `planned`.",
    &[
        SCAN_STAMP,
        metres("positions[][]", Kind::Path, "points_m").note("the first two numbers"),
        radians("positions[][]", Kind::Path, "yaws_rad").note("the third number, if there is one"),
    ],
);

pub(super) const TRAJECTORY: Message = message(
    Topic::Trajectory,
    &[Kind::Path],
    "The way that the robot came, on the map; the part is `trajectory`.",
    &[metres("points[][]", Kind::Path, "points_m")],
);

pub(super) const LOCAL_PATH: Message = message(
    Topic::LocalPath,
    &[Kind::Path],
    "The way that the robot really drives, on the map; the part is `local`.",
    &[
        metres("width", Kind::Path, "width_m"),
        FieldPair::own("color", "always `##FFEACD50`, as in the specification's sample; not read"),
        metres("poses[][]", Kind::Path, "points_m").note("the first two numbers"),
        radians("poses[][]", Kind::Path, "yaws_rad").note("the third number, if there is one"),
    ],
);

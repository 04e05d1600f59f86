//! Where the robot is, and how far that is trusted.

use latimer_core::model::Kind;

use super::{message, metres, radians, ratio};
use crate::axbot::topic::Topic;
use crate::table::{FieldPair, Message};

pub(super) const SLAM_STATE: Message = message(
    Topic::SlamState,
    &[Kind::Localization],
    "How well the robot knows where it is.",
    &[
        FieldPair::words(
            "state",
            Kind::Localization,
            "state",
            &[("inactive", "idle"), ("slam", "mapping"), ("positioning", "tracking")],
        )
        .note("a search is `positioning` too, a start and an error are `inactive`"),
        FieldPair::same("nav_sat_state", Kind::Localization, "flags").note("not in the specification"),
        FieldPair::same("reliable", Kind::Localization, "has_pose"),
        FieldPair::own("lidar_reliable", "`lidar_reliable` or `lidar_unreliable` is among `flags`"),
        FieldPair::own("position_loss_progress", "how far the position is lost; not written"),
        FieldPair::number("position_quality", "tenths", Kind::Localization, "quality_ratio", 10.0)
            .note("1 lost, 3 poor, 8 good, 10 excellent; 0 is not known"),
        ratio("lidar_matching_score", Kind::Localization, "match_ratio"),
        FieldPair::same("lidar_matched", Kind::Localization, "matched"),
        FieldPair::same("wheel_slipping", Kind::Localization, "slipping"),
        FieldPair::same("inter_constraint_count", Kind::Localization, "constraints"),
        FieldPair::same("good_constraint_count", Kind::Localization, "good_constraints"),
    ],
);

pub(super) const TRACKED_POSE: Message = message(
    Topic::TrackedPose,
    &[Kind::Pose],
    "Where the robot is on its map. The message has no time.",
    &[
        metres("pos[]", Kind::Pose, "x_m").note("the first number"),
        metres("pos[]", Kind::Pose, "y_m").note("the second number"),
        radians("ori", Kind::Pose, "yaw_rad"),
        FieldPair::own("cov[][]", "covariance of x and y; not written"),
        FieldPair::own("quat[]", "the attitude as a quaternion; not written"),
    ],
);

pub(super) const ODOM_STATE: Message = message(
    Topic::OdomState,
    &[Kind::Odometry],
    "How far dead reckoning is trusted.",
    &[
        FieldPair::same("lidar_odom_reliable", Kind::Odometry, "reliable"),
        FieldPair::number("lidar_odom_cov[]", "m²", Kind::Odometry, "covariance_m2", 1.0),
    ],
);

pub(super) const GLOBAL_POSITIONING_STATE: Message = message(
    Topic::GlobalPositioningState,
    &[Kind::Relocation],
    "How a search for the robot on its map stands.",
    &[
        FieldPair::words(
            "state",
            Kind::Relocation,
            "state",
            &[("unknown", "idle"), ("running", "running"), ("succeeded", "succeeded"), ("failed", "failed")],
        ),
        FieldPair::number("score", "%", Kind::Relocation, "score_percent", 1.0)
            .note("as text, or as a number if the config says so; both are read"),
        FieldPair::same("needs_confirmation", Kind::Relocation, "needs_confirmation"),
        metres("pose.pos[]", Kind::Relocation, "pose.x_m").note("the first number"),
        metres("pose.pos[]", Kind::Relocation, "pose.y_m").note("the second number"),
        radians("pose.ori", Kind::Relocation, "pose.yaw_rad"),
        FieldPair::same("message", Kind::Relocation, "message"),
    ],
);

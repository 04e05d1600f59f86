//! Where the robot is, and how far that is trusted.

use latimer_core::model::Kind;

use super::{message, ratio};
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

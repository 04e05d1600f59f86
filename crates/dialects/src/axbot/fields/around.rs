//! Outlines, and what drives or opens nearby.

use latimer_core::model::Kind;

use super::{message, metres, radians};
use crate::axbot::topic::Topic;
use crate::table::{FieldPair, Message};

const AXES: &str = "x to the right and y ahead on the wire; x ahead and y to the left here";

pub(super) const ROBOT_MODEL: Message = message(
    Topic::RobotModel,
    &[Kind::Footprint],
    "The robot's outline.",
    &[
        metres("footprint[][]", Kind::Footprint, "polygon_m").note(AXES),
        metres("width", Kind::Footprint, "width_m"),
        FieldPair::own("expanded_footprint[][]", "the outline with a margin; not written"),
    ],
);

pub(super) const NEARBY_ROBOTS: Message = message(
    Topic::NearbyRobots,
    &[Kind::Neighbours],
    "The robots nearby, on the map.",
    &[
        FieldPair::same("robots[].uid", Kind::Neighbours, "robots.robot"),
        metres("robots[].pose.pos[]", Kind::Neighbours, "robots.pose.x_m").note("the first number"),
        metres("robots[].pose.pos[]", Kind::Neighbours, "robots.pose.y_m").note("the second number"),
        radians("robots[].pose.ori", Kind::Neighbours, "robots.pose.yaw_rad"),
        metres("robots[].trend[][]", Kind::Neighbours, "robots.trend_m"),
        FieldPair::own(
            "robots[].footprint_digest",
            "which of the outlines in `/nearby_robot_footprints` is the robot's",
        ),
    ],
);

pub(super) const NEARBY_ROBOT_FOOTPRINTS: Message = message(
    Topic::NearbyRobotFootprints,
    &[Kind::Neighbours],
    "The outlines of the robots nearby; read together with `/nearby_robots`.",
    &[
        FieldPair::own("footprints[].digest", "a hash of the outline, by which `/nearby_robots` names it"),
        metres("footprints[].coordinates[][]", Kind::Neighbours, "robots.footprint_m").note(AXES),
    ],
);

pub(super) const NEARBY_AUTO_DOORS: Message = message(
    Topic::NearbyAutoDoors,
    &[Kind::Doors],
    "The doors nearby.",
    &[
        FieldPair::same("doors[].name", Kind::Doors, "doors.name"),
        FieldPair::same("doors[].mac", Kind::Doors, "doors.mac"),
        FieldPair::words(
            "doors[].state",
            Kind::Doors,
            "doors.state",
            &[("closed", "closed"), ("opening", "opening"), ("open", "open"), ("closing", "closing")],
        )
        .note("a door whose state is not known is left out"),
        metres("doors[].polygon[][]", Kind::Doors, "doors.polygon_m"),
    ],
);

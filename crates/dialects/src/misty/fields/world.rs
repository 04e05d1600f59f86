//! Things that the robot perceives.

use latimer_core::model::Kind;

use super::message;
use super::pose::{AGAIN, FRAMES, NO_TOLERANCE, POLAR, TREE, with_location};
use crate::misty::wire::EventType;
use crate::table::{FieldPair, Message};

pub(super) const WORLD_STATE: Message = message(
    EventType::WorldState,
    "The things that the robot perceives, by a timer. The message as a whole has no time.",
    with_location!(
        "objects[].location",
        Kind::Objects,
        "objects.pose.",
        [
            FieldPair::reserved("characteristics", "written as an empty list, not read"),
            FieldPair::same("objects[].class", Kind::Objects, "objects.class")
                .note("`null` in the specification's sample"),
            FieldPair::same("objects[].id", Kind::Objects, "objects.id"),
            FieldPair::same("objects[].individual", Kind::Objects, "objects.label")
                .note("`null` in the specification's sample"),
            FieldPair::same("objects[].isSensible", Kind::Objects, "objects.sensed"),
            FieldPair::own(
                "objects[].location.pose.created",
                "written as `mostRecentlyPerceived`, not read",
            ),
            FieldPair::own(
                "objects[].statistics.durationContinuouslyPerceived",
                "written as 00:00:00, not read",
            ),
            FieldPair::same("objects[].statistics.firstPerceived", Kind::Objects, "objects.first_seen")
                .note("text in UTC on the wire, nanoseconds in the model"),
            FieldPair::same(
                "objects[].statistics.mostRecentlyPerceived",
                Kind::Objects,
                "objects.last_seen",
            )
            .note("text in UTC on the wire, nanoseconds in the model"),
            FieldPair::same("objects[].timeStamp", Kind::Objects, "objects.last_seen")
                .note("read where the statistics are missing"),
        ]
    ),
);

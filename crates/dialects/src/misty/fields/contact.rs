//! What presses or strokes the robot.

use latimer_core::model::Kind;

use super::pose::{AGAIN, FRAMES, POLAR, TREE};
use super::{CREATED, EXPIRY, message, sensor_ids, sensor_names, sensor_positions};
use crate::misty::map::names::{BUMPERS, TOUCHES};
use crate::misty::wire::EventType;
use crate::table::{FieldPair, Message};

const NOT_TURNED: &str = "how the sensor is turned: a contact has a place only";

/// Where the sensor sits, behind other fields.
macro_rules! with_mounting {
    ($($row:expr,)*) => {
        &[
            $($row,)*
            FieldPair::own("pose.bearing", POLAR),
            FieldPair::own("pose.created", "when the frame was made: written as `created`, not read"),
            FieldPair::own("pose.distance", POLAR),
            FieldPair::own("pose.elevation", POLAR),
            FieldPair::words("pose.frameId", Kind::Contact, "frame", FRAMES),
            FieldPair::own("pose.framesProvider.**", TREE),
            FieldPair::own("pose.homogeneousCoordinates.**", AGAIN),
            FieldPair::own("pose.pitch", NOT_TURNED),
            FieldPair::own("pose.roll", NOT_TURNED),
            FieldPair::number("pose.x", "m", Kind::Contact, "position.x_m", 1.0),
            FieldPair::number("pose.y", "m", Kind::Contact, "position.y_m", 1.0),
            FieldPair::own("pose.yaw", NOT_TURNED),
            FieldPair::number("pose.z", "m", Kind::Contact, "position.z_m", 1.0),
        ]
    };
}

pub(super) const BUMP_SENSOR: Message = message(
    EventType::BumpSensor,
    "A bumper of the base was pressed or released.",
    with_mounting![
        CREATED,
        EXPIRY,
        FieldPair::same("isContacted", Kind::Contact, "contacted"),
        FieldPair::part("sensorId", &sensor_ids(&BUMPERS)),
        FieldPair::part("sensorName", &sensor_names(&BUMPERS)),
        FieldPair::part("sensorPosition", &sensor_positions(&BUMPERS)).note("for conditions; not sent"),
    ],
);

pub(super) const TOUCH_SENSOR: Message = message(
    EventType::TouchSensor,
    "A touch sensor of the head was touched or let go.",
    with_mounting![
        CREATED,
        EXPIRY,
        FieldPair::same("isContacted", Kind::Contact, "contacted"),
        FieldPair::own("sensorId", "`cap` for every touch sensor of Misty"),
        FieldPair::part("sensorName", &sensor_names(&TOUCHES)),
        FieldPair::part("sensorPosition", &sensor_positions(&TOUCHES)),
    ],
);

//! Readings.

use latimer_core::model::Kind;

use super::{ID, REALITY, centimetres, message};
use crate::table::{FieldPair, Message};

const RED: FieldPair = FieldPair::same("R", Kind::Color, "red").note("0..255");

const GREEN: FieldPair = FieldPair::same("G", Kind::Color, "green").note("0..255");

const BLUE: FieldPair = FieldPair::same("B", Kind::Color, "blue").note("0..255");

const AMBIENT: FieldPair = FieldPair::number("ambient", "1/255", Kind::Color, "ambient_ratio", 255.0);

pub(super) const DISTANCE: Message = message(
    "sensor/distance",
    &[Kind::Range],
    "A robot asks for the distance ahead, and tells what it measured itself, of the part `front`.",
    &[
        ID,
        centimetres("dist", Kind::Range, "distance_m").note("left out by robots that only ask"),
        FieldPair::own("reality", REALITY),
    ],
);

pub(super) const DISTANCE_OF: Message = message(
    "sensor/distance/{id}",
    &[Kind::Range],
    "The simulator tells a robot the distance ahead; the part is `virtual_front`.",
    &[centimetres("distance", Kind::Range, "distance_m")
        .note("below 0 for what touches the robot; 994 and 1000 are nothing in view")],
);

pub(super) const COLOR: Message = message(
    "sensor/color",
    &[Kind::Color],
    "A robot asks for the colour ahead, and tells what it measured itself, of the part `front`.",
    &[ID, RED, GREEN, BLUE, AMBIENT, FieldPair::own("reality", REALITY)],
);

pub(super) const COLOR_OF: Message = message(
    "sensor/color/{id}",
    &[Kind::Color],
    "The simulator tells a robot the colour ahead; the part is `virtual_front`.",
    &[RED, GREEN, BLUE, AMBIENT],
);

pub(super) const PROXIMITY_OF: Message = message(
    "sensor/proximity/{id}",
    &[Kind::Range, Kind::Color],
    "The simulator tells a robot what is around it, in the directions that it asked for; the parts are \
     `virtual_left`, `virtual_front`, `virtual_right` and `virtual_angle_45`.",
    &[
        centimetres("distances[]", Kind::Range, "distance_m"),
        FieldPair::same("colors[]", Kind::Color, "red").note("the first byte of `#404040`"),
        FieldPair::same("colors[]", Kind::Color, "green").note("the second one"),
        FieldPair::same("colors[]", Kind::Color, "blue").note("the third one"),
    ],
);

pub(super) const COMPASS: Message = message(
    "sensor/compass/",
    &[Kind::Imu],
    "A robot tells what its compass shows.",
    &[
        ID,
        FieldPair::same("compass", Kind::Imu, "orientation.yaw_rad")
            .note("degrees clockwise from +y: 90 less the heading"),
    ],
);

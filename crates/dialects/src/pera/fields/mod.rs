//! The topics' fields beside the model's: `map` as data, for pages and documents.
//!
//! A message that is a line of numbers has its numbers as fields, by the names that its documents give them.

mod sense;
#[cfg(test)]
mod tests;

use latimer_core::model::Kind;

use crate::table::{FieldPair, Fields, Message};

/// Every topic that tells something of the model.
pub const MESSAGES: &[Message] = &[
    CREATE,
    LOCALIZATION_OF,
    LOCALIZATION_UPDATE,
    LOCALIZATION_DATA,
    SNAPSHOT,
    sense::DISTANCE,
    sense::DISTANCE_OF,
    sense::COLOR,
    sense::COLOR_OF,
    sense::PROXIMITY_OF,
    sense::COMPASS,
    NEOPIXEL,
    LOG,
    COMM_OUT_SIMPLE,
    COMM_OUT_DIRECT,
    COMM_IN_SIMPLE,
    COMM_IN_DIRECT,
];

const fn message(
    topic: &'static str,
    kinds: &'static [Kind],
    summary: &'static str,
    fields: &'static [FieldPair],
) -> Message {
    Message { topic, kinds, summary, fields: Fields::Table(fields) }
}

/// A length.
const fn centimetres(wire: &'static str, kind: Kind, model: &'static str) -> FieldPair {
    FieldPair::number(wire, "cm", kind, model, 100.0)
}

/// A direction, counter-clockwise from +x.
const fn heading(wire: &'static str) -> FieldPair {
    FieldPair::number(wire, "°", Kind::Pose, "yaw_rad", DEGREES).turning(360.0)
}

/// Degrees of a radian.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;

/// Whose message it is.
const ID: FieldPair = FieldPair::own("id", "the robot's number in the swarm");

/// What the robot is, or what counts.
const REALITY: &str = "`R` real, `V` virtual, `M` both";

const CREATE: Message = message(
    "robot/create",
    &[Kind::Pose],
    "A robot introduces itself.",
    &[
        ID,
        centimetres("x", Kind::Pose, "x_m"),
        centimetres("y", Kind::Pose, "y_m"),
        heading("heading"),
        FieldPair::own("reality", REALITY),
    ],
);

const LOCALIZATION_OF: Message = message(
    "localization/{id}",
    &[Kind::Pose],
    "The simulator tells a robot where it is.",
    &[centimetres("x", Kind::Pose, "x_m"), centimetres("y", Kind::Pose, "y_m"), heading("heading")],
);

const LOCALIZATION_UPDATE: Message = message(
    "localization/update",
    &[Kind::Pose],
    "Robots, or the camera above them, tell where they are.",
    LIST,
);

const LOCALIZATION_DATA: Message =
    message("localization/data", &[Kind::Pose], "The simulator tells where all robots are.", LIST);

const LIST: &[FieldPair] = &[
    FieldPair::own("[].id", "the robot's number in the swarm"),
    centimetres("[].x", Kind::Pose, "x_m"),
    centimetres("[].y", Kind::Pose, "y_m"),
    heading("[].heading"),
    FieldPair::own("[].reality", REALITY),
];

const SNAPSHOT: Message = message(
    "mgt/robots/?",
    &[Kind::Pose],
    "The simulator tells all that it knows of a robot.",
    &[
        ID,
        FieldPair::own("reality", REALITY),
        centimetres("coordinates.x", Kind::Pose, "x_m"),
        centimetres("coordinates.y", Kind::Pose, "y_m"),
        heading("coordinates.heading"),
        FieldPair::own("live", "when it was heard last, `HH:MM:SS`"),
        FieldPair::own("data.**", "what its sensors read last"),
    ],
);

const NEOPIXEL: Message = message(
    "output/neopixel",
    &[Kind::Lamp],
    "The colour of a robot's lamp; the part is `neopixel`.",
    &[
        ID,
        FieldPair::same("R", Kind::Lamp, "red").note("0..255"),
        FieldPair::same("G", Kind::Lamp, "green").note("0..255"),
        FieldPair::same("B", Kind::Lamp, "blue").note("0..255"),
    ],
);

const LOG: Message = message(
    "robot/log",
    &[Kind::Text],
    "What a robot notes.",
    &[ID, FieldPair::same("msg", Kind::Text, "text")],
);

const COMM_OUT_SIMPLE: Message = message(
    "comm/out/simple",
    &[Kind::Text],
    "A robot says something to those around it; the part is `comm_out_simple`.",
    SAID,
);

const COMM_OUT_DIRECT: Message = message(
    "comm/out/direct",
    &[Kind::Text],
    "A robot says something to those ahead of it; the part is `comm_out_direct`.",
    SAID,
);

const SAID: &[FieldPair] = &[
    ID,
    FieldPair::same("msg", Kind::Text, "text"),
    FieldPair::own(
        "dist",
        "how far it is heard, in centimetres; in the model it is `reach_m` beside the text",
    ),
];

const COMM_IN_SIMPLE: Message = message(
    "comm/in/simple/{id}",
    &[Kind::Text],
    "A robot hears one near it; the part is `comm_in_simple`.",
    HEARD,
);

const COMM_IN_DIRECT: Message = message(
    "comm/in/direct/{id}",
    &[Kind::Text],
    "A robot hears one that looks at it; the part is `comm_in_direct`.",
    HEARD,
);

const HEARD: &[FieldPair] = &[FieldPair::same("msg", Kind::Text, "text")];

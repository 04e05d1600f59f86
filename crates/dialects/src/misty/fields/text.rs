//! Text that passes through.

use latimer_core::model::Kind;

use super::message;
use crate::misty::wire::EventType;
use crate::table::{FieldPair, Message};

pub(super) const SERIAL_MESSAGE: Message = message(
    EventType::SerialMessage,
    "A line from hardware on the robot's back; the part is `serial`.",
    &[
        FieldPair::time("serialMessage.created"),
        FieldPair::own("serialMessage.expiry", "until when it is good: written, not read"),
        FieldPair::same("serialMessage.message", Kind::Text, "text"),
        FieldPair::own("serialMessage.sensorId", "always `string`"),
        FieldPair::own("serialMessage.sensorName", "not given"),
    ],
);

pub(super) const SKILL_DATA: Message = message(
    EventType::SkillData,
    "What a program on the robot prints; the part is `skill`. Log and chat of other robots look like this too.",
    &[
        FieldPair::same("data.**", Kind::Text, "data").note("whatever the program attached"),
        FieldPair::same("message", Kind::Text, "text"),
        FieldPair::time("timestamp").note("the other messages call this `created`"),
        FieldPair::same("truncated", Kind::Text, "truncated"),
    ],
);

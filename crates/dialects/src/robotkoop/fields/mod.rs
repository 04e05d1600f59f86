//! The messages' fields beside the model's: `map` as data, for pages and documents.

#[cfg(test)]
mod tests;

use latimer_core::model::Kind;

use super::topic::Topic;
use crate::table::{FieldPair, Fields, Message};

/// What robots say; what they are told is no signal.
pub const MESSAGES: &[Message] = &[
    Message {
        topic: Topic::RobotsStatus.as_str(),
        kinds: &[Kind::Task],
        summary: "A report on a task, and on what the robot does for it.",
        fields: Fields::Table(&[
            FieldPair::own("source_id", "what the robot calls itself"),
            FieldPair::own("target_id", "for whom; not written"),
            FieldPair::own("priority", "how urgent the task is; not written"),
            FieldPair::time("timestamp").note("whole seconds since 1970"),
            FieldPair::same("task_id", Kind::Task, "id"),
            FieldPair::words(
                "type",
                Kind::Task,
                "state",
                &[
                    ("confirm", "confirmed"),
                    ("unkown", "unknown"),
                    ("success", "succeeded"),
                    ("anomaly_detected", "anomaly"),
                ],
            )
            .note("`success` with `success` false is `failed`"),
            FieldPair::same("parameter.performed_actions[].action", Kind::Task, "action")
                .note("a message for each action; one without a word here is told in `reason`"),
            FieldPair::same("parameter.performed_actions[].target", Kind::Task, "target"),
            FieldPair::same("parameter.missing_parameters[]", Kind::Task, "missing"),
            FieldPair::own("parameter.success", "`state` is `succeeded` or `failed`"),
            FieldPair::same("parameter.object", Kind::Task, "target"),
            FieldPair::words(
                "parameter.type",
                Kind::Task,
                "action",
                &[("no_location", "position_unknown"), ("not_available", "search_alternatives")],
            ),
            FieldPair::same("parameter.alternatives[].alternative_object", Kind::Task, "alternatives.object"),
            FieldPair::same("parameter.alternatives[].location", Kind::Task, "alternatives.location"),
            FieldPair::same(
                "parameter.alternatives[].db_location",
                Kind::Task,
                "alternatives.known_location",
            ),
            FieldPair::same("parameter.location", Kind::Task, "location"),
            FieldPair::same("parameter.objects[]", Kind::Task, "objects"),
        ]),
    },
    Message {
        topic: Topic::RobotsTask.as_str(),
        kinds: &[Kind::Text, Kind::Face],
        summary: "What the robot asks the dialogue system to say, and whom it saw.",
        fields: Fields::Table(&[
            FieldPair::own("target_id", "what the dialogue system is called"),
            FieldPair::own("source_id", "what the robot calls itself"),
            FieldPair::time("timestamp").note("whole seconds since 1970"),
            FieldPair::own("task_id", "made of the moment"),
            FieldPair::own("priority", "3"),
            FieldPair::kind("type", &[("tts", "text"), ("person_detected", "face")]),
            FieldPair::same("parameter.text", Kind::Text, "text"),
            FieldPair::same("parameter.lang", Kind::Text, "data").note("as `lang` in it"),
            FieldPair::same("parameter.id", Kind::Face, "track_id").note("as text"),
            FieldPair::same("parameter.name", Kind::Face, "label").note("`unknown` of a stranger"),
        ]),
    },
];

//! The four topics, for documents.

use latimer_core::model::Kind;

use super::topic::Topic;
use super::wire::{REPORT, REQUEST};
use crate::channels::Way::Both;
use crate::channels::{Channel, Channels};
use crate::table::{Fields, MessageInfo};

/// Messages of robots; messages to robots are no signals.
pub(super) static MESSAGES: [MessageInfo; CHANNELS.with_signals()] = CHANNELS.messages();

/// See [`Channels`]; the slash at the beginning of each topic is real.
pub(crate) const CHANNELS: Channels = Channels {
    prefix: "",
    parameters: &[],
    list: &[
        Channel::json(
            Topic::RobotsStatus.as_str(),
            Both,
            "A report on a task, and on what the robot does for it.",
            &[
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "confirm", "parameter": {}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "missing_info", "parameter": {"missing_parameters": ["object"]}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "unkown", "parameter": {}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "progress", "parameter": {"performed_actions": [{"action": "goto", "target": "Sofa"}, {"action": "found", "target": "coke"}]}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "success", "parameter": {"success": true}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "assistance", "parameter": {"object": "coke", "type": "not_available", "alternatives": [{"alternative_object": "cup", "location": "Kitchen", "db_location": "Kitchen"}]}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "anomaly_detected", "parameter": {"location": "Sofa", "objects": ["ball"]}}"#,
            ],
        )
        .of_signals(&[Kind::Task, Kind::Navigation, Kind::Motion], Fields::Described(&REPORT)),
        Channel::json(
            Topic::DialogueTask.as_str(),
            Both,
            "A task for a robot.",
            &[
                r#"{"target_id": "R_1", "source_id": "SI_1", "timestamp": 1552481472, "task_id": "Task1236861", "priority": 3, "type": "bring", "parameter": {"object": "coke", "from": null, "to": "user"}}"#,
            ],
        ),
        Channel::json(
            Topic::RobotsTask.as_str(),
            Both,
            "What the robot asks the dialogue system to say, and whom it saw.",
            &[
                r#"{"target_id": "SI_1", "source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236862", "priority": 3, "type": "tts", "parameter": {"text": "Here you are", "lang": "en_US"}}"#,
            ],
        )
        .of_signals(&[Kind::Text, Kind::Face], Fields::Described(&REQUEST)),
        Channel::json(
            Topic::DialogueStatus.as_str(),
            Both,
            "What the dialogue system says to a robot's message.",
            &[
                r#"{"target_id": "R_1", "source_id": "SI_1", "timestamp": 1552481472, "task_id": "Task1236861", "priority": 3, "type": "success", "parameter": {"success": true}}"#,
            ],
        ),
    ],
};

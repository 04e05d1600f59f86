//! The four topics, for documents.

use crate::channels::Way::Both;
use crate::channels::{Channel, Channels};

/// See [`Channels`]; the slash at the beginning of each topic is real.
pub(crate) const CHANNELS: Channels = Channels {
    prefix: "",
    parameters: &[],
    list: &[
        Channel::json(
            "/robots/status",
            Both,
            "What becomes of a task.",
            &[
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "confirm", "parameter": {}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "missing_info", "parameter": {"missing_parameters": ["object"]}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "unkown", "parameter": {}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "progress", "parameter": {"performed_actions": [{"action": "goto", "target": "Sofa"}, {"action": "found", "target": "coke"}]}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "success", "parameter": {"success": true}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "assistance", "parameter": {"object": "coke", "type": "not_available", "alternatives": [{"alternative_object": "cup", "location": "Kitchen", "db_location": "Kitchen"}]}}"#,
                r#"{"source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236861", "type": "anomaly_detected", "parameter": {"location": "Sofa", "objects": ["ball"]}}"#,
            ],
        ),
        Channel::json(
            "/dialogue/task",
            Both,
            "A task for a robot.",
            &[
                r#"{"target_id": "R_1", "source_id": "SI_1", "timestamp": 1552481472, "task_id": "Task1236861", "priority": 3, "type": "bring", "parameter": {"object": "coke", "from": null, "to": "user"}}"#,
            ],
        ),
        Channel::json(
            "/robots/task",
            Both,
            "A robot's task for the dialogue system.",
            &[
                r#"{"target_id": "SI_1", "source_id": "R_1", "timestamp": 1552481472, "task_id": "Task1236862", "priority": 3, "type": "tts", "parameter": {"text": "Here you are", "lang": "en_US"}}"#,
            ],
        ),
        Channel::json(
            "/dialogue/status",
            Both,
            "What the dialogue system says to a robot's message.",
            &[
                r#"{"target_id": "R_1", "source_id": "SI_1", "timestamp": 1552481472, "task_id": "Task1236861", "priority": 3, "type": "success", "parameter": {"success": true}}"#,
            ],
        ),
    ],
};

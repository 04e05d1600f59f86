//! Tasks for robots.

use latimer_core::model::TaskRequest;
use serde_json::{Map, Value};

use super::{USUAL_PRIORITY, seconds_from_timestamp};
use crate::robotkoop::wire::{Body, Head, Message, Order};

/// A task as the model has it. A parameter that is null is left out; one that is no text is written as JSON.
pub fn task_from_order(head: &Head, order: &Order) -> TaskRequest {
    let Head { target_id: _, source_id, timestamp: _, task_id, priority } = head;
    let Order { kind, parameter } = order;
    let sent = |(name, value): (&String, &Value)| match value {
        Value::Null => None,
        Value::String(text) => Some((name.clone(), text.clone())),
        other => Some((name.clone(), other.to_string())),
    };
    TaskRequest {
        id: task_id.clone(),
        kind: kind.clone(),
        parameters: parameter.iter().filter_map(sent).collect(),
        asker: Some(source_id.clone()),
        priority: priority.unwrap_or(USUAL_PRIORITY).clamp(1, 5) as u8,
    }
}

/// A task for a robot, from its asker, else from `sender`. A parameter that says nothing is null.
pub fn order_from_task(
    task: &TaskRequest,
    robot: &str,
    sender: &str,
    now: latimer_core::Timestamp,
) -> Message {
    let TaskRequest { id, kind, parameters, asker, priority } = task;
    let value = |text: &String| if text.is_empty() { Value::Null } else { Value::String(text.clone()) };
    let parameter: Map<String, Value> =
        parameters.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    let head = Head {
        target_id: Some(robot.to_owned()),
        source_id: asker.clone().filter(|it| !it.is_empty()).unwrap_or_else(|| sender.to_owned()),
        timestamp: Some(seconds_from_timestamp(now)),
        task_id: id.clone(),
        priority: Some(i64::from(*priority).clamp(1, 5)),
    };
    Message { head, body: Body::Order(Order { kind: kind.clone(), parameter }) }
}

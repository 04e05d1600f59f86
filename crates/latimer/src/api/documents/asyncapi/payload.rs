//! A dialect's message as a schema, from its table of fields.

use latimer_core::model::shape::Type;
use latimer_dialects::table::{FieldPair, Message, Role};
use serde_json::{Value, json};

/// What a message looks like; a robot may leave fields out and add others.
pub(super) fn schema(message: &Message) -> Value {
    let mut schema = json!({ "type": "object", "properties": {} });
    for pair in message.fields {
        if let Some(place) = place(&mut schema, pair.wire) {
            let known = place.get("description").and_then(Value::as_str).map(str::to_owned);
            let mut field = field(pair);
            // A field that two kinds share stands twice in the table.
            if let Some(known) = known {
                let told = field["description"].as_str().unwrap_or_default();
                let both = if known.contains(told) { known } else { format!("{known}; {told}") };
                field["description"] = both.into();
            }
            *place = field;
        }
    }
    schema
}

/// The schema of what is at a path; `None` for what is below a field that is described already.
fn place<'a>(schema: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    let mut here = schema;
    for segment in path.split('.').filter(|segment| *segment != "**") {
        let (name, lists) = segment.split_once('[').unwrap_or((segment, ""));
        if !name.is_empty() {
            if here.get("properties").is_none() {
                *here = json!({ "type": ["object", "null"], "properties": {} });
            }
            here = here["properties"].as_object_mut()?.entry(name).or_insert_with(|| json!({}));
        }
        for _ in lists.matches(']') {
            if here.get("items").is_none() {
                *here = json!({ "type": ["array", "null"], "items": {} });
            }
            here = &mut here["items"];
        }
    }
    Some(here)
}

fn field(pair: &FieldPair) -> Value {
    let mut schema = match type_(pair) {
        Some(name) => json!({ "type": [name, "null"] }),
        None => json!({}),
    };
    let meaning = match (pair.role, pair.kind, pair.model) {
        (Role::Part, ..) => "which part of the robot is meant".to_owned(),
        (Role::Kind, ..) => "which kind is meant".to_owned(),
        (Role::Time, ..) => "when it happened".to_owned(),
        (Role::Own, ..) => "nothing in the model".to_owned(),
        (Role::Reserved, ..) => "reserved".to_owned(),
        (Role::Value, Some(kind), Some(model)) => format!("`{kind}.{model}`"),
        (Role::Value, ..) => "a value".to_owned(),
    };
    let note = pair.note.map(|note| format!(": {note}")).unwrap_or_default();
    schema["description"] = format!("{meaning}{note}").into();
    if let Some(unit) = pair.unit {
        schema["x-unit"] = unit.into();
    }
    if let Some(factor) = pair.factor {
        schema["x-factor"] = factor.into();
    }
    if !pair.words.is_empty() {
        let words: Vec<&str> = pair.words.iter().map(|(wire, _)| *wire).collect();
        schema["examples"] = json!(words);
    }
    schema
}

/// The type on the wire, where the table tells it.
fn type_(pair: &FieldPair) -> Option<&'static str> {
    if pair.factor.is_some() {
        return Some("number");
    }
    if pair.role != Role::Value || !pair.words.is_empty() {
        return None;
    }
    match pair.kind?.shape().at(pair.model?)?.form.type_ {
        Type::Boolean => Some("boolean"),
        Type::Text => Some("string"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::Kind;

    use super::*;

    #[test]
    fn paths_become_nested_schemas() {
        const FIELDS: &[FieldPair] = &[
            FieldPair::number("pose.position[].x", "m", Kind::Pose, "x_m", 1.0),
            FieldPair::own("pose.position[].y", "not read"),
            FieldPair::own("raw.**", "anything"),
        ];
        let message = Message { topic: "Pose", kinds: &[Kind::Pose], summary: "A pose.", fields: FIELDS };
        let schema = schema(&message);
        let item = &schema["properties"]["pose"]["properties"]["position"]["items"]["properties"];
        assert_eq!(item["x"]["x-unit"], "m");
        assert_eq!(item["y"]["description"], "nothing in the model: not read");
        assert!(schema["properties"]["raw"]["description"].is_string());
    }
}

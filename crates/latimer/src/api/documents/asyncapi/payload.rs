//! A dialect's message as a schema, from its description.

use latimer_core::model::Kind;
use latimer_core::model::shape::Type;
use latimer_dialects::describe::{Field, Form, Meaning};
use latimer_dialects::table::{FieldPair, Fields, Message, Role};
use serde_json::{Map, Value, json};

/// What a message looks like; a robot may leave fields out and add others.
pub(super) fn schema(message: &Message) -> Value {
    match message.fields {
        Fields::Described(fields) => object(fields, message.kinds.first().copied(), ""),
        Fields::Each(fields) => {
            json!({ "type": "array", "items": object(fields, message.kinds.first().copied(), "") })
        }
        Fields::Table(pairs) => of_table(pairs),
    }
}

/// The fields of a message, or of an object inside of it that stands for `above` in the model.
fn object(fields: &[Field], kind: Option<Kind>, above: &str) -> Value {
    let mut properties = Map::new();
    for field in fields {
        let kind = field.kind.or(kind);
        let paths: Vec<String> = match field.meaning {
            Meaning::Value(targets) => targets.iter().map(|it| format!("{above}{}", it.path)).collect(),
            _ => Vec::new(),
        };
        let inside = paths.first().filter(|path| !path.is_empty()).map(|path| format!("{path}."));
        let mut schema = form(field.form, kind, inside.as_deref().unwrap_or(above));
        if field.always
            && let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut)
        {
            types.retain(|it| it != "null");
        }
        let info = (field.codec)();
        let model = kind
            .map(|kind| paths.iter().map(|path| format!("`{kind}.{path}`")).collect::<Vec<_>>().join(", "));
        let meaning = match field.meaning {
            Meaning::Value(_) => model.unwrap_or_default(),
            Meaning::Time => "when it happened".to_owned(),
            Meaning::Part => "which part of the robot is meant".to_owned(),
            Meaning::Kind => "which kind is meant".to_owned(),
            Meaning::Computed => "computed from the other fields, not read".to_owned(),
            Meaning::Own => "nothing in the model".to_owned(),
            Meaning::Reserved => "reserved".to_owned(),
        };
        let told = [meaning.as_str(), field.summary, field.note.unwrap_or_default()];
        let told: Vec<&str> = told.into_iter().filter(|text| !text.is_empty()).collect();
        schema["description"] = told.join(": ").into();
        let of_model = || kind?.shape().at(paths.first()?)?.unit();
        if let Some(unit) = field.unit.or_else(|| if info.words.is_empty() { of_model() } else { None }) {
            schema["x-unit"] = unit.into();
            schema["x-factor"] = info.factor.unwrap_or(1.0).into();
            if let Some(offset) = info.offset {
                schema["x-offset"] = offset.into();
            }
        }
        if !info.words.is_empty() {
            schema["examples"] = info.words.iter().map(|(word, _)| *word).collect();
        }
        properties.insert(field.name.to_owned(), schema);
    }
    json!({ "type": "object", "properties": properties })
}

/// What stands in a place; any of it may be missing or `null`.
fn form(form: Form, kind: Option<Kind>, above: &str) -> Value {
    match form {
        Form::Number => json!({ "type": ["number", "null"] }),
        Form::Integer => json!({ "type": ["integer", "null"] }),
        Form::Boolean => json!({ "type": ["boolean", "null"] }),
        Form::Text => json!({ "type": ["string", "null"] }),
        Form::NumberOrText => json!({ "type": ["number", "string", "null"] }),
        Form::Any => json!({}),
        Form::Numbers(least, most) => json!({
            "type": ["array", "null"], "items": { "type": "number" }, "minItems": least, "maxItems": most,
        }),
        Form::List(item) => json!({ "type": ["array", "null"], "items": self::form(*item, kind, above) }),
        Form::Object(fields) => {
            let mut object = object(fields, kind, above);
            object["type"] = json!(["object", "null"]);
            object
        }
    }
}

fn of_table(pairs: &[FieldPair]) -> Value {
    let mut schema = json!({ "type": "object", "properties": {} });
    for pair in pairs {
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
    use super::*;

    #[test]
    fn paths_become_nested_schemas() {
        const FIELDS: &[FieldPair] = &[
            FieldPair::number("pose.position[].x", "m", Kind::Pose, "x_m", 1.0),
            FieldPair::own("pose.position[].y", "not read"),
            FieldPair::own("raw.**", "anything"),
        ];
        let schema = of_table(FIELDS);
        let item = &schema["properties"]["pose"]["properties"]["position"]["items"]["properties"];
        assert_eq!(item["x"]["x-unit"], "m");
        assert_eq!(item["y"]["description"], "nothing in the model: not read");
        assert!(schema["properties"]["raw"]["description"].is_string());
    }
}

//! A dialect's message as a schema, from its description.

use latimer_core::model::Kind;
use latimer_dialects::describe::{Field, Meaning, WireType};
use latimer_dialects::table::{Fields, MessageInfo};
use serde_json::{Map, Value, json};

/// What a message looks like; a robot may leave fields out and add others.
pub(super) fn schema(message: &MessageInfo) -> Value {
    match message.fields {
        Fields::Described(fields) => object(fields, message.kinds.first().copied(), ""),
        Fields::Each(fields) => {
            json!({ "type": "array", "items": object(fields, message.kinds.first().copied(), "") })
        }
    }
}

/// The fields of a message, or of an object inside of it that stands for `above` in the model.
fn object(fields: &[Field], kind: Option<Kind>, above: &str) -> Value {
    let mut properties = Map::new();
    for field in fields {
        let kind = field.kind.or(kind);
        let paths: Vec<String> = match field.meaning {
            Meaning::Value(targets) => {
                let path = |path: &str| format!("{above}{path}").trim_end_matches('.').to_owned();
                targets.iter().map(|it| path(it.path)).collect()
            }
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
        let words = [meaning.as_str(), field.summary, field.note.unwrap_or_default()];
        let words: Vec<&str> = words.into_iter().filter(|text| !text.is_empty()).collect();
        schema["description"] = words.join(": ").into();
        let of_model = || kind?.shape().at(paths.first()?)?.unit();
        if let Some((unit, factor)) = info.measure(of_model()) {
            schema["x-unit"] = unit.into();
            schema["x-factor"] = factor.into();
            if let Some(offset) = info.offset {
                schema["x-offset"] = offset.into();
            }
        }
        if !info.words.is_empty() {
            // A number for a word is a number in JSON; one that stands for several values is named once.
            let example = |word: &str| match field.form {
                WireType::Integer => word.parse::<i64>().map_or(Value::Null, Value::from),
                _ => Value::from(word),
            };
            let mut examples: Vec<Value> = Vec::new();
            for word in info.words.iter().map(|(word, _)| example(word)) {
                if !examples.contains(&word) {
                    examples.push(word);
                }
            }
            schema["examples"] = examples.into();
        }
        properties.insert(field.name.to_owned(), schema);
    }
    json!({ "type": "object", "properties": properties })
}

/// What stands in a place; any of it may be missing or `null`.
fn form(form: WireType, kind: Option<Kind>, above: &str) -> Value {
    match form {
        WireType::Number => json!({ "type": ["number", "null"] }),
        WireType::Integer => json!({ "type": ["integer", "null"] }),
        WireType::Boolean => json!({ "type": ["boolean", "null"] }),
        WireType::Text => json!({ "type": ["string", "null"] }),
        WireType::NumberOrText => json!({ "type": ["number", "string", "null"] }),
        WireType::Bytes(_) => json!({ "type": ["string", "null"], "contentEncoding": "base64" }),
        WireType::Any => json!({}),
        WireType::Numbers(least, most) => json!({
            "type": ["array", "null"], "items": { "type": "number" }, "minItems": least, "maxItems": most,
        }),
        WireType::List(item) => json!({ "type": ["array", "null"], "items": self::form(*item, kind, above) }),
        WireType::Object(fields) => {
            let mut object = object(fields, kind, above);
            object["type"] = json!(["object", "null"]);
            object
        }
    }
}

//! The records of the model as schemas.

use latimer_core::model::shape::{Field, Type, ValueType, Word};
use serde_json::{Map, Value, json};

/// A record with these fields.
pub(super) fn record(summary: &str, fields: &[Field]) -> Value {
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let properties: Map<String, Value> = fields.iter().map(|it| (it.name.to_owned(), property(it))).collect();
    json!({ "type": "object", "description": summary, "required": names, "properties": properties })
}

fn property(field: &Field) -> Value {
    let mut schema = form(&field.form);
    let mut description = field.summary.to_owned();
    if let Some(meanings) = schema.as_object_mut().and_then(|schema| schema.remove("description")) {
        description = format!("{description} {}", meanings.as_str().unwrap_or_default());
    }
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    if let Some(unit) = field.unit() {
        schema["x-unit"] = unit.into();
    }
    schema
}

fn form(form: &ValueType) -> Value {
    let plain = |name: &str| match form.nullable {
        true => json!({ "type": [name, "null"] }),
        false => json!({ "type": name }),
    };
    let with = |name: &str, field: &str, value: Value| {
        let mut schema = plain(name);
        schema[field] = value;
        schema
    };
    match form.type_ {
        Type::Number => plain("number"),
        Type::Integer => plain("integer"),
        Type::Boolean => plain("boolean"),
        Type::Text => plain("string"),
        Type::Time => with("integer", "description", "Nanoseconds since 1970.".into()),
        Type::Duration => with("number", "x-unit", "s".into()),
        Type::Bytes => with("string", "description", "`<1234 bytes>`, or Base64 with `bytes=base64`.".into()),
        Type::Any => json!({}),
        Type::Word(words) => {
            let nothing = form.nullable.then_some(Value::Null);
            let known: Vec<Value> = words.iter().map(|it| it.word.into()).chain(nothing).collect();
            let mut schema = with("string", "enum", known.into());
            schema["description"] = meanings(words).into();
            schema
        }
        Type::Name(words) => with("string", "description", meanings(words).into()),
        Type::Record(fields) => {
            let mut schema = record("", fields);
            schema["type"] = plain("object")["type"].clone();
            if let Some(schema) = schema.as_object_mut() {
                schema.remove("description");
            }
            schema
        }
        Type::List(item) => with("array", "items", self::form(item)),
    }
}

/// What words stand for.
fn meanings(words: &[Word]) -> String {
    let meanings: Vec<String> = words.iter().map(|it| format!("`{}`: {}", it.word, it.summary)).collect();
    meanings.join(" ")
}

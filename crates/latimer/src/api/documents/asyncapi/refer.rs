//! Schemas that the API's other description has, for this one.

use serde_json::{Map, Value};

/// A schema and all that it refers to, from the description of the HTTP API.
pub(super) fn take(name: &str, from: &Value, into: &mut Map<String, Value>) {
    if into.contains_key(name) {
        return;
    }
    let Some(schema) = from.pointer(&format!("/components/schemas/{name}")) else { return };
    let mut schema = schema.clone();
    let mut referred = Vec::new();
    adapt(&mut schema, &mut referred);
    into.insert(name.to_owned(), schema);
    for name in referred {
        take(&name, from, into);
    }
}

/// Collects references; AsyncAPI names the discriminator, and no more.
fn adapt(schema: &mut Value, referred: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(place)) = fields.get("$ref") {
                referred.extend(place.rsplit('/').next().map(str::to_owned));
            }
            if let Some(field) = fields.get("discriminator").and_then(|it| it.get("propertyName")).cloned() {
                fields.insert("discriminator".to_owned(), field);
            }
            fields.values_mut().for_each(|value| adapt(value, referred));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| adapt(item, referred)),
        _ => {}
    }
}

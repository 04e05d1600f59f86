//! Keys of a body: their case and their order.

use serde_json::{Map, Value};

/// Turns every key to the spelling of 2018: `personName` to `PersonName`.
pub fn pascal_case(value: Value) -> Value {
    with_first_letters(value, None, |first| first.to_ascii_uppercase())
}

/// One key in the spelling of 2018.
pub(super) fn with_capital(key: &str) -> String {
    with_first_letter(key, |first| first.to_ascii_uppercase())
}

/// Turns every key back: `PersonName` to `personName`; what stands under `dictionary` keeps its keys.
pub(super) fn camel_case(value: Value, dictionary: Option<&str>) -> Value {
    with_first_letters(value, dictionary, |first| first.to_ascii_lowercase())
}

fn with_first_letters(value: Value, dictionary: Option<&str>, turn: fn(char) -> char) -> Value {
    match value {
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| with_first_letters(item, None, turn)).collect())
        }
        Value::Object(map) => Value::Object(
            map.into_iter()
                .map(|(key, value)| {
                    let key = with_first_letter(&key, turn);
                    let kept = dictionary.is_some_and(|name| name == key);
                    (key, if kept { value } else { with_first_letters(value, None, turn) })
                })
                .collect(),
        ),
        scalar => scalar,
    }
}

fn with_first_letter(key: &str, turn: fn(char) -> char) -> String {
    let mut chars = key.chars();
    chars.next().map(turn).into_iter().chain(chars).collect()
}

/// Whether an object may be in the spelling of 2018: its first key begins with a capital. Costs no parsing.
pub(super) fn may_be_pascal_case(json: &str) -> bool {
    let key = json.trim_start().strip_prefix('{').and_then(|rest| rest.trim_start().strip_prefix('"'));
    key.is_some_and(|key| key.starts_with(|first: char| first.is_ascii_uppercase()))
}

/// Whether an object is in the spelling of 2018: no key begins with a small letter.
///
/// One small letter tells: robots spell a body in one way, so a capital beside it belongs to a key that is not known.
pub(super) fn is_pascal_case(value: &Value) -> bool {
    let small = |key: &String| key.starts_with(|first: char| first.is_ascii_lowercase());
    value.as_object().is_some_and(|body| !body.keys().any(small))
}

/// Puts every key into alphabetical order, case ignored; what stands under `dictionary` keeps its order.
pub(super) fn sort_keys(value: &mut Value, dictionary: Option<&str>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| sort_keys(item, None)),
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                if dictionary != Some(key.as_str()) {
                    sort_keys(value, None);
                }
            }
            if !is_sorted(map) {
                let mut entries: Vec<_> = std::mem::take(map).into_iter().collect();
                entries.sort_by(|(a, _), (b, _)| folded(a).cmp(folded(b)));
                map.extend(entries);
            }
        }
        _ => {}
    }
}

fn is_sorted(map: &Map<String, Value>) -> bool {
    map.keys().zip(map.keys().skip(1)).all(|(a, b)| folded(a).le(folded(b)))
}

fn folded(key: &str) -> impl Iterator<Item = u8> + '_ {
    key.bytes().map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn first_letters_turn_at_every_depth_and_back() {
        let camel = json!({"localIPAddress": 1, "objects": [{"x": {"timeStamp": null}}]});
        let pascal = json!({"LocalIPAddress": 1, "Objects": [{"X": {"TimeStamp": null}}]});
        assert_eq!(pascal_case(camel.clone()), pascal);
        assert_eq!(camel_case(pascal, None), camel);
    }

    #[test]
    fn one_small_letter_tells_that_it_is_not_the_spelling_of_2018() {
        assert!(may_be_pascal_case(r#" { "Created": 1}"#) && !may_be_pascal_case(r#"{"created": 1}"#));
        assert!(is_pascal_case(&json!({"Created": 1, "PersonName": null})));
        assert!(!is_pascal_case(&json!({"Acceleration": 1, "created": 2})));
    }

    #[test]
    fn a_dictionary_keeps_its_keys_and_their_order() {
        let mut value =
            camel_case(json!({"Data": {"Zulu": 1, "Alpha": 2}, "Beta": {"B": 1, "a": 2}}), Some("data"));
        sort_keys(&mut value, Some("data"));
        assert_eq!(value.to_string(), r#"{"beta":{"a":2,"b":1},"data":{"Zulu":1,"Alpha":2}}"#);
    }

    #[test]
    fn order_ignores_case() {
        let mut value = json!({"sectorStartAngles": 1, "sectorsEnabled": 2, "gainStep": 3});
        sort_keys(&mut value, None);
        assert_eq!(value.to_string(), r#"{"gainStep":3,"sectorsEnabled":2,"sectorStartAngles":1}"#);
    }
}

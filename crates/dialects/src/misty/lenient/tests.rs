//! Real clients' texts, hostile texts, and properties.

use proptest::{collection, prelude::*};
use serde_json::json;

use super::*;

fn value(text: &str) -> Value {
    read(text).unwrap_or_else(|error| panic!("{text}: {error}")).unwrap()
}

#[test]
fn the_python_sdk_sends_a_printed_dict() {
    let text = "{'Operation': 'subscribe', 'Type': 'BumpSensor', 'DebounceMs': 0, 'EventName': '8125', 'Message': '', \
                'EventConditions': [{'Property': 'IsContacted', 'Inequality': '=', 'Value': True}], 'ReturnProperty': None}";
    let expected = json!({
        "Operation": "subscribe", "Type": "BumpSensor", "DebounceMs": 0, "EventName": "8125", "Message": "",
        "EventConditions": [{"Property": "IsContacted", "Inequality": "=", "Value": true}], "ReturnProperty": null,
    });
    assert_eq!(value(text), expected);
}

#[test]
fn examples_end_with_a_comma_and_leave_quotes_out() {
    assert_eq!(value("{\"a\": [1, 2,], b: 'it\\'s', // why not\n}"), json!({"a": [1, 2], "b": "it's"}));
}

#[test]
fn an_empty_text_is_nothing() {
    for text in ["", " \r\n\t", "\u{feff}"] {
        assert_eq!(read(text), Ok(None));
    }
    assert_eq!(value("\u{feff}{}"), json!({}));
}

#[test]
fn python_words_in_texts_and_in_longer_words_stay() {
    assert_eq!(
        value("{'a': 'None', \"b\": \"True\", c: False}"),
        json!({"a": "None", "b": "True", "c": false})
    );
    assert_eq!(value("{Nonesuch: 1, isTrue: 2, True_: 3}"), json!({"Nonesuch": 1, "isTrue": 2, "True_": 3}));
    assert_eq!(value("[None,True/*False*/]"), json!([null, true]));
}

#[test]
fn numbers_without_meaning_are_null() {
    assert_eq!(value("[NaN, -Infinity]"), json!([null, null]));
}

#[test]
fn errors_say_what_and_where() {
    let syntax = read("{'Operation': 'subscribe'\n 'Type': 'IMU'}").unwrap_err().to_string();
    assert!(syntax.contains("line 2 column 2") && syntax.contains("send one JSON object"), "{syntax}");
    for unfinished in ["{'Operation':", "[1, ", "'text", "/*"] {
        let end = read(unfinished).unwrap_err().to_string();
        assert!(end.contains("ends before its value does"), "{end}");
    }
    let long = read(&" ".repeat(MAX_BYTES + 1)).unwrap_err();
    assert_eq!(long, LenientError::TooLong { len: MAX_BYTES + 1 });
    assert!(read("hello").is_err());
    assert!(read("{} {}").is_err());
}

#[test]
fn depth_is_bounded_wherever_brackets_hide() {
    let deep = "[".repeat(60_000);
    assert_eq!(read(&deep), Err(LenientError::TooDeep { offset: MAX_DEPTH }));
    assert!(matches!(read(&"[".repeat(1_000_000)), Err(LenientError::TooLong { .. })));
    for before in
        ["/* ' */", "// '\n", "// '\u{2028}", "// \"\r", "'\\''&&", "{'a\\\\':", "/**/", "[\"\\\"\", "]
    {
        assert!(read(&format!("{before}{deep}")).is_err(), "{before}");
    }
    let allowed = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert!(read(&allowed).is_ok());
    assert_eq!(value(&format!("['{deep}']"))[0], json!(deep));
}

#[test]
fn keys_are_found_in_any_case_and_exactly_first() {
    let map = json!({"debouncems": 1, "DebounceMs": 2});
    let map = map.as_object().unwrap();
    assert_eq!(get_ci(map, "DebounceMs"), Some(&json!(2)));
    assert_eq!(get_ci(map, "DEBOUNCEMS"), Some(&json!(1)));
    assert_eq!(get_ci(map, "Debounce"), None);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            collection::vec((any::<String>(), inner), 0..8).prop_map(|pairs| pairs.into_iter().collect()),
        ]
    })
}

/// Writes a value as Python's `repr` does; texts hold no character that Python would escape.
fn python_repr(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.contains('\'') && !text.contains('"') => format!("\"{text}\""),
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Value::Array(items) => format!("[{}]", items.iter().map(python_repr).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let pair = |(key, value): (&String, &Value)| {
                format!("{}: {}", python_repr(&Value::from(key.as_str())), python_repr(value))
            };
            format!("{{{}}}", map.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

fn python_value() -> impl Strategy<Value = Value> {
    let text = "[ -\\[\\]-~äß漢]{0,12}";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e6..1e6f64).prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            collection::vec((text, inner), 0..6).prop_map(|pairs| pairs.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn garbage_never_panics(text in "\\PC{0,300}") {
        let _ = read(&text);
    }

    #[test]
    fn broken_json_never_panics(text in "[\\[\\]{}:,'\"/*\\\\\n\u{2028}TrueNonFalsxu0-9a. ]{0,200}") {
        let _ = read(&text);
    }

    #[test]
    fn strict_json_is_read_as_it_is(value in any_value(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        prop_assert_eq!(read(&text), Ok(Some(value)));
    }

    #[test]
    fn a_printed_python_value_is_read(value in python_value()) {
        let text = python_repr(&value);
        prop_assert_eq!(read(&text), Ok(Some(value)), "{}", text);
    }
}

//! What a client may have meant.

use serde_json::{Map, Value};

use super::super::super::topic::Topic;

/// From here on two words are taken for the same one, mistyped.
const ALIKE: f64 = 0.6;

/// Topics on which the robot listens.
const HEARD: [&str; 8] = [
    "/twist",
    "/get_device_info_brief",
    "/get_device_info",
    "/follow_target_state",
    "/external_rgb_data/front",
    "/external_rgb_data/back",
    "/set_output_pins",
    "/modify_output_pins",
];

/// A value's type, for people.
pub(super) const fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A text cut to a readable length.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = cut(word).to_ascii_lowercase();
    let alike = known.map(|known| (strsim::normalized_damerau_levenshtein(&word, known), known));
    let best = alike.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 >= ALIKE).then_some(best.1)
}

/// The topic that a name that is no topic's may stand for.
pub(in super::super) fn nearest_topic(name: &str) -> Option<&'static str> {
    nearest(name, Topic::ALL.iter().map(|topic| topic.as_str()))
}

/// What to do about a message on a topic without a receiver.
pub(super) fn unknown_message(topic: &str) -> String {
    let shown = cut(topic);
    if topic.parse::<Topic>().is_ok() {
        return format!(
            "{shown:?} is published by the robot and takes no messages; send {{\"enable_topic\": {shown:?}}} to hear it"
        );
    }
    if topic.contains("cmd_vel") {
        return format!("the robot does not listen on {shown:?}; drive it with \"/twist\"");
    }
    match nearest(topic, HEARD.into_iter()) {
        Some(near) => format!("the robot does not listen on {shown:?}; did you mean {near:?}?"),
        None => format!("the robot does not listen on {shown:?}; it does on {}", HEARD.join(", ")),
    }
}

/// What to do about an object that has none of the keys that are known.
pub(super) fn no_key(fields: &Map<String, Value>) -> String {
    let known = ["enable_topic", "disable_topic", "topic"];
    let meant = fields.keys().find_map(|key| Some((cut(key), nearest(key, known.into_iter())?)));
    match meant {
        Some((key, near)) => format!("there is no {key:?}; it is called {near:?}"),
        None => "the object has none of \"enable_topic\", \"disable_topic\" and \"topic\"; write one of them"
            .into(),
    }
}

/// What to do about a field that is missing: another one may be it under a wrong name.
pub(super) fn missing(topic: &str, fields: &Map<String, Value>, name: &str, expected: &[&str]) -> String {
    let stem = name.split('_').next().unwrap_or(name);
    let other = fields.keys().find(|key| {
        !expected.contains(&key.as_str())
            && (key.starts_with(stem) || nearest(key, std::iter::once(name)).is_some())
    });
    match other {
        Some(other) => format!("{topic} has {:?}; it is called {name:?}", cut(other)),
        None => format!("{topic} lacks {name:?}"),
    }
}

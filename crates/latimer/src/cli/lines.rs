//! Updates as lines that a person reads.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value;

use latimer_wire::v1::{Gap, NativeMessage, Update};

/// One update: time, key and data.
pub(super) fn update(update: &Update) -> String {
    let mut line = format!("{} {}", time_of_day(&update.received), update.key);
    if let Some(message) = &update.message {
        push_message(&mut line, message);
    } else if let Some(data) = &update.data {
        push_fields(&mut line, "", data);
    }
    if let Some(native) = &update.native {
        line.push_str("\n    ");
        line.push_str(&native.dialect);
        push_message(&mut line, native);
    }
    line
}

/// One hole in the stream.
pub(super) fn gap(gap: &Gap) -> String {
    let lost = gap.lost.map(|lost| format!(" {lost} updates")).unwrap_or_default();
    let (time, robot, detail) = (time_of_day(&gap.to), &gap.robot, &gap.detail);
    format!("{time} {robot}  -- gap:{lost} missing since {}: {detail} --", time_of_day(&gap.from))
}

/// JSON without line breaks; they can only be blanks between its tokens.
pub(super) fn one_line(json: &str) -> Cow<'_, str> {
    if json.contains(['\n', '\r']) { json.replace(['\n', '\r'], " ").into() } else { json.into() }
}

/// `10:04:05.123` of an RFC 3339 time.
pub(super) fn time_of_day(time: &str) -> &str {
    time.split_once('T').and_then(|(_, time)| time.get(..12)).unwrap_or(time)
}

fn push_message(line: &mut String, message: &NativeMessage) {
    line.push(' ');
    line.push_str(&message.topic);
    line.push(' ');
    match (&message.payload, &message.payload_base64) {
        (Some(json), _) => line.push_str(&one_line(json.get())),
        (None, Some(base64)) => match message.bytes().map(String::from_utf8) {
            Some(Ok(text)) => line.push_str(&quoted(&text)),
            _ => line.push_str(base64),
        },
        (None, None) => {}
    }
}

/// Fields as `name=value`, nested ones with dots; what is not given is left out.
fn push_fields(line: &mut String, name: &str, value: &Value) {
    let text = match value {
        Value::Null => return,
        Value::Object(fields) => {
            for (field, value) in fields {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                push_fields(line, &name, value);
            }
            return;
        }
        Value::Array(items) => list(items),
        other => plain(other),
    };
    let _ = write!(line, "  {name}={text}");
}

fn list(items: &[Value]) -> String {
    let items: Vec<String> = items.iter().map(plain).collect();
    format!("[{}]", items.join(" "))
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => short(float),
            _ => number.to_string(),
        },
        Value::String(text) => quoted(text).into_owned(),
        Value::Array(items) => list(items),
        Value::Object(_) => {
            let mut line = String::new();
            push_fields(&mut line, "", value);
            format!("{{{}}}", line.trim_start().replace("  ", " "))
        }
        Value::Bool(bool) => bool.to_string(),
    }
}

/// Four digits after the point, which is less than any sensor is exact to; tiny values by exponent.
fn short(float: f64) -> String {
    if float != 0.0 && float.abs() < 1e-3 {
        return format!("{float:.1e}");
    }
    let text = format!("{float:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Words as they are, anything else as a JSON string: a robot cannot write to the terminal unseen.
pub(super) fn quoted(text: &str) -> Cow<'_, str> {
    let word = |c: char| c.is_alphanumeric() || "_-.:/+%".contains(c);
    if !text.is_empty() && text.chars().all(word) { text.into() } else { format!("{text:?}").into() }
}

/// A robot's text, without what would write to the terminal unseen; quotation marks stay as they are.
pub(super) fn visible(text: &str) -> String {
    let shown = |letter: char| match letter {
        '"' | '\'' => letter.to_string(),
        _ => letter.escape_debug().to_string(),
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(data: Value) -> String {
        let mut line = String::new();
        push_fields(&mut line, "", &data);
        line.trim_start().to_owned()
    }

    #[test]
    fn fields_read_well() {
        let data = serde_json::json!({
            "distance_m": 0.25000001, "status": "valid", "min_m": null, "n": 3, "tiny": 0.00001234, "zero": -0.0,
            "orientation": {"yaw_rad": -1.5, "roll_rad": 0.0}, "list": [1.0, 2.5], "items": [{"part": "a", "active": true}],
            "text": "two words", "evil": "\u{1b}[2J",
        });
        insta::assert_snapshot!(line(data));
    }

    #[test]
    fn times_are_short() {
        assert_eq!(time_of_day("2026-11-21T10:04:05.123456789Z"), "10:04:05.123");
        assert_eq!(time_of_day("nonsense"), "nonsense");
    }

    #[test]
    fn json_lines_have_no_breaks() {
        assert_eq!(one_line("{\n\"a\": 1}"), "{ \"a\": 1}");
    }
}

//! Messages of ours with every field of their types: programs take each without asking whether it is there.

use std::sync::LazyLock;

use foldhash::HashMap;
use latimer_ros1::message::{Kind, Structure, Value, to_json};
use memchr::{memchr2, memchr3};

use super::types::layouts;

/// A message that leaves everything out, made once for each type.
struct Whole {
    fields: Vec<Field>,
    /// With every field zero.
    zero: String,
}

struct Field {
    /// As it is written: `"name":`.
    key: String,
    zero: String,
    /// Of a message within.
    inner: Option<Whole>,
}

static ALL: LazyLock<HashMap<&str, Whole>> = LazyLock::new(|| {
    layouts().filter_map(|(name, layout)| Some((name, Whole::of(layout.structure())?))).collect()
});

/// The message with every field of its type, in their order, zero where it leaves one out. `text` is as serde_json writes it, without
/// spaces; it is not read again, only its fields are told apart.
pub(super) fn complete(type_name: &str, text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 256);
    ALL.get(type_name)?.write(text, &mut out)?;
    Some(out)
}

impl Whole {
    fn of(structure: &Structure) -> Option<Self> {
        let zero = |kind: &Kind| String::from_utf8(to_json(&Value::zero_of(kind)).ok()?).ok();
        let fields = structure.members.iter().map(|member| {
            let inner = match &member.kind {
                Kind::Message(structure) => Some(Self::of(structure)?),
                _ => None,
            };
            Some(Field { key: format!("\"{}\":", member.name), zero: zero(&member.kind)?, inner })
        });
        let fields: Vec<Field> = fields.collect::<Option<_>>()?;
        let all: Vec<String> = fields.iter().map(|it| format!("{}{}", it.key, it.zero)).collect();
        Some(Self { fields, zero: format!("{{{}}}", all.join(",")) })
    }

    fn write(&self, text: &str, out: &mut String) -> Option<()> {
        let given = fields(text)?;
        if given.is_empty() {
            out.push_str(&self.zero);
            return Some(());
        }
        let mut before = "{";
        for field in &self.fields {
            out.extend([before, &field.key]);
            before = ",";
            match (given.iter().find(|(key, _)| *key == field.key), &field.inner) {
                (Some((_, value)), Some(inner)) => inner.write(value, out)?,
                (Some((_, value)), None) => out.push_str(value),
                (None, _) => out.push_str(&field.zero),
            }
        }
        out.push('}');
        Some(())
    }
}

/// The fields of an object, as `"name":` and the text of the value.
fn fields(object: &str) -> Option<Vec<(&str, &str)>> {
    let mut rest = object.strip_prefix('{')?;
    let mut fields = Vec::with_capacity(8);
    while rest.starts_with('"') {
        let (key, after) = rest.split_at_checked(end_of_text(rest)? + 1)?;
        let (value, after) = after.split_at_checked(end_of_value(after)?)?;
        fields.push((key, value));
        rest = after.strip_prefix(',').unwrap_or(after);
    }
    (rest == "}").then_some(fields)
}

/// Where the value ends that a text begins with.
fn end_of_value(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (opening, closing) = match bytes.first()? {
        b'"' => return end_of_text(text),
        b'{' => (b'{', b'}'),
        b'[' => (b'[', b']'),
        _ => return memchr2(b',', b'}', bytes),
    };
    let (mut depth, mut at) = (0, 0);
    loop {
        at += memchr3(opening, closing, b'"', bytes.get(at..)?)?;
        match bytes[at] {
            b'"' => at += end_of_text(text.get(at..)?)? - 1,
            it if it == opening => depth += 1,
            _ => depth -= 1,
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Where the string ends that a text begins with.
fn end_of_text(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    #[test]
    fn every_field_of_the_type_is_there() {
        let text = r#"{"header":{"frame_id":"laser"},"ranges":[1.0,null],"angle_min":-1.5}"#;
        let expected = r#"{"header":{"seq":0,"stamp":{"secs":0,"nsecs":0},"frame_id":"laser"},"angle_min":-1.5,"angle_max":0.0,"angle_increment":0.0,"time_increment":0.0,"scan_time":0.0,"range_min":0.0,"range_max":0.0,"ranges":[1.0,null],"intensities":[]}"#;
        assert_eq!(complete("sensor_msgs/LaserScan", text).as_deref(), Some(expected));
        let zeros = complete("geometry_msgs/PoseWithCovariance", "{}").unwrap();
        let zeros: Json = serde_json::from_str(&zeros).unwrap();
        assert_eq!(zeros["covariance"], json!(vec![0.0; 36]));
    }

    #[test]
    fn brackets_and_quotes_within_texts_are_text() {
        for word in ["", "}", "\"", "\\", "\\\"", "{[,:]}", "ä€😀", "\u{7}\n"] {
            let joints = json!({"name": [word, "]", word], "position": [1.0, 2.0, 3.0]});
            let header = json!({"frame_id": word});
            let text =
                json!({"position": joints["position"], "name": joints["name"], "header": header}).to_string();
            let whole: Json =
                serde_json::from_str(&complete("sensor_msgs/JointState", &text).unwrap()).unwrap();
            assert_eq!(whole["name"], joints["name"]);
            assert_eq!(whole["position"], joints["position"]);
            assert_eq!(whole["header"]["frame_id"], word);
            assert_eq!(whole["effort"], json!([]));
        }
    }

    #[test]
    fn half_a_message_is_none() {
        let text = r#"{"header":{"frame_id":"a\"b"},"name":["x"]}"#;
        assert!((0..text.len()).all(|end| complete("sensor_msgs/JointState", &text[..end]).is_none()));
    }
}

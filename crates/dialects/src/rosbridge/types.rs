//! Messages held against the layouts of their types.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use foldhash::HashMap;
use latimer_core::Timestamp;
use latimer_ros1::message::{Catalog, Kind, Layout, Member, Primitive, Structure, Value, to_json};
use serde_json::Value as Json;

use crate::lenient_json::BARE;

/// Longest value that is shown, characters.
const LONGEST_VALUE: usize = 40;

/// Why a message is none of its type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", if .path.is_empty() { String::new() } else { format!("{path}: ") })]
pub struct Misfit {
    /// Where: `header.stamp.secs`, `transforms[2].child_frame_id`.
    path: String,
    problem: String,
}

impl Misfit {
    fn value(json: &Json, wanted: &str) -> Self {
        let shown: String = json.to_string().chars().take(LONGEST_VALUE).collect();
        let advice = if json.is_null() { "; leave the field out" } else { "" };
        Self { path: String::new(), problem: format!("{shown} is no {wanted}{advice}") }
    }

    fn unknown(structure: &Structure, name: &str) -> Self {
        let known: Vec<&str> = structure.members.iter().map(|it| it.name.as_str()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let name: String = name.chars().take(LONGEST_VALUE).collect();
        let problem = format!("{} has no such field; it has {known}", structure.type_name);
        Self { path: name, problem }
    }

    fn within(self, outer: &str) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{outer}{joint}{}", self.path), ..self }
    }
}

/// How much a message may deviate from its type.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    /// Not at all; what is left out is zero, and the stamp of a header this, if it is known.
    Strict(Option<Timestamp>),
    /// What is `null` is no number or zero, what the type lacks is passed over.
    Lenient,
}

/// All common types, and those of [`rosapi`](super::facade).
pub(super) static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let mut catalog = Catalog::common();
    catalog.add_common_services();
    super::facade::add_types(&mut catalog);
    catalog
});

static LAYOUTS: LazyLock<HashMap<&str, Arc<Layout>>> = LazyLock::new(|| {
    let names = CATALOG.names().into_iter();
    names.filter_map(|name| Some((name, CATALOG.layout(name).ok()?))).collect()
});

/// The layout of a type that is known.
pub(super) fn layout(type_name: &str) -> Option<&'static Layout> {
    LAYOUTS.get(type_name).map(AsRef::as_ref)
}

/// All of them, by their types.
pub fn layouts() -> impl Iterator<Item = (&'static str, &'static Layout)> {
    LAYOUTS.iter().map(|(name, layout)| (*name, &**layout))
}

/// The type as ROS 1 writes it; ROS 2 puts `msg`, `srv` or `action` between.
pub(super) fn ros1_name(name: &str) -> Cow<'_, str> {
    match name.split('/').collect::<Vec<_>>()[..] {
        [package, "msg" | "srv" | "action", name] => Cow::Owned(format!("{package}/{name}")),
        _ => Cow::Borrowed(name),
    }
}

/// The message of a JSON text, zero where it leaves something out.
pub(super) fn read(structure: &Structure, json: &Json) -> Result<Value, Misfit> {
    message(structure, json, Reading::Strict(None))
}

/// The same of a message for other clients: whole, as text, and stamped if it was not.
pub fn relayed(structure: &Structure, json: &Json, now: Timestamp) -> Result<String, Misfit> {
    let value = message(structure, json, Reading::Strict(Some(now)))?;
    let text = to_json(&value).map(String::from_utf8);
    let problem = || Misfit { path: String::new(), problem: "it cannot be written".to_owned() };
    text.map_err(|_| problem())?.map_err(|_| problem())
}

/// The same of a message that was published, in which `null` is no number.
pub fn read_published(structure: &Structure, json: &Json) -> Result<Value, Misfit> {
    message(structure, json, Reading::Lenient)
}

/// Arguments of a service: an object, or a list in the order of the request's fields, of which it may have more, as rosbridge's own server
/// takes it; none are zero.
pub(super) fn arguments(request: &Structure, args: Json) -> Result<Json, Misfit> {
    let args = match args {
        Json::Array(values) => {
            Json::Object(request.members.iter().map(|it| it.name.clone()).zip(values).collect())
        }
        Json::Null => Json::Object(serde_json::Map::default()),
        args => args,
    };
    read(request, &args)?;
    Ok(args)
}

fn message(structure: &Structure, json: &Json, reading: Reading) -> Result<Value, Misfit> {
    let Json::Object(fields) = json else { return Err(Misfit::value(json, &structure.type_name)) };
    let of = |name: &str| structure.members.iter().find(|it| it.name == ros1_field(structure, name));
    if reading != Reading::Lenient
        && let Some(name) = fields.keys().find(|name| of(name).is_none())
    {
        return Err(Misfit::unknown(structure, name));
    }
    let field = |member: &Member| {
        let given = fields.iter().find(|(name, _)| ros1_field(structure, name) == member.name);
        let value = match given {
            Some((name, json)) => value(&member.kind, json, reading).map_err(|it| it.within(name))?,
            None => stamp(structure, member, reading).unwrap_or_else(|| Value::zero_of(&member.kind)),
        };
        Ok((member.name.as_str().into(), value))
    };
    structure.members.iter().map(field).collect::<Result<_, _>>().map(Value::Message)
}

/// When a message was published whose header does not say it.
fn stamp(structure: &Structure, member: &Member, reading: Reading) -> Option<Value> {
    let Reading::Strict(Some(now)) = reading else { return None };
    if structure.type_name != "std_msgs/Header" || member.name != "stamp" {
        return None;
    }
    let nanos = u64::try_from(now.as_nanos()).unwrap_or_default();
    let field = |name: &str, value| (name.into(), Value::Unsigned(value));
    Some(Value::Message(vec![field("secs", nanos / 1_000_000_000), field("nsecs", nanos % 1_000_000_000)]))
}

/// A field as ROS 1 calls it; in moments of ROS 2 they are `sec` and `nanosec`.
fn ros1_field<'a>(structure: &Structure, name: &'a str) -> &'a str {
    match (structure.type_name.as_str(), name) {
        ("time" | "duration", "sec") => "secs",
        ("time" | "duration", "nanosec") => "nsecs",
        _ => name,
    }
}

fn value(kind: &Kind, json: &Json, reading: Reading) -> Result<Value, Misfit> {
    let misfit = || Misfit::value(json, &kind.to_string());
    if json.is_null() && reading == Reading::Lenient {
        return Ok(match kind {
            Kind::Primitive(Primitive::Float32 | Primitive::Float64) => Value::Float64(f64::NAN),
            _ => Value::zero_of(kind),
        });
    }
    match kind {
        Kind::Primitive(primitive) => number(*primitive, json).ok_or_else(misfit),
        Kind::Text => json.as_str().map(|it| Value::Text(it.to_owned())).ok_or_else(misfit),
        Kind::Bytes => bytes(json).map(Value::Bytes).ok_or_else(misfit),
        Kind::FixedBytes(count) => {
            bytes(json).filter(|it| it.len() == *count).map(Value::Bytes).ok_or_else(misfit)
        }
        Kind::Variable(element) => list(element, json.as_array().ok_or_else(misfit)?, reading),
        Kind::Fixed(count, element) => {
            let items = json.as_array().filter(|it| it.len() == *count).ok_or_else(misfit)?;
            list(element, items, reading)
        }
        Kind::Message(structure) => message(structure, json, reading),
    }
}

fn list(element: &Kind, items: &[Json], reading: Reading) -> Result<Value, Misfit> {
    let item = |(at, json)| value(element, json, reading).map_err(|it| it.within(&format!("[{at}]")));
    items.iter().enumerate().map(item).collect::<Result<_, _>>().map(Value::List)
}

fn number(primitive: Primitive, json: &Json) -> Option<Value> {
    let signed =
        |least: i64, most: i64| json.as_i64().filter(|it| (least..=most).contains(it)).map(Value::Signed);
    let unsigned = |most: u64| json.as_u64().filter(|it| *it <= most).map(Value::Unsigned);
    match primitive {
        Primitive::Bool => json.as_bool().map(Value::Bool),
        Primitive::Int8 => signed(i8::MIN.into(), i8::MAX.into()),
        Primitive::Int16 => signed(i16::MIN.into(), i16::MAX.into()),
        Primitive::Int32 => signed(i32::MIN.into(), i32::MAX.into()),
        Primitive::Int64 => signed(i64::MIN, i64::MAX),
        Primitive::Uint8 => unsigned(u8::MAX.into()),
        Primitive::Uint16 => unsigned(u16::MAX.into()),
        Primitive::Uint32 => unsigned(u32::MAX.into()),
        Primitive::Uint64 => unsigned(u64::MAX),
        Primitive::Float32 => float(json).map(|it| Value::Float32(it as f32)),
        Primitive::Float64 => float(json).map(Value::Float64),
    }
}

/// A number, or the text that stands for one that JSON does not have.
fn float(json: &Json) -> Option<f64> {
    match json {
        Json::String(text) if BARE.contains(&&**text) => text.parse().ok(),
        _ => json.as_f64(),
    }
}

/// Base64, or a list of numbers.
fn bytes(json: &Json) -> Option<Vec<u8>> {
    match json {
        Json::String(text) => STANDARD.decode(text).ok(),
        Json::Array(items) => items.iter().map(|it| it.as_u64()?.try_into().ok()).collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn misfit(ros_type: &str, message: Json) -> String {
        read(layout(ros_type).unwrap().structure(), &message).unwrap_err().to_string()
    }

    #[test]
    fn what_a_type_lacks_is_named_with_its_path() {
        let twist = |message| misfit("geometry_msgs/Twist", message);
        for (message, problem) in [
            (
                json!({"linear": {"X": 1}}),
                "linear.X: geometry_msgs/Vector3 has no such field; it has x, y, z",
            ),
            (json!({"liner": {}}), "liner: geometry_msgs/Twist has no such field; it has linear, angular"),
            (json!({"linear": {"x": null}}), "linear.x: null is no float64; leave the field out"),
            (json!({"linear": {"x": "1"}}), "linear.x: \"1\" is no float64"),
            (json!({"angular": 7}), "angular: 7 is no geometry_msgs/Vector3"),
            (json!([1]), "[1] is no geometry_msgs/Twist"),
        ] {
            assert_eq!(twist(message), problem);
        }
        let joints = json!({"header": {"stamp": {"secs": -1}}});
        assert_eq!(misfit("sensor_msgs/JointState", joints), "header.stamp.secs: -1 is no uint32");
        let joints = json!({"position": [0.5, true]});
        assert_eq!(misfit("sensor_msgs/JointState", joints), "position[1]: true is no float64");
        assert_eq!(misfit("std_msgs/Bool", json!({"data": 1})), "data: 1 is no bool");
        let imu = json!({"orientation_covariance": [0, 0]});
        assert_eq!(misfit("sensor_msgs/Imu", imu), "orientation_covariance: [0,0] is no float64[9]");
    }

    #[test]
    fn what_is_left_out_is_zero_and_moments_may_be_those_of_ros_2() {
        let pose = layout("geometry_msgs/PoseStamped").unwrap();
        let message = json!({"header": {"stamp": {"sec": 5, "nanosec": 6}}, "pose": {"position": {"x": 1}}});
        let read = read(pose.structure(), &message).unwrap();
        assert_eq!(read.get("header.stamp.nsecs"), Some(&Value::Unsigned(6)));
        assert_eq!(read.get("pose.position.x"), Some(&Value::Float64(1.0)));
        assert_eq!(read.get("pose.orientation.w"), Some(&Value::Float64(0.0)));
    }

    #[test]
    fn arguments_may_be_a_list() {
        let request = layout("std_srvs/SetBoolRequest").unwrap().structure();
        assert_eq!(arguments(request, json!([true])), Ok(json!({"data": true})));
        assert_eq!(arguments(request, Json::Null), Ok(json!({})));
        assert_eq!(arguments(request, json!([true, 1])), Ok(json!({"data": true})));
        for (args, problem) in [
            (json!(["on"]), "data: \"on\" is no bool"),
            (json!({"on": true}), "on: std_srvs/SetBoolRequest has no such field; it has data"),
        ] {
            assert_eq!(arguments(request, args).unwrap_err().to_string(), problem);
        }
    }
}

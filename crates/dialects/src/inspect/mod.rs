//! Messages as they came, held against their description: what is missing, what nobody described, what is of another type.
//!
//! A path is that of a field with `[]` for each item of a list, as in [`Row`](crate::table::Row), so that the same deviation of several items
//! or messages is one.

mod json;
mod layout;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use latimer_core::model::{Kind, Native};
use serde_json::Value as Json;

pub use json::Numbers;
pub(crate) use json::Walk;
pub(crate) use layout::{differences, has_member};

use crate::describe::{Field, WireType};
use crate::table::{Fields, MessageInfo};

/// Longest value that is shown, characters.
const LONGEST_VALUE: usize = 40;

/// How a message deviates from its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A field is not there without which the message tells nothing.
    Missing,
    /// A field is there that nobody described.
    Extra,
    /// A value is of another type.
    Mistyped,
}

/// One deviation of a message from its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// Where; empty for the message as a whole.
    pub path: String,
    /// What is wrong.
    pub fault: Fault,
    /// What belongs there, if that is described.
    pub expected: Option<String>,
    /// What stands there.
    pub found: Option<String>,
}

/// A message beside its description.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// What it is described as.
    pub message: &'static MessageInfo,
    /// How it deviates from that.
    pub deviations: Vec<Deviation>,
    /// The described fields that it has; `None` if its form leaves none out.
    pub present: Option<BTreeSet<String>>,
}

impl Inspection {
    /// A message whose form leaves no field out, and that was understood.
    pub(crate) const fn whole(message: &'static MessageInfo) -> Self {
        Self { message, deviations: Vec::new(), present: None }
    }
}

/// The message of a topic, whose levels in braces stand for any.
pub fn message_of(messages: &'static [MessageInfo], topic: &str) -> Option<&'static MessageInfo> {
    let matches = |described: &str| {
        let (mut described, mut levels) = (described.split('/'), topic.split('/'));
        loop {
            match (described.next(), levels.next()) {
                (None, None) => return true,
                (Some(one), Some(level)) if one == level || one.starts_with('{') && !level.is_empty() => {}
                _ => return false,
            }
        }
    };
    messages.iter().find(|it| it.topic == topic).or_else(|| messages.iter().find(|it| matches(it.topic)))
}

/// Inspects a message that is JSON as it is described.
pub fn described(messages: &'static [MessageInfo], native: &Native, _: Kind) -> Option<Inspection> {
    let message = message_of(messages, &native.topic)?;
    Some(of_json(message, &native.payload, Numbers::AsNumbers))
}

/// Inspects the JSON of a message.
pub(crate) fn of_json(message: &'static MessageInfo, payload: &[u8], numbers: Numbers) -> Inspection {
    match serde_json::from_slice(payload) {
        Ok(json) => of_value(message, &json, numbers),
        Err(_) => no_json(message, payload),
    }
}

/// A message that is no JSON.
pub(crate) fn no_json(message: &'static MessageInfo, payload: &[u8]) -> Inspection {
    let text = String::from_utf8_lossy(payload);
    let deviation = Deviation {
        path: String::new(),
        fault: Fault::Mistyped,
        expected: Some("JSON".to_owned()),
        found: Some(cut(text.trim())),
    };
    Inspection { message, deviations: vec![deviation], present: Some(BTreeSet::new()) }
}

/// Inspects a message that was parsed.
pub(crate) fn of_value(message: &'static MessageInfo, json: &Json, numbers: Numbers) -> Inspection {
    let mut walk = Walk::new(numbers);
    match message.fields {
        Fields::Described(fields) => walk.form(&WireType::Object(fields), json, ""),
        Fields::Each(fields) => walk.list(&WireType::Object(fields), json, ""),
    }
    walk.into_inspection(message)
}

/// The paths of the fields that clients of any version see, each below the one that it is inside of.
pub fn paths(message: &MessageInfo) -> Vec<String> {
    let mut paths = Vec::new();
    match message.fields {
        Fields::Described(fields) => add_paths(fields, "", &mut paths),
        Fields::Each(fields) => add_paths(fields, "[]", &mut paths),
    }
    paths
}

fn add_paths(fields: &[Field], above: &str, paths: &mut Vec<String>) {
    for field in fields.iter().filter(|field| field.hidden == 0) {
        let mut path = json::below(above, field.name);
        if !paths.contains(&path) {
            paths.push(path.clone());
        }
        let mut form = field.form;
        while let WireType::List(item) = form {
            path.push_str("[]");
            form = *item;
        }
        if let WireType::Object(fields) = form {
            add_paths(fields, &path, paths);
        }
    }
}

/// A text at a length that fits in a line.
pub(crate) fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST_VALUE {
        return text.to_owned();
    }
    text.chars().take(LONGEST_VALUE - 1).chain(['…']).collect()
}

/// What belongs in a place, in words.
struct Expected<'a>(&'a WireType);

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            WireType::Number => f.write_str("number"),
            WireType::Integer => f.write_str("whole number"),
            WireType::Boolean => f.write_str("true or false"),
            WireType::Text => f.write_str("text"),
            WireType::NumberOrText => f.write_str("number or text"),
            WireType::Object(_) => f.write_str("object"),
            WireType::Numbers(least, most) if least == most => write!(f, "list of {least} numbers"),
            WireType::Numbers(least, most) => write!(f, "list of {least} to {most} numbers"),
            WireType::Bytes(_) => f.write_str("bytes in Base64"),
            WireType::List(_) => f.write_str("list"),
            WireType::Any => f.write_str("anything"),
        }
    }
}

//! JSON beside described fields.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde_json::{Map, Value as Json};

use super::{Deviation, Expected, Fault, Inspection, cut};
use crate::describe::{Field, WireType};
use crate::table::MessageInfo;

/// Distinct deviations of one message that are kept.
const MOST: usize = 256;

/// How numbers are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// As JSON spells them.
    AsNumbers,
    /// Also as texts.
    AlsoAsTexts,
}

/// A walk through a message beside its description.
pub(crate) struct Walk {
    numbers: Numbers,
    deviations: Vec<Deviation>,
    present: BTreeSet<String>,
}

/// The path of a field below another.
pub(super) fn below(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
}

impl Walk {
    pub(crate) const fn new(numbers: Numbers) -> Self {
        Self { numbers, deviations: Vec::new(), present: BTreeSet::new() }
    }

    /// What was found.
    pub(crate) fn into_inspection(self, message: &'static MessageInfo) -> Inspection {
        Inspection { message, deviations: self.deviations, present: Some(self.present) }
    }

    /// Takes a value that should have a form.
    pub(crate) fn form(&mut self, form: &WireType, json: &Json, at: &str) {
        let is_text_of_number =
            || self.numbers == Numbers::AlsoAsTexts && json.as_str().is_some_and(is_number);
        let fits = match (form, json) {
            (WireType::Any, _) | (WireType::Number | WireType::NumberOrText, Json::Number(_)) => true,
            (WireType::Number, _) => is_text_of_number(),
            (WireType::Integer, Json::Number(number)) => is_whole(number),
            (WireType::Integer, _) => is_text_of_number(),
            (WireType::Boolean, Json::Bool(_)) => true,
            (WireType::Text | WireType::NumberOrText | WireType::Bytes(_), Json::String(_)) => true,
            (WireType::Object(fields), Json::Object(object)) => {
                self.object(fields, object, at);
                true
            }
            (WireType::List(item), _) => return self.list(item, json, at),
            (WireType::Numbers(least, most), Json::Array(items)) => {
                let path = format!("{at}[]");
                items.iter().for_each(|it| self.form(&WireType::Number, it, &path));
                (*least..=*most).contains(&items.len())
            }
            _ => false,
        };
        if !fits {
            self.mistyped(&Expected(form), json, at);
        }
    }

    /// Takes a value that should be a list; what is `null` in it is left out.
    pub(crate) fn list(&mut self, item: &WireType, json: &Json, at: &str) {
        match json {
            Json::Array(items) => {
                let path = format!("{at}[]");
                items.iter().filter(|it| !it.is_null()).for_each(|it| self.form(item, it, &path));
            }
            _ => self.mistyped(&"list", json, at),
        }
    }

    fn mistyped(&mut self, expected: &dyn Display, json: &Json, at: &str) {
        self.add(at, Fault::Mistyped, Some(expected.to_string()), Some(shown(json)));
    }

    /// Takes the fields of an object.
    pub(crate) fn object(&mut self, fields: &[Field], object: &Map<String, Json>, at: &str) {
        for field in fields {
            let path = below(at, field.name);
            match object.get(field.name) {
                // A field of several descriptions stands in several rows; the first that fits counts.
                Some(value) if !value.is_null() => {
                    self.form(&field.form, value, &path);
                    self.present.insert(path);
                }
                Some(null) if field.required => self.mistyped(&Expected(&field.form), null, &path),
                Some(_) => {
                    self.present.insert(path);
                }
                None if field.required => {
                    self.add(&path, Fault::Missing, Some(Expected(&field.form).to_string()), None);
                }
                None => {}
            }
        }
        let others = object.iter().filter(|(name, _)| fields.iter().all(|field| field.name != *name));
        for (name, value) in others {
            self.add(&below(at, name), Fault::Extra, None, Some(shown(value)));
        }
    }

    fn add(&mut self, path: &str, fault: Fault, expected: Option<String>, found: Option<String>) {
        let is_known = self.deviations.iter().any(|it| it.path == path && it.fault == fault);
        if !is_known && self.deviations.len() < MOST {
            self.deviations.push(Deviation { path: path.to_owned(), fault, expected, found });
        }
    }
}

fn is_number(text: &str) -> bool {
    text.trim().parse().is_ok_and(f64::is_finite)
}

/// Whether it is whole, as `6` and `6.0` are.
fn is_whole(number: &serde_json::Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|it| it.fract() == 0.0)
}

/// A value as an example.
fn shown(json: &Json) -> String {
    match json {
        Json::Array(items) if items.len() > 8 => format!("[{} items]", items.len()),
        Json::Object(fields) if fields.len() > 4 => format!("{{{} fields}}", fields.len()),
        _ => cut(&json.to_string()),
    }
}

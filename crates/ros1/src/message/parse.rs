//! `.msg` texts, read as genmsg reads them, with limits.

use std::collections::HashSet;

use super::specification::{Base, Constant, Field, Primitive, Shape, Specification};
use super::{TypeError, limits};

/// Why a line declares nothing; values are quoted, and not longer than a line.
#[derive(Debug, thiserror::Error)]
enum LineError {
    #[error("{0} is no field; write a type and a name")]
    NoField(String),
    #[error("{0} is no name of a field; write letters, digits and _")]
    NoName(String),
    #[error("{0} is no type")]
    NoType(String),
    #[error(transparent)]
    TypeName(#[from] TypeError),
    #[error("{0} is no type; an array ends with ]")]
    OpenArray(String),
    #[error("{0} is no type; arrays have one dimension and a number")]
    Array(String),
    #[error("{0} has more than {max} elements", max = limits::WEIGHT)]
    LongArray(String),
    #[error("{0} is no constant; write a type, a name, = and a value")]
    NoConstant(String),
    #[error("{0} is no type of a constant")]
    ConstantType(String),
    #[error("{value} is no value of {type_name}")]
    Value { value: String, type_name: String },
    #[error("{0:?} is there twice; name it otherwise")]
    Twice(String),
    #[error("more than {max} fields and constants", max = limits::FIELDS)]
    TooMany,
}

/// Reads a type's text.
pub(super) fn specification(type_name: &str, text: &str) -> Result<Specification, TypeError> {
    let (package, _) = split_name(type_name)?;
    if text.len() > limits::TEXT {
        return Err(TypeError::new(type_name, format!("has a text of more than {} bytes", limits::TEXT)));
    }
    let mut found = Specification {
        type_name: type_name.to_owned(),
        fields: Vec::new(),
        constants: Vec::new(),
        text: text.to_owned(),
    };
    let mut names = HashSet::new();
    for (index, line) in text.split('\n').enumerate() {
        let wrong =
            |error: LineError| TypeError::new(format!("{type_name}, line {}", index + 1), error.to_string());
        let clean = without_comment(line);
        if clean.is_empty() {
            continue;
        }
        if clean.contains('=') {
            found.constants.push(constant(line, clean).map_err(wrong)?);
        } else {
            let field = field(clean, package).map_err(wrong)?;
            if !names.insert(field.name.clone()) {
                return Err(wrong(LineError::Twice(field.name)));
            }
            found.fields.push(field);
        }
        if found.fields.len() + found.constants.len() > limits::FIELDS {
            return Err(wrong(LineError::TooMany));
        }
    }
    Ok(found)
}

/// Package and name of a full name.
pub(super) fn split_name(type_name: &str) -> Result<(&str, &str), TypeError> {
    match type_name.split_once('/') {
        Some((package, name)) if is_word(package) && is_word(name) && type_name.len() <= limits::NAME => {
            Ok((package, name))
        }
        _ => {
            let shown: String = type_name.chars().take(limits::NAME).collect();
            Err(TypeError::new(shown, "is no name of a type; write package/Name, letters, digits and _"))
        }
    }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.chars().all(|other| other.is_ascii_alphanumeric() || other == '_')
        && word.len() <= limits::NAME
}

fn field(clean: &str, package: &str) -> Result<Field, LineError> {
    let mut words = clean.split_ascii_whitespace();
    let (Some(written), Some(name), None) = (words.next(), words.next(), words.next()) else {
        return Err(LineError::NoField(shortened(clean)));
    };
    if !is_word(name) {
        return Err(LineError::NoName(shortened(name)));
    }
    let (bare, shape) = shape(written)?;
    let base = match bare {
        "string" => Base::Text,
        "time" => Base::Time,
        "duration" => Base::Duration,
        // The header's package has changed once, and it may be written without one.
        "roslib/Header" => Base::Message("std_msgs/Header".to_owned()),
        "Header" if shape == Shape::Single => Base::Message("std_msgs/Header".to_owned()),
        _ => match Primitive::named(bare) {
            Some(primitive) => Base::Primitive(primitive),
            None if bare.contains('/') => {
                split_name(bare)?;
                Base::Message(bare.to_owned())
            }
            None if is_word(bare) => Base::Message(format!("{package}/{bare}")),
            None => return Err(LineError::NoType(shortened(bare))),
        },
    };
    Ok(Field { name: name.to_owned(), base, shape, written: written.to_owned() })
}

fn shape(written: &str) -> Result<(&str, Shape), LineError> {
    let Some((bare, rest)) = written.split_once('[') else { return Ok((written, Shape::Single)) };
    let count = rest.strip_suffix(']').ok_or_else(|| LineError::OpenArray(shortened(written)))?;
    if count.is_empty() {
        return Ok((bare, Shape::Variable));
    }
    if !count.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(LineError::Array(shortened(written)));
    }
    match count.parse() {
        Ok(count) if count <= limits::WEIGHT => Ok((bare, Shape::Fixed(count))),
        _ => Err(LineError::LongArray(shortened(written))),
    }
}

fn constant(line: &str, clean: &str) -> Result<Constant, LineError> {
    let type_name = clean.split_ascii_whitespace().next().unwrap_or_default();
    let incomplete = || LineError::NoConstant(shortened(clean));
    // What a string holds goes on to the end of the line, comments and all.
    let whole = if type_name == "string" { line.trim() } else { clean };
    let (before, value) = whole.split_once('=').ok_or_else(incomplete)?;
    let name = before.trim().strip_prefix(type_name).ok_or_else(incomplete)?.trim();
    let value = value.trim();
    if !is_word(name) {
        return Err(incomplete());
    }
    let fits = match (type_name, Primitive::named(type_name)) {
        ("string", _) => true,
        (_, Some(Primitive::Bool)) => matches!(value, "True" | "False" | "true" | "false" | "0" | "1"),
        (_, Some(Primitive::Float32 | Primitive::Float64)) => value.parse::<f64>().is_ok(),
        (_, Some(primitive)) => value.parse::<i128>().is_ok_and(|value| in_range(primitive, value)),
        (_, None) => return Err(LineError::ConstantType(shortened(type_name))),
    };
    if !fits {
        return Err(LineError::Value { value: shortened(value), type_name: type_name.to_owned() });
    }
    Ok(Constant { name: name.to_owned(), type_name: type_name.to_owned(), value: value.to_owned() })
}

fn in_range(primitive: Primitive, value: i128) -> bool {
    match primitive {
        Primitive::Int8 => i8::try_from(value).is_ok(),
        Primitive::Uint8 => u8::try_from(value).is_ok(),
        Primitive::Int16 => i16::try_from(value).is_ok(),
        Primitive::Uint16 => u16::try_from(value).is_ok(),
        Primitive::Int32 => i32::try_from(value).is_ok(),
        Primitive::Uint32 => u32::try_from(value).is_ok(),
        Primitive::Int64 => i64::try_from(value).is_ok(),
        Primitive::Uint64 => u64::try_from(value).is_ok(),
        Primitive::Bool | Primitive::Float32 | Primitive::Float64 => true,
    }
}

/// Quoted, and not longer than a line.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 80 {
        return format!("{text:?}");
    }
    format!("{:?}…", text.chars().take(80).collect::<String>())
}

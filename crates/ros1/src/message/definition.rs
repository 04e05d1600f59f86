//! Definitions: a type's text, then those of all types that it needs, each once.

use std::collections::HashMap;
use std::sync::Arc;

use super::specification::Specification;
use super::{TypeError, limits, parse};

/// What stands before each type that is needed.
const RULE: &str = "================================================================================";

/// As publishers send it: the type first, then the others in the order in which they are first needed.
pub(super) fn joined(types: &[Arc<Specification>]) -> String {
    let mut text = String::new();
    for (index, specification) in types.iter().enumerate() {
        if index > 0 {
            text.extend(["\n", RULE, "\nMSG: ", &specification.type_name, "\n"]);
        }
        text.push_str(&specification.text);
    }
    text
}

/// The types of a publisher's definition; those that come again as they were are passed over.
pub(super) fn split(
    type_name: &str,
    definition: &str,
) -> Result<HashMap<String, Arc<Specification>>, TypeError> {
    if definition.len() > limits::TEXT {
        let problem = format!("has a definition of more than {} bytes", limits::TEXT);
        return Err(TypeError::new(type_name, problem));
    }
    let mut types: HashMap<String, Arc<Specification>> = HashMap::new();
    for (index, part) in parts(definition).into_iter().enumerate() {
        let (name, text) = if index == 0 { (type_name, part) } else { named(type_name, part)? };
        let found = parse::specification(name, text)?;
        match types.get(name) {
            Some(first) if first.fields == found.fields && first.constants == found.constants => {}
            Some(_) => {
                let problem = format!("its definition has {name} twice, with different fields");
                return Err(TypeError::new(type_name, problem));
            }
            None => {
                types.insert(name.to_owned(), Arc::new(found));
            }
        }
        if types.len() > limits::TYPES {
            return Err(TypeError::new(type_name, format!("needs more than {} types", limits::TYPES)));
        }
    }
    Ok(types)
}

/// Splits at lines of nothing but `=`.
fn parts(definition: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in definition.split_inclusive('\n') {
        let clean = line.trim_end();
        if clean.len() >= RULE.len() && clean.bytes().all(|byte| byte == b'=') {
            parts.push(definition[start..at].strip_suffix('\n').unwrap_or(&definition[start..at]));
            start = at + line.len();
        }
        at += line.len();
    }
    parts.push(&definition[start..]);
    parts
}

/// The name in the first line of a part, and the text below it.
fn named<'a>(type_name: &str, part: &'a str) -> Result<(&'a str, &'a str), TypeError> {
    let (line, text) = part.split_once('\n').unwrap_or((part, ""));
    match line.trim().strip_prefix("MSG:").map(str::trim) {
        Some("roslib/Header") => Ok(("std_msgs/Header", text)),
        Some(name) => Ok((name, text)),
        None => {
            Err(TypeError::new(type_name, "its definition has a rule of = without MSG: package/Name below"))
        }
    }
}

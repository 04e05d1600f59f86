//! What streams are asked for, `select`, `where`, `pick` and the others: no panic, and a selection that was read reads the same as it is
//! written.
//!
//! Takes a parameter a line, its name and then its value.

use std::fmt::Write as _;

use axum::http::Uri;
use latimer::api::fuzzing::subscription;
use latimer_core::hub::Selection;
use latimer_core::model::Value;

/// Longest address that is served, bytes.
const LONGEST: usize = 64 << 10;

pub(super) fn run(text: &str) {
    let mut address = "/api/v1/stream".to_owned();
    for (number, line) in text.lines().enumerate() {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        address.push(if number == 0 { '?' } else { '&' });
        encode(&mut address, name);
        address.push('=');
        encode(&mut address, value);
    }
    if address.len() > LONGEST {
        return;
    }
    let Ok(uri) = address.parse::<Uri>() else { return };
    let asked = match subscription(&uri) {
        Ok(asked) => asked,
        Err(refused) => return super::api_command::check(&refused),
    };
    let selection = asked.select.to_string();
    assert_eq!(selection.parse::<Selection>().as_ref(), Ok(&asked.select), "{selection}");
    let values = [
        None,
        Some(Value::Null),
        Some(Value::Float(1.0)),
        Some(Value::Bool(true)),
        Some(Value::Text("a".into())),
    ];
    for value in values {
        let values = vec![value; asked.filter.conditions().len()];
        asked.filter.holds(&values, None);
        asked.filter.holds(&values, Some(&values));
    }
}

fn encode(address: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'*' => {
                address.push(char::from(byte))
            }
            _ => write!(address, "%{byte:02X}").expect("a text takes everything"),
        }
    }
}

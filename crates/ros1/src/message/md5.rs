//! MD5 sums as genmsg makes them: of the constants and fields, with a sum in place of each type that is no built-in one.

use std::collections::HashMap;
use std::fmt::Write;

use md5::{Digest, Md5};

use super::specification::{Base, Specification};

/// Sums by type name, made once each.
pub(super) type Sums = HashMap<String, String>;

/// The text that the sum of a type is made of, whose needs have theirs already.
pub(super) fn text(specification: &Specification, sums: &Sums) -> String {
    let mut text = String::new();
    for constant in &specification.constants {
        text.extend([&constant.type_name, " ", &constant.name, "=", &constant.value, "\n"]);
    }
    for field in &specification.fields {
        let first = match &field.base {
            Base::Message(name) => sums.get(name).map_or("", String::as_str),
            _ => &field.written,
        };
        text.extend([first, " ", &field.name, "\n"]);
    }
    text.trim().to_owned()
}

/// The sum of texts one after the other, in hexadecimal digits.
pub(super) fn digits<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut sum = Md5::new();
    texts.into_iter().for_each(|text| sum.update(text.as_bytes()));
    let mut digits = String::with_capacity(32);
    for byte in sum.finalize() {
        // Writing into a string does not fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

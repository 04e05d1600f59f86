//! A sequence of XML-RPC calls as text: a call a line, its method and then its arguments.
//!
//! | argument | value |
//! |---|---|
//! | `#7` | integer |
//! | `#yes`, `#no` | boolean |
//! | `#1.5` | double |
//! | `#` | nil |
//! | `[` … `]` | array |
//! | `{ name value … }` | struct |
//! | anything else | text; `_` alone is an empty one |

use std::collections::BTreeMap;
use std::str::SplitWhitespace;

use latimer_ros1::xmlrpc::{Value, read_answer, read_call, write_answer, write_call};

/// Calls of a sequence, at most.
const MOST_CALLS: usize = 256;

/// Arrays and structs in each other, at most, as in a document.
const DEPTH: usize = 16;

/// The calls that a text names.
pub(crate) fn calls(text: &str) -> impl Iterator<Item = (String, Vec<Value>)> + '_ {
    text.lines().take(MOST_CALLS).filter_map(|line| {
        let mut words = line.split_whitespace();
        let method = words.next()?.to_owned();
        let mut params = Vec::new();
        while let Some(value) = value(&mut words, DEPTH) {
            params.push(value);
        }
        // What a socket would bring.
        let document = write_call(&method, params)?;
        read_call(document.as_bytes()).ok()
    })
}

fn value(words: &mut SplitWhitespace<'_>, depth: usize) -> Option<Value> {
    let word = words.next()?;
    Some(match word {
        "[" if depth > 0 => {
            Value::Array(std::iter::from_fn(|| value(words, depth - 1).filter(|it| !ends(it))).collect())
        }
        "{" if depth > 0 => {
            let mut members = BTreeMap::new();
            while let Some(name) = words.next().filter(|name| *name != "}") {
                let Some(value) = value(words, depth - 1) else { break };
                members.insert(name.to_owned(), value);
            }
            Value::Struct(members)
        }
        "_" => Value::String(String::new()),
        word => match word.strip_prefix('#') {
            Some("") => Value::Nil,
            Some("yes") => Value::Boolean(true),
            Some("no") => Value::Boolean(false),
            Some(number) => match (number.parse(), number.parse()) {
                (Ok(integer), _) => Value::Integer(integer),
                (_, Ok(double)) => Value::Double(double),
                _ => Value::String(word.to_owned()),
            },
            None => Value::String(word.to_owned()),
        },
    })
}

fn ends(value: &Value) -> bool {
    *value == Value::String("]".to_owned())
}

/// The code and the value of an answer, which has the form that every node reads, and reads the same from a socket.
pub(crate) fn code_and_value(answer: &Value) -> (i32, &Value) {
    let document = write_answer(answer.clone()).expect("an answer can be written");
    let again = read_answer(document.as_bytes()).expect("what was written is read");
    // As text, since one thing that is no number is not equal to another.
    assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, ()>(answer)));
    let Value::Array(parts) = answer else { panic!("an answer is no array: {answer:?}") };
    let [Value::Integer(code), Value::String(_), value] = parts.as_slice() else {
        panic!("an answer is no code, text and value: {answer:?}")
    };
    (*code, value)
}

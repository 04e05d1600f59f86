//! Requests to a chassis and what its answers mean; no I/O.

use std::time::Duration;

use latimer_core::limits::COMMAND_TIMEOUT;
use serde_json::Value as Json;

use crate::axbot::limits::SLOW_CALL_TIMEOUT;

/// Longest reason kept, in characters.
const MAX_REASON: usize = 300;

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
    Patch,
    Delete,
}

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) method: Method,
    /// Below the robot's base, without a slash in front.
    pub(super) path: String,
    /// An older name of the path, tried when the robot does not know the first.
    pub(super) or_path: Option<&'static str>,
    pub(super) body: Option<Json>,
    pub(super) patience: Duration,
}

impl Call {
    pub(super) fn get(path: &str) -> Self {
        Self { method: Method::Get, path: path.into(), or_path: None, body: None, patience: COMMAND_TIMEOUT }
    }

    pub(super) fn post(path: &str, body: Json) -> Self {
        Self { method: Method::Post, body: Some(body), ..Self::get(path) }
    }

    pub(super) fn patch(path: &str, body: Json) -> Self {
        Self { method: Method::Patch, ..Self::post(path, body) }
    }

    pub(super) fn delete(path: &str) -> Self {
        Self { method: Method::Delete, ..Self::get(path) }
    }

    /// A service, `POST /services/…`.
    pub(super) fn service(name: &str, body: Json) -> Self {
        Self::post(&format!("services/{name}"), body)
    }

    pub(super) fn slow(self) -> Self {
        Self { patience: SLOW_CALL_TIMEOUT, ..self }
    }

    pub(super) fn or(self, path: &'static str) -> Self {
        Self { or_path: Some(path), ..self }
    }
}

/// Why a request came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CallError {
    /// The robot said no; the reason is in its own words.
    #[error("{reason}")]
    Refused { status: u16, reason: String },
    #[error("the robot did not answer in time")]
    TimedOut,
    #[error("the robot cannot be reached: {0}")]
    Unreachable(String),
    #[error("the robot's answer {0}")]
    Unreadable(String),
}

/// The reason in the body of a refusal: `detail`, else `message`, else `error`, else what is said of each field,
/// else the plain text.
pub(super) fn reason_of(status: u16, body: &str) -> String {
    let reported = match serde_json::from_str::<Json>(body) {
        Ok(Json::Object(fields)) => {
            let named = ["detail", "message", "error"].iter().find_map(|name| fields.get(*name));
            named.filter(|it| is_not_empty(it)).map(words).unwrap_or_else(|| {
                let each = fields.iter().filter(|(_, it)| is_not_empty(it));
                each.map(|(name, it)| format!("{name}: {}", words(it))).collect::<Vec<_>>().join("; ")
            })
        }
        Ok(Json::String(text)) => text,
        _ => without_tags(body),
    };
    let reported: String = reported.split_whitespace().collect::<Vec<_>>().join(" ");
    match reported.char_indices().nth(MAX_REASON) {
        _ if reported.is_empty() => {
            format!("the robot answered with HTTP status {status} and gave no reason")
        }
        Some((end, _)) => format!("{}…", reported.get(..end).unwrap_or_default()),
        None => reported,
    }
}

fn is_not_empty(it: &Json) -> bool {
    match it {
        Json::Null => false,
        Json::String(text) => !text.trim().is_empty(),
        Json::Array(all) => !all.is_empty(),
        _ => true,
    }
}

fn words(it: &Json) -> String {
    match it {
        Json::String(text) => text.clone(),
        Json::Array(all) => all.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// A page's text; some refusals are pages.
fn without_tags(page: &str) -> String {
    let mut text = String::new();
    for piece in page.split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, after)| after));
        text.push(' ');
        if text.len() > 8 * MAX_REASON {
            break;
        }
    }
    text
}

/// A request that must reach the robot as the JSON text that a path may hold: no way out of the base.
pub(super) fn is_path_below(path: &str) -> bool {
    !path.is_empty()
        && path.len() <= 512
        && !path.starts_with('/')
        && !path.split('/').any(|part| part == ".." || part == ".")
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-~=?&%".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_robots_own_words_come_through() {
        let reason = |body: &str| reason_of(400, body);
        assert_eq!(reason(r#"{"detail":"no map","message":"x"}"#), "no map");
        assert_eq!(reason(r#"{"message":"error: bad\n host"}"#), "error: bad host");
        assert_eq!(reason(r#"{"error":"not playing"}"#), "not playing");
        assert_eq!(reason(r#"{"detail":"","map_name":["exists","is long"]}"#), "map_name: exists, is long");
        assert_eq!(reason("jack is in up state"), "jack is in up state");
        assert_eq!(reason("<h1>Not <b>Found</b></h1>"), "Not Found");
        assert_eq!(reason(r#""said""#), "said");
        for nothing in ["", "{}", "<p></p>", r#"{"detail":null}"#] {
            assert!(reason(nothing).contains("HTTP status 400"), "{nothing}");
        }
        assert!(reason(&"é".repeat(10_000)).chars().count() <= MAX_REASON + 1);
    }

    #[test]
    fn a_picture_is_fetched_from_the_robot_only() {
        assert!(is_path_below("static-files/map-d69c.png"));
        for path in ["", "/etc", "//h/x", "http://h/x", "a/../b", "a b", "a\r\nb", &"a".repeat(600)] {
            assert!(!is_path_below(path), "{path}");
        }
    }
}

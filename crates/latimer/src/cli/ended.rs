//! How what a robot was asked to do ends, in the words of the API: `succeeded`, `failed`, `cancelled`.

use super::lines::visible;
use crate::exit::{Ended, Exit, Failure};

/// The end that a report tells, if it is one; `what` is `the drive of axbot-1`.
pub(super) fn ended(what: &str, report: &serde_json::Value) -> Option<Ended> {
    let how = match report["state"].as_str()? {
        "succeeded" => return Some(Ok(())),
        "failed" => "failed",
        "cancelled" => "was cancelled",
        _ => return None,
    };
    Some(Err(Failure::new(Exit::Failed, format!("{what} {how}{}", reason(report)))))
}

/// `: why`, if a report says why.
pub(super) fn reason(report: &serde_json::Value) -> String {
    report["reason"].as_str().map(|it| format!(": {}", visible(it))).unwrap_or_default()
}

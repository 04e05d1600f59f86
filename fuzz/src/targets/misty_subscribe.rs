//! What clients ask on the socket: no panic, and a bounded frame says what is wrong.

use latimer_dialects::misty::facade::request::Request;

pub(super) fn run(text: &str) {
    if let Err(error) = Request::parse(text) {
        assert!(!error.problem.is_empty());
        assert!(error.problem.len() + error.event_name.len() < 4096, "{error:?}");
    }
}

//! What clients send on the socket: no panic, and a bounded text says what is wrong.

use latimer_dialects::axbot::request::Request;

pub(super) fn run(text: &str) {
    if let Err(error) = Request::parse(text) {
        assert!(!error.0.is_empty());
        assert!(error.0.len() < 4096, "{error:?}");
    }
}

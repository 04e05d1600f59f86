//! What clients send on the socket: no panic, and whatever is wrong is told in a text that is not long.

#![no_main]

use latimer_dialects::axbot::request::Request;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = Request::parse(text) {
        assert!(!error.0.is_empty());
        assert!(error.0.len() < 4096, "{error:?}");
    }
});

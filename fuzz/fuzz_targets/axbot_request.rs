//! What clients send on the socket: no panic, and a bounded text says what is wrong.

#![no_main]

use latimer_dialects::axbot::request::Request;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = Request::parse(text) {
        assert!(!error.0.is_empty());
        assert!(error.0.len() < 4096, "{error:?}");
    }
});

//! What clients ask on the socket: no panic, and a bounded frame says what is wrong.

#![no_main]

use latimer_dialects::misty::facade::request::Request;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = Request::parse(text) {
        assert!(!error.problem.is_empty());
        assert!(error.problem.len() + error.event_name.len() < 4096, "{error:?}");
    }
});

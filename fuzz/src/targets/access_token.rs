//! Tokens: none is taken but those that were signed.

use latimer_access::fuzzing::{SIGNED, bearer};

pub(super) fn run(text: &str) {
    if let Some(user) = bearer(text) {
        assert!(SIGNED.iter().any(|signed| signed.trim() == text), "{user} comes in with {text:?}");
    }
}

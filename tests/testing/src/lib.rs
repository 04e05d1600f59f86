//! What tests of all packages have in common: how long they wait, and how often they repeat what they try.

#[cfg(feature = "certificates")]
pub mod certificates;

use std::time::Duration;

/// How long a test waits for what has to come. It tells a hang from a busy machine and is no bound of how fast anything is:
/// a test that passes waits as long as the event takes.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// How long a whole program may take that waits so itself: it says what did not come before it is ended.
pub const PROGRAM: Duration = PATIENCE.saturating_mul(5);

/// Where the factor stands; `make test-long` sets it.
pub const VARIABLE: &str = "LATIMER_ROUNDS";

/// So many rounds, times `LATIMER_ROUNDS` if that is set: the same test is short each day and long once.
///
/// # Panics
/// If the variable is no whole number from 1 on.
pub fn rounds(usual: u32) -> u32 {
    let factor = match std::env::var(VARIABLE) {
        Err(std::env::VarError::NotPresent) => 1,
        Ok(text) => match text.parse::<u32>() {
            Ok(factor) if factor > 0 => factor,
            _ => panic!("{VARIABLE} is \"{text}\": it has to be a whole number from 1 on"),
        },
        Err(error) => panic!("{VARIABLE}: {error}"),
    };
    usual.saturating_mul(factor)
}

//! How often a test repeats what it tries: a factor for all, so that the same test is short each day and long once.

/// Where the factor stands; `make test-long` sets it.
pub const VARIABLE: &str = "LATIMER_ROUNDS";

/// So many rounds, times `LATIMER_ROUNDS` if that is set.
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

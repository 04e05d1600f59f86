//! Scenarios: no panic, an error names its place, and the events that were read happen in order and in their round.

use latimer::config::scenario::parse;
use latimer_world::scenario::Scenario;

pub(super) fn run(text: &str) {
    match parse("fuzzed.toml", text) {
        Ok(scenario) => check(&scenario),
        Err(error) => assert!(error.to_string().contains("fuzzed.toml"), "{error}"),
    }
}

/// What a scenario promises.
pub(super) fn check(scenario: &Scenario) {
    let events = scenario.events();
    assert!(events.is_sorted_by(|before, after| before.at_s <= after.at_s), "{events:?}");
    let end_s = scenario.repeat_s().unwrap_or(f64::MAX);
    assert!(events.iter().all(|event| (0.0..end_s).contains(&event.at_s)), "{events:?}");
}

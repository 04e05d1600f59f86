//! Configs: no panic, and an error names its place.

use latimer::config::{Config, Overrides};

pub(super) fn run(text: &str) {
    let parse =
        |port_base| Config::parse("fuzzed.toml", text, &Overrides { port_base, ..Overrides::default() });
    if let Err(error) = parse(None) {
        assert!(!error.message.is_empty() && error.to_string().contains("fuzzed.toml"), "{error}");
    }
    drop(parse(Some(9000)));
}

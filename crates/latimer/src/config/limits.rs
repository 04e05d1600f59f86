//! `[limits]`: what no client can exceed.

use latimer_core::memory::{DEFAULT_BYTES, LEAST_BYTES};
use latimer_core::service::ConfigError;
use latimer_dialects::limits::MAX_REQUESTS_PER_S;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

/// Units of bytes, and by how many bits a number of them is shifted.
const UNITS: [(&str, u32); 3] = [("GiB", 30), ("MiB", 20), ("KiB", 10)];

/// What no client can exceed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of memory that clients can fill in all.
    #[serde(deserialize_with = "bytes")]
    pub memory: u64,
    /// Connections of one address to one listener; if not given, another machine has half of those that it takes.
    pub connections_per_address: Option<usize>,
    /// Requests a second of one address to HTTP ports, and as many that stop robots; faster ones are answered no faster. 0 is no limit.
    pub requests_per_s: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: DEFAULT_BYTES, connections_per_address: None, requests_per_s: MAX_REQUESTS_PER_S }
    }
}

impl Limits {
    /// Checks what can be checked without I/O.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if self.connections_per_address == Some(0) {
            let advice = "leave the key out, and another machine has half of the connections of each port";
            return Err(ConfigError::new(
                "limits.connections_per_address",
                "0 connections serve nobody",
                advice,
            ));
        }
        if self.memory >= LEAST_BYTES {
            return Ok(());
        }
        let problem = format!("{} bytes are too few for a map or a picture", self.memory);
        Err(ConfigError::new("limits.memory", problem, format!("write \"{}MiB\" or more", LEAST_BYTES >> 20)))
    }
}

/// A number of bytes, or a text such as `512MiB`.
fn bytes<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Bytes {
        Number(u64),
        Text(String),
    }
    match Bytes::deserialize(from)? {
        Bytes::Number(bytes) => Ok(bytes),
        Bytes::Text(text) => read(&text).ok_or_else(|| {
            D::Error::invalid_value(
                Unexpected::Str(&text),
                &"a number of bytes, or a text such as \"512MiB\"",
            )
        }),
    }
}

fn read(text: &str) -> Option<u64> {
    let unit = |(unit, shift): &(&str, u32)| Some((text.trim().strip_suffix(unit)?, *shift));
    let (number, shift) = UNITS.iter().find_map(unit).unwrap_or((text, 0));
    number.trim().parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_numbers_or_texts() {
        let limits = |text: &str| toml::from_str::<Limits>(text).map(|limits| limits.memory);
        assert_eq!(limits(""), Ok(DEFAULT_BYTES));
        assert_eq!(limits("memory = 1000000000"), Ok(1_000_000_000));
        for (text, bytes) in [("512MiB", 512 << 20), ("1 GiB", 1 << 30), ("65536KiB", 64 << 20), ("7", 7)] {
            assert_eq!(limits(&format!("memory = \"{text}\"")), Ok(bytes), "{text}");
        }
        for text in ["", "much", "512MB", "-1MiB", "99999999999GiB", "0.5GiB"] {
            assert!(limits(&format!("memory = \"{text}\"")).is_err(), "{text}");
        }
        assert!(limits("memory = -1").is_err());
    }

    #[test]
    fn too_few_are_refused() {
        assert!(Limits::default().validate().is_ok());
        let error = Limits { memory: LEAST_BYTES - 1, ..Limits::default() }.validate().unwrap_err();
        assert!(error.key == "limits.memory" && error.advice.contains("16MiB"), "{error}");
    }
}

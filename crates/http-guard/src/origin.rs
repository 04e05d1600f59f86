//! Where pages come from: `scheme://host[:port]`, or `null` for pages from files.

use std::net::Ipv6Addr;
use std::str::FromStr;

/// An origin that the config allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedOrigin(String);

/// A text that is no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no origin")]
pub struct BadOrigin(String);

impl BadOrigin {
    /// What to write instead.
    pub const ADVICE: &str = "write scheme://host or scheme://host:port, such as \"https://app.example\", or \"null\" for pages from files";
}

impl AllowedOrigin {
    /// Reads the list of a config; an error comes with its place in the list.
    pub fn parse_all(texts: &[String]) -> Result<Vec<Self>, (usize, BadOrigin)> {
        texts.iter().enumerate().map(|(i, text)| text.parse().map_err(|error| (i, error))).collect()
    }

    /// Whether a browser's `Origin` is this one.
    pub(crate) fn is(&self, origin: &str) -> bool {
        normal(origin).as_ref() == Some(&self.0)
    }
}

impl FromStr for AllowedOrigin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        normal(text).map(Self).ok_or_else(|| BadOrigin(text.to_owned()))
    }
}

/// An origin in lower case and without the port that its scheme has anyway, as browsers write it.
fn normal(text: &str) -> Option<String> {
    if text == "null" {
        return Some(text.to_owned());
    }
    let (scheme, authority) = text.split_once("://")?;
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    if !scheme.starts_with(|first: char| first.is_ascii_alphabetic()) || !scheme.bytes().all(is_scheme) {
        return None;
    }
    let (host, port) = split_authority(authority)?;
    let scheme = scheme.to_ascii_lowercase();
    let port =
        port.filter(|port| !matches!((scheme.as_str(), port), ("http" | "ws", 80) | ("https" | "wss", 443)));
    let port = port.map_or_else(String::new, |port| format!(":{port}"));
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_ascii_lowercase() };
    Some(format!("{scheme}://{host}{port}"))
}

/// Host and port of `host[:port]`, an address of IPv6 without its brackets; `None` for anything else.
pub(crate) fn split_authority(authority: &str) -> Option<(&str, Option<u16>)> {
    let (host, rest) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']')?;
            host.parse::<Ipv6Addr>().ok()?;
            (host, rest)
        }
        None => {
            let (host, rest) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            if host.is_empty() || !host.bytes().all(is_name) {
                return None;
            }
            (host, rest)
        }
    };
    match rest.strip_prefix(':') {
        None if rest.is_empty() => Some((host, None)),
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some((host, Some(port.parse().ok()?)))
        }
        _ => None,
    }
}

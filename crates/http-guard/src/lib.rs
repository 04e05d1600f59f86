//! Which web pages may call an HTTP port: a browser on this machine must not drive robots for any website.
//!
//! | header | passes |
//! |---|---|
//! | `Host` | absent or empty; this machine; a name of the config; for a port that other machines reach, any address in digits |
//! | `Origin` | absent; a page of this machine; the same authority as `Host`; one of `allow_origins` |
//! | `Sec-Fetch-Site` | absent; `same-origin`; `none`, which is a person's own doing; any beside an `Origin` that passes or, without one, a page in `Referer` whose origin would; any of a link to an address that only shows a page ([`Guard::check_page`]) |
//!
//! A page names where it comes from in `Origin`; a name that an attacker points at this machine (DNS rebinding) shows in
//! `Host`. An address in digits cannot be pointed elsewhere, a name can: where other machines reach the gateway, its names
//! are in the config. What a page embeds without asking first, e.g. by `<img>`, has no `Origin` and does cost something here:
//! browsers say in `Sec-Fetch-Site` that another site asks, at this machine and over TLS. Programs other than browsers send
//! neither, and the `Host` they were given, so little of this concerns them.

mod origin;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, HOST, ORIGIN, REFERER, VARY};
use http::{HeaderMap, HeaderName, HeaderValue};

use origin::split_authority;
pub use origin::{AllowedOrigin, BadOrigin};

/// Whose page asks, in a browser's words: `same-origin`, `same-site`, `cross-site`, or `none` if no page does.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What the answer is for; `navigate` if it is shown.
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Where it is shown; `document` if not within another page.
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// As much of a foreign header as is repeated.
const SHOWN_CHARACTERS: usize = 200;

/// The rule for one port; clones share the count of what was refused.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Only this machine reaches the port.
    loopback: bool,
    names: Arc<[String]>,
    allowed: Arc<[AllowedOrigin]>,
    /// The key of the config that allows origins, if the port has one.
    key: Option<Arc<str>>,
    refused: Arc<AtomicU64>,
}

impl Guard {
    /// For a port that listens at an address and may be called by these names.
    pub fn new(listen: IpAddr, names: impl Into<Arc<[String]>>) -> Self {
        Self {
            loopback: listen.is_loopback(),
            names: names.into(),
            allowed: Arc::default(),
            key: None,
            refused: Arc::default(),
        }
    }

    /// Lets pages of these origins in; `key` names the list in the config.
    #[must_use]
    pub fn allow_origins(self, key: impl Into<Arc<str>>, allowed: impl Into<Arc<[AllowedOrigin]>>) -> Self {
        Self { allowed: allowed.into(), key: Some(key.into()), ..self }
    }

    /// Whether a request may pass, and what browsers must find in the answer.
    pub fn check(&self, headers: &HeaderMap) -> Result<Allowed, Refusal> {
        let host = self.check_host(headers)?;
        if headers.contains_key(ORIGIN) {
            return self.check_origin(headers, host);
        }
        self.check_site(headers, host)?;
        Ok(Allowed { origin: None })
    }

    /// The same for a request that reads at an address where only a page is: other sites may link there, and embed nothing of it.
    pub fn check_page(&self, headers: &HeaderMap) -> Result<Allowed, Refusal> {
        let is = |name: HeaderName, value: &str| headers.get(name).is_some_and(|it| it == value);
        if headers.contains_key(ORIGIN) || !is(SEC_FETCH_MODE, "navigate") || !is(SEC_FETCH_DEST, "document")
        {
            return self.check(headers);
        }
        self.check_host(headers)?;
        Ok(Allowed { origin: None })
    }

    fn check_origin(&self, headers: &HeaderMap, host: &str) -> Result<Allowed, Refusal> {
        let value = headers.get(ORIGIN).cloned();
        let origin = single(headers, ORIGIN)?.unwrap_or_default();
        if self.lets_in(origin, host) {
            return Ok(Allowed { origin: value });
        }
        let (page, word) = match origin {
            "null" => ("a page from a file".to_owned(), "\"null\""),
            origin => (format!("a page of {}", shown(origin)), "the origin"),
        };
        let mut advice = "serve the page from this machine or from the gateway itself".to_owned();
        if let Some(key) = &self.key {
            advice = format!("{advice}, or add {word} to `{key}` in the config");
        }
        let problem = format!("{page} may not use this gateway");
        Err(Refusal { header: "origin", problem, advice })
    }

    /// Whether a request of a program may pass at a port that no page has to do with.
    pub fn check_program(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.check_host(headers)?;
        let Some(header) = [ORIGIN, SEC_FETCH_SITE].into_iter().find(|name| headers.contains_key(name))
        else {
            return Ok(());
        };
        let problem = "pages of browsers may not call this port".to_owned();
        Err(Refusal {
            header: named(&header),
            problem,
            advice: "call it by a program, without this header".to_owned(),
        })
    }

    /// Counts a refusal; how many there were, if that is to be logged: at first, and whenever they have doubled.
    pub fn count_refusal(&self) -> Option<u64> {
        let count = self.refused.fetch_add(1, Ordering::Relaxed) + 1;
        count.is_power_of_two().then_some(count)
    }

    fn check_host<'a>(&self, headers: &'a HeaderMap) -> Result<&'a str, Refusal> {
        let host = single(headers, HOST)?.unwrap_or_default();
        if host.is_empty() || self.has_name(host) {
            return Ok(host);
        }
        let problem = format!("this gateway does not answer to the name {}", shown(host));
        let advice = if self.loopback {
            "call it 127.0.0.1 or localhost"
        } else {
            "call it by its address in digits, or add the name to `http.names` in its config"
        };
        Err(Refusal { header: "host", problem, advice: advice.to_owned() })
    }

    fn has_name(&self, authority: &str) -> bool {
        let Some((host, _)) = split_authority(authority) else { return false };
        is_this_machine(host)
            || self.names.iter().any(|name| bare(name).eq_ignore_ascii_case(host))
            || (!self.loopback && host.parse::<IpAddr>().is_ok())
    }

    /// Whether no other site asks, as far as the browser tells: an image or a frame in its page has no `Origin`.
    fn check_site(&self, headers: &HeaderMap, host: &str) -> Result<(), Refusal> {
        let site = single(headers, SEC_FETCH_SITE)?.unwrap_or("none");
        if matches!(site, "none" | "same-origin") {
            return Ok(());
        }
        // Of a page that may ask; another one can leave this header out, and cannot write into it.
        if single(headers, REFERER)?.is_some_and(|page| self.lets_in(origin_of(page), host)) {
            return Ok(());
        }
        let problem = format!(
            "a page of another site may embed nothing of this gateway, and links only to its page ({})",
            shown(site)
        );
        let advice = "have the page ask with its `Origin`, by `fetch` or with `crossorigin` at the element, or open the address by yourself";
        Err(Refusal { header: named(&SEC_FETCH_SITE), problem, advice: advice.to_owned() })
    }

    /// Whether pages of an origin may ask.
    fn lets_in(&self, origin: &str, host: &str) -> bool {
        self.is_own(origin, host) || self.allowed.iter().any(|allowed| allowed.is(origin))
    }

    fn is_own(&self, origin: &str, host: &str) -> bool {
        let Some((_, authority)) = origin.split_once("://") else { return false };
        let Some((name, _)) = split_authority(authority) else { return false };
        is_this_machine(name) || authority.eq_ignore_ascii_case(host)
    }
}

/// CORS headers for the page that may read the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Allowed {
    origin: Option<HeaderValue>,
}

impl Allowed {
    /// Adds `Access-Control-Allow-Origin` for a page, and `Vary`, so that no cache gives its answer to another.
    pub fn write(self, answer: &mut HeaderMap) {
        answer.append(VARY, HeaderValue::from_static("Origin"));
        match self.origin {
            Some(origin) => answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin),
            None => answer.remove(ACCESS_CONTROL_ALLOW_ORIGIN),
        };
    }
}

/// Why a request does not pass: which header, what is wrong, what to do. It is answered with status 403.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{header}: {problem}; {advice}")]
pub struct Refusal {
    /// The header's name.
    pub header: &'static str,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub advice: String,
}

/// The one value of a header. What is there twice or is no text could be read differently elsewhere.
fn single(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(&name).iter();
    let problem = match (values.next().map(HeaderValue::to_str), values.next()) {
        (None, _) => return Ok(None),
        (Some(Ok(value)), None) => return Ok(Some(value)),
        (Some(_), Some(_)) => "it is there more than once",
        (Some(Err(_)), None) => "it is no ASCII text",
    };
    Err(Refusal {
        header: named(&name),
        problem: problem.to_owned(),
        advice: "send it once, in ASCII".to_owned(),
    })
}

/// The origin of a page's address.
fn origin_of(page: &str) -> &str {
    let authority = page.find("://").map_or(0, |at| at + 3);
    let path = page[authority..].find('/').map_or(page.len(), |at| authority + at);
    &page[..path]
}

/// The name of a header that is looked at.
fn named(name: &HeaderName) -> &'static str {
    match name.as_str() {
        "host" => "host",
        "origin" => "origin",
        "referer" => "referer",
        _ => "sec-fetch-site",
    }
}

/// An address of IPv6 without its brackets.
fn bare(name: &str) -> &str {
    name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name)
}

/// Whether a host means the machine that the browser runs on.
fn is_this_machine(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse().is_ok_and(|ip: IpAddr| ip.to_canonical().is_loopback())
}

fn shown(foreign: &str) -> String {
    foreign.chars().take(SHOWN_CHARACTERS).collect()
}

#[cfg(test)]
mod tests;

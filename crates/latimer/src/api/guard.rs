//! Keeps the pages of strangers away: a browser on this machine must not drive robots for any website.
//!
//! A page that is not served from this machine or by this gateway names itself in `Origin`; a name that
//! an attacker points at this machine (DNS rebinding) shows in `Host`. An address in digits cannot be
//! pointed elsewhere, a name can: where others may reach the gateway, its names are in the config. Programs
//! other than browsers send no `Origin` and the `Host` they were given, so little of this concerns them.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{ApiState, Rejection};

/// Under which names a gateway may be called, apart from those of the machine itself.
#[derive(Clone, Debug)]
pub struct Names {
    /// Only this machine reaches it.
    loopback: bool,
    given: Arc<[String]>,
}

impl Names {
    /// Those of the config, for a gateway that listens at an address.
    pub fn new(listen: IpAddr, given: Vec<String>) -> Self {
        Self { loopback: listen.is_loopback(), given: given.into() }
    }

    fn has(&self, authority: &str) -> bool {
        let host = host_of(authority);
        is_this_machine(host)
            || self.given.iter().any(|name| name.eq_ignore_ascii_case(host))
            || (!self.loopback && host.parse::<IpAddr>().is_ok())
    }
}

pub(super) async fn guard(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    match checked(request.headers(), &state.names) {
        Ok(()) => next.run(request).await,
        Err(rejection) => rejection.into_response(),
    }
}

fn checked(headers: &HeaderMap, names: &Names) -> Result<(), Rejection> {
    let value = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    check(value(header::ORIGIN), value(header::HOST), names)
}

fn check(origin: Option<&str>, host: Option<&str>, names: &Names) -> Result<(), Rejection> {
    let host = host.unwrap_or_default();
    if !host.is_empty() && !names.has(host) {
        let detail = format!("this gateway does not answer to the name {host}");
        return Err(Rejection::new(StatusCode::FORBIDDEN, detail).at("host").advice(if names.loopback {
            "call it 127.0.0.1 or localhost"
        } else {
            "call it by its address in digits, or add the name to `http.names` in its config"
        }));
    }
    let Some(origin) = origin else { return Ok(()) };
    let authority = origin.split_once("://").map_or("", |(_, authority)| authority);
    let own = authority.eq_ignore_ascii_case(host) || is_this_machine(host_of(authority));
    if !authority.is_empty() && own {
        return Ok(());
    }
    let detail = format!("a page of {origin} may not use this gateway");
    Err(Rejection::new(StatusCode::FORBIDDEN, detail)
        .at("origin")
        .advice("serve the page from this machine or from the gateway itself"))
}

/// The host of `host[:port]`.
fn host_of(authority: &str) -> &str {
    match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

/// Whether a host means the machine that the browser runs on.
fn is_this_machine(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn strangers_pages_are_refused_and_programs_are_not() {
        let here = Names::new(Ipv4Addr::LOCALHOST.into(), Vec::new());
        for (origin, host) in [
            (None, Some("127.0.0.1:8080")),
            (None, Some("[::1]:8080")),
            (None, None),
            (Some("http://localhost:5173"), Some("127.0.0.1:8080")),
            (Some("http://127.0.0.1:8080"), Some("127.0.0.1:8080")),
        ] {
            assert!(check(origin, host, &here).is_ok(), "{origin:?} {host:?}");
        }
        for (origin, host) in [
            (Some("https://evil.example"), Some("127.0.0.1:8080")),
            (Some("null"), Some("127.0.0.1:8080")),
            (Some("http://evil.example:8080"), Some("evil.example:8080")),
            (Some("http://localhost.evil.example"), Some("127.0.0.1:8080")),
            (None, Some("evil.example:8080")),
        ] {
            assert!(check(origin, host, &here).is_err(), "{origin:?} {host:?}");
        }
    }

    #[test]
    fn a_gateway_of_a_network_answers_to_digits_and_to_the_names_it_was_given() {
        let lab = Names::new(Ipv4Addr::UNSPECIFIED.into(), vec!["gateway.lab".to_owned()]);
        for host in ["gateway.lab:8080", "192.168.1.7:8080", "localhost:8080"] {
            assert!(check(Some(&format!("http://{host}")), Some(host), &lab).is_ok(), "{host}");
        }
        // A name that an attacker points here is the same in both headers.
        assert!(check(Some("http://evil.example:8080"), Some("evil.example:8080"), &lab).is_err());
        assert!(check(Some("http://evil.example"), Some("gateway.lab:8080"), &lab).is_err());
    }
}

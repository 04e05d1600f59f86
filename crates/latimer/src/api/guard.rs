//! Keeps the pages of strangers away: a browser on this machine must not drive robots for any website.
//!
//! A page that is not served from this machine or by this gateway names itself in `Origin`; a name that
//! an attacker points at 127.0.0.1 (DNS rebinding) shows in `Host`. Programs other than browsers send
//! no `Origin` and the `Host` they were given, so nothing of this concerns them.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{ApiState, Rejection};

pub(super) async fn guard(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    match checked(request.headers(), state.loopback) {
        Ok(()) => next.run(request).await,
        Err(rejection) => rejection.into_response(),
    }
}

fn checked(headers: &HeaderMap, loopback: bool) -> Result<(), Rejection> {
    let value = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    check(value(header::ORIGIN), value(header::HOST), loopback)
}

fn check(origin: Option<&str>, host: Option<&str>, loopback: bool) -> Result<(), Rejection> {
    let host = host.unwrap_or_default();
    if loopback && !host.is_empty() && !is_this_machine(host) {
        let detail = format!("this gateway answers on this machine only, but was called {host}");
        return Err(Rejection::new(StatusCode::FORBIDDEN, detail)
            .at("host")
            .advice("call it 127.0.0.1 or localhost, or let it listen on an address of the network"));
    }
    let Some(origin) = origin else { return Ok(()) };
    let authority = origin.split_once("://").map_or("", |(_, authority)| authority);
    if !authority.is_empty() && (authority.eq_ignore_ascii_case(host) || is_this_machine(authority)) {
        return Ok(());
    }
    let detail = format!("a page of {origin} may not use this gateway");
    Err(Rejection::new(StatusCode::FORBIDDEN, detail)
        .at("origin")
        .advice("serve the page from this machine or from the gateway itself"))
}

/// Whether `host[:port]` means the machine that the browser runs on.
fn is_this_machine(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_pages_are_refused_and_programs_are_not() {
        for (origin, host) in [
            (None, Some("127.0.0.1:8080")),
            (None, Some("[::1]:8080")),
            (None, None),
            (Some("http://localhost:5173"), Some("127.0.0.1:8080")),
            (Some("http://127.0.0.1:8080"), Some("127.0.0.1:8080")),
        ] {
            assert!(check(origin, host, true).is_ok(), "{origin:?} {host:?}");
        }
        for (origin, host) in [
            (Some("https://evil.example"), Some("127.0.0.1:8080")),
            (Some("null"), Some("127.0.0.1:8080")),
            (Some("http://evil.example:8080"), Some("evil.example:8080")),
            (Some("http://localhost.evil.example"), Some("127.0.0.1:8080")),
            (None, Some("evil.example:8080")),
        ] {
            assert!(check(origin, host, true).is_err(), "{origin:?} {host:?}");
        }
        assert!(check(Some("http://gateway.lab:8080"), Some("gateway.lab:8080"), false).is_ok());
        assert!(check(Some("http://evil.example"), Some("gateway.lab:8080"), false).is_err());
    }
}

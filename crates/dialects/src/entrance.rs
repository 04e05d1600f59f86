//! Authentication at an HTTP port of a gateway with users: the credential of a request, and the caller that it belongs to.
//!
//! | shown as | credential |
//! |---|---|
//! | `Authorization: Bearer TOKEN` | a token |
//! | `Authorization: Basic …` | a user's name and password |
//! | `Authorization: Secret …`, `Secret: …` | a token, or `NAME:PASSWORD`, as clients of a robot with one secret show theirs |
//! | the cookie `latimer` | the token of a login |
//! | nothing | what the users' file has for the address |

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use latimer_core::access::{Caller, Credential, Gate, Grants, NotLetIn, Role};
use latimer_core::{Author, RobotId};

use crate::pace::ToStop;

/// The cookie of a login.
pub const COOKIE: &str = "latimer";

/// The header in which clients of a robot with one secret show it.
const SECRET: HeaderName = HeaderName::from_static("secret");

/// Authentication at one port.
#[derive(Clone, Debug)]
pub struct Entrance {
    pub(crate) gate: Arc<dyn Gate>,
    pub(crate) rules: EntranceRules,
}

/// What differs between ports.
#[derive(Clone, Copy, Debug)]
pub struct EntranceRules {
    /// Whether a request needs no credential; its handler finds a caller without grants then.
    pub is_open: fn(&Request) -> bool,
    /// What others read who are not let in.
    pub refuse: fn(&Request, &NotLetIn) -> Response,
}

/// Of a robot's own port.
impl Default for EntranceRules {
    fn default() -> Self {
        Self { is_open: |_| false, refuse: |_, error| refusal(error, format!("{error}\n")) }
    }
}

/// What a request shows.
#[derive(PartialEq, Eq)]
pub enum Shown {
    /// A name and a password.
    Password(String, Vec<u8>),
    /// A token.
    Token(String),
}

impl Shown {
    /// What the headers of a request have.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(value) = text(header::AUTHORIZATION) {
            let (scheme, value) = value.split_once(' ')?;
            return match scheme.to_ascii_lowercase().as_str() {
                "bearer" => Some(Self::Token(value.trim().to_owned())),
                "basic" => Self::pair(BASE64_STANDARD.decode(value.trim()).ok()?),
                "secret" => Some(Self::of_secret(value)),
                _ => None,
            };
        }
        text(SECRET).map(Self::of_secret).or_else(|| Some(Self::Token(cookie(headers)?.to_owned())))
    }

    fn of_secret(value: &str) -> Self {
        Self::pair(value.as_bytes().to_owned()).unwrap_or_else(|| Self::Token(value.to_owned()))
    }

    /// `NAME:PASSWORD`.
    fn pair(mut bytes: Vec<u8>) -> Option<Self> {
        let at = bytes.iter().position(|byte| *byte == b':')?;
        let password = bytes.split_off(at + 1);
        bytes.pop();
        Some(Self::Password(String::from_utf8(bytes).ok()?, password))
    }

    /// The same, to be asked for.
    pub fn as_credential(&self) -> Credential<'_> {
        match self {
            Self::Password(user, password) => Credential::Password { user, password },
            Self::Token(token) => Credential::Token(token),
        }
    }
}

/// The token of a login that a request brings as a cookie.
pub fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}

/// A user has logged in there, and the request shows the token of that.
#[derive(Clone, Copy, Debug)]
struct LoggedIn;

/// Lets a request in, with its caller, or refuses it.
pub(crate) async fn enter(State(entrance): State<Entrance>, mut request: Request, next: Next) -> Response {
    let Entrance { gate, rules } = &entrance;
    let peer = peer(request.extensions());
    let shown = Shown::of(request.headers());
    let credential = shown.as_ref().map(Shown::as_credential);
    let entered = match request.extensions().get::<ToStop>() {
        Some(ToStop) => gate.enter_to_stop(peer, credential).await,
        None => gate.enter(peer, credential).await,
    };
    let caller = match entered {
        Ok(caller) => caller,
        Err(_) if is_preflight(&request) || (rules.is_open)(&request) => {
            Caller::new(peer.to_string(), Grants::default())
        }
        Err(error) => return (rules.refuse)(&request, &error),
    };
    if matches!(&shown, Some(Shown::Token(token)) if gate.is_login(token)) && caller.may_anything() {
        request.extensions_mut().insert(LoggedIn);
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}

/// Whether a browser asks if a page of another origin may send a request: it shows no credential then, and the answer does nothing.
fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// An answer to a client that is not let in: 401, 429 to one that has to wait, or 500.
pub fn refusal(error: &NotLetIn, body: impl IntoResponse) -> Response {
    let (status, header) = match error {
        NotLetIn::Nothing | NotLetIn::Wrong => {
            let ways = "Bearer, Basic realm=\"Latimer\", Secret".to_owned();
            (StatusCode::UNAUTHORIZED, Some((header::WWW_AUTHENTICATE, ways)))
        }
        NotLetIn::Later(seconds) => {
            (StatusCode::TOO_MANY_REQUESTS, Some((header::RETRY_AFTER, seconds.to_string())))
        }
        NotLetIn::Fault => (StatusCode::INTERNAL_SERVER_ERROR, None),
    };
    let mut response = body.into_response();
    *response.status_mut() = status;
    if let Some((name, value)) = header
        && let Ok(value) = HeaderValue::from_str(&value)
    {
        response.headers_mut().insert(name, value);
    }
    response
}

/// The address of a request's client.
pub fn peer(request: &Extensions) -> IpAddr {
    let peer = request.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into())
}

/// The client of a request: its user if the gateway has users, else its host: a client that posts may open a connection for
/// each request, so its port says nothing.
pub fn author(dialect: &'static str, request: &Extensions) -> Author {
    if let Some(caller) = request.get::<Caller>() {
        let author = Author::of(dialect, caller);
        return if request.get::<LoggedIn>().is_some() { author.logged_in() } else { author };
    }
    Author::new(dialect, peer(request).to_string())
}

/// A client has no role for what it asks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{author} needs the role {role} for {robot}; an admin of the gateway gives it in the users' file", role = .role.word())]
pub struct Forbidden {
    author: Author,
    role: Role,
    robot: RobotId,
}

/// Whether a client has a role for all of a robot.
pub fn permit(author: &Author, role: Role, robot: &RobotId) -> Result<(), Forbidden> {
    if author.may(role, robot) {
        return Ok(());
    }
    Err(Forbidden { author: author.clone(), role, robot: robot.clone() })
}

/// As a robot's own port answers it.
impl IntoResponse for Forbidden {
    fn into_response(self) -> Response {
        (StatusCode::FORBIDDEN, format!("{self}\n")).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pairs: &[(&'static str, &str)]) -> Option<String> {
        let headers = pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()));
        Some(match Shown::of(&headers.collect())? {
            Shown::Password(user, password) => format!("{user} has {}", String::from_utf8(password).unwrap()),
            Shown::Token(token) => token,
        })
    }

    #[test]
    fn credentials_are_found_where_clients_put_them() {
        for (name, value, expected) in [
            ("authorization", "Bearer abc", Some("abc")),
            ("authorization", "bearer  abc", Some("abc")),
            ("authorization", "Basic YWRhOnM6dA==", Some("ada has s:t")),
            ("authorization", "Basic ???", None),
            ("authorization", "Basic YWRh", None),
            ("authorization", "Digest x", None),
            ("authorization", "Secret ada:x", Some("ada has x")),
            ("secret", "abc", Some("abc")),
            ("secret", "ada:x", Some("ada has x")),
            ("cookie", "a=b; latimer=abc; c", Some("abc")),
            ("cookie", "a=b", None),
        ] {
            assert_eq!(shown(&[(name, value)]).as_deref(), expected, "{name}: {value}");
        }
        assert_eq!(shown(&[("authorization", "Bearer a"), ("cookie", "latimer=b")]).as_deref(), Some("a"));
        assert_eq!(shown(&[]), None);
    }
}

//! The client of a request, the roles that it needs, and how it comes in.

use axum::Json;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use latimer_access::limits::LOGIN_TIME;
use latimer_core::access::{Caller, NotLetIn, Role};
use latimer_core::{Author, RobotId};
use latimer_dialects::entrance::{self, COOKIE, EntranceRules};
use latimer_dialects::listen::OverTls;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::WrongBody;
use super::extract::NoParameters;
use super::{ApiState, BASE, Rejection, body};
use latimer_wire::v1::Problem;

/// The header in which Latimer's own programs say what they are.
pub(crate) const CLIENT_HEADER: &str = "x-latimer-client";

/// What can stand there.
const CLIENTS: [&str; 2] = ["page", "cli"];

/// Addresses below [`BASE`] that need no credential.
const OPEN: [&str; 5] = ["/health", "/ready", "/me", "/login", "/logout"];

/// Authentication at the common port of a gateway with users. The page's files and the login need no credential.
pub const ENTRANCE: EntranceRules = EntranceRules { is_open, refuse };

/// Addresses beside the API that are none of the page's.
const NOT_OF_THE_PAGE: [&str; 3] = ["/robots/", "/rosbridge", "/metrics"];

fn is_open(request: &Request) -> bool {
    let below = request.uri().path().strip_prefix(BASE);
    below.map_or_else(|| reads_the_page(request), |below| OPEN.contains(&below))
}

/// Whether a request reads a file of the page, which tells nothing of robots and does nothing.
pub(super) fn reads_the_page(request: &Request) -> bool {
    let path = request.uri().path();
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    reads && !path.starts_with(BASE) && !NOT_OF_THE_PAGE.iter().any(|it| path.starts_with(it))
}

fn refuse(request: &Request, error: &NotLetIn) -> Response {
    let advice = match error {
        NotLetIn::Fault => "send it again; report what the log of the gateway says of it",
        _ => {
            "log in on the page, or send `Authorization: Bearer TOKEN` or `Basic …`; for the command line set LATIMER_TOKEN"
        }
    };
    let (status, path) = (StatusCode::UNAUTHORIZED, request.uri().path());
    let mut response =
        entrance::refusal(error, Rejection::new(status, error.to_string()).at(path).advice(advice));
    // A browser would ask for a password by itself, and the page has a form for it.
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// The gateway as the client of a request may see it.
pub struct Api {
    /// With a hub that shows the client what it may see.
    pub state: ApiState,
    author: Author,
}

impl FromRequestParts<ApiState> for Api {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Self::Rejection> {
        let author = author_of(&parts.headers, &parts.extensions);
        let hub = state.hub.seen_by(&author);
        Ok(Self { state: ApiState { hub, ..state.clone() }, author })
    }
}

impl Api {
    /// The client of the request.
    pub(super) const fn author(&self) -> &Author {
        &self.author
    }

    /// Refuses a client that has no role for all of a robot.
    pub(super) fn permit(&self, role: Role, robot: &RobotId) -> Result<(), Rejection> {
        entrance::permit(&self.author, role, robot).map_err(|error| forbidden(error.to_string()))
    }

    /// Refuses a client that has no role for every robot.
    pub(super) fn permit_everywhere(&self, role: Role) -> Result<(), Rejection> {
        match self.author.may_everywhere(role) {
            true => Ok(()),
            false => {
                Err(forbidden(format!("{} needs the role {} for every robot", self.author, role.word())))
            }
        }
    }

    /// Refuses a client that sees some kinds only what may hold others, too.
    pub(super) fn permit_whole(&self, place: &str) -> Result<(), Rejection> {
        match self.state.hub.shows_whole_robots() {
            true => Ok(()),
            false => Err(forbidden(format!(
                "{} sees some kinds of robots, and what a robot sent may hold others",
                self.author
            ))
            .at(place)),
        }
    }
}

fn forbidden(detail: String) -> Rejection {
    Rejection::new(StatusCode::FORBIDDEN, detail)
        .advice("an admin of the gateway gives roles in the users' file")
}

/// The client of a request; the page and the command line name themselves in a header.
pub(super) fn author(request: &Request) -> Author {
    author_of(request.headers(), request.extensions())
}

pub(super) fn author_of(headers: &HeaderMap, extensions: &Extensions) -> Author {
    let client = headers.get(CLIENT_HEADER).map(HeaderValue::as_bytes);
    let dialect = CLIENTS.into_iter().find(|it| client == Some(it.as_bytes())).unwrap_or("api");
    entrance::author(dialect, extensions)
}

/// A name and a password.
#[derive(Debug, ToSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    /// The user's name.
    user: String,
    /// Its password.
    password: String,
}

/// Who a client is, and what it may do.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Me {
    /// Whether this gateway has users. Everybody may do everything if it has none.
    pub(crate) has_users: bool,
    /// Its user, or its address if the users' file names that; `null` for a client that has to log in.
    pub(crate) name: Option<String>,
    /// Robots that it may command.
    pub(crate) drives: Vec<String>,
    /// Whether it may change the simulated world and the gateway.
    pub(crate) is_admin: bool,
    /// Keys of listeners that other machines reach without encryption or password.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) insecure: Vec<String>,
    /// The token of this login, which is also a cookie; for `Authorization: Bearer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
}

impl Me {
    fn of(state: &ApiState, author: &Author) -> Self {
        let caller = author.caller();
        let has_users = state.access.is_some();
        let let_in = caller.is_some_and(Caller::may_anything);
        let robots = state.hub.seen_by(author).robots().into_iter().map(|report| report.info.robot);
        let drives = robots.filter(|robot| author.may(Role::Drive, robot)).map(|robot| robot.to_string());
        Self {
            has_users,
            name: caller.filter(|_| let_in).map(|caller| caller.name().to_string()),
            drives: drives.collect(),
            is_admin: author.may_everywhere(Role::Admin),
            insecure: state.insecure.to_vec(),
            token: None,
        }
    }
}

#[utoipa::path(
    get,
    path = "/me",
    tag = "gateway",
    summary = "Who you are, and what you may do",
    responses((status = 200, description = "The client of this request", body = Me))
)]
pub(super) async fn me(Api { state, author }: Api, _: NoParameters) -> Json<Me> {
    Json(Me::of(&state, &author))
}

#[utoipa::path(
    post,
    path = "/login",
    tag = "gateway",
    summary = "Log in",
    description = "The token is in the answer, and in a cookie for pages; it holds for 12 hours.",
    request_body(content = Login, description = "A user of the users' file", example = json!({"user": "ada", "password": "…"})),
    responses(
        (status = 200, description = "Who you are now", body = Me),
        (status = 401, description = "The name or the password is wrong", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "This gateway has no users", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many attempts of this address failed; `Retry-After` says when the next one is looked at", body = Problem, content_type = "application/problem+json"),
        WrongBody,
    )
)]
pub(super) async fn login(
    State(state): State<ApiState>,
    _: NoParameters,
    request: Request,
) -> Result<Response, Rejection> {
    let access = state.access.clone().ok_or_else(|| {
        Rejection::new(StatusCode::NOT_FOUND, "this gateway has no users")
            .advice("write [access] in its config")
    })?;
    let secure = is_secure(request.headers(), request.extensions());
    let peer = entrance::peer(request.extensions());
    let dialect = author(&request).dialect;
    let Login { user, password } = body::json(request).await?;
    let (token, caller) = match access.log_in(peer, &user, password.as_bytes()).await {
        Ok(entered) => entered,
        Err(error) => {
            let rejection = Rejection::new(StatusCode::UNAUTHORIZED, error.to_string()).at("body");
            return Ok(entrance::refusal(&error, rejection));
        }
    };
    let cookie = cookie(&token, LOGIN_TIME.as_secs(), secure);
    let me = Me { token: Some(token), ..Me::of(&state, &Author::of(dialect, &caller)) };
    Ok(([(header::SET_COOKIE, cookie)], Json(me)).into_response())
}

#[utoipa::path(
    post,
    path = "/logout",
    tag = "gateway",
    summary = "End a login",
    responses((status = 204, description = "The token of the cookie, or of `Authorization`, holds no more"))
)]
pub(super) async fn logout(
    State(state): State<ApiState>,
    headers: HeaderMap,
    extensions: Extensions,
    _: NoParameters,
) -> Response {
    if let (Some(access), Some(entrance::Shown::Token(token))) =
        (&state.access, entrance::Shown::of(&headers))
    {
        access.log_out(&token);
    }
    let secure = is_secure(&headers, &extensions);
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie("", 0, secure))]).into_response()
}

/// Whether a client reaches the gateway by TLS, which ends here or at a proxy in front of it: its cookie is for TLS alone then, and lines to copy
/// speak it.
pub(super) fn is_secure(headers: &HeaderMap, extensions: &Extensions) -> bool {
    let is_of_tls = |origin: &HeaderValue| origin.as_bytes().starts_with(b"https://");
    extensions.get::<OverTls>().is_some() || headers.get(header::ORIGIN).is_some_and(is_of_tls)
}

fn cookie(token: &str, seconds: u64, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_for_tls_alone_where_the_client_comes_by_it() {
        let origin = |value| HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static(value))]);
        let mut over_tls = Extensions::new();
        over_tls.insert(OverTls);
        let (none, plain) = (HeaderMap::new(), Extensions::new());
        for (headers, extensions, expected) in [
            (&none, &plain, false),
            (&origin("http://localhost:8080"), &plain, false),
            (&origin("https://gateway.lab"), &plain, true),
            (&none, &over_tls, true),
        ] {
            let secure = is_secure(headers, extensions);
            assert_eq!(secure, expected, "{headers:?}");
            assert_eq!(cookie("abc", 60, secure).ends_with("; Secure"), expected);
        }
    }
}

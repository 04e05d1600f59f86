//! Lines to copy that print what one robot publishes: by the gateway's own API and in each dialect.

use axum::Json;
use axum::http::{Extensions, HeaderMap, StatusCode, Uri, header};
use latimer_core::PartName;
use latimer_core::model::{Class, Kind};
use latimer_dialects::lines::{Line as ModelLine, LineRequest};
use latimer_listen::Address;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::WrongParameter;
use super::client::{Api, is_secure};
use super::params::Params;
use super::{ApiState, BASE, Rejection, lists};
use latimer_wire::v1::{Line, Problem};
use latimer_wire::words::advice;

/// What the gateway's own API is called beside the dialects.
const OWN: &str = "latimer";

/// Lines to copy.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(super) struct Lines {
    /// Those of the API first.
    lines: Vec<Line>,
}

#[utoipa::path(
    get,
    path = "/lines",
    tag = "vocabulary",
    summary = "Lines to copy that print what a robot publishes",
    params(("key" = String, Query, description = "`robot/kind[/part]`", example = "misty-1/range/front_left")),
    responses(
        (status = 200, description = "Lines for the gateway's own API and for each dialect", body = Lines),
        (status = 404, description = "No robot publishes this", body = Problem, content_type = "application/problem+json"),
        WrongParameter,
    )
)]
pub(super) async fn lines(
    Api { state, .. }: Api,
    headers: HeaderMap,
    extensions: Extensions,
    uri: Uri,
) -> Result<Json<Lines>, Rejection> {
    let mut params = Params::of(&uri)?;
    let key = params.one("key")?;
    params.finish()?;
    let key = key.ok_or_else(|| {
        Rejection::bad("no key is given").at("key").advice("write such as key=misty-1/range/front_left")
    })?;
    let (robot, rest) = key.split_once('/').unwrap_or((&key, ""));
    let robot = lists::known_robot(&state, robot).map_err(|rejection| rejection.at("key"))?.info.robot;
    let (kind, part) = rest.split_once('/').map_or((rest, None), |(kind, part)| (kind, Some(part)));
    let kind = known_kind(&key, kind)?;
    let part = part.map(|part| known_part(&state, &robot, kind, part)).transpose()?;
    let http = called(&headers, &extensions, &uri)?;
    let request = LineRequest {
        hub: &state.hub,
        robot: &robot,
        kind,
        part: part.as_ref(),
        endpoints: &state.endpoints.all(&state.hub),
        http: &http,
    };
    let mut lines: Vec<Line> = own(&request).into_iter().map(|line| Line::new(OWN, line)).collect();
    for (dialect, translator) in state.translators.iter() {
        lines.extend(translator.lines(&request).into_iter().map(|line| Line::new(dialect, line)));
    }
    Ok(Json(Lines { lines }))
}

fn known_kind(key: &str, given: &str) -> Result<Kind, Rejection> {
    let words = || Kind::ALL.iter().map(|kind| kind.as_str());
    Kind::from_word(given).ok_or_else(|| {
        let detail = match given {
            "" => format!("{key} has no kind"),
            _ => format!("no robot publishes the kind {given}"),
        };
        Rejection::new(StatusCode::NOT_FOUND, detail).at("key").advice(advice(given, words()))
    })
}

/// A part that the robot has; what events are about is not known before they happen.
fn known_part(
    state: &ApiState,
    robot: &latimer_core::RobotId,
    kind: Kind,
    given: &str,
) -> Result<PartName, Rejection> {
    let part = PartName::new(given).map_err(|error| Rejection::bad(error.to_string()).at("key"))?;
    let last = state.hub.last_of_parts(robot, kind);
    let parts: Vec<&str> = last.iter().filter_map(|it| it.part.as_ref()).map(PartName::as_str).collect();
    if kind.class() == Class::Event || last.is_empty() || parts.contains(&part.as_str()) {
        return Ok(part);
    }
    let detail = format!("{robot} has published no {kind} of {part}");
    Err(Rejection::new(StatusCode::NOT_FOUND, detail).at("key").advice(advice(given, parts.iter().copied())))
}

/// How the one who asks calls this gateway.
fn called(headers: &HeaderMap, extensions: &Extensions, uri: &Uri) -> Result<Address, Rejection> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = host.or_else(|| uri.authority().map(|it| it.as_str())).unwrap_or("localhost");
    let scheme = if is_secure(headers, extensions) { "https" } else { "http" };
    // It is pasted into a shell.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '_' | '[' | ']');
    let address = Address::parse(&format!("{scheme}://{authority}"), None).ok();
    address.filter(|_| authority.chars().all(plain)).ok_or_else(|| {
        Rejection::bad("the name of this gateway has characters that no host name has").at("host")
    })
}

/// Lines for the gateway's own API.
fn own(request: &LineRequest<'_>) -> Vec<ModelLine> {
    let LineRequest { robot, kind, part, http, .. } = *request;
    let key = part.map_or_else(|| format!("{robot}/{kind}"), |part| format!("{robot}/{kind}/{part}"));
    let path = format!("{BASE}/stream?select={key}");
    let stream = http.ws(&path);
    let mut lines = vec![
        ModelLine::new("curl", format!("curl -N '{}'", http.http(&path))),
        ModelLine::new("wscat", format!("wscat -c '{stream}'")),
        ModelLine::new("python", python(&stream)),
        ModelLine::new("javascript", javascript(&stream)),
        ModelLine::new(OWN, format!("latimer echo {key} --gateway {http}")),
    ];
    if kind.class() != Class::Event {
        let last = format!("curl '{}'", http.http(&format!("{BASE}/last?select={key}")));
        lines.insert(1, ModelLine::new("curl", last));
    }
    lines
}

fn python(stream: &str) -> String {
    format!(
        "from websockets.sync.client import connect  # pip install websockets\n\
         \n\
         with connect(\"{stream}\") as updates:\n    \
             for update in updates:\n        \
                 print(update)\n"
    )
}

fn javascript(stream: &str) -> String {
    format!(
        "const updates = new WebSocket(\"{stream}\");\n\
         updates.onmessage = ({{ data }}) => console.log(JSON.parse(data));\n"
    )
}

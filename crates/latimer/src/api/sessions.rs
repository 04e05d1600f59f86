//! What clients have open, for an admin to see and to end.

use axum::Json;
use axum::extract::Path;
use axum::http::{StatusCode, Uri};
use latimer_core::access::Role;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Rejection;
use super::answers::{NotAdmin, WrongParameter};
use super::client::Api;
use super::extract::NoParameters;
use super::params::Params;
use latimer_wire::v1::{ClientSession, Problem};

/// What clients have open.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(super) struct Sessions {
    /// The oldest first.
    sessions: Vec<ClientSession>,
}

/// What was ended.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(super) struct EndedSessions {
    /// How many sessions.
    #[schema(example = 3)]
    ended: usize,
}

#[utoipa::path(
    get,
    path = "/sessions",
    tag = "gateway",
    summary = "What clients have open",
    description = "Sockets and streams of every dialect and of the API, clients of the MQTT broker within, and logins. A client that asks by single requests has none.",
    responses(
        (status = 200, description = "The sessions, the oldest first", body = Sessions),
        NotAdmin,
    )
)]
pub(super) async fn list(api: Api, _: NoParameters) -> Result<Json<Sessions>, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    Ok(Json(Sessions { sessions: api.state.hub.sessions().list().iter().map(Into::into).collect() }))
}

#[utoipa::path(
    delete,
    path = "/sessions",
    tag = "gateway",
    summary = "End all sessions of a user",
    description = "Its connections are closed and its logins are over. It may come again with its password; take it out of the users' file if it must not.",
    params(("user" = String, Query, description = "Whose", example = "ada")),
    responses(
        (status = 200, description = "How many there were", body = EndedSessions),
        NotAdmin,
        WrongParameter,
    )
)]
pub(super) async fn end_all(api: Api, uri: Uri) -> Result<Json<EndedSessions>, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    let mut params = Params::of(&uri)?;
    let user = params.one("user")?;
    params.finish()?;
    let user = user.ok_or_else(|| {
        Rejection::bad("whose sessions are to end is not said")
            .at("user")
            .advice("add ?user=NAME, or end one by its number: DELETE /api/v1/sessions/{id}")
    })?;
    let ended = api.state.hub.sessions().end_all_of(&user);
    tracing::info!(by = %api.author(), user, ended, "the sessions of a user are ended");
    Ok(Json(EndedSessions { ended }))
}

#[utoipa::path(
    delete,
    path = "/sessions/{id}",
    tag = "gateway",
    summary = "End a session",
    description = "A connection is closed; a login is over, and what came in by it is closed.",
    params(("id" = u64, Path, description = "Its number, of the list", example = 7)),
    responses(
        (status = 204, description = "It is over"),
        NotAdmin,
        (status = 404, description = "There is no such session, or it has ended", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn end(
    api: Api,
    id: Result<Path<u64>, axum::extract::rejection::PathRejection>,
    _: NoParameters,
) -> Result<StatusCode, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    let gone = || {
        Rejection::new(StatusCode::NOT_FOUND, "there is no such session, or it has ended")
            .at("id")
            .advice("GET /api/v1/sessions lists those that there are")
    };
    let Path(id) = id.map_err(|_| gone())?;
    let info = api.state.hub.sessions().end(id).ok_or_else(gone)?;
    tracing::info!(by = %api.author(), ?info, "a session is ended");
    Ok(StatusCode::NO_CONTENT)
}

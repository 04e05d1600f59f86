//! The config, read again.

use axum::Json;
use axum::http::StatusCode;
use latimer_core::access::Role;
use serde::Serialize;
use utoipa::ToSchema;

use super::Rejection;
use super::client::Api;
use super::extract::NoParameters;
use crate::app;
use crate::wire::v1::Problem;

/// What became of tables that are not as they were.
#[derive(Debug, ToSchema, Serialize)]
pub(super) struct Reloaded {
    /// Those that apply from now on; `users` is the users' file.
    applied: Vec<String>,
    /// Those that apply after a restart.
    waiting: Vec<String>,
}

#[utoipa::path(
    post,
    path = "/reload",
    tag = "gateway",
    summary = "Read the config again",
    description = "Users, `[[authority]]`, `[limits]`, and robots of `connect`, `serve` and `[[simulate]]` apply at once, other tables after a restart. Robots that stay as they were notice nothing. SIGHUP does the same, and so does the file when it changes.",
    responses(
        (status = 200, description = "What became of it", body = Reloaded),
        (status = 403, description = "The client is no admin; of gateways with users", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The file is wrong, or there is none; everything stays as it was, unless the detail says that a robot could not be changed", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn reload(api: Api, _: NoParameters) -> Result<Json<Reloaded>, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    let reloaded = api.state.reload.now().await;
    let app::Reloaded { applied, waiting } =
        reloaded.map_err(|error| Rejection::new(StatusCode::CONFLICT, error))?;
    Ok(Json(Reloaded { applied, waiting }))
}

//! The config, read again.

use axum::Json;
use axum::http::{StatusCode, Uri};
use latimer_core::access::Role;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Rejection;
use super::answers::{NotAdmin, WrongParameter};
use super::client::Api;
use super::extract::NoParameters;
use super::params::Params;
use crate::app::{self, ReloadError, ReloadOptions};
use latimer_wire::v1::Problem;

/// What became of tables that are not as they were; of a dry run, what would become of them.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Reloaded {
    /// Those that apply from now on; `users` is the users' file, `certificates` are the files of `[tls]`.
    pub(crate) applied: Vec<String>,
    /// Those that apply after a restart.
    pub(crate) waiting: Vec<String>,
    /// Robots that came, each with its list; one that has changed went and came.
    #[schema(example = json!(["misty.connect misty-1"]))]
    pub(crate) came: Vec<String>,
    /// Robots that went.
    pub(crate) went: Vec<String>,
}

/// How the config stands.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct ConfigStanding {
    /// Why the file does not apply as it is now; `null` if it does.
    pub(crate) error: Option<String>,
    /// What is allowed in the config that applies, and probably not meant.
    pub(crate) doubts: Vec<String>,
}

#[utoipa::path(
    post,
    path = "/reload",
    tag = "gateway",
    summary = "Read the config again",
    description = "Users, `[[authority]]`, `[limits]`, and robots of `connect`, `serve` and `[[simulate]]` apply at once, other tables after a restart. Robots that stay as they were notice nothing. SIGHUP does the same, and so does the file when it changes.",
    params(
        ("dry_run" = Option<bool>, Query, description = "Only say what would come of it"),
        ("force" = Option<bool>, Query, description = "Also loosen bounds of robots that move"),
    ),
    responses(
        (status = 200, description = "What became of it", body = Reloaded),
        NotAdmin,
        (status = 409, description = "The file is wrong, or there is none, or it would loosen bounds of robots that move; everything stays as it was, unless the detail says that a robot could not be changed", body = Problem, content_type = "application/problem+json"),
        WrongParameter,
    )
)]
pub(super) async fn reload(api: Api, uri: Uri) -> Result<Json<Reloaded>, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    let mut params = Params::of(&uri)?;
    let options = ReloadOptions { dry_run: params.flag("dry_run")?, force: params.flag("force")? };
    params.finish()?;
    let reloaded = api.state.reload.now(options).await;
    let app::Reloaded { applied, waiting, came, went } = reloaded.map_err(|error| {
        let rejection = Rejection::new(StatusCode::CONFLICT, error.to_string());
        match error {
            ReloadError::Moves(_) => rejection.at("force"),
            ReloadError::Wrong(_) => rejection,
        }
    })?;
    Ok(Json(Reloaded { applied, waiting, came, went }))
}

#[utoipa::path(
    get,
    path = "/reload",
    tag = "gateway",
    summary = "How the config stands",
    responses(
        (status = 200, description = "Whether the file applies as it is now", body = ConfigStanding),
        NotAdmin,
    )
)]
pub(super) async fn standing(api: Api, _: NoParameters) -> Result<Json<ConfigStanding>, Rejection> {
    api.permit_everywhere(Role::Admin)?;
    let app::Standing { error, doubts } = app::Standing::clone(&api.state.reload.standing());
    Ok(Json(ConfigStanding { error, doubts }))
}

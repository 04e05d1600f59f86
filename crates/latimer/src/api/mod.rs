//! The gateway's own HTTP and WebSocket API, under `/api/v1` on the common port.
//!
//! | | |
//! |---|---|
//! | `GET /api/v1/health` | 200 once every listener is up, 503 before and while stopping |
//! | `GET /api/v1/robots`, `/robots/{id}` | who is there; what one has and can |
//! | `GET /api/v1/last?select=&native=&bytes=` | the last values of a selection |
//! | `GET /api/v1/stream?select=&where=&every=&pick=&as=&native=&bytes=&batch=&n=` | WebSocket or Server-Sent Events: updates as they come |
//! | `GET /api/v1/endpoints`, `/sinks` | where to reach what, and who looks |
//! | `GET`, `DELETE /api/v1/sessions` | what clients have open, to be seen and ended |
//! | `GET /api/v1/kinds`, `/dialects` | the kinds, field by field, and the messages of each dialect |
//! | `GET /api/v1/lines?key=` | lines to copy that print what a robot publishes |
//! | `POST /api/v1/robots/{id}/commands`, `/poke` | ask a robot, make something happen to a simulated one |
//! | `GET /api/v1/commands?robot=&dialect=&command_id=&n=` | the last commands, who gave them, what became of each |
//! | `GET /api/v1/commands/stream?robot=` | WebSocket or Server-Sent Events: commands at each station of their way |
//! | `POST /api/v1/robots/{robot}/stands` | say that a robot stands |
//! | `POST /api/v1/estop` | stop robots at once, and keep them from moving |
//! | `GET /api/v1/families` | what each family's robot looks like and can do |
//! | `GET /api/v1/world` | what the simulated world looks like |
//! | `GET /api/v1/world/stream?every=` | WebSocket or Server-Sent Events: what moves in it |
//! | `POST /api/v1/world/scenario` | begin a scenario now |
//! | `POST /api/v1/world/poke`, `/world/pace` | make something happen in the simulated world; faster, slower, pause |
//! | `GET /api/v1/tasks?robot=&state=&n=`, `/alerts?robot=&active=`, `/events?select=&n=` | what happened lately |
//! | `GET /api/v1/history?select=&for=` | what numbers were in the last minutes |
//! | `GET /api/v1/me`, `POST /api/v1/login`, `/logout` | who you are, and what you may do |
//! | `GET /api/v1/frames` | where frames of the site and of robots are, and robots in one of them |
//! | `POST /api/v1/reload` | read the config again |
//! | `GET /api/v1/matrix` | what programs of each dialect get of robots of each family |
//! | `GET /api/v1/ready` | 200 while the gateway and its world do their work |
//! | `GET /api/v1/openapi.json`, `/asyncapi.json` | the API's description, its streams' and the dialects' |
//! | `GET /metrics` | figures for Prometheus |
//!
//! The JSON is [`latimer_wire::v1`]; wrong requests are answered by problem details (RFC 9457).

mod answers;
mod body;
mod client;
mod command_steps;
mod commands;
mod comparison;
mod documents;
mod extract;
mod families;
mod fields;
mod frames;
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod health;
mod journal;
mod last;
mod lines;
mod lists;
mod matrix;
mod metrics;
mod params;
mod problem;
mod ready;
mod reload;
mod selection;
mod sessions;
mod state;
mod stream;
mod vocabulary;
mod world;
mod world_stream;
mod world_view;

use axum::Router;
use axum::extract::OriginalUri;
use axum::http::{Method, StatusCode};
use axum::middleware;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use client::{Api, ENTRANCE};
pub(crate) use client::{CLIENT_HEADER, Me};
pub(crate) use commands::{EmergencyStop, EmergencyStops};
pub use commands::{is_urgent, stops};
pub use documents::{DEFAULT_HOST, asyncapi, openapi};
pub(crate) use families::Families;
pub(crate) use frames::Frames;
pub(crate) use last::Last;
pub use latimer_http_guard::Guard as Names;
pub(crate) use lists::Robots;
pub use problem::Rejection;
pub(crate) use reload::Reloaded;
pub use state::{ApiState, Endpoints, Phase, Translators};

/// Where the API is.
const BASE: &str = "/api/v1";

/// The routes, each with its description: one without cannot be added.
fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::default()
        .routes(routes!(health::health))
        .routes(routes!(client::me))
        .routes(routes!(client::login))
        .routes(routes!(client::logout))
        .routes(routes!(lists::endpoints))
        .routes(routes!(lists::sinks))
        .routes(routes!(sessions::list, sessions::end_all))
        .routes(routes!(sessions::end))
        .routes(routes!(documents::openapi_json))
        .routes(routes!(documents::asyncapi_json))
        .routes(routes!(frames::frames))
        .routes(routes!(lists::robots))
        .routes(routes!(lists::robot))
        .routes(routes!(commands::command))
        .routes(routes!(commands::poke))
        .routes(routes!(commands::commands))
        .routes(routes!(command_steps::stream))
        .routes(routes!(commands::estop))
        .routes(routes!(commands::stands))
        .routes(routes!(last::last))
        .routes(routes!(stream::stream))
        .routes(routes!(families::families))
        .routes(routes!(world_view::look))
        .routes(routes!(world_stream::stream))
        .routes(routes!(world_view::scenario))
        .routes(routes!(world::poke))
        .routes(routes!(world::pace))
        .routes(routes!(journal::tasks))
        .routes(routes!(journal::alerts))
        .routes(routes!(journal::events))
        .routes(routes!(journal::history))
        .routes(routes!(ready::ready))
        .routes(routes!(reload::reload, reload::standing))
        .routes(routes!(vocabulary::kinds))
        .routes(routes!(vocabulary::dialects))
        .routes(routes!(matrix::matrix_of_all))
        .routes(routes!(lines::lines))
}

/// The routes beside those of the API itself.
fn root_routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::default().routes(routes!(metrics::metrics))
}

/// The API, and beside it, under the same guard, the page and what dialects mount.
pub fn router(state: ApiState, page: Router<ApiState>, mounts: Router) -> Router {
    let (v1, _) = routes().split_for_parts();
    let v1 = v1.fallback(unknown_address).method_not_allowed_fallback(wrong_method);
    Router::from(root_routes())
        .merge(page)
        .method_not_allowed_fallback(wrong_method)
        .nest(BASE, v1)
        .with_state(state.clone())
        .merge(mounts)
        .layer(middleware::from_fn_with_state(state, guard::guard))
}

/// The answer at an address where nothing is.
pub async fn unknown_address(OriginalUri(address): OriginalUri) -> Rejection {
    let path = address.path();
    Rejection::new(StatusCode::NOT_FOUND, format!("nothing is at {path}"))
        .at(path)
        .advice(latimer_wire::words::advice(path, documents::addresses()))
}

async fn wrong_method(method: Method, OriginalUri(address): OriginalUri) -> Rejection {
    let path = address.path();
    let right = documents::method_of(path).unwrap_or("GET");
    Rejection::new(StatusCode::METHOD_NOT_ALLOWED, format!("{path} does not take {method}"))
        .at(path)
        .advice(format!("use {right}"))
}

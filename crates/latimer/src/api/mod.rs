//! The gateway's own HTTP and WebSocket API, under `/api/v1` on the common port.
//!
//! | | |
//! |---|---|
//! | `GET /api/v1/health` | 200 once every listener is up, 503 before and while stopping |
//! | `GET /api/v1/robots`, `/robots/{id}` | who is there |
//! | `GET /api/v1/last?select=` | the last values of a selection |
//! | `GET /api/v1/stream?select=&where=&every=&pick=&as=&native=&n=` | WebSocket: updates as they come |
//! | `GET /api/v1/endpoints`, `/sinks` | where to reach what, and who looks |
//! | `POST /api/v1/robots/{id}/commands`, `/poke` | ask a robot, make something happen to a simulated one |
//! | `GET /api/v1/families` | what each family's robot looks like and can do |
//! | `GET /api/v1/world` | what the simulated world looks like |
//! | `GET /api/v1/world/stream?every=` | WebSocket or Server-Sent Events: what moves in it |
//! | `POST /api/v1/world/scenario` | begin a scenario now |
//! | `POST /api/v1/world/poke`, `/world/pace` | make something happen in the simulated world; faster, slower, pause |
//!
//! The JSON is [`crate::wire::v1`]; wrong requests are answered by problem details (RFC 9457).

mod body;
mod commands;
mod families;
mod guard;
mod health;
mod index;
mod last;
mod lists;
mod params;
mod problem;
mod selection;
mod state;
mod stream;
mod stream_request;
mod world;
mod world_stream;
mod world_view;

use axum::Router;
use axum::extract::OriginalUri;
use axum::http::{Method, StatusCode};
use axum::middleware;
use axum::routing::{get, post};

pub(crate) use lists::Robots;
pub use problem::Rejection;
pub use state::{ApiState, Phase};

/// Every address of the API, for whoever mistypes one.
const ADDRESSES: &[&str] = &[
    "/api/v1/health",
    "/api/v1/robots",
    "/api/v1/last",
    "/api/v1/stream",
    "/api/v1/endpoints",
    "/api/v1/sinks",
    "/api/v1/families",
    "/api/v1/world",
    "/api/v1/world/stream",
    "/api/v1/world/scenario",
    "/api/v1/world/poke",
    "/api/v1/world/pace",
];

/// The API and the index page.
pub fn router(state: ApiState) -> Router {
    let v1 = Router::new()
        .route("/health", get(health::health))
        .route("/robots", get(lists::robots))
        .route("/robots/{robot}", get(lists::robot))
        .route("/robots/{robot}/commands", post(commands::command))
        .route("/robots/{robot}/poke", post(commands::poke))
        .route("/families", get(families::families))
        .route("/world", get(world_view::look))
        .route("/world/stream", get(world_stream::stream))
        .route("/world/scenario", post(world_view::scenario))
        .route("/world/poke", post(world::poke))
        .route("/world/pace", post(world::pace))
        .route("/last", get(last::last))
        .route("/stream", get(stream::stream))
        .route("/endpoints", get(lists::endpoints))
        .route("/sinks", get(lists::sinks))
        .fallback(unknown_address)
        .method_not_allowed_fallback(wrong_method);
    Router::new()
        .route("/", get(index::index))
        .nest("/api/v1", v1)
        .layer(middleware::from_fn_with_state(state.clone(), guard::guard))
        .with_state(state)
}

/// The answer at an address where nothing is.
pub async fn unknown_address(OriginalUri(address): OriginalUri) -> Rejection {
    let path = address.path();
    Rejection::new(StatusCode::NOT_FOUND, format!("nothing is at {path}"))
        .at(path)
        .advice(crate::words::advice(path, ADDRESSES.iter().copied()))
}

async fn wrong_method(method: Method, OriginalUri(address): OriginalUri) -> Rejection {
    let path = address.path();
    let is_told = ["/commands", "/poke", "/pace", "/scenario"].iter().any(|end| path.ends_with(end));
    let right = if is_told { "POST" } else { "GET" };
    Rejection::new(StatusCode::METHOD_NOT_ALLOWED, format!("{path} does not take {method}"))
        .at(path)
        .advice(format!("use {right}"))
}

//! The gateway's own HTTP and WebSocket API, under `/api/v1` on the common port.
//!
//! | | |
//! |---|---|
//! | `GET /api/v1/health` | 200 once every listener is up, 503 before and while stopping |
//! | `GET /api/v1/robots`, `/robots/{id}` | who is there |
//! | `GET /api/v1/last?select=` | the last values of a selection |
//! | `GET /api/v1/stream?select=&where=&every=&pick=&as=&native=&batch=&n=` | WebSocket or Server-Sent Events: updates as they come |
//! | `GET /api/v1/endpoints`, `/sinks` | where to reach what, and who looks |
//! | `GET /api/v1/kinds`, `/dialects` | what can be said, field by field, and how each dialect says it |
//! | `GET /api/v1/lines?key=` | lines to copy that show what a robot says |
//! | `POST /api/v1/robots/{id}/commands`, `/poke` | ask a robot, make something happen to a simulated one |
//! | `POST /api/v1/world/poke`, `/world/pace` | make something happen in the simulated world; faster, slower, pause |
//! | `GET /api/v1/tasks?robot=&state=&n=`, `/alerts?robot=&active=`, `/events?select=&n=` | what happened lately |
//! | `GET /api/v1/ready` | 200 while the gateway and its world do their work |
//! | `GET /metrics` | figures for Prometheus |
//!
//! The JSON is [`crate::wire::v1`]; wrong requests are answered by problem details (RFC 9457).

mod body;
mod commands;
mod guard;
mod health;
mod journal;
mod last;
mod lines;
mod lists;
mod metrics;
mod params;
mod problem;
mod ready;
mod selection;
mod state;
mod stream;
mod vocabulary;
mod world;

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
    "/api/v1/kinds",
    "/api/v1/dialects",
    "/api/v1/lines",
    "/api/v1/world/poke",
    "/api/v1/world/pace",
    "/api/v1/tasks",
    "/api/v1/alerts",
    "/api/v1/events",
    "/api/v1/ready",
    "/metrics",
];

/// The API, and `page` beside it under the same guard.
pub fn router(state: ApiState, page: Router<ApiState>) -> Router {
    let v1 = Router::new()
        .route("/health", get(health::health))
        .route("/robots", get(lists::robots))
        .route("/robots/{robot}", get(lists::robot))
        .route("/robots/{robot}/commands", post(commands::command))
        .route("/robots/{robot}/poke", post(commands::poke))
        .route("/world/poke", post(world::poke))
        .route("/world/pace", post(world::pace))
        .route("/last", get(last::last))
        .route("/stream", get(stream::stream))
        .route("/endpoints", get(lists::endpoints))
        .route("/sinks", get(lists::sinks))
        .route("/tasks", get(journal::tasks))
        .route("/alerts", get(journal::alerts))
        .route("/events", get(journal::events))
        .route("/ready", get(ready::ready))
        .route("/kinds", get(vocabulary::kinds))
        .route("/dialects", get(vocabulary::dialects))
        .route("/lines", get(lines::lines))
        .fallback(unknown_address)
        .method_not_allowed_fallback(wrong_method);
    Router::new()
        .merge(page)
        .route("/metrics", get(metrics::metrics))
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
    let is_told = ["/commands", "/poke", "/pace"].iter().any(|end| path.ends_with(end));
    let right = if is_told { "POST" } else { "GET" };
    Rejection::new(StatusCode::METHOD_NOT_ALLOWED, format!("{path} does not take {method}"))
        .at(path)
        .advice(format!("use {right}"))
}

//! A robot's own HTTP port: bound for a `listen` of a dialect's table, and open to those that [`latimer_http_guard`] lets pass.

use std::net::SocketAddr;

use crate::contract::Context;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use latimer_core::service::BuildError;
use latimer_http_guard::{AllowedOrigin, Guard, Refusal};
use tokio_util::sync::CancellationToken;

use crate::listen::{HttpPort, MAX_CONNECTIONS};

/// A robot's own port, bound and not yet serving. No request reaches its router unguarded.
pub(crate) struct ServedPort {
    port: HttpPort,
    address: SocketAddr,
    router: Router,
}

impl ServedPort {
    /// Takes the port that the table `table` of the config names, e.g. `name.serve[0]`.
    pub(crate) async fn bind(
        table: &str,
        listen: SocketAddr,
        allow_origins: &[String],
        context: &Context,
        router: Router,
    ) -> Result<Self, BuildError> {
        let key = |name: &str| format!("{table}.{name}");
        let allowed = AllowedOrigin::parse_all(allow_origins)
            .map_err(|(at, error)| BuildError::Other(format!("{}[{at}]: {error}", key("allow_origins"))))?;
        let port = HttpPort::bind(listen, &key("listen"), MAX_CONNECTIONS, &context.ports).await?;
        let address = port.address().unwrap_or(listen);
        let guard = Guard::new(address.ip(), context.ports.doors.names())
            .allow_origins(key("allow_origins"), allowed);
        Ok(Self { port, address, router: router.layer(middleware::from_fn_with_state(guard, pass)) })
    }

    /// Where it really listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`.
    pub(crate) async fn serve(self, shutdown: CancellationToken) {
        self.port.serve(self.router, shutdown).await;
    }
}

async fn pass(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.check(request.headers()) {
        Ok(allowed) => {
            let mut response = next.run(request).await;
            allowed.write(response.headers_mut());
            response
        }
        Err(refusal) => {
            log(&guard, &refusal);
            let media = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
            (StatusCode::FORBIDDEN, media, format!("{refusal}\n")).into_response()
        }
    }
}

fn log(guard: &Guard, refusal: &Refusal) {
    if let Some(count) = guard.count_refusal() {
        tracing::warn!(%refusal, count, "a request to a robot's own port is refused");
    }
}

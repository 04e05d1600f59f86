//! A robot's own HTTP port: bound for a `listen` of a dialect's table, and open to those that [`latimer_http_guard`] lets pass.

use std::fmt;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use latimer_core::RobotId;
use latimer_core::service::{BuildError, Service};
use latimer_http_guard::{AllowedOrigin, Guard, Refusal};
use latimer_listen::Address;
use tokio_util::sync::CancellationToken;

use crate::config::Serve;
use crate::contract::{BuildContext, Endpoint, Unit, UnitKey, UnitList};
use crate::limits::MAX_CONNECTIONS;
use crate::listen::HttpPort;

/// What serves robots of a dialect on ports of their own.
pub struct OwnPorts {
    dialect: &'static str,
    context: BuildContext,
    /// What tells the clients of all to stop.
    pub(crate) stop: CancellationToken,
    /// Where a robot is reached.
    endpoint: fn(&RobotId, &Address) -> Endpoint,
    router: Box<dyn Fn(RobotId, CancellationToken) -> Router + Send + Sync>,
}

impl OwnPorts {
    /// `router` is what a robot's port serves, whose clients go when the token is cancelled that it is given, a child of `stop`.
    pub(crate) fn new(
        dialect: &'static str,
        context: BuildContext,
        stop: CancellationToken,
        endpoint: fn(&RobotId, &Address) -> Endpoint,
        router: impl Fn(RobotId, CancellationToken) -> Router + Send + Sync + 'static,
    ) -> Self {
        Self { dialect, context, stop, endpoint, router: Box::new(router) }
    }

    /// Whose robots they are.
    pub fn dialect(&self) -> &'static str {
        self.dialect
    }

    /// Binds the port of an entry of the dialect's list.
    pub async fn bind(&self, number: usize, serve: &Serve) -> Result<Unit, BuildError> {
        let Serve { robot, listen, allow_origins } = serve;
        let table = format!("{}.{}[{number}]", self.dialect, UnitList::Serve.name());
        let stop = self.stop.child_token();
        let router = (self.router)(robot.clone(), stop.clone());
        let port = ServedPort::bind(&table, *listen, allow_origins, &self.context, router).await?;
        let endpoint = (self.endpoint)(robot, port.address());
        let (list, listen) = (UnitList::Serve, Some(*listen));
        let key = UnitKey { dialect: self.dialect, list, robot: robot.clone(), listen };
        Ok(Unit { key, endpoint: Some(endpoint), service: Box::new(OwnPort { port, stop }) })
    }
}

impl fmt::Debug for OwnPorts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnPorts").field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

/// A robot's own port, and what tells its clients to stop.
struct OwnPort {
    port: ServedPort,
    stop: CancellationToken,
}

impl Service for OwnPort {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let Self { port, stop } = *self;
            let ends = async {
                shutdown.cancelled().await;
                stop.cancel();
            };
            tokio::join!(port.serve(stop.clone()), ends);
        })
    }
}

/// A port, bound and not yet serving. No request reaches its router unguarded.
pub(crate) struct ServedPort {
    port: HttpPort,
    address: Address,
    router: Router,
}

impl ServedPort {
    /// Takes the port that the table `table` of the config names, e.g. `name.serve[0]`.
    pub(crate) async fn bind(
        table: &str,
        listen: SocketAddr,
        allow_origins: &[String],
        context: &BuildContext,
        router: Router,
    ) -> Result<Self, BuildError> {
        let key = |name: &str| format!("{table}.{name}");
        let allowed = AllowedOrigin::parse_all(allow_origins)
            .map_err(|(at, error)| BuildError::Other(format!("{}[{at}]: {error}", key("allow_origins"))))?;
        let port = HttpPort::bind(listen, &key("listen"), MAX_CONNECTIONS, &context.ports).await?;
        let address = port.address().unwrap_or(listen);
        let guard = Guard::new(address.ip(), context.ports.policy.names())
            .allow_origins(key("allow_origins"), allowed);
        let address = context.ports.policy.address(address);
        Ok(Self { port, address, router: router.layer(middleware::from_fn_with_state(guard, pass)) })
    }

    /// Where it really listens, and whether clients have to speak TLS there.
    pub(crate) fn address(&self) -> &Address {
        &self.address
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

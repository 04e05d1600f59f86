//! Services: calls with an answer, each over a connection between the two nodes.
//!
//! ```text
//!  caller ──lookupService──▶ master
//!    └─────header, request──▶ accept ──▶ answer (a task for each connection) ──▶ ok and response, or why not
//! ```

mod answer;
mod call;
mod loggers;

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

pub(super) use self::answer::answer;
pub use self::call::ServiceError;
pub(super) use self::call::call;
pub(super) use self::loggers::offer as offer_loggers;
use super::shared::Shared;
use crate::message::ServiceType;
use crate::tcpros::Header;
use crate::xmlrpc::shortened;

type Answer = Box<dyn Fn(Bytes) -> BoxFuture<'static, Result<Bytes, String>> + Send + Sync>;

/// A service that is offered.
pub(super) struct Service {
    /// Tells it from an earlier one of the same name.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// What it is asked and answers.
    pub service_type: Arc<ServiceType>,
    /// It is withdrawn.
    pub closed: CancellationToken,
    answer: Answer,
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("id", &self.id).field("name", &self.name).finish_non_exhaustive()
    }
}

impl Service {
    pub(super) fn new<Q, R, F, A>(id: u64, name: String, service_type: Arc<ServiceType>, answer: F) -> Self
    where
        Q: DeserializeOwned + Send,
        R: Serialize + Send,
        F: Fn(Q) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, String>> + Send + 'static,
    {
        let types = service_type.clone();
        let answer = move |request: Bytes| {
            let types = types.clone();
            let asked = types.request().decode(&request).map(&answer).map_err(|error| error.to_string());
            let answered = async move {
                let response = asked?.await?;
                types.response().encode(&response).map_err(|error| error.to_string())
            };
            answered.boxed()
        };
        Self { id, name, service_type, closed: CancellationToken::new(), answer: Box::new(answer) }
    }

    /// What is answered to a caller's header, or why it is refused, in rospy's words.
    pub(super) fn welcome(&self, asked: &Header, node: &str) -> Result<Header, String> {
        let own = &self.service_type;
        let md5 = asked.get("md5sum").ok_or("Missing required 'md5sum' field")?;
        if md5 != "*" && md5 != own.md5() {
            return Err(format!("md5sums do not match: [{}] vs. [{}]", shortened(md5), own.md5()));
        }
        let header = Header::default().with("callerid", node).with("md5sum", own.md5());
        Ok(header
            .with("service", &self.name)
            .with("type", own.type_name())
            .with("request_type", own.request().type_name())
            .with("response_type", own.response().type_name()))
    }
}

/// A service that is offered; dropped, it is withdrawn.
#[derive(Debug)]
pub struct ServiceServer {
    service: Arc<Service>,
    shared: Arc<Shared>,
}

impl ServiceServer {
    pub(super) fn new(service: Arc<Service>, shared: Arc<Shared>) -> Self {
        Self { service, shared }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.service.name
    }
}

impl Drop for ServiceServer {
    fn drop(&mut self) {
        self.shared.topics().services.remove(&self.service.name);
        self.service.closed.cancel();
        self.shared.changed.notify_one();
    }
}

//! A client of HTTP, plain or by TLS. It follows no redirect and knows no proxy: robots and gateways are reached directly.

use std::io::{Error, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use http::uri::{InvalidUri, Scheme};
use http::{HeaderValue, Method, Request, Response, Uri};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use tokio::time::timeout;
use tower_service::Service;

use super::Trust;
use crate::Stream;
use crate::stream::WhyBroken;

/// What may not stand in an address as it is, beside what is not ASCII.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A client of HTTP; cheap to clone.
#[derive(Clone, Debug)]
pub struct Http {
    client: Client<Connector, Full<Bytes>>,
    trust: Trust,
    broke: WhyBroken,
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// It was connected, and no answer came in time.
    #[error("no answer within {0:?}")]
    TimedOut(Duration),
    /// There is no connection, or it broke.
    #[error("{0}")]
    Unreachable(String),
    /// TLS went wrong; with what to do.
    #[error("{0}")]
    Tls(String),
    /// The answer is longer than it may be.
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
    /// It is somewhere else.
    #[error("it says that it is at {0}; write that address")]
    Elsewhere(String),
}

impl Http {
    /// A client that connects within this time, and keeps an idle connection for another one.
    pub fn new(trust: &Trust, connect_within: Duration, idle: Duration) -> Self {
        let broke = WhyBroken::default();
        let connector = Connector { trust: trust.clone(), within: connect_within, broke: broke.clone() };
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(idle)
            // Some servers of robots know headers by the capitals that they have in most documents.
            .http1_title_case_headers(true)
            .build(connector);
        Self { client, trust: trust.clone(), broke }
    }

    /// Sends a request and waits for all of its answer, of at most so many bytes.
    pub async fn send(
        &self,
        mut request: Request<Bytes>,
        within: Duration,
        most: usize,
    ) -> Result<Response<Bytes>, HttpError> {
        let any = HeaderValue::from_static("*/*");
        request.headers_mut().entry(ACCEPT).or_insert(any);
        let exchange = async {
            let answer = self.client.request(request.map(Full::new)).await;
            let (head, body) = answer.map_err(|error| self.unreachable(&error))?.into_parts();
            let location = head.headers.get(LOCATION).filter(|_| head.status.is_redirection());
            if let Some(location) = location {
                return Err(HttpError::Elsewhere(String::from_utf8_lossy(location.as_bytes()).into_owned()));
            }
            let body = Limited::new(body, most).collect().await.map_err(|error| {
                match error.is::<LengthLimitError>() {
                    true => HttpError::TooLong(most),
                    false => self.unreachable(error.as_ref()),
                }
            })?;
            Ok(Response::from_parts(head, body.to_bytes()))
        };
        timeout(within, exchange).await.unwrap_or(Err(HttpError::TimedOut(within)))
    }

    fn unreachable(&self, error: &(dyn std::error::Error + 'static)) -> HttpError {
        let broke = || self.broke.take().and_then(|error| self.trust.explain_tls(&error));
        match self.trust.explain_tls(error).or_else(broke) {
            Some(reason) => HttpError::Tls(reason),
            None => HttpError::Unreachable(self.trust.explain(error)),
        }
    }

    /// A request without a body; what may not stand in an address, such as a space, is escaped.
    pub fn request(method: Method, address: &str) -> Result<Request<Bytes>, HttpError> {
        let wrong = |error: &str| HttpError::Unreachable(format!("{address:?} is no address: {error}"));
        // What follows the fragment's sign is the client's own.
        let (sent, _) = address.split_once('#').unwrap_or((address, ""));
        let escaped = utf8_percent_encode(sent, ESCAPED).to_string();
        let uri: Uri = escaped.parse().map_err(|error: InvalidUri| wrong(&error.to_string()))?;
        if uri.scheme().is_none() {
            return Err(wrong("it names no scheme, such as http://"));
        }
        let mut request = Request::new(Bytes::new());
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        Ok(request)
    }

    /// The same with a body in JSON.
    pub fn json(method: Method, address: &str, body: impl Into<Bytes>) -> Result<Request<Bytes>, HttpError> {
        let mut request = Self::request(method, address)?;
        *request.body_mut() = body.into();
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(request)
    }
}

/// Connects to where an address says.
#[derive(Clone, Debug)]
struct Connector {
    trust: Trust,
    within: Duration,
    broke: WhyBroken,
}

impl Service<Uri> for Connector {
    type Response = TokioIo<Stream>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let Self { trust, within, broke } = self.clone();
        Box::pin(async move {
            let is_tls = uri.scheme() == Some(&Scheme::HTTPS);
            let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
            let connecting = trust.connect(uri.host().unwrap_or_default(), port, is_tls);
            let late = |_| Error::new(ErrorKind::TimedOut, format!("no connection within {within:?}"));
            // What is known is of one before.
            broke.take();
            let mut stream = timeout(within, connecting).await.map_err(late)??;
            stream.tell(broke);
            Ok(TokioIo::new(stream))
        })
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

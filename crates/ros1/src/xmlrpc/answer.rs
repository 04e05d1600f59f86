//! One request and what is answered.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use latimer_http_guard::Guard;
use latimer_panics::Panic;
use tokio::sync::Semaphore;

use super::body::{self, FAULT, Held, Refusal, SMALL};
use super::offload::offload;
use super::{Fault, Handler, Value, multicall, read_call, size_of, write_answer, write_fault};

/// What is said where something else than a call of XML-RPC comes; browsers cannot send its type unasked.
const TYPE: &str = "send calls of XML-RPC, with the header Content-Type: text/xml\n";

/// What a connection answers by.
#[derive(Clone)]
pub(super) struct Answerer {
    pub(super) handler: Arc<dyn Handler>,
    pub(super) guard: Guard,
    /// For long calls and answers.
    pub(super) room: Arc<Semaphore>,
    pub(super) peer: SocketAddr,
}

impl Answerer {
    /// Answers a request, whatever its path is.
    pub(super) async fn answer(self, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        let peer = self.peer;
        if let Err(refusal) = self.guard.check_program(request.headers()) {
            if let Some(count) = self.guard.count_refusal() {
                tracing::warn!(%peer, %refusal, count, "an XML-RPC call is refused");
            }
            return Ok(plain(StatusCode::FORBIDDEN, format!("{refusal}\n")));
        }
        if request.method() != Method::POST {
            let text = "this is a port for ROS's XML-RPC calls, which are sent by POST\n";
            let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, text);
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
            return Ok(response);
        }
        let answered = match is_xml(request.headers()) {
            true => self.call(request.into_body()).await,
            false => Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, TYPE)),
        };
        Ok(answered.unwrap_or_else(|(status, text)| {
            tracing::debug!(%peer, %status, "an XML-RPC call was not answered");
            plain(status, text)
        }))
    }

    async fn call(self, body: Incoming) -> Result<Response<Body>, Refusal> {
        let Self { handler, guard: _, room, peer } = self;
        let held = body::read(body, &room).await?;
        let long = held.bytes.len() > SMALL;
        let read = offload("reading an XML-RPC call", long, move || read_call(&held.bytes)).await;
        let answer = match read.map_err(|panic| fault(peer, &panic))? {
            Ok((method, params)) if method == multicall::METHOD => {
                multicall::call(handler.as_ref(), params, peer).await
            }
            Ok((method, params)) => handler.call(&method, params, peer).await,
            Err(error) => {
                tracing::debug!(%peer, %error, "a call that is none");
                Err(Fault::new(1, error.to_string()))
            }
        };
        let size = answer.as_ref().map_or(0, size_of);
        // While the text is made, it is there twice.
        let working = body::take(&room, size.saturating_mul(2))?;
        let bytes = offload("writing an XML-RPC answer", size > SMALL, move || written(answer)).await;
        let bytes = bytes.map_err(|panic| fault(peer, &panic))?;
        drop(working);
        let kept = body::take(&room, bytes.len())?;
        let body = Body::from(Bytes::from_owner(Held { bytes, room: kept }));
        let mut response = Response::new(body);
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/xml"));
        Ok(response)
    }
}

/// What becomes of a call that its parser or writer panics at.
fn fault(peer: SocketAddr, panic: &Panic) -> Refusal {
    tracing::error!(%peer, %panic, "an XML-RPC call was not answered");
    FAULT
}

/// Whether a request says that it is XML, with parameters or without.
fn is_xml(headers: &HeaderMap) -> bool {
    let media = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    media.split(';').next().is_some_and(|media| media.trim().eq_ignore_ascii_case("text/xml"))
}

fn written(answer: Result<Value, Fault>) -> Vec<u8> {
    let unwritable = || Fault::new(1, "the answer has a value that XML cannot carry".into());
    let text = match answer {
        Ok(value) => write_answer(value).unwrap_or_else(|| write_fault(unwritable())),
        Err(fault) => write_fault(fault),
    };
    text.into_bytes()
}

fn plain(status: StatusCode, text: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}

//! One request and what is answered.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use tokio::sync::Semaphore;

use super::aside::aside;
use super::body::{self, BUSY, Held, Refusal, SMALL};
use super::{Fault, Handler, Value, multicall, read_call, size_of, write_answer, write_fault};

/// Answers a request, whatever its path is.
pub(super) async fn answer(
    request: Request<Incoming>,
    handler: Arc<dyn Handler>,
    room: Arc<Semaphore>,
    peer: SocketAddr,
) -> Result<Response<Body>, Infallible> {
    if request.method() != Method::POST {
        let text = "this is a port for ROS's XML-RPC calls, which are sent by POST\n";
        let mut response = plain((StatusCode::METHOD_NOT_ALLOWED, text));
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        return Ok(response);
    }
    let answered = match body::read(request.into_body(), &room).await {
        Ok(held) => respond(held, handler, room, peer).await,
        Err(refusal) => Err(refusal),
    };
    Ok(answered.unwrap_or_else(|refusal| {
        tracing::debug!(%peer, status = %refusal.0, "an XML-RPC call was not answered");
        plain(refusal)
    }))
}

async fn respond(
    held: Held,
    handler: Arc<dyn Handler>,
    room: Arc<Semaphore>,
    peer: SocketAddr,
) -> Result<Response<Body>, Refusal> {
    let long = held.bytes.len() > SMALL;
    let answer = match aside(long, move || read_call(&held.bytes)).await.map_err(|_| BUSY)? {
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
    let bytes = aside(size > SMALL, move || written(answer)).await.map_err(|_| BUSY)?;
    drop(working);
    let kept = body::take(&room, bytes.len())?;
    let body = Body::from(Bytes::from_owner(Held { bytes, room: kept }));
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/xml"));
    Ok(response)
}

fn written(answer: Result<Value, Fault>) -> Vec<u8> {
    let unwritable = || Fault::new(1, "the answer has a value that XML cannot carry".into());
    let text = match answer {
        Ok(value) => write_answer(value).unwrap_or_else(|| write_fault(unwritable())),
        Err(fault) => write_fault(fault),
    };
    text.into_bytes()
}

fn plain((status, text): Refusal) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}

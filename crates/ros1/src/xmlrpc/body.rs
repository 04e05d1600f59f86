//! The body of a request, in a bounded time and a bounded room.

use std::sync::Arc;

use axum::body::Body;
use futures_util::StreamExt;
use hyper::StatusCode;
use hyper::body::Incoming;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits::XMLRPC_BODY_TIMEOUT;

/// How long a body may be, bytes.
pub(super) const BODY_BYTES: usize = 4 << 20;
/// What is no longer than this takes no room: a few callers with large things to say keep no ordinary call from being made.
pub(super) const SMALL: usize = 64 << 10;
/// Why a request is not read: what HTTP calls it, and what to tell.
pub(super) type Refusal = (StatusCode, &'static str);

pub(super) const BUSY: Refusal =
    (StatusCode::SERVICE_UNAVAILABLE, "too many long calls are being answered; try again\n");
pub(super) const FAULT: Refusal = (
    StatusCode::INTERNAL_SERVER_ERROR,
    "the call meets a fault in the program that was called; other calls are answered\n",
);
const LONG: Refusal =
    (StatusCode::PAYLOAD_TOO_LARGE, "a call may have 4 MiB; send a large parameter tree in parts\n");
const SLOW: Refusal = (StatusCode::REQUEST_TIMEOUT, "the call did not come within 15 s\n");
const BROKEN: Refusal = (StatusCode::BAD_REQUEST, "the call ended before it was complete\n");

/// Bytes, and the room that they take of the server's.
pub(super) struct Held {
    pub(super) bytes: Vec<u8>,
    pub(super) room: Option<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// All of a body; its sender takes room by what it has sent, not by what it says that it will.
pub(super) async fn read(body: Incoming, room: &Arc<Semaphore>) -> Result<Held, Refusal> {
    timeout(XMLRPC_BODY_TIMEOUT, collect(body, room)).await.unwrap_or(Err(SLOW))
}

async fn collect(body: Incoming, room: &Arc<Semaphore>) -> Result<Held, Refusal> {
    let mut held = Held { bytes: Vec::new(), room: None };
    let mut chunks = Body::new(body).into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| BROKEN)?;
        if held.bytes.len() + chunk.len() > BODY_BYTES {
            return Err(LONG);
        }
        let length = held.bytes.len() + chunk.len();
        match &mut held.room {
            Some(room_so_far) => {
                if let Some(more) = claim(room, chunk.len())? {
                    room_so_far.merge(more);
                }
            }
            None => held.room = take(room, length)?,
        }
        held.bytes.extend_from_slice(&chunk);
    }
    Ok(held)
}

/// Takes room for that many bytes, if there is; a little takes none.
pub(super) fn take(room: &Arc<Semaphore>, bytes: usize) -> Result<Option<OwnedSemaphorePermit>, Refusal> {
    if bytes <= SMALL { Ok(None) } else { claim(room, bytes) }
}

fn claim(room: &Arc<Semaphore>, bytes: usize) -> Result<Option<OwnedSemaphorePermit>, Refusal> {
    let bytes = u32::try_from(bytes).map_err(|_| BUSY)?;
    room.clone().try_acquire_many_owned(bytes).map(Some).map_err(|_| BUSY)
}

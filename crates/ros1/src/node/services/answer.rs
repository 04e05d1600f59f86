//! A connection of who calls a service.

use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::StreamExt as _;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;
use tokio_util::codec::FramedRead;

use super::Service;
use crate::limits::{SERVICE_MAX_BYTES, SERVICE_TIMEOUT};
use crate::tcpros::{Frames, Header};

/// Answers requests until the caller leaves: one, unless its header says that it has more.
pub(in crate::node) async fn answer<R, W>(service: &Service, asked: &Header, from: R, mut to: W)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    // Who only looks whether there is such a service has read the header by now.
    if asked.get("probe") == Some("1") {
        return;
    }
    let stays = asked.get("persistent").is_some_and(|it| it == "1" || it.eq_ignore_ascii_case("true"));
    let mut requests = FramedRead::new(from, Frames::new(SERVICE_MAX_BYTES));
    loop {
        let request = tokio::select! {
            () = service.closed.cancelled() => return,
            request = next(&mut requests, stays) => request,
        };
        let answer = match request {
            Some(Ok(request)) => (service.answer)(request).await,
            // Too long, most likely; what comes after it cannot be read.
            Some(Err(error)) => {
                let _ = write(&mut to, &Err(error.to_string())).await;
                return;
            }
            None => return,
        };
        if !write(&mut to, &answer).await || !stays {
            return;
        }
    }
}

async fn next<R: AsyncRead + Unpin>(
    requests: &mut FramedRead<R, Frames>,
    stays: bool,
) -> Option<std::io::Result<Bytes>> {
    match stays {
        true => requests.next().await,
        false => timeout(SERVICE_TIMEOUT, requests.next()).await.ok()?,
    }
}

/// One byte for whether it went well, then the response, or why it did not.
async fn write<W: AsyncWrite + Unpin>(to: &mut W, answer: &Result<Bytes, String>) -> bool {
    let (ok, body) = match answer {
        Ok(response) => (1, &response[..]),
        Err(reason) => (0, reason.as_bytes()),
    };
    let Ok(length) = u32::try_from(body.len()) else { return false };
    let mut bytes = BytesMut::with_capacity(body.len() + 5);
    bytes.put_u8(ok);
    bytes.put_u32_le(length);
    bytes.extend_from_slice(body);
    matches!(timeout(SERVICE_TIMEOUT, to.write_all(&bytes)).await, Ok(Ok(())))
}

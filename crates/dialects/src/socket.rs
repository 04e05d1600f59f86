//! What all WebSockets have in common: how messages are taken and written, what waits to be written, and when a client is
//! let go.
//!
//! A client that does not read is dropped when one write takes too long; one that is silent is asked by a ping and
//! dropped when nothing comes. Neither costs another client anything.
//!
//! The library answers pings by itself, and keeps the answers while nothing can be written. So all that waits is written
//! before more is read, and the buffer is bounded to the largest message of the socket and a mebibyte more; a message
//! that is larger is left out, and the reader learns of it. What all of them have not read has a share of the gateway's memory:
//! while it is exceeded, those that do not read are dropped sooner.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use futures_util::{FutureExt, SinkExt, StreamExt};
use latimer_core::Clock;
use latimer_core::hub::{EndReason, Source};
use latimer_core::limits::UNREAD_TIMEOUT;
use latimer_core::memory::{Budget, Reservation, Share};
use latimer_core::sessions::ClientSession;
use latimer_listen::{Stream, Trust};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::{Error, UrlError};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use tokio_util::sync::CancellationToken;

use crate::limits::{
    CLIENT_SILENCE_TIMEOUT, CLOSE_TIMEOUT, EXCEEDED_UNREAD_TIMEOUT, LAST_WRITE_TIMEOUT, PING_INTERVAL,
};

/// A close frame holds at most so many bytes of reason.
const REASON_BYTES: usize = 123;

/// Room in a buffer beside the largest message: what was written before it and answers to pings.
const ROOM_BYTES: usize = 1 << 20;

/// Bytes of messages that are collected before they are written. The library's default is 128 KiB, and a buffer that has grown stays as it
/// is: of 4,000 clients that were behind once, half a gigabyte.
const WRITE_BUFFER_BYTES: usize = 4 << 10;

/// Messages that a client's queue keeps room for once it is written.
pub(crate) const KEPT_MESSAGES: usize = 16;

/// Read buffer of each client; a longer message makes it grow. Clients send a hundred bytes or two now and then;
/// the library's default takes 128 KiB for each of them.
const READ_BUFFER_BYTES: usize = 512;

/// What waits for a client, at most, where no message is larger than `largest` bytes.
const fn buffered(largest: usize) -> usize {
    largest.saturating_add(ROOM_BYTES)
}

/// A served socket, which is sent `largest` bytes at most in a message and may send `largest_read`.
pub fn served(upgrade: WebSocketUpgrade, largest: usize, largest_read: usize) -> WebSocketUpgrade {
    upgrade
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_write_buffer_size(buffered(largest))
        .read_buffer_size(READ_BUFFER_BYTES)
        .max_message_size(largest_read)
        .max_frame_size(largest_read)
}

/// A socket towards a robot or a gateway, which is sent `largest` bytes at most in a message and may send `largest_read`.
pub fn connected(largest: usize, largest_read: usize) -> WebSocketConfig {
    WebSocketConfig::default()
        .max_write_buffer_size(buffered(largest))
        .max_message_size(Some(largest_read))
        .max_frame_size(Some(largest_read))
}

/// A socket towards a robot or a gateway.
pub type Socket = WebSocketStream<Stream>;

/// Opens one, by TLS if its address begins with `wss://`.
pub async fn open(
    request: impl IntoClientRequest,
    trust: &Trust,
    config: WebSocketConfig,
) -> Result<Socket, Error> {
    let request = request.into_client_request()?;
    let (uri, no_host) = (request.uri(), || Error::Url(UrlError::NoHostName));
    let is_tls = uri.scheme_str() == Some("wss");
    let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
    let stream = trust.connect(uri.host().ok_or_else(no_host)?, port, is_tls).await?;
    Ok(client_async_with_config(request, stream, Some(config)).await?.0)
}

/// Why a connection is over.
pub(crate) enum Ended {
    /// It broke.
    Gone,
    /// The client closed it, and waits for our half of that.
    Closed,
    /// We close it, with a code and a reason for the client.
    Close(u16, String),
}

impl From<&EndReason> for Ended {
    fn from(reason: &EndReason) -> Self {
        Self::Close(close_code::POLICY, reason.to_string())
    }
}

/// What came from a client.
pub(crate) enum ClientFrame {
    /// A text, or bytes that are one.
    Text(Utf8Bytes),
    /// Bytes that are no text.
    NoText,
    /// A sign that it is there.
    Sign,
    /// Nothing more comes.
    Ended(Ended),
}

impl ClientFrame {
    /// Takes what a socket gave, of which a message may have so many bytes.
    pub(crate) fn of(message: Option<Result<Message, axum::Error>>, max_bytes: usize) -> Self {
        match message {
            None => Self::Ended(Ended::Gone),
            Some(Ok(Message::Close(_))) => Self::Ended(Ended::Closed),
            Some(Ok(Message::Text(text))) => Self::Text(text),
            Some(Ok(Message::Binary(bytes))) => Utf8Bytes::try_from(bytes).map_or(Self::NoText, Self::Text),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Self::Sign,
            Some(Err(error)) if error.to_string().to_ascii_lowercase().contains("too long") => {
                let reason = format!("a message may have {max_bytes} bytes at most");
                Self::Ended(Ended::Close(close_code::SIZE, reason))
            }
            Some(Err(_)) => Self::Ended(Ended::Gone),
        }
    }
}

/// Pings a client that sent nothing for a while, or drops it.
pub(crate) fn ask(silent: Duration, out: &mut Vec<Message>) -> Option<Ended> {
    if silent > CLIENT_SILENCE_TIMEOUT {
        return Some(Ended::Close(close_code::AWAY, "nothing was heard for a minute".into()));
    }
    out.push(Message::Ping(Vec::new().into()));
    None
}

/// What one peer has not read yet, in the memory of all.
pub struct PendingWrite {
    memory: Budget,
    peer: String,
    stop: CancellationToken,
}

impl PendingWrite {
    /// Of a peer, by the name that the log shall have, until `stop`.
    pub fn new(memory: &Budget, peer: impl fmt::Display, stop: &CancellationToken) -> Self {
        Self { memory: memory.clone(), peer: peer.to_string(), stop: stop.clone() }
    }

    /// Of the robot that is connected to, until its session ends.
    pub(crate) fn of(source: &Source) -> Self {
        Self::new(source.memory(), source.robot(), &CancellationToken::new())
    }

    /// Waits for a write of so many bytes as long as a peer may take to read; `None` if that was not enough.
    pub async fn written<T>(&self, bytes: usize, write: impl Future<Output = T>) -> Option<T> {
        let mut held = self.memory.hold(Share::Sockets);
        held.set(bytes as u64);
        let mut write = pin!(write);
        // Most writes are done at once. Timers of those that wait are on the heap, since every client has room for this future.
        if let Poll::Ready(written) = poll_fn(|context| Poll::Ready(write.as_mut().poll(context))).await {
            return Some(written);
        }
        let patience = Box::pin(self.patience(&held));
        tokio::select! {
            biased;
            written = write => Some(written),
            () = patience => None,
        }
    }

    /// Waits as long as a peer may take to read, which is short while the share of memory is exceeded, or for a moment once `stop` is
    /// cancelled.
    async fn patience(&self, held: &Reservation) {
        let exceeded = async {
            loop {
                tokio::time::sleep(EXCEEDED_UNREAD_TIMEOUT).await;
                if held.is_exceeded() {
                    return self.memory.refused(Share::Sockets, &self.peer);
                }
            }
        };
        tokio::select! {
            () = tokio::time::sleep(UNREAD_TIMEOUT) => {}
            () = exceeded => {}
            () = self.stop.cancelled() => tokio::time::sleep(LAST_WRITE_TIMEOUT).await,
        }
    }
}

/// Serves one client. A panic in it is logged, and ends this client's connection alone.
pub fn serve_one(client: impl Future<Output = ()>) -> impl Future<Output = ()> {
    latimer_panics::contain("serving a client", client).map(|served| {
        if let Err(panic) = served {
            tracing::error!(%panic, "the connection of a client is dropped");
        }
    })
}

/// The same for a client that is listed, until its session has ended.
pub fn serve_session(session: ClientSession, client: impl Future<Output = ()>) -> impl Future<Output = ()> {
    // On the heap before the future below is made: an async function would have room for all of it a second time.
    let client = serve_one(client);
    async move {
        tokio::select! {
            () = client => {}
            () = session.ended() => tracing::info!(
                ?session,
                "a connection is closed: an admin ended it, or its user, password, key, token or login is not valid any more"
            ),
        }
    }
}

/// A client at the other end of a served socket.
pub(crate) trait Client: Send {
    /// Largest message that is read, bytes.
    const MAX_MESSAGE_BYTES: usize;

    /// Takes a message; none is one that is no text.
    fn receive(&mut self, text: Option<&str>);

    /// Anything came, be it the answer to a ping.
    fn received(&mut self);

    /// It closes the connection, which did not break.
    fn leaves(&mut self) {}

    /// Waits for something to send and leaves it in [`Client::out`]; loses nothing if it is dropped while it waits.
    fn wait(&mut self) -> impl Future<Output = Option<Ended>> + Send;

    /// Frames to write at the next flush.
    fn out(&mut self) -> &mut Vec<Message>;
}

/// Serves a client until either side closes; the reason for the log, if it was not the client who ended it.
pub(crate) async fn run<C: Client>(
    socket: &mut WebSocket,
    client: &mut C,
    unread: &PendingWrite,
    clock: Clock,
) -> Option<String> {
    let mut received = clock.now();
    let mut ping = tokio::time::interval(PING_INTERVAL);
    ping.reset();
    // Once for all messages: each wait is entered in a list that all clients share.
    let mut stopped = pin!(unread.stop.cancelled());
    let over = loop {
        let over = tokio::select! {
            () = &mut stopped => Some(Ended::Close(close_code::AWAY, "the gateway stops".into())),
            message = socket.next() => {
                received = clock.now();
                client.received();
                match ClientFrame::of(message, C::MAX_MESSAGE_BYTES) {
                    ClientFrame::Text(text) => client.receive(Some(&text)),
                    ClientFrame::NoText => client.receive(None),
                    ClientFrame::Sign => {}
                    ClientFrame::Ended(over) => {
                        if matches!(over, Ended::Closed) {
                            client.leaves();
                        }
                        break over;
                    }
                }
                None
            }
            over = client.wait() => over,
            _ = ping.tick() => ask(clock.now().since(received), client.out()),
        };
        if let Err(over) = write(socket, client.out(), unread).await {
            break over;
        }
        if let Some(over) = over {
            break over;
        }
    };
    end(socket, over).await
}

/// Writes all frames, and answers to pings even if there is no frame, and flushes once.
pub(crate) async fn write(
    socket: &mut WebSocket,
    out: &mut Vec<Message>,
    unread: &PendingWrite,
) -> Result<(), Ended> {
    let bytes = out.iter().map(bytes_of).sum();
    let written = {
        // Pinned here, because an async function holds its argument twice.
        let all = pin!(async {
            for message in out.drain(..) {
                socket.feed(message).await?;
            }
            socket.flush().await
        });
        unread.written(bytes, all).await
    };
    out.shrink_to(KEPT_MESSAGES);
    match written {
        Some(Ok(())) => Ok(()),
        Some(Err(_)) => Err(Ended::Gone),
        None => Err(Ended::Close(close_code::POLICY, "the client reads too slowly".into())),
    }
}

fn bytes_of(message: &Message) -> usize {
    match message {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
        Message::Close(_) => REASON_BYTES,
    }
}

/// Ends a connection as the protocol has it; the reason for the log, if it was not the client who ended it.
pub(crate) async fn end(socket: &mut WebSocket, over: Ended) -> Option<String> {
    match over {
        Ended::Gone => None,
        // The answer was put in line when the close was read.
        Ended::Closed => {
            let _ = tokio::time::timeout(CLOSE_TIMEOUT, socket.flush()).await;
            None
        }
        Ended::Close(code, reason) => {
            let mut reported = reason.clone();
            while reported.len() > REASON_BYTES {
                reported.pop();
            }
            let frame = CloseFrame { code, reason: Utf8Bytes::from(reported) };
            let _ = tokio::time::timeout(CLOSE_TIMEOUT, socket.send(Message::Close(Some(frame)))).await;
            Some(reason)
        }
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::Timestamp;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_does_not_read_goes_sooner_while_memory_is_short() {
        let clock = Clock::starting_at(Timestamp::default());
        let memory = Budget::new(clock);
        memory.set_total(16 << 20);
        let limit = usize::try_from(memory.limit(Share::Sockets)).unwrap();
        let stop = CancellationToken::new();
        let unread = PendingWrite::new(&memory, "a", &stop);
        let after = async |bytes| {
            let before = clock.now();
            assert_eq!(unread.written(bytes, std::future::pending::<()>()).await, None);
            clock.now().since(before)
        };
        assert_eq!(after(limit).await, UNREAD_TIMEOUT);
        let (first, second) = tokio::join!(after(limit / 2), after(limit / 2 + 1));
        assert!(first.min(second) == EXCEEDED_UNREAD_TIMEOUT, "{first:?} {second:?}");
        let (slow, quick) = tokio::join!(after(limit + 1), unread.written(1, std::future::ready(7)));
        assert_eq!((slow, quick), (EXCEEDED_UNREAD_TIMEOUT, Some(7)), "a client that reads is served");
        let report = memory.report().find(|report| report.share == Share::Sockets).unwrap();
        assert!(report.used == 0 && report.refused >= 2, "{report:?}");
    }
}

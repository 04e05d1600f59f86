//! A stream over a WebSocket.

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use latimer_core::limits::UNREAD_TIMEOUT;
use latimer_core::{Clock, Timestamp};

use super::flow::{Ended, Gone, Outlet};
use super::piece::Piece;
use crate::limits::{WEBSOCKET_INCOMING_MAX_BYTES, WEBSOCKET_PING_INTERVAL, WEBSOCKET_SILENCE_TIMEOUT};
use latimer_wire::v1::{End, EndWhy, MAX_MESSAGE_BYTES};

/// Biggest message to a client, with what a batch of one has around it.
const LARGEST_BYTES: usize = MAX_MESSAGE_BYTES + 1024;

/// A WebSocket that carries a stream.
pub(super) struct Socket {
    out: SplitSink<WebSocket, Message>,
    incoming: SplitStream<WebSocket>,
    /// When the last message of the client was received, and when the next ping is due.
    alive: Option<(Timestamp, Timestamp)>,
}

impl Socket {
    /// Agrees to a WebSocket and hands it to `serve`.
    pub(super) fn upgrade<F>(
        upgrade: WebSocketUpgrade,
        serve: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let upgrade = latimer_dialects::socket::served(upgrade, LARGEST_BYTES, WEBSOCKET_INCOMING_MAX_BYTES);
        upgrade.on_upgrade(|socket| {
            let (out, incoming) = socket.split();
            serve(Self { out, incoming, alive: None })
        })
    }
}

impl Outlet for Socket {
    async fn serve(&mut self, clock: &Clock) -> Ended {
        let now = clock.now();
        let (received, ping_at) = self.alive.get_or_insert((now, now.after(WEBSOCKET_PING_INTERVAL)));
        loop {
            tokio::select! {
                biased;
                message = self.incoming.next() => match message {
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Ended::Well("the client went"),
                    Some(Ok(_)) => {
                        *received = clock.now();
                        // Answers to pings go out before more is read, or they would pile up.
                        if let Err(ended) = flushed(self.out.flush()).await {
                            return ended;
                        }
                    }
                },
                () = clock.sleep_until(*ping_at) => {
                    let now = clock.now();
                    if now.since(*received) > WEBSOCKET_SILENCE_TIMEOUT {
                        return Ended::Cut("the client is silent");
                    }
                    *ping_at = now.after(WEBSOCKET_PING_INTERVAL);
                    if let Err(ended) = flushed(self.out.send(Message::Ping(bytes::Bytes::new()))).await {
                        return ended;
                    }
                }
            }
        }
    }

    async fn send(&mut self, pieces: Vec<Piece>) -> Result<(), Gone> {
        for piece in pieces {
            self.out.feed(Message::Text(piece.text)).await.map_err(|_| Gone)?;
        }
        self.out.flush().await.map_err(|_| Gone)
    }

    async fn close(mut self, end: End) -> Result<(), Gone> {
        let code = match end.reason {
            EndWhy::Complete => close_code::NORMAL,
            EndWhy::TooSlow => close_code::POLICY,
            EndWhy::Stopping => close_code::AWAY,
        };
        let close = CloseFrame { code, reason: end.detail.clone().into() };
        self.out.feed(Message::Text(Piece::end(end).text)).await.map_err(|_| Gone)?;
        self.out.send(Message::Close(Some(close))).await.map_err(|_| Gone)?;
        // Reading until the client closes too, so that it gets all of it.
        while let Some(Ok(_)) = self.incoming.next().await {}
        Ok(())
    }
}

/// Waits until something is written, or until the client had its time to read.
async fn flushed(write: impl Future<Output = Result<(), axum::Error>>) -> Result<(), Ended> {
    match tokio::time::timeout(UNREAD_TIMEOUT, write).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Ended::Well("the client went")),
        Err(_) => Err(Ended::Cut("the client reads too slowly")),
    }
}

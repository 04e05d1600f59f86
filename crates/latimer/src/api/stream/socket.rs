//! A stream over a WebSocket.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use latimer_core::{Clock, Timestamp};

use super::flow::{Ended, Gone, Outlet};
use super::piece::Piece;
use crate::wire::v1::{End, EndWhy};

/// How often a client is asked whether it lives.
const PING_EVERY: Duration = Duration::from_secs(20);

/// How long a client may be silent.
const ALIVE_WITHIN: Duration = Duration::from_secs(60);

/// Biggest message from a client; it has nothing to say.
const MAX_INCOMING: usize = 4 << 10;

/// A WebSocket that carries a stream.
pub(super) struct Socket {
    out: SplitSink<WebSocket, Message>,
    incoming: SplitStream<WebSocket>,
    /// When the client was heard last, and when it will be asked; from the first look on.
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
        let upgrade = upgrade.read_buffer_size(MAX_INCOMING);
        let upgrade = upgrade.max_message_size(MAX_INCOMING).max_frame_size(MAX_INCOMING);
        upgrade.on_upgrade(|socket| {
            let (out, incoming) = socket.split();
            serve(Self { out, incoming, alive: None })
        })
    }
}

impl Outlet for Socket {
    async fn attend(&mut self, clock: &Clock) -> Ended {
        let now = clock.now();
        let (heard, ping_at) = self.alive.get_or_insert((now, now.after(PING_EVERY)));
        loop {
            tokio::select! {
                biased;
                message = self.incoming.next() => match message {
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Ended::Well("the client went"),
                    Some(Ok(_)) => *heard = clock.now(),
                },
                () = clock.sleep_until(*ping_at) => {
                    let now = clock.now();
                    if now.since(*heard) > ALIVE_WITHIN {
                        return Ended::Cut("the client is silent");
                    }
                    *ping_at = now.after(PING_EVERY);
                    // If it does not go out, the silence that follows tells.
                    if self.out.send(Message::Ping(bytes::Bytes::new())).await.is_err() {
                        return Ended::Well("the client went");
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

//! A WebSocket towards a robot or a bridge: connecting, reading, silence and writing.

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use latimer_core::hub::Source;
use latimer_core::model::Native;
use latimer_core::model::signal::Other;
use latimer_core::supervisor::{Reach, SessionEnd};
use latimer_core::{Clock, Timestamp, Update};
use latimer_listen::limits::CONNECT_TIMEOUT;
use latimer_listen::{Address, Trust};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::describe::Received;
use crate::limits::{PEER_PING_DELAY, PEER_SILENCE_TIMEOUT};
use crate::socket::{PendingWrite, Socket, open};

/// What a cheap attempt to connect finds.
pub(crate) const fn reach(accepts: bool) -> Option<Reach> {
    Some(if accepts { Reach::Accepts } else { Reach::Away })
}

/// Opens a socket to a path below an address.
pub(crate) async fn dial(
    (address, path): (&Address, &str),
    trust: &Trust,
    config: WebSocketConfig,
) -> Result<Socket, SessionEnd> {
    let url = address.ws(path);
    let request = url.as_str().into_client_request();
    let mut request = request.map_err(|error| SessionEnd::stop(format!("{url} is no address: {error}")))?;
    address.authorize(&mut request);
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, open(request, trust, config))
        .await
        .map_err(|_| SessionEnd::retry(format!("{url} did not answer in {} s", CONNECT_TIMEOUT.as_secs())))?;
    connected
        .map_err(|error| SessionEnd::retry(format!("cannot connect to {url}: {}", trust.explain(&error))))
}

/// One connection until it drops; each error ends the session.
pub(crate) struct Link {
    socket: Socket,
    clock: Clock,
    /// What it is connected to, for messages: `robot`, `bridge`.
    peer: &'static str,
    unread: PendingWrite,
    received: Timestamp,
    pings: bool,
}

impl Link {
    /// Connects to a path below an address.
    pub(crate) async fn connect(
        (address, path): (&Address, &str),
        trust: &Trust,
        config: WebSocketConfig,
        peer: &'static str,
        clock: Clock,
        source: &Source,
    ) -> Result<Self, SessionEnd> {
        let socket = dial((address, path), trust, config).await?;
        let unread = PendingWrite::of(source);
        Ok(Self { socket, clock, peer, unread, received: clock.now(), pings: false })
    }

    /// The next message, `None` if it is no text. What waits must be written before the next call: answers to pings, too.
    pub(crate) async fn receive(&mut self) -> Result<Option<Utf8Bytes>, SessionEnd> {
        let message = self.socket.next().await;
        self.received = self.clock.now();
        match message {
            Some(Ok(Message::Text(text))) => Ok(Some(text)),
            Some(Ok(Message::Close(_))) | None => {
                Err(SessionEnd::retry(format!("the {} closed the connection", self.peer)))
            }
            Some(Ok(_)) => Ok(None),
            Some(Err(error)) => Err(SessionEnd::retry(format!("the connection broke: {error}"))),
        }
    }

    /// Pings a peer that is quiet, and gives up on one that is silent.
    pub(crate) fn tick(&mut self, source: &Source) -> Result<(), SessionEnd> {
        source.refresh_link();
        let silent = self.clock.now().since(self.received);
        self.pings = silent > PEER_PING_DELAY;
        match silent > PEER_SILENCE_TIMEOUT {
            true => Err(SessionEnd::retry(format!("nothing was heard for {} s", silent.as_secs()))),
            false => Ok(()),
        }
    }

    /// Writes all that waits, and flushes once.
    pub(crate) async fn write(&mut self, out: &mut Vec<String>) -> Result<(), SessionEnd> {
        let ping = std::mem::take(&mut self.pings).then(|| Message::Ping(Bytes::new()));
        let frames = out.drain(..).map(Message::text).chain(ping).collect();
        write(&mut self.socket, frames, &self.unread, self.peer).await
    }
}

/// Writes frames, and answers to pings even if there is no frame, and flushes once.
pub(crate) async fn write(
    socket: &mut Socket,
    frames: Vec<Message>,
    unread: &PendingWrite,
    peer: &str,
) -> Result<(), SessionEnd> {
    let bytes = frames.iter().map(Message::len).sum();
    let all = async {
        for frame in frames {
            socket.feed(frame).await?;
        }
        socket.flush().await
    };
    match unread.written(bytes, all).await {
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => Err(SessionEnd::retry(format!("the connection broke: {error}"))),
        None => Err(SessionEnd::retry(format!("the {peer} takes no bytes"))),
    }
}

/// Publishes the signals of one message, each with the message as it came.
pub(crate) fn publish_received(
    source: &Source,
    signals: impl IntoIterator<Item = Received>,
    received: Timestamp,
    native: &Native,
) {
    for Received { part, stamp, signal } in signals {
        let (robot, native) = (source.robot().clone(), Some(native.clone()));
        source.publish(Update { robot, part, stamp, received, signal, native, provenance: None });
    }
}

/// Publishes a message that is not understood, as it came.
pub(crate) fn publish_unknown(source: &Source, received: Timestamp, native: Native) {
    let other = Other { topic: native.topic.clone() };
    let update = Update::now(source.robot(), received, other.into());
    source.publish(Update { native: Some(native), ..update });
}

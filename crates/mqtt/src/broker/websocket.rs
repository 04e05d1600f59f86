//! MQTT over WebSocket: the messages of a socket are the bytes of a connection.
//!
//! Pages of different makers use `/`, `/mqtt` and `/ws`; brokers take any path.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use latimer_http_guard::Guard;
use latimer_listen::limits::HANDSHAKE_TIMEOUT;
use latimer_listen::{Listener, Stream};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::{HeaderValue, StatusCode};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_util::sync::CancellationToken;

use super::connection::Server;

/// Bytes of the broker that travel as one message.
const CHUNK_BYTES: usize = 16 << 10;

/// Most bytes buffered for a page: a message, and answers to pings. A page that exceeds it is disconnected.
const BUFFERED_BYTES: usize = CHUNK_BYTES + (64 << 10);

/// Names of the protocol, the usual one first; the last is of version 3.1 and still asked for by old pages.
const PROTOCOLS: [&str; 2] = ["mqtt", "mqttv3.1"];

/// A bound listener.
pub(super) struct WebSockets {
    pub(super) listener: Listener,
    /// Checks origins.
    pub(super) guard: Guard,
    pub(super) server: Server,
}

impl WebSockets {
    /// Serves until `shutdown`.
    pub(super) async fn run(self, shutdown: CancellationToken) {
        let Self { listener, guard, server } = self;
        let serve = move |socket, peer| serve(socket, peer, guard.clone(), server.clone());
        listener.serve(shutdown, serve).await;
    }
}

async fn serve(socket: Stream, peer: SocketAddr, guard: Guard, server: Server) {
    let max_bytes = server.router.limits.max_packet_bytes;
    let limits = WebSocketConfig::default()
        .write_buffer_size(CHUNK_BYTES)
        .max_write_buffer_size(BUFFERED_BYTES)
        .max_message_size(Some(max_bytes))
        .max_frame_size(Some(max_bytes));
    let accept = tokio_tungstenite::accept_hdr_async_with_config(socket, Handshake(guard), Some(limits));
    let Ok(Ok(page)) = tokio::time::timeout(HANDSHAKE_TIMEOUT, accept).await else { return };
    let (within, broker) = duplex(CHUNK_BYTES);
    let (from_broker, to_broker) = split(within);
    let (to_page, from_page) = page.split();
    let relayed = async {
        tokio::select! {
            () = bring(from_page, to_broker) => {}
            () = fetch(from_broker, to_page) => {}
        }
    };
    tokio::join!(Box::pin(server.serve(broker, peer)), relayed);
}

/// From the page to the broker, until either ends or the page sends what MQTT forbids.
async fn bring(
    mut page: futures_util::stream::SplitStream<WebSocketStream<Stream>>,
    mut broker: WriteHalf<DuplexStream>,
) {
    while let Some(Ok(message)) = page.next().await {
        match message {
            Message::Binary(bytes) => {
                if broker.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Message::Text(_) | Message::Close(_) => return,
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
    }
}

/// From the broker to the page, until either ends.
async fn fetch(
    mut broker: ReadHalf<DuplexStream>,
    mut page: futures_util::stream::SplitSink<WebSocketStream<Stream>, Message>,
) {
    let mut chunk = vec![0; CHUNK_BYTES];
    while let Ok(count @ 1..) = broker.read(&mut chunk).await {
        let Some(bytes) = chunk.get(..count) else { break };
        if page.send(Message::binary(bytes.to_vec())).await.is_err() {
            return;
        }
    }
    // The close frame reports that the broker ended the connection.
    let _ = page.close().await;
}

/// Refuses foreign pages, and agrees to the first of [`PROTOCOLS`] that is asked for; a client that asks for none is let in,
/// too.
struct Handshake(Guard);

impl Callback for Handshake {
    fn on_request(self, request: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
        let Self(guard) = self;
        match guard.check(request.headers()) {
            Ok(allowed) => allowed.write(response.headers_mut()),
            Err(refusal) => {
                if let Some(count) = guard.count_refusal() {
                    tracing::warn!(%refusal, count, "a WebSocket to the broker is refused");
                }
                let mut answer = ErrorResponse::new(Some(format!("{refusal}\n")));
                *answer.status_mut() = StatusCode::FORBIDDEN;
                return Err(answer);
            }
        }
        let asked = request.headers().get_all("Sec-WebSocket-Protocol");
        let asked: Vec<&str> = asked
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .collect();
        if let Some(agreed) = PROTOCOLS.into_iter().find(|protocol| asked.contains(protocol)) {
            response.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_static(agreed));
        }
        Ok(response)
    }
}

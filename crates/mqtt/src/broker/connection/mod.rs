//! One client's connection: CONNECT, then packets both ways until either side ends it.
//!
//! ```text
//!  socket ──reads()──▶ Decoder ──▶ Router ──▶ answers, messages ──writes()──▶ socket
//!  └──────────── all clients in turn ──────────┘           └─────── a task of its own ───────┘
//! ```
//!
//! What clients send is handled in the order in which it comes ([`Turns`]).
//!
//! A client that reads slowly delays nobody: what it does not read waits in its [`Outbound`](super::outbound::Outbound), which is
//! bounded, and it is read from no more while its answers wait. Who publishes more than `max_rate` is read more slowly.

mod client;
mod turns;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::BytesMut;
use latimer_core::access::Caller;
use latimer_core::sessions::{ClientSession, Sessions};
use latimer_listen::limits::HANDSHAKE_TIMEOUT;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use client::Client;
pub(super) use turns::Turns;

use super::authenticator::{Authenticator, Identity};
use super::router::{Entered, Router};
use super::session::{Connection, SessionKey};
use super::wire::{Connect, DecodeError, Decoder, Packet, Reason, Version, encode};
use crate::limits::{DISCONNECT_READ_TIMEOUT, REFUSAL_READ_TIMEOUT};

/// Bytes that are written at a time.
const WRITTEN_BYTES: usize = 64 << 10;

/// Topics for which a client of MQTT 5 may have an alias, as at mosquitto.
const ALIASES: u16 = 10;

/// What serves connections.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) router: Arc<Router>,
    pub(super) authenticator: Arc<Authenticator>,
    pub(super) sessions: Sessions,
    pub(super) turns: Turns,
}

/// How a connection ended.
struct Ended {
    /// The reason of DISCONNECT, if the broker ends the connection.
    tell: Option<Reason>,
    publishes_will: bool,
    expiry_s: Option<u32>,
}

impl Ended {
    const fn lost() -> Self {
        Self { tell: None, publishes_will: true, expiry_s: None }
    }

    const fn by(reason: Reason) -> Self {
        Self { tell: Some(reason), ..Self::lost() }
    }
}

impl From<DecodeError> for Ended {
    fn from(error: DecodeError) -> Self {
        Self::by(error.reason)
    }
}

/// Removes a connection that ends, however that is.
struct Leaves {
    router: Arc<Router>,
    session: SessionKey,
    number: u64,
    ended: Ended,
}

impl Drop for Leaves {
    fn drop(&mut self) {
        let Ended { publishes_will, expiry_s, .. } = self.ended;
        self.router.disconnected(self.session, self.number, publishes_will, expiry_s);
    }
}

impl Server {
    /// Serves a connection to its end.
    pub(super) async fn serve(
        self,
        mut stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: SocketAddr,
    ) {
        let mut decoder = Decoder::new(self.router.limits.max_packet_bytes);
        let mut buffer = BytesMut::new();
        let first = timeout(HANDSHAKE_TIMEOUT, first(&mut stream, &mut decoder, &mut buffer)).await;
        let connect = match first {
            Ok(Ok(Some(connect))) => connect,
            Ok(Err(error)) => {
                tracing::debug!(%peer, %error, "a client of the broker does not connect");
                // Before CONNECT is read no version is agreed on, and only its own is no protocol error.
                if error.reason == Reason::UNSUPPORTED_PROTOCOL_VERSION {
                    refuse(&mut stream, Version::V311, error.reason).await;
                }
                return;
            }
            Ok(Ok(None)) | Err(_) => return,
        };
        let version = connect.version;
        let client_id = match self.client_id(&connect) {
            Ok(client_id) => client_id,
            Err(reason) => return refuse(&mut stream, version, reason).await,
        };
        let entered = match self.authenticator.enter(&connect, peer.ip()).await {
            Ok(identity) => {
                self.router.connect(&connect, &client_id, &identity).map(|entered| (entered, identity))
            }
            Err(reason) => Err(reason),
        };
        let (Entered { session, connection, present }, identity) = match entered {
            Ok(entered) => entered,
            Err(reason) => {
                tracing::debug!(%peer, client = &*client_id, reason = reason.0, "a client of the broker is refused");
                return refuse(&mut stream, version, reason).await;
            }
        };
        // The gateway's own links are no clients.
        let listed = (!identity.is_own)
            .then(|| self.sessions.open("mqtt", peer, identity.caller()).called(client_id.clone()));
        let (router, number) = (self.router.clone(), connection.number);
        let mut leaves = Leaves { router: router.clone(), session, number, ended: Ended::lost() };
        let changes = identity.caller().map(Caller::changes);
        if present {
            // Its user may have had other roles when it was here last.
            self.withdraw(session, number, &identity, &client_id);
        }
        let granted = self.granted(&connect, &client_id);
        let (mut reader, mut writer) = split(stream);
        let turns = self.turns.clone();
        let own = connection.clone();
        let (accepted, is_accepted) = oneshot::channel();
        let read = turns.run(async move {
            // Here: what the client sends next is seen to come when it does.
            own.respond(|out| encode::accepted(out, version, present, &granted));
            let _ = accepted.send(());
            let mut client = Client {
                server: &self,
                identity: &identity,
                session,
                connection: &own,
                connect: &connect,
                client_id: client_id.clone(),
                aliases: Vec::new(),
            };
            leaves.ended = tokio::select! {
                // One that is over is answered no more.
                biased;
                reason = own.ended() => Ended::by(reason),
                () = ended(listed.as_ref()) => Ended::by(Reason::NOT_AUTHORIZED),
                () = self.withdrawn(changes, session, number, &identity, &client_id) => Ended::by(Reason::NOT_AUTHORIZED),
                ended = client.reads(&mut reader, &mut decoder, &mut buffer) => ended,
            };
            let tell = leaves.ended.tell;
            // The session is free before DISCONNECT is sent.
            drop((leaves, listed));
            (tell, reader, buffer)
        });
        let write = async {
            // CONNACK comes before what waits for the client.
            if is_accepted.await.is_ok() {
                writes(&router, session, &connection, &mut writer).await;
            }
        };
        let read = tokio::select! {
            biased;
            read = read => read,
            () = write => None,
        };
        let Some((tell, mut reader, mut buffer)) = read else { return };
        let mut goodbye = BytesMut::new();
        connection.take_responses(&mut goodbye);
        if let Some(reason) = tell {
            encode::disconnect(&mut goodbye, version, reason);
        }
        // What it sends meanwhile is read, since a socket that is closed with unread bytes takes back what was written.
        let farewell = async {
            if writer.write_all(&goodbye).await.is_ok() && writer.shutdown().await.is_ok() {
                buffer.clear();
                while matches!(reader.read_buf(&mut buffer).await, Ok(1..)) {
                    buffer.clear();
                }
            }
        };
        let _ = timeout(DISCONNECT_READ_TIMEOUT, farewell).await;
    }

    /// Waits until a client may not have something any more to which it subscribed, and takes that away. Its connection ends, so that it
    /// learns of it: what it asks for again is refused.
    async fn withdrawn(
        &self,
        changes: Option<watch::Receiver<()>>,
        session: SessionKey,
        number: u64,
        identity: &Identity,
        client_id: &str,
    ) {
        if let Some(mut changes) = changes {
            while changes.changed().await.is_ok() {
                if self.withdraw(session, number, identity, client_id) {
                    return;
                }
            }
        }
        std::future::pending().await
    }

    fn withdraw(&self, session: SessionKey, number: u64, identity: &Identity, client_id: &str) -> bool {
        let may = |filter: &str| self.authenticator.may_subscribe(identity, filter);
        let count = self.router.withdraw(session, number, may);
        if count > 0 {
            tracing::info!(
                client = client_id,
                count,
                "a client of the broker has lost subscriptions that its user may not have any more"
            );
        }
        count > 0
    }

    /// The identifier of a client, or one for a client that wants none.
    fn client_id(&self, connect: &Connect) -> Result<Arc<str>, Reason> {
        match connect.client_id.as_str() {
            "" if connect.version == Version::V31 => Err(Reason::CLIENT_IDENTIFIER_NOT_VALID),
            "" if connect.version == Version::V311 && !connect.clean_start => {
                Err(Reason::CLIENT_IDENTIFIER_NOT_VALID)
            }
            _ if connect.has_authentication_method => Err(Reason::BAD_AUTHENTICATION_METHOD),
            "" => Ok(format!("auto-{:032x}", rand::random::<u128>()).into()),
            id => Ok(id.into()),
        }
    }

    fn granted(&self, connect: &Connect, client_id: &Arc<str>) -> encode::Granted {
        let limits = &self.router.limits;
        let most_s = u32::try_from(limits.session_expiry_s).unwrap_or(u32::MAX);
        encode::Granted {
            session_expiry_s: (connect.session_expiry_s > most_s).then_some(most_s),
            receive_maximum: limits.max_inflight,
            max_packet_bytes: u32::try_from(limits.max_packet_bytes).unwrap_or(u32::MAX),
            topic_alias_maximum: ALIASES,
            client_id: connect.client_id.is_empty().then(|| client_id.to_string()),
        }
    }
}

/// Waits until a client may not be connected any more.
async fn ended(session: Option<&ClientSession>) {
    match session {
        Some(session) => session.ended().await,
        None => std::future::pending().await,
    }
}

/// Reads CONNECT; `None` if the client went away before.
async fn first(
    stream: &mut (impl AsyncRead + Unpin),
    decoder: &mut Decoder,
    buffer: &mut BytesMut,
) -> Result<Option<Box<Connect>>, DecodeError> {
    loop {
        match decoder.next(buffer)? {
            Some(Packet::Connect(connect)) => return Ok(Some(connect)),
            Some(_) => return Err(DecodeError::protocol("the first packet is not CONNECT")),
            None => {}
        }
        if !matches!(stream.read_buf(buffer).await, Ok(1..)) {
            return Ok(None);
        }
    }
}

async fn refuse(stream: &mut (impl AsyncWrite + Unpin), version: Version, reason: Reason) {
    let mut out = BytesMut::new();
    encode::refused(&mut out, version, reason);
    let refusal = async {
        if stream.write_all(&out).await.is_ok() {
            let _ = stream.shutdown().await;
        }
    };
    let _ = timeout(REFUSAL_READ_TIMEOUT, refusal).await;
}

/// Writes answers and messages until the client does not take them any more.
async fn writes(
    router: &Router,
    session: SessionKey,
    connection: &Connection,
    writer: &mut (impl AsyncWrite + Unpin),
) {
    let mut out = BytesMut::new();
    loop {
        let pings = connection.take_pings();
        connection.take_responses(&mut out);
        router.write(session, connection.number, &mut out, WRITTEN_BYTES);
        (0..pings).for_each(|_| encode::pong(&mut out));
        if out.is_empty() {
            connection.woken().await;
            continue;
        }
        if writer.write_all(&out).await.is_err() || writer.flush().await.is_err() {
            return;
        }
        router.counters.bytes_sent.fetch_add(out.len() as u64, Ordering::Relaxed);
        out.clear();
    }
}

//! MQTT over TLS: each connection is one to the broker within, byte for byte.
//!
//! The broker's library has a listener of its own, but there a slow handshake of one client blocks all others, and
//! certificates are read once.

use std::net::SocketAddr;
use std::time::Duration;

use latimer_listen::{Listener, Stream};
use tokio::io::{AsyncWriteExt, copy, split};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::authenticator::Origins;

/// How long a client may take to read that the broker ended the connection.
const FAREWELL: Duration = Duration::from_secs(1);

/// A bound listener.
pub(super) struct TlsPort {
    pub(super) listener: Listener,
    /// Where the broker within listens.
    pub(super) broker: SocketAddr,
    pub(super) origins: Origins,
}

impl TlsPort {
    /// Serves until `shutdown`.
    pub(super) async fn run(self, shutdown: CancellationToken) {
        let Self { listener, broker, origins } = self;
        listener.serve(shutdown, move |client, peer| serve(client, peer, broker, origins.clone())).await;
    }
}

async fn serve(client: Stream, peer: SocketAddr, broker: SocketAddr, origins: Origins) {
    // Who speaks no TLS has another port for that.
    let Stream::Tls(client) = client else { return };
    let Ok(mut within) = TcpStream::connect(broker).await else { return };
    let Ok(_from) = within.local_addr().map(|address| origins.note(address, peer.ip())) else { return };
    let _ = within.set_nodelay(true);
    let (mut from_client, mut to_client) = split(client);
    let (mut from_broker, mut to_broker) = within.split();
    // Either side ends it: a client whose cable is cut never closes its own.
    tokio::select! {
        _ = copy(&mut from_client, &mut to_broker) => {}
        _ = copy(&mut from_broker, &mut to_client) => {
            let _ = tokio::time::timeout(FAREWELL, to_client.shutdown()).await;
        }
    }
}

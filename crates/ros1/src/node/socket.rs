//! Options of a connection.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

/// No delay for small messages, and probes that find a peer whose machine is gone; rospy's and roscpp's figures.
pub(super) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let probes = TcpKeepalive::new()
        .with_time(Duration::from_secs(60))
        .with_interval(Duration::from_secs(10))
        .with_retries(9);
    SockRef::from(stream).set_tcp_keepalive(&probes)
}

/// Where a connection begins and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// Here.
    pub local: SocketAddr,
    /// There.
    pub peer: SocketAddr,
}

impl Ends {
    /// Of a connection that is open.
    pub(super) fn of(stream: &TcpStream) -> io::Result<Self> {
        Ok(Self { local: stream.local_addr()?, peer: stream.peer_addr()? })
    }
}

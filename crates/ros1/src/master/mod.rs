//! A master: who publishes and subscribes what, and a tree of parameters.

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// A master that holds its port.
#[derive(Debug)]
pub struct Master {
    listener: TcpListener,
    host: String,
}

impl Master {
    /// Binds; `host` is the name under which nodes are told to reach it.
    pub async fn bind(address: SocketAddr, host: impl Into<String>) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, host: host.into() })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What `ROS_MASTER_URI` is set to.
    pub fn uri(&self) -> io::Result<String> {
        Ok(format!("http://{}:{}", self.host, self.address()?.port()))
    }

    /// Serves until told to stop.
    pub async fn run(self, shutdown: CancellationToken) {
        shutdown.cancelled().await;
    }
}

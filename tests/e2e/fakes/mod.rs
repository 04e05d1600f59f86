//! Robots that nobody here controls: a model of a base, and a server or client for each dialect that speaks its words.
//!
//! | module | how the gateway reaches it |
//! |---|---|
//! | [`base`] | what all have in common: what moves it, which stops it takes, what it tells, and what it was told |
//! | [`misty`] | REST, and events over a WebSocket |
//! | [`chassis`] | REST, and topics over a WebSocket |
//! | [`miro`] | a node of ROS 1 at a master of its own |
//! | [`swarm`], [`household`] | messages at a broker |
//! | [`bridge`] | a rosbridge, whose base has a navigator |

pub(crate) mod base;
pub(crate) mod bridge;
pub(crate) mod chassis;
pub(crate) mod household;
pub(crate) mod miro;
pub(crate) mod misty;
pub(crate) mod swarm;

use std::sync::OnceLock;

use axum::Router;
use latimer_core::{Clock, Timestamp};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub(crate) use base::{Base, Faults, Told};

/// The moment now, by the one clock of all fakes and of what looks at them.
pub(crate) fn now() -> Timestamp {
    static CLOCK: OnceLock<Clock> = OnceLock::new();
    CLOCK.get_or_init(Clock::system).now()
}

/// A task that ends with what holds it.
#[derive(Debug)]
pub(crate) struct Running(JoinHandle<()>);

impl Running {
    /// Runs it from now on.
    pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(tokio::spawn(task))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Serves a router on a free port: `host:port`, and the server.
async fn serve(router: Router) -> (String, Running) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound port").to_string();
    let server = async move { axum::serve(listener, router).await.expect("it serves") };
    (address, Running::spawn(server))
}

//! A way to a server of this machine that breaks off on demand, which both ends learn, while the server goes on.

use latimer_core::BrokerAddress;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// Passes connections on to a port until it is dropped.
#[derive(Debug)]
pub struct Cable {
    port: u16,
    state: watch::Sender<State>,
    server: JoinHandle<()>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    is_plugged: bool,
    cuts: u64,
}

impl Cable {
    /// To a port of this machine.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let near = listener.local_addr().expect("a bound port").port();
        let (state, seen) = watch::channel(State { is_plugged: true, cuts: 0 });
        let server = tokio::spawn(async move {
            // Its connections end with it.
            let mut connections = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let State { is_plugged, cuts } = *seen.borrow();
                if is_plugged {
                    connections.spawn(pass_on(client, port, cuts, seen.clone()));
                }
            }
        });
        Self { port: near, state, server }
    }

    /// This end, for the client of a broker.
    pub fn address(&self) -> BrokerAddress {
        BrokerAddress::new("127.0.0.1", self.port)
    }

    /// Breaks all connections off; the next one goes through again.
    pub fn cut(&self) {
        self.state.send_modify(|state| state.cuts += 1);
    }

    /// Breaks all connections off, and new ones at once.
    pub fn pull(&self) {
        self.state.send_modify(|state| *state = State { is_plugged: false, cuts: state.cuts + 1 });
    }

    /// Lets connections through again.
    pub fn plug(&self) {
        self.state.send_modify(|state| state.is_plugged = true);
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn pass_on(mut client: TcpStream, port: u16, cuts: u64, mut state: watch::Receiver<State>) {
    let Ok(mut server) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    for stream in [&client, &server] {
        stream.set_nodelay(true).expect("a socket's option");
    }
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
        _ = state.wait_for(|state| state.cuts != cuts) => {}
    }
}

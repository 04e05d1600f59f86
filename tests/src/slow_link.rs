//! A cable to a robot: what is sent to the robot arrives late, and the cable can be cut and mended.

use std::time::Duration;

use latimer_core::{Clock, Timestamp};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};

/// Bytes that are read at once.
const CHUNK: usize = 16 << 10;
/// Chunks of a connection that are under way.
const UNDER_WAY: usize = 1 << 10;

/// Passes connections on to an address until it is dropped.
#[derive(Debug)]
pub struct SlowLink {
    address: String,
    whole: watch::Sender<bool>,
    server: JoinHandle<()>,
}

impl SlowLink {
    /// To `host:port`; each byte that goes there takes `late`, answers take nothing.
    pub async fn to(target: String, late: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port").to_string();
        let (whole, seen) = watch::channel(true);
        let server = tokio::spawn(async move {
            // Its connections end with it.
            let mut connections = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                connections.spawn(pass_on(client, target.clone(), late, seen.clone()));
            }
        });
        Self { address, whole, server }
    }

    /// `host:port` of this end.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// From now on nothing arrives on either side, which neither of them learns.
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    /// What was held back by the cut arrives.
    pub fn mend(&self) {
        self.whole.send_replace(true);
    }
}

impl Drop for SlowLink {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn pass_on(client: TcpStream, target: String, late: Duration, whole: watch::Receiver<bool>) {
    let Ok(robot) = TcpStream::connect(&target).await else { return };
    for stream in [&client, &robot] {
        stream.set_nodelay(true).expect("a socket's option");
    }
    let ((from_client, to_client), (from_robot, to_robot)) = (client.into_split(), robot.into_split());
    tokio::join!(
        one_way(from_client, to_robot, late, whole.clone()),
        one_way(from_robot, to_client, Duration::ZERO, whole)
    );
}

/// Ends, and closes its far end, when the near end is closed.
async fn one_way(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    late: Duration,
    mut whole: watch::Receiver<bool>,
) {
    let clock = Clock::system();
    let (sender, mut under_way) = mpsc::channel::<(Timestamp, Vec<u8>)>(UNDER_WAY);
    let reading = async move {
        let mut chunk = vec![0; CHUNK];
        while let Ok(length @ 1..) = from.read(&mut chunk).await {
            let bytes = chunk.get(..length).unwrap_or_default().to_vec();
            if sender.send((clock.now().after(late), bytes)).await.is_err() {
                return;
            }
        }
    };
    let writing = async move {
        while let Some((due, bytes)) = under_way.recv().await {
            clock.sleep_until(due).await;
            if whole.wait_for(|it| *it).await.is_err() || to.write_all(&bytes).await.is_err() {
                return;
            }
        }
        // A cut cable does not say that its other end is closed, either.
        let _ = whole.wait_for(|it| *it).await;
        let _ = to.shutdown().await;
    };
    tokio::join!(reading, writing);
}

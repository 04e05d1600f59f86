//! A well-behaved client that must not notice what others do.

use std::time::Duration;

use latimer_e2e::MistyClient;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Longest silence of an event that comes many times a second. Who is held up by a client that does not read is held up for as long as
/// the gateway waits for such a client, which is 10 s; a busy machine holds everybody up for less.
const SILENCE: Duration = Duration::from_secs(6);
/// Events that must still come when all is over.
const AFTERWARDS: usize = 10;

/// Reads IMU events, all of them, until it is stopped.
pub(crate) struct Watcher {
    stop: oneshot::Sender<()>,
    reading: JoinHandle<()>,
}

impl Watcher {
    /// Subscribes, and goes on reading in a task of its own.
    pub(crate) async fn begin(address: &str) -> Self {
        let mut client = MistyClient::connect(address).await;
        client.subscribe("IMU", "watcher", json!({"DebounceMs": 0})).await;
        client.event("watcher").await;
        let (stop, mut stopped) = oneshot::channel();
        let reading = tokio::spawn(async move {
            let (mut events, mut left) = (0, None);
            while left != Some(0) {
                let frame = tokio::select! {
                    _ = &mut stopped, if left.is_none() => {
                        left = Some(AFTERWARDS);
                        continue;
                    }
                    frame = tokio::time::timeout(SILENCE, client.frame()) => frame,
                };
                let frame =
                    frame.unwrap_or_else(|_| panic!("nothing came for {SILENCE:?} after {events} events"));
                let Value::Object(_) = frame["message"] else { panic!("events were lost: {frame}") };
                events += 1;
                left = left.map(|left| left - 1);
            }
        });
        Self { stop, reading }
    }

    /// Checks that events came all the time, and still come.
    pub(crate) async fn end(self) {
        let _ = self.stop.send(());
        self.reading.await.unwrap_or_else(|error| panic!("the watcher noticed: {error}"));
    }
}

//! Publishes a message each millisecond, as soon as there is a broker.

use std::time::Duration;

use latimer_core::{Clock, Timestamp};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::mqtt::Mqtt;

/// What all clients follow.
pub(super) const TOPIC: &str = "bench/reconnect";

/// Between two messages, and between two attempts to connect.
const PERIOD: Duration = Duration::from_millis(1);

/// It ends when this is dropped.
pub(super) struct Publisher {
    connected: watch::Receiver<Option<Timestamp>>,
    publishing: JoinHandle<()>,
}

impl Publisher {
    pub(super) fn start(clock: Clock, broker: String) -> Self {
        let (reports, connected) = watch::channel(None);
        let publishing = tokio::spawn(async move {
            loop {
                if let Ok(client) = Mqtt::connect(&broker, "publisher").await {
                    reports.send_replace(Some(clock.now()));
                    publish(client, clock).await;
                }
                clock.sleep(PERIOD).await;
            }
        });
        Self { connected, publishing }
    }

    /// Only connections from now on count.
    pub(super) fn forget(&mut self) {
        self.connected.mark_unchanged();
    }

    /// When it has connected again.
    pub(super) async fn connected(&mut self) -> anyhow::Result<Timestamp> {
        loop {
            self.connected.changed().await?;
            if let Some(at) = *self.connected.borrow_and_update() {
                return Ok(at);
            }
        }
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.publishing.abort();
    }
}

/// Until the connection drops.
async fn publish(mut client: Mqtt, clock: Clock) {
    let mut ticks = tokio::time::interval(PERIOD);
    loop {
        ticks.tick().await;
        let created = clock.now().as_nanos().to_string();
        if client.publish(TOPIC, created.as_bytes()).await.is_err() {
            return;
        }
    }
}

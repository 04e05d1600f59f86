//! Those who follow and watch: each a task that reads and counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use serde_json::json;
use tokio::task::JoinHandle;

use super::{VIDEO, WARM_UP};
use crate::websocket::WebSocket;

/// Where topics are.
pub(super) const PATH: &str = "/ws/v2/topics";
/// Receive buffer of the one who does not read.
const FROZEN_BUFFER: u32 = 4096;

/// What one reader counted so far.
#[derive(Debug, Default)]
pub(super) struct Count {
    pub(super) messages: AtomicU64,
    pub(super) bytes: AtomicU64,
}

impl Count {
    /// One message more.
    pub(super) fn note(&self, bytes: usize) {
        self.messages.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Messages and bytes.
    pub(super) fn read(&self) -> (u64, u64) {
        (self.messages.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }
}

/// Connections of dashboards and viewers.
pub(super) struct Audience {
    address: String,
    clock: Clock,
    pub(super) followers: Vec<Arc<Count>>,
    pub(super) viewers: Vec<Arc<Count>>,
    tasks: Vec<JoinHandle<()>>,
    frozen: Vec<WebSocket>,
}

impl Audience {
    pub(super) fn new(address: &str, clock: Clock) -> Self {
        let address = address.to_owned();
        Self {
            address,
            clock,
            followers: Vec::new(),
            viewers: Vec::new(),
            tasks: Vec::new(),
            frozen: Vec::new(),
        }
    }

    /// So many more who follow topics.
    pub(super) async fn follow(&mut self, count: usize, topics: &[&str]) -> anyhow::Result<()> {
        for _ in 0..count {
            let reader = self.reader(topics).await?;
            self.followers.push(reader);
        }
        self.clock.sleep(WARM_UP).await;
        Ok(())
    }

    /// So many more who watch the camera.
    pub(super) async fn watch(&mut self, count: usize) -> anyhow::Result<()> {
        for _ in 0..count {
            let reader = self.reader(&[VIDEO]).await?;
            self.viewers.push(reader);
        }
        self.clock.sleep(WARM_UP).await;
        Ok(())
    }

    /// One who watches the camera and never reads.
    pub(super) async fn freeze(&mut self) -> anyhow::Result<()> {
        let mut socket = WebSocket::connect(&self.address, PATH, Some(FROZEN_BUFFER)).await?;
        socket.send(&json!({"enable_topic": [VIDEO]}).to_string()).await?;
        self.frozen.push(socket);
        // Until its buffers are full; nothing tells from outside when they are.
        self.clock.sleep(Duration::from_secs(1)).await;
        Ok(())
    }

    async fn reader(&mut self, topics: &[&str]) -> anyhow::Result<Arc<Count>> {
        let mut socket = WebSocket::connect(&self.address, PATH, None).await?;
        socket.send(&json!({"enable_topic": topics}).to_string()).await?;
        let answer = socket.text().await.context("the answer")?;
        anyhow::ensure!(answer.contains("enabled_topics") && !answer.contains("error"), "{answer}");
        let count = Arc::new(Count::default());
        let counted = count.clone();
        self.tasks.push(tokio::spawn(async move {
            while let Ok(text) = socket.text().await {
                counted.note(text.len());
            }
        }));
        Ok(count)
    }
}

impl Drop for Audience {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

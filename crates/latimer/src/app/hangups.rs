//! SIGHUP, which asks a program to read its config again.

#[cfg(unix)]
#[cfg(unix)]
use futures_util::FutureExt;

use crate::limits::HANGUP_MERGE_TIME;

/// Signals that come within so long are one.
#[cfg(unix)]
/// Those that come from now on.
pub(super) struct Hangups(#[cfg(unix)] Option<tokio::signal::unix::Signal>);

impl Hangups {
    #[cfg(unix)]
    pub(super) fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let hangups = signal(SignalKind::hangup());
        Self(hangups.inspect_err(|error| tracing::warn!(%error, "cannot hear SIGHUP")).ok())
    }

    #[cfg(unix)]
    pub(super) async fn next(&mut self) {
        match &mut self.0 {
            Some(signal) => {
                signal.recv().await;
            }
            None => std::future::pending().await,
        }
    }

    /// Waits a little, and takes those that come meanwhile for the same.
    #[cfg(unix)]
    pub(super) async fn merge(&mut self) {
        tokio::time::sleep(HANGUP_MERGE_TIME).await;
        if let Some(signal) = &mut self.0 {
            let _ = signal.recv().now_or_never();
        }
    }

    #[cfg(not(unix))]
    pub(super) async fn merge(&mut self) {}

    #[cfg(not(unix))]
    pub(super) fn new() -> Self {
        Self()
    }

    #[cfg(not(unix))]
    pub(super) async fn next(&mut self) {
        std::future::pending().await
    }
}

//! What ends the program from outside: Ctrl-C, the system's request to stop, the time that was given.

use std::time::Duration;

use latimer_core::Clock;
use tokio_util::sync::CancellationToken;

/// Why the gateway is to stop.
async fn wanted(clock: Clock, after: Option<Duration>) -> &'static str {
    let time_is_up = async {
        match after {
            Some(after) => clock.sleep(after).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = interrupted() => "interrupted",
        () = terminated() => "asked to stop",
        () = time_is_up => "the time is up",
    }
}

/// Cancels `shutdown` when the gateway is to stop; a second Ctrl-C ends the process at once.
pub async fn watch(shutdown: CancellationToken, clock: Clock, after: Option<Duration>) {
    let why = wanted(clock, after).await;
    tracing::info!(why, "stopping");
    shutdown.cancel();
    interrupted().await;
    tracing::warn!("interrupted again: not waiting any longer");
    std::process::exit(130);
}

async fn interrupted() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!(%error, "cannot hear Ctrl-C");
        std::future::pending::<()>().await;
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            terminate.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, "cannot hear the system's request to stop");
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending::<()>().await;
}

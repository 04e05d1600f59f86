//! One client's socket.

use std::sync::Arc;

use axum::extract::ws::WebSocket;
use tokio_util::sync::CancellationToken;

use super::robot::FacadeRobot;

/// Largest message that is read at all, bytes; a larger one ends the connection.
pub(super) const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// Room for what a client sends at a time, bytes; larger messages make it grow.
pub(super) const READ_BUFFER_BYTES: usize = 4 * 1024;

/// Which words a client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// `/ws/topics`, as apps of 2022 use it.
    V1,
    /// `/ws/v2/topics`.
    V2,
}

/// Serves one client until either side closes.
pub(super) async fn serve(
    _socket: WebSocket,
    _robot: Arc<FacadeRobot>,
    _peer: String,
    _version: Version,
    _stop: CancellationToken,
) {
}

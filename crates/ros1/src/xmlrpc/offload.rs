//! Long work, where it keeps nobody waiting.

use tokio::task::JoinError;

/// Does work at once, or if it is long beside the other work.
pub(super) async fn offload<T: Send + 'static>(
    long: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    if long { tokio::task::spawn_blocking(work).await } else { Ok(work()) }
}

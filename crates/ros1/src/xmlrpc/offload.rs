//! Long work, where it keeps nobody waiting, and where a fault in it ends nothing else.

use latimer_panics::{Panic, blocking, catch};

/// Does work at once, or if it is long beside the other work.
pub(super) async fn offload<T: Send + 'static>(
    doing: &'static str,
    long: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Panic> {
    if long { blocking(doing, work).await } else { catch(doing, work) }
}

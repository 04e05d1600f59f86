//! What becomes of a panic, which is always a fault of this program: it is logged with its place and never ignored.
//!
//! | where | what happens |
//! |---|---|
//! | in a future that is [`contain`]ed: a session, one client's connection, a command on its way | that future ends with the [`Panic`]; its owner reconnects, disconnects or refuses |
//! | anywhere else, on any thread or task | [`watch`] is notified, and the gateway stops the robots and ends |

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;

use tokio_util::sync::CancellationToken;

thread_local! {
    /// Whether the thread polls a contained future now.
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
    /// The last panic of this thread, as the hook saw it.
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Panics since the program began.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A panic: what was said, and where in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The message.
    pub message: String,
    /// File, line and column; `None` unless [`watch`] was called.
    pub place: Option<String>,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a fault in this program: {}", self.message)?;
        self.place.as_ref().map_or(Ok(()), |place| write!(f, " ({place})"))
    }
}

impl Panic {
    fn of_payload(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().copied().map(str::to_owned);
        let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self { message: message.unwrap_or_else(|| "a panic without a message".to_owned()), place: None }
    }

    fn of_hook(info: &PanicHookInfo<'_>) -> Self {
        let place = info.location().map(ToString::to_string);
        let message = info.payload_as_str().unwrap_or("a panic without a message").to_owned();
        Self { message, place }
    }
}

/// Runs a future; a panic in it ends it alone.
pub fn contain<F: Future>(future: F) -> impl Future<Output = Result<F::Output, Panic>> {
    // An async function would hold its argument twice, and a thousand connections theirs.
    let mut future = Box::pin(future);
    std::future::poll_fn(move |context| {
        let outer = IS_CONTAINED.replace(true);
        // The future is not polled again after a panic, so its inconsistent state is never used.
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        IS_CONTAINED.set(outer);
        match polled {
            Ok(polled) => polled.map(Ok),
            Err(payload) => {
                Poll::Ready(Err(LAST.take().unwrap_or_else(|| Panic::of_payload(payload.as_ref()))))
            }
        }
    })
}

/// Logs and counts every panic of the process from now on; one that nothing contains cancels `fault`.
pub fn watch(fault: CancellationToken) {
    std::panic::set_hook(Box::new(move |info| {
        COUNT.fetch_add(1, Ordering::Relaxed);
        let panic = Panic::of_hook(info);
        let thread = std::thread::current();
        let (thread, place) = (thread.name().unwrap_or("?"), panic.place.as_deref().unwrap_or("?"));
        if IS_CONTAINED.get() {
            tracing::error!(message = %panic.message, place, thread, "a panic is contained");
            LAST.set(Some(panic));
        } else {
            tracing::error!(message = %panic.message, place, thread, "a panic; the gateway stops");
            fault.cancel();
        }
    }));
}

/// How many panics there were since [`watch`] was called.
pub fn count() -> u64 {
    COUNT.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_ends_what_contains_it_alone() {
        let fine = contain(async { tokio::task::yield_now().await }).await;
        assert_eq!(fine, Ok(()));
        let fault = contain(async {
            tokio::task::yield_now().await;
            panic!("no {}", "way");
        });
        assert_eq!(fault.await, Err(Panic { message: "no way".into(), place: None }));
    }

    #[tokio::test]
    async fn an_uncontained_panic_is_reported_with_its_place() {
        let fault = CancellationToken::new();
        watch(fault.clone());
        let before = count();
        let contained = contain(async { panic!("within") }).await;
        let place = contained.unwrap_err().place.unwrap();
        assert!(place.contains("panics.rs"), "{place}");
        assert!(!fault.is_cancelled());
        assert!(tokio::spawn(async { panic!("outside") }).await.is_err());
        assert!(fault.is_cancelled() && count() == before + 2);
        drop(std::panic::take_hook());
    }
}

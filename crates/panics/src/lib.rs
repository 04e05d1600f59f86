//! What becomes of a panic, which is always a fault of this program: it is logged with its place and never ignored.
//!
//! | where | what happens |
//! |---|---|
//! | in a future that is [`contain`]ed: a session, one client's connection, a command on its way | that future ends with the [`Panic`]; its owner reconnects, disconnects or refuses |
//! | in work on the blocking pool ([`blocking`]), or short work of the same kind ([`catch`]): a plan, a parser, a picture, a password | the work ends with the [`Panic`]; its caller answers and goes on |
//! | anywhere else, on any thread or task | [`watch`] is notified, and the gateway stops the robots and ends |

#[cfg(feature = "faults")]
mod faults;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;

#[cfg(feature = "faults")]
pub use faults::fail_next;
use tokio_util::sync::CancellationToken;

thread_local! {
    /// What this thread does now, if a panic in it is contained.
    static DOING: Cell<Option<&'static str>> = const { Cell::new(None) };
    /// The last panic of this thread, as the hook saw it.
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Panics since the program began.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A panic that was contained: what the program was doing, what was said, and where in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// What it was doing, such as `checking a password`.
    pub doing: &'static str,
    /// The message.
    pub message: String,
    /// File, line and column; `None` unless [`watch`] was called.
    pub place: Option<String>,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a fault in this program while {}: {}", self.doing, self.message)?;
        self.place.as_ref().map_or(Ok(()), |place| write!(f, " ({place})"))
    }
}

impl std::error::Error for Panic {}

impl Panic {
    fn of_payload(doing: &'static str, payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().copied().map(str::to_owned);
        let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let message = message.unwrap_or_else(|| "a panic without a message".to_owned());
        Self { doing, message, place: None }
    }
}

/// Runs a future; a panic in it ends it alone.
pub fn contain<F: Future>(doing: &'static str, future: F) -> impl Future<Output = Result<F::Output, Panic>> {
    // An async function would hold its argument twice, and a thousand connections theirs.
    let mut future = Box::pin(future);
    // The future is not polled again after a panic, so its inconsistent state is never used.
    std::future::poll_fn(move |context| match caught(doing, || future.as_mut().poll(context)) {
        Ok(polled) => polled.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
}

/// Does work that takes long on tokio's blocking pool; a panic in it ends it alone. What the work shares with others has to be whole at
/// each moment. It begins when this is awaited, and goes on though nobody waits for it any more.
pub async fn blocking<T: Send + 'static>(
    doing: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Panic> {
    let work = with_faults(doing, work);
    #[expect(clippy::disallowed_methods, reason = "the one place where work on the blocking pool begins")]
    let done = tokio::task::spawn_blocking(move || caught(doing, work));
    match done.await {
        Ok(done) => done,
        // The runtime ends, and with it whoever waits.
        Err(_) => std::future::pending().await,
    }
}

/// Does work at once; a panic in it ends it alone. What the work shares with others has to be whole at each moment.
pub fn catch<T>(doing: &'static str, work: impl FnOnce() -> T) -> Result<T, Panic> {
    caught(doing, with_faults(doing, work))
}

fn caught<T>(doing: &'static str, work: impl FnOnce() -> T) -> Result<T, Panic> {
    let outer = DOING.replace(Some(doing));
    let done = catch_unwind(AssertUnwindSafe(work));
    DOING.set(outer);
    done.map_err(|payload| LAST.take().unwrap_or_else(|| Panic::of_payload(doing, payload.as_ref())))
}

/// The work, or the panic that a test asked for.
#[cfg(feature = "faults")]
fn with_faults<T>(doing: &'static str, work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let fails = faults::is_next(doing);
    move || if fails { panic!("asked for by a test") } else { work() }
}

#[cfg(not(feature = "faults"))]
fn with_faults<W>(_: &'static str, work: W) -> W {
    work
}

/// Logs and counts every panic of the process from now on; one that nothing contains cancels `fault`.
pub fn watch(fault: CancellationToken) {
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        COUNT.fetch_add(1, Ordering::Relaxed);
        let message = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map(ToString::to_string);
        let thread = std::thread::current();
        let (thread, at) = (thread.name().unwrap_or("?"), place.as_deref().unwrap_or("?"));
        if let Some(doing) = DOING.get() {
            tracing::error!(message, place = at, thread, doing, "a panic is contained");
            LAST.set(Some(Panic { doing, message: message.to_owned(), place }));
        } else {
            tracing::error!(message, place = at, thread, "a panic; the gateway stops");
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
        let fine = contain("waiting", async { tokio::task::yield_now().await }).await;
        assert_eq!(fine, Ok(()));
        let fault = contain("waiting", async {
            tokio::task::yield_now().await;
            panic!("no {}", "way");
        });
        let known = |panic: Panic| (panic.doing, panic.message);
        assert_eq!(fault.await.map_err(known), Err(("waiting", "no way".to_owned())));
        let counted = || Err(("counting", "no way".to_owned()));
        assert_eq!(blocking("counting", || 1 + 1).await, Ok(2));
        let panicked = blocking("counting", || -> u32 { panic!("no way") }).await;
        assert_eq!(panicked.map_err(known), counted());
        assert_eq!(catch("counting", || 1 + 1), Ok(2));
        assert_eq!(catch("counting", || -> u32 { panic!("no way") }).map_err(known), counted());
    }

    #[tokio::test]
    async fn an_uncontained_panic_is_reported_with_its_place() {
        let fault = CancellationToken::new();
        watch(fault.clone());
        let before = count();
        let contained = contain("waiting", async { panic!("within") }).await;
        let place = contained.unwrap_err().place.unwrap();
        assert!(place.contains("lib.rs"), "{place}");
        let contained = blocking("counting", || panic!("within")).await.unwrap_err().to_string();
        assert!(
            contained.starts_with("a fault in this program while counting: within (crates"),
            "{contained}"
        );
        assert!(!fault.is_cancelled());
        assert!(tokio::spawn(async { panic!("outside") }).await.is_err());
        assert!(fault.is_cancelled() && count() >= before + 3);
        drop(std::panic::take_hook());
    }
}

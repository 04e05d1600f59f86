//! Whose turn it is: what clients send is handled in the order in which it comes, whichever connection it comes by.
//!
//! A program subscribes on one connection and publishes on another at once, and brokers of one thread let it. So all connections
//! are read in one task, which polls them in the order in which the kernel said that they can be read; what they are sent is
//! written by tasks of their own, on any core. Reading is the smaller part, and the router has one lock.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use latimer_panics::contain;
use tokio::sync::{mpsc, oneshot};
use tokio::task::unconstrained;

/// Runs futures in turn; ends with its last clone.
#[derive(Clone, Debug)]
pub(in crate::broker) struct Turns(mpsc::UnboundedSender<BoxFuture<'static, ()>>);

impl Turns {
    pub(in crate::broker) fn spawn() -> Self {
        let (sender, mut begun) = mpsc::unbounded_channel();
        let run = async move {
            let mut running = FuturesUnordered::new();
            loop {
                tokio::select! {
                    biased;
                    next = begun.recv() => match next {
                        Some(future) => running.push(future),
                        None => break,
                    },
                    Some(()) = running.next() => {}
                }
            }
        };
        // What a task of tokio may do at a time would be shared by all, and who may do no more would lose its turn. None keeps the
        // others waiting: each handles what it read, and waits for its next turn.
        tokio::spawn(unconstrained(run));
        Self(sender)
    }

    /// Runs one to its end, or until nobody waits for it; `None` if it panics. It waits with [`in_turn`].
    pub(super) async fn run<T: Send + 'static>(
        self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (mut reply, value) = oneshot::channel();
        let run = async move {
            let value = tokio::select! {
                biased;
                () = reply.closed() => return,
                value = contain("reading from a client of the broker", future) => value,
            };
            if let Ok(value) = value {
                let _ = reply.send(value);
            }
        };
        self.0.send(run.boxed()).ok()?;
        value.await.ok()
    }
}

/// Waits for what is there to be handled. Who is woken for that has its turn. Who finds it there while it has its turn for something
/// else waits for another one, behind those for whom something came before.
pub(super) async fn in_turn<F: Future>(comes: F) -> F::Output {
    let mut comes = pin!(comes);
    let polled = poll_fn(|context| Poll::Ready(comes.as_mut().poll(context))).await;
    let Poll::Ready(come) = polled else { return comes.await };
    let mut is_behind = false;
    poll_fn(|context| match std::mem::replace(&mut is_behind, true) {
        true => Poll::Ready(()),
        false => {
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await;
    come
}

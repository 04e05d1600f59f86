//! A connection that brings its bytes in pieces and takes whatever is written, and what waits for one.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes, so many at a time.
#[derive(Debug)]
pub(crate) struct Pieces<'a> {
    rest: &'a [u8],
    size: usize,
    /// Bytes before which a read ends.
    fence: usize,
    pub(crate) written: Vec<u8>,
}

impl<'a> Pieces<'a> {
    /// Pieces of a size; none reaches over the first `fence` bytes.
    pub(crate) fn new(rest: &'a [u8], size: usize, fence: usize) -> Self {
        Self { rest, size: size.max(1), fence, written: Vec::new() }
    }
}

impl AsyncRead for Pieces<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let most = if self.fence > 0 { self.fence } else { usize::MAX };
        let count = self.size.min(most).min(self.rest.len()).min(into.remaining());
        let (piece, rest) = self.rest.split_at(count);
        into.put_slice(piece);
        (self.rest, self.fence) = (rest, self.fence.saturating_sub(count));
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Pieces<'_> {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        self.written.extend_from_slice(from);
        Poll::Ready(Ok(from.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// The outcome of what waits for nothing but time limits.
pub(crate) fn wait_for<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime").block_on(future)
}

/// The outcome of what waits for nothing; tasks that it starts, such as connections, never run.
pub(crate) fn without_network<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let _within = runtime.enter();
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("a call waits for the network"),
    }
}

//! A connection that holds its place among those that a port serves, and that ends when its client does not
//! read.

use std::io::{Error, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Sleep;

use latimer_listen::{AddressPermit, Stream};

use crate::limits::STALLED_CONNECTION_TIMEOUT;

/// What a connection holds: a place at its port, and a seat among those of its address unless the place is a reserved one.
pub(crate) type ConnectionSlot = (OwnedSemaphorePermit, Option<AddressPermit>);

/// A connection in a port's place. It ends when its client does not read, and keeps the place until it is dropped, upgrades included.
pub(crate) struct Connection {
    stream: Stream,
    _slot: ConnectionSlot,
    /// Runs while there is no room to write.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    pub(crate) fn new(stream: Stream, place: ConnectionSlot) -> Self {
        Self { stream, _slot: place, stalled: None }
    }

    /// Bounds the wait for room.
    fn patient<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<Result<T, Error>>,
    ) -> Poll<Result<T, Error>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled =
            self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(STALLED_CONNECTION_TIMEOUT)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client does not read")))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize, Error>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.patient(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.patient(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

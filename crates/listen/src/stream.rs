//! A connection, plain or encrypted.

use std::io::{Error, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsStream;

use crate::connect::tls_error;
use crate::limits::REVOKED_NOTICE_TIME;
use crate::tls::KnownClient;

/// A connection, of a client or to a server.
#[derive(Debug)]
pub enum Stream {
    /// As it came.
    Plain(TcpStream),
    /// Over TLS.
    Tls(Box<Encrypted>),
}

/// A connection over TLS. Once its client's certificate is revoked, reading and writing fail; of one to a server they fail with what TLS says, if it does.
#[derive(Debug)]
pub struct Encrypted {
    stream: TlsStream<TcpStream>,
    /// If it is one whose certificate may be revoked.
    client: Option<KnownClient>,
    /// Why it broke, of one to a server.
    broke: Option<WhyBroken>,
}

/// The TLS error of a connection that broke. A server of TLS 1.3 refuses a client's certificate after the handshake, maybe before the request
/// is sent: the request then fails because the connection is closed, an error that does not say why.
#[derive(Clone, Debug, Default)]
pub(crate) struct WhyBroken(Arc<Mutex<Option<rustls::Error>>>);

impl WhyBroken {
    /// Forgets what it has, and gives it.
    pub(crate) fn take(&self) -> Option<rustls::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn note(&self, error: &Error) {
        if let Some(error) = tls_error(error) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.clone());
        }
    }
}

impl Encrypted {
    pub(crate) const fn new(stream: TlsStream<TcpStream>, client: Option<KnownClient>) -> Self {
        Self { stream, client, broke: None }
    }

    /// A connection to a server.
    pub(crate) fn to_server(stream: TlsStream<TcpStream>) -> Self {
        Self { stream, client: None, broke: Some(WhyBroken::default()) }
    }

    /// What the server said before it closed may be there to be read still, and is the reason why writing fails.
    fn why<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<Result<T, Error>>,
    ) -> Poll<Result<T, Error>> {
        let (Poll::Ready(Err(_)), Some(broke)) = (&written, &self.broke) else { return written };
        let mut byte = [0];
        match Pin::new(&mut self.stream).poll_read(context, &mut ReadBuf::new(&mut byte)) {
            Poll::Ready(Err(error)) if tls_error(&error).is_some() => {
                broke.note(&error);
                Poll::Ready(Err(error))
            }
            _ => written,
        }
    }

    fn may_read(&mut self, context: &mut Context<'_>) -> Result<(), Error> {
        self.client.as_mut().map_or(Ok(()), |client| client.may_read(context))
    }

    fn may_write(&mut self, context: &mut Context<'_>) -> Result<(), Error> {
        self.client.as_mut().map_or(Ok(()), |client| client.may_write(context))
    }
}

impl Stream {
    /// The socket beneath.
    pub fn tcp(&self) -> &TcpStream {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(encrypted) => encrypted.stream.get_ref().0,
        }
    }

    /// Has it noted elsewhere what TLS says when it breaks.
    pub(crate) fn tell(&mut self, broke: WhyBroken) {
        if let Self::Tls(encrypted) = self {
            encrypted.broke = Some(broke);
        }
    }

    /// Whether it is encrypted.
    pub const fn is_tls(&self) -> bool {
        matches!(self, Self::Tls(_))
    }

    /// Waits until the client's certificate is revoked, and a moment more, in which what serves it finds that reading and writing fail; for ever for
    /// most connections. What goes on then has to be dropped.
    pub fn overdue(&self) -> impl Future<Output = ()> + Send + use<> {
        let end = match self {
            Self::Plain(_) => None,
            Self::Tls(encrypted) => encrypted.client.as_ref().map(KnownClient::end),
        };
        async {
            match end {
                Some(end) => end.cancelled().await,
                None => std::future::pending().await,
            }
            tokio::time::sleep(REVOKED_NOTICE_TIME).await;
        }
    }
}

/// Does the same to either.
macro_rules! either {
    ($this:expr, $stream:ident => $call:expr) => {
        match $this.get_mut() {
            Stream::Plain($stream) => {
                let $stream = Pin::new($stream);
                $call
            }
            Stream::Tls($stream) => {
                let $stream = Pin::new($stream.as_mut());
                $call
            }
        }
    };
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        either!(self, stream => stream.poll_read(context, buffer))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize, Error>> {
        either!(self, stream => stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        either!(self, stream => stream.poll_write_vectored(context, slices))
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(stream) => stream.is_write_vectored(),
            Self::Tls(encrypted) => encrypted.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        either!(self, stream => stream.poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        either!(self, stream => stream.poll_shutdown(context))
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        let this = self.get_mut();
        this.may_read(context)?;
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if let (Poll::Ready(Err(error)), Some(broke)) = (&read, &this.broke) {
            broke.note(error);
        }
        read
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize, Error>> {
        let this = self.get_mut();
        this.may_write(context)?;
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.why(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        let this = self.get_mut();
        this.may_write(context)?;
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.why(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let this = self.get_mut();
        this.may_write(context)?;
        let written = Pin::new(&mut this.stream).poll_flush(context);
        this.why(context, written)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let this = self.get_mut();
        this.may_write(context)?;
        Pin::new(&mut this.stream).poll_shutdown(context)
    }
}

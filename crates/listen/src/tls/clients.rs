//! Who is connected by TLS with which certificate, so that a connection ends when its certificate is revoked.
//!
//! ```text
//! handshake ──Clients::enter──▶ KnownClient, held by the stream
//!                                  ▲ end: Clients::end_revoked, when lists were read again
//! ```

use std::collections::HashMap;
use std::io::{Error, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Context;

use rustls::pki_types::{CertificateDer, UnixTime};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::files::Revocation;

/// The clients of one gateway that have shown certificates.
#[derive(Clone, Debug, Default)]
pub(super) struct Clients(Arc<Mutex<All>>);

#[derive(Debug, Default)]
struct All {
    next: u64,
    open: HashMap<u64, Client>,
}

#[derive(Clone, Debug)]
struct Client {
    peer: SocketAddr,
    /// Its own first.
    chain: Arc<[CertificateDer<'static>]>,
    since: UnixTime,
    end: CancellationToken,
}

impl Clients {
    pub(super) fn enter(&self, peer: SocketAddr, chain: &[CertificateDer<'_>]) -> KnownClient {
        let chain = chain.iter().map(|it| it.clone().into_owned()).collect();
        let end = CancellationToken::new();
        // By the wall clock, as rustls has it.
        let client = Client { peer, chain, since: UnixTime::now(), end: end.clone() };
        let mut all = self.all();
        all.next += 1;
        let id = all.next;
        all.open.insert(id, client);
        let wait = || Box::pin(end.clone().cancelled_owned());
        KnownClient { clients: self.clone(), id, reads: wait(), writes: wait(), end }
    }

    /// Ends all whose certificates are revoked by now.
    pub(super) fn end_revoked(&self, revocation: &Revocation) {
        // Signatures are checked without the lock, which handshakes need.
        let open: Vec<Client> = self.all().open.values().cloned().collect();
        for Client { peer, chain, since, end } in open {
            if !end.is_cancelled() && revocation.revokes(&chain, since) {
                tracing::info!(%peer, "a connection is closed: its client's certificate is revoked");
                end.cancel();
            }
        }
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn open(&self) -> usize {
        self.all().open.len()
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client that is connected.
#[derive(Debug)]
pub(crate) struct KnownClient {
    clients: Clients,
    id: u64,
    end: CancellationToken,
    /// A task may read while another one writes: each is woken by a future of its own.
    reads: Pin<Box<WaitForCancellationFutureOwned>>,
    writes: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl KnownClient {
    /// Cancelled when its certificate is revoked.
    pub(crate) fn end(&self) -> CancellationToken {
        self.end.clone()
    }

    /// An error once the client's certificate is revoked. The reading task is woken at that moment.
    pub(crate) fn may_read(&mut self, context: &mut Context<'_>) -> Result<(), Error> {
        over(&mut self.reads, context)
    }

    /// The same for who writes.
    pub(crate) fn may_write(&mut self, context: &mut Context<'_>) -> Result<(), Error> {
        over(&mut self.writes, context)
    }
}

fn over(end: &mut Pin<Box<WaitForCancellationFutureOwned>>, context: &mut Context<'_>) -> Result<(), Error> {
    match end.as_mut().poll(context).is_ready() {
        true => Err(Error::new(ErrorKind::ConnectionAborted, "the client's certificate is revoked")),
        false => Ok(()),
    }
}

impl Drop for KnownClient {
    fn drop(&mut self) {
        self.clients.all().open.remove(&self.id);
    }
}

//! The door for subscribers. It never waits for one of them: each is a task from its first byte.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use latimer_listen::{Accepted, Listener};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::publication::{Follower, Publication, Welcome, WelcomeError, feed, welcome};
use super::refusals::Refusals;
use super::services::{Service, answer};
use super::shared::Shared;
use super::socket::{Ends, prepare};
use super::traffic::Traffic;
use crate::limits::{MAX_TCPROS_HANDSHAKES, TCPROS_HANDSHAKE_TIMEOUT, TCPROS_HURRIED_HANDSHAKE_TIMEOUT};
use crate::tcpros::{HandshakeError, Header, read_header, write_header};
use crate::xmlrpc::shortened;

/// Subscribers of all topics, at most.
pub(super) const MAX_FOLLOWERS: usize = 1024;

/// Why no topic is served to who came, in rospy's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum AcceptError {
    /// The service is not offered here.
    #[error("[{node}] is not a provider of service [{service}]")]
    NotAProvider {
        /// This node.
        node: String,
        /// How the service's name begins.
        service: String,
    },
    /// The service is offered, but not to this caller.
    #[error("{0}")]
    Service(String),
    /// It names nothing.
    #[error("no topic or service name detected")]
    NoTopic,
    /// The topic is not published.
    #[error("[{node}] is not a publisher of [{topic}]")]
    NotAPublisher {
        /// This node.
        node: String,
        /// How the topic's name begins.
        topic: String,
    },
    /// The topic is published, but not to this subscriber.
    #[error(transparent)]
    Welcome(#[from] WelcomeError),
}

/// Takes connections until the node has ended.
pub(super) async fn accept(shared: Arc<Shared>, listener: Listener) {
    let handshakes = Arc::new(Semaphore::new(MAX_TCPROS_HANDSHAKES));
    let followers = Arc::new(Semaphore::new(MAX_FOLLOWERS));
    let refusals = Arc::new(Refusals::default());
    loop {
        let Accepted { stream, peer, seat } = tokio::select! {
            () = shared.ended.cancelled() => return,
            taken = listener.accept() => taken,
        };
        let Some(seat) = seat else { continue };
        let Ok(handshake) = handshakes.clone().try_acquire_owned() else { continue };
        let within = patience(handshakes.available_permits());
        let (shared, followers, refusals) = (shared.clone(), followers.clone(), refusals.clone());
        let policy = listener.policy().clone();
        shared.tasks.clone().spawn(async move {
            let _seat = seat;
            let ended = shared.ended.clone();
            let served = async {
                let Some((stream, header)) = greeted(&shared, stream, handshake, within).await else {
                    return;
                };
                let Ok(_seat) = followers.try_acquire() else {
                    return refuse(stream, "too many subscribers".to_owned()).await;
                };
                let listed = shared.policy.list(peer, header.get("callerid").unwrap_or_default());
                tokio::select! {
                    () = listed => {}
                    () = serve(&shared, &refusals, stream, header) => {}
                }
            };
            tokio::select! {
                () = ended.cancelled() => {}
                () = policy.dismissed(peer.ip()) => {}
                () = served => {}
            }
        });
    }
}

/// How long who comes may take for its header, by the places that are free.
fn patience(free: usize) -> Duration {
    if free < MAX_TCPROS_HANDSHAKES / 2 { TCPROS_HURRIED_HANDSHAKE_TIMEOUT } else { TCPROS_HANDSHAKE_TIMEOUT }
}

/// Reads the header of who came.
async fn greeted(
    shared: &Shared,
    mut stream: TcpStream,
    handshake: OwnedSemaphorePermit,
    within: Duration,
) -> Option<(TcpStream, Header)> {
    prepare(&stream).ok()?;
    let read = read_header(&mut stream, 0, within).await;
    // The next one may come; a refusal below waits for nobody but its own caller.
    drop(handshake);
    let problem = match read {
        Ok((header, _)) => return Some((stream, header)),
        Err(problem) => problem,
    };
    tracing::debug!(node = %shared.name, %problem, "a connection brought no header");
    let tells = match &problem {
        HandshakeError::Bad(_) | HandshakeError::Silent(_) => true,
        // It claimed to be too long.
        HandshakeError::Broken(error) => error.kind() == ErrorKind::InvalidData,
        HandshakeError::Closed | HandshakeError::Refused(_) => false,
    };
    if tells {
        refuse(stream, problem.to_string()).await;
    }
    None
}

async fn serve(shared: &Shared, refusals: &Refusals, mut stream: TcpStream, header: Header) {
    let (publication, welcome) = match choose(shared, &header) {
        Ok(Chosen::Topic(publication, welcome)) => (publication, welcome),
        Ok(Chosen::Service(service, welcome)) => {
            if write_header(&mut stream, &welcome, TCPROS_HANDSHAKE_TIMEOUT).await.is_ok() {
                let (read, write) = stream.split();
                answer(&service, &header, read, write).await;
            }
            return;
        }
        Err(reason) => {
            if refusals.is_news(&header) {
                tracing::warn!(node = %shared.name, %reason, "a subscriber is refused");
            } else {
                tracing::debug!(node = %shared.name, %reason, "a subscriber is refused");
            }
            return refuse(stream, reason.to_string()).await;
        }
    };
    let Ok(ends) = Ends::of(&stream) else { return };
    let Welcome { header: answer, foreign } = welcome;
    if write_header(&mut stream, &answer, TCPROS_HANDSHAKE_TIMEOUT).await.is_err() {
        return;
    }
    let caller = header.get("callerid").unwrap_or_default().to_owned();
    // They can be long, and the follower may stay for days.
    drop((header, answer));
    let (id, traffic) = (shared.id(), Traffic::default());
    let follower = Arc::new(Follower { id, caller, foreign, ends, traffic });
    let seat = ConnectionPermit { publication: &publication, id };
    let place = publication.join(follower.clone());
    let (read, write) = stream.split();
    let left = feed(&publication, &follower, place, read, write).await;
    drop(seat);
    let (topic, caller, lost) = (&publication.topic, &follower.caller, follower.traffic.lost());
    match left {
        Err(left) if left.is_fault() => {
            tracing::warn!(%topic, %caller, lost, %left, "a subscriber is cut off")
        }
        Err(left) => tracing::debug!(%topic, %caller, lost, %left, "a subscriber left"),
        Ok(()) => {}
    }
}

/// What who came is served.
pub(super) enum Chosen {
    Topic(Arc<Publication>, Welcome),
    Service(Arc<Service>, Header),
}

pub(super) fn choose(shared: &Shared, header: &Header) -> Result<Chosen, AcceptError> {
    let node = || shared.name.to_string();
    let Some(topic) = header.get("topic") else {
        let name = header.get("service").ok_or(AcceptError::NoTopic)?;
        let service = shared.topics().services.get(name).cloned();
        let service =
            service.ok_or_else(|| AcceptError::NotAProvider { node: node(), service: shortened(name) })?;
        let welcome = service.welcome(header, &shared.name).map_err(AcceptError::Service)?;
        return Ok(Chosen::Service(service, welcome));
    };
    let publication = shared.topics().offered.get(topic).cloned();
    let publication =
        publication.ok_or_else(|| AcceptError::NotAPublisher { node: node(), topic: shortened(topic) })?;
    let welcome = welcome(header, &publication, &shared.name)?;
    Ok(Chosen::Topic(publication, welcome))
}

async fn refuse(mut stream: TcpStream, reason: String) {
    // A refused subscriber may be gone already.
    let _ =
        write_header(&mut stream, &Header::default().with("error", reason), TCPROS_HANDSHAKE_TIMEOUT).await;
    let _ = stream.shutdown().await;
}

/// A follower's seat, free again however it ends.
struct ConnectionPermit<'a> {
    publication: &'a Publication,
    id: u64,
}

impl Drop for ConnectionPermit<'_> {
    fn drop(&mut self) {
        self.publication.leave(self.id);
    }
}

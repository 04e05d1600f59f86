//! The link of a robot to its broker, which outlives the sessions of the robot: what is sent while the broker is away is kept on both
//! sides.

use latimer_core::Clock;
use latimer_core::supervisor::{Reach, SessionEnd};
use latimer_listen::limits::CONNECT_TIMEOUT;
use latimer_mqtt::{Link, LinkError, LinkEvent, Login, Message, PublishError, Publisher, reach};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

/// Begins when it is needed first, and ends when it is dropped.
#[derive(Debug)]
pub(crate) struct KeptLink {
    login: Login,
    clock: Clock,
    /// Waits for its goodbye.
    leaving: TaskTracker,
    running: Option<Running>,
    is_up: bool,
    /// Why it is down, as it was reported last.
    reason: Option<LinkError>,
}

#[derive(Debug)]
struct Running {
    link: Link,
    publisher: Publisher,
    _stop: DropGuard,
}

impl KeptLink {
    /// A link that has not begun.
    pub(crate) fn new(login: Login, clock: Clock, leaving: TaskTracker) -> Self {
        Self { login, clock, leaving, running: None, is_up: false, reason: None }
    }

    fn running(&mut self) -> &mut Running {
        self.running.get_or_insert_with(|| {
            let stop = CancellationToken::new();
            let (link, publisher, run) = Link::new(self.login.clone(), self.clock, stop.clone());
            self.leaving.spawn(run);
            Running { link, publisher, _stop: stop.drop_guard() }
        })
    }

    /// Waits until it is connected. Cancel safe.
    pub(crate) async fn up(&mut self) -> Result<(), SessionEnd> {
        while !self.is_up {
            let waited = tokio::time::timeout(CONNECT_TIMEOUT, self.event()).await;
            match waited {
                Ok(event) => event.map(|_| ())?,
                Err(_) => return Err(self.down()),
            }
        }
        Ok(())
    }

    /// The next message; an error when it is down. Cancel safe.
    pub(crate) async fn next(&mut self) -> Result<Message, SessionEnd> {
        loop {
            if let Some(message) = self.event().await? {
                return Ok(message);
            }
        }
    }

    async fn event(&mut self) -> Result<Option<Message>, SessionEnd> {
        match self.running().link.next().await {
            Some(LinkEvent::Message(message)) => return Ok(Some(message)),
            Some(LinkEvent::Up) => self.is_up = true,
            Some(LinkEvent::Down(reason)) => {
                (self.is_up, self.reason) = (false, Some(reason));
                return Err(self.down());
            }
            Some(LinkEvent::Lost(_)) => {}
            // It was stopped, or its task broke.
            None => {
                (self.is_up, self.running) = (false, None);
                return Err(SessionEnd::retry("the link to the broker ended"));
            }
        }
        Ok(None)
    }

    fn down(&self) -> SessionEnd {
        match &self.reason {
            Some(reason) => SessionEnd::retry(reason),
            None => SessionEnd::retry(format!(
                "{} does not answer within {} s",
                self.login.address,
                CONNECT_TIMEOUT.as_secs()
            )),
        }
    }

    /// Queues a message; while the broker is away it waits.
    pub(crate) fn publish(&mut self, message: Message) -> Result<(), PublishError> {
        self.running().publisher.publish(message)
    }

    /// Whether the broker accepts connections.
    pub(crate) async fn probe(&self) -> Option<Reach> {
        Some(reach(&self.login.address).await)
    }
}

//! What the hub knows of one robot: its description, its link state, its command queue.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::commands::{CommandQueue, PushError};
use super::motion::Motion;
use super::{Origin, RobotInfo};
use crate::clock::{Clock, Timestamp};
use crate::model::signal::{Link, LinkState};
use crate::model::{Command, Kind, Outcome, Skew, Update};

struct Health {
    link: Link,
    /// Its link was up at least once, so that the next time is a return.
    was_heard: bool,
    skew: Skew,
    motion: Motion,
    kick: CancellationToken,
}

pub(super) struct RobotEntry {
    pub(super) info: RobotInfo,
    pub(super) commands: CommandQueue,
    health: Mutex<Health>,
    received: AtomicU64,
    refused: AtomicU64,
    unknown: AtomicU64,
}

/// One stay of a robot in the hub: from when it is registered until it goes.
#[derive(Clone)]
pub struct Stay(pub(super) Weak<RobotEntry>);

impl PartialEq for Stay {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl Eq for Stay {}

impl fmt::Debug for Stay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stay").field(&self.0.as_ptr()).finish()
    }
}

/// A snapshot of one robot for lists.
#[derive(Clone, Debug)]
pub struct RobotReport {
    /// Who it is.
    pub info: RobotInfo,
    /// How its link stands, with the measured skew.
    pub link: Link,
    /// Updates received from it.
    pub received: u64,
    /// Updates refused because it has too many keys.
    pub refused: u64,
    /// Updates that no kind fits.
    pub unknown: u64,
}

pub(super) struct LinkChange {
    pub(super) link: Link,
    /// When the link went down, if it just came back.
    pub(super) silent_since: Option<Timestamp>,
}

impl RobotEntry {
    pub(super) fn new(info: RobotInfo, clock: Clock) -> Self {
        let link = Link {
            state: LinkState::Connecting,
            since: clock.now(),
            reconnects: 0,
            skew_s: None,
            reason: None,
        };
        let health = Health {
            link,
            was_heard: false,
            skew: Skew::default(),
            motion: Motion::default(),
            kick: CancellationToken::new(),
        };
        Self {
            info,
            commands: CommandQueue::new(clock),
            health: Mutex::new(health),
            received: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            unknown: AtomicU64::new(0),
        }
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn observe(&self, update: &Update) {
        // The link is the gateway's own word.
        if update.kind() == Kind::Link {
            return;
        }
        self.received.fetch_add(1, Ordering::Relaxed);
        if update.kind() == Kind::Other {
            self.unknown.fetch_add(1, Ordering::Relaxed);
        }
        // A simulated world that waits or hurries has no clock that could be wrong.
        if self.info.origin != Origin::Simulated {
            let mut health = self.health();
            health.skew.observe(update.stamp, update.received);
            health.motion.observe(update);
        }
    }

    pub(super) fn count_refused(&self) {
        if self.refused.fetch_add(1, Ordering::Relaxed) == 0 {
            tracing::warn!(robot = %self.info.robot, "has too many keys; updates of new ones are dropped");
        }
    }

    pub(super) fn link(&self) -> Link {
        let health = self.health();
        Link { skew_s: health.skew.seconds(), ..health.link.clone() }
    }

    pub(super) fn set_link(&self, state: LinkState, reason: Option<String>, now: Timestamp) -> LinkChange {
        let mut health = self.health();
        let came_back = state == LinkState::Up && health.link.state != LinkState::Up;
        // While it is down and tried again, `since` keeps the moment it fell silent.
        let falls_silent = state != LinkState::Up && health.link.state != LinkState::Up;
        let silent_since = (came_back && health.was_heard).then_some(health.link.since);
        if !falls_silent {
            health.link.since = now;
        }
        health.link.reconnects += u32::from(silent_since.is_some());
        health.was_heard |= state == LinkState::Up;
        health.link.state = state;
        health.link.reason = reason;
        if state == LinkState::Connecting {
            health.kick = CancellationToken::new();
        }
        LinkChange { link: Link { skew_s: health.skew.seconds(), ..health.link.clone() }, silent_since }
    }

    pub(super) fn kick_token(&self) -> CancellationToken {
        self.health().kick.clone()
    }

    /// Whether it may move now, judged by its commands and its own reports.
    pub(super) fn moves(&self, now: Timestamp) -> bool {
        self.health().motion.moves(now)
    }

    /// Hands a command over now, as decided when the robot had been given so many stops, and counts it in `given`;
    /// the future waits for the answer.
    pub(super) fn command(
        self: &Arc<Self>,
        command: Command,
        decided_at: Option<u64>,
        patience: Duration,
        clock: Clock,
        given: &AtomicU64,
    ) -> impl Future<Output = Outcome> + Send + use<> {
        let (is_stop, now) = (command.is_stop(), clock.now());
        if !is_stop {
            self.health().motion.commanded(&command, now);
        }
        let answer = self.commands.push(command, decided_at, patience);
        if answer.is_ok() {
            given.fetch_add(1, Ordering::Release);
        }
        let entry = self.clone();
        async move {
            let robot = &entry.info.robot;
            let answer = match answer {
                Ok(answer) => answer,
                Err(PushError::Stopped) => return Outcome::stopped(),
                Err(PushError::Full) => {
                    // Commands never wait in vain: a robot that takes none is connected anew.
                    entry.health().kick.cancel();
                    return Outcome::unreachable(format!(
                        "{robot} takes no commands; its connection is made anew"
                    ));
                }
                Err(PushError::Closed) => return Outcome::unreachable(format!("{robot} is gone")),
            };
            let outcome = tokio::select! {
                answer = answer => answer.unwrap_or_else(|_| {
                    Outcome::unreachable(format!("the connection to {robot} ended before it answered"))
                }),
                () = clock.sleep_until(now.after(patience)) => Outcome::TimedOut,
            };
            if is_stop && outcome.is_ok() {
                entry.health().motion.stopped(now);
            }
            outcome
        }
    }

    pub(super) fn report(&self) -> RobotReport {
        RobotReport {
            info: self.info.clone(),
            link: self.link(),
            received: self.received.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            unknown: self.unknown.load(Ordering::Relaxed),
        }
    }
}

//! The only place that retries: keeps one session to one robot alive until it is cancelled.
//!
//! ```text
//!  ┌────────────▶ connecting ──run()──▶ up ──ended──┐
//!  │                  │ failed                      │
//!  └──wait (backoff)──┴──────────── down ◀──────────┘──(Stop)──▶ down for good
//! ```
//!
//! The wait is cut short when the robot was away and is back, which cheap probes find out.

mod policy;
mod probe;

use std::fmt;
use std::pin::pin;

use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

pub use policy::{AfterProbe, Backoff, Disposition, LOOK_AGAIN, Next, Reach, after_probe, next};
pub use probe::{Attempt, Probe, until_attempt};

use crate::Clock;
use crate::hub::{CommandClient, Source};
use crate::limits::{LINK_LOST_STOP_REPEAT_DELAY, LINK_LOST_STOP_TIMEOUT};
use crate::model::signal::LinkState;
use crate::model::{Command, Outcome, RobotId};

/// How a session ended, and whether another one may do better.
#[derive(Debug)]
pub struct SessionEnd {
    /// Why, for a person to read.
    pub reason: String,
    /// Whether to try again.
    pub disposition: Disposition,
}

impl SessionEnd {
    /// An end after which trying again may help.
    pub fn retry(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string(), disposition: Disposition::Retry }
    }

    /// An end since the robot is not there, although the way to it is: looking again soon is cheap.
    pub fn away(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string(), disposition: Disposition::Away }
    }

    /// An end after which trying again cannot help.
    pub fn stop(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string(), disposition: Disposition::Stop }
    }
}

/// One kind of connection to a robot.
///
/// ```
/// use futures_util::future::BoxFuture;
/// use latimer_core::hub::Source;
/// use latimer_core::model::signal::LinkState;
/// use latimer_core::supervisor::{Session, SessionEnd};
/// use latimer_core::Outcome;
///
/// struct Echo;
///
/// impl Session for Echo {
///     fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
///         Box::pin(async move {
///             source.link(LinkState::Up, None);
///             // A real one sends the command to its robot, and publishes what comes from there.
///             source.next_command().await.answer(Outcome::Done);
///             SessionEnd::retry("the connection broke")
///         })
///     }
/// }
/// ```
pub trait Session: Send {
    /// Connects, calls `source.link(LinkState::Up, None)` when the robot answers, and serves until
    /// the connection drops. Never retries. Must be cancel safe: a stop drops it.
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd>;

    /// Whether somebody accepts connections where the robot is, asked while there is no connection; `None` where that says
    /// nothing. Cancel safe, and takes seconds at most.
    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move { None })
    }
}

/// The peer of a session.
struct Peer<'a, S>(&'a mut S);

impl<S: Session> Probe for Peer<'_, S> {
    async fn probe(&mut self) -> Option<Reach> {
        self.0.probe().await
    }
}

const STOP: Command = Command::Stop { hold: false };

/// The link's reason of a robot that moved when it was heard last.
pub(crate) const MOVING: &str = "moving, out of reach";

/// Runs sessions one after the other until `shutdown`, with waits between them by [`next`].
///
/// A session that panics ends like one that lost its connection, and a robot that moved then is stopped by the next one.
/// While there is no session, commands are refused with the reason; none waits. The log has a reason once for all attempts in a
/// row that end by it.
pub async fn supervise(
    mut source: Source,
    mut session: impl Session,
    backoff: Backoff,
    clock: Clock,
    shutdown: CancellationToken,
) {
    let robot = source.robot().clone();
    let gateway = source.gateway();
    let mut failures = 0;
    // Set when the link broke while the robot moved, or when one of its name did before a restart, until it took a stop.
    let mut owes_stop = source.owes_stop();
    // What the log has of why the link is down.
    let mut reported: Option<String> = None;
    loop {
        source.link(LinkState::Connecting, owes_stop.then(|| MOVING.to_owned()));
        let began = clock.now();
        let kicked = source.kicked();
        let mut stop: BoxFuture<'static, Outcome> = match owes_stop {
            // In line before the session takes anything.
            true => Box::pin(gateway.command(&robot, STOP, LINK_LOST_STOP_TIMEOUT)),
            false => Box::pin(std::future::pending()),
        };
        let end = {
            let mut run =
                pin!(latimer_panics::contain("running a robot's session", session.run(&mut source)));
            loop {
                tokio::select! {
                    () = shutdown.cancelled() => return,
                    () = kicked.cancelled() => break Ok(SessionEnd::retry("the robot took no commands")),
                    end = &mut run => break end,
                    outcome = &mut stop => {
                        owes_stop = !outcome.is_ok();
                        stop = match owes_stop {
                            true => Box::pin(stop_again(gateway.clone(), robot.clone(), clock)),
                            false => Box::pin(std::future::pending()),
                        };
                    }
                }
            }
        };
        let end = end.unwrap_or_else(SessionEnd::retry);
        // Nobody knows what it does meanwhile.
        let was_moving = source.moved_when_heard();
        owes_stop |= was_moving;
        let lived = clock.now().since(began);
        let (next, now) = next(&backoff, failures, end.disposition, lived, rand::random());
        failures = now;
        let is_news = source.link_now().state == LinkState::Up || reported.as_ref() != Some(&end.reason);
        let wait = match next {
            Next::RetryIn(wait) => {
                match is_news {
                    true => tracing::warn!(%robot, reason = %end.reason, "the link is down; it tries again"),
                    false => tracing::debug!(%robot, again_in = ?wait, "the link is down still"),
                }
                Some(wait)
            }
            Next::Stop => {
                tracing::error!(%robot, reason = %end.reason, "the link is down and stays down");
                None
            }
        };
        reported = Some(end.reason.clone());
        let reason = match was_moving {
            true => format!("{MOVING}: {}", end.reason),
            false => end.reason.clone(),
        };
        source.link(LinkState::Down, Some(reason));
        let mut peer = Peer(&mut session);
        let mut attempt = pin!(async {
            match wait {
                Some(wait) => until_attempt(clock, wait, &mut peer).await,
                None => std::future::pending().await,
            }
        });
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                attempt = &mut attempt => {
                    if attempt == Attempt::Back {
                        failures = 0;
                    }
                    break;
                }
                request = source.next_command() => {
                    request.answer(Outcome::unreachable(format!("{robot} is not connected: {}", end.reason)));
                }
            }
        }
    }
}

async fn stop_again(gateway: CommandClient, robot: RobotId, clock: Clock) -> Outcome {
    clock.sleep(LINK_LOST_STOP_REPEAT_DELAY).await;
    gateway.command(&robot, STOP, LINK_LOST_STOP_TIMEOUT).await
}

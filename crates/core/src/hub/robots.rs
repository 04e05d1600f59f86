//! What the hub knows of one robot: its description, its link state, its command queue.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::audit::Given;
use super::commands::{Answer, CommandQueue, PushError};
use super::guard::StopLook;
use super::motion::Motion;
use super::topic::Topic;
use super::{Origin, RobotInfo};
use crate::authority::{Authority, Latch, Lease, Place, Policy};
use crate::clock::{Clock, Timestamp};
use crate::model::profile::Ability;
use crate::model::signal::{Alert, Link, LinkState, Severity};
use crate::model::{Author, Command, Kind, Outcome, Signal, Skew, Update};

struct Health {
    link: Link,
    /// Its link was up at least once, so that the next time is a return.
    was_heard: bool,
    skew: Skew,
    motion: Motion,
    stop: Option<StopWatch>,
    /// It was stopped and moves still.
    unstopped: bool,
    kick: CancellationToken,
}

impl Health {
    /// The link with the skew as measured by now.
    fn measured_link(&self) -> Link {
        let (skew_min_s, skew_max_s) = self.skew.interval_s().unzip();
        Link { skew_min_s, skew_max_s, ..self.link.clone() }
    }
}

/// A stop that the robot took, until it stands.
#[derive(Clone, Copy, Debug)]
struct StopWatch {
    given: Timestamp,
    /// When it is sent again if the robot moves.
    again_at: Timestamp,
    repeats: u32,
}

/// How long a robot may take to stand after a stop.
const BRAKES_WITHIN: Duration = Duration::from_secs(1);

/// How long a robot is looked at that seems to stand.
const STANDS_FOR: Duration = Duration::from_secs(1);

/// Between two stops of a robot that moves still, and how many are sent.
const STOP_AGAIN_EVERY: Duration = Duration::from_millis(500);
const MOST_STOPS: u32 = 10;

/// How long a robot that was sent somewhere may take until it reports that it is on the way.
const SETS_OUT_WITHIN: Duration = Duration::from_secs(5);

pub(super) struct RobotEntry {
    pub(super) info: RobotInfo,
    authority: Mutex<Authority>,
    /// Of what the gateway itself finds wrong with the robot.
    pub(super) alerts_topic: OnceLock<Option<Arc<Topic>>>,
    pub(super) commands: CommandQueue,
    /// The gateway's navigator takes its goals.
    pub(super) is_navigated: bool,
    /// Commands of clients that moved its base.
    pub(super) moves_given: AtomicU64,
    health: Mutex<Health>,
    /// Sounds of its own that it was asked for, and the names of those for which they stand in.
    stand_ins: Mutex<HashMap<String, String>>,
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
    /// Who drives it, or drove it last.
    pub driver: Option<Lease>,
    /// Whether that one drives it now.
    pub is_driven: bool,
    /// Who pressed its emergency stop through the gateway.
    pub emergency_stop: Option<Latch>,
    /// It was stopped several times and reports that it moves still.
    pub is_unstopped: bool,
}

pub(super) struct LinkChange {
    pub(super) link: Link,
    /// When the link went down, if it just came back.
    pub(super) silent_since: Option<Timestamp>,
}

impl RobotEntry {
    pub(super) fn new(info: RobotInfo, policy: Policy, is_navigated: bool, clock: Clock) -> Self {
        let link = Link {
            state: LinkState::Connecting,
            since: clock.now(),
            reconnects: 0,
            skew_min_s: None,
            skew_max_s: None,
            reason: None,
        };
        let health = Health {
            link,
            was_heard: false,
            skew: Skew::default(),
            motion: Motion::default(),
            stop: None,
            unstopped: false,
            kick: CancellationToken::new(),
        };
        let stops_itself = info.profile.can(Ability::EmergencyStop);
        let gap_m = info.profile.wheels.map(|it| it.gap_m);
        Self {
            info,
            authority: Mutex::new(Authority::new(policy, stops_itself, gap_m)),
            alerts_topic: OnceLock::new(),
            commands: CommandQueue::new(clock),
            is_navigated,
            moves_given: AtomicU64::new(0),
            health: Mutex::new(health),
            stand_ins: Mutex::default(),
            received: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            unknown: AtomicU64::new(0),
        }
    }

    pub(super) fn authority(&self) -> MutexGuard<'_, Authority> {
        self.authority.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It is asked for a sound: for its own one in place of another, or for the one that is named.
    pub(super) fn plays(&self, own: Option<&str>, name: &str) {
        let mut stand_ins = self.stand_ins.lock().unwrap_or_else(PoisonError::into_inner);
        match own {
            Some(own) => stand_ins.insert(own.to_owned(), name.to_owned()),
            None => stand_ins.remove(name),
        };
    }

    /// The end of a sound, with the one for which it stood in, if it did when the robot was asked for it last.
    pub(super) fn name_stand_in(&self, update: &mut Update) {
        let Signal::Playback(playback) = &mut update.signal else { return };
        let stand_ins = self.stand_ins.lock().unwrap_or_else(PoisonError::into_inner);
        let found = stand_ins.iter().find(|(own, _)| playback.is_of(own)).map(|(_, asked)| asked.clone());
        playback.stands_for = found;
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
        let has_clock = self.info.origin != Origin::Simulated;
        if !has_clock && !Motion::KINDS.contains(&update.kind()) {
            return;
        }
        let mut health = self.health();
        if has_clock {
            health.skew.observe(update.stamp, update.received);
        }
        health.motion.observe(update);
    }

    pub(super) fn count_refused(&self) {
        if self.refused.fetch_add(1, Ordering::Relaxed) == 0 {
            tracing::warn!(robot = %self.info.robot, "has too many keys; updates of new ones are dropped");
        }
    }

    pub(super) fn link(&self) -> Link {
        let health = self.health();
        health.measured_link()
    }

    pub(super) fn set_link(&self, state: LinkState, reason: Option<String>, now: Timestamp) -> LinkChange {
        if state != LinkState::Up {
            self.authority().lost();
        }
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
        LinkChange { link: health.measured_link(), silent_since }
    }

    pub(super) fn kick_token(&self) -> CancellationToken {
        self.health().kick.clone()
    }

    /// Whether it may move now, judged by its commands and its own reports.
    pub(super) fn moves(&self, now: Timestamp) -> bool {
        self.health().motion.moves(now)
    }

    /// Whether it moved when it was heard last.
    pub(super) fn moved_when_heard(&self, now: Timestamp) -> bool {
        self.health().motion.moved_when_heard(now)
    }

    /// Where it is, as far as it has reported that.
    pub(super) fn place(&self) -> Option<Place> {
        self.health().motion.place()
    }

    /// Hands a command over, which was given `now`, and counts it in `given`; the future waits for the answer. `audit`
    /// records it; what the gateway itself sends on the way to a client's speed has none.
    pub(super) fn command(
        self: &Arc<Self>,
        command: Command,
        patience: Duration,
        (clock, now): (Clock, Timestamp),
        given: &AtomicU64,
        audit: Option<Given>,
    ) -> impl Future<Output = Outcome> + Send + use<> {
        let (is_stop, sets_speed) = (command.is_stop(), command.sets_speed());
        let by_gateway = audit.as_ref().is_none_or(|it| *it.author() == Author::gateway());
        if !is_stop {
            self.health().motion.commanded(&command, now);
        }
        let answer = self.commands.push(command, patience);
        if answer.is_ok() {
            given.fetch_add(1, Ordering::Release);
        }
        let entry = self.clone();
        async move {
            let robot = &entry.info.robot;
            let (outcome, note): Answer = match answer {
                Ok(answer) => tokio::select! {
                    answer = answer => answer.unwrap_or_else(|_| {
                        let ended = format!("the connection to {robot} ended before it answered");
                        (Outcome::unreachable(ended), None)
                    }),
                    () = clock.sleep_until(now.after(patience)) => (Outcome::TimedOut, None),
                },
                Err(PushError::Full) => {
                    // Commands never wait in vain: a robot that takes none is connected anew.
                    entry.health().kick.cancel();
                    let reason = format!("{robot} takes no commands; its connection is made anew");
                    (Outcome::unreachable(reason), None)
                }
                Err(PushError::Closed) => (Outcome::unreachable(format!("{robot} is gone")), None),
            };
            if is_stop && outcome.is_ok() {
                entry.stopped(now, by_gateway);
            }
            if sets_speed && !outcome.is_ok() {
                entry.authority().not_taken(now);
            }
            if let Some(mut audit) = audit {
                note.into_iter().for_each(|note| audit.note(Some(note.to_owned())));
                audit.answered(&outcome);
            }
            outcome
        }
    }

    /// The robot took a stop that was given then; one that the gateway repeats is counted with the first.
    fn stopped(&self, given: Timestamp, by_gateway: bool) {
        let mut health = self.health();
        health.motion.stopped(given);
        if health.stop.is_none() || !by_gateway {
            let again_at = given.after(BRAKES_WITHIN);
            health.stop = Some(StopWatch { given, again_at, repeats: 0 });
        }
    }

    /// Whether the robot stands since it took a stop.
    pub(super) fn look_at_stop(&self, now: Timestamp) -> StopLook {
        let is_latched = self.authority().latch().is_some();
        let mut health = self.health();
        let Some(stop) = health.stop else {
            // Something else than a client moves it, such as a program of its own.
            if !is_latched || !health.motion.reports_motion(now) {
                return StopLook::Nothing;
            }
            health.stop = Some(StopWatch { given: now, again_at: now.after(STOP_AGAIN_EVERY), repeats: 1 });
            return StopLook::Again;
        };
        if health.motion.is_commanded_after(stop.given) {
            health.stop = None;
            return StopLook::Stands;
        }
        if now < stop.again_at {
            return StopLook::Wait;
        }
        if !health.motion.reports_motion(now) {
            if now.since(stop.again_at) < STANDS_FOR {
                return StopLook::Wait;
            }
            health.stop = None;
            return StopLook::Stands;
        }
        if stop.repeats == MOST_STOPS {
            health.stop = None;
            return StopLook::GivenUp;
        }
        health.stop =
            Some(StopWatch { again_at: now.after(STOP_AGAIN_EVERY), repeats: stop.repeats + 1, ..stop });
        StopLook::Again
    }

    /// Whether something of it has to be looked at now and then: a stop, or a drive.
    pub(super) fn needs_guard(&self, now: Timestamp) -> bool {
        let (stops, navigates, set_out) = {
            let health = self.health();
            let set_out = !health.motion.is_commanded_after(before(now, SETS_OUT_WITHIN));
            (health.stop.is_some(), health.motion.navigates(), set_out)
        };
        let mut authority = self.authority();
        if authority.drives_by_itself() && !navigates && set_out {
            authority.arrived(now);
        }
        stops || authority.lease(now).is_some() || authority.latch().is_some() || authority.has_area()
    }

    /// What the gateway finds wrong with the robot.
    pub(super) fn alerts(&self) -> Vec<Alert> {
        let (latch, is_outside) = {
            let authority = self.authority();
            (authority.latch().cloned(), authority.is_outside())
        };
        let pressed = latch.map(|it| format!("the emergency stop is pressed, by {}", it.author));
        let outside = is_outside.then(|| "it is outside its area".to_owned());
        let unstopped = self.health().unstopped.then(|| "it was stopped and moves still".to_owned());
        let all = [(1, pressed), (2, unstopped), (3, outside)];
        let all = all.into_iter().filter_map(|(code, message)| Some((code, message?)));
        let alert = |(code, message): (i64, String)| Alert { code, severity: Severity::Error, message };
        all.map(alert).collect()
    }

    /// Whether that changed.
    pub(super) fn set_unstopped(&self, unstopped: bool) -> bool {
        std::mem::replace(&mut self.health().unstopped, unstopped) != unstopped
    }

    pub(super) fn report(&self, now: Timestamp) -> RobotReport {
        let is_unstopped = self.health().unstopped;
        let authority = self.authority();
        RobotReport {
            info: self.info.clone(),
            link: self.link(),
            received: self.received.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            unknown: self.unknown.load(Ordering::Relaxed),
            driver: authority.last_lease().cloned(),
            is_driven: authority.lease(now).is_some(),
            emergency_stop: authority.latch().cloned(),
            is_unstopped,
        }
    }
}

fn before(now: Timestamp, duration: Duration) -> Timestamp {
    let nanos = i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    Timestamp::from_nanos(now.as_nanos().saturating_sub(nanos))
}

//! What the hub knows of one robot: its description, its link state, its command queue.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use tokio_util::sync::CancellationToken;

use super::drive_ends::DriveEnds;
use super::queue::CommandQueue;
use super::{Origin, RobotInfo};
use crate::authority::{Authority, Bounded, Latch, Lease, Policy};
use crate::clock::{Clock, Timestamp};
use crate::exchange::Topic;
use crate::model::profile::Ability;
use crate::model::signal::{Link, LinkState};
use crate::model::{Command, Kind, Signal, Skew, Update};
use crate::robot::{EVIDENCE, Event, Kept, MotionCondition, Robot, Unstopped};

struct Health {
    link: Link,
    /// Its link was up at least once, so that the next time is a return.
    was_heard: bool,
    skew: Skew,
    kick: CancellationToken,
}

impl Health {
    /// The link with the skew as measured by now.
    fn measured_link(&self) -> Link {
        let (skew_min_s, skew_max_s) = self.skew.interval_s().unzip();
        Link { skew_min_s, skew_max_s, ..self.link.clone() }
    }
}

pub(super) struct RobotEntry {
    pub(super) info: RobotInfo,
    /// What decides about its motion.
    robot: Mutex<Robot>,
    /// Of what the gateway itself finds wrong with the robot, and a lock so that the last one told is the last one found.
    pub(super) alerts_topic: OnceLock<Option<Arc<Topic>>>,
    pub(super) telling: Mutex<()>,
    pub(super) commands: CommandQueue,
    /// The gateway's navigator takes its goals.
    pub(super) is_navigated: bool,
    /// Commands of clients that moved its base.
    pub(super) moves_given: AtomicU64,
    pub(super) drives: DriveEnds,
    health: Mutex<Health>,
    /// Sounds of its own that it was asked for, and the names of those for which they stand in.
    stand_ins: Mutex<HashMap<String, String>>,
    received: AtomicU64,
    refused: AtomicU64,
    unknown: AtomicU64,
}

/// One stay of a robot in the hub: from when it is registered until it goes.
#[derive(Clone)]
pub struct Residency(pub(super) Weak<RobotEntry>);

impl PartialEq for Residency {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl Eq for Residency {}

impl fmt::Debug for Residency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Residency").field(&self.0.as_ptr()).finish()
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
    /// Whether it moves, and what shows it.
    pub motion: MotionCondition,
    /// Who pressed its emergency stop through the gateway.
    pub emergency_stop: Option<Latch>,
    /// The stop that it was given a while ago, and that nothing shows it to have obeyed.
    pub unstopped: Option<Unstopped>,
}

pub(super) struct LinkChange {
    pub(super) link: Link,
    /// When the link went down, if it just came back.
    pub(super) silent_since: Option<Timestamp>,
}

impl RobotEntry {
    pub(super) fn new(info: RobotInfo, policy: Policy, is_navigated: bool, kept: Kept, clock: Clock) -> Self {
        let link = Link {
            state: LinkState::Connecting,
            since: clock.now(),
            reconnects: 0,
            skew_min_s: None,
            skew_max_s: None,
            reason: None,
        };
        let health = Health { link, was_heard: false, skew: Skew::default(), kick: CancellationToken::new() };
        let stops_itself = info.profile.can(Ability::EmergencyStop);
        let gap_m = info.profile.wheels.map(|it| it.gap_m);
        let authority = Authority::new(policy, stops_itself, gap_m);
        let is_simulated = info.origin == Origin::Simulated;
        Self {
            info,
            robot: Mutex::new(Robot::new(authority, is_simulated, kept, clock.now())),
            alerts_topic: OnceLock::new(),
            telling: Mutex::default(),
            commands: CommandQueue::new(clock),
            is_navigated,
            moves_given: AtomicU64::new(0),
            drives: DriveEnds::default(),
            health: Mutex::new(health),
            stand_ins: Mutex::default(),
            received: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            unknown: AtomicU64::new(0),
        }
    }

    /// What decides about its motion. While it is locked, commands come into line as they are admitted.
    pub(super) fn robot(&self) -> MutexGuard<'_, Robot> {
        self.robot.lock().unwrap_or_else(PoisonError::into_inner)
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
        if self.info.origin != Origin::Simulated {
            self.health().skew.observe(update.stamp, update.received);
        }
        if EVIDENCE.contains(&update.kind()) {
            self.robot().step(Event::Reported(update), update.received);
        }
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

    /// What ends its behaviours that move it, if it has some which a stop leaves on.
    pub(super) fn still(&self) -> Option<Bounded> {
        let still = &self.info.profile.still;
        (!still.is_empty()).then(|| Bounded::unmoving(Command::BehaviourSwitches(still.clone())))
    }

    pub(super) fn kick_token(&self) -> CancellationToken {
        self.health().kick.clone()
    }

    /// Has its connection made anew, since it takes no commands.
    pub(super) fn kick(&self) {
        self.health().kick.cancel();
    }

    pub(super) fn report(&self, now: Timestamp) -> RobotReport {
        let link = self.link();
        let robot = self.robot();
        let (driver, is_driven) = robot.command_client(now);
        RobotReport {
            info: self.info.clone(),
            link,
            received: self.received.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            unknown: self.unknown.load(Ordering::Relaxed),
            driver: driver.cloned(),
            is_driven,
            motion: robot.condition(now),
            emergency_stop: robot.latch().cloned(),
            unstopped: robot.unstopped(),
        }
    }
}

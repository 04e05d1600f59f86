//! Who may move a robot: leases, the emergency stop, bounds, and drives that end with their author.
//!
//! ```text
//! command ──▶ observers ──▶ emergency stop ──▶ lease ──▶ envelope ──▶ queue of the robot
//!              owned          unsafe           owned     limited,
//!                                                        unsafe
//! ```
//!
//! `Authority` is the state of one robot: pure, given the time, asked by the hub for each command and now and then by the guard
//! (`hub/guard.rs`). A stop of any client passes.

mod envelope;
mod policy;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use envelope::{Beyond, Envelope};
pub use policy::{Equals, Policy};

use crate::clock::Timestamp;
use crate::model::{Author, Command, MotionEffect, Outcome};

/// Who drives a robot, and until when nobody with less priority may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Who.
    pub author: Author,
    /// Since when.
    pub since: Timestamp,
    /// Until when, if nothing more comes; the end of time for a drive without an end.
    pub until: Timestamp,
    priority: i32,
}

/// An emergency stop that somebody pressed in the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Who.
    pub author: Author,
    /// When.
    pub since: Timestamp,
}

/// A drive without an end, and what keeps it going.
#[derive(Clone, Debug)]
struct OpenDrive {
    author: Author,
    renewed: Timestamp,
    /// Its author was connected, so that its connection is what keeps it going.
    by_connection: bool,
}

/// What becomes of a command that was asked for.
#[derive(Debug)]
pub(crate) enum Admission {
    /// It goes to the robot, limited perhaps, and this is what was changed.
    Send(Command, Option<String>),
    /// It is done without the robot.
    Done,
}

/// Who may move one robot.
#[derive(Debug)]
pub(crate) struct Authority {
    policy: Policy,
    /// Whether the robot has an emergency stop of its own.
    stops_itself: bool,
    lease: Option<Lease>,
    latch: Option<Latch>,
    open: Option<OpenDrive>,
}

/// The end of time.
const NEVER: Timestamp = Timestamp::from_nanos(i64::MAX);

impl Authority {
    pub(crate) fn new(policy: Policy, stops_itself: bool) -> Self {
        Self { policy, stops_itself, lease: None, latch: None, open: None }
    }

    pub(crate) fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Who drives, as far as somebody does.
    pub(crate) fn lease(&self, now: Timestamp) -> Option<&Lease> {
        self.lease.as_ref().filter(|lease| now < lease.until)
    }

    /// Who drives, or drove last.
    pub(crate) const fn last_lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }

    /// Whether somebody drives, and the robot itself knows when that ends.
    pub(crate) fn drives_by_itself(&self) -> bool {
        self.open.is_none() && self.lease.as_ref().is_some_and(|lease| lease.until == NEVER)
    }

    pub(crate) fn latch(&self) -> Option<&Latch> {
        self.latch.as_ref()
    }

    /// Whether a command may go to the robot now, and as what.
    pub(crate) fn admit(
        &mut self,
        author: &Author,
        command: Command,
        now: Timestamp,
    ) -> Result<Admission, Outcome> {
        let effect = command.motion_effect();
        if let Command::EmergencyStop(pressed) = command {
            return self.admit_emergency_stop(author, pressed, now);
        }
        if effect == MotionEffect::Stops {
            self.stopped(now);
            return Ok(Admission::Send(command, None));
        }
        if !matches!(command, Command::Sense(_)) && self.policy.observes(author) {
            return Err(Outcome::owned(format!("{author} may observe this robot, and give it no commands")));
        }
        if let Some(name) = self.policy.forbids(&command) {
            return Err(Outcome::not_safe(format!(
                "the gateway's config does not allow {name} for this robot"
            )));
        }
        if effect != MotionEffect::Moves {
            return Ok(Admission::Send(command, None));
        }
        if let Some(latch) = &self.latch {
            let Latch { author, .. } = latch;
            return Err(Outcome::not_safe(format!(
                "the emergency stop is pressed, by {author}; it moves again when that is released"
            )));
        }
        let (command, note) = self.policy.envelope.bound(command)?;
        if drives(&command) {
            self.take_lease(author, &command, now)?;
        }
        Ok(Admission::Send(command, note))
    }

    fn admit_emergency_stop(
        &mut self,
        author: &Author,
        pressed: bool,
        now: Timestamp,
    ) -> Result<Admission, Outcome> {
        if pressed {
            self.stopped(now);
            self.latch.get_or_insert(Latch { author: author.clone(), since: now });
            let command = if self.stops_itself {
                Command::EmergencyStop(true)
            } else {
                Command::Halt { motor_mask: None }
            };
            return Ok(Admission::Send(command, None));
        }
        if let Some(latch) = &self.latch
            && !self.policy.may_release(author, &latch.author)
        {
            let by = &latch.author;
            return Err(Outcome::owned(format!(
                "the emergency stop was pressed by {by}, who has to release it"
            )));
        }
        self.latch = None;
        match self.stops_itself {
            true => Ok(Admission::Send(Command::EmergencyStop(false), None)),
            false => Ok(Admission::Done),
        }
    }

    fn take_lease(&mut self, author: &Author, command: &Command, now: Timestamp) -> Result<(), Outcome> {
        let priority = self.policy.priority(author);
        if let Some(lease) = self.lease(now).filter(|lease| lease.author != *author) {
            let outranked = match self.policy.equals {
                Equals::Newest => priority < lease.priority,
                Equals::First => priority <= lease.priority,
            };
            if outranked {
                let owner = &lease.author;
                return Err(Outcome::owned(format!(
                    "{owner} drives this robot; ask again when that has ended"
                )));
            }
        }
        let since = self.lease(now).filter(|it| it.author == *author).map_or(now, |it| it.since);
        let lasts = lasts(command);
        let until = lasts.map_or(NEVER, |lasts| now.after(lasts.saturating_add(self.policy.hold)));
        self.lease = Some(Lease { author: author.clone(), since, until, priority });
        let is_open = lasts.is_none() && is_speed(command);
        self.open = is_open.then(|| OpenDrive { author: author.clone(), renewed: now, by_connection: false });
        Ok(())
    }

    /// A stop was given: nobody drives, but for the moment that the last driver keeps the robot.
    fn stopped(&mut self, now: Timestamp) {
        self.open = None;
        if let Some(lease) = &mut self.lease {
            lease.until = lease.until.min(now.after(self.policy.hold));
        }
    }

    /// What a robot drove for by itself has ended: its driver keeps it for a moment.
    pub(crate) fn arrived(&mut self, now: Timestamp) {
        self.stopped(now);
    }

    /// The author of a drive without an end that must end now, since its connection is gone or, without one, nothing came
    /// of it for too long; the drive is forgotten.
    pub(crate) fn take_orphan(
        &mut self,
        is_there: impl Fn(&Author) -> bool,
        now: Timestamp,
    ) -> Option<Author> {
        if self.policy.drive_until_stopped {
            return None;
        }
        let open = self.open.as_mut()?;
        if is_there(&open.author) {
            open.by_connection = true;
            return None;
        }
        if !open.by_connection && now.since(open.renewed) < self.policy.drive_timeout {
            return None;
        }
        let author = open.author.clone();
        self.stopped(now);
        Some(author)
    }
}

/// Whether a command has the robot drive, and not only move a part.
fn drives(command: &Command) -> bool {
    !matches!(command, Command::Joints(_))
}

/// Whether it sets a speed, which lasts until another or a stop.
fn is_speed(command: &Command) -> bool {
    matches!(command, Command::Drive { .. } | Command::DriveTracks(_))
}

/// For how long a command drives the robot; `None` if nothing tells.
fn lasts(command: &Command) -> Option<Duration> {
    match command {
        Command::Drive { linear_mps, angular_radps, .. } if *linear_mps == 0.0 && *angular_radps == 0.0 => {
            Some(Duration::ZERO)
        }
        Command::DriveTracks(speeds) if speeds.left_mps == 0.0 && speeds.right_mps == 0.0 => {
            Some(Duration::ZERO)
        }
        Command::Drive { duration, .. } => *duration,
        Command::DriveHeading { duration, .. } | Command::DriveArc { duration, .. } => Some(*duration),
        _ => None,
    }
}

//! Who may move a robot: leases, the emergency stop, bounds, and drives that end with their author.
//!
//! ```text
//! command ──▶ observers ──▶ emergency stop ──▶ area ──▶ envelope ──▶ lease ──▶ setpoint ──▶ queue of the robot
//!              owned          unsafe           unsafe   limited,     owned    speeds up
//!                                                       unsafe                in steps
//! ```
//!
//! `Authority` is the state of one robot: pure, given the time and where the robot is, asked by the robot's owner (`robot`) for each command and now
//! and then. A stop of any client passes.

mod area;
mod bounded;
mod envelope;
mod policy;
mod setpoint;
#[cfg(test)]
mod tests;

pub use area::Area;
use area::Outside;
pub(crate) use area::PlanarPose;
pub use bounded::Bounded;
use envelope::Speed;
pub use envelope::{Beyond, Envelope};
pub use policy::{Equals, Policy};
use setpoint::Setpoint;

use crate::clock::Timestamp;
use crate::model::{Author, Command, Motion, MotionEffect, Outcome};

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

/// What is known of a client that drives a robot.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// When it was there last, if it is connected: now, unless its connections give signs.
    pub(crate) at: Option<Timestamp>,
    /// When a connection of its name for this robot ended last without a farewell, while others remain.
    pub(crate) broke: Option<Timestamp>,
    /// It has no role any more that lets it drive the robot.
    pub(crate) is_revoked: bool,
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
    Send(Bounded, Option<String>),
    /// It is done without the robot.
    Done,
}

/// What has to be done for a robot beside what clients command.
#[derive(Debug)]
pub(crate) enum Duty {
    /// It has to be stopped, since this client, who drives it, has gone.
    StopOrphan(Author),
    /// It has to be stopped, since it has left its area.
    StopOutside,
    /// It gets another speed on the way to the one that was commanded.
    Adjust(Bounded),
}

/// Who may move one robot.
#[derive(Debug)]
pub(crate) struct Authority {
    policy: Policy,
    /// Whether the robot has an emergency stop of its own.
    stops_itself: bool,
    /// How far its tracks are apart, if it says so.
    gap_m: Option<f64>,
    lease: Option<Lease>,
    latch: Option<Latch>,
    open: Option<OpenDrive>,
    setpoint: Option<Setpoint>,
    outside: Option<Outside>,
}

/// The end of time.
const NEVER: Timestamp = Timestamp::from_nanos(i64::MAX);

impl Authority {
    pub(crate) fn new(policy: Policy, stops_itself: bool, gap_m: Option<f64>) -> Self {
        Self {
            policy,
            stops_itself,
            gap_m,
            lease: None,
            latch: None,
            open: None,
            setpoint: None,
            outside: None,
        }
    }

    pub(crate) fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Holds the robot to an emergency stop that was pressed before it came.
    pub(crate) fn restore(&mut self, latch: Option<Latch>) {
        self.latch = latch;
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

    /// Whether an author drives it without an end.
    pub(crate) fn is_driven_openly_by(&self, author: &Author) -> bool {
        self.open.as_ref().is_some_and(|it| it.author == *author)
    }

    pub(crate) fn latch(&self) -> Option<&Latch> {
        self.latch.as_ref()
    }

    /// Whether the robot has an area, so that the place where it is counts.
    pub(crate) const fn has_area(&self) -> bool {
        self.policy.area.is_some()
    }

    /// Whether the robot has a greatest speed, so that the one that it measures counts.
    pub(crate) const fn is_bounded(&self) -> bool {
        self.policy.envelope.is_bounded()
    }

    /// Whether a measured speed is above the maximum. The lower limit of a border does not count here: the robot needs time to brake to it.
    pub(crate) fn exceeds(&self, speed: [f64; 2]) -> bool {
        self.policy.envelope.is_exceeded(speed)
    }

    /// Whether it was outside its area when it was looked at last.
    pub(crate) const fn is_outside(&self) -> bool {
        self.outside.is_some()
    }

    /// The bounds of its speed where it is.
    fn envelope_at(&self, place: Option<PlanarPose>) -> Envelope {
        let border = self.policy.area.as_ref().zip(place).and_then(|(area, place)| area.limit_mps(place));
        Envelope { gap_m: self.gap_m, ..self.policy.envelope.at_most(border) }
    }

    /// Whether a command may go to the robot, which is there, now, and as what.
    pub(crate) fn admit(
        &mut self,
        author: &Author,
        command: Command,
        place: Option<PlanarPose>,
        now: Timestamp,
    ) -> Result<Admission, Outcome> {
        let effect = command.motion_effect();
        if let Command::EmergencyStop(pressed) = command {
            return self.admit_emergency_stop(author, pressed, now);
        }
        if effect == MotionEffect::Stops {
            self.stopped(now);
            return Ok(Admission::Send(Bounded::within(command), None));
        }
        if !command.is_for_everybody() && self.policy.observes(author) {
            return Err(observer(author));
        }
        if let Some(name) = self.policy.forbids(&command) {
            return Err(Outcome::not_safe(format!(
                "the gateway's config does not allow {name} for this robot"
            )));
        }
        if self.has_area() && matches!(command, Command::SetPose { .. }) && !self.policy.names(&command) {
            return Err(Outcome::not_safe(
                "it has an area, which holds where it believes to be; list set_pose in `commands` of its [[authority]] to allow this",
            ));
        }
        if effect != MotionEffect::Moves && command.motion() != Motion::Starts {
            return Ok(Admission::Send(Bounded::unmoving(command), None));
        }
        if let Some(latch) = &self.latch {
            let Latch { author, .. } = latch;
            return Err(Outcome::not_safe(format!(
                "the emergency stop is pressed, by {author}; it moves again when that is released"
            )));
        }
        if !command.moves_base() {
            return Ok(Admission::Send(Bounded::unmoving(command), None));
        }
        if let Some(reason) = self.policy.area.as_ref().and_then(|area| area.forbids(&command, place)) {
            return Err(Outcome::not_safe(reason));
        }
        let envelope = self.envelope_at(place);
        let (bounded, mut note) = envelope.bound(command.clone())?;
        self.take_lease(author, &bounded, now)?;
        if let Some((outside, depth_m)) = self.outside.as_mut().zip(self.policy.depth_m(place)) {
            outside.returns(depth_m);
        }
        let before = self.setpoint.take();
        if !(self.has_area() || envelope.accelerates_slowly()) {
            return Ok(Admission::Send(Bounded::within(bounded), note));
        }
        // As it was asked for, since it may be faster elsewhere.
        let Some((setpoint, sent)) = Setpoint::begin(&command, before, &envelope, now) else {
            return Ok(Admission::Send(Bounded::within(bounded), note));
        };
        self.setpoint = Speed::of(&command).is_some_and(|it| !it.is_zero()).then_some(setpoint);
        if note.is_none() && Speed::of(&sent) != Speed::of(&command) {
            note = Some("it speeds up as slowly as the gateway's config says".into());
        }
        Ok(Admission::Send(Bounded::within(sent), note))
    }

    /// The robot did not take the speed that was commanded then: none is sent on the way to it.
    pub(crate) fn not_taken(&mut self, asked_at: Timestamp) {
        self.setpoint = self.setpoint.filter(|it| it.asked_at() != asked_at);
    }

    /// The robot cannot be reached: what was commanded before is not gone on with.
    pub(crate) fn lost(&mut self) {
        self.setpoint = None;
    }

    /// What has to be done now for the robot, which is there and moves or does not.
    pub(crate) fn duty(
        &mut self,
        place: Option<PlanarPose>,
        moves: bool,
        seen: impl Fn(&Author) -> Seen,
        now: Timestamp,
    ) -> Option<Duty> {
        if let Some(author) = self.take_orphan(seen, now) {
            return Some(Duty::StopOrphan(author));
        }
        if self.has_left(place, moves) {
            self.stopped(now);
            return Some(Duty::StopOutside);
        }
        let envelope = self.envelope_at(place);
        let next = self.setpoint.as_mut()?.step(&envelope, now)?;
        Some(Duty::Adjust(Bounded::within(next)))
    }

    /// Whether the robot has to be stopped since it is outside its area.
    fn has_left(&mut self, place: Option<PlanarPose>, moves: bool) -> bool {
        let Some(depth_m) = self.policy.depth_m(place) else { return false };
        if depth_m >= 0.0 {
            self.outside = None;
            return false;
        }
        let outside = self.outside.get_or_insert_default();
        moves && outside.stops(depth_m)
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
            return Ok(Admission::Send(Bounded::within(command), None));
        }
        if self.policy.observes(author) {
            return Err(observer(author));
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
            true => Ok(Admission::Send(Bounded::unmoving(Command::EmergencyStop(false)), None)),
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
        let lasts = command.motion().expires_after();
        let until = lasts.map_or(NEVER, |lasts| now.after(lasts.saturating_add(self.policy.hold)));
        self.lease = Some(Lease { author: author.clone(), since, until, priority });
        // A speed lasts until another or a stop.
        let is_open = lasts.is_none() && command.sets_speed();
        let was_connected = self.open.as_ref().is_some_and(|it| it.author == *author && it.by_connection);
        let by_connection = author.connection().is_some() || was_connected;
        self.open = is_open.then(|| OpenDrive { author: author.clone(), renewed: now, by_connection });
        Ok(())
    }

    /// A stop was given: nobody drives, but for the moment that the last driver keeps the robot.
    fn stopped(&mut self, now: Timestamp) {
        (self.open, self.setpoint) = (None, None);
        if let Some(lease) = &mut self.lease {
            lease.until = lease.until.min(now.after(self.policy.hold));
        }
    }

    /// What a robot drove for by itself has ended: its driver keeps it for a moment.
    pub(crate) fn arrived(&mut self, now: Timestamp) {
        self.stopped(now);
    }

    /// The author of a drive that must end now; the drive is forgotten. One without an end ends when its author's connection is gone
    /// or silent or, without one, when nothing came of it for too long; any ends with its author's role.
    fn take_orphan(&mut self, seen: impl Fn(&Author) -> Seen, now: Timestamp) -> Option<Author> {
        if let Some(lease) = self.lease(now).filter(|lease| seen(&lease.author).is_revoked) {
            let author = lease.author.clone();
            self.stopped(now);
            self.lease = None;
            return Some(author);
        }
        if self.policy.drive_until_stopped {
            return None;
        }
        let open = self.open.as_mut()?;
        let Seen { at, broke, .. } = seen(&open.author);
        let is_there = at.is_some();
        let was_there = std::mem::replace(&mut open.by_connection, is_there) && !is_there;
        // Which of its programs has driven the robot is not known.
        let broke = broke.is_some_and(|broke| broke >= open.renewed);
        let (last, patience) = match at {
            Some(at) if !self.policy.renew_drives => (at.max(open.renewed), self.policy.silence),
            _ => (open.renewed, self.policy.drive_timeout),
        };
        if !was_there && !broke && now.since(last) < patience {
            return None;
        }
        let author = open.author.clone();
        self.stopped(now);
        Some(author)
    }
}

fn observer(author: &Author) -> Outcome {
    Outcome::owned(format!("{author} may observe this robot, and give it no commands"))
}

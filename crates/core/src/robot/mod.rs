//! A robot's owner: what decides about its motion, in one place.
//!
//! ```text
//! command asked ─┐                                ┌─▶ send, refuse, done
//! sent, answered │     ┌─────────────────────┐    ├─▶ stop, adjust a speed
//! report ────────┼──▶  │ Robot::step         │ ───┼─▶ alerts have changed
//! link, policy   │     │ pure, under one lock│    ├─▶ its reports are needed, or no more
//! look ──────────┘     └─────────────────────┘    ├─▶ keep this for a restart
//!                                                 └─▶ look again at
//! ```
//!
//! Nothing here waits, asks a clock or sends: what is to be done comes back as [`Effect`]s, and the hub does it. What is not known
//! does not count as fine: a stop is owed until something shows that the robot stands ([`stop`]), and where a robot was counts
//! only until it may be elsewhere ([`evidence`]).

#[cfg(any(test, feature = "fuzzing"))]
mod bench;
mod event;
mod evidence;
mod poses;
mod stop;
#[cfg(test)]
mod tests;

#[cfg(feature = "fuzzing")]
pub use bench::fuzz;
pub(crate) use event::{Cause, Effect, Event};
pub use event::{Kept, MotionCondition, MotionKnown, Unstopped};
use evidence::{Evidence, Shown, before};
use stop::{Late, Look, Obligation};

use crate::authority::{Admission, Authority, Duty, Latch, Lease, Seen};
use crate::clock::Timestamp;
use crate::limits::{
    DRIVE_WATCH_INTERVAL, FIRST_DRIVE_WATCH_DELAY, MOTION_ANSWER_TIMEOUT, OVERSPEED_TIME, SETTING_OUT_TIMEOUT,
};
use crate::model::signal::{Alert, Severity};
use crate::model::{Author, Command, Kind, Motion, Outcome};

/// Kinds of reports that show whether a robot moves.
pub(crate) const EVIDENCE: [Kind; 6] = Evidence::KINDS;

/// What the alerts say, compared before and after an event to find a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    is_latched: bool,
    late: Option<Late>,
    is_outside: bool,
    is_lost: bool,
    is_too_fast: bool,
}

/// What decides about one robot's motion.
#[derive(Debug)]
pub(crate) struct Robot {
    authority: Authority,
    evidence: Evidence,
    stop: Option<Obligation>,
    /// When the last stop was given.
    stopped_at: Timestamp,
    late: Option<Late>,
    /// It is of the world in this process, which does what it answers.
    is_simulated: bool,
    is_up: bool,
    /// It was stopped since nobody knows where it is.
    is_lost: bool,
    too_fast_since: Option<Timestamp>,
    is_too_fast: bool,
    needs_reports: bool,
    may_move: bool,
}

impl Robot {
    /// A robot that was not here before, or that is held to what was kept of one of its name.
    pub(crate) fn new(authority: Authority, is_simulated: bool, kept: Kept, now: Timestamp) -> Self {
        let Kept { latch, may_move } = kept;
        let mut robot = Self {
            authority,
            evidence: Evidence::default(),
            stop: may_move.then(|| Obligation::due(now)),
            stopped_at: Timestamp::default(),
            late: None,
            is_simulated,
            is_up: false,
            is_lost: false,
            too_fast_since: None,
            is_too_fast: false,
            needs_reports: false,
            may_move,
        };
        robot.authority.restore(latch);
        robot
    }

    /// Takes an event in; what has to be done.
    pub(crate) fn step(&mut self, event: Event<'_>, now: Timestamp) -> Vec<Effect> {
        // By far the most frequent one, after which nothing has to be done at once.
        if let Event::Reported(update) = event {
            self.evidence.observe(update);
            return Vec::new();
        }
        let told = self.told();
        let mut effects = Vec::new();
        match event {
            Event::Asked { author, command, is_overtaken } => {
                let drove = self.authority.is_driven_openly_by(author);
                effects.push(self.asked(author, command, is_overtaken, now));
                // Before its author can leave: only who was seen to be connected is missed at once.
                if !drove && self.authority.is_driven_openly_by(author) {
                    effects.push(Effect::LookAt(now.after(FIRST_DRIVE_WATCH_DELAY)));
                }
            }
            Event::Sent { command, by_gateway } => self.sent(command, by_gateway, now),
            Event::Answered { motion, given, outcome, by_gateway } => {
                self.answered(motion, given, outcome, by_gateway, now)
            }
            Event::Link { is_up } => self.link(is_up, now),
            Event::Policy(policy) => self.authority.set_policy(policy),
            Event::Arrived => self.authority.arrived(now),
            Event::Look { seen } => self.look(seen, now, &mut effects),
            Event::SeenToStand => {
                self.evidence.stopped(now);
                (self.stop, self.late) = (None, None);
            }
            Event::Reported(_) => {}
        }
        self.follow_up(told, now, &mut effects);
        effects
    }

    /// What follows from how the robot stands now.
    fn follow_up(&mut self, told: Told, now: Timestamp, effects: &mut Vec<Effect>) {
        let is_told = self.told();
        if is_told != told {
            effects.push(Effect::Alerts);
        }
        let needs_reports = self.needs_reports_now(now);
        if std::mem::replace(&mut self.needs_reports, needs_reports) != needs_reports {
            effects.push(Effect::Reports);
        }
        let may_move = self.stop.is_some() || self.evidence.is_open(now);
        if std::mem::replace(&mut self.may_move, may_move) != may_move
            || is_told.is_latched != told.is_latched
        {
            effects.push(Effect::Keep);
        }
        if let Some(at) = self.next_look(now) {
            effects.push(Effect::LookAt(at));
        }
    }

    fn told(&self) -> Told {
        Told {
            is_latched: self.authority.latch().is_some(),
            late: self.late,
            is_outside: self.authority.is_outside(),
            is_lost: self.is_lost,
            is_too_fast: self.is_too_fast,
        }
    }

    fn asked(&mut self, author: &Author, command: Command, is_overtaken: bool, now: Timestamp) -> Effect {
        if is_overtaken {
            return Effect::Refuse(Outcome::stopped());
        }
        match self.authority.admit(author, command, self.evidence.place(now), now) {
            Ok(Admission::Send(command, note)) => Effect::Send(command, note),
            Ok(Admission::Done) => Effect::Done,
            Err(outcome) => Effect::Refuse(outcome),
        }
    }

    fn sent(&mut self, command: &Command, by_gateway: bool, now: Timestamp) {
        if !command.is_stop() {
            return self.evidence.commanded(command, now);
        }
        self.stopped_at = now;
        match &mut self.stop {
            None => self.stop = Some(Obligation::given(now)),
            // The gateway's own count with the first, unless something has moved the robot in between.
            Some(stop) if by_gateway && self.evidence.commanded_after(stop.given_at()).is_none() => {}
            Some(stop) => stop.given_again(now),
        }
    }

    fn answered(
        &mut self,
        motion: Motion,
        given: Timestamp,
        outcome: &Outcome,
        by_gateway: bool,
        now: Timestamp,
    ) {
        if motion == Motion::Stop {
            if outcome.is_ok() {
                self.evidence.stopped(given);
            }
            if let Some(stop) = &mut self.stop {
                stop.answered(outcome, given, now, by_gateway);
            }
            return;
        }
        if motion.moves_base() {
            self.evidence.answered(motion, given, outcome, now);
            if outcome.is_ok() && given >= self.stopped_at {
                // A later motion ends what it owed before.
                self.stop = None;
            } else if outcome.is_ok() {
                // It took what was given before a stop; what it reported until now shows nothing of that.
                self.stop = Some(Obligation::due(now));
            }
        }
        if matches!(motion, Motion::Speed { .. }) && !outcome.is_ok() {
            self.authority.not_taken(given);
        }
    }

    fn link(&mut self, is_up: bool, now: Timestamp) {
        let came = is_up && !std::mem::replace(&mut self.is_up, is_up);
        if !is_up {
            self.authority.lost();
        }
        if let Some(stop) = self.stop.as_mut().filter(|_| came) {
            stop.reached(now);
        }
    }

    fn look(&mut self, seen: &dyn Fn(&Author) -> Seen, now: Timestamp, effects: &mut Vec<Effect>) {
        let set_out = self.evidence.commanded_after(before(now, SETTING_OUT_TIMEOUT)).is_none();
        if self.authority.drives_by_itself() && !self.evidence.navigates() && set_out {
            self.authority.arrived(now);
        }
        let (place, moves) = (self.evidence.place(now), self.evidence.moves(now));
        match self.authority.duty(place, moves, seen, now) {
            Some(Duty::StopOrphan(author)) => effects.push(Effect::Stop(Cause::Orphan(author))),
            Some(Duty::StopOutside) => effects.push(Effect::Stop(Cause::Outside)),
            Some(Duty::Adjust(command)) => effects.push(Effect::Adjust(command)),
            None => {}
        }
        let is_lost = self.authority.has_area() && self.evidence.is_lost(now);
        if is_lost && !self.is_lost {
            effects.push(Effect::Stop(Cause::Lost));
        }
        // Once nothing moves it any more it is lost all the same, until it says where it is.
        self.is_lost = is_lost || self.is_lost && place.is_none();
        if self.runs_too_fast(now) {
            effects.push(Effect::Stop(Cause::TooFast));
        }
        effects.extend(self.look_at_stop(now).map(Effect::Stop));
    }

    /// Whether it has begun to be faster than its bounds, for long enough that it is no noise.
    fn runs_too_fast(&mut self, now: Timestamp) -> bool {
        let speed = self.evidence.speed(now);
        let exceeds = speed.is_some_and(|speed| self.authority.exceeds(speed));
        self.too_fast_since = exceeds.then(|| self.too_fast_since.unwrap_or(now));
        let is_too_fast = self.too_fast_since.is_some_and(|since| now.since(since) >= OVERSPEED_TIME);
        !std::mem::replace(&mut self.is_too_fast, is_too_fast) && is_too_fast
    }

    /// What its reports show since a stop was given.
    fn shown(&self, stop: &Obligation, now: Timestamp) -> Shown {
        match self.evidence.shows(stop.given_at(), now) {
            Shown::Unknown if self.is_simulated && stop.is_answered() => Shown::Stands,
            shown => shown,
        }
    }

    /// Why a stop has to be sent again, if it has to be.
    fn look_at_stop(&mut self, now: Timestamp) -> Option<Cause> {
        let Some(mut stop) = self.stop else {
            self.late = None;
            // Something else than a client moves it, such as a program of its own.
            let is_latched = self.authority.latch().is_some();
            if !is_latched || !self.is_up || self.evidence.shows(now, now) != Shown::Moves {
                return None;
            }
            self.stop = Some(Obligation::due(now));
            return self.look_at_stop(now);
        };
        if let Some(commanded) = self.evidence.commanded_after(stop.given_at()) {
            // A later motion is on its way. Who gave it may have gone before it was answered: then nobody knows whether the robot took it.
            if now.since(commanded) < MOTION_ANSWER_TIMEOUT {
                return None;
            }
            self.evidence.unanswered();
            stop.given_again(now);
            stop.is_due(now);
        }
        let shown = self.shown(&stop, now);
        let look = stop.look(shown, self.is_up, now);
        self.stop = (look != Look::Over).then_some(stop);
        self.late = self.stop.and_then(|stop| stop.late(shown, now, self.late));
        if look == Look::Over {
            self.evidence.stopped(now);
        }
        let Look::Again { voids } = look else { return None };
        Some(Cause::Again { repeats: stop.repeats(), voids })
    }

    fn needs_reports_now(&self, now: Timestamp) -> bool {
        let needs = |stop: &Obligation| stop.needs_reports(self.shown(stop, now), now);
        self.authority.has_area()
            || self.authority.is_bounded()
            || self.authority.latch().is_some()
            || self.stop.as_ref().is_some_and(needs)
    }

    /// When it has to be looked at next, if ever.
    fn next_look(&self, now: Timestamp) -> Option<Timestamp> {
        let is_watched = self.authority.lease(now).is_some()
            || self.authority.latch().is_some()
            || self.authority.has_area()
            || self.authority.is_bounded()
            || self.late.is_some() && self.stop.is_none()
            || self.may_move && self.stop.is_none();
        let look = is_watched.then(|| now.after(DRIVE_WATCH_INTERVAL));
        let stop = self.stop.map(|stop| stop.next_look(self.shown(&stop, now), now));
        [look, stop].into_iter().flatten().min()
    }

    /// Whether it may move now, judged by its commands and its own reports.
    pub(crate) fn moves(&self, now: Timestamp) -> bool {
        self.evidence.moves(now)
    }

    /// Whether it moves as far as is known, and why.
    pub(crate) fn condition(&self, now: Timestamp) -> MotionCondition {
        self.evidence.condition(now)
    }

    /// Whether it moved when it was heard last.
    pub(crate) fn moved_when_heard(&self, now: Timestamp) -> bool {
        self.evidence.moved_when_heard(now)
    }

    /// Whether the gateway needs its motion reports, even without a subscriber.
    pub(crate) const fn needs_reports(&self) -> bool {
        self.needs_reports
    }

    /// What a robot of its name must be held to after it went. What the world of this process simulates ends with it.
    pub(crate) fn kept(&self) -> Kept {
        Kept { latch: self.latch().cloned(), may_move: self.may_move && !self.is_simulated }
    }

    /// Whether it was given a stop, and nothing has shown yet that it stands.
    pub(crate) const fn owes_stop(&self) -> bool {
        self.stop.is_some()
    }

    /// The stop that it was given and that is late.
    pub(crate) fn unstopped(&self) -> Option<Unstopped> {
        Some(Unstopped { since: self.stop?.since(), message: self.late?.words() })
    }

    /// Who drives it, or drove it last, and whether that one drives it now.
    pub(crate) fn command_client(&self, now: Timestamp) -> (Option<&Lease>, bool) {
        (self.authority.last_lease(), self.authority.lease(now).is_some())
    }

    /// Who pressed its emergency stop.
    pub(crate) fn latch(&self) -> Option<&Latch> {
        self.authority.latch()
    }

    /// What the gateway finds wrong with it.
    pub(crate) fn alerts(&self) -> Vec<Alert> {
        let told = self.told();
        let pressed = self.latch().map(|it| format!("the emergency stop is pressed, by {}", it.author));
        let says = |is_so: bool, words: &str| is_so.then(|| words.to_owned());
        let all = [
            (1, pressed),
            (2, told.late.map(|it| it.words().to_owned())),
            (3, says(told.is_outside, "it is outside its area")),
            (4, says(told.is_lost, "it has an area, and does not report where it is")),
            (5, says(told.is_too_fast, "it is faster than the gateway's config allows")),
        ];
        let all = all.into_iter().filter_map(|(code, message)| Some((code, message?)));
        all.map(|(code, message)| Alert { code, severity: Severity::Error, message }).collect()
    }
}

//! What moves a robot, whatever dialect it speaks: a commanded speed, or something of its own, such as a navigator, a behaviour or a
//! task. It obeys stops late, refuses them, or accepts them and drives on; and it logs commands received and reports sent.
//!
//! ```text
//! told to move ──after a while──▶ driven ─┐                    ┌─▶ speed ─▶ what it reports, if it does
//! goes by itself ───────────────▶ own ────┴─ stop, if taken ───┤
//!                                   ▲                          └─▶ stands
//!                                   └── resumes after a while, so many times
//! ```

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use latimer_core::Timestamp;

use super::now;

/// How fast something of its own drives it, m/s.
pub(crate) const OWN_MPS: f64 = 0.3;

/// So long a speed from elsewhere wins over a navigator.
const HELD_FOR: Duration = Duration::from_millis(150);

/// What is wrong with a robot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faults {
    /// Delay between a command and its effect.
    pub(crate) takes: Duration,
    /// So long after the first stop it answers stops by an error, if its dialect has one.
    pub(crate) refuses_for: Duration,
    /// So long after the first stop it answers that it stops, and goes on.
    pub(crate) lies_for: Duration,
    /// How often something of its own moves it again after it took a stop.
    pub(crate) resumes: u32,
    /// How long it stands before that.
    pub(crate) resumes_after: Duration,
    /// It closes its connection after the first stop.
    pub(crate) hangs_up: bool,
    /// It tells how it moves.
    pub(crate) reports: bool,
}

impl Faults {
    /// A robot without any.
    pub(crate) const NONE: Self = Self {
        takes: Duration::ZERO,
        refuses_for: Duration::ZERO,
        lies_for: Duration::ZERO,
        resumes: 0,
        resumes_after: Duration::ZERO,
        hangs_up: false,
        reports: true,
    };
}

/// A command that a robot received, or a report that it sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// It received a command to move.
    Motion,
    /// It received a stop.
    Stop,
    /// It answered a stop well.
    Taken,
    /// It reported that it moves.
    Moves,
    /// It reported that it stands.
    Stands,
    /// Its connection is gone: nothing reaches it.
    Gone,
}

/// What a stop ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// Whatever moves it.
    All,
    /// The commanded speed alone: a part of a stop in its dialect.
    Speed,
    /// The same, and what is its own waits for a moment.
    SpeedAndHolds,
    /// What is its own.
    Own,
}

/// What comes into effect after a while.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// At this speed for so long.
    Speed(f64, Option<Duration>),
    /// By itself.
    Own,
    Stop(Ends),
    /// It says that it took a stop.
    Taken,
}

#[derive(Debug)]
struct State {
    faults: Faults,
    /// Its faults begin, since a stop comes next: before that it has none.
    is_armed: bool,
    first_stop: Option<Timestamp>,
    driven: Option<(f64, Option<Timestamp>)>,
    own: bool,
    held_until: Timestamp,
    resumes_at: Option<Timestamp>,
    pending: Vec<(Timestamp, Effect)>,
    /// How far it went, and until when that was reckoned.
    x_m: f64,
    reckoned: Timestamp,
    log: Vec<(Timestamp, Told)>,
}

/// A robot's base; see the module's head.
#[derive(Debug)]
pub(crate) struct Base(Mutex<State>);

impl Base {
    /// One that stands, and has no faults.
    pub(crate) fn new() -> Self {
        Self(Mutex::new(State {
            faults: Faults::NONE,
            is_armed: false,
            first_stop: None,
            driven: None,
            own: false,
            held_until: Timestamp::default(),
            resumes_at: None,
            pending: Vec::new(),
            x_m: 0.0,
            reckoned: now(),
            log: Vec::new(),
        }))
    }

    /// As it is by now.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.settle(now());
        state
    }

    /// A round begins: it stands, forgets what it was told, and has these faults.
    pub(crate) fn begin(&self, faults: Faults) {
        let mut state = self.state();
        (state.faults, state.is_armed, state.first_stop) = (faults, false, None);
        (state.driven, state.own, state.resumes_at) = (None, false, None);
        state.pending.clear();
        state.log.clear();
    }

    /// From now on what it is told to stop counts.
    pub(crate) fn arm(&self) {
        self.state().is_armed = true;
    }

    /// It begins to go by itself, or gives that up.
    pub(crate) fn go_by_itself(&self, goes: bool) {
        self.state().own = goes;
    }

    /// Delay between a command and its effect.
    pub(crate) fn takes(&self) -> Duration {
        self.state().faults.takes
    }

    /// It was told to go at a speed, for a time.
    pub(crate) fn told_to_move(&self, speed_mps: f64, lasts: Option<Duration>) {
        self.state().told(Some(Told::Motion), Effect::Speed(speed_mps, lasts));
    }

    /// It was told to go somewhere by itself.
    pub(crate) fn told_to_go(&self) {
        self.state().told(Some(Told::Motion), Effect::Own);
    }

    /// It was told to stop whatever moves it; whether it says that it does.
    pub(crate) fn told_to_stop(&self) -> bool {
        self.state().told_to_stop(Ends::All)
    }

    /// The same, with something of its own that only waits for a moment.
    pub(crate) fn told_to_hold(&self) -> bool {
        self.state().told_to_stop(Ends::SpeedAndHolds)
    }

    /// It was told that its speed is none, which is a part of a stop.
    pub(crate) fn told_to_stand(&self) {
        let mut state = self.state();
        if !state.is_deaf() {
            state.told(None, Effect::Stop(Ends::Speed));
        }
    }

    /// It was told to give up where it goes by itself, which is a part of a stop.
    pub(crate) fn told_to_give_up(&self) {
        let mut state = self.state();
        if !state.is_deaf() {
            state.told(None, Effect::Stop(Ends::Own));
        }
    }

    /// How fast it is, if it tells; it does by this.
    pub(crate) fn report(&self) -> Option<f64> {
        let mut state = self.state();
        let speed_mps = state.speed_mps();
        state.faults.reports.then(|| {
            state.log.push((now(), if speed_mps == 0.0 { Told::Stands } else { Told::Moves }));
            speed_mps
        })
    }

    /// Whether its connection has to be closed now; once.
    pub(crate) fn hangs_up(&self) -> bool {
        let mut state = self.state();
        let is_due = state.faults.hangs_up && state.first_stop.is_some();
        if is_due {
            state.faults.hangs_up = false;
            state.log.push((now(), Told::Gone));
        }
        is_due
    }

    /// Whether something of its own moves it.
    pub(crate) fn goes_by_itself(&self) -> bool {
        self.state().own
    }

    /// Where it is, metres from where it began.
    pub(crate) fn x_m(&self) -> f64 {
        self.state().x_m
    }

    /// Whether it stands, and nothing will move it again.
    pub(crate) fn stands_for_good(&self) -> bool {
        let state = self.state();
        let is_still = state.speed_mps() == 0.0 && !state.own && state.pending.is_empty();
        is_still && !state.is_deaf() && state.resumes_at.is_none()
    }

    /// What it was told and told, in order.
    pub(crate) fn log(&self) -> Vec<(Timestamp, Told)> {
        let mut log = self.state().log.clone();
        log.sort_by_key(|(at, _)| *at);
        log
    }

    /// When it was first told this, or told it.
    pub(crate) fn first(&self, told: Told) -> Option<Timestamp> {
        self.log().into_iter().find(|(_, it)| *it == told).map(|(at, _)| at)
    }

    /// How often it was told this, or told it.
    pub(crate) fn count(&self, told: Told) -> usize {
        self.state().log.iter().filter(|(_, it)| *it == told).count()
    }
}

impl State {
    fn told(&mut self, told: Option<Told>, effect: Effect) {
        let at = now();
        self.log.extend(told.map(|told| (at, told)));
        self.pending.push((at.after(self.faults.takes), effect));
    }

    fn told_to_stop(&mut self, ends: Ends) -> bool {
        let at = now();
        if !self.is_armed {
            self.told(None, Effect::Stop(ends));
            return true;
        }
        self.log.push((at, Told::Stop));
        let first = *self.first_stop.get_or_insert(at);
        if at.since(first) < self.faults.refuses_for {
            return false;
        }
        let taken = at.after(self.faults.takes);
        self.pending.push((taken, Effect::Taken));
        if !self.is_deaf() {
            self.pending.push((taken, Effect::Stop(ends)));
        }
        true
    }

    /// Whether it does not do what it is told to stop.
    fn is_deaf(&self) -> bool {
        let deaf_for = self.faults.refuses_for.max(self.faults.lies_for);
        self.is_armed
            && self.first_stop.is_none_or(|first| now().since(first) < deaf_for)
            && !deaf_for.is_zero()
    }

    fn speed_mps(&self) -> f64 {
        match (self.own && self.reckoned >= self.held_until, self.driven) {
            (true, _) => OWN_MPS,
            (false, Some((speed_mps, _))) => speed_mps,
            (false, None) => 0.0,
        }
    }

    /// Does what is due.
    fn settle(&mut self, at: Timestamp) {
        self.x_m += self.speed_mps() * at.since(self.reckoned).as_secs_f64();
        self.reckoned = at;
        let (due, pending): (Vec<_>, Vec<_>) = self.pending.drain(..).partition(|(due, _)| *due <= at);
        self.pending = pending;
        due.into_iter().for_each(|(due, effect)| self.come_into_effect(due, effect));
        if self.driven.is_some_and(|(_, until)| until.is_some_and(|until| until <= at)) {
            self.driven = None;
        }
        if self.resumes_at.is_some_and(|resumes_at| resumes_at <= at) {
            (self.resumes_at, self.own) = (None, true);
        }
    }

    fn come_into_effect(&mut self, at: Timestamp, effect: Effect) {
        match effect {
            Effect::Speed(speed_mps, lasts) => {
                self.driven = Some((speed_mps, lasts.map(|lasts| at.after(lasts))));
            }
            Effect::Own => self.own = true,
            Effect::Taken => self.log.push((at, Told::Taken)),
            Effect::Stop(ends) => {
                let moved = self.own || self.driven.is_some();
                if ends != Ends::Own {
                    self.driven = None;
                }
                if ends == Ends::SpeedAndHolds {
                    self.held_until = at.after(HELD_FOR);
                }
                if matches!(ends, Ends::All | Ends::Own) {
                    self.own = false;
                }
                // Something of its own begins anew, once nothing moves it any more.
                if self.is_armed && moved && !self.own && self.driven.is_none() && self.faults.resumes > 0 {
                    self.faults.resumes -= 1;
                    self.resumes_at = Some(at.after(self.faults.resumes_after));
                }
            }
        }
    }
}

//! When the next step is due: at which speed the world's time goes beside the clock's.
//!
//! ```text
//!            pause, speed 0                     step(n)
//!  Running ─────────────────▶ Standing ─────────────────▶ Standing, n steps due at once
//!     ▲────── resume, speed ──────┘
//! ```
//!
//! The world's time begins when the world begins and from then on only steps move it, so that the same
//! commands at the same steps make the same updates at any speed. Only at the clock's own speed is time
//! that no machine keeps up with left out, so that stamps stay near the clock.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::Refusal;
use latimer_simulator_api::Pace;

use crate::limits::MAX_LAG;
use crate::physics::STEPS_PER_SECOND;

/// Time between two steps at the clock's own speed.
const STEP: Duration = Duration::from_nanos(STEP_NS);

const STEP_NS: u64 = 1_000_000_000 / STEPS_PER_SECOND;

/// Fastest speed.
pub const MAX_SPEED: f64 = 100.0;

/// When steps are due.
#[derive(Clone, Debug)]
pub(super) struct Pacer {
    speed: f64,
    before_pause: f64,
    /// Steps that are due at once although time stands still.
    single: u32,
    /// At this moment of the clock, this many steps were done.
    since: Timestamp,
    done_then: u64,
    done: u64,
    /// The world's time at its first step.
    epoch: Timestamp,
}

impl Pacer {
    /// A world that begins now, at a speed.
    pub(super) fn new(now: Timestamp, speed: f64) -> Self {
        let speed = speed.clamp(0.0, MAX_SPEED);
        let before_pause = if speed > 0.0 { speed } else { 1.0 };
        Self { speed, before_pause, single: 0, since: now, done_then: 0, done: 0, epoch: now }
    }

    /// Changes the pace; the reason if that cannot be.
    pub(super) fn set(&mut self, pace: Pace, now: Timestamp) -> Result<(), Refusal> {
        let speed = match pace {
            Pace::Speed(speed) if (0.0..=MAX_SPEED).contains(&speed) => speed,
            Pace::Speed(speed) => {
                return Err(Refusal::bad_argument(format!(
                    "{speed} is no speed; give a number from 0 to {MAX_SPEED}"
                )));
            }
            Pace::Pause => 0.0,
            Pace::Resume if self.speed > 0.0 => return Ok(()),
            Pace::Resume => self.before_pause,
            Pace::Step(_) if self.speed > 0.0 => {
                return Err(Refusal::not_now("the world is running; pause it before single steps"));
            }
            Pace::Step(steps) => {
                // It is due now, not since the world stands still.
                self.anchor(now);
                self.single = self.single.saturating_add(steps);
                return Ok(());
            }
        };
        if self.speed > 0.0 {
            self.before_pause = self.speed;
        }
        self.speed = speed;
        self.anchor(now);
        Ok(())
    }

    /// How many times as fast as the clock; while it stands still, as it will go on.
    pub(super) fn speed(&self) -> f64 {
        if self.is_paused() { self.before_pause } else { self.speed }
    }

    /// Whether it stands still.
    pub(super) fn is_paused(&self) -> bool {
        self.speed == 0.0
    }

    /// When the next step is due; not at all while time stands still.
    pub(super) fn due(&self) -> Option<Timestamp> {
        if self.single > 0 {
            return Some(self.since);
        }
        (self.speed > 0.0).then(|| {
            let steps = (self.done - self.done_then) as f64;
            self.since.after(STEP.mul_f64(steps / self.speed))
        })
    }

    /// Takes the next step: the world's time of it, and how much time was left out before it.
    pub(super) fn step(&mut self, now: Timestamp) -> (Timestamp, Duration) {
        let late = self.due().map_or(Duration::ZERO, |due| now.since(due));
        if self.single > 0 {
            self.single -= 1;
        } else if late > MAX_LAG {
            if self.speed == 1.0 {
                self.epoch = self.epoch.after(late);
            }
            self.anchor(now);
        }
        let at = self.epoch.after(Duration::from_nanos(self.done.saturating_mul(STEP_NS)));
        self.done += 1;
        if self.speed == 0.0 {
            self.anchor(now);
        }
        (at, if late > MAX_LAG { late } else { Duration::ZERO })
    }

    fn anchor(&mut self, now: Timestamp) {
        (self.since, self.done_then) = (now, self.done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_nanos(ms * 1_000_000)
    }

    #[test]
    fn speed_changes_when_steps_are_due_but_not_their_time() {
        let mut pacer = Pacer::new(at(0), 10.0);
        for step in 0..100 {
            assert_eq!(pacer.due(), Some(at(step)));
            assert_eq!(pacer.step(at(step)).0, at(10 * step));
        }
        pacer.set(Pace::Speed(0.5), at(100)).unwrap();
        assert_eq!(pacer.step(at(100)).0, at(1_000));
        assert_eq!(pacer.due(), Some(at(120)));
    }

    #[test]
    fn a_standing_world_goes_by_single_steps() {
        let mut pacer = Pacer::new(at(0), 1.0);
        assert!(pacer.set(Pace::Step(1), at(0)).unwrap_err().reason.contains("pause"));
        pacer.set(Pace::Pause, at(0)).unwrap();
        assert_eq!(pacer.due(), None);
        pacer.set(Pace::Step(2), at(5_000)).unwrap();
        assert_eq!(pacer.step(at(5_000)), (at(0), Duration::ZERO));
        assert_eq!(pacer.step(at(5_000)), (at(10), Duration::ZERO));
        assert_eq!(pacer.due(), None);
        pacer.set(Pace::Resume, at(9_000)).unwrap();
        assert_eq!(pacer.due(), Some(at(9_000)));
        assert_eq!(pacer.step(at(9_000)).0, at(20));
    }

    #[test]
    fn a_little_late_is_caught_up_and_very_late_is_left_out() {
        let mut pacer = Pacer::new(at(0), 1.0);
        pacer.step(at(0));
        assert_eq!(pacer.step(at(160)), (at(10), Duration::ZERO));
        assert_eq!(pacer.due(), Some(at(20)));
        let (time, left_out) = pacer.step(at(3_600_020));
        assert_eq!((time, left_out), (at(3_600_020), Duration::from_secs(3_600)));
        assert_eq!(pacer.due(), Some(at(3_600_030)));
    }

    #[test]
    fn a_fast_world_that_cannot_keep_up_leaves_nothing_out() {
        let mut pacer = Pacer::new(at(0), 10.0);
        pacer.step(at(0));
        let (time, late) = pacer.step(at(5_000));
        assert_eq!(time, at(10));
        assert!(late > Duration::ZERO);
        assert_eq!(pacer.due(), Some(at(5_001)));
    }
}

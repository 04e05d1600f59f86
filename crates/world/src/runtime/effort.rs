//! Which share of the time steps take, smoothed over about a second.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_simulator_api::LoadMeter;

use super::pacer::Pacer;

/// Time over which a share is taken.
const WINDOW: Duration = Duration::from_millis(250);

/// How much of a new share is taken over.
const FRESH: f64 = 0.3;

/// What steps cost.
pub(super) struct Effort {
    meter: LoadMeter,
    since: Timestamp,
    /// Time that steps took since then.
    busy: Duration,
    ratio: f64,
}

impl Effort {
    pub(super) fn new(meter: LoadMeter, now: Timestamp) -> Self {
        Self { meter, since: now, busy: Duration::ZERO, ratio: 0.0 }
    }

    /// Tells how fast the world goes now.
    pub(super) fn goes(&self, pacer: &Pacer) {
        self.meter.set_speed(if pacer.is_paused() { 0.0 } else { pacer.speed() });
    }

    /// A step took so long.
    pub(super) fn stepped(&mut self, took: Duration, late: bool) {
        self.busy += took;
        self.meter.stepped(took, late);
    }

    /// Takes over a new share once it is time.
    pub(super) fn look(&mut self, now: Timestamp) {
        let whole = now.since(self.since);
        if whole < WINDOW {
            return;
        }
        let share = (self.busy.as_secs_f64() / whole.as_secs_f64()).min(1.0);
        self.ratio += FRESH * (share - self.ratio);
        (self.since, self.busy) = (now, Duration::ZERO);
        self.meter.set_load_ratio(self.ratio);
    }

    /// The share, 0..1.
    pub(super) fn ratio(&self) -> f64 {
        self.ratio
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_follows_what_steps_take() {
        let at = |ms: i64| Timestamp::from_nanos(ms * 1_000_000);
        let mut effort = Effort::new(LoadMeter::default(), at(0));
        for step in 1..=500 {
            effort.stepped(Duration::from_millis(4), step == 7);
            effort.look(at(10 * step));
        }
        assert!((effort.ratio() - 0.4).abs() < 0.01, "{}", effort.ratio());
        let load = effort.meter.read();
        assert_eq!((load.steps, load.late_steps, load.busy), (500, 1, Duration::from_secs(2)));
        (500..1_000).for_each(|step| effort.look(at(10 * step)));
        assert!(effort.ratio() < 0.01, "nothing to do");
    }
}

//! Load of the world: counted by its thread, read by any other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How hard the world works.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorldLoad {
    /// Steps done.
    pub steps: u64,
    /// How long they took in all.
    pub busy: Duration,
    /// Steps that came much later than they were due.
    pub late_steps: u64,
    /// How many times as fast as the clock the world shall go; 0 stands still.
    pub speed: f64,
    /// Share of the time that steps take, of late, 0..1.
    pub load_ratio: f64,
}

/// The counters; cheap to clone. Only the world's thread writes.
#[derive(Clone, Debug, Default)]
pub struct LoadMeter(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    steps: AtomicU64,
    busy_ns: AtomicU64,
    late_steps: AtomicU64,
    /// The bits of a float.
    speed: AtomicU64,
    /// The bits of a float.
    load_ratio: AtomicU64,
}

impl LoadMeter {
    /// A step took so long, and began late or not.
    pub fn stepped(&self, took: Duration, late: bool) {
        self.0.steps.fetch_add(1, Ordering::Relaxed);
        self.0.busy_ns.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.0.late_steps.fetch_add(u64::from(late), Ordering::Relaxed);
    }

    /// The world shall go so many times as fast as the clock.
    pub fn set_speed(&self, speed: f64) {
        self.0.speed.store(speed.to_bits(), Ordering::Relaxed);
    }

    /// Steps take this share of the time of late.
    pub fn set_load_ratio(&self, ratio: f64) {
        self.0.load_ratio.store(ratio.to_bits(), Ordering::Relaxed);
    }

    /// All of it as it is now.
    pub fn read(&self) -> WorldLoad {
        let Counters { steps, busy_ns, late_steps, speed, load_ratio } = &*self.0;
        WorldLoad {
            steps: steps.load(Ordering::Relaxed),
            busy: Duration::from_nanos(busy_ns.load(Ordering::Relaxed)),
            late_steps: late_steps.load(Ordering::Relaxed),
            speed: f64::from_bits(speed.load(Ordering::Relaxed)),
            load_ratio: f64::from_bits(load_ratio.load(Ordering::Relaxed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_read() {
        let meter = LoadMeter::default();
        assert_eq!(meter.read(), WorldLoad::default());
        meter.stepped(Duration::from_millis(2), false);
        meter.stepped(Duration::from_millis(3), true);
        meter.set_speed(2.5);
        meter.set_load_ratio(0.4);
        let busy = Duration::from_millis(5);
        assert_eq!(meter.read(), WorldLoad { steps: 2, busy, late_steps: 1, speed: 2.5, load_ratio: 0.4 });
    }
}

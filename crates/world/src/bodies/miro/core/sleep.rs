//! How awake it is: wakefulness and the pressure to sleep are a relaxation oscillator, with the published parameters.
//!
//! Awake, the pressure rises for about six minutes until the robot falls asleep; asleep it falls for two until the robot wakes. What
//! happens to the robot wakes it and takes pressure off.

use latimer_core::model::Pull;
use latimer_core::model::signal;

use super::TICK_S;
use super::switches::{Part, Switches};

/// Change of the pressure in a tick, by wakefulness and its square (published).
const PRESSURE: [f64; 2] = [0.000_2, -0.000_2];
/// Change of the wakefulness in a tick, by pressure, wakefulness and its cube (published).
const WAKEFULNESS: [f64; 3] = [-0.002, 0.004, -0.016];
/// How much faster all of it goes on request (published).
const FASTER: f64 = 25.0;

/// How fast a stimulus wakes, and takes pressure off, a second (plausible).
const WAKES_PER_S: f64 = 2.0;
const RESTS_PER_S: f64 = 0.1;

/// Below this wakefulness the lids begin to close, and the robot is asleep.
const DROWSY: f64 = 0.7;
const ASLEEP: f64 = 0.5;

/// Wakefulness and pressure, 0..1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sleep {
    pub(super) wakefulness: f64,
    pub(super) pressure: f64,
}

impl Sleep {
    /// Wide awake and rested.
    pub(super) const fn new() -> Self {
        Self { wakefulness: 1.0, pressure: 0.0 }
    }

    /// Lives through a tick, in which something happens to the robot or not.
    pub(super) fn tick(&mut self, stimulated: bool, switches: &Switches) {
        if !switches.is_on(Part::Affect) {
            return;
        }
        if !switches.is_on(Part::Sleep) {
            *self = Self::new();
            return;
        }
        // The equations are about the middle.
        let (w, p) = (self.wakefulness - 0.5, self.pressure - 0.5);
        let pace = if switches.is_on(Part::FastSleep) { FASTER } else { 1.0 };
        let [by_w, by_w2] = PRESSURE;
        self.pressure += pace * (by_w * w + by_w2 * w * w);
        let [by_p, by_w, by_w3] = WAKEFULNESS;
        self.wakefulness += pace * (by_p * p + by_w * w + by_w3 * w * w * w);
        if stimulated {
            self.wakefulness += WAKES_PER_S * TICK_S;
            self.pressure -= RESTS_PER_S * TICK_S;
        }
        self.hold();
    }

    /// Pulls both, by a share of what is missing.
    pub(super) fn pull(&mut self, Pull { target, gain_ratio }: &Pull<signal::Sleep>) {
        self.wakefulness += gain_ratio * (target.wakefulness_ratio - self.wakefulness);
        self.pressure += gain_ratio * (target.pressure_ratio - self.pressure);
        self.hold();
    }

    fn hold(&mut self) {
        self.wakefulness = self.wakefulness.clamp(0.0, 1.0);
        self.pressure = self.pressure.clamp(0.0, 1.0);
    }

    /// Whether it is asleep.
    pub(super) fn is_asleep(&self) -> bool {
        self.wakefulness < ASLEEP
    }

    /// How far the lids are closed by it, 0..1.
    pub(super) fn closure(&self) -> f64 {
        ((DROWSY - self.wakefulness) / (DROWSY - ASLEEP)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds until it is asleep, or awake.
    fn until(sleep: &mut Sleep, asleep: bool, switches: &Switches) -> f64 {
        let ticks = (0..100_000).take_while(|_| {
            sleep.tick(false, switches);
            sleep.is_asleep() != asleep
        });
        ticks.count() as f64 * TICK_S
    }

    #[test]
    fn it_sleeps_and_wakes_over_minutes_and_faster_on_request() {
        let (mut sleep, mut switches) = (Sleep::new(), Switches::default());
        let awake_s = until(&mut sleep, true, &switches);
        assert!((240.0..600.0).contains(&awake_s) && sleep.pressure > 0.7, "{awake_s} {sleep:?}");
        let asleep_s = until(&mut sleep, false, &switches);
        assert!((60.0..300.0).contains(&asleep_s) && sleep.pressure < 0.3, "{asleep_s} {sleep:?}");
        switches.set("fast_sleep", true);
        let fast_s = until(&mut Sleep::new(), true, &switches);
        assert!((awake_s / 40.0..awake_s / 15.0).contains(&fast_s), "{fast_s}");
    }

    #[test]
    fn without_sleep_it_is_wide_awake_and_stimuli_wake_it() {
        let mut switches = Switches::default();
        let mut sleep = Sleep { wakefulness: 0.0, pressure: 0.6 };
        (0..50).for_each(|_| sleep.tick(true, &switches));
        assert!(sleep.wakefulness > 0.9 && sleep.pressure < 0.6, "{sleep:?}");
        switches.set("sleep", false);
        sleep.tick(false, &switches);
        assert_eq!(sleep, Sleep::new());
    }
}

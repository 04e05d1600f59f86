//! Two tracks and their motors: they reach a wanted speed in time, hold it, or stall.

use super::Speeds;
use crate::acoustics::{Emission, Kind};
use crate::physics::Motion2;

/// How loud motors hum at 1 m/s, and at most, 0..1 (plausible).
const MOTORS_AT_1_MPS: f64 = 0.2;
const MOTORS_LOUDEST: f64 = 0.15;

/// Wanted but not reached for this long is a stall, seconds.
const STALL_S: f64 = 0.6;

/// What the motors can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackLimits {
    /// Between the tracks, metres.
    pub gap_m: f64,
    /// Speeding up, m/s².
    pub speed_up_mps2: f64,
    /// Slowing down, m/s².
    pub slow_down_mps2: f64,
    /// Changing the turn rate, rad/s².
    pub spin_radps2: f64,
}

/// The tracks.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracks {
    limits: TrackLimits,
    want: Speeds,
    running: Speeds,
    stalled_s: f64,
}

impl Tracks {
    /// Tracks at rest.
    pub fn new(limits: TrackLimits) -> Self {
        Self { limits, want: Speeds::REST, running: Speeds::REST, stalled_s: 0.0 }
    }

    /// What the motors can do.
    pub fn limits(&self) -> &TrackLimits {
        &self.limits
    }

    /// Sets how fast the motors change their speed, m/s².
    pub fn set_accelerations(&mut self, speed_up_mps2: f64, slow_down_mps2: f64) {
        self.limits = TrackLimits { speed_up_mps2, slow_down_mps2, ..self.limits };
    }

    /// Sets the speeds to be reached.
    pub fn want(&mut self, speeds: Speeds) {
        self.want = speeds;
    }

    /// Lets the motors go after a stall.
    pub fn relax(&mut self) {
        self.want = Speeds::REST;
        self.stalled_s = 0.0;
    }

    /// The speeds for the next step, given how the chassis really moves.
    pub fn push(&self, motion: Motion2, step_s: f64) -> Speeds {
        self.toward(Speeds { linear_mps: motion.forward_mps, angular_radps: motion.turn_radps }, step_s)
    }

    /// The floor carried the tracks along: they ran as the chassis moved.
    pub fn felt(&mut self, motion: Motion2, step_s: f64) {
        self.running = Speeds { linear_mps: motion.forward_mps, angular_radps: motion.turn_radps };
        let blocked = |want: f64, is: f64, least: f64| want.abs() > least && is * want.signum() < 0.2 * least;
        let stalls = blocked(self.want.linear_mps, self.running.linear_mps, 0.04)
            || blocked(self.want.angular_radps, self.running.angular_radps, 0.15);
        self.stalled_s = if stalls { self.stalled_s + step_s } else { 0.0 };
    }

    /// The tracks hang in the air and run freely.
    pub fn spin_free(&mut self, step_s: f64) {
        self.running = self.toward(self.running, step_s);
        self.stalled_s = 0.0;
    }

    /// Speeds of the left and the right track, m/s.
    pub fn speeds_mps(&self) -> [f64; 2] {
        let half = self.running.angular_radps * self.limits.gap_m / 2.0;
        [self.running.linear_mps - half, self.running.linear_mps + half]
    }

    /// How the tracks run, as one speed of the whole robot.
    pub fn running(&self) -> Speeds {
        self.running
    }

    /// The hum of the motors, if they turn.
    pub fn emission(&self) -> Option<Emission> {
        let fastest_mps = self.speeds_mps().into_iter().map(f64::abs).fold(0.0, f64::max);
        let level = (MOTORS_AT_1_MPS * fastest_mps).min(MOTORS_LOUDEST);
        (level > 0.001).then_some(Emission { kind: Kind::Noise, level })
    }

    /// Whether the motors push in vain.
    pub fn is_stalled(&self) -> bool {
        self.stalled_s > STALL_S
    }

    /// For how long the motors have pushed in vain, seconds.
    pub fn stalled_s(&self) -> f64 {
        self.stalled_s
    }

    /// Whether they push in vain forward or turning, which something ahead may cause.
    pub fn is_stalled_ahead(&self) -> bool {
        self.is_stalled() && self.want.linear_mps >= 0.0
    }

    /// Whether they push in vain backward.
    pub fn is_stalled_behind(&self) -> bool {
        self.is_stalled() && self.want.linear_mps < 0.0
    }

    fn toward(&self, from: Speeds, step_s: f64) -> Speeds {
        let slows = self.want.linear_mps.abs() < from.linear_mps.abs()
            || self.want.linear_mps * from.linear_mps < 0.0;
        let rate = if slows { self.limits.slow_down_mps2 } else { self.limits.speed_up_mps2 };
        let approach =
            |from: f64, to: f64, rate: f64| from + (to - from).clamp(-rate * step_s, rate * step_s);
        Speeds {
            linear_mps: approach(from.linear_mps, self.want.linear_mps, rate),
            angular_radps: approach(from.angular_radps, self.want.angular_radps, self.limits.spin_radps2),
        }
    }
}

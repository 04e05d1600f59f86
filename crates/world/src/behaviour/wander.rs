//! Wandering: straight on with small bends, slower before obstacles, away from whatever is met.
//!
//! ```text
//!            hazard, stuck                 far enough
//!  Cruise ─────────────────▶ BackOff ─────────────────▶ Turn ──▶ Cruise
//!     └──────── too near ahead ───────────────────────▶ Turn
//!                                BackOff ◀──cannot turn──┘
//!                      BackOff ──cannot back──▶ Ahead ──▶ Turn
//! ```

use super::{Gesture, Intent, Senses};
use crate::geometry::wrap_angle;
use crate::rng::Rng;

/// Usual speed, m/s.
const CRUISE_MPS: f64 = 0.22;

/// Turn rate on the spot, rad/s.
const TURN_RADPS: f64 = 0.8;

/// Nearer than this ahead it turns away, metres.
const NEAR_M: f64 = 0.35;

/// Nearer than this on a side it bends away, metres.
const BESIDE_M: f64 = 0.3;

/// How far it backs off, metres.
const BACK_OFF_M: f64 = 0.18;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Cruise { bend_radps: f64, until_s: f64 },
    BackOff { from_m: f64, until_s: f64, turn_rad: f64 },
    Turn { heading_rad: f64, until_s: f64 },
    Ahead { until_s: f64, turn_rad: f64 },
}

/// The behaviour.
#[derive(Clone, Debug)]
pub(crate) struct Wander {
    rng: Rng,
    mode: Mode,
    gesture_s: f64,
    progress: (f64, f64),
}

impl Wander {
    pub(super) fn new(rng: Rng) -> Self {
        Self {
            rng,
            mode: Mode::Cruise { bend_radps: 0.0, until_s: 0.0 },
            gesture_s: 0.0,
            progress: (0.0, 0.0),
        }
    }

    pub(super) fn resume(&mut self) {
        self.mode = Mode::Cruise { bend_radps: 0.0, until_s: 0.0 };
    }

    pub(super) fn act(&mut self, senses: &Senses) -> Intent {
        let gesture = self.gesture(senses.time_s);
        let (forward_mps, turn_radps) = if senses.helpless { (0.0, 0.0) } else { self.drive(senses) };
        Intent { forward_mps, turn_radps, gesture, ..Intent::default() }
    }

    fn drive(&mut self, senses: &Senses) -> (f64, f64) {
        match self.mode {
            Mode::Cruise { bend_radps, until_s } => self.cruise(senses, bend_radps, until_s),
            Mode::BackOff { from_m, until_s, turn_rad } => {
                let backed_m = from_m - senses.travelled_m;
                if backed_m < BACK_OFF_M && senses.time_s < until_s && !senses.rear_hazard {
                    return (-0.12, 0.0);
                }
                if backed_m < 0.3 * BACK_OFF_M && senses.front_hazard.is_none() {
                    // Held from behind as well: the only other way is ahead.
                    self.mode = Mode::Ahead { until_s: senses.time_s + 1.5, turn_rad };
                } else {
                    self.turn_by(senses, turn_rad);
                }
                (0.0, 0.0)
            }
            Mode::Ahead { until_s, turn_rad } => {
                if senses.time_s < until_s && senses.front_hazard.is_none() {
                    return (0.1, 0.5_f64.copysign(turn_rad));
                }
                self.turn_by(senses, turn_rad);
                (0.0, 0.0)
            }
            Mode::Turn { heading_rad, until_s } => {
                let off = wrap_angle(heading_rad - senses.yaw_rad);
                if off.abs() > 0.12 && senses.time_s < until_s {
                    return (0.0, TURN_RADPS.copysign(off));
                }
                if off.abs() > 0.5 {
                    // Something holds it, so that it cannot turn where it is.
                    self.back_off(senses, if off > 0.0 { -1.0 } else { 1.0 });
                    return (0.0, 0.0);
                }
                self.mode = Mode::Cruise { bend_radps: 0.0, until_s: 0.0 };
                self.progress = (senses.time_s, senses.travelled_m);
                (0.0, 0.0)
            }
        }
    }

    fn cruise(&mut self, senses: &Senses, bend_radps: f64, until_s: f64) -> (f64, f64) {
        if let Some(side) = senses.front_hazard {
            self.back_off(senses, if side > 0.0 { -1.0 } else { 1.0 });
            return (0.0, 0.0);
        }
        let near = |distance: Option<f64>, limit: f64| distance.is_some_and(|m| m < limit);
        if near(senses.ahead_m, NEAR_M) || near(senses.left_m, 0.15) || near(senses.right_m, 0.15) {
            let free = |distance: Option<f64>| distance.unwrap_or(2.0);
            let way = if free(senses.left_m) > free(senses.right_m) { 1.0 } else { -1.0 };
            let turn = self.rng.between(0.9, 2.2) * way;
            self.turn_by(senses, turn);
            return (0.0, 0.0);
        }
        if self.is_stuck(senses) {
            self.back_off(senses, 1.0);
            return (0.0, 0.0);
        }
        if senses.time_s >= until_s {
            let bend = (self.rng.between(-0.25, 0.25) * 20.0).round() / 20.0;
            self.mode =
                Mode::Cruise { bend_radps: bend, until_s: senses.time_s + self.rng.between(1.5, 5.0) };
        }
        let speed = if near(senses.ahead_m, 2.0 * NEAR_M) { CRUISE_MPS / 2.0 } else { CRUISE_MPS };
        if near(senses.left_m, BESIDE_M) {
            return (speed, -0.4);
        }
        if near(senses.right_m, BESIDE_M) {
            return (speed, 0.4);
        }
        (speed, bend_radps)
    }

    fn is_stuck(&mut self, senses: &Senses) -> bool {
        let (since_s, from_m) = self.progress;
        if (senses.travelled_m - from_m).abs() > 0.05 {
            self.progress = (senses.time_s, senses.travelled_m);
            return false;
        }
        senses.time_s - since_s > 3.0
    }

    fn back_off(&mut self, senses: &Senses, way: f64) {
        let turn_rad = self.rng.between(1.2, 2.6) * way;
        self.mode = Mode::BackOff { from_m: senses.travelled_m, until_s: senses.time_s + 3.0, turn_rad };
        self.progress = (senses.time_s, senses.travelled_m);
    }

    fn turn_by(&mut self, senses: &Senses, turn_rad: f64) {
        let heading_rad = wrap_angle(senses.yaw_rad + turn_rad);
        self.mode = Mode::Turn { heading_rad, until_s: senses.time_s + 5.0 };
    }

    fn gesture(&mut self, time_s: f64) -> Option<Gesture> {
        if time_s < self.gesture_s {
            return None;
        }
        self.gesture_s = time_s + self.rng.between(2.0, 6.0);
        Some(Gesture {
            head_left: self.rng.between(-0.5, 0.5),
            head_down: self.rng.between(-0.3, 0.2),
            arms_down: self.rng.between(0.2, 0.9),
        })
    }
}

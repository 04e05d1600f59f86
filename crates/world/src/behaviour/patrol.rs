//! Patrol: a square, side by side, by the robot's own odometry and gyroscope.

use std::f64::consts::FRAC_PI_2;

use super::{Intent, Senses};
use crate::geometry::wrap_angle;

/// Length of a side, metres.
const SIDE_M: f64 = 1.0;

/// Speed, m/s.
const SPEED_MPS: f64 = 0.25;

/// How long it waits for an obstacle to go before it turns early, seconds.
const WAIT_S: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Leg {
    Start,
    Side { from_m: f64, waits_since_s: Option<f64> },
    Back { from_m: f64 },
    Corner,
}

/// The behaviour.
#[derive(Clone, Debug)]
pub(crate) struct Patrol {
    leg: Leg,
    heading_rad: f64,
}

impl Default for Patrol {
    fn default() -> Self {
        Self { leg: Leg::Start, heading_rad: 0.0 }
    }
}

impl Patrol {
    pub(super) fn resume(&mut self) {
        self.leg = Leg::Start;
    }

    pub(super) fn act(&mut self, senses: &Senses) -> Intent {
        let (forward_mps, turn_radps) = if senses.helpless { (0.0, 0.0) } else { self.drive(senses) };
        Intent { forward_mps, turn_radps, ..Intent::default() }
    }

    fn drive(&mut self, senses: &Senses) -> (f64, f64) {
        let off = wrap_angle(self.heading_rad - senses.yaw_rad);
        match self.leg {
            Leg::Start => {
                self.heading_rad = senses.yaw_rad;
                self.leg = Leg::Side { from_m: senses.travelled_m, waits_since_s: None };
                (0.0, 0.0)
            }
            Leg::Side { from_m, .. } if senses.travelled_m - from_m >= SIDE_M => self.corner(),
            Leg::Side { .. } if senses.front_hazard.is_some() => {
                self.leg = Leg::Back { from_m: senses.travelled_m };
                (0.0, 0.0)
            }
            Leg::Side { from_m, waits_since_s } if senses.ahead_m.is_some_and(|m| m < 0.3) => {
                let since_s = waits_since_s.unwrap_or(senses.time_s);
                self.leg = Leg::Side { from_m, waits_since_s: Some(since_s) };
                if senses.time_s - since_s > WAIT_S { self.corner() } else { (0.0, 0.0) }
            }
            Leg::Side { from_m, .. } => {
                self.leg = Leg::Side { from_m, waits_since_s: None };
                let steer = (off * 20.0).round() / 20.0;
                (SPEED_MPS, steer.clamp(-0.4, 0.4))
            }
            Leg::Back { from_m } if from_m - senses.travelled_m < 0.15 && !senses.rear_hazard => (-0.12, 0.0),
            Leg::Back { .. } => self.corner(),
            Leg::Corner if off.abs() > 0.1 => (0.0, 0.7_f64.copysign(off)),
            Leg::Corner => {
                self.leg = Leg::Side { from_m: senses.travelled_m, waits_since_s: None };
                (0.0, 0.0)
            }
        }
    }

    fn corner(&mut self) -> (f64, f64) {
        self.heading_rad = wrap_angle(self.heading_rad + FRAC_PI_2);
        self.leg = Leg::Corner;
        (0.0, 0.0)
    }
}

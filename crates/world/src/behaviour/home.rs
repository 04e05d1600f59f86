//! Going home: to the nearest charger when the charge is low, and away again when it is full enough.
//!
//! ```text
//!          low                  docked               full enough    clear of it
//!  Out ─────────────▶ Going ─────────────▶ Charging ─────────────▶ Leaving ─────▶ Turning ─▶ Out
//!                      │ ▲
//!                      ▼ │ a moment later
//!                     Failed
//! ```

use super::goal_drive::GoalDrive;
use super::{HabitGoal, Intent, Perception, Senses, Vitals};
use crate::geometry::{Pose2, wrap_angle};
use crate::nav::State;

/// A charge that is full enough to leave, 0..1.
const FULL_RATIO: f64 = 0.9;

/// How far it backs off from the charger, metres.
const LEAVING_M: f64 = 0.45;

/// How far it turns then, so that it does not look at the charger any more, radians.
const AWAY_RAD: f64 = 2.4;

/// Speed of backing off, m/s.
const LEAVING_MPS: f64 = 0.12;

/// How long it waits before it tries again, seconds.
const REST_S: f64 = 5.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Out,
    Going,
    Charging,
    Leaving { from_m: f64, until_s: f64, forward: bool },
    Turning { heading_rad: f64, until_s: f64 },
    Failed { until_s: f64 },
}

/// The behaviour.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    below_ratio: f64,
    chargers: Vec<Pose2>,
    goal_drive: GoalDrive,
    mode: Mode,
}

impl Home {
    pub(super) fn new(below_ratio: f64, chargers: Vec<Pose2>, goal_drive: GoalDrive) -> Self {
        Self { below_ratio, chargers, goal_drive, mode: Mode::Out }
    }

    pub(super) fn is_going(&self) -> bool {
        self.mode == Mode::Going
    }

    /// What it wants; `None` if it has no business at home.
    pub(super) fn act(
        &mut self,
        senses: &Senses,
        vitals: &Vitals,
        perception: &Perception,
        at: Pose2,
    ) -> Option<Intent> {
        let charge = vitals.charge_ratio?;
        let rest = Some(Intent::default());
        if senses.helpless {
            return None;
        }
        match self.mode {
            Mode::Out if charge < self.below_ratio && vitals.docked => self.mode = Mode::Charging,
            Mode::Out if charge < self.below_ratio => self.set_out(at),
            Mode::Out => return None,
            Mode::Going if vitals.docked => self.mode = Mode::Charging,
            // It tries again by itself where it fails.
            Mode::Going if senses.navigates => {
                return Some(Intent { goal: Some(HabitGoal::Charger), ..Intent::default() });
            }
            Mode::Going => {
                let (forward_mps, turn_radps) = self.goal_drive.drive(senses, perception, at, vitals.docked);
                if !self.goal_drive.state().is_active() {
                    let until_s = senses.time_s + REST_S;
                    self.mode = match self.goal_drive.state() {
                        State::Arrived if vitals.docked => Mode::Charging,
                        _ => Mode::Failed { until_s },
                    };
                }
                return Some(Intent { forward_mps, turn_radps, ..Intent::default() });
            }
            Mode::Charging if !vitals.docked => self.mode = Mode::Out,
            Mode::Charging if charge >= FULL_RATIO => {
                let until_s = senses.time_s + 2.0 * LEAVING_M / LEAVING_MPS;
                let forward = senses.ahead_m.is_none_or(|free_m| free_m > LEAVING_M + 0.2);
                self.mode = Mode::Leaving { from_m: senses.travelled_m, until_s, forward };
            }
            Mode::Charging => {}
            Mode::Leaving { from_m, until_s, forward } => {
                let way_m = (from_m - senses.travelled_m).abs();
                let hazard = if forward { senses.front_hazard.is_some() } else { senses.rear_hazard };
                if way_m < LEAVING_M && senses.time_s < until_s && !hazard {
                    let forward_mps = if forward { LEAVING_MPS } else { -LEAVING_MPS };
                    return Some(Intent { forward_mps, turn_radps: 0.0, ..Intent::default() });
                }
                if forward {
                    self.mode = Mode::Out;
                    return rest;
                }
                let heading_rad = wrap_angle(senses.yaw_rad + AWAY_RAD);
                self.mode = Mode::Turning { heading_rad, until_s: senses.time_s + 5.0 };
            }
            Mode::Turning { heading_rad, until_s } => {
                let off = wrap_angle(heading_rad - senses.yaw_rad);
                if off.abs() > 0.15 && senses.time_s < until_s {
                    return Some(Intent {
                        forward_mps: 0.0,
                        turn_radps: 0.8_f64.copysign(off),
                        ..Intent::default()
                    });
                }
                self.mode = Mode::Out;
            }
            Mode::Failed { until_s } if senses.time_s >= until_s => self.set_out(at),
            Mode::Failed { .. } => {}
        }
        rest
    }

    /// To the nearest charger.
    fn set_out(&mut self, at: Pose2) {
        let far = |charger: &Pose2| at.distance_to(charger.x_m, charger.y_m);
        let nearest = self.chargers.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)));
        if let Some(charger) = nearest {
            self.goal_drive.dock(charger);
            self.mode = Mode::Going;
        }
    }
}

//! Following: towards a target, not too near; when out of sight, a look around.
//!
//! ```text
//!             out of sight                 none found
//!  Following ─────────────▶ LookingAround ─────────────▶ Waiting
//!      ▲ └──── in sight ───────┘                           │
//!      └──────────────── in sight ─────────────────────────┘
//! ```

use super::{Intent, Perception, Senses};

/// How near it comes, metres between the middles.
const DISTANCE_M: f64 = 0.9;

/// Greatest speed, m/s.
const SPEED_MPS: f64 = 0.4;

/// Nearer than this ahead is something that it must not run into, metres.
const NEAR_M: f64 = 0.22;

/// How long it looks around, seconds: a bit more than once.
const LOOK_S: f64 = 9.0;

/// Turn rate while it looks around, rad/s.
const LOOK_RADPS: f64 = 0.8;

/// The behaviour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Follow {
    /// Which way it was last seen: positive is left.
    side: f64,
    lost_since_s: Option<f64>,
}

impl Follow {
    pub(super) fn resume(&mut self) {
        self.lost_since_s = None;
    }

    pub(super) fn act(&mut self, senses: &Senses, perception: &Perception) -> Intent {
        let (forward_mps, turn_radps) =
            if senses.helpless { (0.0, 0.0) } else { self.drive(senses, perception) };
        Intent { forward_mps, turn_radps, ..Intent::default() }
    }

    fn drive(&mut self, senses: &Senses, perception: &Perception) -> (f64, f64) {
        let Some([bearing_rad, distance_m]) = perception.target else { return self.look_around(senses) };
        self.lost_since_s = None;
        self.side = bearing_rad;
        let turn = (1.5 * bearing_rad).clamp(-1.0, 1.0);
        let blocked = senses.front_hazard.is_some() || senses.ahead_m.is_some_and(|m| m < NEAR_M);
        let wish = (0.8 * (distance_m - DISTANCE_M)).clamp(0.0, SPEED_MPS);
        // Not sideways past corners: first turn, then go.
        let forward = if blocked || bearing_rad.abs() > 0.9 || wish < 0.03 { 0.0 } else { wish };
        (forward, if turn.abs() < 0.08 && forward == 0.0 { 0.0 } else { turn })
    }

    fn look_around(&mut self, senses: &Senses) -> (f64, f64) {
        let since_s = *self.lost_since_s.get_or_insert(senses.time_s);
        if senses.time_s - since_s > LOOK_S {
            return (0.0, 0.0);
        }
        (0.0, LOOK_RADPS.copysign(self.side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_its_distance_turns_first_and_searches_a_lost_target() {
        let mut follow = Follow::default();
        let at = |time_s| Senses { time_s, ..Senses::default() };
        let sees =
            |bearing, distance| Perception { target: Some([bearing, distance]), ..Perception::default() };
        assert_eq!(follow.act(&at(0.0), &sees(0.0, 3.0)).forward_mps, SPEED_MPS);
        assert_eq!(follow.act(&at(0.0), &sees(0.0, 0.9)).forward_mps, 0.0);
        let beside = follow.act(&at(0.0), &sees(-1.5, 3.0));
        assert!(beside.forward_mps == 0.0 && beside.turn_radps == -1.0);
        let wall = Senses { ahead_m: Some(0.1), ..at(0.0) };
        assert_eq!(follow.act(&wall, &sees(-0.1, 3.0)).forward_mps, 0.0);
        let looks = |follow: &mut Follow, time_s| follow.act(&at(time_s), &Perception::default()).turn_radps;
        assert_eq!(looks(&mut follow, 1.0), -LOOK_RADPS);
        assert_eq!(looks(&mut follow, 9.0), -LOOK_RADPS);
        assert_eq!(looks(&mut follow, 10.1), 0.0);
    }
}

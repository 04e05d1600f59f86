//! What a robot does unasked. A behaviour sees what the robot's own sensors tell, not the true world.

mod patrol;
mod wander;

use std::fmt;

use serde::Deserialize;

use crate::rng::Rng;
use patrol::Patrol;
use wander::Wander;

/// What a robot does unasked; an explicit drive command takes over for a while.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Behaviour {
    /// Stands and waits for commands.
    #[default]
    Stand,
    /// Drives about and turns away from obstacles and edges.
    Wander,
    /// Drives along a square.
    Patrol,
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stand => "stand",
            Self::Wander => "wander",
            Self::Patrol => "patrol",
        })
    }
}

/// What a behaviour may know; distances are `None` if nothing trustworthy is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Senses {
    /// The world's clock, seconds.
    pub time_s: f64,
    /// Heading by the gyroscope.
    pub yaw_rad: f64,
    /// Way of the middle by the tracks, metres.
    pub travelled_m: f64,
    /// Free way ahead on the left, metres.
    pub left_m: Option<f64>,
    /// Free way ahead, metres.
    pub ahead_m: Option<f64>,
    /// Free way ahead on the right, metres.
    pub right_m: Option<f64>,
    /// Free way behind, metres.
    pub behind_m: Option<f64>,
    /// Something keeps it from driving forward, and on which side: positive is left.
    pub front_hazard: Option<f64>,
    /// Something keeps it from driving backward.
    pub rear_hazard: bool,
    /// It cannot drive at all: in the air, fallen, out of power.
    pub helpless: bool,
}

/// What a behaviour wants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intent {
    /// Forward, m/s.
    pub forward_mps: f64,
    /// Counter-clockwise, rad/s.
    pub turn_radps: f64,
    /// Somewhere else to look and to point, if it is time for that.
    pub gesture: Option<Gesture>,
}

/// A small movement of head and arms, each as a share of the joint's half range, -1..1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gesture {
    /// Head to the left.
    pub head_left: f64,
    /// Head down.
    pub head_down: f64,
    /// Arms down.
    pub arms_down: f64,
}

/// A behaviour at work.
#[derive(Clone, Debug)]
pub(crate) enum Actor {
    Stand,
    Wander(Wander),
    Patrol(Patrol),
}

impl Actor {
    /// A behaviour with a chance of its own.
    pub(crate) fn new(behaviour: Behaviour, rng: Rng) -> Self {
        match behaviour {
            Behaviour::Stand => Self::Stand,
            Behaviour::Wander => Self::Wander(Wander::new(rng)),
            Behaviour::Patrol => Self::Patrol(Patrol::default()),
        }
    }

    /// What it wants now; `None` leaves the robot alone.
    pub(crate) fn act(&mut self, senses: &Senses) -> Option<Intent> {
        match self {
            Self::Stand => None,
            Self::Wander(wander) => Some(wander.act(senses)),
            Self::Patrol(patrol) => Some(patrol.act(senses)),
        }
    }

    /// Somebody else drove meanwhile: begin afresh.
    pub(crate) fn resume(&mut self) {
        match self {
            Self::Stand => {}
            Self::Wander(wander) => wander.resume(),
            Self::Patrol(patrol) => patrol.resume(),
        }
    }
}

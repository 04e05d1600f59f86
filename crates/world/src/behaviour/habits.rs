//! Behaviours and their parameters.

use std::fmt;

use serde::Deserialize;

/// How long a behaviour stays away after what a client commanded is over, by default, seconds.
pub const RESUME_AFTER_S: f64 = 10.0;

/// What a robot does unasked; an explicit drive command takes over, and for [`Habits::resume_after_s`] after it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Behaviour {
    /// Stands and waits for commands.
    #[default]
    Stand,
    /// Drives about and turns away from obstacles and edges.
    Wander,
    /// Drives along a route, or along a square if it has none.
    Patrol,
    /// Follows a target.
    Follow,
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stand => "stand",
            Self::Wander => "wander",
            Self::Patrol => "patrol",
            Self::Follow => "follow",
        })
    }
}

/// A behaviour with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Habits {
    /// What it does.
    pub behaviour: Behaviour,
    /// The points of its patrol on the map, metres; from the last one it goes on to the first.
    pub route_m: Vec<[f64; 2]>,
    /// Whom it follows, a person or a robot; the nearest person if no name is set.
    pub follow: Option<String>,
    /// Below this charge, 0..1, it goes to the nearest charger and stays until it is full enough.
    pub home_below_ratio: Option<f64>,
    /// How long it leaves the robot alone after what a client commanded is over, seconds.
    pub resume_after_s: f64,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            behaviour: Behaviour::default(),
            route_m: Vec::new(),
            follow: None,
            home_below_ratio: None,
            resume_after_s: RESUME_AFTER_S,
        }
    }
}

impl From<Behaviour> for Habits {
    fn from(behaviour: Behaviour) -> Self {
        Self { behaviour, ..Self::default() }
    }
}

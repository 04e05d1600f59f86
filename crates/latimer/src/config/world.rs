//! `[world]` and `[[simulate]]`: the simulated world and the robots in it.

use std::path::PathBuf;

use latimer_core::RobotId;
use latimer_core::service::ConfigError;
use latimer_dialects::config::robot_id;
use latimer_wire::v1::SPEEDS;
pub use latimer_world::MAX_SPEED;
use latimer_world::{Behaviour, Habits, Pose2, RESUME_AFTER_S};
use serde::Deserialize;

/// The world that is used, by default.
pub const DEFAULT_WORLD: &str = "demo";

/// The seed of all chance in the world, by default.
pub const DEFAULT_SEED: u64 = 1;

/// How many times as fast as the clock the world goes, by default.
pub const DEFAULT_SPEED: f64 = 1.0;

/// Longest time that a behaviour leaves a robot alone after a command, seconds: a day.
const MAX_RESUME_S: f64 = 86_400.0;

/// The simulated world.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorldSettings {
    /// Name of a world that comes with the program, or path of a world file.
    pub file: String,
    /// Seed of all chance: the same seed gives the same run.
    pub seed: u64,
    /// How many times as fast as the clock it goes; 0 stands still until `latimer world resume`.
    pub speed: f64,
    /// Path of a scenario file: what happens, and when.
    pub scenario: Option<PathBuf>,
    /// What places and objects are called instead, e.g. in another language.
    pub names: Vec<Naming>,
}

/// `[[world.names]]`: a place or an object of the world, called something else.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Naming {
    /// Its name in the world file.
    pub name: String,
    /// Its name from now on, and more that it is found by.
    pub called: Vec<String>,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            file: DEFAULT_WORLD.to_owned(),
            seed: DEFAULT_SEED,
            speed: DEFAULT_SPEED,
            scenario: None,
            names: Vec::new(),
        }
    }
}

impl WorldSettings {
    /// Checks what can be checked without the world's file.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if (0.0..=MAX_SPEED).contains(&self.speed) {
            return Ok(());
        }
        Err(ConfigError::new("world.speed", format!("the speed is {}", self.speed), SPEEDS))
    }
}

/// One simulated robot.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    /// Its name in this gateway.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// Its family, e.g. `misty`.
    pub body: String,
    /// Name of one of the world's spawn points; the next free one if neither this nor a position is given.
    #[serde(default)]
    pub spawn: Option<String>,
    /// Where it starts, metres from the world's lower left corner.
    #[serde(default)]
    pub position_m: Option<[f64; 2]>,
    /// How it is turned there, counter-clockwise from +x; needs `position_m`.
    #[serde(default)]
    pub yaw_deg: Option<f64>,
    /// What it does unasked.
    #[serde(default)]
    pub behaviour: Behaviour,
    /// The points of its patrol, metres from the world's lower left corner; a square if not given.
    #[serde(default)]
    pub route_m: Vec<[f64; 2]>,
    /// Whom it follows: a person or a robot; the nearest person if not given.
    #[serde(default)]
    pub follow: Option<String>,
    /// Below this charge, 0..1, it goes to a charger.
    #[serde(default)]
    pub home_below_ratio: Option<f64>,
    /// How long its behaviour leaves it alone after what a client commanded is over, seconds.
    #[serde(default = "resume_after_s")]
    pub resume_after_s: f64,
}

fn resume_after_s() -> f64 {
    RESUME_AFTER_S
}

impl Simulate {
    /// Where it starts, if given in metres.
    pub fn pose(&self) -> Option<Pose2> {
        let [x_m, y_m] = self.position_m?;
        Some(Pose2::new(x_m, y_m, self.yaw_deg.unwrap_or(0.0).to_radians()))
    }

    /// What it does unasked.
    pub fn habits(&self) -> Habits {
        Habits {
            behaviour: self.behaviour,
            route_m: self.route_m.clone(),
            follow: self.follow.clone(),
            home_below_ratio: self.home_below_ratio,
            resume_after_s: self.resume_after_s,
        }
    }

    /// Checks what can be checked without the world.
    pub fn validate(&self, key: &str) -> Result<(), ConfigError> {
        let numbers = self.position_m.into_iter().flatten().chain(self.yaw_deg);
        if numbers.into_iter().any(|number| !number.is_finite()) {
            return Err(ConfigError::new(key, "a position needs numbers", "write such as [1.2, 0.8]"));
        }
        if self.route_m.iter().flatten().any(|number| !number.is_finite()) || self.route_m.len() == 1 {
            let advice = "write such as [[1.0, 1.0], [3.0, 1.0]]";
            return Err(ConfigError::new(
                format!("{key}.route_m"),
                "a route needs two points or more",
                advice,
            ));
        }
        if !self.route_m.is_empty() && self.behaviour != Behaviour::Patrol {
            let advice = "write behaviour = \"patrol\", or leave out `route_m`";
            return Err(ConfigError::new(format!("{key}.route_m"), "only a patrol has a route", advice));
        }
        if self.follow.is_some() && self.behaviour != Behaviour::Follow {
            let advice = "write behaviour = \"follow\", or leave out `follow`";
            return Err(ConfigError::new(
                format!("{key}.follow"),
                "only a follower follows somebody",
                advice,
            ));
        }
        if self.home_below_ratio.is_some_and(|below| !(0.0..=1.0).contains(&below)) {
            let advice = "write a share such as 0.25";
            return Err(ConfigError::new(
                format!("{key}.home_below_ratio"),
                "a charge is from 0 to 1",
                advice,
            ));
        }
        if !(0.0..=MAX_RESUME_S).contains(&self.resume_after_s) {
            return Err(ConfigError::new(
                format!("{key}.resume_after_s"),
                format!("{} is no time to wait", self.resume_after_s),
                format!("write seconds from 0 to {MAX_RESUME_S}"),
            ));
        }
        if self.spawn.is_some() && self.position_m.is_some() {
            return Err(ConfigError::new(
                format!("{key}.spawn"),
                "a robot cannot start at a spawn point and at a position",
                "leave out `spawn` or `position_m`",
            ));
        }
        if self.yaw_deg.is_some() && self.position_m.is_none() {
            return Err(ConfigError::new(
                format!("{key}.yaw_deg"),
                "a spawn point has a direction of its own",
                "give `position_m` too, or leave out `yaw_deg`",
            ));
        }
        Ok(())
    }
}

//! Behaviours. A behaviour sees the values of the robot's own sensors, not the true world.

mod actor;
mod follow;
mod goal_drive;
mod habits;
mod home;
mod patrol;
mod reckoning;
mod route;
mod wander;

pub(crate) use actor::{Actor, Upbringing};
pub use habits::{Behaviour, Habits, RESUME_AFTER_S};
pub(crate) use route::REST_S;

use std::sync::Arc;

use crate::geometry::Pose2;
use crate::nav::Door;

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
    /// It navigates on its own, so that a behaviour gives it a goal instead of speeds.
    pub navigates: bool,
}

/// State of the robot, as published by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vitals {
    /// Charge left, 0..1.
    pub charge_ratio: Option<f64>,
    /// It stands on a charger that charges it.
    pub docked: bool,
    /// Where it believes to be on the map; `None` if it has no localisation.
    pub pose: Option<Pose2>,
}

/// What it sees of what it looks out for: stands for the robot's vision.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Perception {
    /// Bearing, radians, and distance, metres, of the one that it follows, if in sight.
    pub(crate) target: Option<[f64; 2]>,
    /// Where it is by the mark on a charger, if one is near and in sight.
    pub(crate) fix: Option<Pose2>,
    /// The doors.
    pub(crate) doors: Vec<Door>,
}

/// What a behaviour wants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intent {
    /// Forward, m/s.
    pub forward_mps: f64,
    /// Counter-clockwise, rad/s.
    pub turn_radps: f64,
    /// Somewhere else to look and to point, if it is time for that.
    pub gesture: Option<Gesture>,
    /// Where it goes, for a robot that navigates on its own.
    pub goal: Option<HabitGoal>,
}

/// A goal that a robot has by habit, without anybody's command.
#[derive(Clone, Debug, PartialEq)]
pub enum HabitGoal {
    /// The round that it patrols: its points, metres on the map.
    Round(Arc<[[f64; 2]]>),
    /// The nearest charger.
    Charger,
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

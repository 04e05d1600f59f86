//! A behaviour at work: what it does usually, and the way home when the charge is low.

use std::sync::Arc;

use super::follow::Follow;
use super::goal_drive::GoalDrive;
use super::home::Home;
use super::patrol::Patrol;
use super::reckoning::Reckoning;
use super::route::Route;
use super::wander::Wander;
use super::{Behaviour, Habits, Intent, Perception, Senses, Vitals};
use crate::geometry::Pose2;
use crate::nav::Grid;
use crate::rng::Rng;

/// What a behaviour is made from.
pub(crate) struct Upbringing<'a> {
    /// What it is to do.
    pub(crate) habits: Habits,
    /// Its own chance.
    pub(crate) rng: Rng,
    /// Where the robot starts.
    pub(crate) at: Pose2,
    /// Radius of a circle around the robot, metres.
    pub(crate) radius_m: f64,
    /// Where no robot can be.
    pub(crate) blocked: &'a Arc<Grid<bool>>,
    /// Where robots stand that charge.
    pub(crate) chargers: Vec<Pose2>,
}

#[derive(Clone, Debug)]
enum Usual {
    Stand,
    Wander(Wander),
    Patrol(Patrol),
    Route(Box<Route>),
    Follow(Follow),
}

/// A behaviour at work.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    usual: Usual,
    home: Option<Box<Home>>,
    follows: Option<String>,
    reckoning: Reckoning,
}

impl Actor {
    /// A behaviour.
    pub(crate) fn new(from: Upbringing<'_>) -> Self {
        let Habits { behaviour, route_m, follow, home_below_ratio, resume_after_s: _ } = from.habits;
        let goal_drive = || GoalDrive::new(from.blocked.clone(), from.radius_m);
        let usual = match behaviour {
            Behaviour::Stand => Usual::Stand,
            Behaviour::Wander => Usual::Wander(Wander::new(from.rng)),
            Behaviour::Patrol if route_m.is_empty() => Usual::Patrol(Patrol::default()),
            Behaviour::Patrol => Usual::Route(Box::new(Route::new(route_m, goal_drive()))),
            Behaviour::Follow => Usual::Follow(Follow::default()),
        };
        let home = home_below_ratio.filter(|_| !from.chargers.is_empty());
        let home = home.map(|below| Box::new(Home::new(below, from.chargers, goal_drive())));
        Self { usual, home, follows: follow, reckoning: Reckoning::at(from.at) }
    }

    /// Whether it looks for a target to follow, and its name if one is set.
    pub(crate) fn looks_for(&self) -> Option<Option<&str>> {
        matches!(self.usual, Usual::Follow(_)).then_some(self.follows.as_deref())
    }

    /// Whether it needs to know where it is, by marks and by doors on its way.
    pub(crate) fn finds_its_way(&self) -> bool {
        matches!(self.usual, Usual::Route(_)) || self.home.as_ref().is_some_and(|home| home.is_going())
    }

    /// Whether it never acts, so that the robot's perception need not be computed.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.usual, Usual::Stand) && self.home.is_none()
    }

    /// What it wants now; `None` leaves the robot alone.
    pub(crate) fn act(
        &mut self,
        senses: &Senses,
        vitals: &Vitals,
        perception: &Perception,
    ) -> Option<Intent> {
        self.reckoning.feel(senses);
        if let Some(pose) = perception.fix.or(vitals.pose) {
            self.reckoning.correct(pose);
        }
        let at = self.reckoning.pose();
        if let Some(intent) = self.home.as_mut().and_then(|home| home.act(senses, vitals, perception, at)) {
            return Some(intent);
        }
        match &mut self.usual {
            Usual::Stand => None,
            Usual::Wander(wander) => Some(wander.act(senses)),
            Usual::Patrol(patrol) => Some(patrol.act(senses)),
            Usual::Route(route) => Some(route.act(senses, perception, at)),
            Usual::Follow(follow) => Some(follow.act(senses, perception)),
        }
    }

    /// Another client drove meanwhile: start over.
    pub(crate) fn resume(&mut self) {
        match &mut self.usual {
            Usual::Stand => {}
            Usual::Wander(wander) => wander.resume(),
            Usual::Patrol(patrol) => patrol.resume(),
            Usual::Route(route) => route.resume(),
            Usual::Follow(follow) => follow.resume(),
        }
    }

    /// Updates the state while another client drives.
    pub(crate) fn feel(&mut self, senses: &Senses) {
        self.reckoning.feel(senses);
    }

    /// The robot was put elsewhere and relocalized.
    pub(crate) fn placed(&mut self, at: Pose2) {
        self.reckoning = Reckoning::at(at);
        self.resume();
    }
}

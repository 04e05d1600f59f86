//! Takes a robot to a goal: plans, follows, waits, goes around, turns, docks.
//!
//! ```text
//!                          way found            there            turned
//!  Idle ──go──▶ Planning ───────────▶ Moving ─────────▶ TurningToGoal ─────▶ Arrived
//!                ▲   │                 │  ▲                   │                 ▲
//!                │   │ none            │  │ free again        │ a charger       │ held
//!                │   ▼                 ▼  │                   ▼                 │
//!                │  Failed ◀──────── Waiting                Docking ────────────┘
//!                │     ▲   too long                           │  │
//!                │     └──────────────── too many tries ──────┘  │ did not hold: out again
//!                └───────────────────────────────────────────────┘
//!  any ──cancel──▶ Failed(Cancelled)      any, lost for long ──▶ Failed(Lost)
//! ```
//!
//! While something is in the way, a way around it is looked for once patience has run out, at most once
//! a second; the robot may still be on its way to the thing then. A given route is left only if and as far
//! as that was allowed. A shut
//! door is waited for where it is; that another way might be open is not considered.

mod detour;
mod forecast;
mod watch;
mod ways;
mod words;

use watch::{Block, Getting, look_ahead};
pub use words::{Believed, Failure, Goal, NavigationTarget, NavigatorLimits, Progress, State};

use super::{Approach, Dock, Follower, Terrain};
use crate::Speeds;
use crate::geometry::{Pose2, wrap_angle};

/// Least time between two plans, seconds.
const REPLAN_S: f64 = 1.0;

/// Near enough to a heading, radians.
const TURNED_RAD: f64 = 0.015;

/// As near to a goal as the robot tries to come before it takes the asked accuracy for good, metres.
const EXACT_M: f64 = 0.015;

/// How long a doubtful pose is waited out, seconds.
const LOST_S: f64 = 5.0;

/// The navigator.
#[derive(Clone, Debug)]
pub struct Navigator {
    limits: NavigatorLimits,
    target: Option<NavigationTarget>,
    state: State,
    follower: Follower,
    /// Where on the way the points of a given route are, metres.
    marks_m: Vec<f64>,
    /// A given route from where it began, and how far it may be left, metres.
    line: Vec<[f64; 2]>,
    detour_m: f64,
    path_number: u32,
    approach: Option<Approach>,
    tries: u32,
    getting: Getting,
    planned_s: f64,
    detours: u32,
    /// Since when something is in the way.
    blocked_since_s: Option<f64>,
    lost_since_s: Option<f64>,
}

impl Navigator {
    /// A navigator without a target.
    pub fn new(limits: NavigatorLimits) -> Self {
        Self {
            limits,
            target: None,
            state: State::Idle,
            follower: Follower::default(),
            marks_m: Vec::new(),
            line: Vec::new(),
            detour_m: 0.0,
            path_number: 0,
            approach: None,
            tries: 0,
            getting: Getting::default(),
            planned_s: f64::NEG_INFINITY,
            detours: 0,
            blocked_since_s: None,
            lost_since_s: None,
        }
    }

    /// What it may do.
    pub fn limits(&self) -> &NavigatorLimits {
        &self.limits
    }

    /// Changes what it may do, at once.
    pub fn set_limits(&mut self, limits: NavigatorLimits) {
        self.limits = limits;
    }

    /// Goes somewhere, in place of whatever it was after.
    pub fn go(&mut self, goal: Goal) {
        self.begin(NavigationTarget::Go(goal));
    }

    /// Follows given points from where it is, in place of whatever it was after.
    pub fn follow_route(&mut self, points_m: Vec<[f64; 2]>) {
        self.begin(NavigationTarget::Route(points_m));
    }

    /// Gives up what it is after, if anything.
    pub fn cancel(&mut self) {
        if self.state.is_active() {
            self.fail(Failure::Cancelled);
        }
    }

    /// What it is or was last after.
    pub fn target(&self) -> Option<&NavigationTarget> {
        self.target.as_ref()
    }

    /// How the target stands.
    pub fn state(&self) -> State {
        self.state
    }

    /// The way that it follows or followed last.
    pub fn path(&self) -> &[[f64; 2]] {
        self.follower.points()
    }

    fn begin(&mut self, target: NavigationTarget) {
        *self = Self {
            target: Some(target),
            state: State::Planning,
            path_number: self.path_number,
            ..Self::new(self.limits)
        };
    }

    fn fail(&mut self, failure: Failure) {
        self.state = State::Failed(failure);
        self.approach = None;
    }

    /// The speeds for a step, and how the target stands after it.
    pub fn drive(&mut self, at: &Believed, terrain: &Terrain<'_>) -> (Speeds, Progress) {
        let speeds = self.act(at, terrain);
        let speeds = if self.state.is_active() { self.limits.follow.hold(speeds) } else { Speeds::REST };
        (speeds, self.progress(at))
    }

    /// What is left of the way from a pose, metres; the length of straight lines while no way is planned.
    pub fn remaining_m(&self, pose: Pose2) -> f64 {
        match (self.state, &self.approach, &self.target) {
            (State::Arrived | State::Idle, ..) => 0.0,
            (_, Some(approach), _) => approach.remaining_m(pose).max(0.0),
            (State::Planning, None, Some(target)) => target.straight_m(pose),
            _ => self.follower.remaining_m(),
        }
    }

    fn progress(&self, at: &Believed) -> Progress {
        let at_m = self.follower.at_m();
        let passed = self.marks_m.iter().filter(|mark_m| **mark_m <= at_m + 5e-7).count();
        let arrived = self.state == State::Arrived;
        Progress {
            state: self.state,
            remaining_m: self.remaining_m(at.pose),
            stuck: self.state.is_active() && self.getting.is_stuck(),
            passed_points: if arrived { self.marks_m.len() } else { passed },
            path_number: self.path_number,
        }
    }

    fn act(&mut self, at: &Believed, terrain: &Terrain<'_>) -> Speeds {
        if !self.state.is_active() || !at.pose.is_finite() {
            return Speeds::REST;
        }
        self.getting.at(at.pose, at.time_s);
        if at.lost && self.approach.is_none() {
            return self.doubt(at.time_s);
        }
        self.lost_since_s = None;
        if self.dock().is_some() && at.docked {
            self.arrive();
            return Speeds::REST;
        }
        if self.is_in_zone(at.pose) {
            self.arrive();
            return Speeds::REST;
        }
        match self.state {
            State::Planning => {
                self.first_plan(at, terrain);
                Speeds::REST
            }
            State::Moving | State::Waiting => self.follow(at, terrain),
            State::TurningToGoal => self.turn(at),
            State::Docking => self.approach(at),
            State::Idle | State::Arrived | State::Failed(_) => Speeds::REST,
        }
    }

    fn dock(&self) -> Option<Dock> {
        match &self.target {
            Some(NavigationTarget::Go(goal)) => goal.dock,
            _ => None,
        }
    }

    fn arrive(&mut self) {
        self.state = State::Arrived;
        self.approach = None;
    }

    fn doubt(&mut self, time_s: f64) -> Speeds {
        let since_s = *self.lost_since_s.get_or_insert(time_s);
        if time_s - since_s > LOST_S {
            self.fail(Failure::Lost);
        } else if matches!(self.state, State::Moving | State::TurningToGoal) {
            self.state = State::Waiting;
        }
        Speeds::REST
    }

    fn follow(&mut self, at: &Believed, terrain: &Terrain<'_>) -> Speeds {
        if self.is_there(at.pose) {
            self.state = State::TurningToGoal;
            return self.turn(at);
        }
        let block = look_ahead(&self.follower, at, terrain, &self.limits);
        let Some(block) = block else {
            self.blocked_since_s = None;
            if self.getting.still_s() > self.limits.give_up_s {
                self.fail(Failure::WayBlocked);
            }
            self.state = if self.state.is_active() { State::Moving } else { self.state };
            return self.follower.steer(at.pose, f64::INFINITY, &self.limits.follow);
        };
        self.face(block, at, terrain)
    }

    /// Something is in the way: goes on as far as it can, waits, looks for a way around, gives up.
    fn face(&mut self, block: Block, at: &Believed, terrain: &Terrain<'_>) -> Speeds {
        let since_s = *self.blocked_since_s.get_or_insert(at.time_s);
        let (limit_s, failure) = if block.door {
            (self.limits.door_s, Failure::DoorShut)
        } else {
            (self.limits.give_up_s, Failure::WayBlocked)
        };
        if self.getting.still_s() > limit_s {
            if self.is_near_enough(at.pose) {
                self.state = State::TurningToGoal;
            } else {
                self.fail(failure);
            }
            return Speeds::REST;
        }
        let impatient = at.time_s - since_s >= self.limits.patience_s;
        if impatient && !block.door && at.time_s - self.planned_s >= REPLAN_S {
            self.go_around(at, terrain);
            if self.blocked_since_s.is_none() || !self.state.is_active() {
                return Speeds::REST;
            }
        }
        if block.free_m <= 0.02 {
            self.state = State::Waiting;
            return Speeds::REST;
        }
        self.state = State::Moving;
        let most_mps = self.limits.follow.stopping_within(block.free_m);
        self.follower.steer(at.pose, most_mps, &self.limits.follow)
    }

    /// Whether the end of the way is reached as well as it can be.
    fn is_there(&mut self, pose: Pose2) -> bool {
        self.follower.locate(pose);
        let Some(&[x, y]) = self.follower.points().last() else { return true };
        let off_m = pose.distance_to(x, y);
        if off_m > 0.5 || self.follower.remaining_m() > off_m + 0.05 {
            return false;
        }
        let [ahead, left] = pose.point_in(x, y);
        off_m < EXACT_M || (off_m <= self.accuracy_m() && left.abs() > ahead)
    }

    /// Whether the goal itself is as near as asked, wherever the way ends.
    fn is_near_enough(&self, pose: Pose2) -> bool {
        match &self.target {
            Some(NavigationTarget::Go(goal)) if goal.dock.is_none() => {
                pose.distance_to(goal.at_m[0], goal.at_m[1]) <= goal.accuracy_m
            }
            _ => false,
        }
    }

    fn is_in_zone(&self, pose: Pose2) -> bool {
        matches!(&self.target, Some(NavigationTarget::Go(Goal { zone: true, .. })))
            && self.is_near_enough(pose)
    }

    fn accuracy_m(&self) -> f64 {
        match &self.target {
            Some(NavigationTarget::Go(Goal { dock: None, accuracy_m, .. })) => accuracy_m.clamp(0.02, 0.1),
            _ => 0.04,
        }
    }

    fn turn(&mut self, at: &Believed) -> Speeds {
        let yaw_rad = match &self.target {
            Some(NavigationTarget::Go(goal)) => goal.yaw_rad,
            _ => None,
        };
        let off_rad = yaw_rad.map_or(0.0, |yaw_rad| wrap_angle(yaw_rad - at.pose.yaw_rad));
        if off_rad.abs() > TURNED_RAD {
            if self.getting.still_s() > self.limits.give_up_s {
                self.fail(Failure::WayBlocked);
            }
            return Speeds { linear_mps: 0.0, angular_radps: self.limits.follow.turn(off_rad) };
        }
        match self.dock() {
            Some(dock) => {
                self.approach = Some(Approach::new(dock));
                self.state = State::Docking;
            }
            None => self.arrive(),
        }
        Speeds::REST
    }

    fn approach(&mut self, at: &Believed) -> Speeds {
        let limits = &self.limits;
        let speeds = self
            .approach
            .as_mut()
            .and_then(|it| it.steer(at.pose, at.time_s, limits.dock_mps, &limits.follow));
        speeds.unwrap_or_else(|| {
            self.tries += 1;
            self.approach = None;
            if self.tries >= self.limits.dock_tries {
                self.fail(Failure::DockFailed);
            } else {
                self.state = State::Planning;
            }
            Speeds::REST
        })
    }
}

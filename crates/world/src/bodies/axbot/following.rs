//! Follows a person, or poses that a client tells: a goal that moves.

use latimer_core::Outcome;
use latimer_core::model::{FollowState, NativeCall};

use super::Axbot;
use crate::geometry::{Pose2, wrap_angle};
use crate::nav::{Failure, Goal};
use crate::physics::Surroundings;

/// Distance that it keeps from a person, and how far it sees one, metres.
const APART_M: f64 = 1.0;
const SIGHT_M: f64 = 6.0;

/// Nearer to its target it waits, metres.
const NEAR_M: f64 = 0.35;

/// Between two corrections of a goal that moves, and how long one may be out of sight, seconds.
const CORRECT_S: f64 = 0.5;
const LOST_S: f64 = 20.0;

/// The last report of the target to follow.
#[derive(Clone, Copy, Debug)]
struct Target {
    state: FollowState,
    position_m: Option<[f64; 2]>,
    yaw_rad: Option<f64>,
}

/// Following a target.
#[derive(Clone, Debug, Default)]
pub(super) struct Following {
    published: Option<Target>,
    corrected_s: f64,
    seen_s: f64,
    /// It is near enough, or was commanded to wait.
    waits: bool,
}

impl Following {
    /// Waits for the first word of where the target is.
    pub(super) fn begun(time_s: f64) -> Self {
        Self { waits: true, seen_s: time_s, ..Self::default() }
    }
}

impl Axbot {
    /// Takes in where the one to follow is.
    pub(super) fn follow(&mut self, call: &NativeCall) -> Result<Outcome, Outcome> {
        let state = call.argument("state")?;
        let (x_m, y_m): (Option<f64>, Option<f64>) = (call.argument("x_m")?, call.argument("y_m")?);
        let yaw_rad: Option<f64> = call.argument("yaw_rad")?;
        if state == FollowState::Pose {
            self.on_map([x_m, y_m, yaw_rad].map(Option::unwrap_or_default))?;
        }
        let Some(following) = &mut self.following else {
            return Err(Outcome::not_now("it follows nobody; send it to follow a target first"));
        };
        following.published = Some(Target { state, position_m: x_m.zip(y_m).map(Into::into), yaw_rad });
        following.seen_s = self.state.time_s;
        if state == FollowState::Fail {
            self.following = None;
            self.rover.way.give_up(Failure::TargetLost);
        }
        Ok(Outcome::Done)
    }

    /// Whether the way waits for the one that is followed.
    pub(super) fn waits_for_target(&self) -> bool {
        self.following.as_ref().is_some_and(|it| it.waits)
    }

    /// Puts the goal right by where the one that is followed is.
    pub(super) fn keep_up(&mut self, around: &Surroundings<'_>) {
        let Some(following) = &self.following else { return };
        if around.time_s - following.corrected_s < CORRECT_S {
            return;
        }
        let here = self.rover.bearings.pose();
        let published = following.published;
        let goal = match published {
            Some(Target { state: FollowState::Pose, position_m, yaw_rad }) => {
                let published = around.in_frame(here);
                let [x_m, y_m] = position_m.unwrap_or([published.x_m, published.y_m]);
                let at = Pose2::new(x_m, y_m, yaw_rad.unwrap_or_default()).out_of(self.frame);
                Some(Goal { yaw_rad: yaw_rad.map(|_| at.yaw_rad), ..Goal::pose(at) })
            }
            Some(_) => None,
            None => self.beside_a_person(around),
        };
        let following = self.following.get_or_insert_default();
        following.corrected_s = around.time_s;
        following.seen_s =
            if goal.is_some() || published.is_some() { around.time_s } else { following.seen_s };
        let [x_m, y_m] = goal.map_or([here.x_m, here.y_m], |it| it.at_m);
        let turned =
            goal.and_then(|it| it.yaw_rad).is_some_and(|yaw| wrap_angle(yaw - here.yaw_rad).abs() > 0.1);
        following.waits = here.distance_to(x_m, y_m) < NEAR_M && !turned;
        let lost = around.time_s - following.seen_s > LOST_S;
        if lost {
            self.following = None;
            self.rover.way.give_up(Failure::TargetLost);
        } else if let Some(goal) = goal {
            self.rover.way.adjust(goal.within(0.2));
        }
    }

    /// A goal a little before the nearest person in sight.
    fn beside_a_person(&self, around: &Surroundings<'_>) -> Option<Goal> {
        let (truth, here) = (around.pose, self.rover.bearings.pose());
        let in_sight = |at: &[f64; 2]| {
            truth.distance_to(at[0], at[1]) < SIGHT_M
                && around.walls.between([truth.x_m, truth.y_m], *at) == 0
        };
        let off_m = |at: &[f64; 2]| truth.distance_to(at[0], at[1]);
        let seen = around.people.iter().map(|it| it.at).filter(in_sight);
        let person = seen.min_by(|a, b| off_m(a).total_cmp(&off_m(b)))?;
        let [ahead_m, left_m] = truth.point_in(person[0], person[1]);
        let far_m = ahead_m.hypot(left_m);
        let share = ((far_m - APART_M) / far_m.max(1e-3)).max(0.0);
        Some(Goal::point(here.point_out(ahead_m * share, left_m * share)))
    }
}

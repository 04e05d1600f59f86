//! Driving somewhere by itself: the navigator, and what is told of it.
//!
//! ```text
//!  Idle ──go──▶ Moving ──▶ Succeeded │ Failed │ Cancelled      each told once, progress once a second
//! ```
//!
//! While somebody else has a hand on the robot the way is held, and planned anew afterwards.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{
    Frame, Navigation, NavigationFailure, NavigationKind, NavigationState, Path, Pose,
};

use super::bearings::Bearings;
use super::parts::NAVIGATION;
use crate::bodies::moment::Moment;
use crate::drive::Speeds;
use crate::geometry::Pose2;
use crate::nav::{Believed, Failure, Goal, Navigator, State};
use crate::physics::Surroundings;

/// Steps between two reports on the way: 1 s.
const PERIOD: u64 = 100;

/// A drive.
#[derive(Clone, Debug)]
struct Trip {
    id: i64,
    goal: Goal,
    place: Option<String>,
}

/// How a drive ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ended {
    /// There.
    Arrived,
    /// Not there, and why.
    Failed(String),
}

/// The way.
pub(super) struct Way {
    navigator: Navigator,
    trip: Option<Trip>,
    next_id: i64,
    held: bool,
    remaining_m: f64,
    stuck: bool,
    told: Option<(i64, NavigationState)>,
    /// What ended and is yet to be told.
    ended: Vec<(Trip, State)>,
    path_told: Option<i64>,
}

impl Way {
    pub(super) fn new() -> Self {
        Self {
            navigator: Navigator::new(NAVIGATION),
            trip: None,
            next_id: 1,
            held: false,
            remaining_m: 0.0,
            stuck: false,
            told: None,
            ended: Vec::new(),
            path_told: None,
        }
    }

    /// Drives somewhere, in place of whatever it was after.
    pub(super) fn go(&mut self, goal: Goal, id: Option<i64>, place: Option<String>) {
        self.cancel();
        let id = id.unwrap_or(self.next_id);
        self.next_id = id.wrapping_add(1);
        self.navigator.go(goal);
        self.trip = Some(Trip { id, goal, place });
    }

    /// Sets the goal right while it is on its way; nothing is told of it.
    pub(super) fn adjust(&mut self, goal: Goal) {
        if let Some(trip) = &mut self.trip {
            trip.goal = goal;
            self.navigator.go(goal);
        }
    }

    /// Where it is going.
    pub(super) fn goal(&self) -> Option<&Goal> {
        self.trip.as_ref().map(|trip| &trip.goal)
    }

    /// Calls off what it is after, if anything; tells whether there was something.
    pub(super) fn cancel(&mut self) -> bool {
        let Some(trip) = self.trip.take() else { return false };
        self.navigator.cancel();
        self.ended.push((trip, State::Failed(Failure::Cancelled)));
        true
    }

    /// Whether it is on its way, or would be.
    pub(super) fn is_active(&self) -> bool {
        self.trip.is_some()
    }

    /// The speeds for a step; `held` while somebody else has a hand on the robot.
    pub(super) fn steer(&mut self, held: bool, time_s: f64, docked: bool, bearings: &Bearings) -> Speeds {
        let Some(trip) = &self.trip else { return Speeds::REST };
        if held {
            self.held = true;
            return Speeds::REST;
        }
        if std::mem::take(&mut self.held) {
            self.navigator.go(trip.goal);
        }
        let at = Believed {
            pose: bearings.pose(),
            time_s,
            // Without its scanner it would not see what it drives into.
            lost: bearings.is_lost() || bearings.is_blind(time_s),
            docked,
            blocked_ahead_m: None,
        };
        let (speeds, progress) = self.navigator.drive(&at, &bearings.terrain());
        (self.remaining_m, self.stuck) = (progress.remaining_m, progress.stuck);
        if !progress.state.is_active() {
            self.ended.extend(self.trip.take().map(|trip| (trip, progress.state)));
        }
        speeds
    }

    /// Reports, and tells how a drive ended that was not called off.
    pub(super) fn tell(&mut self, now: &mut Moment<'_>, around: &Surroundings<'_>) -> Option<Ended> {
        let mut ended = None;
        for (trip, state) in std::mem::take(&mut self.ended) {
            let failure = match state {
                State::Failed(failure) => Some(failure),
                _ => None,
            };
            let told = match failure {
                None => NavigationState::Succeeded,
                Some(Failure::Cancelled) => NavigationState::Cancelled,
                Some(_) => NavigationState::Failed,
            };
            // A drive that ends before it was told of began nevertheless.
            if self.told != Some((trip.id, NavigationState::Moving)) {
                now.reports.say(self.report(&trip, NavigationState::Moving, None, around));
            }
            now.reports.say(self.report(&trip, told, failure, around));
            self.told = Some((trip.id, told));
            if failure != Some(Failure::Cancelled) {
                ended = Some(failure.map_or(Ended::Arrived, |it| Ended::Failed(it.to_string())));
            }
        }
        if let Some(trip) = self.trip.clone() {
            let state = (trip.id, NavigationState::Moving);
            if self.told != Some(state) || now.due(Kind::Navigation, PERIOD) {
                self.told = Some(state);
                now.reports.say(self.report(&trip, NavigationState::Moving, None, around));
            }
            if self.path_told != Some(trip.id) && self.navigator.path().len() > 1 {
                self.path_told = Some(trip.id);
                let told = |[x, y]: &[f64; 2]| {
                    let told = around.told(Pose2::new(*x, *y, 0.0));
                    [told.x_m, told.y_m]
                };
                let points_m = self.navigator.path().iter().map(told).collect();
                now.reports.of(&PartName::of("planned"), Path { frame: Frame::Map, points_m });
            }
        }
        ended
    }

    fn report(
        &self,
        trip: &Trip,
        state: NavigationState,
        failure: Option<Failure>,
        around: &Surroundings<'_>,
    ) -> Navigation {
        let [x_m, y_m] = trip.goal.at_m;
        let target = around.told(Pose2::new(x_m, y_m, trip.goal.yaw_rad.unwrap_or_default()));
        let failed = failure.filter(|it| *it != Failure::Cancelled);
        Navigation {
            id: trip.id,
            kind: if trip.goal.dock.is_some() { NavigationKind::Charge } else { NavigationKind::Goto },
            state,
            failure: failed
                .map(|it| NavigationFailure::from_word(it.word()).unwrap_or(NavigationFailure::Other)),
            reason: failed.map(|it| it.to_string()),
            target: Some(Pose::planar(Frame::Map, target.x_m, target.y_m, target.yaw_rad)),
            place: trip.place.clone(),
            remaining_m: (state == NavigationState::Moving).then_some(self.remaining_m),
            stuck: state == NavigationState::Moving && self.stuck,
            passed_points: None,
        }
    }
}

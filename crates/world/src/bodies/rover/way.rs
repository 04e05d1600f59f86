//! Navigation: the navigator, and its reports.
//!
//! ```text
//!  Idle ──go──▶ Moving ──▶ Succeeded │ Failed │ Cancelled      each published once, progress once a second
//! ```
//!
//! While a client drives the robot the way is held, and planned anew afterwards.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{
    Frame, Navigation, NavigationFailure, NavigationKind, NavigationState, Path, Pose,
};

use super::{Bearings, RoverMake};
use crate::bodies::moment::Moment;
use crate::drive::Speeds;
use crate::geometry::Pose2;
use crate::nav::{Believed, Failure, Goal, Navigator, NavigatorLimits, State};
use crate::physics::Surroundings;

/// Steps between two reports on the way: 1 s.
const PERIOD: u64 = 100;

/// Where to.
#[derive(Clone, Debug)]
enum To {
    Goal(Goal),
    /// Points, and how far their line may be left, metres.
    Route(Vec<[f64; 2]>, f64),
}

/// A drive.
#[derive(Clone, Debug)]
struct Trip {
    id: i64,
    kind: NavigationKind,
    to: To,
    place: Option<String>,
}

/// How a drive ended.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::bodies) enum Ended {
    /// There.
    Arrived,
    /// Not there: the word for programs, and why for people.
    Failed(NavigationFailure, String),
}

/// The way.
pub(in crate::bodies) struct Way {
    navigator: Navigator,
    trip: Option<Trip>,
    next_id: i64,
    held: bool,
    remaining_m: f64,
    stuck: bool,
    passed: usize,
    published: Option<(i64, NavigationState)>,
    /// The drives that ended and are yet to be published.
    ended: Vec<(Trip, State)>,
    /// The drive, and the number of its way, published last.
    path_published: Option<(i64, u32)>,
    path_number: u32,
    /// What else holds now, in the robot's own words.
    flags: &'static [&'static str],
}

impl Way {
    pub(in crate::bodies) fn new(make: &RoverMake) -> Self {
        Self {
            navigator: Navigator::new(make.navigation),
            trip: None,
            next_id: 1,
            held: false,
            remaining_m: 0.0,
            stuck: false,
            passed: 0,
            published: None,
            ended: Vec::new(),
            path_published: None,
            path_number: 0,
            flags: &[],
        }
    }

    /// Drives somewhere, in place of whatever it was after.
    pub(in crate::bodies) fn go(&mut self, goal: Goal, id: Option<i64>, place: Option<String>) {
        let kind = if goal.dock.is_some() { NavigationKind::Charge } else { NavigationKind::Goto };
        self.go_for(kind, goal, id, place);
    }

    /// The same, published as a drive of a kind; returns its number.
    pub(in crate::bodies) fn go_for(
        &mut self,
        kind: NavigationKind,
        goal: Goal,
        id: Option<i64>,
        place: Option<String>,
    ) -> i64 {
        self.navigator.go(goal);
        self.begin(kind, To::Goal(goal), id, place)
    }

    /// Drives along points, all of them and in their order, and leaves their line by at most so much; returns
    /// the drive's number.
    pub(in crate::bodies) fn follow_route(
        &mut self,
        points_m: Vec<[f64; 2]>,
        detour_m: f64,
        id: Option<i64>,
    ) -> i64 {
        self.navigator.follow_route_within(points_m.clone(), detour_m);
        self.begin(NavigationKind::Route, To::Route(points_m, detour_m), id, None)
    }

    fn begin(&mut self, kind: NavigationKind, to: To, id: Option<i64>, place: Option<String>) -> i64 {
        self.ended.extend(self.trip.take().map(|trip| (trip, State::Failed(Failure::Cancelled))));
        let id = id.unwrap_or(self.next_id);
        // Both may choose the same number at the same time, the robot for a drive of its own and the asker for this one: to those
        // who know it by its number it is one drive that goes on.
        let takes_over =
            |trip: &Trip, state: &State| trip.id == id && *state == State::Failed(Failure::Cancelled);
        let count = self.ended.len();
        self.ended.retain(|(trip, state)| !takes_over(trip, state));
        if self.ended.len() < count {
            self.published = None;
        }
        self.next_id = id.wrapping_add(1);
        (self.remaining_m, self.stuck, self.passed) = (0.0, false, 0);
        self.trip = Some(Trip { id, kind, to, place });
        id
    }

    /// Changes how it drives, for one that carries something.
    pub(in crate::bodies) fn set_limits(&mut self, limits: NavigatorLimits) {
        self.navigator.set_limits(limits);
    }

    /// Sets what else holds, in the robot's own words.
    pub(in crate::bodies) fn set_flags(&mut self, flags: &'static [&'static str]) {
        self.flags = flags;
    }

    /// Looks for another way to where it goes: the map is another one.
    pub(in crate::bodies) fn plan_anew(&mut self) {
        self.held = true;
    }

    /// Sets the goal right while it is on its way; nothing is published of it.
    pub(in crate::bodies) fn adjust(&mut self, goal: Goal) {
        if let Some(trip) = &mut self.trip {
            trip.to = To::Goal(goal);
            self.navigator.go(goal);
        }
    }

    /// Where it is going.
    pub(in crate::bodies) fn goal(&self) -> Option<&Goal> {
        match &self.trip.as_ref()?.to {
            To::Goal(goal) => Some(goal),
            To::Route(..) => None,
        }
    }

    /// Cancels the drive, if any; returns whether there was something.
    pub(in crate::bodies) fn cancel(&mut self) -> bool {
        let Some(trip) = self.trip.take() else { return false };
        self.navigator.cancel();
        self.ended.push((trip, State::Failed(Failure::Cancelled)));
        true
    }

    /// Gives up what it is after, if anything.
    pub(in crate::bodies) fn give_up(&mut self, failure: Failure) {
        if let Some(trip) = self.trip.take() {
            self.navigator.cancel();
            self.ended.push((trip, State::Failed(failure)));
        }
    }

    /// Says more precisely why drives failed that are yet to be published.
    pub(in crate::bodies) fn refine(&mut self, precise: impl Fn(NavigationKind, Failure) -> Failure) {
        for (trip, state) in &mut self.ended {
            if let State::Failed(failure) = state {
                *failure = precise(trip.kind, *failure);
            }
        }
    }

    /// The number of the drive that it is on.
    pub(in crate::bodies) fn id(&self) -> Option<i64> {
        self.trip.as_ref().map(|trip| trip.id)
    }

    /// What it drives for.
    pub(in crate::bodies) fn kind(&self) -> Option<NavigationKind> {
        self.trip.as_ref().map(|trip| trip.kind)
    }

    /// Whether it is on its way, or would be.
    pub(in crate::bodies) fn is_active(&self) -> bool {
        self.trip.is_some()
    }

    /// The speeds for a step; `held` while a client drives the robot.
    pub(in crate::bodies) fn steer(
        &mut self,
        held: bool,
        time_s: f64,
        docked: bool,
        bearings: &Bearings,
    ) -> Speeds {
        let Some(trip) = &self.trip else { return Speeds::REST };
        if held {
            self.held = true;
            self.remaining_m = self.navigator.remaining_m(bearings.pose());
            return Speeds::REST;
        }
        if std::mem::take(&mut self.held) {
            match &trip.to {
                To::Goal(goal) => self.navigator.go(*goal),
                To::Route(points_m, detour_m) => {
                    // What is behind it is not driven again.
                    let ahead = points_m.iter().skip(self.passed).copied().collect();
                    self.navigator.follow_route_within(ahead, *detour_m);
                }
            }
        }
        let at = believed(time_s, docked, bearings);
        let (speeds, progress) = self.navigator.drive(&at, &bearings.terrain());
        (self.remaining_m, self.stuck) = (progress.remaining_m, progress.stuck);
        self.passed = progress.passed_points;
        self.path_number = progress.path_number;
        if !progress.state.is_active() {
            self.ended.extend(self.trip.take().map(|trip| (trip, progress.state)));
        }
        speeds
    }

    /// The poses that it is about to have, the present one first; none if it does not drive by itself now.
    pub(in crate::bodies) fn forecast(&self, time_s: f64, bearings: &Bearings) -> Vec<Pose2> {
        if self.trip.is_none() || self.held {
            return Vec::new();
        }
        self.navigator.forecast(&believed(time_s, false, bearings), &bearings.terrain())
    }

    /// Reports, and returns how a drive ended that was not cancelled; `code` is the robot's own number for a
    /// failure, if it has one.
    pub(in crate::bodies) fn publish(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        code: fn(Failure) -> Option<i64>,
    ) -> Option<Ended> {
        let mut ended = None;
        for (trip, state) in std::mem::take(&mut self.ended) {
            let failure = match state {
                State::Failed(failure) => Some(failure),
                _ => None,
            };
            let published = match failure {
                None => NavigationState::Succeeded,
                Some(Failure::Cancelled) => NavigationState::Cancelled,
                Some(_) => NavigationState::Failed,
            };
            // A drive that ends before its first report still began.
            if self.published != Some((trip.id, NavigationState::Moving)) {
                now.reports.publish(self.report(&trip, NavigationState::Moving, None, around));
            }
            let failure_code = failure.and_then(code);
            now.reports
                .publish(Navigation { failure_code, ..self.report(&trip, published, failure, around) });
            self.published = Some((trip.id, published));
            if failure != Some(Failure::Cancelled) {
                ended =
                    Some(failure.map_or(Ended::Arrived, |it| Ended::Failed(it.published(), it.to_string())));
            }
        }
        if let Some(trip) = self.trip.clone() {
            let state = (trip.id, NavigationState::Moving);
            if self.published != Some(state) || now.due(Kind::Navigation, PERIOD) {
                self.published = Some(state);
                now.reports.publish(self.report(&trip, NavigationState::Moving, None, around));
            }
            let path = Some((trip.id, self.path_number));
            if self.path_published != path && self.navigator.path().len() > 1 {
                self.path_published = path;
                let published = |[x, y]: &[f64; 2]| {
                    let published = around.in_frame(Pose2::new(*x, *y, 0.0));
                    [published.x_m, published.y_m]
                };
                let points_m = self.navigator.path().iter().map(published).collect();
                now.reports.of(&PartName::of("planned"), Path::of(Frame::Map, points_m));
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
        let target = match &trip.to {
            To::Goal(goal) => {
                let yaw_rad = goal.yaw_rad.unwrap_or_default();
                // Where it lines up before a charger is not the commanded goal.
                let at = goal.dock.map_or(Pose2::new(goal.at_m[0], goal.at_m[1], yaw_rad), |it| it.charger);
                Some(around.in_frame(at))
            }
            To::Route(points_m, _) => points_m.last().map(|[x, y]| around.in_frame(Pose2::new(*x, *y, 0.0))),
        };
        let failed = failure.filter(|it| *it != Failure::Cancelled);
        Navigation {
            id: trip.id,
            kind: trip.kind,
            state,
            failure: failed.map(Failure::published),
            failure_code: None,
            reason: failed.map(|it| it.to_string()),
            target: target.map(|it| Pose::planar(Frame::Map, it.x_m, it.y_m, it.yaw_rad)),
            place: trip.place.clone(),
            remaining_m: (state == NavigationState::Moving).then_some(self.remaining_m),
            stuck: state == NavigationState::Moving && self.stuck,
            passed_points: matches!(trip.to, To::Route(..))
                .then(|| u32::try_from(self.passed).unwrap_or(u32::MAX)),
            flags: self.flags.iter().map(|it| (*it).into()).collect(),
        }
    }
}

fn believed(time_s: f64, docked: bool, bearings: &Bearings) -> Believed {
    // Without its scanner it would not see what it drives into.
    let lost = bearings.is_lost() || bearings.is_blind(time_s);
    Believed { pose: bearings.pose(), time_s, lost, docked, blocked_ahead_m: None }
}

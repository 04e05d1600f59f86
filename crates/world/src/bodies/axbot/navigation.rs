//! Where it drives by itself: navigation goals become goals on the map.

use latimer_core::Outcome;
use latimer_core::model::signal::{ControlMode, FeatureKind, NavigationKind};
use latimer_core::model::{Destination, NavigationGoal};

use super::following::Following;
use super::lifts::lift_at;
use super::rack_areas::{SEEN_M, Wanted};
use super::{Axbot, parts};
use crate::bodies::check;
use crate::bodies::rover::Direction;
use crate::geometry::{Pose2, wrap_angle};
use crate::nav::{Failure, Goal, NavigatorLimits};
use crate::physics::Surroundings;

/// How near a rack must be to its given pose, metres.
const RACK_NEAR_M: f64 = 1.0;

/// A route that begins farther off than this is not gone to, metres (plausible).
const FAR_FROM_ROUTE_M: f64 = 5.0;

/// How exactly it stands beneath a rack, metres and radians.
const BENEATH_M: f64 = 0.05;
const BENEATH_RAD: f64 = 0.1;

/// Most points of a route.
const MOST_POINTS: usize = 2_000;

/// How long it backs off from a charger before it turns, seconds.
const BACK_OUT_S: f64 = 3.5;

/// How long it backs out from beneath a rack, seconds: between the legs there is no room to turn.
const OUT_FROM_BENEATH_S: f64 = 7.0;

/// What it is about to stand beneath.
#[derive(Clone, Debug)]
pub(super) struct Rack {
    name: String,
    pose: Pose2,
}

impl Axbot {
    /// Goes on a goal, in place of the one before. As chassis do, it begins what it cannot do, and fails with the reason.
    pub(super) fn navigate(&mut self, request: &NavigationGoal) -> Result<Outcome, Outcome> {
        let outcome = self.begin(request)?;
        self.awaits_jack = self.jack.is_moving();
        if let Some(failure) = self.cannot_begin(request) {
            self.cancel_for(failure);
        }
        Ok(outcome)
    }

    /// Why a drive that is asked for fails at once.
    fn cannot_begin(&self, request: &NavigationGoal) -> Option<Failure> {
        if let Some(failure) = self.hindrance() {
            return Some(failure);
        }
        match &request.destination {
            Destination::Charger { .. } if self.rover.power.is_docked() => Some(Failure::AlreadyCharging),
            Destination::Charger { pose: None, .. } if !self.knows_charger() => Some(Failure::NoCharger),
            // Whether it carries something then, the jack shows when it holds.
            Destination::Rack { .. }
            | Destination::RackOfArea(_)
            | Destination::Unload { .. }
            | Destination::UnloadInArea(_)
                if self.awaits_jack =>
            {
                None
            }
            Destination::Rack { .. } | Destination::RackOfArea(_) if self.jack.is_up() => {
                Some(Failure::JackUp)
            }
            Destination::Unload { .. } | Destination::UnloadInArea(_) if self.rack.is_none() => {
                Some(Failure::NoLoad)
            }
            Destination::RackOfArea(id) | Destination::UnloadInArea(id) => self.places_of_area(id).err(),
            Destination::EnterLift { x_m, y_m, .. } => {
                let at = Pose2::new(*x_m, *y_m, 0.0).out_of(self.frame);
                lift_at(&self.file, [at.x_m, at.y_m]).is_none().then_some(Failure::NoLift)
            }
            Destination::Route { points_m, .. } => {
                let [x_m, y_m] = *points_m.first()?;
                let start = Pose2::new(x_m, y_m, 0.0).out_of(self.frame);
                let far_m = self.rover.bearings.pose().distance_to(start.x_m, start.y_m);
                (far_m > FAR_FROM_ROUTE_M).then_some(Failure::FarFromRoute)
            }
            _ => None,
        }
    }

    /// Why any drive fails at once.
    pub(super) fn hindrance(&self) -> Option<Failure> {
        if let Some(reason) = self.disabled() {
            return Some(Failure::Disabled(reason));
        }
        if self.rover.bearings.is_mapless() {
            return Some(Failure::NoMap);
        }
        if self.switches.mode() != ControlMode::Auto {
            return Some(Failure::Disabled("somebody else drives; set the control mode to auto"));
        }
        self.rover.bearings.is_blind(self.state.time_s).then_some(Failure::Blind)
    }

    fn begin(&mut self, request: &NavigationGoal) -> Result<Outcome, Outcome> {
        let accuracy =
            request.accuracy_m.map(|it| check::within("accuracy in metres", it, 0.0, 10.0)).transpose()?;
        let exact = |goal: Goal| {
            let goal = accuracy.map_or(goal, |it| goal.within(it));
            Goal { zone: request.zone, ..goal }
        };
        let limits = self.limits();
        let (kind, goal) = match &request.destination {
            Destination::Point { x_m, y_m, yaw_rad } => {
                let at = self.on_map([*x_m, *y_m, yaw_rad.unwrap_or_default()])?;
                (NavigationKind::Goto, exact(Goal { yaw_rad: yaw_rad.map(|_| at.yaw_rad), ..Goal::pose(at) }))
            }
            Destination::EnterLift { x_m, y_m, yaw_rad } | Destination::AwaitLift { x_m, y_m, yaw_rad } => {
                let at = self.on_map([*x_m, *y_m, yaw_rad.unwrap_or_default()])?;
                let kind = match request.destination {
                    Destination::EnterLift { .. } => NavigationKind::EnterElevator,
                    _ => NavigationKind::ToElevator,
                };
                (kind, exact(Goal { yaw_rad: yaw_rad.map(|_| at.yaw_rad), ..Goal::pose(at) }))
            }
            Destination::Place(name) => {
                let places = || self.atlas.points(FeatureKind::Place, self.frames.map());
                let place = places().find(|(known, _)| known == name).ok_or_else(|| {
                    let known: Vec<&str> = places().map(|(name, _)| name).collect();
                    Outcome::bad_argument(format!("there is no such place; there are: {}", known.join(", ")))
                })?;
                (NavigationKind::Goto, exact(Goal::pose(place.1)))
            }
            Destination::Charger { pose, retries } => {
                let bearings = &self.rover.bearings;
                let charger = pose.map_or(Ok(self.nearest_charger()), |pose| self.on_map(pose).map(Some))?;
                let goal = charger.map_or(Goal::pose(bearings.pose()), |charger| bearings.dock(charger));
                let limits = NavigatorLimits { dock_tries: (*retries).clamp(1, 20), ..limits };
                self.set_out(request, NavigationKind::Charge, goal, limits);
                self.sent_to_charge = true;
                return Ok(Outcome::Accepted);
            }
            Destination::Route { points_m, detour_m } => {
                let detour_m = check::within("a detour in metres", *detour_m, 0.0, 100.0)?;
                if points_m.is_empty() || points_m.len() > MOST_POINTS {
                    return Err(Outcome::bad_argument(format!("a route has from 1 to {MOST_POINTS} points")));
                }
                let point = |[x, y]: &[f64; 2]| self.on_map([*x, *y, 0.0]).map(|it| [it.x_m, it.y_m]);
                let points_m = points_m.iter().map(point).collect::<Result<Vec<_>, _>>()?;
                self.leave();
                self.rover.way.set_limits(limits);
                self.rover.way.follow_route(points_m, detour_m, request.id);
                return Ok(Outcome::Accepted);
            }
            Destination::Rack { pose } => {
                let wanted = self.on_map(*pose)?;
                let goal = Goal::dock(self.under(wanted), false);
                self.set_out(request, NavigationKind::AlignWithRack, goal, parts::between_legs());
                self.wanted_rack = Some(wanted);
                return Ok(Outcome::Accepted);
            }
            Destination::RackOfArea(id) => {
                let (goal, search) = self.begin_search_of_area(id, Wanted::Rack);
                self.set_out(request, NavigationKind::AlignWithRack, goal, parts::between_legs());
                self.area = search;
                return Ok(Outcome::Accepted);
            }
            Destination::UnloadInArea(id) => {
                let (goal, search) = self.begin_search_of_area(id, Wanted::Place);
                self.set_out(request, NavigationKind::ToUnloadPoint, goal, limits);
                self.area = search;
                return Ok(Outcome::Accepted);
            }
            Destination::Unload { pose } => {
                (NavigationKind::ToUnloadPoint, exact(Goal::pose(self.on_map(*pose)?)))
            }
            Destination::Target => {
                let here = self.rover.bearings.pose();
                self.set_out(request, NavigationKind::Follow, Goal::point([here.x_m, here.y_m]), limits);
                self.following = Some(Following::begun(self.state.time_s));
                return Ok(Outcome::Accepted);
            }
        };
        self.set_out(request, kind, goal, limits);
        Ok(Outcome::Accepted)
    }

    /// How it drives with what it carries.
    pub(super) fn limits(&self) -> NavigatorLimits {
        if self.rack.is_some() { parts::laden(self.outline.reach_m()) } else { parts::ROVER.navigation }
    }

    fn set_out(
        &mut self,
        request: &NavigationGoal,
        kind: NavigationKind,
        goal: Goal,
        limits: NavigatorLimits,
    ) {
        self.leave();
        self.rover.way.set_limits(limits);
        let place = match &request.destination {
            Destination::Place(name) => Some(name.clone()),
            _ => None,
        };
        self.rover.way.go_for(kind, goal, request.id, place);
    }

    /// Another goal begins.
    pub(super) fn leave(&mut self) {
        self.disturb("it was sent on its way");
        self.forget_aims();
        self.sent_to_charge = false;
        self.rounds.end();
        self.switches.wake(self.state.time_s);
        self.rover.drive.let_go();
        self.trip.begin();
        for code in [10_001, 10_002, 10_003] {
            self.alerts.set(code, false);
        }
        // With a wall before it there is no room to turn.
        let walled = self.rover.bearings.free_m(Direction::Ahead).is_some_and(|m| m < 0.4);
        if self.beneath && self.rack.is_none() && !self.jack.is_moving() {
            self.back_out();
        } else if self.rover.power.is_docked() && walled {
            self.rover.drive.back_off_for(BACK_OUT_S, self.state.time_s);
        }
    }

    fn back_out(&mut self) {
        self.rover.drive.back_off_for(OUT_FROM_BENEATH_S, self.state.time_s);
    }

    /// Sets out on what it was asked for while the jack moved, once that holds; by then it carries a rack, or none any more.
    pub(super) fn set_out_after_jack(&mut self) {
        if !self.awaits_jack || self.jack.is_moving() {
            return;
        }
        self.awaits_jack = false;
        match self.rover.way.kind() {
            None => return,
            Some(NavigationKind::ToUnloadPoint) if self.rack.is_none() => {
                return self.cancel_for(Failure::NoLoad);
            }
            Some(NavigationKind::AlignWithRack) if self.jack.is_up() => {
                return self.cancel_for(Failure::JackUp);
            }
            Some(NavigationKind::AlignWithRack) => {}
            Some(_) => self.rover.way.set_limits(self.limits()),
        }
        if self.beneath && self.rack.is_none() {
            self.back_out();
        }
    }

    /// What it was after is nothing any more.
    fn forget_aims(&mut self) {
        self.following = None;
        self.wanted_rack = None;
        self.area = None;
        self.aligning = None;
    }

    /// Cancels the goal; returns whether there was something.
    pub(super) fn cancel(&mut self) -> bool {
        self.forget_aims();
        self.rover.way.cancel()
    }

    /// Gives up what it is after, for a reason.
    pub(super) fn cancel_for(&mut self, failure: Failure) {
        self.forget_aims();
        self.rover.way.give_up(failure);
    }

    /// Whether a charger is marked on its map.
    pub(super) fn knows_charger(&self) -> bool {
        self.marked_chargers().next().is_some()
    }

    fn nearest_charger(&self) -> Option<Pose2> {
        let here = self.rover.bearings.pose();
        let off_m = |it: &Pose2| here.distance_to(it.x_m, it.y_m);
        self.marked_chargers().min_by(|a, b| off_m(a).total_cmp(&off_m(b)))
    }

    /// Puts goals right that depend on what is seen: the followed target, the rack.
    pub(super) fn correct(&mut self, around: &Surroundings<'_>) {
        self.set_out_after_jack();
        self.find_rack(around);
        self.search_area(around);
        self.keep_up(around);
    }

    /// The pose beneath a rack, entered by whichever side is nearer.
    pub(super) fn under(&self, rack: Pose2) -> Pose2 {
        let here = self.rover.bearings.pose();
        let [ahead_m, _] = rack.point_in(here.x_m, here.y_m);
        let turn = if ahead_m > 0.0 { std::f64::consts::PI } else { 0.0 };
        Pose2::new(rack.x_m, rack.y_m, wrap_angle(rack.yaw_rad + turn))
    }

    /// Finds the rack that is meant as soon as it is near enough to be seen.
    fn find_rack(&mut self, around: &Surroundings<'_>) {
        let Some(wanted) = self.wanted_rack else { return };
        if around.pose.distance_to(wanted.x_m, wanted.y_m) > SEEN_M {
            return;
        }
        self.wanted_rack = None;
        let off_m = |it: &crate::physics::Rack| wanted.distance_to(it.pose.x_m, it.pose.y_m);
        let standing = around.racks.iter().filter(|it| !it.carried && off_m(it) < RACK_NEAR_M);
        let Some(rack) = standing.min_by(|a, b| off_m(a).total_cmp(&off_m(b))) else {
            return self.rover.way.give_up(Failure::NoRack);
        };
        self.align_with(rack);
    }

    /// Goes beneath a rack that it sees.
    pub(super) fn align_with(&mut self, rack: &crate::physics::Rack) {
        let beneath = self.under(rack.pose);
        self.aligning = Some(Rack { name: rack.file.name.clone(), pose: beneath });
        self.rover.way.adjust(Goal::dock(beneath, false));
    }

    /// Whether it stands where the way shall end that a mark ends: on a charger, or beneath the rack.
    pub(super) fn is_at_mark(&self) -> bool {
        match (&self.aligning, self.rover.way.kind()) {
            (Some(rack), Some(NavigationKind::AlignWithRack)) => self.is_beneath(rack.pose),
            (None, Some(NavigationKind::AlignWithRack)) => false,
            _ => self.rover.power.is_docked(),
        }
    }

    fn is_beneath(&self, rack: Pose2) -> bool {
        let near = self.truth.distance_to(rack.x_m, rack.y_m) < BENEATH_M;
        near && wrap_angle(self.truth.yaw_rad - rack.yaw_rad).abs() < BENEATH_RAD
    }

    /// The rack that it stands beneath, if any.
    pub(super) fn rack_above(&self, around: &Surroundings<'_>) -> Option<String> {
        let aligned = |it: &&crate::physics::Rack| {
            let straight =
                wrap_angle(2.0 * (it.pose.yaw_rad - around.pose.yaw_rad)).abs() < 2.0 * BENEATH_RAD;
            !it.carried && straight && around.pose.distance_to(it.pose.x_m, it.pose.y_m) < 2.0 * BENEATH_M
        };
        let above = around.racks.iter().find(aligned).map(|it| it.file.name.clone());
        above.or_else(|| {
            self.aligning.as_ref().filter(|it| self.is_beneath(it.pose)).map(|it| it.name.clone())
        })
    }
}

//! Areas of racks on the map: it goes from place to place of one, the nearest first, until it finds a rack to take or a place
//! to put one down.
//!
//! ```text
//!  sent ──▶ the nearest place ──near it: as wanted?──yes──▶ there
//!                 ▲                    │ no
//!                 └──── the next ◀─────┘ ──none is left──▶ failed: empty, or full
//! ```

use latimer_core::model::signal::{FeatureKind, NavigationKind};

use super::Axbot;
use crate::geometry::{Pose2, inside};
use crate::nav::{Failure, Goal};
use crate::physics::Surroundings;

/// From how far it sees whether a rack stands at a place, metres.
pub(super) const SEEN_M: f64 = 2.0;

/// How near to its place a rack stands at it, metres.
const AT_PLACE_M: f64 = 0.5;

/// What it looks for in an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A rack to take.
    Rack,
    /// A place without one.
    Place,
}

/// Its search of an area.
#[derive(Clone, Debug)]
pub(super) struct AreaSearch {
    wanted: Wanted,
    /// Where it goes now, on the map.
    place: Pose2,
    /// The places that it has not seen, the nearest last.
    left: Vec<Pose2>,
    /// It found what it wants.
    found: bool,
}

impl Axbot {
    /// The places of an area, on the map, the nearest last; or why there is none.
    pub(super) fn places_of_area(&self, id: &str) -> Result<Vec<Pose2>, Failure> {
        let areas = self.atlas.marks(FeatureKind::RackArea).filter(|it| it.id.as_deref() == Some(id));
        let mut areas = areas.peekable();
        areas.peek().ok_or(Failure::NoRackArea)?;
        let areas: Vec<_> = areas.map(|it| it.points_m.as_slice()).collect();
        let points = self.atlas.marks(FeatureKind::RackPoint).filter_map(|it| it.pose.as_ref());
        let within = points.filter(|it| areas.iter().any(|area| inside(area, it.x_m, it.y_m)));
        let mut places: Vec<Pose2> =
            within.map(|it| Pose2::new(it.x_m, it.y_m, it.yaw_rad).out_of(self.frames.map())).collect();
        let here = self.rover.bearings.pose();
        let off_m = |it: &Pose2| here.distance_to(it.x_m, it.y_m);
        places.sort_by(|a, b| off_m(b).total_cmp(&off_m(a)));
        if places.is_empty() { Err(Failure::RackAreaBare) } else { Ok(places) }
    }

    /// Begins to search an area; the goal to set out for. One that cannot be searched is where the robot stands, and fails.
    pub(super) fn begin_search_of_area(&mut self, id: &str, wanted: Wanted) -> (Goal, Option<AreaSearch>) {
        let mut left = self.places_of_area(id).unwrap_or_default();
        match left.pop() {
            Some(place) => {
                (self.goal_at(wanted, place), Some(AreaSearch { wanted, place, left, found: false }))
            }
            None => (Goal::pose(self.rover.bearings.pose()), None),
        }
    }

    fn goal_at(&self, wanted: Wanted, place: Pose2) -> Goal {
        match wanted {
            Wanted::Rack => Goal::dock(self.under(place), false),
            Wanted::Place => Goal::pose(place),
        }
    }

    /// Looks whether it is near a place that is as it wants it, and goes on to the next one if not.
    pub(super) fn search_area(&mut self, around: &Surroundings<'_>) {
        let Some(AreaSearch { wanted, place, found: false, .. }) = self.area else { return };
        if around.pose.distance_to(place.x_m, place.y_m) > SEEN_M {
            return;
        }
        let off_m = |it: &crate::physics::Rack| place.distance_to(it.pose.x_m, it.pose.y_m);
        let standing = around.racks.iter().filter(|it| !it.carried && off_m(it) < AT_PLACE_M);
        let rack = standing.min_by(|a, b| off_m(a).total_cmp(&off_m(b)));
        match (wanted, rack) {
            (Wanted::Rack, Some(rack)) => self.align_with(rack),
            (Wanted::Place, None) => {}
            _ => return self.look_further(wanted),
        }
        if let Some(search) = &mut self.area {
            search.found = true;
        }
    }

    /// Goes on to the next place of the area.
    fn look_further(&mut self, wanted: Wanted) {
        let next = self.area.as_mut().and_then(|it| {
            it.place = it.left.pop()?;
            Some(it.place)
        });
        match (next, wanted) {
            (Some(place), _) => self.rover.way.adjust(self.goal_at(wanted, place)),
            (None, Wanted::Rack) => self.cancel_for(Failure::RackAreaEmpty),
            (None, Wanted::Place) => self.cancel_for(Failure::RackAreaFull),
        }
    }
}

/// Whether a failure means that it did not get to where it wanted to.
pub(super) fn is_missed(failure: Failure) -> bool {
    use Failure::{DockFailed, GoalBlocked, GoalOutside, NoWay, WayBlocked};
    matches!(failure, DockFailed | GoalBlocked | GoalOutside | NoWay | WayBlocked)
}

/// What that is called of a drive to an area.
pub(super) fn failure_in_area(kind: NavigationKind, failure: Failure) -> Failure {
    match kind {
        NavigationKind::AlignWithRack => Failure::RackAreaMissed,
        NavigationKind::ToUnloadPoint => Failure::RackAreaShut,
        _ => failure,
    }
}

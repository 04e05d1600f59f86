//! Driving by itself: where to, along which way, how far it got; and the traffic around.

use std::sync::Arc;

use crate::clock::Timestamp;
use crate::model::record::{record, words};

use super::{Frame, Pose};

words! {
    /// How a drive to somewhere stands.
    pub enum NavigationState {
        /// There is none.
        Idle = "idle",
        /// On the way.
        Moving = "moving",
        /// There.
        Succeeded = "succeeded",
        /// Given up.
        Failed = "failed",
        /// Called off.
        Cancelled = "cancelled",
    }
}

words! {
    /// What a robot drives for.
    pub enum NavigationKind {
        /// To a pose or place.
        Goto = "goto",
        /// To its charger.
        Charge = "charge",
        /// Along a line.
        Route = "route",
        /// After somebody.
        Follow = "follow",
        /// Beneath a rack.
        AlignWithRack = "align_with_rack",
        /// To where a rack is put down.
        ToUnloadPoint = "to_unload_point",
        /// Into a lift.
        EnterElevator = "enter_elevator",
        /// Out of a lift.
        LeaveElevator = "leave_elevator",
        /// Back to where one waits for a lift.
        ToElevator = "to_elevator",
        /// Out of somebody's way.
        PullOver = "pull_over",
        /// Something else.
        Other = "other",
    }
}

words! {
    /// Why a drive was given up.
    pub enum NavigationFailure {
        /// There is something at the goal.
        GoalBlocked = "goal_blocked",
        /// The goal is not on the map.
        GoalOutside = "goal_outside",
        /// No way leads there.
        NoWay = "no_way",
        /// Something stands in the way and does not go.
        WayBlocked = "way_blocked",
        /// The door stays shut.
        DoorShut = "door_shut",
        /// The charger was not met.
        DockFailed = "dock_failed",
        /// There is no charger.
        NoCharger = "no_charger",
        /// The robot does not know where it is.
        Lost = "lost",
        /// The rack was not found.
        NoRack = "no_rack",
        /// An emergency stop or an empty battery.
        Disabled = "disabled",
        /// The one to follow is out of sight.
        TargetLost = "target_lost",
        /// The gateway has lost the robot, and does not know what became of the drive.
        OutOfReach = "out_of_reach",
        /// Something else.
        Other = "other",
    }
}

record! {
    /// How a drive to somewhere stands.
    pub struct Navigation {
        /// The drive's number.
        pub id: i64,
        /// What it is for.
        pub kind: NavigationKind,
        /// How it stands.
        pub state: NavigationState,
        /// Why it was given up.
        pub failure: Option<NavigationFailure>,
        /// The robot's own number for that.
        pub failure_code: Option<i64>,
        /// The same for a person to read.
        pub reason: Option<String>,
        /// Where to.
        pub target: Option<Pose>,
        /// Name of the place, if it has one.
        pub place: Option<String>,
        /// How much of the way is left.
        pub remaining_m: Option<f64>,
        /// Whether it waits for something to get out of the way.
        pub stuck: bool,
        /// How many points of a route are behind it.
        pub passed_points: Option<u32>,
        /// The robot's own words for what else holds now.
        pub flags: Vec<Arc<str>>,
    }
}

impl Navigation {
    /// A drive of which nothing else is known.
    pub const fn new(id: i64, kind: NavigationKind, state: NavigationState) -> Self {
        Self {
            id,
            kind,
            state,
            failure: None,
            failure_code: None,
            reason: None,
            target: None,
            place: None,
            remaining_m: None,
            stuck: false,
            passed_points: None,
            flags: Vec::new(),
        }
    }
}

record! {
    /// A way on the floor; the part is `planned`, `local` or `trajectory`.
    pub struct Path {
        /// The frame of the points.
        pub frame: Frame,
        /// Points, each `[x, y]` in metres.
        pub points_m: Vec<[f64; 2]>,
        /// How the robot shall stand at each point; empty if that is left to it.
        pub yaws_rad: Vec<f64>,
        /// How wide the way is.
        pub width_m: Option<f64>,
    }
}

impl Path {
    /// A way of which only the points are known.
    pub const fn of(frame: Frame, points_m: Vec<[f64; 2]>) -> Self {
        Self { frame, points_m, yaws_rad: Vec::new(), width_m: None }
    }
}

record! {
    /// How far the robot went.
    pub struct Odometer {
        /// When the present trip began.
        pub trip_start: Option<Timestamp>,
        /// How long it takes so far.
        pub trip_s: f64,
        /// How long it is so far.
        pub trip_m: f64,
        /// Since the robot was switched on.
        pub total_m: f64,
    }
}

record! {
    /// The robot's outline on the floor, in its own axes.
    pub struct Footprint {
        /// Its corners, each `[x, y]` in metres.
        pub polygon_m: Vec<[f64; 2]>,
        /// From side to side.
        pub width_m: f64,
    }
}

record! {
    /// Another robot nearby.
    pub struct Neighbour {
        /// Its name.
        pub robot: String,
        /// Where it is.
        pub pose: Pose,
        /// Its outline in its own axes, each corner `[x, y]` in metres.
        pub footprint_m: Vec<[f64; 2]>,
        /// Where it is about to go, each point `[x, y]` in metres in the update's frame, the map.
        pub trend_m: Vec<[f64; 2]>,
    }
}

record! {
    /// The other robots nearby.
    pub struct Neighbours {
        /// Each of them.
        pub robots: Vec<Neighbour>,
    }
}

words! {
    /// How a door stands.
    pub enum DoorState {
        /// Shut.
        Closed = "closed",
        /// On the way open.
        Opening = "opening",
        /// Open.
        Open = "open",
        /// On the way shut.
        Closing = "closing",
    }
}

record! {
    /// A door that opens by itself.
    pub struct Door {
        /// Its name.
        pub name: String,
        /// Its network card's address.
        pub mac: Option<String>,
        /// How it stands.
        pub state: DoorState,
        /// Where it is when it is shut, each corner `[x, y]` in metres in the update's frame, the map.
        pub polygon_m: Vec<[f64; 2]>,
    }
}

record! {
    /// The doors nearby.
    pub struct Doors {
        /// Each of them.
        pub doors: Vec<Door>,
    }
}

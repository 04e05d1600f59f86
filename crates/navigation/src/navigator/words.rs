//! Inputs and outputs of a navigator.

use std::fmt;

use latimer_core::model::signal::NavigationFailure;

use crate::geometry::Pose2;
use crate::{Berth, Dock, FollowLimits, Grid};

/// How near to the middle of a goal is near enough by default, metres.
const USUAL_ACCURACY_M: f64 = 0.05;

/// What a navigator may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavigatorLimits {
    /// What the drive may be asked for.
    pub follow: FollowLimits,
    /// The room that the robot needs.
    pub berth: Berth,
    /// How much air it leaves before what is in its way, metres.
    pub gap_m: f64,
    /// How long something is in the way before a way around it is looked for, seconds.
    pub patience_s: f64,
    /// How long it does not get on before it gives up, seconds.
    pub give_up_s: f64,
    /// How long it waits for a shut door, seconds.
    pub door_s: f64,
    /// Speed into a charger, m/s.
    pub dock_mps: f64,
    /// How often it tries to dock.
    pub dock_tries: u32,
}

/// Where to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Where on the map, metres.
    pub at_m: [f64; 2],
    /// How to be turned there; `None` as it comes.
    pub yaw_rad: Option<f64>,
    /// How near is near enough, metres.
    pub accuracy_m: f64,
    /// That alone counts, and at once.
    pub zone: bool,
    /// The charger, if that is the goal.
    pub dock: Option<Dock>,
}

impl Goal {
    /// A point, however turned.
    pub fn point(at_m: [f64; 2]) -> Self {
        Self { at_m, yaw_rad: None, accuracy_m: USUAL_ACCURACY_M, zone: false, dock: None }
    }

    /// A pose.
    pub fn pose(pose: Pose2) -> Self {
        Self { yaw_rad: Some(pose.yaw_rad), ..Self::point([pose.x_m, pose.y_m]) }
    }

    /// A charger, as the robot's pose on it.
    pub fn dock(charger: Pose2, reverse: bool) -> Self {
        let dock = Dock { charger, reverse };
        Self { dock: Some(dock), ..Self::pose(dock.staging()) }
    }

    /// A charger, entered from the side where there is room to line up: forwards, or backwards if a robot
    /// that charges there has a wall behind it.
    pub fn dock_where_free(charger: Pose2, blocked: &Grid<bool>) -> Self {
        let is_free = |goal: &Self| blocked.at(goal.at_m) == Some(false);
        let (forwards, backwards) = (Self::dock(charger, false), Self::dock(charger, true));
        if !is_free(&forwards) && is_free(&backwards) { backwards } else { forwards }
    }

    /// The same with another accuracy, metres.
    #[must_use]
    pub fn within(self, accuracy_m: f64) -> Self {
        Self { accuracy_m, ..self }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.at_m.iter().chain(&self.yaw_rad).all(|it| it.is_finite())
    }
}

/// What a navigator drives to.
#[derive(Clone, Debug, PartialEq)]
pub enum NavigationTarget {
    /// Anywhere on the best way.
    Go(Goal),
    /// Along given points, all of them and in their order.
    Route(Vec<[f64; 2]>),
}

impl NavigationTarget {
    /// From a pose to its end in straight lines, metres.
    pub(super) fn straight_m(&self, pose: Pose2) -> f64 {
        let points = match self {
            Self::Go(goal) => std::slice::from_ref(&goal.at_m),
            Self::Route(points_m) => points_m,
        };
        let start = [pose.x_m, pose.y_m];
        let legs = std::iter::once(&start).chain(points).zip(points);
        legs.map(|([x, y], [to_x, to_y])| (to_x - x).hypot(to_y - y)).sum()
    }
}

/// What a robot knows of itself at a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Believed {
    /// Where it believes to be.
    pub pose: Pose2,
    /// The world's clock, seconds.
    pub time_s: f64,
    /// Its pose cannot be trusted.
    pub lost: bool,
    /// It stands on a charger.
    pub docked: bool,
    /// Free way from the bow to something ahead in the corridor of the way, by sensors other than those
    /// that feed [`Obstacles`](crate::Obstacles), metres.
    pub blocked_ahead_m: Option<f64>,
}

/// Why a target was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The robot does not fit at the goal.
    GoalBlocked,
    /// The goal is not on the map.
    GoalOutside,
    /// The map has no way there.
    NoWay,
    /// Something is in the way and does not go.
    WayBlocked,
    /// The charger did not hold.
    DockFailed,
    /// There is no charger where one should be.
    NoCharger,
    /// The charger holds, but gives no current.
    NoCurrent,
    /// A door stayed shut.
    DoorShut,
    /// The robot does not know where it is.
    Lost,
    /// The robot has no map.
    NoMap,
    /// There is no rack where one should be.
    NoRack,
    /// It did not get beneath the rack.
    RackMissed,
    /// There is no rack on the jack that could be put down.
    NoLoad,
    /// The jack is up, so it does not fit beneath a rack.
    JackUp,
    /// No area of racks has the id.
    NoRackArea,
    /// The area has no places for racks.
    RackAreaBare,
    /// The area has no rack any more.
    RackAreaEmpty,
    /// The area has racks, but it did not get beneath one.
    RackAreaMissed,
    /// A rack stands on every place of the area.
    RackAreaFull,
    /// It did not get to the place of the area that is free.
    RackAreaShut,
    /// There is no lift where one should be.
    NoLift,
    /// Somebody stands in the lift.
    LiftTaken,
    /// The lift's door stayed shut.
    LiftShut,
    /// Something is in the way into the lift and does not go.
    LiftObscured,
    /// It stands on a charger already.
    AlreadyCharging,
    /// The route begins too far away.
    FarFromRoute,
    /// It does not see what is before it.
    Blind,
    /// It cannot drive, or not by itself, for this reason.
    Disabled(&'static str),
    /// The one to follow is out of sight.
    TargetLost,
    /// By command.
    Cancelled,
}

impl Failure {
    /// The same as it is published.
    pub fn published(self) -> NavigationFailure {
        NavigationFailure::from_word(self.word()).unwrap_or(NavigationFailure::Other)
    }

    /// The word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::GoalBlocked => "goal_blocked",
            Self::GoalOutside => "goal_outside",
            Self::NoWay => "no_way",
            Self::WayBlocked => "way_blocked",
            Self::DockFailed | Self::NoCurrent => "dock_failed",
            Self::NoCharger => "no_charger",
            Self::DoorShut | Self::LiftShut => "door_shut",
            // To programs it is one: a robot without a map knows no place.
            Self::Lost | Self::NoMap => "lost",
            Self::NoRack | Self::NoLoad | Self::RackMissed | Self::RackAreaEmpty | Self::RackAreaMissed => {
                "no_rack"
            }
            Self::RackAreaFull | Self::LiftTaken | Self::LiftObscured => "goal_blocked",
            Self::JackUp
            | Self::NoLift
            | Self::NoRackArea
            | Self::RackAreaBare
            | Self::RackAreaShut
            | Self::AlreadyCharging
            | Self::FarFromRoute => "other",
            Self::Blind | Self::Disabled(_) => "disabled",
            Self::TargetLost => "target_lost",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GoalBlocked => "the robot does not fit at the goal",
            Self::GoalOutside => "the goal is outside the map",
            Self::NoWay => "there is no way to the goal that is wide enough",
            Self::WayBlocked => "something is in the way and does not go",
            Self::DockFailed => "the charger did not hold the robot",
            Self::NoCharger => "there is no charger where one should be",
            Self::NoCurrent => "the charger holds the robot, but gives no current",
            Self::DoorShut => "a door on the way stayed shut",
            Self::Lost => "the robot does not know where it is",
            Self::NoMap => "there is no map to drive by",
            Self::NoRack => "there is no rack where one should be",
            Self::NoLoad => "it carries no rack; align with one and jack it up first",
            Self::RackMissed => "the robot did not get beneath the rack",
            Self::JackUp => "the jack is in up state; jack it down first",
            Self::NoRackArea => "the map has no area of racks of this id",
            Self::RackAreaBare => "the area has no places for racks; mark rack points in it",
            Self::RackAreaEmpty => "the area has no rack any more",
            Self::RackAreaMissed => "the area has racks, but the robot did not get beneath one",
            Self::RackAreaFull => "a rack stands on every place of the area",
            Self::RackAreaShut => "the area has a free place, but the robot did not get there",
            Self::NoLift => "there is no lift at the goal",
            Self::LiftTaken => "another robot stands in the lift",
            Self::LiftShut => "the lift did not come, or its door stayed shut",
            Self::LiftObscured => "something is in the way into the lift and does not go",
            Self::AlreadyCharging => "it is on a charger already",
            Self::FarFromRoute => "the route begins too far away",
            Self::Blind => "the scanner does not answer",
            Self::Disabled(reason) => reason,
            Self::TargetLost => "the one to follow is out of sight",
            Self::Cancelled => "it was cancelled",
        })
    }
}

/// The state of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// There is none.
    #[default]
    Idle,
    /// Looks for a way.
    Planning,
    /// On the way.
    Moving,
    /// There, but for the heading.
    TurningToGoal,
    /// Stands, because something or a door is in the way or the pose is doubtful.
    Waiting,
    /// On the last bit to a charger.
    Docking,
    /// Done.
    Arrived,
    /// Given up.
    Failed(Failure),
}

impl State {
    /// Whether the target goes on.
    pub fn is_active(self) -> bool {
        !matches!(self, Self::Idle | Self::Arrived | Self::Failed(_))
    }
}

/// The state of a target, in detail.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The state.
    pub state: State,
    /// What is left of the way, metres.
    pub remaining_m: f64,
    /// It has not got on for a while.
    pub stuck: bool,
    /// How many points of a given route have been passed.
    pub passed_points: usize,
    /// Counts the ways taken: another number, another [`path`](super::Navigator::path).
    pub path_number: u32,
}

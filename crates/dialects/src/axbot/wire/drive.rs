//! Moves: where to, along which way, and what stands around.

use super::number::Moment;
use super::record::record;
use super::{Point, Pose};

record! {
    /// Section "Planning State"; the last four are older or later than the specification.
    pub struct PlanningState {
        /// The map that is used.
        map_uid: String,
        /// The move's number.
        action_id: i64,
        /// `ActionType`.
        action_type: String,
        /// `MoveState`.
        move_state: String,
        /// Valid if it failed.
        fail_reason: i64,
        /// Valid if it failed.
        fail_reason_str: String,
        /// Metres.
        remaining_distance: f64,
        /// Where to.
        target_poses: Vec<Pose>,
        /// Deprecated by `action_type`.
        move_intent: String,
        /// The pose of the current target.
        intent_target_pose: Pose,
        /// `StuckState`, or `none`.
        stuck_state: String,
        /// Whether it is in a lift.
        in_elevator: bool,
        /// Whether something is too near to see past.
        viewport_blocked: bool,
        /// Whether it waits at the roadside for another robot to leave its goal.
        is_waiting_for_dest: bool,
        /// Whether it docks with a conveyor.
        docking_with_conveyer: bool,
        /// How many points of the route are behind it.
        given_route_passed_point_count: i64,
        /// Where the charger is.
        charger_pose: Pose,
        /// Whether it drives to its charger.
        going_back_to_charger: bool,
        /// Whether it waits for a charger to get free.
        waiting_for_charge: bool,
        /// Who asked for the move.
        creator: String,
    }
}

record! {
    /// Section "Lidar Point Cloud".
    pub struct ScanMatchedPoints2 {
        /// Milliseconds since 1970; robots were seen to send seconds.
        stamp: Moment,
        /// On the map, with height.
        points: Vec<Point>,
    }
}

record! {
    /// Section "Global Path".
    pub struct Path {
        /// Milliseconds since 1970.
        stamp: Moment,
        /// On the map; since 2.12.0 with heading.
        positions: Vec<Point>,
    }
}

record! {
    /// Section "Trajectory".
    pub struct Trajectory {
        /// On the map.
        points: Vec<Point>,
    }
}

record! {
    /// Section "Local Path".
    pub struct LocalPath {
        /// Metres.
        width: f64,
        /// `##RRGGBBAA`.
        color: String,
        /// On the map, with heading.
        poses: Vec<Point>,
    }
}

record! {
    /// Section "Robot Model".
    pub struct RobotModel {
        /// Corners, metres: x to the right, y ahead.
        footprint: Vec<Point>,
        /// From side to side, metres.
        width: f64,
        /// Corners with a margin, since 2.12.4.
        expanded_footprint: Vec<Point>,
    }
}

record! {
    /// Section "Nearby Robots".
    pub struct NearbyRobots {
        /// Each of them.
        robots: Vec<NearbyRobot>,
    }
}

record! {
    /// Another robot.
    pub struct NearbyRobot {
        /// Its serial number.
        uid: String,
        /// Where it is.
        pose: Pose,
        /// Where it is about to go, on the map.
        trend: Vec<Point>,
        /// Which of the outlines in `/nearby_robot_footprints` is its own.
        footprint_digest: String,
    }
}

record! {
    /// Section "Nearby Robot Footprints".
    pub struct NearbyRobotFootprints {
        /// Each outline.
        footprints: Vec<NearbyRobotFootprint>,
    }
}

record! {
    /// An outline.
    pub struct NearbyRobotFootprint {
        /// Its name.
        digest: String,
        /// Corners, metres: x to the right, y ahead.
        coordinates: Vec<Point>,
    }
}

record! {
    /// Section "Nearby Auto Doors".
    pub struct NearbyAutoDoors {
        /// Each of them.
        doors: Vec<NearbyAutoDoor>,
    }
}

record! {
    /// A door.
    pub struct NearbyAutoDoor {
        /// Its name.
        name: String,
        /// Its network card's address.
        mac: String,
        /// `closed`, `opening`, `open`, `closing`; also `unknown`.
        state: String,
        /// Corners on the map.
        polygon: Vec<Point>,
    }
}

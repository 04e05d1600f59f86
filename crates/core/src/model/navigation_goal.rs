//! Parameters of commands to autonomous robots: navigation goals, loads, tasks, readings.

use super::record::words;
use super::signal::{MapInfo, OccupancyGrid};
use super::{PartName, Signal};

/// A goal to which a robot drives autonomously.
#[derive(Clone, Debug, PartialEq)]
pub struct NavigationGoal {
    /// The client's number of it; the robot chooses one if not given.
    pub id: Option<i64>,
    /// The destination.
    pub destination: Destination,
    /// Distance at which the goal is reached; the robot's default if not given.
    pub accuracy_m: Option<f64>,
    /// The goal is a zone, reached as soon as the robot is within that distance, however it is turned.
    pub zone: bool,
}

impl NavigationGoal {
    /// A goal without a number.
    pub const fn to(destination: Destination) -> Self {
        Self { id: None, destination, accuracy_m: None, zone: false }
    }
}

/// A destination.
#[derive(Clone, Debug, PartialEq)]
pub enum Destination {
    /// A point on the map.
    Point {
        /// East of the map's origin.
        x_m: f64,
        /// North of the map's origin.
        y_m: f64,
        /// Heading at the goal; any if not given.
        yaw_rad: Option<f64>,
    },
    /// A place that has a name.
    Place(String),
    /// A charger: the nearest, or the one whose robots stand at this pose.
    Charger {
        /// Where its robots stand: x, y in metres, yaw in radians.
        pose: Option<[f64; 3]>,
        /// How often to try again.
        retries: u32,
    },
    /// Along a line, point by point.
    Route {
        /// Points on the map, each `[x, y]` in metres.
        points_m: Vec<[f64; 2]>,
        /// How far it may leave the line to get around something.
        detour_m: f64,
    },
    /// Into a lift, which it calls.
    EnterLift {
        /// East of the map's origin.
        x_m: f64,
        /// North of the map's origin.
        y_m: f64,
        /// Heading in the cabin; any if not given.
        yaw_rad: Option<f64>,
    },
    /// Back to where it waits for a lift.
    AwaitLift {
        /// East of the map's origin.
        x_m: f64,
        /// North of the map's origin.
        y_m: f64,
        /// Heading at the goal; any if not given.
        yaw_rad: Option<f64>,
    },
    /// Beneath a rack, ready to take it.
    Rack {
        /// About where it stands, x, y in metres, and yaw in radians.
        pose: [f64; 3],
    },
    /// Beneath the nearest rack of an area of racks, by the area's id on the map.
    RackOfArea(String),
    /// To the nearest free place of an area of racks, by the area's id on the map, where the carried rack shall be put down.
    UnloadInArea(String),
    /// Where a rack shall be put down: x, y in metres, yaw in radians.
    Unload {
        /// The pose of the rack.
        pose: [f64; 3],
    },
    /// A moving target whose pose is reported; the nearest person without reports.
    Target,
}

words! {
    /// What becomes of following somebody.
    pub enum FollowState {
        /// Go where the one to follow is.
        Pose = "pose",
        /// Wait.
        Pause = "pause",
        /// Give up.
        Fail = "fail",
    }
}

words! {
    /// What to do with a load.
    pub enum Carry {
        /// Lift what stands above.
        JackUp = "jack_up",
        /// Put it down.
        JackDown = "jack_down",
        /// Roll a load in.
        RollerLoad = "roller_load",
        /// Roll it out.
        RollerUnload = "roller_unload",
    }
}

/// How a robot shall look for itself on its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelocateBy {
    /// By codes and poles that are marked on the map.
    pub marks: bool,
    /// By what its scanner sees.
    pub scan: bool,
}

impl RelocateBy {
    /// By all that there is.
    pub const ANY: Self = Self { marks: true, scan: true };
}

/// A map to drive by.
#[derive(Clone, Debug, PartialEq)]
pub struct MapUse {
    /// What it is, and what is marked on it.
    pub info: MapInfo,
    /// Its cells; those that the robot drives by now if not given.
    pub grid: Option<OccupancyGrid>,
}

words! {
    /// What can be done to a robot's own parts.
    pub enum Maintenance {
        /// Measure the inertial sensor's bias anew, standing still.
        CalibrateImu = "calibrate_imu",
        /// Measure the scale of the gyroscope anew, turning on the spot.
        CalibrateGyro = "calibrate_gyro",
        /// Forget the wheels' faults.
        ClearWheelFaults = "clear_wheel_faults",
        /// Forget that the wheels slipped.
        ClearSlipping = "clear_slipping",
        /// Forget that it fell.
        ClearFall = "clear_fall",
        /// Move the jack up and down to see whether it can.
        CheckJack = "check_jack",
        /// Forget the jack's faults.
        ClearJackFaults = "clear_jack_faults",
        /// Forget what stood in the way.
        ClearCosts = "clear_costs",
        /// Switch the laser scanner on.
        LidarOn = "lidar_on",
        /// Switch the laser scanner off.
        LidarOff = "lidar_off",
    }
}

/// How a camera delivers; what is not given stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraSettings {
    /// Which camera; all if not given.
    pub part: Option<PartName>,
    /// Width and height in pixels.
    pub size: Option<[u32; 2]>,
    /// Pictures a second.
    pub rate_hz: Option<f64>,
}

/// A task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskRequest {
    /// Its name; the same name again adds what was missing.
    pub id: String,
    /// What to do, e.g. `bring`.
    pub kind: String,
    /// What with, what from, where to: name and value.
    pub parameters: Vec<(String, String)>,
    /// Who asks.
    pub asker: Option<String>,
    /// 1 is urgent, 5 can wait.
    pub priority: u8,
}

impl TaskRequest {
    /// A parameter that was given and says something.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

words! {
    /// Which things count, for robots that live in a room and in a simulation at once.
    pub enum Realities {
        /// Those that are in the room.
        Real = "R",
        /// Those that are in the simulation only.
        Virtual = "V",
        /// Both.
        Mixed = "M",
    }
}

/// What to measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Sensing {
    /// The distance ahead.
    Distance,
    /// The colour ahead.
    Color,
    /// Distance and colour in some directions.
    Proximity {
        /// Each counter-clockwise from ahead.
        bearings_rad: Vec<f64>,
    },
    /// The heading.
    Compass,
}

/// A measurement to be made now.
#[derive(Clone, Debug, PartialEq)]
pub struct SenseRequest {
    /// What to measure.
    pub what: Sensing,
    /// Which things count.
    pub realities: Realities,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Which part, for several of a kind.
    pub part: Option<PartName>,
    /// What was measured.
    pub signal: Signal,
}

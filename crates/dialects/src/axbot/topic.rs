//! The topics: the name of each, the signals that it is made of, and its rhythm.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use latimer_core::model::profile::{Ability, CameraRole};
use latimer_core::model::signal::ContactSensor;
use latimer_core::model::{Kind, PartName, RobotProfile};

/// Where the updates of a topic come from: a kind, and one part of it unless all count.
pub type Origin = (Kind, Option<&'static str>);

/// When a topic is sent while it is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rhythm {
    /// Least time between two messages; none if each counts.
    pub every: Duration,
    /// After so long it is sent again though nothing changed.
    pub beat: Option<Duration>,
    /// Whether a client that enables it gets the last message at once.
    pub latched: bool,
    /// Whether a message that is the same as the last one is left out.
    pub changes_only: bool,
}

/// Each message as it comes, none remembered.
const STREAM: Rhythm = Rhythm { every: Duration::ZERO, beat: None, latched: false, changes_only: false };

/// The last one at once, then as it comes.
const LATCHED: Rhythm = Rhythm { latched: true, ..STREAM };

/// The last one at once, then each that differs.
const CHANGES: Rhythm = Rhythm { changes_only: true, ..LATCHED };

/// After so long robots were seen to send the last one again.
pub const BEAT: Duration = Duration::from_secs(12);

/// The same, and the last one again and again.
const BEATS: Rhythm = Rhythm { beat: Some(BEAT), ..CHANGES };

const fn at_most(every: Duration, rhythm: Rhythm) -> Rhythm {
    Rhythm { every, ..rhythm }
}

const fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Every topic: its name, the body of its messages, when it is sent, the signals that it is made of with the part of each,
/// and a kind of which the robot's profile names the part.
macro_rules! each_topic {
    ($then:ident) => {
        $then! {
            /// The map that the robot drives by, or that it makes.
            Map = "/map": Grid, LATCHED, [(Map, Some("map"))];
            /// Obstacles around it, as paths are planned by.
            Costmap5cm = "/maps/5cm/1hz": Grid, at_most(millis(950), LATCHED), [(Map, Some("costmap_5cm"))];
            /// Obstacles around it, as collisions are avoided by.
            Costmap1cm = "/maps/1cm/1hz": Grid, at_most(millis(950), LATCHED), [(Map, Some("costmap_1cm"))];
            /// Who drives, and the emergency stop.
            WheelState = "/wheel_state": WheelState, LATCHED, [(Control, None)];
            /// The same as it was published before version 1.8.8.
            ChassisState = "/chassis_state": ChassisState, LATCHED, [(Control, None)];
            /// How well it knows where it is.
            SlamState = "/slam/state": SlamState, LATCHED, [(Localization, None)];
            /// What its camera makes out.
            VisionDetectedObjects = "/vision_detected_objects": VisionDetectedObjects, LATCHED, [(Objects, Some("vision"))];
            /// Charge, voltage, current.
            BatteryState = "/battery_state": BatteryState, at_most(millis(950), LATCHED), [(Battery, None)];
            /// The same with every cell.
            DetailedBatteryState = "/detailed_battery_state": DetailedBatteryState, at_most(millis(950), LATCHED), [(Battery, None)];
            /// Where it is; how often is a matter of style.
            TrackedPose = "/tracked_pose": TrackedPose, CHANGES, [(Pose, None)];
            /// How its drive stands.
            PlanningState = "/planning_state": PlanningState, BEATS, [(Navigation, None)];
            /// What its scanner meets.
            ScanMatchedPoints2 = "/scan_matched_points2": ScanMatchedPoints2, at_most(millis(450), STREAM), [(Scan, None), (PointCloud, None)];
            /// The way that it plans.
            Path = "/path": Path, LATCHED, [(Path, Some("planned"))];
            /// The way that it came.
            Trajectory = "/trajectory": Trajectory, LATCHED, [(Path, Some("trajectory"))];
            /// What is wrong.
            Alerts = "/alerts": Alerts, LATCHED, [(Alerts, None)];
            /// How far it went.
            TravelledDistance = "/platform_monitor/travelled_distance": TravelledDistance, LATCHED, [(Odometer, None)];
            /// The front camera's video.
            FrontVideo = "/rgb_cameras/front/video": CameraVideo, STREAM, [(Video, Some("camera_front"))];
            /// The back camera's video.
            BackVideo = "/rgb_cameras/back/video": CameraVideo, STREAM, [(Video, Some("camera_back"))];
            /// The front camera's video with what is made out on it.
            FrontAugmentedVideo = "/rgb_cameras/front_augmented/video": CameraVideo, STREAM, [(Video, Some("camera_front_augmented"))];
            /// The front camera's pictures.
            FrontCompressed = "/rgb_cameras/front/compressed": CameraPicture, STREAM, [(CompressedImage, Some("camera_front"))];
            /// The back camera's pictures.
            BackCompressed = "/rgb_cameras/back/compressed": CameraPicture, STREAM, [(CompressedImage, Some("camera_back"))];
            /// Whether its sensors are awake.
            SensorManagerState = "/sensor_manager_state": SensorManagerState, LATCHED, [(Control, None)];
            /// Its outline.
            RobotModel = "/robot_model": RobotModel, BEATS, [(Footprint, None)];
            /// Its outline alone, as older robots tell it.
            RobotFootprint = "/robot/footprint": RobotFootprint, CHANGES, [(Footprint, None)];
            /// Robots nearby.
            NearbyRobots = "/nearby_robots": NearbyRobots, LATCHED, [(Neighbours, None)];
            /// Their outlines.
            NearbyRobotFootprints = "/nearby_robot_footprints": NearbyRobotFootprints, CHANGES, [(Neighbours, None)];
            /// How far its dead reckoning is trusted.
            OdomState = "/odom_state": OdomState, LATCHED, [(Odometry, None)];
            /// Which cameras of somebody else's it would like to have.
            ExternalRgbCameraControl = "/external_rgb_camera_control": ExternalRgbCameraControl, CHANGES, [];
            /// How a search for itself stands.
            GlobalPositioningState = "/global_positioning_state": GlobalPositioningState, LATCHED, [(Relocation, None)];
            /// What it is, in brief.
            DeviceInfoBrief = "/device_info_brief": DeviceInfoBrief, LATCHED, [(Device, None)];
            /// How well its scans fit the map.
            EnvMatchMap = "/env_match_map": Grid, LATCHED, [(Map, Some("match_map"))];
            /// Where the surroundings have no features.
            EnvSymmetryMap = "/env_symmetry_map": Grid, LATCHED, [(Map, Some("symmetry_map"))];
            /// The way that it really drives.
            LocalPath = "/local_path": LocalPath, LATCHED, [(Path, Some("local"))];
            /// The jack.
            JackState = "/jack_state": JackState, LATCHED, [(Joint, Some("jack"))];
            /// What is new against the map.
            IncrementalMap = "/incremental_map": Grid, LATCHED, [(Map, Some("incremental_map"))];
            /// The map, to be fetched.
            MapV2 = "/map_v2": CachedGrid, LATCHED, [(Map, Some("map"))];
            /// The obstacles, as older robots tell them.
            Costmap = "/map/costmap": Grid, at_most(millis(950), LATCHED), [(Map, Some("costmap_5cm"))];
            /// The obstacles, to be fetched.
            CostmapV2 = "/map/costmap_v2": CachedGrid, at_most(millis(950), LATCHED), [(Map, Some("costmap_5cm"))];
            /// What is new against the map, to be fetched.
            IncrementalMapV2 = "/incremental_map_v2": CachedGrid, LATCHED, [(Map, Some("incremental_map"))];
            /// The code that it reads.
            CollectedBarcode = "/collected_barcode": CollectedBarcode, LATCHED, [(Objects, Some("barcodes"))];
            /// The rack before it.
            DetectedRack = "/detected_rack": DetectedRack, LATCHED, [(Objects, Some("racks"))];
            /// What it shows to others.
            RobotSignal = "/robot_signal": RobotSignal, at_most(millis(95), CHANGES), [(Indicators, None)];
            /// Doors nearby.
            NearbyAutoDoors = "/nearby_auto_doors": NearbyAutoDoors, LATCHED, [(Doors, None)];
            /// The same by their names alone.
            DetectedGates = "/detected_features/gates": DetectedGates, CHANGES, [(Doors, None)];
            /// Its bumpers.
            BumperState = "/bumper_state": BumperState, CHANGES, [(Contact, None)];
            /// The roller on its deck.
            RollerState = "/roller_state": RollerState, LATCHED, [(Joint, Some("roller"))];
            /// Pallets before it.
            DetectedPallets = "/detected_pallets": DetectedPallets, LATCHED, [(Objects, Some("pallets"))];
            /// Poles that it sees.
            Landmarks = "/landmarks": Landmarks, LATCHED, [(Objects, Some("landmarks"))];
            /// Digital inputs and outputs.
            IoPinsState = "/io_pins_state": IoPinsState, LATCHED, [(Pins, None)];
            /// The same, all boards in a row.
            RawIoBoardState = "/raw_io_board_state": RawIoBoardState, CHANGES, [(Pins, None)];
            /// Which map it drives by, and what is marked on it.
            MapInfo = "/map/info": MapInfo, CHANGES, [(MapInfo, None)];
            /// What became of something that takes its time.
            Action = "/action": Action, STREAM, [(Task, None)];
            /// How a calibration of the inertial sensor stands.
            ImuState = "/imu_state": ImuState, LATCHED, [(Task, None)];
            /// What one scanner meets, as numbers of four bytes.
            HorizontalLaser = "/horizontal_laser_2d/matched": LaserPoints, at_most(millis(450), STREAM), [(Scan, None), (PointCloud, None)];
            /// How fast it goes.
            MotionMetrics = "/motion_metrics": MotionMetrics, at_most(millis(95), STREAM), [(Velocity, Some("measured"))];
            /// How its wheels hold the floor, and whether it stands.
            FusedSensorState = "/fused_sensor_state": FusedSensorState, CHANGES, [(Traction, None)];
        }
    };
}

pub(in crate::axbot) use each_topic;

macro_rules! topics {
    ($($(#[doc = $doc:literal])* $topic:ident = $name:literal: $body:ident, $rhythm:expr,
        [$(($kind:ident, $part:expr)),*] $(, or $by_role:ident)?;)*) => {
        /// A topic that a robot tells.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Topic {
            $($(#[doc = $doc])* $topic,)*
        }

        impl Topic {
            /// Every topic.
            pub const ALL: &'static [Self] = &[$(Self::$topic,)*];

            /// Its name on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$topic => $name,)*
                }
            }

            /// The signals that it is made of; none if the gateway makes it itself.
            pub const fn origins(self) -> &'static [Origin] {
                match self {
                    $(Self::$topic => &[$((Kind::$kind, $part)),*],)*
                }
            }

            /// The kinds of its signals, also that of which the profile names the part.
            pub const fn kinds(self) -> &'static [Kind] {
                match self {
                    $(Self::$topic => &[$(Kind::$kind,)* $(Kind::$by_role)?],)*
                }
            }

            /// What it tells.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$topic => concat!($($doc,)*).trim_ascii(),)*
                }
            }

            /// When it is sent.
            pub const fn rhythm(self) -> Rhythm {
                match self {
                    $(Self::$topic => $rhythm,)*
                }
            }
        }
    };
}

each_topic!(topics);

impl Topic {
    /// How often it is sent, where the vendor says so: in the name.
    pub const fn rate_hz(self) -> Option<f64> {
        match self {
            Self::Costmap5cm | Self::Costmap1cm => Some(1.0),
            _ => None,
        }
    }

    /// The kind of which the robot's profile names the part: a camera by where it looks.
    pub const fn kind_by_role(self) -> Option<Kind> {
        match self {
            Self::FrontVideo | Self::BackVideo => Some(Kind::Video),
            Self::FrontCompressed | Self::BackCompressed => Some(Kind::CompressedImage),
            _ => None,
        }
    }

    /// The part that it tells, if it is always the same.
    pub fn part(self) -> Option<PartName> {
        self.origins().first().and_then(|(_, part)| *part).map(PartName::of)
    }

    /// What a robot must be able to do that has something to say on it, beside what it is made of.
    pub const fn ability(self) -> Option<Ability> {
        match self {
            Self::Action | Self::ImuState => Some(Ability::Maintain),
            Self::SensorManagerState => Some(Ability::Sleep),
            Self::ExternalRgbCameraControl => Some(Ability::TakePictures),
            _ => None,
        }
    }

    /// Which of the sensors for contacts it is about, if not about all.
    pub const fn contact(self) -> Option<ContactSensor> {
        match self {
            Self::BumperState => Some(ContactSensor::Bumper),
            _ => None,
        }
    }

    /// Whether an update of a kind and part may be sent on it; of a kind by role that depends on the robot's profile.
    pub fn carries(self, kind: Kind, part: Option<&PartName>) -> bool {
        let part = part.map(PartName::as_str);
        let is_own = |(from, of): &Origin| *from == kind && of.is_none_or(|of| part == Some(of));
        self.kind_by_role() == Some(kind) || self.origins().iter().any(is_own)
    }

    /// Where its updates come from on a robot of a profile: the parts of a chassis, and those that play their role.
    pub fn origins_of(self, profile: &RobotProfile) -> impl Iterator<Item = (Kind, Option<&str>)> {
        let camera = match self {
            Self::FrontVideo | Self::FrontCompressed => profile.camera_ahead(),
            Self::BackVideo | Self::BackCompressed => profile.camera(CameraRole::Back),
            _ => None,
        };
        let camera = camera.map(|it| it.part.as_str());
        self.origins().iter().map(move |(kind, part)| (*kind, camera.or(*part)))
    }
}

/// Names that clients use for a topic beside its own.
const ALIASES: [(&str, Topic); 4] = [
    ("/trajectory_node_list", Topic::Trajectory),
    ("/roll_state", Topic::RollerState),
    ("/actions", Topic::Action),
    ("/chassis/occupancy_grid", Topic::Map),
];

impl FromStr for Topic {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let own = Self::ALL.iter().find(|topic| topic.as_str() == name);
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, topic)| topic);
        own.or(alias).copied().ok_or(())
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_topics_are_one_to_one() {
        for topic in Topic::ALL {
            assert_eq!(topic.as_str().parse(), Ok(*topic));
        }
        assert_eq!("/trajectory_node_list".parse(), Ok(Topic::Trajectory));
        assert!("/nonsense".parse::<Topic>().is_err());
    }
}

//! What a robot has and can, declared by its source when it registers.
//!
//! A facade asks the profile where it would otherwise have to know families: which camera looks ahead, which joint nods,
//! whether there is a map. What a source does not know is absent; nothing is guessed from names.

mod lens;
mod mount;
mod place;

pub use lens::Lens;
pub use mount::{Axis, Hinge, Mount, Ray};
pub use place::{Place, PlacedSensor};

use crate::model::signal::{Switch, TextChannel};
use crate::model::{Kind, KindSet, PartName, words};

/// What a robot has and can; the default declares nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RobotProfile {
    /// Corners of its outline from above in `base_link`, counter-clockwise, metres; empty if unknown.
    pub footprint_m: Vec<[f64; 2]>,
    /// Its driven wheels, if their limits are published.
    pub wheels: Option<Wheels>,
    /// Its cameras.
    pub cameras: Vec<Camera>,
    /// Joints that report or take a position.
    pub joints: Vec<Joint>,
    /// Lamps whose colour a command sets; `None` for a lamp without a name.
    pub lamps: Vec<Option<PartName>>,
    /// Names of the sounds that every robot of its make plays, as [`Command::Play`](crate::Command::Play) takes them.
    pub sounds: Vec<String>,
    /// Sensors that measure distances along the floor.
    pub ranges: Vec<RangeSensor>,
    /// Sensors for contacts and edges, by where they sit.
    pub placed: Vec<PlacedSensor>,
    /// The kinds that it may publish.
    pub kinds: KindSet,
    /// Which ways its texts come; empty if that is not declared.
    pub texts: Vec<TextChannel>,
    /// Whether an inertial unit of it tells how it is turned.
    pub attitude: bool,
    /// What it does with maps.
    pub map: MapUse,
    /// What it can do.
    pub abilities: Vec<Ability>,
    /// How its behaviours are switched so that it moves nothing of its own accord; empty if it has none that a halt leaves on.
    pub still: Vec<Switch>,
}

/// Two driven wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheels {
    /// Greatest speed of each, m/s.
    pub max_mps: f64,
    /// Distance between them, metres.
    pub gap_m: f64,
    /// Their radius, metres, if it is known.
    pub radius_m: Option<f64>,
}

/// A camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// The part of its pictures.
    pub part: PartName,
    /// Where it looks.
    pub role: CameraRole,
    /// Where it is mounted, if that is known.
    pub mount: Option<Mount>,
    /// How it sees, if that is known.
    pub lens: Option<Lens>,
}

words! {
    /// Where a camera looks.
    pub enum CameraRole {
        /// Ahead.
        Front = "front",
        /// Behind.
        Back = "back",
        /// Ahead, as the left one of a pair.
        Left = "left",
        /// Ahead, as the right one of a pair.
        Right = "right",
    }
}

impl JointRole {
    /// Whether a joint of this role tells an angle; others tell a share of their range or a way.
    pub const fn is_hinge(self) -> bool {
        !matches!(self, Self::Tail | Self::EarLeft | Self::EarRight | Self::Eyelids | Self::Jack)
    }
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its part.
    pub part: PartName,
    /// What it moves.
    pub role: JointRole,
}

/// A sensor that measures distances.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeSensor {
    /// What it reports: [`Kind::Range`], [`Kind::Scan`] or [`Kind::PointCloud`].
    pub kind: Kind,
    /// Its part, if its reports name one.
    pub part: Option<PartName>,
    /// Where it is mounted, if that is known.
    pub mount: Option<Mount>,
    /// Where it looks, counter-clockwise from ahead, radians, if that is known and there is no mount.
    pub bearing_rad: Option<f64>,
    /// Width of the cone that it sees, radians, if that is known.
    pub field_rad: Option<f64>,
    /// Farthest distance measured, metres.
    pub max_m: Option<f64>,
}

words! {
    /// What a joint moves.
    pub enum JointRole {
        /// The head, left and right; positive turns left.
        HeadYaw = "head_yaw",
        /// The head, up and down; positive leans forward.
        HeadPitch = "head_pitch",
        /// The head, to its shoulders.
        HeadRoll = "head_roll",
        /// A neck below the head; positive leans forward.
        NeckLift = "neck_lift",
        /// The body that carries the neck; positive leans forward.
        BodyTilt = "body_tilt",
        /// The left arm.
        ArmLeft = "arm_left",
        /// The right arm.
        ArmRight = "arm_right",
        /// The upper arm of a manipulator.
        Shoulder = "shoulder",
        /// The forearm of a manipulator.
        Elbow = "elbow",
        /// The hand of a manipulator.
        Wrist = "wrist",
        /// The fingers of a manipulator.
        Gripper = "gripper",
        /// The tail.
        Tail = "tail",
        /// The left ear.
        EarLeft = "ear_left",
        /// The right ear.
        EarRight = "ear_right",
        /// Both eyelids.
        Eyelids = "eyelids",
        /// A jack that lifts racks.
        Jack = "jack",
    }
}

words! {
    /// Something that a robot can do.
    pub enum Ability {
        /// Drives at a commanded speed.
        Drive = "drive",
        /// Drives to a place by itself.
        Navigate = "navigate",
        /// Drives along a line, and after somebody.
        Follow = "follow",
        /// Calls lifts and drives into them.
        RideLifts = "ride_lifts",
        /// Picks things up and sets them down.
        Carry = "carry",
        /// Does tasks, such as bringing something.
        DoTasks = "do_tasks",
        /// Plays sounds.
        PlaySounds = "play_sounds",
        /// Plays sounds that are sent to it.
        StreamSounds = "stream_sounds",
        /// Stops by an emergency stop that a command sets and releases.
        EmergencyStop = "emergency_stop",
        /// Is driven by hand, by remote control or by itself, as a command says.
        ChangeMode = "change_mode",
        /// Puts its sensors to sleep and wakes them.
        Sleep = "sleep",
        /// Clears faults and recalibrates its sensors by command.
        Maintain = "maintain",
        /// Takes pictures that cameras beside it took.
        TakePictures = "take_pictures",
        /// Reports what stands in its way as maps of costs.
        ReportCosts = "report_costs",
        /// Reports the way that it really drives.
        ReportLocalPath = "report_local_path",
    }
}

words! {
    /// What a robot does with maps.
    pub enum MapUse {
        /// Nobody said.
        Unknown = "unknown",
        /// It has none: it knows where it is only from where it started.
        Never = "never",
        /// It knows where it is on a map.
        Localizes = "localizes",
        /// It also makes maps, keeps them and changes between them.
        Makes = "makes",
    }
}

#[expect(clippy::derivable_impls, reason = "not all words have a default")]
impl Default for MapUse {
    fn default() -> Self {
        Self::Unknown
    }
}

impl Camera {
    /// A camera of which no more is known.
    pub fn new(part: &str, role: CameraRole) -> Self {
        Self { part: PartName::of(part), role, mount: None, lens: None }
    }
}

impl Joint {
    /// The joint of a part.
    pub fn new(part: &str, role: JointRole) -> Self {
        Self { part: PartName::of(part), role }
    }
}

impl RangeSensor {
    /// A sensor of which no more is known.
    pub fn new(kind: Kind, part: Option<&str>) -> Self {
        let part = part.map(PartName::of);
        Self { kind, part, mount: None, bearing_rad: None, field_rad: None, max_m: None }
    }

    /// The same with where it looks and how wide.
    #[must_use]
    pub fn toward(self, bearing_rad: f64, field_rad: f64) -> Self {
        Self { bearing_rad: Some(bearing_rad), field_rad: Some(field_rad), ..self }
    }

    /// Where it looks, counter-clockwise from ahead, radians, while the joints that carry it are at 0.
    pub fn bearing(&self) -> Option<f64> {
        self.mount.as_ref().map(|mount| mount.yaw_rad).or(self.bearing_rad)
    }
}

impl RobotProfile {
    /// Whether it can do something.
    pub fn can(&self, ability: Ability) -> bool {
        self.abilities.contains(&ability)
    }

    /// The same with navigation by the gateway.
    #[must_use]
    pub fn navigated(&self) -> Self {
        let mut abilities = self.abilities.clone();
        abilities.push(Ability::Navigate);
        let kinds = self.kinds.with(Kind::Navigation).with(Kind::Path);
        Self { abilities, kinds: if self.kinds.is_empty() { self.kinds } else { kinds }, ..self.clone() }
    }

    /// The camera of a role.
    pub fn camera(&self, role: CameraRole) -> Option<&Camera> {
        self.cameras.iter().find(|it| it.role == role)
    }

    /// The camera that looks ahead: of a pair the left one, as stereo drivers of ROS take it.
    pub fn camera_ahead(&self) -> Option<&Camera> {
        self.camera(CameraRole::Front).or_else(|| self.camera(CameraRole::Left))
    }

    /// The part of the joint of a role.
    pub fn joint(&self, role: JointRole) -> Option<&PartName> {
        self.joints.iter().find(|it| it.role == role).map(|it| &it.part)
    }

    /// Whether it scans its surroundings.
    pub fn scans(&self) -> bool {
        self.ranges.iter().any(|it| it.kind != Kind::Range)
    }

    /// Its range sensors and cameras of which it is known how they are mounted, each with the name of its part.
    pub fn mounts(&self) -> impl Iterator<Item = (&PartName, &Mount)> {
        let ranges = self.ranges.iter().filter_map(|it| Some((it.part.as_ref()?, it.mount.as_ref()?)));
        ranges.chain(self.cameras.iter().filter_map(|it| Some((&it.part, it.mount.as_ref()?))))
    }

    /// How its head moves: the axes of the last joint that carries a sensor, if any does.
    pub fn head(&self) -> Option<Mount> {
        let (_, mount) = self.mounts().find(|(_, mount)| !mount.hinges.is_empty())?;
        Some(Mount { hinges: mount.hinges.clone(), ..Mount::fixed([0.0; 3], 0.0) })
    }

    /// Whether texts of it may come that way.
    pub fn says(&self, channel: TextChannel) -> bool {
        self.texts.is_empty() || self.texts.contains(&channel)
    }

    /// Whether it has a part of a kind; `None` of kinds whose parts are not declared.
    pub fn has_part(&self, kind: Kind, part: &str) -> Option<bool> {
        let is_it = |name: &PartName| name.as_str() == part;
        match kind {
            Kind::Range | Kind::Scan | Kind::PointCloud => {
                Some(self.ranges.iter().any(|it| it.kind == kind && it.part.as_ref().is_some_and(is_it)))
            }
            Kind::Joint => Some(self.joints.iter().any(|it| is_it(&it.part))),
            Kind::Contact | Kind::Cliff => {
                Some(self.placed.iter().any(|it| it.kind == kind && is_it(&it.part)))
            }
            _ => None,
        }
    }

    /// The range sensor of a part.
    pub fn range(&self, part: &PartName) -> Option<&RangeSensor> {
        self.ranges.iter().find(|it| it.kind == Kind::Range && it.part.as_ref() == Some(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_pair_of_cameras_the_left_one_looks_ahead() {
        let right = Camera::new("camera_right", CameraRole::Right);
        let left = Camera::new("camera_left", CameraRole::Left);
        let mut profile = RobotProfile { cameras: vec![right, left], ..RobotProfile::default() };
        let ahead = |profile: &RobotProfile| profile.camera_ahead().map(|it| it.part.to_string());
        assert_eq!(ahead(&profile).as_deref(), Some("camera_left"));
        profile.cameras.push(Camera::new("camera", CameraRole::Front));
        assert_eq!(ahead(&profile).as_deref(), Some("camera"));
        assert_eq!(ahead(&RobotProfile::default()), None);
    }

    #[test]
    fn a_mount_says_where_a_sensor_looks() {
        let mount = Some(Mount::fixed([0.1, 0.0, 0.2], 0.5));
        let sonar = RangeSensor { mount, ..RangeSensor::new(Kind::Range, Some("sonar")) };
        assert_eq!(sonar.bearing(), Some(0.5));
        assert_eq!(RangeSensor::new(Kind::Range, None).toward(0.2, 0.1).bearing(), Some(0.2));
        let profile = RobotProfile { ranges: vec![sonar], ..RobotProfile::default() };
        assert!(!profile.scans() && profile.range(&PartName::of("sonar")).is_some());
    }
}

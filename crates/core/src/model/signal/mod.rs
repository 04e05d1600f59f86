//! What robots say: one variant per kind, each kind in one of three delivery classes.
//!
//! A kind is the second word of an update's address, `robot/kind[/part]`. To add one, write its
//! record in a file beside this one and a line in the table below: API, page, descriptions and made-up
//! values for tests follow from these.

mod audio;
mod behaviour;
mod body;
mod control;
mod device;
mod face;
mod frame;
mod hazard;
pub mod image;
mod kind_set;
mod light;
mod link;
mod localization;
mod map;
mod motion;
mod navigation;
mod objects;
mod power;
mod range;
mod scan;
mod space;
mod task;
mod text;

pub use audio::{Audio, KeyPhrase, Playback, SoundFocus, SoundSource};
pub use behaviour::{ActionState, Affect, AttentionField, BehaviourState, PriorityPeak, Sleep, SoundEvent};
pub use body::{Contact, ContactSensor, Joint, SelfCheck};
pub use control::{Alert, Alerts, Control, ControlMode, Pins, Severity, SleepState, Temperature};
pub use device::{CameraState, Device, DevicePart, Library, RunState, Status};
pub use face::{Face, FaceIdentity, FaceTraining, TrainingMessage};
pub use frame::{Frame, FrameName};
pub use hazard::{Hazard, HazardItem, HazardSettings, HazardSource, Limit, Switch};
pub use image::{CompressedImage, Image, Video};
pub use kind_set::KindSet;
pub use light::{Color, Indicators, Lamp, Light};
pub use link::{Link, LinkState};
pub use localization::{Localization, LocalizationState, Odometry, Relocation, RelocationState};
pub use map::{FeatureKind, MapFeature, MapInfo, OccupancyGrid};
pub use motion::{
    DriveLimits, Encoders, Imu, Motion, MotionState, SpeedLimits, Traction, Velocity, WheelEncoder,
};
pub use navigation::{
    Door, DoorState, Doors, Footprint, Navigation, NavigationFailure, NavigationKind, NavigationState,
    Neighbour, Neighbours, Odometer, Path,
};
pub use objects::{DetectedObject, Objects, Pockets};
pub use power::{Battery, PowerState};
pub use range::{Range, RangeStatus};
pub use scan::{PointCloud, Scan};
pub use space::{Accel, AngularRate, Orientation, Point, Pose, Size};
pub use task::{Alternative, Task, TaskAction, TaskState};
pub use text::{Text, TextChannel};

use super::record::words;
use super::sample::{Sample, Seed};
use super::shape::{Field, Shape};
use super::{Record, ToValue, Value};
use crate::frames::Placed;

words! {
    /// How updates of a kind are delivered when a subscriber cannot keep up.
    pub enum Class {
        /// The latest value per key counts; older ones are replaced. A late joiner gets the last one.
        State = "state",
        /// Every one counts; what a full queue drops is counted and reported.
        Event = "event",
        /// Big frames; only the newest is kept.
        Bulk = "bulk",
        /// Frames of which each goes on from the one before; a few wait, and beyond them the newer ones are dropped, counted and reported.
        Stream = "stream",
    }
}

words! {
    /// Of which kinds a sample of the numbers is kept each second, for charts that begin in the past.
    pub enum Retention {
        /// Nothing is kept.
        Never = "never",
        /// As far as somebody follows it.
        Followed = "followed",
        /// Always; robots are asked for it.
        Always = "always",
    }
}

macro_rules! history {
    () => {
        Retention::Never
    };
    ($history:ident) => {
        Retention::$history
    };
}

macro_rules! placed {
    ($record:ident) => {{
        let _ = $record;
        None
    }};
    ($record:ident, true) => {
        Some($record)
    };
}

/// The record of one kind of signal.
pub trait OfKind: Sized {
    /// Which kind.
    const KIND: Kind;

    /// The record of a signal, if it is of this kind.
    fn of(signal: &Signal) -> Option<&Self>;
}

/// A line for each kind: its record, its word, how it is delivered; which history is kept, if any; whether it has coordinates, whose
/// record is [`Placed`] then.
macro_rules! signals {
    ($($(#[doc = $doc:literal])* $variant:ident($record:ty) = $word:literal, $class:ident
        $(, history = $history:ident)? $(, placed = $placed:tt)?;)*) => {
        /// What was said.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Signal {
            $($(#[doc = $doc])* $variant($record),)*
        }

        words! {
            /// The kinds of signal, spelled as in `robot/kind[/part]`.
            pub enum Kind {
                $($(#[doc = $doc])* $variant = $word,)*
            }
        }

        impl Kind {
            /// How updates of this kind are delivered.
            pub const fn class(self) -> Class {
                match self {
                    $(Self::$variant => Class::$class,)*
                }
            }

            /// Whether its numbers are kept for charts.
            pub const fn history(self) -> Retention {
                match self {
                    $(Self::$variant => history!($($history)?),)*
                }
            }

            /// What this kind's record looks like.
            pub const fn shape(self) -> Shape {
                match self {
                    $(Self::$variant => Shape {
                        summary: concat!($($doc,)*).trim_ascii(),
                        fields: <$record as Record>::SHAPE,
                    },)*
                }
            }

            /// The names of the fields of this kind's record.
            pub const fn fields(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => <$record as Record>::FIELDS,)*
                }
            }
        }

        impl Signal {
            /// Which kind this is.
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Self::$variant(_) => Kind::$variant,)*
                }
            }

            /// A made-up signal of a kind: any numbers and words, also those that no robot should send.
            pub fn made_up(kind: Kind, seed: &mut Seed) -> Self {
                match kind {
                    $(Kind::$variant => Self::$variant(Sample::sample(seed)),)*
                }
            }

            /// Its record, if that has coordinates.
            pub(crate) fn placed(&self) -> Option<&dyn Placed> {
                match self {
                    $(Self::$variant(record) => placed!(record $(, $placed)?),)*
                }
            }

            /// One field of the record; `None` if there is no such field.
            pub fn field(&self, name: &str) -> Option<Value> {
                match self {
                    $(Self::$variant(record) => record.field(name),)*
                }
            }
        }

        impl ToValue for Signal {
            fn to_value(&self) -> Value {
                match self {
                    $(Self::$variant(record) => record.to_value(),)*
                }
            }
        }

        $(impl From<$record> for Signal {
            fn from(record: $record) -> Self {
                Self::$variant(record)
            }
        }

        impl OfKind for $record {
            const KIND: Kind = Kind::$variant;

            fn of(signal: &Signal) -> Option<&Self> {
                match signal {
                    Signal::$variant(record) => Some(record),
                    _ => None,
                }
            }
        })*
    };
}

/// A range sensor that looks down for edges; the same record as [`Range`] under a kind of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Cliff(pub Range);

impl ToValue for Cliff {
    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

impl Record for Cliff {
    const FIELDS: &'static [&'static str] = Range::FIELDS;

    const SHAPE: &'static [Field] = Range::SHAPE;

    fn field(&self, name: &str) -> Option<Value> {
        self.0.field(name)
    }
}

impl Sample for Cliff {
    fn sample(seed: &mut Seed) -> Self {
        Self(Range::sample(seed))
    }
}

super::record::record! {
    /// A message that no kind fits; its native form carries the content.
    pub struct Other {
        /// The dialect's name for it.
        pub topic: std::sync::Arc<str>,
    }
}

signals! {
    /// Charge, voltage, current.
    Battery(Battery) = "battery", State, history = Always;
    /// Where the robot is.
    Pose(Pose) = "pose", State, placed = true;
    /// Measured or commanded speed; the part is `commanded` or `measured`.
    Velocity(Velocity) = "velocity", State, history = Always;
    /// How fast the robot drives at most.
    DriveLimits(DriveLimits) = "drive_limits", State;
    /// How the wheels hold the floor, and whether the robot stands.
    Traction(Traction) = "traction", State, history = Followed;
    /// How far the wheels turned.
    Encoders(Encoders) = "encoders", State;
    /// Attitude, turn rates, accelerations.
    Imu(Imu) = "imu", State;
    /// Distance to the nearest obstacle.
    Range(Range) = "range", State, history = Followed;
    /// Distance to the floor below an edge sensor.
    Cliff(Cliff) = "cliff", State, history = Followed;
    /// A bumper or touch strip was pressed or released.
    Contact(Contact) = "contact", Event, placed = true;
    /// Where a joint is.
    Joint(Joint) = "joint", State;
    /// A camera picture, pixel by pixel.
    Image(Image) = "image", Bulk;
    /// A camera picture as a file.
    CompressedImage(CompressedImage) = "compressed_image", Bulk;
    /// A frame of a camera's video.
    Video(Video) = "video", Stream;
    /// What microphones hear.
    Audio(Audio) = "audio", Stream;
    /// One turn of a laser scanner.
    Scan(Scan) = "scan", Bulk, placed = true;
    /// Points that a scanner met.
    PointCloud(PointCloud) = "point_cloud", Bulk, placed = true;
    /// A map of cells.
    Map(OccupancyGrid) = "map", Bulk, placed = true;
    /// What a colour sensor sees.
    Color(Color) = "color", State;
    /// How bright it is at a light sensor.
    Light(Light) = "light", State, history = Followed;
    /// What a lamp shows.
    Lamp(Lamp) = "lamp", State;
    /// What a vehicle shows to others: turning, braking.
    Indicators(Indicators) = "indicators", State;
    /// Where sounds come from.
    SoundSource(SoundSource) = "sound_source", State;
    /// How the sound localisation is set up.
    SoundFocus(SoundFocus) = "sound_focus", Event;
    /// A phrase was recognised.
    KeyPhrase(KeyPhrase) = "key_phrase", Event;
    /// A face was seen.
    Face(Face) = "face", Event;
    /// How learning a face goes.
    FaceTraining(FaceTraining) = "face_training", Event;
    /// Things seen around the robot.
    Objects(Objects) = "objects", State, placed = true;
    /// How well the robot knows where it is.
    Localization(Localization) = "localization", State;
    /// How far dead reckoning is trusted.
    Odometry(Odometry) = "odometry", State;
    /// How a search for the robot on its map stands.
    Relocation(Relocation) = "relocation", Event, placed = true;
    /// Which map it drives by.
    MapInfo(MapInfo) = "map_info", State, placed = true;
    /// How a drive to somewhere stands.
    Navigation(Navigation) = "navigation", Event, placed = true;
    /// A way on the floor; the part is `planned`, `local` or `trajectory`.
    Path(Path) = "path", State, placed = true;
    /// How far the robot went.
    Odometer(Odometer) = "odometer", State, history = Followed;
    /// The robot's outline.
    Footprint(Footprint) = "footprint", State;
    /// Other robots nearby.
    Neighbours(Neighbours) = "neighbours", State, placed = true;
    /// Doors nearby.
    Doors(Doors) = "doors", State, placed = true;
    /// A report on a task.
    Task(Task) = "task", Event;
    /// A motion began, ended or was stopped.
    Motion(Motion) = "motion", Event;
    /// A hazard began or ended.
    Hazard(Hazard) = "hazard", Event;
    /// Which hazards stop the robot, and at which thresholds.
    HazardSettings(HazardSettings) = "hazard_settings", State;
    /// Everything that is wrong now.
    Alerts(Alerts) = "alerts", State;
    /// Who drives, and whether it can be driven.
    Control(Control) = "control", State;
    /// Digital inputs and outputs.
    Pins(Pins) = "pins", State;
    /// How warm it is inside the robot.
    Temperature(Temperature) = "temperature", State, history = Followed;
    /// Text that passes through: serial line, skill output, log.
    Text(Text) = "text", Event;
    /// A sound or clip finished.
    Playback(Playback) = "playback", Event;
    /// How the robot's own behaviour stands: affect, sleep, attention, choice of actions.
    BehaviourState(BehaviourState) = "behaviour_state", State;
    /// What the robot is doing as a whole.
    Status(Status) = "status", State;
    /// What the robot is.
    Device(Device) = "device", State;
    /// What the robot keeps in store: known faces, sounds.
    Library(Library) = "library", State;
    /// Whether the gateway is connected to the robot; the gateway's own signal.
    Link(Link) = "link", State;
    /// What no kind fits.
    Other(Other) = "other", Event;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_kinds_are_one_to_one() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_word(kind.as_str()), Some(*kind));
        }
    }

    #[test]
    fn fields_are_found_without_case() {
        let signal = Signal::from(Range { distance_m: Some(0.25), ..Range::valid(0.25) });
        assert_eq!(signal.field("Distance_M"), Some(Value::Float(0.25)));
        assert_eq!(signal.field("nonsense"), None);
        assert_eq!(Kind::Cliff.fields(), Kind::Range.fields());
    }
}

//! One message of any topic.

use bytes::Bytes;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{DecodeError, Extra};
use crate::axbot::messages::around::{NearbyAutoDoors, NearbyRobotFootprints, NearbyRobots, RobotModel};
use crate::axbot::messages::battery::{BatteryState, DetailedBatteryState};
use crate::axbot::messages::camera::{CameraPicture, CameraVideo, ExternalRgbCameraControl};
use crate::axbot::messages::device::{Action, DeviceInfoBrief, ImuState};
use crate::axbot::messages::drive::{
    LaserPoints, LocalPath, Path, PlanningState, ScanMatchedPoints2, Trajectory,
};
use crate::axbot::messages::grids::{CachedGrid, Grid, MapInfo};
use crate::axbot::messages::joints::{JackState, RollerState};
use crate::axbot::messages::localization::SlamState;
use crate::axbot::messages::objects::{
    CollectedBarcode, DetectedPallets, DetectedRack, Landmarks, VisionDetectedObjects,
};
use crate::axbot::messages::place::{GlobalPositioningState, OdomState, TrackedPose};
use crate::axbot::messages::state::{
    Alerts, BumperState, IoPinsState, MotionMetrics, RobotSignal, SensorManagerState, TravelledDistance,
    WheelState,
};
use crate::axbot::topic::Topic;
use crate::describe::{Object, lenient::Lenient};
use crate::table::{self, Fields};

/// Longest frame that is read, bytes: a map of a large site.
pub const MAX_FRAME_BYTES: usize = 64 << 20;

/// Most commas of a frame, which bounds how many values it holds: a list of the longest kind, and something beside.
const MAX_COMMAS: usize = 4_500_000;

/// A body of messages.
pub(in crate::axbot) trait Body {
    /// The message of a topic; `None` if the topic's messages have another body.
    fn into_message(self, topic: Topic) -> Option<Message>;
}

/// Declares [`Message`] with a variant per topic.
macro_rules! messages {
    ($($body:ident: $($variant:ident),+;)+) => {
        /// A message that a robot sends, by its topic.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "each variant holds the message of the topic of the same name")]
        pub enum Message {
            $($($variant(Box<$body>),)+)+
        }

        impl Message {
            /// Which topic it is of.
            pub const fn topic(&self) -> Topic {
                match self {
                    $($(Self::$variant(_) => Topic::$variant,)+)+
                }
            }

            /// Keys that the specification does not name.
            pub const fn extra(&self) -> &Extra {
                match self {
                    $($(Self::$variant(body) => &body.extra,)+)+
                }
            }

            /// Reads a whole frame, `{"topic": …, …}`, of a topic.
            pub fn read(topic: Topic, frame: &[u8]) -> Result<Self, DecodeError> {
                match topic {
                    $($(Topic::$variant => Ok(Self::$variant(Box::new(body(topic, frame)?))),)+)+
                }
            }

            /// Writes a whole frame, its topic first.
            pub fn write(&self) -> Bytes {
                match self {
                    $($(Self::$variant(body) => written(self.topic(), &**body),)+)+
                }
            }
        }

        /// What each topic's message looks like and means, in the order of [`Topic::ALL`].
        pub static MESSAGES: &[table::Message] = {
            const fn fields_of(topic: Topic) -> Fields {
                match topic {
                    $($(Topic::$variant => Fields::of::<$body>(),)+)+
                }
            }
            let mut messages = [table::Message::EMPTY; Topic::ALL.len()];
            let mut i = 0;
            while i < messages.len() {
                let topic = Topic::ALL[i];
                messages[i] = table::Message {
                    topic: topic.as_str(),
                    kinds: topic.all_kinds(),
                    summary: topic.summary(),
                    fields: fields_of(topic),
                };
                i += 1;
            }
            &{ messages }
        };

        $(impl Body for $body {
            fn into_message(self, topic: Topic) -> Option<Message> {
                match topic {
                    $(Topic::$variant => Some(Message::$variant(Box::new(self))),)+
                    _ => None,
                }
            }
        })+
    };
}

messages! {
    Grid: Map, Costmap5cm, Costmap1cm, EnvMatchMap, EnvSymmetryMap, IncrementalMap;
    CachedGrid: MapV2, CostmapV2, IncrementalMapV2;
    MapInfo: MapInfo;
    WheelState: WheelState;
    SensorManagerState: SensorManagerState;
    SlamState: SlamState;
    TrackedPose: TrackedPose;
    OdomState: OdomState;
    GlobalPositioningState: GlobalPositioningState;
    BatteryState: BatteryState;
    DetailedBatteryState: DetailedBatteryState;
    PlanningState: PlanningState;
    ScanMatchedPoints2: ScanMatchedPoints2;
    Path: Path;
    Trajectory: Trajectory;
    LocalPath: LocalPath;
    RobotModel: RobotModel;
    NearbyRobots: NearbyRobots;
    NearbyRobotFootprints: NearbyRobotFootprints;
    NearbyAutoDoors: NearbyAutoDoors;
    Alerts: Alerts;
    TravelledDistance: TravelledDistance;
    MotionMetrics: MotionMetrics;
    CameraVideo: FrontVideo, BackVideo, FrontAugmentedVideo;
    CameraPicture: FrontCompressed, BackCompressed;
    ExternalRgbCameraControl: ExternalRgbCameraControl;
    VisionDetectedObjects: VisionDetectedObjects;
    CollectedBarcode: CollectedBarcode;
    DetectedRack: DetectedRack;
    DetectedPallets: DetectedPallets;
    Landmarks: Landmarks;
    JackState: JackState;
    RollerState: RollerState;
    BumperState: BumperState;
    IoPinsState: IoPinsState;
    RobotSignal: RobotSignal;
    DeviceInfoBrief: DeviceInfoBrief;
    Action: Action;
    ImuState: ImuState;
    LaserPoints: HorizontalLaser;
}

fn body<T: Object>(topic: Topic, frame: &[u8]) -> Result<T, DecodeError> {
    let fails = |problem: String| DecodeError { topic, problem };
    if frame.len() > MAX_FRAME_BYTES {
        return Err(fails(format!("{} bytes are more than the limit of {MAX_FRAME_BYTES}", frame.len())));
    }
    // Each value takes more memory than the two bytes that it may have here.
    if frame.iter().filter(|byte| **byte == b',').count() > MAX_COMMAS {
        return Err(fails(format!("more than {MAX_COMMAS} values")));
    }
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_slice(frame);
    let read = T::read(serde_path_to_error::Deserializer::new(&mut json, &mut track));
    let read = read.and_then(|read| json.end().map(|()| read));
    let mut read: T = match read {
        Ok(Some(read)) => read,
        Ok(None) => return Err(fails("is null".into())),
        Err(error) => {
            let path = track.path().to_string();
            return Err(fails(if path == "." { error.to_string() } else { format!("{path}: {error}") }));
        }
    };
    if let Some(extra) = read.extra_mut() {
        extra.shift_remove("topic");
    }
    Ok(read)
}

/// A body with its topic in front.
struct Framed<'a, T>(Topic, &'a T);

impl<T: Object> Serialize for Framed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("topic", self.0.as_str())?;
        self.1.write_all(&mut map)?;
        map.end()
    }
}

fn written(topic: Topic, body: &impl Object) -> Bytes {
    // Keys are text and numbers are written as they are, so nothing can make this fail.
    serde_json::to_vec(&Framed(topic, body)).unwrap_or_default().into()
}

//! A robot's topics: their ROS types, and their messages.
//!
//! A robot's topics are below its name, e.g. `/rover_1/odom`; `{part}` stands for one of its parts.

mod commands;
mod foreign;
mod joints;
mod placing;
#[cfg(test)]
mod tests;

use latimer_core::hub::Shared;
use latimer_core::model::signal::{ContactSensor, Frame, TextChannel, Velocity};
use latimer_core::model::{Kind, KindSet, Native, PartName};
use latimer_core::{Hub, RobotId, Signal, Timestamp, Update};
use latimer_ros1::msgs::{self, geometry_msgs, nav_msgs, sensor_msgs, std_msgs};

pub(super) use commands::{CMD_VEL, COMMANDS, CommandTopic, EMERGENCY_STOP, GOAL, SERVICES, command_message};
pub(super) use foreign::{
    Foreign, Transform, bumper, bumps, frame_in, frame_name, frame_of, image, points, pose, transforms,
};
pub(super) use placing::Placing;

use super::NAME;
use super::messages as ros;
use super::messages::Context;
use super::types::{self, Misfit};
use super::whole;
use crate::describe::{Incomplete, Received, Translate};
use crate::inspect::{self, Deviation, Fault, Inspection, Numbers, has_member};
use crate::table::{Fields, MessageInfo};

/// What stands for the part in a path.
const PART: &str = "{part}";

/// A topic that a robot publishes.
#[derive(Debug)]
pub(super) struct Topic {
    /// Below the robot's name.
    pub(super) path: &'static str,
    /// Such as `sensor_msgs/Range`.
    pub(super) ros_type: &'static str,
    /// The kind of its signal.
    pub(super) kind: Kind,
    /// Which of the sensors for contacts it is about.
    contact: Option<ContactSensor>,
    encode: fn(&Signal, &Context) -> Option<String>,
    decode: fn(&str, Timestamp) -> Result<Received, DecodeError>,
}

/// Why a message of a topic means nothing here.
#[derive(Debug, thiserror::Error)]
pub(super) enum DecodeError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    #[error(transparent)]
    Misfit(#[from] Misfit),
    #[error("the frame {0:?} is none of map, odom and base_link, so that nothing is known of where this is")]
    Frame(String),
    #[error("pictures in {0:?} are not read; rgb8, bgr8, rgba8, bgra8 and mono8 are")]
    Encoding(String),
}

macro_rules! sensor {
    () => {
        None
    };
    ($sensor:ident) => {
        Some(ContactSensor::$sensor)
    };
}

macro_rules! topics {
    ($($(#[doc = $doc:literal])* $path:literal, $package:ident/$ros_type:ident, $kind:ident $(of $sensor:ident)? => $message:ident;)*) => {
        /// All topics that robots publish.
        pub(super) const TOPICS: &[Topic] = &[$(Topic {
            path: $path,
            ros_type: <$package::$ros_type as msgs::Message>::TYPE,
            kind: Kind::$kind,
            contact: sensor!($($sensor)?),
            encode: |signal, context| match signal {
                Signal::$kind(record) => {
                    serde_json::to_string(&ros::$message::encode(record, context)?).ok()
                }
                _ => None,
            },
            decode: |text, now| Ok(serde_json::from_str::<ros::$message>(text)?.received(&Context { at: now, ..Context::default() })?),
        },)*];

        /// The same, field by field.
        pub(super) const MESSAGES: &[MessageInfo] = &[$(MessageInfo {
            topic: concat!("/{robot}/", $path),
            kinds: &[Kind::$kind],
            parts: &[],
            contact: sensor!($($sensor)?),
            ability: None,
            answers: false,
            texts: match Kind::$kind {
                Kind::Text => TextChannel::LINES,
                _ => &[],
            },
            summary: concat!(stringify!($package), "/", stringify!($ros_type), ":", $($doc,)*),
            fields: Fields::of::<ros::$message>(),
            rate_hz: None,
        },)*];
    };
}

topics! {
    /// charge, voltage and current of the battery.
    "battery", sensor_msgs/BatteryState, Battery => BatteryState;
    /// where the robot is, in the frame of the header.
    "pose", geometry_msgs/PoseStamped, Pose => PoseStamped;
    /// how fast the robot goes, and where it is.
    "odom", nav_msgs/Odometry, Velocity => Odometry;
    /// attitude, turn rates and accelerations.
    "imu", sensor_msgs/Imu, Imu => Imu;
    /// one turn of the laser scanner.
    "scan", sensor_msgs/LaserScan, Scan => LaserScan;
    /// a reading of a range sensor.
    "range/{part}", sensor_msgs/Range, Range => Range;
    /// a joint's angle; one joint in each message.
    "joint_states", sensor_msgs/JointState, Joint => JointState;
    /// a picture of a camera.
    "{part}/compressed", sensor_msgs/CompressedImage, CompressedImage => CompressedImage;
    /// the map that the robot drives by.
    "map", nav_msgs/OccupancyGrid, Map => OccupancyGrid;
    /// whether a bumper is pressed.
    "bumper/{part}", std_msgs/Bool, Contact of Bumper => Bumper;
    /// whether a sensor is touched.
    "touch/{part}", std_msgs/Bool, Contact of Touch => Touch;
    /// the colour of a lamp.
    "lamp/{part}", std_msgs/ColorRGBA, Lamp => ColorRgba;
    /// a line of the robot's log, or what it says aloud.
    "log", std_msgs/String, Text => Line;
}

impl Topic {
    /// The kinds that its message holds: a speed comes with the place.
    pub(super) fn kinds(&self) -> &[Kind] {
        match self.kind {
            Kind::Velocity => &[Kind::Velocity, Kind::Pose],
            _ => std::slice::from_ref(&self.kind),
        }
    }

    /// Whether each part has a topic of its own.
    pub(super) fn is_by_part(&self) -> bool {
        self.path.contains(PART)
    }

    /// Whether a robot publishes what it holds, or the gateway derives it.
    pub(super) fn is_offered(&self, hub: &Hub, robot: &RobotId, part: Option<&PartName>) -> bool {
        let profile = hub.profile(robot);
        let sensor = |part: &PartName| {
            let placed = profile.placed.iter().find(|it| it.kind == Kind::Contact && it.part == *part);
            placed.map(|it| it.place.contact()).or_else(|| {
                let rules = hub.vocabulary().rules(&profile);
                rules.iter().find(|it| it.to == (Kind::Contact, Some(part.clone())))?.method.contact()
            })
        };
        let is_its_sensor = |contact| part.and_then(sensor).is_none_or(|it| it == contact);
        // Messages of angles alone say nothing of a jack.
        let has_angles = || profile.joints.is_empty() || profile.joints.iter().any(|it| it.role.is_hinge());
        hub.offers(robot, self.kind, part.map(PartName::as_str))
            && self.contact.is_none_or(is_its_sensor)
            && (self.kind != Kind::Joint || has_angles())
            && (self.kind != Kind::Text || TextChannel::LINES.iter().any(|it| profile.says(*it)))
    }

    /// Whether it is a joint under the name that another make has for it: the one message of all joints has each by the robot's own.
    pub(super) fn is_alias(&self, update: &Update) -> bool {
        self.kind == Kind::Joint && update.provenance.is_some()
    }

    /// Below the robot's name, for a part.
    pub(super) fn path_of(&self, part: Option<&PartName>) -> Option<String> {
        if self.is_by_part() {
            return part.map(|part| self.path.replace(PART, part.as_str()));
        }
        // A joint's name stands in the message; a robot's scanner and log have their topics, whatever they are called there; a speed
        // that was measured is the speed.
        let is_implied = match (self.kind, part.map(PartName::as_str)) {
            (Kind::Joint | Kind::Scan | Kind::Text, _) | (_, None) => true,
            (Kind::Velocity, Some(part)) => part == Velocity::MEASURED,
            (Kind::Map, Some(part)) => part == MAP,
            _ => false,
        };
        is_implied.then(|| self.path.to_owned())
    }

    /// The part that a path names, if it is one of this topic's.
    fn part_in(&self, path: &str) -> Option<Option<PartName>> {
        let Some((before, after)) = self.path.split_once(PART) else {
            return (path == self.path).then_some(None);
        };
        let part = path.strip_prefix(before)?.strip_suffix(after)?;
        (!part.is_empty() && !part.contains('/')).then(|| Some(PartName::of(part)))
    }

    /// The kinds of its message that the client of a hub does not see all parts of.
    pub(super) fn withheld(&self, hub: &Hub, robot: &RobotId) -> KindSet {
        self.kinds().iter().copied().filter(|kind| !hub.shows_all_of(robot, *kind)).collect()
    }

    /// The message for an update, as JSON, without what is withheld. What a robot behind a bridge sent passes through as it sent
    /// it if nothing is: it may hold every part of each of the kinds.
    pub(super) fn encode(&self, hub: &Hub, update: &Update, withheld: KindSet) -> Option<String> {
        self.path_of(update.part.as_ref())?;
        if withheld.is_empty()
            && let Some(native) = self.native(update)
        {
            return Some(native.to_owned());
        }
        let mut context = Context { at: update.stamp.at, part: update.part.clone(), ..Context::default() };
        context.frame = match &update.signal {
            Signal::Pose(pose) => Some(pose.frame),
            Signal::Map(map) => Some(map.frame),
            Signal::Velocity(_) => {
                let pose =
                    hub.last(&update.robot, Kind::Pose, None).filter(|_| !withheld.contains(Kind::Pose));
                match pose.map(|it| it.signal.clone()) {
                    Some(Signal::Pose(pose)) => Some(context.place.insert(pose).frame),
                    _ => Some(Frame::Odom),
                }
            }
            _ => None,
        };
        let message = (self.encode)(&update.signal, &context)?;
        whole::complete(self.ros_type, &message)
    }

    /// The message that an update is decoded from, if it is one of this topic: a pose may come of an odometry.
    fn native<'a>(&self, update: &'a Update) -> Option<&'a str> {
        let native = update.native.as_ref().filter(|it| it.dialect == NAME && self.kind == update.kind())?;
        let text = std::str::from_utf8(&native.payload).ok()?;
        let received = self.decode(text, None, update.received).ok()?;
        (received.first()?.signal == update.signal).then_some(text)
    }

    /// What a message tells; `part` is the one that its topic names.
    pub(super) fn decode(
        &self,
        text: &str,
        part: Option<&PartName>,
        now: Timestamp,
    ) -> Result<Vec<Received>, DecodeError> {
        if self.kind == Kind::Joint {
            let joints = joints::apart(text)?;
            return joints.iter().map(|joint| (self.decode)(joint, now)).collect();
        }
        let mut received = (self.decode)(text, now)?;
        received.part = received.part.or_else(|| part.cloned());
        let mut all = vec![received];
        if self.kind == Kind::Velocity {
            let place = serde_json::from_str::<ros::Odometry>(text)?.place();
            all[0].part = Some(PartName::of(Velocity::MEASURED));
            all.extend(place.map(|place| Received::new(None, all[0].stamp, place)));
        }
        Ok(all)
    }
}

/// The part of a map that the robot drives by; its others are of obstacles.
const MAP: &str = "map";

/// The topics that publish signals of a kind.
pub(super) fn of_kind(kind: Kind) -> impl Iterator<Item = &'static Topic> {
    TOPICS.iter().filter(move |topic| topic.kind == kind)
}

/// The topic that a path below a robot's name is, with the part that it names.
pub(super) fn find(path: &str) -> Option<(&'static Topic, Option<PartName>)> {
    TOPICS.iter().find_map(|topic| Some((topic, topic.part_in(path)?)))
}

/// The topic that publishes an update: path below the robot's name, and message.
pub(super) fn translate(hub: &Hub, update: &Shared) -> Option<(&'static Topic, String, String)> {
    TOPICS.iter().find_map(|topic| {
        let path = topic.path_of(update.part.as_ref())?;
        Some((topic, path, topic.encode(hub, update, topic.withheld(hub, &update.robot))?))
    })
}

/// Holds a message against the description of its type, as far as that is known, or else of its topic by the name or by the kind that came of it.
/// Fields of the ROS type that are not described, such as covariances, are no others.
pub(super) fn inspect(native: &Native, kind: Kind) -> Option<Inspection> {
    let below = native.topic.trim_start_matches('/');
    let by_name =
        || below.char_indices().filter(|(_, it)| *it == '/').find_map(|(at, _)| find(&below[at + 1..]));
    let named = find(below).or_else(by_name).map(|(topic, _)| topic);
    // What could not be read tells no kind.
    let of_kind = |it: &&Topic| kind == Kind::Other || it.kinds().contains(&kind);
    let topic = match native.definition.as_deref() {
        Some(ros_type) => TOPICS.iter().filter(of_kind).find(|it| it.ros_type == ros_type)?,
        None => named.or_else(|| TOPICS.iter().find(|it| it.kinds().contains(&kind)))?,
    };
    let at = TOPICS.iter().position(|it| std::ptr::eq(it, topic))?;
    let mut inspection = inspect::of_json(MESSAGES.get(at)?, &native.payload, Numbers::AsNumbers);
    let has_extra = inspection.deviations.iter().any(|it| it.fault == Fault::Extra);
    if has_extra && let Some(layout) = types::layout(topic.ros_type) {
        let is_of_type =
            |it: &Deviation| it.fault == Fault::Extra && has_member(layout.structure(), &it.path);
        inspection.deviations.retain(|it| !is_of_type(it));
    }
    Some(inspection)
}

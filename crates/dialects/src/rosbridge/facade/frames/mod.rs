//! Frames as ROS names them: a robot's own below its name on the port of all, `/tf`, `/tf_static` and `robot_description` (REP-103, REP-105).
//!
//! ```text
//! SITE ──▶ map ──▶ odom ──▶ base_link ─┬─▶ PART of a sensor
//!                                      └─JOINT─▶ JOINT ─▶ head ─▶ PART of a sensor that joints carry
//! ```
//!
//! Of a robot that tells no odometry on its map, `odom` is where the map is; what is not known hangs nowhere.

mod description;
mod lookup;

use std::time::Duration;

use latimer_core::frames::{NoTransform, Placement, Pose2, WORLD};
use latimer_core::model::profile::{Axis, Hinge, Mount, RobotProfile};
use latimer_core::model::signal::{Frame, Orientation, Pose};
use latimer_core::model::{Destination, NavigationGoal, PartName};
use latimer_core::{Command, Hub, RobotId, Signal, Timestamp, Update};
use latimer_ros1::msgs::geometry_msgs::{Quaternion, Transform, TransformStamped, Vector3};
use latimer_ros1::msgs::std_msgs::Header;
use latimer_ros1::msgs::tf2_msgs::TFMessage;
use serde_json::value::RawValue;

pub(super) use description::description;
pub(super) use lookup::{Rigid, Tree};

/// A robot's frames on one socket.
pub(super) struct Frames<'a> {
    pub(super) hub: &'a Hub,
    pub(super) robot: &'a RobotId,
    /// What its frames begin with: `rover_1/`, or nothing where it is alone.
    pub(super) prefix: &'a str,
}

/// A goal's place means nothing on the robot's map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoPlace {
    #[error("{frame:?} is no frame of {robot}, nor of the site; there are {known}")]
    Unknown { frame: String, robot: RobotId, known: String },
    #[error("{frame:?} is nowhere on the map of {robot}: {reason}")]
    Nowhere { frame: String, robot: RobotId, reason: NoTransform },
}

/// What a joint carries, and where something is on a robot.
struct Link {
    name: String,
    parent: String,
    at_m: [f64; 3],
    turned: Orientation,
    /// Of one that turns: by which joint, about what.
    joint: Option<(PartName, Axis)>,
}

impl Link {
    fn fixed(name: &str, parent: String, mount: &Mount) -> Self {
        let turned = Orientation { roll_rad: 0.0, pitch_rad: mount.pitch_rad, yaw_rad: mount.yaw_rad };
        Self { name: name.to_owned(), parent, at_m: mount.at_m, turned, joint: None }
    }
}

/// Turned by an angle about an axis.
fn about(axis: Axis, angle_rad: f64) -> Orientation {
    let level = Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: 0.0 };
    match axis {
        Axis::Y => Orientation { pitch_rad: angle_rad, ..level },
        Axis::Z => Orientation { yaw_rad: angle_rad, ..level },
    }
}

/// What is mounted on a robot's base, as its profile says it; a scanner of which it does not say so is in the middle.
fn links(profile: &RobotProfile) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let base = || Frame::BaseLink.to_string();
    let head = profile.head().and_then(|it| it.hinges.last().map(|it| it.joint.clone()));
    let middle = profile.ranges.iter().filter(|it| it.mount.is_none()).filter_map(|it| {
        Some((it.part.as_ref()?, Mount::fixed([0.0; 3], it.bearing_rad.unwrap_or_default())))
    });
    let mounts = profile.mounts().map(|(part, mount)| (part, mount.clone())).chain(middle);
    for (part, mount) in mounts {
        let mut parent = base();
        for Hinge { joint, at_m, axis } in &mount.hinges {
            let name = if head.as_ref() == Some(joint) { Frame::Head.to_string() } else { joint.to_string() };
            // Another sensor may be carried by the same joints.
            if links.iter().all(|it| it.name != name) {
                let (turned, joint) = (about(*axis, 0.0), Some((joint.clone(), *axis)));
                links.push(Link { name: name.clone(), parent, at_m: *at_m, turned, joint });
            }
            parent = name;
        }
        if links.iter().all(|it| it.name != part.as_str()) {
            links.push(Link::fixed(part.as_str(), parent, &mount));
        }
    }
    links
}

/// A header of a moment, in a frame.
pub(super) fn header(at: Timestamp, frame_id: String) -> Header {
    let nanos = u64::try_from(at.as_nanos()).unwrap_or_default();
    Header { seq: 0, stamp: Duration::from_nanos(nanos).into(), frame_id }
}

/// What hangs where, at a moment.
fn hung(
    at: Timestamp,
    parent: String,
    child: String,
    at_m: [f64; 3],
    turned: &Orientation,
) -> TransformStamped {
    let header = header(at, parent);
    let number = |it: f64| if it.is_finite() { it } else { 0.0 };
    let [x, y, z] = at_m.map(number);
    let translation = Vector3 { x, y, z };
    let [x, y, z, w] = turned.to_quaternion().map(number);
    let rotation = Quaternion { x, y, z, w };
    TransformStamped { header, child_frame_id: child, transform: Transform { translation, rotation } }
}

fn on_floor(at: Timestamp, parent: String, child: String, pose: Pose2) -> TransformStamped {
    hung(at, parent, child, [pose.x_m, pose.y_m, 0.0], &about(Axis::Z, pose.yaw_rad))
}

/// The frames of the site.
pub(super) fn of_site(hub: &Hub, at: Timestamp) -> Vec<TransformStamped> {
    let tree = hub.frames();
    tree.site().map(|(name, it)| on_floor(at, it.parent.to_string(), name.to_owned(), it.at)).collect()
}

/// The message of transforms.
pub(super) fn message(transforms: Vec<TransformStamped>) -> Option<String> {
    serde_json::to_string(&TFMessage { transforms }).ok()
}

impl Frames<'_> {
    fn name(&self, frame: impl std::fmt::Display) -> String {
        format!("{}{frame}", self.prefix)
    }

    /// What never moves on the robot.
    pub(super) fn fixed(&self, at: Timestamp) -> Vec<TransformStamped> {
        let links = links(&self.hub.profile(self.robot));
        let fixed = links.into_iter().filter(|it| it.joint.is_none());
        fixed.map(|it| hung(at, self.name(it.parent), self.name(it.name), it.at_m, &it.turned)).collect()
    }

    /// What an update moves: the base, or what a joint carries.
    pub(super) fn moving(&self, update: &Update) -> Vec<TransformStamped> {
        match (&update.signal, &update.part) {
            (Signal::Pose(_), _) => self.based(update.stamp.at),
            (Signal::Joint(joint), Some(part)) => {
                let Some(angle_rad) = joint.position_rad else { return Vec::new() };
                let links = links(&self.hub.profile(self.robot)).into_iter();
                let carried = links.filter_map(|it| match it.joint {
                    Some((joint, axis)) if joint == *part => {
                        let (parent, name) = (self.name(it.parent), self.name(it.name));
                        Some(hung(update.stamp.at, parent, name, it.at_m, &about(axis, angle_rad)))
                    }
                    _ => None,
                });
                carried.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Where the base is, up to the site.
    fn based(&self, at: Timestamp) -> Vec<TransformStamped> {
        let Some(pose) = self.hub.pose(self.robot) else { return Vec::new() };
        let Pose { z_m, roll_rad, pitch_rad, .. } = pose;
        let placed = self.hub.frames_of(self.robot);
        let mut transforms = Vec::new();
        let mut place = |placement: Option<Placement>, frame: Frame| {
            let placement = placement.map(|it| on_floor(at, it.parent.to_string(), self.name(frame), it.at));
            transforms.extend(placement);
        };
        let mut base = Pose2::from(&pose);
        if pose.frame == Frame::Map {
            place(placed.map, Frame::Map);
            let map = format!("{}/{}", self.robot, Frame::Map);
            let odom = self.hub.transform(self.robot, Frame::Odom, &map).unwrap_or_default();
            transforms.push(on_floor(at, self.name(Frame::Map), self.name(Frame::Odom), odom));
            base = base.seen_from(odom);
        } else {
            place(placed.odom, Frame::Odom);
        }
        let turned = Orientation { roll_rad, pitch_rad, yaw_rad: base.yaw_rad };
        let (odom, base_link) = (self.name(Frame::Odom), self.name(Frame::BaseLink));
        transforms.push(hung(at, odom, base_link, [base.x_m, base.y_m, z_m], &turned));
        transforms
    }

    /// A command whose place is given in a frame, with the place where the robot's commands have it: on its map.
    pub(super) fn settle(&self, command: Command, frame: &str) -> Result<Command, NoPlace> {
        let word = frame.trim_start_matches('/');
        let own = word.strip_prefix(self.prefix).unwrap_or(word);
        if own.is_empty() || own == Frame::Map.as_str() {
            return Ok(command);
        }
        let nowhere =
            |reason| NoPlace::Nowhere { frame: frame.to_owned(), robot: self.robot.clone(), reason };
        // Of a robot that knows no place on a map, commands are in the root of all frames.
        let has_map = self.hub.pose(self.robot).is_some_and(|it| it.frame == Frame::Map);
        let target = if has_map { format!("{}/{}", self.robot, Frame::Map) } else { WORLD.to_owned() };
        let own = self.hub.frame(&format!("{}/{own}", self.robot));
        let of_site = |unknown| if self.hub.frames().has(word) { self.hub.frame(word) } else { Err(unknown) };
        let named = own.or_else(of_site);
        let Ok(name) = named else {
            let known = self.known().join(", ");
            return Err(NoPlace::Unknown { frame: frame.to_owned(), robot: self.robot.clone(), known });
        };
        let origin = self.hub.transform(self.robot, Frame::Tree(name), &target).map_err(nowhere)?;
        Ok(match command {
            Command::Navigate(NavigationGoal {
                destination: Destination::Point { x_m, y_m, yaw_rad },
                ..
            }) => {
                let at = Pose2::new(x_m, y_m, yaw_rad.unwrap_or_default()).out_of(origin);
                let yaw_rad = yaw_rad.map(|_| at.yaw_rad);
                Command::Navigate(NavigationGoal::to(Destination::Point {
                    x_m: at.x_m,
                    y_m: at.y_m,
                    yaw_rad,
                }))
            }
            Command::SetPose { x_m, y_m, yaw_rad } => {
                let Pose2 { x_m, y_m, yaw_rad } = Pose2::new(x_m, y_m, yaw_rad).out_of(origin);
                Command::SetPose { x_m, y_m, yaw_rad }
            }
            other => other,
        })
    }

    fn known(&self) -> Vec<String> {
        let own = [Frame::Map, Frame::Odom, Frame::BaseLink].map(|it| it.to_string());
        let parts = self.hub.frames_on_base(self.robot).into_iter().map(|(part, _)| part);
        let own = own.into_iter().chain(parts).map(|it| self.name(it));
        own.chain(self.hub.frames().names().map(str::to_owned)).collect()
    }
}

/// The frame that a message's header names; empty if there is none.
pub(super) fn frame_of(message: &str) -> String {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Named {
        frame_id: String,
    }
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Headed {
        header: Named,
    }
    serde_json::from_str::<Headed>(message).unwrap_or_default().header.frame_id
}

/// A message whose frames are a robot's, by their names on the port of all; `None` if it names none.
pub(super) fn prefixed(message: &str, prefix: &str) -> Option<String> {
    let fields: Fields<'_> = serde_json::from_str(message).ok()?;
    let name = |frame: &str| match frame.trim_start_matches('/') {
        frame if frame.is_empty() || frame.starts_with(prefix) => frame.to_owned(),
        frame => format!("{prefix}{frame}"),
    };
    let mut text = String::with_capacity(message.len() + 2 * prefix.len());
    let mut is_other = false;
    for (key, value) in &fields.0 {
        let renamed = match &**key {
            "header" => {
                serde_json::from_str::<serde_json::Map<_, _>>(value.get()).ok().and_then(|mut header| {
                    let frame = name(header.get("frame_id")?.as_str()?);
                    header.insert("frame_id".to_owned(), frame.into());
                    serde_json::to_string(&header).ok()
                })
            }
            "child_frame_id" => serde_json::from_str::<String>(value.get())
                .ok()
                .map(|it| serde_json::Value::from(name(&it)).to_string()),
            _ => None,
        };
        is_other |= renamed.is_some();
        text.push(if text.is_empty() { '{' } else { ',' });
        text.push_str(&serde_json::Value::from(&**key).to_string());
        text.push(':');
        text.push_str(renamed.as_deref().unwrap_or_else(|| value.get()));
    }
    text.push('}');
    is_other.then_some(text)
}

/// The members of an object, in their order.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Fields<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> serde::de::Visitor<'de> for Members {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Fields(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_named_below_the_robot_once() {
        let message =
            r#"{"header":{"frame_id":"odom","seq":1},"child_frame_id":"/base_link","data":[1,2.50]}"#;
        let named = prefixed(message, "rover_1/").unwrap();
        let wanted = r#"{"header":{"frame_id":"rover_1/odom","seq":1},"child_frame_id":"rover_1/base_link","data":[1,2.50]}"#;
        assert_eq!(named, wanted);
        assert_eq!(prefixed(&named, "rover_1/").as_deref(), Some(wanted));
        for without in [r#"{"data":true}"#, "[1]", "7", "{"] {
            assert_eq!(prefixed(without, "rover_1/"), None, "{without}");
        }
    }
}

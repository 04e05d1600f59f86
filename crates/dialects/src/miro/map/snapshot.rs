//! What is known of a robot, signal by signal: of that the messages of the platform are assembled.
//!
//! A MiRo's parts have their names here. Of robots of other families their nearest likeness is taken: ranges and edges in front, the joints
//! of a head, an inertial unit anywhere.

use std::collections::BTreeMap;

use latimer_core::PartName;
use latimer_core::model::signal::{
    Alerts, Battery, Device, Frame, Hazard, Imu, Joint, LinkState, Pose, Range, Velocity,
};
use latimer_core::model::{Kind, Signal, Update};

/// What is asked of a robot to know all this.
pub const KINDS: &[Kind] = &[
    Kind::Battery,
    Kind::Temperature,
    Kind::Imu,
    Kind::Pose,
    Kind::Velocity,
    Kind::Joint,
    Kind::Range,
    Kind::Cliff,
    Kind::Light,
    Kind::Contact,
    Kind::Pins,
    Kind::Device,
    Kind::Alerts,
    Kind::Hazard,
    Kind::Link,
];

/// The joints of the neck, in the order of the wire.
pub const NECK: [&str; 4] = ["tilt", "lift", "yaw", "pitch"];
/// Parts of the light sensors, in the order of the wire.
pub const LIGHTS: [&str; 4] = ["front_left", "front_right", "rear_left", "rear_right"];
/// Parts of the cliff sensors, in the order of the wire.
pub const CLIFFS: [&str; 2] = ["left", "right"];
/// The sonar.
pub const SONAR: &str = "sonar";
/// The eyelids.
pub const EYELIDS: &str = "eyelids";
/// Touch sensors behind the ears, numbered from 0.
pub const TOUCH_HEAD: &str = "touch_head_";
/// Touch sensors down the back, numbered from 0.
pub const TOUCH_BODY: &str = "touch_body_";

/// Range sensors in front that are kept; a robot may make up names.
const MOST_RANGES: usize = 16;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub(super) battery: Option<Battery>,
    pub(super) temperature_c: Option<f64>,
    pub(super) imu_head: Option<Imu>,
    pub(super) imu_body: Option<Imu>,
    pub(super) pose: Option<Pose>,
    pub(super) velocity: Option<Velocity>,
    pub(super) neck: [Option<Joint>; 4],
    pub(super) eyelids: Option<Joint>,
    pub(super) dip: u8,
    pub(super) light: [Option<f64>; 4],
    pub(super) touch_head: Touches,
    pub(super) touch_body: Touches,
    pub(super) cliffs: [Option<Range>; 2],
    pub(super) device: Option<Device>,
    pub(super) alerts: Option<Alerts>,
    pub(super) hazard: Option<Hazard>,
    ranges: BTreeMap<PartName, Range>,
    heard: bool,
}

/// Four touch sensors; a touch that ends before it was told is told once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touches {
    now: [bool; 4],
    untold: [bool; 4],
}

impl Touches {
    fn take(&mut self, number: &str, contacted: bool) {
        let Some(i) = number.parse::<usize>().ok().filter(|i| *i < self.now.len()) else { return };
        self.now[i] = contacted;
        self.untold[i] |= contacted;
    }

    pub(super) fn bits(self) -> [u8; 4] {
        std::array::from_fn(|i| u8::from(self.now[i] || self.untold[i]))
    }
}

impl Snapshot {
    /// Takes in what a robot said.
    pub fn take(&mut self, update: &Update) {
        let part = update.part.as_ref().map(PartName::as_str).unwrap_or_default();
        match &update.signal {
            Signal::Battery(battery) => self.battery = Some(battery.clone()),
            Signal::Temperature(inside) => self.temperature_c = Some(inside.temperature_c),
            Signal::Imu(imu) if part == "head" => self.imu_head = Some(imu.clone()),
            Signal::Imu(imu) => self.imu_body = Some(imu.clone()),
            Signal::Pose(pose) => self.take_pose(pose),
            Signal::Velocity(velocity) if part != "commanded" => self.velocity = Some(velocity.clone()),
            Signal::Joint(joint) => self.take_joint(part, joint),
            Signal::Range(range) => self.take_range(update.part.as_ref(), range),
            Signal::Cliff(cliff) => {
                let part = part.strip_prefix("front_").unwrap_or(part);
                if let Some(i) = CLIFFS.iter().position(|known| *known == part) {
                    self.cliffs[i] = Some(cliff.0.clone());
                }
            }
            Signal::Light(light) => {
                if let Some(i) = LIGHTS.iter().position(|known| *known == part) {
                    self.light[i] = Some(light.level_ratio);
                }
            }
            Signal::Contact(contact) => {
                if let Some(number) = part.strip_prefix(TOUCH_HEAD) {
                    self.touch_head.take(number, contact.contacted);
                } else if let Some(number) = part.strip_prefix(TOUCH_BODY) {
                    self.touch_body.take(number, contact.contacted);
                }
            }
            Signal::Pins(pins) => {
                let board = pins.inputs.first().map(Vec::as_slice).unwrap_or_default();
                self.dip = (0..4).zip(board).fold(0, |bits, (i, on)| bits | u8::from(*on) << i);
            }
            Signal::Device(device) => self.device = Some(device.clone()),
            Signal::Alerts(alerts) => self.alerts = Some(alerts.clone()),
            Signal::Hazard(hazard) => self.hazard = Some(hazard.clone()),
            Signal::Link(link) => self.heard = link.state == LinkState::Up,
            _ => {}
        }
    }

    /// Whether the gateway hears the robot.
    pub const fn is_heard(&self) -> bool {
        self.heard
    }

    /// A message was assembled: what was waiting to be told once has been told.
    pub fn told(&mut self) {
        self.touch_head.untold = [false; 4];
        self.touch_body.untold = [false; 4];
    }

    /// Where it is by its wheels counts for more than where it is on a map.
    fn take_pose(&mut self, pose: &Pose) {
        let better = self.pose.as_ref().is_some_and(|known| known.frame == Frame::Odom);
        if pose.frame == Frame::Odom || !better {
            self.pose = Some(pose.clone());
        }
    }

    fn take_joint(&mut self, part: &str, joint: &Joint) {
        let name = part.strip_prefix("head_").unwrap_or(part);
        if part == EYELIDS {
            self.eyelids = Some(joint.clone());
        } else if let Some(i) = NECK.iter().position(|known| *known == name) {
            self.neck[i] = Some(joint.clone());
        }
    }

    fn take_range(&mut self, part: Option<&PartName>, range: &Range) {
        let part = part.cloned().unwrap_or_else(|| PartName::of(SONAR));
        let ahead = part.as_str() == SONAR || part.as_str().starts_with("front");
        if ahead && (self.ranges.len() < MOST_RANGES || self.ranges.contains_key(&part)) {
            self.ranges.insert(part, range.clone());
        }
    }

    /// What the sonar measures; of a robot without one the nearest thing that any sensor sees in front.
    pub(super) fn sonar(&self) -> Option<&Range> {
        let distance = |range: &&Range| range.distance_m.unwrap_or(f64::INFINITY);
        let own = self.ranges.get(&PartName::of(SONAR));
        own.or_else(|| self.ranges.values().min_by(|a, b| distance(a).total_cmp(&distance(b))))
    }
}

//! One rule at work for one robot: what it remembers, and what it makes of an update.

use std::collections::BTreeMap;

use super::cone::{self, Points};
use super::wheels::Track;
use super::{Method, Rule};
use crate::clock::Timestamp;
use crate::frames::Pose2;
use crate::hub::Hub;
use crate::model::profile::{Mount, RangeSensor, Ray};
use crate::model::signal::{
    AngularRate, Cliff, Contact, Footprint, Frame, Imu, Orientation, PointCloud, Pose, Range, Scan, Velocity,
};
use crate::model::{Kind, PartName, RobotId, RobotProfile, Signal, Update};

/// A scan is not made of range sensors more often than scanners turn.
const SCAN_PERIOD: std::time::Duration = std::time::Duration::from_millis(100);

/// What a rule remembers of the updates before.
#[derive(Default)]
pub(super) struct State {
    ranges: BTreeMap<PartName, Range>,
    contacts: BTreeMap<PartName, bool>,
    contacted: Option<bool>,
    track: Track,
    scanned: Option<Timestamp>,
}

/// The robot, as far as a rule asks for it.
pub(super) struct Around<'a> {
    pub(super) hub: &'a Hub,
    pub(super) robot: &'a RobotId,
    pub(super) profile: &'a RobotProfile,
}

impl State {
    /// What a rule makes of an update; `None` if that tells nothing new.
    pub(super) fn derive(&mut self, rule: &Rule, update: &Update, around: &Around<'_>) -> Option<Signal> {
        match (&rule.method, &update.signal) {
            (Method::Cone(sensor), Signal::Scan(scan)) => {
                let scanner = around.hub.sensor_on_base(around.robot, update.part.as_ref()).ok()?;
                around.range(sensor, Points::of_scan(scan, scanner))
            }
            (Method::Cone(sensor), Signal::PointCloud(cloud)) => around.range(sensor, around.points(cloud)?),
            (Method::Nearest, Signal::Range(range)) => {
                self.ranges.insert(update.part.clone()?, range.clone());
                cone::nearest(self.ranges.values()).map(Into::into)
            }
            (Method::Points, Signal::Range(range)) => {
                self.ranges.insert(update.part.clone()?, range.clone());
                let now = update.received;
                if self.scanned.is_some_and(|then| now.since(then) < SCAN_PERIOD) {
                    return None;
                }
                self.scanned = Some(now);
                Some(around.scan(&self.ranges).into())
            }
            // A code is a word of the sensor's maker.
            (Method::Alias, Signal::Cliff(Cliff(range))) => {
                Some(Cliff(Range { status_code: None, ..range.clone() }).into())
            }
            (Method::Alias, signal) => Some(signal.clone()),
            (Method::AnyContact(sensor), Signal::Contact(contact)) => {
                self.contacts.insert(update.part.clone()?, contact.contacted);
                let contacted = self.contacts.values().any(|it| *it);
                let is_new = self.contacted.replace(contacted) != Some(contacted);
                let Contact { position, frame, .. } = contact.clone();
                is_new.then(|| Contact { contacted, sensor: *sensor, position, frame }.into())
            }
            (Method::Wheels, Signal::Pose(pose)) => {
                let step = self.track.step(pose, update.stamp.at)?;
                Some(self.track.encoders(&step, around.profile.wheels).into())
            }
            (Method::Speed, Signal::Pose(pose)) => {
                Some(self.track.step(pose, update.stamp.at)?.velocity().into())
            }
            (Method::Attitude, Signal::Pose(pose)) => around.attitude(pose),
            _ => None,
        }
    }
}

impl Around<'_> {
    fn range(&self, sensor: &RangeSensor, points: Points) -> Option<Signal> {
        let outline = self.hub.last(self.robot, Kind::Footprint, None);
        let outline_m = match outline.as_deref().map(|it| &it.signal) {
            Some(Signal::Footprint(Footprint { polygon_m, .. })) if !polygon_m.is_empty() => polygon_m,
            _ => &self.profile.footprint_m,
        };
        points.range(sensor, outline_m).map(Into::into)
    }

    fn points(&self, cloud: &PointCloud) -> Option<Points> {
        let robot = match cloud.frame {
            Frame::BaseLink => Pose2::default(),
            Frame::Map | Frame::Odom => {
                let pose = self.hub.pose(self.robot).filter(|pose| pose.frame == cloud.frame)?;
                Pose2::from(&pose)
            }
            Frame::Head | Frame::Tree(_) => return None,
        };
        Some(Points::of_cloud(&cloud.points_m, robot))
    }

    /// Where a range sensor is and looks now.
    fn ray(&self, part: &PartName) -> Option<Ray> {
        let sensor = self.profile.range(part)?;
        let bearing_rad = sensor.bearing()?;
        let fixed = || Mount::fixed([0.0; 3], bearing_rad);
        sensor.mount.clone().unwrap_or_else(fixed).ray(|joint| self.hub.joint_rad(self.robot, joint))
    }

    fn scan(&self, ranges: &BTreeMap<PartName, Range>) -> Scan {
        let readings = ranges.iter().filter_map(|(part, range)| Some((self.ray(part)?, range)));
        let pose = self.hub.pose(self.robot).and_then(|pose| self.hub.on_map(self.robot, &pose));
        cone::scan(readings, pose)
    }

    fn attitude(&self, pose: &Pose) -> Option<Signal> {
        let measured = PartName::of(Velocity::MEASURED);
        let velocity = self.hub.last(self.robot, Kind::Velocity, Some(&measured));
        let turn = match velocity.as_deref().map(|it| &it.signal) {
            Some(Signal::Velocity(velocity)) => velocity.angular_radps,
            _ => None,
        };
        let Pose { roll_rad, pitch_rad, yaw_rad, .. } = *pose;
        let imu = Imu {
            orientation: Some(Orientation { roll_rad, pitch_rad, yaw_rad }),
            angular_velocity: turn.map(|z_radps| AngularRate { x_radps: 0.0, y_radps: 0.0, z_radps }),
            linear_acceleration: None,
        };
        Some(imu.into())
    }
}

//! What is known of a robot, signal by signal: of that the messages of the platform are assembled.
//!
//! Parts have the names of a MiRo's; a robot of another family has them where the gateway derives them. An inertial unit may sit anywhere.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_6;

use latimer_core::PartName;
use latimer_core::model::signal::{
    Alerts, Battery, BehaviourState, Cliff, Device, Frame, Hazard, Imu, Joint, LinkState, Pose, Range,
    RangeStatus,
};
use latimer_core::model::{Kind, Signal, Update};

use crate::miro::messages::{
    CLIFFS, EYELIDS, LIGHTS, NECK, SONAR, SONAR_M, SURFACE, Senses, TOUCH_BODY, TOUCH_HEAD,
};

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
    Kind::BehaviourState,
    Kind::Link,
];

/// An edge sensor of another make that measures more than this sees no surface, metres.
const EDGE_M: f64 = 0.06;
/// Joints whose angles are kept.
const MOST_JOINTS: usize = 64;

/// The last values of the signals of which messages are assembled.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Other than touches, cliffs and the sonar, of which more is known.
    senses: Senses,
    pub(super) battery: Option<Battery>,
    pose: Option<Pose>,
    /// The part of the pose.
    pose_of: Option<PartName>,
    touch_head: Touches,
    touch_body: Touches,
    pub(super) cliffs: [Option<Range>; 2],
    pub(super) device: Option<Device>,
    pub(super) alerts: Option<Alerts>,
    pub(super) hazard: Option<Hazard>,
    behaviour: Option<BehaviourState>,
    sonar: Option<Range>,
    angles_rad: BTreeMap<PartName, f64>,
    connected: bool,
}

/// Four touch sensors; a touch that ends before it was published is published once.
#[derive(Clone, Copy, Debug, Default)]
struct Touches {
    now: [bool; 4],
    unpublished: [bool; 4],
}

impl Touches {
    fn take(&mut self, i: usize, contacted: bool) {
        self.now[i] = contacted;
        self.unpublished[i] |= contacted;
    }

    fn bits(self) -> [Option<bool>; 4] {
        std::array::from_fn(|i| Some(self.now[i] || self.unpublished[i]))
    }
}

impl Snapshot {
    /// Takes in what a robot said.
    pub fn take(&mut self, update: &Update) {
        let part = update.part.as_ref().map(PartName::as_str).unwrap_or_default();
        match &update.signal {
            Signal::Battery(battery) => {
                self.senses.voltage_v = battery.voltage_v;
                self.battery = Some(battery.clone());
            }
            Signal::Temperature(inside) => self.senses.temperature_c = Some(inside.temperature_c),
            Signal::Imu(imu) if part == "head" => self.senses.head = Some(imu.clone()),
            // A derived one measures nothing that moves with the body.
            Signal::Imu(imu) if update.provenance.is_none() => self.senses.body = Some(imu.clone()),
            Signal::Pose(pose) => self.take_pose(update.part.as_ref(), pose),
            Signal::Velocity(velocity) if part != "commanded" => {
                self.senses.linear_mps = velocity.linear_mps;
                self.senses.angular_radps = velocity.angular_radps;
            }
            Signal::Joint(joint) => self.take_joint(part, joint),
            Signal::Range(range) if part == SONAR => self.sonar = Some(range.clone()),
            Signal::Cliff(cliff) => {
                if let Some(i) = place(&CLIFFS, part) {
                    self.cliffs[i] = Some(cliff.0.clone());
                }
            }
            Signal::Light(light) => {
                if let Some(i) = place(&LIGHTS, part) {
                    self.senses.level_ratio[i] = Some(light.level_ratio);
                }
            }
            Signal::Contact(contact) => {
                if let Some(i) = place(&TOUCH_HEAD, part) {
                    self.touch_head.take(i, contact.contacted);
                } else if let Some(i) = place(&TOUCH_BODY, part) {
                    self.touch_body.take(i, contact.contacted);
                }
            }
            Signal::Pins(pins) => self.senses.inputs = pins.inputs.clone(),
            Signal::Device(device) => self.device = Some(device.clone()),
            Signal::Alerts(alerts) => self.alerts = Some(alerts.clone()),
            Signal::BehaviourState(state) => self.behaviour = Some(state.clone()),
            Signal::Hazard(hazard) => self.hazard = Some(hazard.clone()),
            Signal::Link(link) => self.connected = link.state == LinkState::Up,
            _ => {}
        }
    }

    /// Whether the gateway is connected to the robot.
    pub const fn is_connected(&self) -> bool {
        self.connected
    }

    /// How its own behaviour stands, if it tells.
    pub const fn behaviour(&self) -> Option<&BehaviourState> {
        self.behaviour.as_ref()
    }

    /// A message was published, and with it each touch that had ended.
    pub fn published(&mut self) {
        self.touch_head.unpublished = [false; 4];
        self.touch_body.unpublished = [false; 4];
    }

    /// Where it is by its wheels counts for more than where it is on a map, unless that takes its place: a robot may begin to find
    /// itself on its map.
    fn take_pose(&mut self, part: Option<&PartName>, pose: &Pose) {
        let better = self.pose.as_ref().is_some_and(|known| known.frame == Frame::Odom);
        if pose.frame == Frame::Odom || !better || self.pose_of.as_ref() == part {
            self.pose = Some(pose.clone());
            self.pose_of = part.cloned();
        }
    }

    fn take_joint(&mut self, part: &str, joint: &Joint) {
        if let Some(angle_rad) = joint.position_rad.filter(|it| it.is_finite()) {
            let part = PartName::of(part);
            if self.angles_rad.len() < MOST_JOINTS || self.angles_rad.contains_key(&part) {
                self.angles_rad.insert(part, angle_rad);
            }
        }
        if part == EYELIDS {
            self.senses.position_ratio = joint.position_ratio;
        } else if let Some(i) = place(&NECK, part) {
            self.senses.neck[i] = Some(joint.clone());
        }
    }

    /// As a MiRo senses it; edge sensors that have measured nothing so far have no reading.
    pub fn senses(&self) -> Senses {
        let cliff = |i: usize| {
            let raw = self.cliffs[i].as_ref().map(surface_from_range);
            Some(Cliff(Range { status_code: raw, ..Range::nothing() }))
        };
        let not_measured = Imu { orientation: None, angular_velocity: None, linear_acceleration: None };
        Senses {
            head: self.senses.head.clone().or(Some(not_measured.clone())),
            body: self.senses.body.clone().or(Some(not_measured)),
            sonar: Some(self.sonar()),
            touch_head: self.touch_head.bits(),
            touch_body: self.touch_body.bits(),
            cliffs: std::array::from_fn(cliff),
            ..self.senses.clone()
        }
    }

    /// The angle of a joint, if the robot published one.
    pub fn angle_rad(&self, joint: &PartName) -> Option<f64> {
        self.angles_rad.get(joint).copied()
    }

    /// Where it is by its wheels, or else on its map, if the robot published it.
    pub const fn published_pose(&self) -> Option<&Pose> {
        self.pose.as_ref()
    }

    /// What goes on the wheels, or else on its map.
    pub fn pose(&self) -> Pose {
        self.pose.clone().unwrap_or_else(|| Pose::planar(Frame::Odom, 0.0, 0.0, 0.0))
    }

    /// What the sonar measures, as far as it reaches.
    fn sonar(&self) -> Range {
        let range = self.sonar.as_ref();
        let [near_m, far_m] = SONAR_M;
        Range {
            distance_m: range.and_then(met_m),
            min_m: Some(near_m),
            max_m: Some(far_m),
            field_of_view_rad: range
                .and_then(|it| it.field_of_view_rad)
                .filter(|it| it.is_finite())
                .or(Some(FRAC_PI_6)),
            ..Range::nothing()
        }
    }
}

fn place(names: &[&str], part: &str) -> Option<usize> {
    names.iter().position(|known| *known == part)
}

/// How far away something is that was surely met within the sonar's reach; never 0, which is nothing.
fn met_m(range: &Range) -> Option<f64> {
    let sure = matches!(range.status, RangeStatus::Valid | RangeStatus::TooNear | RangeStatus::Unknown);
    let [near_m, far_m] = SONAR_M;
    range.distance_m.filter(|m| sure && (0.0..=far_m).contains(m)).map(|m| m.max(near_m))
}

/// A MiRo's own reading, or whether a sensor of another make sees the floor: what is derived from that has no code.
fn surface_from_range(range: &Range) -> i64 {
    if let Some(raw) = range.status_code {
        return raw;
    }
    match range.distance_m {
        Some(m) if range.status == RangeStatus::Valid && m <= EDGE_M => SURFACE.into(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::{RobotId, Timestamp};

    use super::*;
    use crate::miro::map::{odometry_from_snapshot, sensors_from_snapshot};
    use crate::miro::messages::{Moment, UNMEASURED};

    fn knowing(part: &str, signal: impl Into<Signal>) -> Snapshot {
        let mut known = Snapshot::default();
        let robot = RobotId::new("robot-1").unwrap();
        known.take(&Update::now(&robot, Timestamp::default(), signal.into()).of_part(PartName::of(part)));
        known
    }

    fn surface(part: &str, range: Range) -> u8 {
        let known = knowing(part, Cliff(range));
        sensors_from_snapshot(&known, &Moment::default()).cliff[usize::from(part == "right")]
    }

    #[test]
    fn a_code_is_how_much_surface_there_is() {
        let floor = Range::valid(0.03);
        assert_eq!(surface("left", floor.clone()), SURFACE, "a floor is seen");
        assert_eq!(surface("right", Range::nothing()), 0, "an edge is seen");
        let far = Range { distance_m: Some(0.3), ..floor.clone() };
        assert_eq!(surface("right", far), 0, "the floor is far below");
        for raw in [0, 7, 15] {
            let own = Range { distance_m: None, status_code: Some(raw.into()), ..floor.clone() };
            assert_eq!(surface("left", own), raw);
        }
        let broken = Range { status: RangeStatus::HardwareFault, ..Range::nothing() };
        assert_eq!(surface("right", broken), 0, "on the safe side");
    }

    #[test]
    fn what_was_not_measured_is_not_invented() {
        let nothing = sensors_from_snapshot(&Snapshot::default(), &Moment::default());
        assert_eq!(nothing.cliff, [UNMEASURED; 2]);
        assert!(nothing.temperature.temperature.is_nan());
    }

    #[test]
    fn a_pose_is_in_the_frame_in_which_it_was_published() {
        let frame = |known: &Snapshot| odometry_from_snapshot(known, &Moment::default()).header.frame_id;
        assert_eq!(frame(&Snapshot::default()), "odom");
        for it in [Frame::Odom, Frame::Map] {
            assert_eq!(frame(&knowing("base", Pose::planar(it, 1.0, 2.0, 0.0))), it.as_str());
        }
    }

    #[test]
    fn a_robot_that_finds_itself_on_its_map_does_not_stand_still() {
        let robot = "walker".parse().unwrap();
        let at = |part: Option<&str>, pose: Pose| Update {
            part: part.map(PartName::of),
            ..Update::now(&robot, Timestamp::default(), pose.into())
        };
        let mut known = Snapshot::default();
        known.take(&at(None, Pose::planar(Frame::Odom, 0.0, 0.0, 0.0)));
        known.take(&at(None, Pose::planar(Frame::Map, 2.0, 1.5, 0.0)));
        assert_eq!((known.pose().frame, known.pose().x_m), (Frame::Map, 2.0));
        // One that tells both goes by its wheels.
        known.take(&at(Some("odom"), Pose::planar(Frame::Odom, 0.5, 0.0, 0.0)));
        known.take(&at(None, Pose::planar(Frame::Map, 2.5, 1.5, 0.0)));
        assert_eq!((known.pose().frame, known.pose().x_m), (Frame::Odom, 0.5));
    }

    #[test]
    fn what_is_too_near_for_the_sonar_is_not_nothing() {
        let near = |m| Range { status: RangeStatus::TooNear, ..Range::valid(m) };
        let sonar =
            |range| sensors_from_snapshot(&knowing("sonar", range), &Moment::default()).sonar_range.range;
        assert_eq!([sonar(near(0.0)), sonar(near(0.01)), sonar(Range::valid(0.5))], [0.03, 0.03, 0.5]);
        assert_eq!([sonar(Range::nothing()), sonar(Range::valid(1.5))], [0.0; 2]);
    }
}

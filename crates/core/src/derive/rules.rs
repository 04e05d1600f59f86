//! What a robot of a profile gets: a pure function, so that documents and tests have it without a robot.

use std::sync::Arc;

use super::{Address, RANGES};
use crate::model::profile::{Joint, JointRole, PlacedSensor, RangeSensor};
use crate::model::signal::{ContactSensor, Velocity};
use crate::model::{Kind, KindSet, PartName, RobotProfile};

/// What programs of any family expect of a robot: the profiles of all dialects.
///
/// ```
/// use latimer_core::derive::Vocabulary;
/// use latimer_core::model::{Kind, RobotProfile};
///
/// let own = RobotProfile { kinds: [Kind::Pose].into_iter().collect(), ..RobotProfile::default() };
/// let rules = Vocabulary::default().rules(&own);
/// assert!(rules.iter().any(|rule| rule.to.0 == Kind::Velocity), "how fast its pose changes");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Vocabulary(Arc<[(&'static str, Arc<RobotProfile>)]>);

/// One value that is derived.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What it is.
    pub to: Address,
    /// From what.
    pub from: Vec<Address>,
    /// How.
    pub method: Method,
}

/// How a value is derived.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// The nearest point that a scan met in a sensor's cone, counted from the robot's outline.
    Cone(RangeSensor),
    /// The nearest reading of the sensors that look there.
    Nearest,
    /// A point for each range sensor that sees something.
    Points,
    /// The same under the name of a part of another make.
    Alias,
    /// A contact with any of the sensors at a place.
    AnyContact(ContactSensor),
    /// Wheels that turn as the robot moves.
    Wheels,
    /// The attitude and turn rate of a pose.
    Attitude,
    /// How fast a pose changes.
    Speed,
}

impl Method {
    /// Kinds that the method looks up.
    pub(super) const fn needs(&self) -> &'static [Kind] {
        match self {
            Self::Cone(_) => &[Kind::Footprint, Kind::Pose],
            Self::Points => &[Kind::Joint, Kind::Pose],
            Self::Attitude => &[Kind::Velocity],
            _ => &[],
        }
    }

    /// Which sensor for contacts it makes a value of, if of one.
    pub const fn contact(&self) -> Option<ContactSensor> {
        match self {
            Self::AnyContact(sensor) => Some(*sensor),
            _ => None,
        }
    }

    /// How, in words.
    pub const fn words(&self) -> &'static str {
        match self {
            Self::Cone(_) => "nearest point in the sensor's cone, from the outline",
            Self::Nearest => "nearest reading of the sensors that look there",
            Self::Points => "a point for each range sensor that sees something",
            Self::Alias => "the part of the same role",
            Self::AnyContact(_) => "any contact at that place",
            Self::Wheels => "wheels that turn as the pose moves",
            Self::Attitude => "heading of the pose",
            Self::Speed => "change of the pose",
        }
    }
}

impl Vocabulary {
    /// Of dialects and their profiles.
    pub fn new(profiles: impl IntoIterator<Item = (&'static str, Arc<RobotProfile>)>) -> Self {
        Self(profiles.into_iter().collect())
    }

    /// What programs of a dialect expect.
    pub fn of(&self, dialect: &str) -> Option<&RobotProfile> {
        self.0.iter().find(|(name, _)| *name == dialect).map(|(_, profile)| &**profile)
    }

    /// What the joint of a name moves.
    pub fn joint_role(&self, part: &PartName) -> Option<JointRole> {
        let mut joints = self.0.iter().flat_map(|(_, profile)| &profile.joints);
        joints.find(|it| it.part == *part).map(|it| it.role)
    }

    /// What is derived for a robot of a profile.
    pub fn rules(&self, own: &RobotProfile) -> Vec<Rule> {
        let mut rules = Vec::new();
        for (_, other) in self.0.iter() {
            rules.extend(other.ranges.iter().filter_map(|it| range(own, it)));
            rules.extend(other.joints.iter().filter_map(|it| joint(own, it)));
            rules.extend(other.placed.iter().filter_map(|it| placed(own, it)));
            rules.extend(other.lamps.iter().flatten().filter_map(|it| lamp(own, it)));
        }
        rules.extend(points(own));
        rules.extend(from_pose(own));
        let mut known: Vec<Address> = Vec::new();
        rules.retain(|rule: &Rule| {
            let is_new = !known.contains(&rule.to);
            known.push(rule.to.clone());
            is_new
        });
        rules
    }

    /// Whether a kind, or one part of it, is derived for a robot of a profile.
    pub fn derives(&self, own: &RobotProfile, kind: Kind, part: Option<&str>) -> bool {
        let is_it = |rule: &Rule| {
            rule.to.0 == kind
                && part.is_none_or(|part| rule.to.1.as_ref().is_some_and(|it| it.as_str() == part))
        };
        self.rules(own).iter().any(is_it)
    }

    /// The kinds that a robot of a profile publishes, or gets.
    pub fn kinds(&self, own: &RobotProfile) -> KindSet {
        self.rules(own).iter().fold(own.kinds, |kinds, rule| kinds.with(rule.to.0))
    }
}

fn range(own: &RobotProfile, sensor: &RangeSensor) -> Option<Rule> {
    let part = sensor.part.as_ref().filter(|part| sensor.kind == Kind::Range && own.range(part).is_none())?;
    let (bearing, field) = (sensor.bearing()?, sensor.field_rad.unwrap_or_default());
    let to = (Kind::Range, Some(part.clone()));
    let scanners = own.ranges.iter().filter(|it| it.kind != Kind::Range);
    let scanners: Vec<Address> = scanners.map(|it| (it.kind, it.part.clone())).collect();
    if !scanners.is_empty() {
        return Some(Rule { to, from: scanners, method: Method::Cone(sensor.clone()) });
    }
    // Those that look where it looks, if their cones touch.
    let off = |it: &RangeSensor| {
        let off = crate::frames::wrap_angle(it.bearing()? - bearing).abs();
        (off <= (field + it.field_rad.unwrap_or_default()) / 2.0).then_some(off)
    };
    let looking = || own.ranges.iter().filter_map(|it| Some((off(it)?, it.part.clone()?)));
    let least = looking().map(|(off, _)| off).min_by(f64::total_cmp)?;
    let from = looking().filter(|(off, _)| off - least < 0.01).map(|(_, part)| (Kind::Range, Some(part)));
    Some(Rule { to, from: from.collect(), method: Method::Nearest })
}

fn points(own: &RobotProfile) -> Option<Rule> {
    let ranges = own.ranges.iter().filter(|it| it.bearing().is_some());
    let from: Vec<Address> = ranges.map(|it| (it.kind, it.part.clone())).collect();
    let to = (Kind::Scan, Some(PartName::of(RANGES)));
    (!own.scans() && !from.is_empty()).then_some(Rule { to, from, method: Method::Points })
}

fn joint(own: &RobotProfile, Joint { part, role }: &Joint) -> Option<Rule> {
    if own.joints.iter().any(|it| it.part == *part) {
        return None;
    }
    let from = vec![(Kind::Joint, Some(own.joint(*role)?.clone()))];
    Some(Rule { to: (Kind::Joint, Some(part.clone())), from, method: Method::Alias })
}

fn placed(own: &RobotProfile, PlacedSensor { kind, part, place }: &PlacedSensor) -> Option<Rule> {
    let of_kind = || own.placed.iter().filter(|it| it.kind == *kind);
    if of_kind().any(|it| it.part == *part) {
        return None;
    }
    let groups = place.stand_ins().iter();
    let from = groups
        .map(|group| {
            of_kind().filter(|it| group.contains(&it.place)).map(|it| (*kind, Some(it.part.clone())))
        })
        .map(Iterator::collect::<Vec<Address>>)
        .find(|from| !from.is_empty())?;
    let method = match kind {
        Kind::Contact => Method::AnyContact(place.contact()),
        _ if from.len() == 1 => Method::Alias,
        _ => return None,
    };
    Some(Rule { to: (*kind, Some(part.clone())), from, method })
}

fn lamp(own: &RobotProfile, part: &PartName) -> Option<Rule> {
    let first = own.lamps.first().filter(|_| !own.lamps.iter().flatten().any(|it| it == part))?;
    let from = vec![(Kind::Lamp, first.clone())];
    Some(Rule { to: (Kind::Lamp, Some(part.clone())), from, method: Method::Alias })
}

/// What a pose tells of a robot that does not publish it.
fn from_pose(own: &RobotProfile) -> impl Iterator<Item = Rule> + use<> {
    let derived = [
        (Kind::Encoders, None, Method::Wheels),
        (Kind::Imu, None, Method::Attitude),
        (Kind::Velocity, Some(PartName::of(Velocity::MEASURED)), Method::Speed),
    ];
    let (kinds, attitude) = (own.kinds, own.attitude);
    let missing = derived.into_iter().filter(move |(kind, ..)| match kind {
        Kind::Imu => !attitude,
        kind => !kinds.contains(*kind),
    });
    let from = || vec![(Kind::Pose, None), (Kind::Pose, Some(PartName::of("odom")))];
    missing.filter(move |_| kinds.contains(Kind::Pose)).map(move |(kind, part, method)| Rule {
        to: (kind, part),
        from: from(),
        method,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::{Mount, Place};

    fn sensor(part: &str, bearing_rad: f64, field_rad: f64) -> RangeSensor {
        RangeSensor::new(Kind::Range, Some(part)).toward(bearing_rad, field_rad)
    }

    fn wanted() -> Vocabulary {
        let profile = RobotProfile {
            ranges: vec![sensor("center", 0.0, 0.4), sensor("back", 3.1, 0.4)],
            joints: vec![Joint::new("head_yaw", JointRole::HeadYaw)],
            placed: vec![
                PlacedSensor::contact("bump_left", Place::FrontLeft),
                PlacedSensor::contact("touch_left", Place::HeadLeft),
                PlacedSensor::edge("left", Place::FrontLeft),
            ],
            ..RobotProfile::default()
        };
        Vocabulary::new([("test", Arc::new(profile))])
    }

    fn lines(profile: RobotProfile) -> Vec<String> {
        let name = |(kind, part): &Address| match part {
            Some(part) => format!("{kind}/{part}"),
            None => kind.to_string(),
        };
        let line = |rule: &Rule| {
            let from: Vec<String> = rule.from.iter().map(name).collect();
            format!("{} from {}", name(&rule.to), from.join(" "))
        };
        wanted().rules(&profile).iter().map(line).collect()
    }

    #[test]
    fn a_scanner_looks_in_every_direction() {
        let lidar = RangeSensor::new(Kind::Scan, Some("lidar"));
        let rules = lines(RobotProfile { ranges: vec![lidar], ..RobotProfile::default() });
        assert_eq!(rules, ["range/center from scan/lidar", "range/back from scan/lidar"]);
    }

    #[test]
    fn of_range_sensors_the_one_that_looks_there_counts() {
        let mount = Some(Mount::fixed([0.1, 0.0, 0.0], 0.0));
        let nose = RangeSensor { mount, ..sensor("nose", 9.0, 0.1) };
        let ranges = vec![sensor("side", 1.5, 0.1), sensor("near", 0.2, 0.1), nose];
        let rules = lines(RobotProfile { ranges, ..RobotProfile::default() });
        assert_eq!(
            rules,
            ["range/center from range/nose", "scan/ranges from range/side range/near range/nose"],
            "nothing looks back"
        );
    }

    #[test]
    fn parts_stand_in_for_those_of_their_role_and_place() {
        let rules = wanted().rules(&RobotProfile {
            joints: vec![Joint::new("yaw", JointRole::HeadYaw), Joint::new("tail", JointRole::Tail)],
            placed: vec![
                PlacedSensor::contact("bump", Place::Front),
                PlacedSensor::contact("stroke_0", Place::HeadFrontLeft),
                PlacedSensor::contact("stroke_1", Place::HeadBackLeft),
            ],
            ..RobotProfile::default()
        });
        let of = |kind, part: &str| (kind, Some(PartName::of(part)));
        let contact = |to, from: &[&str], sensor| Rule {
            to: of(Kind::Contact, to),
            from: from.iter().map(|it| of(Kind::Contact, it)).collect(),
            method: Method::AnyContact(sensor),
        };
        let yaw = Rule {
            to: of(Kind::Joint, "head_yaw"),
            from: vec![of(Kind::Joint, "yaw")],
            method: Method::Alias,
        };
        assert_eq!(
            rules,
            [
                yaw,
                contact("bump_left", &["bump"], ContactSensor::Bumper),
                contact("touch_left", &["stroke_0", "stroke_1"], ContactSensor::Touch),
            ],
            "no edge sensor stands in for one"
        );
    }

    #[test]
    fn what_a_robot_publishes_itself_is_not_derived() {
        let own = wanted().of("test").unwrap().clone();
        let kinds = [Kind::Pose, Kind::Encoders].into_iter().collect();
        assert_eq!(
            lines(RobotProfile { kinds, attitude: true, ..own }),
            ["scan/ranges from range/center range/back", "velocity/measured from pose pose/odom"]
        );
    }
}

//! What the hub knows of a robot's abilities: what it told so far, and which family it is of.

use latimer_core::hub::Origin;
use latimer_core::model::signal::Control;
use latimer_core::model::{Kind, Signal};

use crate::axbot::NAME;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::caps::Abilities;
use crate::axbot::topic::Topic;

/// Families whose robots drive somewhere by themselves.
const NAVIGATORS: [&str; 2] = [NAME, "robotkoop"];

/// Cameras that are there before anybody looked through them: family, topic, part.
const CAMERAS: [(&str, Topic, &str); 5] = [
    (NAME, Topic::FrontCompressed, "camera_front"),
    (NAME, Topic::BackCompressed, "camera_back"),
    ("misty", Topic::FrontCompressed, "camera"),
    ("miro", Topic::FrontCompressed, "camera_left"),
    ("robotkoop", Topic::FrontCompressed, "camera"),
];

/// What a robot can do.
pub(super) fn of(robot: &FacadeRobot) -> Abilities {
    let report = robot.hub.robot(&robot.robot);
    let family = report.as_ref().map_or("", |report| report.info.family);
    let chassis = family == NAME;
    // It tells some things only while it drives, but a client asks once what there is.
    let ours = chassis && report.is_some_and(|report| report.info.origin == Origin::Simulated);
    let knows = |kind: Kind| !robot.hub.last_of_parts(&robot.robot, kind).is_empty();
    let has = |kind: Kind, part: &str| robot.last_of(kind, part).is_some();
    let control = robot.last(Kind::Control);
    let sleeps = matches!(
        control.as_ref().map(|update| &update.signal),
        Some(Signal::Control(Control { power: Some(_), .. }))
    );
    Abilities {
        chassis,
        navigates: NAVIGATORS.contains(&family) || knows(Kind::Navigation),
        follows: chassis,
        maps: chassis || knows(Kind::MapInfo),
        control: chassis || control.is_some(),
        sleeps: chassis || sleeps,
        jack: has(Kind::Joint, "jack"),
        roller: has(Kind::Joint, "roller"),
        camera: !cameras(robot).is_empty(),
        vision: has(Kind::Objects, "vision"),
        costs: chassis || has(Kind::Map, "costmap_5cm"),
        local_path: ours || has(Kind::Path, "local"),
        barcodes: has(Kind::Objects, "barcodes"),
        footprint: knows(Kind::Footprint),
        indicators: knows(Kind::Indicators),
    }
}

/// The cameras that the robot is known to have: the topic that tells their pictures, and the part.
pub(super) fn cameras(robot: &FacadeRobot) -> Vec<(Topic, &'static str)> {
    let family = robot.hub.robot(&robot.robot).map_or("", |report| report.info.family);
    let told = |part: &str| {
        [Kind::CompressedImage, Kind::Video].iter().any(|kind| robot.last_of(*kind, part).is_some())
    };
    let find = |topic: &Topic| {
        let mut parts = topic.origins().iter().filter_map(|(_, part)| *part);
        let usual = CAMERAS.iter().find(|(of, on, _)| *of == family && on == topic).map(|(.., part)| *part);
        parts.find(|part| told(part)).or(usual).map(|part| (*topic, part))
    };
    [Topic::FrontCompressed, Topic::BackCompressed].iter().filter_map(find).collect()
}

/// Whether the robot has a scanner.
pub(super) fn scans(robot: &FacadeRobot) -> bool {
    let told = |kind: Kind| !robot.hub.last_of_parts(&robot.robot, kind).is_empty();
    let family = robot.hub.robot(&robot.robot).map_or("", |report| report.info.family);
    family == NAME || told(Kind::Scan) || told(Kind::PointCloud)
}

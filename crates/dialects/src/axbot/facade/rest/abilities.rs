//! What the hub knows of a robot's abilities: what it told so far, and which family it is of.

use latimer_core::PartName;
use latimer_core::model::signal::Control;
use latimer_core::model::{Kind, Signal};

use crate::axbot::NAME;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::caps::Abilities;
use crate::axbot::topic::Topic;

/// Families whose robots drive somewhere by themselves.
const NAVIGATORS: [&str; 2] = [NAME, "robotkoop"];

/// What a robot can do.
pub(super) fn of(robot: &FacadeRobot) -> Abilities {
    let family = robot.hub.robot(&robot.robot).map_or("", |report| report.info.family);
    let chassis = family == NAME;
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
        maps: chassis || knows(Kind::MapInfo),
        control: chassis || control.is_some(),
        sleeps: chassis || sleeps,
        jack: has(Kind::Joint, "jack"),
        roller: has(Kind::Joint, "roller"),
        camera: chassis || cameras(robot).next().is_some(),
        vision: has(Kind::Objects, "vision"),
        costs: chassis || has(Kind::Map, "costmap_5cm"),
        local_path: has(Kind::Path, "local"),
        barcodes: has(Kind::Objects, "barcodes"),
        footprint: knows(Kind::Footprint),
        indicators: knows(Kind::Indicators),
    }
}

/// The topics of the cameras that the robot is known to have.
pub(super) fn cameras(robot: &FacadeRobot) -> impl Iterator<Item = Topic> {
    let topics = [Topic::FrontCompressed, Topic::BackCompressed, Topic::FrontVideo, Topic::BackVideo];
    topics.into_iter().filter(move |topic| {
        topic.origins().iter().any(|(kind, part)| {
            part.is_some_and(|part| robot.hub.last(&robot.robot, *kind, Some(&PartName::of(part))).is_some())
        })
    })
}

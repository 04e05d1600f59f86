//! What a robot can do: what its source declared, and what it published so far.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::profile::{Ability, Camera, CameraRole, MapUse};
use latimer_core::model::signal::Control;

use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::caps::Abilities;
use crate::axbot::topic::Topic;

/// What a robot can do.
pub(super) fn of(robot: &FacadeRobot) -> Abilities {
    let profile = robot.hub.profile(&robot.robot);
    let knows = |kind: Kind| !robot.hub.last_of_parts(&robot.robot, kind).is_empty();
    let has = |kind: Kind, part: &str| robot.last_of(kind, part).is_some();
    let control = robot.record::<Control>();
    let sleeps = control.as_ref().is_some_and(|it| it.power.is_some());
    Abilities {
        maintains: profile.can(Ability::Maintain),
        takes_pictures: profile.can(Ability::TakePictures),
        navigates: profile.can(Ability::Navigate) || knows(Kind::Navigation),
        follows: profile.can(Ability::Follow),
        rides: profile.can(Ability::RideLifts),
        maps: profile.map == MapUse::Makes || knows(Kind::MapInfo),
        control: profile.can(Ability::ChangeMode) || control.is_some(),
        sleeps: profile.can(Ability::Sleep) || sleeps,
        jack: has(Kind::Joint, "jack"),
        roller: has(Kind::Joint, "roller"),
        camera: !cameras(robot).is_empty(),
        vision: has(Kind::Objects, "vision"),
        costs: profile.can(Ability::ReportCosts) || has(Kind::Map, "costmap_5cm"),
        local_path: profile.can(Ability::ReportLocalPath) || has(Kind::Path, "local"),
        barcodes: has(Kind::Objects, "barcodes"),
        footprint: knows(Kind::Footprint),
        indicators: knows(Kind::Indicators),
        limits: knows(Kind::DriveLimits),
        racks: has(Kind::Objects, "racks"),
    }
}

/// The cameras that the robot is known to have: the topic that tells their pictures, and the part.
pub(super) fn cameras(robot: &FacadeRobot) -> Vec<(Topic, PartName)> {
    let profile = robot.hub.profile(&robot.robot);
    let reported = |part: &&PartName| {
        [Kind::CompressedImage, Kind::Video]
            .iter()
            .any(|kind| robot.hub.last(&robot.robot, *kind, Some(part)).is_some())
    };
    let find = |(topic, declared): (Topic, Option<&Camera>)| {
        let own = topic.origins().first().and_then(|(_, part)| *part).map(PartName::of);
        let part = declared.map(|it| it.part.clone()).or_else(|| own.as_ref().filter(reported).cloned());
        Some((topic, part?))
    };
    [
        (Topic::FrontCompressed, profile.camera_ahead()),
        (Topic::BackCompressed, profile.camera(CameraRole::Back)),
    ]
    .into_iter()
    .filter_map(find)
    .collect()
}

/// Whether the robot has a scanner.
pub(super) fn scans(robot: &FacadeRobot) -> bool {
    let reported = |kind: Kind| !robot.hub.last_of_parts(&robot.robot, kind).is_empty();
    robot.hub.profile(&robot.robot).scans() || reported(Kind::Scan) || reported(Kind::PointCloud)
}

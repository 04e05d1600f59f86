use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use super::*;
use crate::Clock;
use crate::frames::Placement;
use crate::hub::{Origin, RobotInfo, Source};
use crate::model::profile::{Axis, Hinge, RangeSensor, RobotProfile};
use crate::model::signal::{Joint, PointCloud, Scan};

/// A robot with a placement and one without, each at (1, 0) of its own map and looking along y.
fn site() -> (Hub, [Source; 2]) {
    let hub = Hub::new(Clock::system());
    let robot = |name: &str| RobotId::new(name).unwrap();
    let map = Placement::in_world(Pose2::new(10.0, 0.0, 0.0));
    let placed = RobotFrames { map: Some(map), odom: None };
    let site = BTreeMap::from([("hall".into(), Placement::in_world(Pose2::new(0.0, 5.0, 0.0)))]);
    hub.set_frames(FrameTree::new(site, BTreeMap::from([(robot("placed"), placed)])).unwrap());
    let sources = ["placed", "lost"].map(|name| {
        let info = RobotInfo::new(robot(name), "test", Origin::Connected("there".to_owned()));
        let source = hub.register(info).unwrap();
        source.publish(update(&source, Pose::planar(Frame::Map, 1.0, 0.0, FRAC_PI_2).into()));
        source
    });
    (hub, sources)
}

fn update(source: &Source, signal: Signal) -> Update {
    Update::now(source.robot(), Clock::system().now(), signal)
}

fn ahead() -> Signal {
    let ranges_m = vec![2.0];
    let (angle_min_rad, angle_increment_rad, range_min_m, range_max_m) = (0.0, 0.1, 0.0, 9.0);
    Scan { angle_min_rad, angle_increment_rad, range_min_m, range_max_m, ranges_m, pose: None }.into()
}

fn points(hub: &Hub, source: &Source, signal: Signal, to: &str) -> Result<Vec<[f64; 2]>, String> {
    let update = Shared::new(update(source, signal), 7);
    let to = hub.frame(to).map_err(|why| why.to_string())?;
    let placed = hub.in_frame(&update, to).map_err(|why| why.to_string())?.expect("coordinates");
    assert_eq!((placed.sequence(), placed.key()), (7, update.key()));
    Ok(match &placed.signal {
        Signal::Scan(scan) => scan.points_m().collect(),
        Signal::PointCloud(cloud) => cloud.points_m.iter().map(|[x_m, y_m, _]| [*x_m, *y_m]).collect(),
        other => panic!("{other:?}"),
    })
}

#[test]
fn a_scan_in_the_robots_axes_is_where_its_last_pose_has_it() {
    let (hub, [placed, lost]) = site();
    let near = |found: Result<Vec<[f64; 2]>, String>, x_m: f64, y_m: f64| {
        let [at] = found.unwrap().try_into().expect("one point");
        assert!((at[0] - x_m).abs().max((at[1] - y_m).abs()) < 1e-9, "{at:?}");
    };
    near(points(&hub, &placed, ahead(), WORLD), 11.0, 2.0);
    near(points(&hub, &placed, ahead(), "hall"), 11.0, -3.0);
    near(points(&hub, &placed, ahead(), "placed/base_link"), 2.0, 0.0);
    let seen = PointCloud { frame: Frame::BaseLink, points_m: vec![[2.0, 0.0, 0.4]] };
    near(points(&hub, &placed, seen.into(), "placed/map"), 1.0, 2.0);
    // A robot's own frames need no placement.
    near(points(&hub, &lost, ahead(), "lost/map"), 1.0, 2.0);
}

#[test]
fn dead_reckoning_is_where_both_poses_of_a_robot_have_it() {
    let (hub, [placed, lost]) = site();
    for (source, to, [x_m, y_m]) in [(&placed, WORLD, [10.0, 3.0]), (&lost, "lost/map", [0.0, 3.0])] {
        // The robot is at (1, 0) of its map and looks along y; by its wheels it went 3 m back and 1 m to the right.
        let odom = update(source, Pose::planar(Frame::Odom, -3.0, -1.0, 0.0).into());
        source.publish(Update { part: Some(PartName::of("odom")), ..odom });
        let at = hub.transform(source.robot(), Frame::Odom, to).unwrap();
        assert!(at.distance_to(x_m, y_m) < 1e-9 && (at.yaw_rad - FRAC_PI_2).abs() < 1e-9, "{at:?}");
    }
}

#[test]
fn a_sensor_is_where_the_joints_of_its_head_turn_it() {
    let (hub, _sources) = site();
    let neck = Hinge { joint: PartName::of("neck"), at_m: [0.1, 0.0, 0.3], axis: Axis::Z };
    let nose = Mount { hinges: vec![neck], ..Mount::fixed([0.2, 0.0, 0.0], 0.0) };
    let sensor = |part, mount| RangeSensor { mount: Some(mount), ..RangeSensor::new(Kind::Scan, Some(part)) };
    let ranges =
        vec![sensor("nose", nose), sensor("rear", Mount::fixed([-0.2, 0.1, 0.0], std::f64::consts::PI))];
    let profile = Arc::new(RobotProfile { ranges, ..RobotProfile::default() });
    let robot = RobotId::new("nosy").unwrap();
    let info = RobotInfo::new(robot.clone(), "test", Origin::Connected("there".to_owned())).with(profile);
    let source = hub.register(info).unwrap();
    let in_base = |part: &str| {
        let scan = Update { part: Some(PartName::of(part)), ..update(&source, ahead()) };
        let placed = hub.in_frame(&Shared::new(scan, 1), hub.frame("nosy/base_link").unwrap());
        placed.map(|placed| match &placed.unwrap().signal {
            Signal::Scan(scan) => scan.points_m().next().unwrap(),
            other => panic!("{other:?}"),
        })
    };
    let near = |[x_m, y_m]: [f64; 2], wanted: [f64; 2]| {
        assert!((x_m - wanted[0]).abs().max((y_m - wanted[1]).abs()) < 1e-9, "{x_m}, {y_m}");
    };
    near(in_base("rear").unwrap(), [-2.2, 0.1]);
    let why = in_base("nose").unwrap_err().to_string();
    assert!(why.starts_with("nosy/nose turns with joints"), "{why}");
    let neck = Some(PartName::of("neck"));
    source.publish(Update { part: neck, ..update(&source, Joint::hinge(FRAC_PI_2).into()) });
    near(in_base("nose").unwrap(), [0.1, 2.2]);
    // What one scanner sees, as another and the head have it; on a map only once the robot knows where it is.
    let turned = Update { part: Some(PartName::of("nose")), ..update(&source, ahead()) };
    let turned = Shared::new(turned, 2);
    let point = |to: &str| match &hub.in_frame(&turned, hub.frame(to).unwrap())?.unwrap().signal {
        Signal::Scan(scan) => Ok(scan.points_m().next().unwrap()),
        other => panic!("{other:?}"),
    };
    near(point("nosy/nose").unwrap(), [2.0, 0.0]);
    near(point("nosy/head").unwrap(), [2.2, 0.0]);
    near(point("nosy/rear").unwrap(), [-0.3, -2.1]);
    assert_eq!(point("nosy/map"), Err(NoTransform::NoPose(robot)));
    source.publish(update(&source, Pose::planar(Frame::Map, 1.0, 0.0, 0.0).into()));
    near(point("nosy/map").unwrap(), [1.1, 2.2]);
    let names = hub.frame_names();
    assert!(["nosy/head", "nosy/nose", "nosy/rear"].iter().all(|it| names.iter().any(|name| name == it)));
}

#[test]
fn what_has_no_transform_says_why() {
    let (hub, [placed, lost]) = site();
    let why = |source: &Source, to: &str| points(&hub, source, ahead(), to).unwrap_err();
    assert!(why(&lost, WORLD).starts_with("lost/map has no placement"));
    assert!(why(&placed, "lost/map").starts_with("lost/map has no placement"));
    assert!(why(&placed, "nobody/map").starts_with("there is no frame \"nobody/map\""));
    assert!(why(&placed, "placed/head").starts_with("there is no frame"));
    let eye = PointCloud { frame: Frame::Head, points_m: vec![[0.0; 3]] };
    let why = points(&hub, &placed, eye.into(), WORLD).unwrap_err();
    assert!(why.contains("joints"), "{why}");
    let names = hub.frame_names();
    assert_eq!(names[..3], ["world", "hall", "lost/map"]);
    assert!(names.iter().all(|name| hub.frame(name).is_ok()), "{names:?}");
}

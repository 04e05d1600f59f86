//! The maps that a delivery chassis drives by: its own, another one, none.

use latimer_core::Outcome;
use latimer_core::model::signal::{
    FeatureKind, Frame, MapFeature, MapInfo, NavigationFailure, NavigationState, OccupancyGrid, Pose,
};
use latimer_core::model::{Command, Destination, Kind, LocalizationCommand, MapUse, NavigationGoal, Signal};
use latimer_world::bodies::Demand;
use latimer_world::{Behaviour, Pose2, Start, World, WorldFile};

use crate::axbot::{arrive, builtin, codes, go, hall, point};
use crate::lab::{Lab, id};

/// Number of the chassis's stream of the map.
const MAP: usize = 1;

fn info(lab: &Lab) -> MapInfo {
    match lab.last(Kind::MapInfo, "") {
        Signal::MapInfo(info) => info,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn other_map(features: Vec<MapFeature>) -> MapInfo {
    MapInfo {
        name: "mine".into(),
        uid: Some("5f00".into()),
        version: Some(7),
        features_version: Some(2),
        features,
    }
}

pub(crate) fn mark(kind: FeatureKind, name: &str, [x_m, y_m]: [f64; 2], yaw_rad: f64) -> MapFeature {
    let pose = Some(Pose::planar(Frame::Map, x_m, y_m, yaw_rad));
    MapFeature { kind, id: None, name: Some(name.into()), pose, points_m: Vec::new(), mac: None }
}

fn shape(kind: FeatureKind, points_m: Vec<[f64; 2]>) -> MapFeature {
    MapFeature { kind, id: None, name: None, pose: None, points_m, mac: None }
}

pub(crate) fn use_map(lab: &mut Lab, info: MapInfo, grid: Option<OccupancyGrid>) -> Outcome {
    lab.ask(Command::UseMap(Some(Box::new(MapUse { info, grid }))))
}

fn watch_map(lab: &mut Lab) -> OccupancyGrid {
    lab.world.listen([Demand::EVERY_KIND.with_stream(MAP)]);
    lab.run(1.1);
    let Signal::Map(grid) = lab.last(Kind::Map, "map") else { panic!() };
    lab.world.listen([Demand::EVERY_KIND]);
    grid
}

pub(crate) fn state(lab: &Lab) -> (String, bool) {
    let published = lab.last(Kind::Localization, "");
    let word = published.field("state").unwrap().as_str().unwrap().to_owned();
    (word, published.field("has_pose").unwrap().as_bool().unwrap())
}

pub(crate) fn within(lab: &mut Lab, most_s: u32, is_so: impl Fn(&Lab) -> bool) -> bool {
    (0..2 * most_s).any(|_| {
        lab.run(0.5);
        is_so(lab)
    })
}

#[test]
fn the_worlds_own_map_is_published_at_once_with_all_marks() {
    let lab = builtin("warehouse", 8.6, 1.5, 1.5);
    let info = info(&lab);
    assert_eq!((info.name.as_str(), info.version, info.features_version), ("warehouse", Some(1), Some(1)));
    let count = |kind| info.features.iter().filter(|it| it.kind == kind).count();
    let file = latimer_world::WorldFile::builtin("warehouse").unwrap();
    assert_eq!(count(FeatureKind::Charger), file.chargers.len());
    assert_eq!(count(FeatureKind::Barcode), file.barcodes.len());
    assert_eq!(count(FeatureKind::Landmark), file.landmarks.len());
    assert_eq!(count(FeatureKind::RackPoint), file.racks.len());
    assert!(count(FeatureKind::Charger) > 0 && count(FeatureKind::Barcode) > 0);
    let charger = info.features.iter().find(|it| it.kind == FeatureKind::Charger).unwrap();
    let pose = charger.pose.as_ref().unwrap();
    assert_eq!([pose.x_m, pose.y_m], file.chargers[0].position_m);
    let again = builtin("warehouse", 12.0, 1.5, 1.5);
    assert_eq!(self::info(&again).uid, info.uid, "the same world has the same name");
    let doors: Vec<_> = self::info(&builtin("demo", 5.0, 3.2, 0.0)).features;
    assert!(doors.iter().any(|it| it.kind == FeatureKind::Door && it.points_m.len() == 4));
}

#[test]
fn a_map_is_published_periodically_and_on_change() {
    let mut lab = hall("");
    lab.forget().run(25.0);
    assert!((2..=3).contains(&lab.all(Kind::MapInfo, "").len()));
    lab.forget();
    assert_eq!(use_map(&mut lab, other_map(Vec::new()), None), Outcome::Done);
    lab.run(0.05);
    assert_eq!(info(&lab), other_map(Vec::new()));
}

#[test]
fn without_a_map_it_knows_no_place_and_goes_nowhere() {
    let mut lab = hall("");
    let own = info(&lab);
    go(&mut lab, point(8.0, 3.0, None));
    lab.run(2.0);
    assert_eq!(lab.ask(Command::UseMap(None)), Outcome::Done);
    lab.run(1.0);
    assert_eq!(state(&lab), ("idle".to_owned(), false));
    assert!(info(&lab).features.is_empty() && info(&lab).uid.is_none());
    let Some(Signal::Navigation(end)) = lab.all(Kind::Navigation, "").last().copied().cloned() else {
        panic!()
    };
    assert_eq!((end.state, end.failure), (NavigationState::Failed, Some(NavigationFailure::Lost)));
    assert!(end.reason.unwrap().contains("no map"));
    lab.forget().run(5.0);
    assert!(!lab.received.iter().any(|it| it.kind() == Kind::Pose && it.part.is_none()));
    let navigate = Command::Navigate(NavigationGoal::to(point(5.0, 3.0, None)));
    assert_eq!(lab.ask(navigate.clone()), Outcome::Accepted);
    assert_eq!(arrive(&mut lab, 1).failure_code, Some(2));
    assert!(matches!(
        use_map(&mut lab, other_map(Vec::new()), None),
        Outcome::Refused(why) if why.reason.contains("cells")
    ));
    assert_eq!(use_map(&mut lab, own, None), Outcome::Done);
    assert!(within(&mut lab, 10, |lab| state(lab).1), "it finds itself on its own map again");
    assert_eq!(lab.ask(navigate), Outcome::Accepted);
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
}

#[test]
fn virtual_walls_and_areas_are_driven_around_and_cost() {
    let mut lab = hall("");
    let marks = vec![
        shape(FeatureKind::VirtualWall, vec![[4.02, 0.0], [4.02, 4.4]]),
        shape(FeatureKind::KeepOut, vec![[6.0, 2.0], [7.0, 2.0], [7.0, 6.0], [6.0, 6.0]]),
    ];
    assert_eq!(use_map(&mut lab, other_map(marks), None), Outcome::Done);
    lab.world.listen([Demand::EVERY_KIND.with_stream(2).with_stream(0)]);
    lab.run(1.5);
    let Signal::Map(costs) = lab.last(Kind::Map, "costmap_5cm") else { panic!() };
    let cell = |at: f64, origin: f64| ((at - origin) / costs.resolution_m) as usize;
    let cost = |x: f64, y: f64| {
        costs.cells[cell(y, costs.origin_y_m) * costs.width as usize + cell(x, costs.origin_x_m)]
    };
    assert_eq!((cost(4.02, 3.0), cost(3.0, 3.0)), (100, 0));
    let Signal::Scan(scan) = lab.last(Kind::Scan, "lidar") else { panic!() };
    assert!(scan.ranges_m[180] > 8.0, "no scanner sees it: {}", scan.ranges_m[180]);
    go(&mut lab, point(8.5, 3.0, None));
    let mut crossed = [0.0; 2];
    for _ in 0..900 {
        lab.run(0.1);
        let at = lab.pose();
        if (at.x_m - 4.0).abs() < 0.1 {
            crossed[0] = at.y_m;
        }
        if (at.x_m - 6.5).abs() < 0.1 {
            crossed[1] = at.y_m;
        }
        if at.distance_to(8.5, 3.0) < 0.1 {
            break;
        }
    }
    assert_eq!(arrive(&mut lab, 30).state, NavigationState::Succeeded);
    assert!(crossed[0] > 4.6 && crossed[1] < 1.8 && crossed[1] > 0.0, "{crossed:?}");
}

#[test]
fn a_charger_is_where_the_map_has_it_and_a_missing_one_is_reported_by_its_code() {
    let mut lab = hall("[[chargers]]\nname = \"c\"\nposition_m = [0.8, 5.0]\n");
    let marks = vec![mark(FeatureKind::Charger, "wrong", [6.0, 3.0], 0.0)];
    assert_eq!(use_map(&mut lab, other_map(marks), None), Outcome::Done);
    go(&mut lab, Destination::Charger { pose: None, retries: 1 });
    let end = arrive(&mut lab, 120);
    assert_eq!(end.failure, Some(NavigationFailure::NoCharger), "{end:?}");
    assert_eq!(codes(&lab), [10_002]);
    assert!(lab.pose().distance_to(6.0, 3.0) < 1.2, "{:?}", lab.pose());
    assert_eq!(use_map(&mut lab, other_map(Vec::new()), None), Outcome::Done);
    go(&mut lab, Destination::Charger { pose: None, retries: 1 });
    let end = arrive(&mut lab, 3);
    assert_eq!(
        (end.state, end.failure),
        (NavigationState::Failed, Some(NavigationFailure::NoCharger)),
        "{end:?}"
    );
}

#[test]
fn a_map_that_it_made_is_one_to_drive_by_and_a_wrong_one_is_not() {
    let mut lab = hall("[[walls]]\npoints_m = [[5.0, 0.0], [5.0, 3.5]]\n");
    assert!(lab.ask(Command::Localization(LocalizationCommand::MappingInFrame)).is_ok());
    for [x, y] in [[3.5, 4.5], [7.0, 4.5], [7.0, 2.0], [7.5, 4.5], [3.0, 1.5]] {
        go(&mut lab, point(x, y, None));
        assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
    }
    let made = watch_map(&mut lab);
    assert!(lab.ask(Command::Localization(LocalizationCommand::Mapping(false))).is_ok());
    assert_eq!(lab.ask(Command::UseMap(None)), Outcome::Done);
    lab.run(1.0);
    assert_eq!(use_map(&mut lab, other_map(Vec::new()), Some(made.clone())), Outcome::Done);
    assert!(within(&mut lab, 10, |lab| state(lab).1), "it finds itself on what it mapped");
    lab.run(3.0);
    assert!(lab.number(Kind::Localization, "", "match_ratio") > 0.9);
    go(&mut lab, point(7.0, 2.0, None));
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
    let shifted =
        OccupancyGrid { origin_x_m: made.origin_x_m + 1.7, origin_y_m: made.origin_y_m + 0.8, ..made };
    assert_eq!(use_map(&mut lab, other_map(Vec::new()), Some(shifted)), Outcome::Done);
    assert!(within(&mut lab, 15, |lab| !state(lab).1), "nothing fits there");
    lab.run(5.0);
    assert!(!state(&lab).1, "and no search finds it");
    assert!(lab.number(Kind::Localization, "", "match_ratio") < 0.5);
}

#[test]
fn a_robot_with_its_own_frame_receives_and_publishes_its_map_in_it() {
    let more = "[[walls]]\npoints_m = [[5.0, 0.0], [5.0, 3.5]]\n\
                [[chargers]]\nname = \"c\"\nposition_m = [8.0, 4.0]\n\
                [[frames]]\nname = \"f\"\nposition_m = [4.0, 2.0]\nyaw_deg = 30.0\n\
                [[spawns]]\nname = \"s\"\nframe = \"f\"\nposition_m = [-1.0, 1.0]\n";
    let text = format!("name = \"hall\"\nsize_m = [10.0, 6.0]\n{more}");
    let mut world = World::new(WorldFile::parse(&text).unwrap(), 42).unwrap();
    world.add_robot(id("m"), "axbot", Start::Spawn("s".into()), Behaviour::Stand).unwrap();
    let mut lab = Lab::of(world);
    lab.run(1.0);
    let own = info(&lab);
    let charger = own.features[0].pose.clone().unwrap();
    let frame = Pose2::new(4.0, 2.0, 30_f64.to_radians());
    let [x, y] = frame.point_out(charger.x_m, charger.y_m);
    assert!((x - 8.0).abs() < 1e-9 && (y - 4.0).abs() < 1e-9, "{charger:?}");
    let grid = watch_map(&mut lab);
    // A wall that nobody sees, across the way, by the robot's own axes.
    let wall = [[6.5, 0.0], [6.5, 3.0]].map(|[x, y]| frame.point_in(x, y));
    let features = own.features.into_iter().chain([shape(FeatureKind::VirtualWall, wall.into())]).collect();
    assert_eq!(use_map(&mut lab, other_map(features), Some(grid)), Outcome::Done);
    lab.run(5.0);
    assert!(state(&lab).1 && lab.number(Kind::Localization, "", "match_ratio") > 0.9);
    go(&mut lab, Destination::Charger { pose: None, retries: 2 });
    let mut at_wall_m = f64::INFINITY;
    for _ in 0..600 {
        lab.run(0.1);
        let at = lab.pose();
        at_wall_m = if (at.x_m - 6.5).abs() < 0.1 { at_wall_m.min(at.y_m) } else { at_wall_m };
    }
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
    assert!(lab.pose().distance_to(8.0, 4.0) < 0.1 && at_wall_m > 3.0, "{at_wall_m}");
}

#[test]
fn a_map_that_makes_no_sense_is_refused_and_the_present_one_stays() {
    let mut lab = hall("");
    let own = info(&lab);
    let grid = |width, resolution_m| OccupancyGrid {
        resolution_m,
        width,
        height: 2,
        cells: vec![0; 4].into(),
        ..OccupancyGrid::UPRIGHT
    };
    for bad in [grid(3, 0.05), grid(2, f64::NAN), grid(0, 0.05), grid(2, 1e9)] {
        assert!(matches!(use_map(&mut lab, other_map(Vec::new()), Some(bad)), Outcome::Refused(_)));
    }
    for number in [f64::NAN, f64::INFINITY, 1e300] {
        let marks = vec![mark(FeatureKind::Charger, "c", [number, 0.0], 0.0)];
        assert!(matches!(use_map(&mut lab, other_map(marks), None), Outcome::Refused(_)));
        let marks = vec![shape(FeatureKind::VirtualWall, vec![[0.0, 0.0], [number, 1.0]])];
        assert!(matches!(use_map(&mut lab, other_map(marks), None), Outcome::Refused(_)));
    }
    let many = vec![mark(FeatureKind::Barcode, "b", [0.0, 0.0], 0.0); 10_001];
    assert!(matches!(use_map(&mut lab, other_map(many), None), Outcome::Refused(_)));
    let flat = vec![shape(FeatureKind::KeepOut, vec![[0.0, 0.0], [1.0, 1.0]])];
    assert!(matches!(use_map(&mut lab, other_map(flat), None), Outcome::Refused(_)));
    let area = || shape(FeatureKind::KeepOut, vec![[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    let areas = (0..501).map(|_| area()).collect();
    assert!(matches!(use_map(&mut lab, other_map(areas), None), Outcome::Refused(_)));
    lab.run(11.0);
    assert_eq!(info(&lab), own);
}

/// The pose that it published last.
fn published_pose(lab: &Lab) -> Pose2 {
    let pose = lab.received.iter().rfind(|it| it.kind() == Kind::Pose && it.part.is_none());
    let number = |name: &str| pose.unwrap().signal.field(name).unwrap().as_f64().unwrap();
    Pose2::new(number("x_m"), number("y_m"), number("yaw_rad"))
}

#[test]
fn a_map_from_zero_begins_at_the_robot_grows_and_is_one_to_drive_by() {
    let text = "name = \"hall\"\nsize_m = [20.0, 6.0]\n[[walls]]\npoints_m = [[12.0, 0.0], [12.0, 3.5]]\n\
                [[boxes]]\ncenter_m = [5.0, 0.8]\nsize_m = [0.7, 0.5]\n";
    let mut lab = crate::axbot::at(WorldFile::parse(text).unwrap(), Pose2::new(2.0, 3.0, 0.5));
    let before = published_pose(&lab);
    let (frame, own) = (lab.pose(), info(&lab));
    assert!(lab.ask(Command::Localization(LocalizationCommand::Mapping(true))).is_ok());
    lab.world.listen([Demand::EVERY_KIND.with_stream(MAP)]);
    lab.run(1.5);
    let zero = published_pose(&lab);
    assert!(zero.x_m.hypot(zero.y_m) < 0.03 && zero.yaw_rad.abs() < 0.03, "{zero:?}");
    let Signal::Map(first) = lab.last(Kind::Map, "map") else { panic!() };
    // A place by the new map is where it says, and more is seen from there.
    let [x, y] = frame.point_in(15.5, 4.5);
    go(&mut lab, point(x, y, None));
    assert_eq!(arrive(&mut lab, 90).state, NavigationState::Succeeded);
    assert!(lab.pose().distance_to(15.5, 4.5) < 0.12, "{:?}", lab.pose());
    let there = published_pose(&lab);
    assert!(there.distance_to(x, y) < 0.12, "{there:?}");
    let Signal::Map(made) = lab.last(Kind::Map, "map") else { panic!() };
    assert!(made.width * made.height > first.width * first.height, "{made:?}");
    assert!(made.origin_x_m != first.origin_x_m || made.origin_y_m != first.origin_y_m);
    let Signal::Path(trail) = lab.last(Kind::Path, "trajectory") else { panic!() };
    assert!(trail.points_m[0][0].hypot(trail.points_m[0][1]) < 0.15, "{:?}", trail.points_m[0]);
    // Done: its pose is published by the map before.
    assert!(lab.ask(Command::Localization(LocalizationCommand::Mapping(false))).is_ok());
    lab.run(1.0);
    assert!(
        published_pose(&lab).distance_to(lab.pose().x_m, lab.pose().y_m) < 0.1
            && before.distance_to(2.0, 3.0) < 0.1
    );
    // By the new one it is where that has it, and drives there.
    assert_eq!(use_map(&mut lab, other_map(Vec::new()), Some(made)), Outcome::Done);
    lab.run(2.0);
    let by_new = published_pose(&lab);
    assert!(by_new.distance_to(x, y) < 0.12, "{by_new:?}");
    assert!(state(&lab).1 && lab.number(Kind::Localization, "", "match_ratio") > 0.8);
    go(&mut lab, point(0.0, 0.0, Some(0.0)));
    assert_eq!(arrive(&mut lab, 90).state, NavigationState::Succeeded);
    assert!(lab.pose().distance_to(2.0, 3.0) < 0.12, "{:?}", lab.pose());
    // The world's own map is in the world's frame.
    let own = MapUse { info: own, grid: None };
    assert!(lab.ask(Command::UseMap(Some(Box::new(own)))).is_ok());
    lab.run(1.0);
    assert!(published_pose(&lab).distance_to(2.0, 3.0) < 0.12, "{:?}", published_pose(&lab));
}

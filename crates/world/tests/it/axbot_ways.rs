//! What a delivery chassis is about to drive, what it does about things on its line, and what has changed
//! around it.

use latimer_core::model::signal::{NavigationState, OccupancyGrid, Path};
use latimer_core::model::{Command, Destination, Kind, NavigationGoal, Realities, Signal};
use latimer_core::{Outcome, Timestamp};
use latimer_simulator_api::{Happening, ObstacleShape};
use latimer_world::bodies::Demand;
use latimer_world::{Behaviour, Pose2, Start, World, WorldFile};

use crate::axbot::{arrive, go, hall, point};
use crate::lab::{Lab, id};

/// Numbers of the chassis's streams.
const NEWS: usize = 4;
const FITS: usize = 5;
const SYMMETRY: usize = 6;

fn put(lab: &mut Lab, pose: [f64; 3], length_m: f64, width_m: f64) {
    let shape = ObstacleShape::Box { length_m, width_m };
    let name = "crate".to_owned();
    let put = Happening::PutObstacle { name, shape, pose, rgb: [9, 9, 9], reality: Realities::Real };
    assert!(lab.world.happen(put).is_ok());
}

fn locals(lab: &Lab) -> Vec<Path> {
    let path = |signal: &&Signal| match signal {
        Signal::Path(path) => Some(path.clone()),
        _ => None,
    };
    lab.all(Kind::Path, "local").iter().filter_map(path).collect()
}

#[test]
fn the_next_metres_are_published_only_while_it_drives_and_are_driven() {
    let mut lab = hall("");
    lab.forget().run(2.0);
    assert!(locals(&lab).is_empty());
    go(&mut lab, point(5.0, 5.0, None));
    lab.run(3.0);
    let published = locals(&lab);
    assert!((8..=15).contains(&published.len()), "{}", published.len());
    let path = published.last().unwrap();
    assert_eq!(path.points_m.len(), path.yaws_rad.len());
    assert_eq!(path.width_m, Some(0.496));
    let [x, y] = path.points_m[0];
    assert!(lab.pose().distance_to(x, y) < 0.3, "it begins where the robot is");
    let [x, y] = *path.points_m.last().unwrap();
    assert!((0.5..3.0).contains(&lab.pose().distance_to(x, y)), "{path:?}");
    let nearest = (0..50).map(|_| lab.run(0.1).pose().distance_to(x, y)).fold(9.0, f64::min);
    assert!(nearest < 0.15, "it comes by {nearest} m from where it said");
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
    lab.run(1.0);
    assert!(locals(&lab).last().unwrap().points_m.is_empty(), "and nothing is ahead any more");
    lab.forget().run(2.0);
    assert!(locals(&lab).is_empty());
}

#[test]
fn neighbours_are_published_with_their_trend() {
    let file = WorldFile::parse("name = \"hall\"\nsize_m = [10.0, 6.0]").unwrap();
    let mut world = World::new(file, 42).unwrap();
    for (name, y_m) in [("m", 1.0), ("other", 4.0)] {
        let start = Start::At(Pose2::new(1.5, y_m, 0.0));
        world.add_robot(id(name), "axbot", start, Behaviour::Stand).unwrap();
    }
    let mut lab = Lab { world, now: Timestamp::from_nanos(1_700_000_000_000_000_000), received: Vec::new() };
    lab.run(1.0);
    let trend = |lab: &Lab| {
        let published =
            lab.received.iter().rev().find(|it| it.robot == id("m") && it.kind() == Kind::Neighbours);
        match &published.unwrap().signal {
            Signal::Neighbours(it) => it.robots[0].trend_m.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert!(trend(&lab).is_empty());
    let navigate = Command::Navigate(NavigationGoal::to(point(8.0, 4.0, None)));
    assert_eq!(lab.world.command(&id("other"), navigate), Outcome::Accepted);
    lab.run(3.0);
    let published = trend(&lab);
    assert!(published.len() > 3 && published.last().unwrap()[0] > published[0][0] + 0.5, "{published:?}");
}

fn farthest_off_line(lab: &mut Lab, seconds: u32) -> (f64, Option<NavigationState>) {
    let mut most = 0.0_f64;
    for _ in 0..seconds * 5 {
        lab.run(0.2);
        most = most.max((lab.pose().y_m - 3.0).abs());
        if let Some(Signal::Navigation(it)) = lab.all(Kind::Navigation, "").last()
            && it.state != NavigationState::Moving
        {
            return (most, Some(it.state));
        }
    }
    (most, None)
}

#[test]
fn a_route_is_left_only_as_far_as_allowed_and_joined_again() {
    let route =
        |detour_m| Destination::Route { points_m: vec![[4.0, 3.0], [6.5, 3.0], [8.5, 3.0]], detour_m };
    let with = |detour_m: f64| {
        let mut lab = hall("");
        go(&mut lab, route(detour_m));
        lab.run(1.0);
        put(&mut lab, [4.5, 3.0, 0.0], 0.3, 0.3);
        let (off_m, end) = farthest_off_line(&mut lab, 60);
        (lab, off_m, end)
    };
    let (lab, off_m, end) = with(1.2);
    assert_eq!(end, Some(NavigationState::Succeeded));
    assert!((0.4..1.3).contains(&off_m), "{off_m}");
    assert!(lab.pose().distance_to(8.5, 3.0) < 0.15, "{:?}", lab.pose());
    let Some(Signal::Navigation(last)) = lab.all(Kind::Navigation, "").last().copied().cloned() else {
        panic!()
    };
    assert_eq!(last.passed_points, Some(3));
    for detour_m in [0.0, 0.3] {
        let (lab, off_m, end) = with(detour_m);
        assert_eq!(
            end,
            Some(NavigationState::Failed),
            "{detour_m}: there is no way around that is near enough"
        );
        assert!(off_m < 0.15 && lab.pose().x_m < 4.3, "{detour_m}: {off_m}");
    }
}

fn map(lab: &Lab, part: &str) -> OccupancyGrid {
    match lab.last(Kind::Map, part) {
        Signal::Map(grid) => grid,
        other => panic!("{other:?}"),
    }
}

fn at(grid: &OccupancyGrid, x_m: f64, y_m: f64) -> i8 {
    let cell = |at: f64, origin: f64| ((at - origin) / grid.resolution_m).floor() as usize;
    grid.cells[cell(y_m, grid.origin_y_m) * grid.width as usize + cell(x_m, grid.origin_x_m)].cast_signed()
}

#[test]
fn what_is_new_and_what_is_gone_is_on_the_map_of_changes() {
    let mut lab = hall("[[boxes]]\nname = \"shelf\"\ncenter_m = [5.0, 4.5]\nsize_m = [0.4, 0.4]\n");
    put(&mut lab, [4.0, 2.0, 0.0], 0.4, 0.4);
    lab.run(1.0).forget();
    lab.run(2.0);
    assert!(lab.all(Kind::Map, "").is_empty(), "nobody watches");
    let watched = Demand::EVERY_KIND.with_stream(NEWS).with_stream(FITS).with_stream(SYMMETRY);
    lab.world.listen([watched]);
    lab.run(3.0);
    assert!(lab.world.happen(Happening::RemoveObstacle { name: "shelf".into() }).is_ok());
    lab.run(6.0);
    let (news, fits, bare) =
        (map(&lab, "incremental_map"), map(&lab, "match_map"), map(&lab, "symmetry_map"));
    let about = |grid: &OccupancyGrid, x: f64, y: f64, value: i8| {
        (-2..=2)
            .any(|i| (-2..=2).any(|j| at(grid, x + 0.05 * f64::from(i), y + 0.05 * f64::from(j)) == value))
    };
    assert!(about(&news, 3.82, 2.1, 100), "the crate is new");
    assert!(about(&news, 4.82, 4.5, 0), "the shelf is gone");
    let new = news.cells.iter().filter(|it| **it == 100).count();
    assert!((2..40).contains(&new), "and nothing else is new: {new} cells");
    assert!((0..30).contains(&at(&fits, 10.02, 3.0)) || about(&fits, 10.0, 3.0, 0), "the wall fits");
    assert!(about(&fits, 3.82, 2.1, 100), "the crate does not");
    let here = at(&bare, 1.72, 3.0);
    assert!((0..60).contains(&here), "a hall tells where one is: {here}");
    assert_eq!(at(&bare, 7.0, 3.0), -1, "it was not there");
}

#[test]
fn a_tunnel_is_featureless() {
    let walls =
        "[[walls]]\npoints_m = [[0.0, 2.2], [60.0, 2.2]]\n[[walls]]\npoints_m = [[0.0, 3.8], [60.0, 3.8]]\n";
    let text = format!("name = \"tunnel\"\nsize_m = [60.0, 6.0]\n{walls}");
    let mut lab = crate::axbot::at(WorldFile::parse(&text).unwrap(), Pose2::new(30.0, 3.0, 0.0));
    lab.world.listen([Demand::EVERY_KIND.with_stream(SYMMETRY)]);
    lab.run(2.0);
    assert!(at(&map(&lab, "symmetry_map"), 30.2, 3.0) > 70);
}

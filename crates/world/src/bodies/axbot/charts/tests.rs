use latimer_core::Update;
use latimer_core::model::Signal;

use super::super::detections::rig::Rig;
use super::*;
use crate::bodies::Demand;
use crate::nav::shapes;

const AT: Pose2 = Pose2::new(2.0, 3.0, 0.0);

struct Bench {
    rig: Rig,
    known: KnownMap,
    obstacles: Obstacles,
    charts: Charts,
    tick: u64,
}

impl Bench {
    fn new(more: &str) -> Self {
        let rig = Rig::new(more, AT);
        let known = KnownMap::of(&shapes(&rig.file), 0.05);
        let charts = Charts::new(4, &known);
        Self { obstacles: Obstacles::new(&known.grid), known, charts, rig, tick: 0 }
    }

    /// Runs so many steps; returns what was published.
    fn live(&mut self, steps: u64, demand: Demand, scan: Option<(&Scan, Pose2)>) -> Vec<Update> {
        let mut published = Vec::new();
        for _ in 0..steps {
            let (charts, known, obstacles) = (&mut self.charts, &self.known, &self.obstacles);
            published.extend(self.rig.live(self.tick, demand, |now, around| {
                let [mapless, lost, costless, mapper_fails] = [false; 4];
                let sight =
                    Sight { believed: AT, known, obstacles, scan, mapless, lost, costless, mapper_fails };
                charts.update(now, around, &sight);
            }));
            self.tick += 1;
        }
        published
    }
}

fn grids(published: &[Update], part: &str) -> Vec<OccupancyGrid> {
    let of_part = published.iter().filter(|it| it.part.as_ref().is_some_and(|it| it.as_str() == part));
    let grid = |it: &Update| match &it.signal {
        Signal::Map(grid) => Some(grid.clone()),
        _ => None,
    };
    of_part.filter_map(grid).collect()
}

fn at(grid: &OccupancyGrid, [x_m, y_m]: [f64; 2]) -> i8 {
    let cell = |at: f64, origin: f64| ((at - origin) / grid.resolution_m).floor() as usize;
    let index = cell(y_m, grid.origin_y_m) * grid.width as usize + cell(x_m, grid.origin_x_m);
    grid.cells[index].cast_signed()
}

fn ahead(range_m: f32) -> Scan {
    let (angle_min_rad, angle_increment_rad) = (0.0, 0.1);
    Scan {
        angle_min_rad,
        angle_increment_rad,
        range_min_m: 0.1,
        range_max_m: 8.0,
        ranges_m: vec![range_m],
        pose: None,
    }
}

#[test]
fn streams_are_listed_in_order() {
    let names = Charts::streams().map(|(kind, part)| (kind, part.as_str().to_owned()));
    assert_eq!(names.map(|(kind, part)| (kind == Kind::Map, part)), PARTS.map(|it| (true, it.to_owned())));
}

#[test]
fn nothing_is_made_unless_it_is_watched() {
    let mut bench = Bench::new("");
    assert_eq!(bench.live(1_200, Demand::EVERY_KIND.with_stream(3).with_stream(10), None), []);
    let published = bench.live(250, Demand::NOTHING.with_stream(5), None);
    assert_eq!((published.len(), grids(&published, "costmap_5cm").len()), (3, 3));
}

#[test]
fn the_map_is_published_to_new_subscribers_and_periodically() {
    let mut bench = Bench::new("[[walls]]\npoints_m = [[4.0, 0.0], [4.0, 3.0]]\n");
    let watched = Demand::NOTHING.with_stream(4);
    let maps = grids(&bench.live(1_001, watched, None), "map");
    assert_eq!(maps.len(), 2);
    assert_eq!((at(&maps[0], [4.0, 1.0]), at(&maps[0], [3.0, 1.0])), (99, 2));
    assert_eq!(bench.live(1, Demand::NOTHING, None), []);
    assert_eq!(bench.live(1, watched, None).len(), 1, "watched again");
}

#[test]
fn a_map_is_made_unwatched_and_shown_as_far_as_it_is() {
    let mut bench = Bench::new("");
    let (scan, watched) = (ahead(3.0), Demand::NOTHING.with_stream(4));
    assert_eq!(bench.live(1, watched, None).len(), 1);
    bench.charts.set_mapping(true, false);
    assert_eq!(bench.live(20, Demand::NOTHING, Some((&scan, AT))), []);
    let maps = grids(&bench.live(300, watched, None), "map");
    assert_eq!(maps.len(), 3);
    assert!(at(&maps[0], [5.02, 3.02]) > 90 && at(&maps[0], [4.0, 3.02]) < 10);
    assert_eq!(at(&maps[0], [4.0, 5.0]), -1);
    bench.charts.set_mapping(false, false);
    assert!(!bench.charts.is_mapping());
    let maps = grids(&bench.live(1, watched, None), "map");
    assert_eq!(at(&maps[0], [4.0, 5.0]), 2, "the known map again");
}

#[test]
fn a_map_that_grows_is_as_large_as_what_was_seen() {
    let mut bench = Bench::new("");
    let watched = Demand::NOTHING.with_stream(4);
    bench.charts.set_mapping(true, true);
    let size = |map: &OccupancyGrid| (map.width, map.height);
    let first = grids(&bench.live(1, watched, None), "map").remove(0);
    assert_eq!(size(&first), (20, 20), "nothing was seen");
    let mut before = 0;
    for range_m in [1.2, 2.4, 3.6] {
        let maps = grids(&bench.live(110, watched, Some((&ahead(range_m), AT))), "map");
        let map = maps.last().unwrap();
        assert!(map.width > before && map.height <= 40, "{:?}", size(map));
        assert!(at(map, [2.0 + f64::from(range_m) + 0.02, 3.02]) > 50 && at(map, [2.5, 3.02]) < 50);
        before = map.width;
    }
}

#[test]
fn map_changes_are_published_to_subscribers() {
    let mut bench = Bench::new("[[walls]]\npoints_m = [[6.0, 0.0], [6.0, 6.0]]\n");
    let watched = Demand::NOTHING.with_stream(7).with_stream(8).with_stream(9);
    let live = |bench: &mut Bench, scan: &Scan| bench.live(130, watched, Some((scan, AT)));
    // The ray is on the border between two rows of cells.
    let has = |grid: &OccupancyGrid, x: f64, value: i8| {
        [2.98, 3.02].iter().any(|y| [-0.02, 0.02].iter().any(|off| at(grid, [x + off, *y]) == value))
    };
    let last = |published: &[Update], part: &str| grids(published, part).last().cloned().unwrap();
    // Met three metres ahead, where nothing is known.
    let published = live(&mut bench, &ahead(3.0));
    let (news, fits) = (last(&published, "incremental_map"), last(&published, "match_map"));
    assert!(has(&news, 5.0, 100) && !has(&news, 4.0, 100) && at(&news, [4.0, 5.0]) == -1);
    assert!(has(&fits, 5.0, 100) && !has(&fits, 4.0, 100));
    let bare = last(&published, "symmetry_map");
    assert_eq!((at(&bare, [2.02, 3.02]), at(&bare, [3.0, 3.02])), (100, -1));
    // Through where the wall should be.
    bench.charts.renew();
    let published = live(&mut bench, &ahead(5.0));
    assert!(has(&last(&published, "incremental_map"), 6.0, 0));
    // At the wall.
    bench.charts.renew();
    let published = live(&mut bench, &ahead(3.96));
    assert!(has(&last(&published, "match_map"), 5.96, 0));
    assert!(last(&published, "incremental_map").cells.iter().all(|it| it.cast_signed() == -1));
    assert_eq!(bench.live(130, Demand::NOTHING, Some((&ahead(1.0), AT))), []);
}

#[test]
fn costs_are_published_in_the_robot_s_own_frame() {
    let mut bench = Bench::new("[[walls]]\npoints_m = [[3.0, 0.0], [3.0, 6.0]]\n");
    // Its x axis points north, so the wall one metre east of the robot is at lower y.
    bench.rig.frame = Pose2::new(2.0, 2.0, std::f64::consts::FRAC_PI_2);
    let published = bench.live(1, Demand::NOTHING.with_stream(5).with_stream(6), None);
    for (part, cells) in [("costmap_5cm", 200), ("costmap_1cm", 300)] {
        let grid = &grids(&published, part)[0];
        assert_eq!((grid.width, grid.height, grid.cells.len()), (cells, cells, (cells * cells) as usize));
        assert_eq!(at(grid, [1.0, -1.0]), 100, "{part}");
        assert_eq!((at(grid, [1.0, 0.0]), at(grid, [1.0, 1.0])), (0, 0), "{part}");
    }
}

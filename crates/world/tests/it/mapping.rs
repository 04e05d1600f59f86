//! The map that a robot makes by driving about is the room that it drove in.

use latimer_world::config::Wall;
use latimer_world::drive::Speeds;
use latimer_world::nav::{
    CostMap, Goal, Grid, Known, KnownMap, Localizer, LocalizerStep, SeenMap, State, plan, shapes,
};
use latimer_world::sensors::{Drift, DriftModel, Lidar, Odometry};
use latimer_world::{Pose2, Rng, WorldFile};

use crate::rig::{LIDAR, LIMITS, Rig};

/// Drives to points while mapping with a noisy scanner.
fn mapped(mut rig: Rig, goals: &[[f64; 2]], sigma_m: f64) -> (Rig, SeenMap) {
    let lidar = Lidar { sigma_m, ..LIDAR };
    let mut seen = SeenMap::empty(rig.known.grid.map(|_| 0));
    for goal in goals {
        rig.navigator.go(Goal::point(*goal));
        for step in 0..6_000 {
            if step % 20 == 0 {
                let scan = rig.scan(&lidar);
                seen.integrate(&scan, lidar.frame_at(rig.pose()));
            }
            if !rig.step().state.is_active() {
                break;
            }
        }
    }
    (rig, seen)
}

/// The shares of seen cells, and of those seen as solid, that are so in truth.
fn agreement(seen: &SeenMap, known: &KnownMap) -> (f64, f64) {
    let (mut all, mut right, mut solid, mut solid_right) = (0.0, 0.0, 0.0, 0.0);
    for (index, odds) in seen.grid.cells.iter().enumerate().filter(|(_, odds)| **odds != 0) {
        let is_solid = known.grid.cells[index] == Known::Solid;
        all += 1.0;
        right += f64::from(u8::from(is_solid == (*odds > 0)));
        if *odds > 0 {
            solid += 1.0;
            let near = known.is_solid_near(known.grid.middle_of(known.grid.cell(index)), 1);
            solid_right += f64::from(u8::from(near));
        }
    }
    (right / all, solid_right / solid)
}

#[test]
fn a_flat_that_was_driven_through_is_mapped_as_it_is() {
    let mut file = WorldFile::builtin("demo").unwrap();
    file.people.clear();
    file.racks.clear();
    file.boxes.retain(|it| !it.movable);
    // The door to the workshop stays shut here: its leaf is seen as what it is, a wall.
    let door = &file.doors[0];
    let leaf =
        Wall { points_m: door.points_m.to_vec(), thickness_m: door.thickness_m, ..file.walls[0].clone() };
    file.walls.push(leaf);
    file.doors.clear();
    let rig = Rig::new(file, Pose2::new(1.2, 0.8, 0.0));
    let goals = [[3.2, 1.8], [5.0, 3.2], [7.0, 3.0], [5.0, 0.8], [2.1, 3.0], [1.4, 4.4]];
    for sigma_m in [0.0, 0.01] {
        let rig = Rig::new(rig.file.clone(), Pose2::new(1.2, 0.8, 0.0));
        let (rig, seen) = mapped(rig, &goals, sigma_m);
        let (all, solid) = agreement(&seen, &rig.known);
        assert!(all > 0.95 && solid > 0.98, "{sigma_m}: {all} {solid}");
        // The flat is four sevenths of the world.
        assert!(seen.seen_ratio() > 0.42, "{}", seen.seen_ratio());
        // What was never seen is no way, and what was seen is enough of one.
        let map = CostMap::new(&seen.blocked(true), LIMITS.berth);
        let way = plan(&map, [5.0, 0.8], [1.4, 4.4], 0.1).unwrap();
        assert!((5.0..10.0).contains(&way.length_m), "{}", way.length_m);
    }
}

#[test]
fn scans_fit_where_they_were_taken_and_not_elsewhere() {
    let mut rig = Rig::builtin("maze", Pose2::new(0.4, 0.4, 0.3));
    let noisy = Lidar { sigma_m: 0.01, ..LIDAR };
    let scan = rig.scan(&noisy);
    let at = |pose: Pose2| rig.known.match_ratio(&scan, noisy.frame_at(pose));
    assert!(at(rig.pose()) > 0.98);
    assert!(at(Pose2::new(2.0, 2.0, 0.3)) < 0.6);
    assert!(at(Pose2::new(0.4, 0.4, 1.0)) < 0.7);
    assert_eq!(rig.known.match_ratio(&latimer_world::sensors::Scan::NONE, rig.pose()), 0.0);
}

#[test]
fn a_known_map_is_exported_as_ros_wants_it() {
    let file = WorldFile::builtin("demo").unwrap();
    let seen = KnownMap::of(&shapes(&file), 0.05).seen();
    let occupancy = seen.occupancy();
    let at = |x: f64, y: f64| occupancy[seen.grid.index(seen.grid.cell_of([x, y]).unwrap()).unwrap()];
    assert!(at(1.2, 0.8) < 5 && at(4.0, 0.6) > 95, "floor and wall");
    assert_eq!(at(7.0, 0.8), -1, "stairs down cannot be seen");
    assert!(occupancy.iter().all(|it| (-1..=100).contains(it)));
}

#[test]
fn scans_from_anywhere_and_grids_of_any_shape_do_no_harm() {
    let mut rng = Rng::new(2);
    let mut seen = SeenMap::empty(Grid::over([0.0, 0.0], [1.0, 1.0], 0.0, 0.1, 0));
    for _ in 0..200 {
        let ranges = [f64::INFINITY, f64::NEG_INFINITY, 0.0, rng.between(0.0, 30.0)].map(|m| m as f32);
        let scan = latimer_world::sensors::Scan {
            angle_min_rad: rng.between(-7.0, 7.0),
            angle_increment_rad: 1.0,
            range_min_m: 0.1,
            range_max_m: 30.0,
            ranges_m: ranges.into(),
            pose: None,
        };
        seen.integrate(&scan, Pose2::new(rng.between(-5.0, 5.0), rng.between(-5.0, 5.0), 0.0));
    }
    assert_eq!(seen.occupancy().len(), 100);
}

#[test]
fn a_robot_that_is_carried_away_notices_and_finds_itself_again() {
    let mut file = WorldFile::builtin("demo").unwrap();
    file.people.clear();
    let mut rig = Rig::new(file, Pose2::new(1.2, 0.8, 0.0));
    let mut localizer = Localizer::new(rig.pose(), Rng::new(3));
    let mut drift = Drift::new(DriftModel::USUAL, Rng::new(4));
    let mut worst_m = 0.0_f64;
    let mut live = |rig: &mut Rig, localizer: &mut Localizer, seconds: f64| {
        for _ in 0..(seconds * 100.0) as u32 {
            let before = rig.pose();
            rig.step();
            let [ahead, _] = before.point_in(rig.pose().x_m, rig.pose().y_m);
            let mut moved = Odometry::default();
            let (way_m, turn_rad) = drift.count(ahead, rig.pose().yaw_rad - before.yaw_rad);
            moved.advance(way_m, turn_rad);
            let scan = rig.scan(&LIDAR);
            let match_ratio = rig.known.match_ratio(&scan, LIDAR.frame_at(localizer.pose()));
            localizer.step(&LocalizerStep {
                time_s: rig.time_s,
                step_s: 0.01,
                truth: rig.pose(),
                moved: moved.pose,
                match_ratio: Some(match_ratio),
            });
            let off_m = localizer.pose().distance_to(rig.pose().x_m, rig.pose().y_m);
            worst_m = if localizer.is_reliable() { worst_m.max(off_m) } else { worst_m };
        }
    };
    rig.navigator.go(Goal::point([3.2, 1.8]));
    live(&mut rig, &mut localizer, 12.0);
    assert!(localizer.is_reliable() && localizer.quality() > 0.9, "{}", localizer.quality());
    assert_eq!(rig.navigator.state(), State::Arrived);
    assert!(rig.most != Speeds::REST);

    localizer.lose(Pose2::new(1.4, 4.8, 0.4));
    live(&mut rig, &mut localizer, 4.0);
    assert!(!localizer.is_reliable() && localizer.quality() < 0.5, "{}", localizer.quality());
    let scan = rig.scan(&LIDAR);
    localizer.relocate(rig.known.match_ratio(&scan, LIDAR.frame_at(rig.pose())), rig.time_s);
    live(&mut rig, &mut localizer, 4.0);
    assert!(localizer.is_reliable() && localizer.quality() > 0.9, "{}", localizer.quality());
    assert!(worst_m < 0.06, "{worst_m}");
}

//! Robots get where they are sent, never through anything, and say why if they do not.

use latimer_world::nav::{
    Believed, Berth, CostMap, Door, Failure, Goal, KnownMap, Navigator, State, Terrain, plan, shapes,
};
use latimer_world::physics::{Footprint, Physics};
use latimer_world::{Pose2, Rng, WorldFile};
use proptest::prelude::*;

use crate::rig::{LIMITS, RADIUS_M, Rig};

/// A room of two halves with a gap in the wall between, from y 2.0 to 3.0 m.
const GAP: &str =
    "[[walls]]\npoints_m = [[3.0, 0.0], [3.0, 2.0]]\n[[walls]]\npoints_m = [[3.0, 3.0], [3.0, 4.0]]";

/// The same with another gap, from 6.0 to 7.0 m.
const TWO_GAPS: &str = "[[walls]]\npoints_m = [[3.0, 0.0], [3.0, 2.0]]\n[[walls]]\npoints_m = \
                        [[3.0, 3.0], [3.0, 6.0]]\n[[walls]]\npoints_m = [[3.0, 7.0], [3.0, 8.0]]";

/// A robot that fills the first gap.
fn plug() -> Footprint {
    Footprint { length_m: 0.3, width_m: 0.7, corner_m: 0.01, mass_kg: 50.0 }
}

fn off(rig: &Rig, x_m: f64, y_m: f64) -> f64 {
    rig.pose().distance_to(x_m, y_m)
}

#[test]
fn plans_in_the_builtin_worlds_keep_clear_of_everything_solid() {
    let mut rng = Rng::new(6);
    for (name, least) in [("maze", 60), ("demo", 50)] {
        let mut file = WorldFile::builtin(name).unwrap();
        file.people.clear();
        file.boxes.retain(|it| !it.movable);
        let physics = Physics::new(&file);
        let floor = latimer_world::physics::FloorPlan::new(&file);
        let map = CostMap::new(&KnownMap::of(&shapes(&file), 0.05).blocked(), LIMITS.berth);
        let (mut ways, mut asked) = (0, 0);
        while asked < 60 {
            let mut point = || [rng.between(0.0, file.size_m[0]), rng.between(0.0, file.size_m[1])];
            let (from, goal) = (point(), point());
            if !map.fits(from) || !map.fits(goal) {
                continue;
            }
            asked += 1;
            let Ok(plan) = plan(&map, from, goal, 0.0) else { continue };
            ways += 1;
            assert_eq!((plan.points_m.first(), plan.points_m.last()), (Some(&from), Some(&goal)));
            let body = Footprint { corner_m: RADIUS_M - 0.001, ..crate::rig::footprint() };
            for [x, y] in &plan.points_m {
                let met = physics.in_the_way(body, Pose2::new(*x, *y, 0.0), None);
                assert_eq!(met, None, "{name} {from:?} {goal:?} at {x} {y}");
                assert_eq!(floor.at(*x, *y).depth_m, 0.0, "{name} over a drop at {x} {y}");
            }
        }
        assert!(ways >= least, "{name}: only {ways} ways of {asked}");
    }
}

#[test]
fn the_maze_has_its_one_way_and_a_closed_room_none() {
    let maze = WorldFile::builtin("maze").unwrap();
    let map = |berth| CostMap::new(&KnownMap::of(&shapes(&maze), 0.05).blocked(), berth);
    let way = plan(&map(LIMITS.berth), [0.4, 0.4], [4.4, 3.6], 0.0).unwrap();
    assert!((8.0..16.0).contains(&way.length_m), "{}", way.length_m);
    let wide = plan(&map(Berth { radius_m: 0.4, margin_m: 0.1 }), [0.4, 0.4], [4.4, 3.6], 0.2);
    assert!(wide.is_err(), "{wide:?}");
}

#[test]
fn the_maze_and_the_flat_are_driven_through_without_touching_anything() {
    let mut maze = Rig::builtin("maze", Pose2::new(0.4, 0.4, 0.0));
    maze.reach(Goal::pose(Pose2::new(4.4, 3.6, 1.0)));
    assert!(off(&maze, 4.4, 3.6) < 0.04 && (maze.pose().yaw_rad - 1.0).abs() < 0.035, "{:?}", maze.pose());
    assert_eq!(maze.bumps, 0);
    let most = LIMITS.follow;
    assert!(maze.most.linear_mps <= most.linear_mps && maze.most.angular_radps <= most.angular_radps);
    assert!(maze.time_s < 60.0, "{:.1} s for 11 m", maze.time_s);
    maze.reach(Goal::point([0.4, 0.4]));
    assert!(off(&maze, 0.4, 0.4) < 0.05 && maze.bumps == 0);

    // Without Anna: in a door both would wait for the other.
    let mut file = WorldFile::builtin("demo").unwrap();
    file.people.clear();
    let mut flat = Rig::new(file, Pose2::new(1.2, 0.8, 0.0));
    for (x, y, yaw) in [(7.0, 3.2, 1.5), (1.4, 4.6, -1.5), (5.0, 0.8, 3.0)] {
        flat.reach(Goal::pose(Pose2::new(x, y, yaw)));
        assert!(off(&flat, x, y) < 0.05 && (flat.pose().yaw_rad - yaw).abs() < 0.035, "{:?}", flat.pose());
    }
    assert_eq!(flat.bumps, 0);
}

#[test]
fn goals_anywhere_in_the_flat_and_the_maze_are_reached_with_noise_and_without_a_bump() {
    for name in ["maze", "demo"] {
        let mut file = WorldFile::builtin(name).unwrap();
        file.people.clear();
        let mut rng = Rng::new(8);
        let start = if name == "maze" { Pose2::new(0.4, 0.4, 0.0) } else { Pose2::new(1.2, 0.8, 0.0) };
        let mut rig = Rig::new(file.clone(), start);
        rig.noise_m = 0.004;
        let map = CostMap::new(&rig.known.blocked(), LIMITS.berth);
        let parcel = [5.0, 2.4];
        let mut reached = 0;
        while reached < 6 {
            let goal = Pose2::new(
                rng.between(0.0, file.size_m[0]),
                rng.between(0.0, file.size_m[1]),
                rng.between(-3.1, 3.1),
            );
            let here = [goal.x_m, goal.y_m];
            if plan(&map, [start.x_m, start.y_m], here, 0.0).is_err()
                || goal.distance_to(parcel[0], parcel[1]) < 0.7
            {
                continue;
            }
            rig.reach(Goal::pose(goal));
            let turned = latimer_world::geometry::wrap_angle(rig.pose().yaw_rad - goal.yaw_rad);
            assert!(off(&rig, goal.x_m, goal.y_m) < 0.06 && turned.abs() < 0.04, "{goal:?} {:?}", rig.pose());
            assert_eq!(rig.bumps, 0, "on the way to {goal:?}");
            reached += 1;
        }
    }
}

#[test]
fn a_noisy_belief_still_ends_near_the_goal() {
    let mut rig = Rig::builtin("maze", Pose2::new(0.4, 0.4, 0.0));
    rig.noise_m = 0.01;
    rig.reach(Goal::pose(Pose2::new(4.4, 3.6, 0.0)));
    assert!(off(&rig, 4.4, 3.6) < 0.08 && rig.pose().yaw_rad.abs() < 0.06, "{:?}", rig.pose());
}

#[test]
fn something_that_goes_away_is_waited_for() {
    let mut rig = Rig::room([6.0, 4.0], GAP, Pose2::new(1.0, 2.5, 0.0));
    let other = rig.physics.add_chassis(plug(), Pose2::new(3.0, 2.5, 0.0));
    rig.navigator.go(Goal::point([5.0, 2.5]));
    let progress = rig.run(12.0);
    assert_eq!(progress.state, State::Waiting);
    assert!(progress.stuck && rig.pose().x_m < 2.65 && rig.bumps == 0, "{:?}", rig.pose());
    rig.physics.place(&other, Pose2::new(1.0, 0.5, 0.0));
    assert_eq!(rig.run(30.0).state, State::Arrived);
    assert!(off(&rig, 5.0, 2.5) < 0.05);
}

#[test]
fn something_that_stays_is_driven_around_or_given_up() {
    let mut around = Rig::room([6.0, 8.0], TWO_GAPS, Pose2::new(1.0, 2.5, 0.0));
    around.physics.add_chassis(plug(), Pose2::new(3.0, 2.5, 0.0));
    around.navigator.go(Goal::point([5.0, 2.5]));
    assert_eq!(around.run(90.0).state, State::Arrived, "{:?}", around.pose());
    assert!(off(&around, 5.0, 2.5) < 0.05 && around.bumps == 0);

    let mut beside = Rig::room([6.0, 4.0], "", Pose2::new(1.0, 2.0, 0.0));
    beside.physics.add_chassis(plug(), Pose2::new(3.0, 2.0, 0.0));
    beside.reach(Goal::point([5.0, 2.0]));
    assert_eq!(beside.bumps, 0);

    let mut closed = Rig::room([6.0, 4.0], GAP, Pose2::new(1.0, 2.5, 0.0));
    closed.physics.add_chassis(plug(), Pose2::new(3.0, 2.5, 0.0));
    closed.navigator.go(Goal::point([5.0, 2.5]));
    assert_eq!(closed.run(60.0).state, State::Failed(Failure::WayBlocked));
    assert_eq!(closed.bumps, 0);
}

#[test]
fn a_person_who_walks_to_and_fro_is_let_pass() {
    let person = "[[people]]\nstart_m = [3.0, 0.5]\nwalk_m = [[3.0, 5.5], [3.0, 0.5]]\nspeed_mps = 0.6";
    let mut rig = Rig::room([6.0, 6.0], person, Pose2::new(1.0, 3.0, 0.0));
    for (i, x) in [5.0, 1.0, 5.0, 1.0, 5.0].into_iter().enumerate() {
        rig.reach(Goal::point([x, 3.0 + 0.2 * i as f64]));
    }
    assert_eq!(rig.bumps, 0);
}

#[test]
fn what_other_sensors_see_ahead_stops_the_robot_unless_it_is_behind_the_goal() {
    let mut rig = Rig::room([6.0, 4.0], "", Pose2::new(1.0, 2.0, 0.0));
    rig.navigator.go(Goal::point([5.0, 2.0]));
    rig.run(2.0);
    rig.blocked_ahead_m = Some(0.1);
    assert_eq!(rig.run(3.0).state, State::Waiting);
    let stands_m = rig.pose().x_m;
    rig.run(1.0);
    assert!((rig.pose().x_m - stands_m).abs() < 0.01);
    rig.blocked_ahead_m = None;
    while off(&rig, 5.0, 2.0) > 0.5 {
        rig.step();
    }
    rig.blocked_ahead_m = Some(0.6);
    assert_eq!(rig.run(10.0).state, State::Arrived);
}

#[test]
fn a_shut_door_is_waited_for_and_not_for_ever() {
    let mut rig = Rig::room([6.0, 4.0], GAP, Pose2::new(1.0, 2.5, 0.0));
    let leaf = vec![[2.97, 2.0], [3.03, 2.0], [3.03, 3.0], [2.97, 3.0]];
    rig.doors = vec![Door { polygon_m: leaf, shut: true }];
    rig.navigator.go(Goal::point([5.0, 2.5]));
    assert_eq!(rig.run(15.0).state, State::Waiting);
    rig.doors[0].shut = false;
    assert_eq!(rig.run(15.0).state, State::Arrived);
    rig.doors[0].shut = true;
    rig.navigator.go(Goal::point([1.0, 2.5]));
    assert_eq!(rig.run(60.0).state, State::Failed(Failure::DoorShut));
}

#[test]
fn a_charger_is_docked_on_both_ways_and_tried_for_a_few_times() {
    for (charger, reverse) in
        [(Pose2::new(0.4, 0.5, std::f64::consts::PI), false), (Pose2::new(0.4, 0.5, 0.0), true)]
    {
        let yaw_deg = charger.yaw_rad.to_degrees();
        let more = format!("[[chargers]]\nname = \"c\"\nposition_m = [0.4, 0.5]\nyaw_deg = {yaw_deg:?}");
        let mut rig = Rig::room([4.0, 4.0], &more, Pose2::new(3.0, 3.0, 0.5));
        rig.noise_m = 0.005;
        rig.reach(Goal::dock(charger, reverse));
        rig.run(0.5);
        assert!(rig.floor.charger(rig.pose()).is_some(), "{:?}", rig.pose());
        rig.navigator.go(Goal::point([3.0, 3.0]));
        rig.charger_holds = false;
        assert_eq!(rig.run(60.0).state, State::Arrived, "it gets off again");
        rig.navigator.go(Goal::dock(charger, reverse));
        assert_eq!(rig.run(180.0).state, State::Failed(Failure::DockFailed));
    }
}

#[test]
fn a_route_is_passed_point_by_point() {
    let mut rig = Rig::room([6.0, 6.0], "", Pose2::new(1.0, 1.0, 0.0));
    let route = [[5.0, 1.0], [5.0, 5.0], [1.0, 5.0], [5.0, 5.0], [3.0, 3.0]];
    rig.navigator.follow_route(route.into());
    let (mut passed, mut progress) = (0, Default::default());
    for _ in 0..12_000 {
        progress = rig.step();
        if progress.passed_points > passed {
            passed += 1;
            assert_eq!(progress.passed_points, passed);
            let [x, y] = route[passed - 1];
            assert!(off(&rig, x, y) < 0.06, "point {passed} at {:?}", rig.pose());
        }
        if !progress.state.is_active() {
            break;
        }
    }
    assert_eq!((progress.state, progress.passed_points), (State::Arrived, 5));
}

#[test]
fn every_other_failure_has_its_name() {
    let fails = |rig: &mut Rig, goal| {
        rig.navigator.go(goal);
        rig.run(60.0).state
    };
    let closet = "[[walls]]\npoints_m = [[2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [2.0, 4.0], [2.0, 2.0]]";
    let mut rig = Rig::room([6.0, 6.0], closet, Pose2::new(1.0, 1.0, 0.0));
    assert_eq!(fails(&mut rig, Goal::point([2.0, 3.0])), State::Failed(Failure::GoalBlocked));
    assert_eq!(fails(&mut rig, Goal::point([9.0, 3.0])), State::Failed(Failure::GoalOutside));
    assert_eq!(fails(&mut rig, Goal::point([f64::NAN, 3.0])), State::Failed(Failure::GoalBlocked));
    assert_eq!(fails(&mut rig, Goal::point([3.0, 3.0])), State::Failed(Failure::NoWay));
    rig.navigator.go(Goal::point([5.0, 1.0]));
    rig.run(1.0);
    rig.navigator.cancel();
    assert_eq!(rig.step().state, State::Failed(Failure::Cancelled));
    rig.lost = true;
    assert_eq!(fails(&mut rig, Goal::point([5.0, 1.0])), State::Failed(Failure::Lost));
}

#[test]
fn the_same_goal_is_driven_the_same_bit_for_bit() {
    let drive = || {
        let mut rig = Rig::builtin("demo", Pose2::new(1.2, 0.8, 0.0));
        rig.noise_m = 0.005;
        rig.navigator.go(Goal::point([5.0, 3.2]));
        rig.run(25.0);
        (rig.pose(), rig.time_s, rig.navigator.path().to_vec())
    };
    assert_eq!(drive(), drive());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(48)))]

    #[test]
    fn speeds_are_numbers_within_the_limits(
        start in (-1.0..7.0_f64, -1.0..7.0_f64, -4.0..4.0_f64),
        goal in (-1.0..7.0_f64, -1.0..7.0_f64, -9.0..9.0_f64),
        kind in 0..4_u8,
        jump in 0..200_u32,
    ) {
        let text = "name = \"x\"\nsize_m = [6.0, 6.0]\n[[walls]]\npoints_m = [[3.0, 0.0], [3.0, 4.0]]";
        let file = WorldFile::parse(text).unwrap();
        let blocked = KnownMap::of(&shapes(&file), 0.1).blocked();
        let terrain = Terrain { blocked: &blocked, obstacles: None, doors: &[] };
        let mut navigator = Navigator::new(LIMITS);
        let to = Pose2::new(goal.0, goal.1, goal.2);
        match kind {
            0 => navigator.go(Goal::pose(to)),
            1 => navigator.go(Goal::point([to.x_m, to.y_m])),
            2 => navigator.go(Goal::dock(to, true)),
            _ => navigator.follow_route(vec![[to.x_m, to.y_m], [1.0, 1.0], [1.0, 1.0], [5.0, 5.0]]),
        }
        let mut pose = Pose2::new(start.0, start.1, start.2);
        for step in 0..400_u32 {
            let at = Believed { pose, time_s: f64::from(step) * 0.05, ..Believed::default() };
            let (speeds, progress) = navigator.drive(&at, &terrain);
            prop_assert!(speeds.linear_mps.abs() <= LIMITS.follow.linear_mps);
            prop_assert!(speeds.angular_radps.abs() <= LIMITS.follow.angular_radps);
            prop_assert!(progress.remaining_m.is_finite() && progress.remaining_m >= -1e-9);
            let [x, y] = pose.point_out(speeds.linear_mps * 0.05, 0.0);
            pose = Pose2::new(x, y, pose.yaw_rad + speeds.angular_radps * 0.05);
            if step == jump {
                pose.x_m += 1.0;
            } else if step == jump + 7 {
                pose.y_m = f64::NAN;
            } else if step == jump + 8 {
                pose.y_m = 2.0;
            }
        }
    }
}

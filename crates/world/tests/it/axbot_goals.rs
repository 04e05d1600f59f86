//! The chassis drives to goals by itself: points, zones, routes and poses, around what is in the way.

use latimer_core::model::signal::{ControlMode, NavigationFailure, NavigationState};
use latimer_core::model::{
    Carry, Command, Destination, FollowState, Kind, NavigationGoal, Realities, Signal,
};
use latimer_core::{Outcome, PartName};
use latimer_dialects::axbot::calls::{self, Follow};
use latimer_simulator_api::{Happening, ObstacleShape, Stimulus};

use crate::axbot::{arrive, builtin, go, hall, point};
use crate::lab::{Input, own, seconds};

#[test]
fn it_drives_to_a_pose_through_the_door_that_opens_by_itself() {
    let mut lab = builtin("demo", 11.6, 2.6, std::f64::consts::PI);
    go(&mut lab, point(5.0, 3.2, Some(1.57)));
    let end = arrive(&mut lab, 90);
    assert_eq!(end.state, NavigationState::Succeeded, "{end:?}");
    let pose = lab.pose();
    assert!(pose.distance_to(5.0, 3.2) < 0.12 && (pose.yaw_rad - 1.57).abs() < 0.1, "{pose:?}");
    assert!(!lab.all(Kind::Path, "planned").is_empty());
    let odometer = lab.number(Kind::Odometer, "", "trip_m");
    assert!((6.5..10.0).contains(&odometer), "{odometer}");
}

#[test]
fn a_zone_is_reached_at_its_rim() {
    for (zone, left_m) in [(true, 0.6..=1.0), (false, 0.0..=0.1)] {
        let mut lab = hall("");
        let goal =
            NavigationGoal { accuracy_m: Some(1.0), zone, ..NavigationGoal::to(point(6.0, 3.0, Some(2.0))) };
        assert_eq!(lab.ask(Command::Navigate(goal)), Outcome::Accepted);
        let ended = arrive(&mut lab, 60);
        assert_eq!(ended.state, NavigationState::Succeeded);
        let off_m = lab.pose().distance_to(6.0, 3.0);
        assert!(left_m.contains(&off_m), "{off_m} m off, zone {zone}");
    }
}

#[test]
fn a_drive_that_cannot_be_done_begins_and_fails_with_the_reason() {
    let manual = Command::ControlMode(ControlMode::Manual);
    let away = Destination::Route { points_m: vec![[9.5, 5.5], [9.0, 5.5]], detour_m: 0.0 };
    let rack = Destination::Rack { pose: [5.0, 3.0, 0.0] };
    let there = || point(6.0, 3.0, None);
    let blind = Stimulus::Fail { part: PartName::of("lidar"), hold: seconds(60.0) };
    let cases: [(Option<Input>, f64, _, _, _); 6] = [
        (Some(Command::EmergencyStop(true).into()), 0.1, there(), None, "emergency stop"),
        (Some(manual.into()), 0.1, there(), None, "control mode"),
        (Some(own(calls::Carry { action: Carry::JackUp }).into()), 20.0, rack, Some(506), "jack"),
        (Some(blind.into()), 3.0, there(), Some(16), "scanner"),
        (None, 0.1, away, Some(401), "route"),
        (Some(Command::UseMap(None).into()), 0.1, there(), Some(2), "map"),
    ];
    for (before, after_s, destination, code, words) in cases {
        let mut lab = hall("");
        assert!(before.is_none_or(|input| lab.ask(input).is_ok()), "{words}");
        lab.run(after_s);
        go(&mut lab, destination);
        let ended = arrive(&mut lab, 3);
        assert_eq!((ended.state, ended.failure_code), (NavigationState::Failed, code), "{ended:?}");
        assert!(ended.reason.as_ref().is_some_and(|reason| reason.contains(words)), "{ended:?}");
    }
}

#[test]
fn obstacles_are_driven_around_or_reported() {
    let mut lab = hall(
        "[[walls]]\npoints_m = [[5.0, 0.0], [5.0, 2.2]]\n[[walls]]\npoints_m = [[5.0, 3.8], [5.0, 6.0]]",
    );
    go(&mut lab, point(8.0, 3.0, None));
    lab.run(2.0);
    let shape = ObstacleShape::Box { length_m: 0.3, width_m: 1.4 };
    let (name, pose) = ("crate".to_owned(), [5.0, 3.0, 0.0]);
    let put = Happening::PutObstacle { name, shape, pose, rgb: [9, 9, 9], reality: Realities::Real };
    assert!(lab.world.happen(put).is_ok());
    let end = arrive(&mut lab, 90);
    assert_eq!(end.state, NavigationState::Failed);
    assert!(matches!(end.failure, Some(NavigationFailure::WayBlocked | NavigationFailure::NoWay)), "{end:?}");
    assert!(end.reason.is_some());
    let stuck = lab.all(Kind::Navigation, "").into_iter();
    assert!(stuck.filter(|it| matches!(it, Signal::Navigation(it) if it.stuck)).count() > 0);
    assert!(lab.pose().x_m < 4.9, "it did not push through: {:?}", lab.pose());
    assert!(lab.world.happen(Happening::RemoveObstacle { name: "crate".into() }).is_ok());
    go(&mut lab, point(8.0, 3.0, None));
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
}

#[test]
fn it_follows_commanded_poses_until_commanded_to_fail() {
    let mut lab = hall("");
    go(&mut lab, Destination::Target);
    let pose = |x_m| own(Follow { x_m: Some(x_m), y_m: Some(3.0), ..Follow::of(FollowState::Pose) });
    for x_m in [2.5, 3.5, 4.5] {
        assert_eq!(lab.ask(pose(x_m)), Outcome::Done);
        lab.run(4.0);
    }
    assert!((lab.pose().x_m - 4.5).abs() < 0.45, "{:?}", lab.pose());
    assert_eq!(lab.ask(own(Follow::of(FollowState::Fail))), Outcome::Done);
    let end = arrive(&mut lab, 5);
    assert_eq!(end.failure, Some(NavigationFailure::TargetLost));
    assert!(matches!(lab.ask(pose(1.0)), Outcome::Refused(_)));
}

#[test]
fn a_route_is_driven_point_by_point_and_counted() {
    let mut lab = hall("");
    let points_m = vec![[3.0, 3.0], [4.0, 4.0], [6.0, 2.0]];
    go(&mut lab, Destination::Route { points_m, detour_m: 0.0 });
    let end = arrive(&mut lab, 60);
    assert_eq!((end.state, end.passed_points), (NavigationState::Succeeded, Some(3)));
    assert!(lab.pose().distance_to(6.0, 2.0) < 0.15, "{:?}", lab.pose());
}

#[test]
fn a_detour_is_another_path_and_is_published() {
    let mut lab = hall("");
    go(&mut lab, point(8.0, 3.0, None));
    lab.run(2.0);
    let shape = ObstacleShape::Box { length_m: 0.5, width_m: 1.0 };
    let (name, pose) = ("crate".to_owned(), [5.5, 3.0, 0.0]);
    let put = Happening::PutObstacle { name, shape, pose, rgb: [9, 9, 9], reality: Realities::Real };
    assert!(lab.world.happen(put).is_ok());
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
    let paths = lab.all(Kind::Path, "planned");
    assert!(paths.len() > 1, "the first way led through what stands there now");
    let bend = |signal: &Signal| match signal {
        Signal::Path(path) => path.points_m.iter().map(|[_, y]| (y - 3.0).abs()).fold(0.0, f64::max),
        other => panic!("{other:?}"),
    };
    assert!(bend(paths[0]) < 0.1 && bend(paths[paths.len() - 1]) > 0.4);
}

#[test]
fn an_unreachable_goal_fails_with_its_reason() {
    let mut lab = hall("[[boxes]]\ncenter_m = [6.0, 3.0]\nsize_m = [2.0, 2.0]\n");
    for (x_m, y_m) in [(6.0, 3.0), (40.0, 3.0)] {
        go(&mut lab, point(x_m, y_m, None));
        let end = arrive(&mut lab, 60);
        assert_eq!(end.state, NavigationState::Failed, "{end:?}");
        assert!(end.failure.is_some() && end.reason.is_some());
    }
    assert!(lab.poke(Stimulus::Lift { hold: seconds(2.0) }).is_ok());
    lab.run(0.5);
    go(&mut lab, point(2.0, 2.0, None));
    let end = arrive(&mut lab, 1);
    assert!(end.failure == Some(NavigationFailure::Disabled) && end.reason.unwrap().contains("air"));
}

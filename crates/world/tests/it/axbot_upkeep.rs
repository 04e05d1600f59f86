//! What a delivery chassis tells of its own parts, and what can be done to them.

use latimer_core::model::signal::{ControlMode, Joint, Odometry, SelfCheck, TaskState};
use latimer_core::model::{Carry, Command, Kind, LocalizationCommand, Maintenance, NavigationGoal, Signal};
use latimer_core::{Outcome, PartName};
use latimer_dialects::axbot::calls::{self, Maintain};
use latimer_simulator_api::Stimulus;
use latimer_world::bodies::Demand;

use crate::axbot::{codes, go, hall, point};
use crate::lab::{Lab, lab_of, own, seconds};

fn maintain(lab: &mut Lab, what: Maintenance) -> Outcome {
    lab.ask(own(Maintain { action: what }))
}

fn fail(lab: &mut Lab, part: &str, hold_s: f64) {
    assert!(lab.poke(Stimulus::Fail { part: PartName::of(part), hold: seconds(hold_s) }).is_ok(), "{part}");
}

/// How tasks of a name stand: state and reason.
fn tasks(lab: &Lab, name: &str) -> Vec<(TaskState, String)> {
    let published = |signal: &&Signal| match signal {
        Signal::Task(it) if it.id == name => Some((it.state, it.reason.clone().unwrap_or_default())),
        _ => None,
    };
    lab.all(Kind::Task, "").iter().filter_map(published).collect()
}

fn jack(lab: &Lab) -> Joint {
    match lab.last(Kind::Joint, "jack") {
        Signal::Joint(joint) => joint,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_imu_is_calibrated_at_rest_and_the_warning_goes() {
    let mut lab = hall("");
    fail(&mut lab, "imu_calibration", 600.0);
    lab.run(1.0);
    assert_eq!(codes(&lab), [4501]);
    assert_eq!(maintain(&mut lab, Maintenance::CalibrateImu), Outcome::Accepted);
    assert!(matches!(maintain(&mut lab, Maintenance::CalibrateImu), Outcome::Refused(_)), "one at a time");
    lab.run(9.0);
    assert_eq!(tasks(&lab, "recalibrate_imu"), [(TaskState::Confirmed, String::new())]);
    lab.run(2.5);
    assert_eq!(tasks(&lab, "recalibrate_imu").last().unwrap().0, TaskState::Succeeded);
    assert!(codes(&lab).is_empty(), "{:?}", codes(&lab));
}

#[test]
fn an_imu_that_is_disturbed_is_not_calibrated() {
    let disturbed = |disturb: fn(&mut Lab)| {
        let mut lab = hall("");
        fail(&mut lab, "imu_calibration", 600.0);
        assert_eq!(maintain(&mut lab, Maintenance::CalibrateImu), Outcome::Accepted);
        lab.run(2.0);
        disturb(&mut lab);
        lab.run(12.0);
        assert_eq!(codes(&lab), [4501]);
        let (state, reason) = tasks(&lab, "recalibrate_imu").last().unwrap().clone();
        assert_eq!(state, TaskState::Failed);
        reason
    };
    let lifted = disturbed(|lab| assert!(lab.poke(Stimulus::Lift { hold: seconds(1.0) }).is_ok()));
    assert!(lifted.contains("lifted"), "{lifted}");
    let bumped = disturbed(|lab| {
        let part = PartName::of("bump_rear");
        assert!(lab.poke(Stimulus::Bump { part, hold: seconds(1.0) }).is_ok());
    });
    assert!(bumped.contains("bumped"), "{bumped}");
    let driven = disturbed(|lab| {
        assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
        assert!(lab.drive(0.3, 0.0).is_ok());
    });
    assert!(driven.contains("driven"), "{driven}");
    let sent = disturbed(|lab| {
        assert!(lab.ask(Command::Navigate(NavigationGoal::to(point(5.0, 3.0, None)))).is_ok())
    });
    assert!(sent.contains("way"), "{sent}");
}

#[test]
fn the_gyroscope_is_calibrated_by_turning_where_there_is_room() {
    let mut lab = hall("");
    fail(&mut lab, "gyro_calibration", 600.0);
    lab.run(1.0);
    assert_eq!(codes(&lab), [4502]);
    assert_eq!(maintain(&mut lab, Maintenance::CalibrateGyro), Outcome::Accepted);
    let (from, mut turned, mut last) = (lab.pose(), 0.0, lab.pose().yaw_rad);
    for _ in 0..400 {
        lab.run(0.1);
        turned += latimer_world::geometry::wrap_angle(lab.pose().yaw_rad - last);
        last = lab.pose().yaw_rad;
    }
    assert!(turned > 3.0 * std::f64::consts::TAU - 0.1, "{turned}");
    assert!(lab.pose().distance_to(from.x_m, from.y_m) < 0.1, "on the spot");
    assert_eq!(tasks(&lab, "calibrate_gyro_scale").last().unwrap().0, TaskState::Succeeded);
    assert!(codes(&lab).is_empty());
    let mut lab = hall("[[boxes]]\ncenter_m = [1.5, 3.5]\nsize_m = [0.4, 0.4]\n");
    assert_eq!(maintain(&mut lab, Maintenance::CalibrateGyro), Outcome::Accepted);
    lab.run(1.0);
    let (state, reason) = tasks(&lab, "calibrate_gyro_scale").last().unwrap().clone();
    assert!(state == TaskState::Failed && reason.contains("room"), "{reason}");
}

#[test]
fn the_jack_checks_itself_and_publishes_its_speed() {
    let mut lab = hall("");
    assert_eq!(jack(&lab).velocity_ratiops, Some(0.0));
    assert_eq!(maintain(&mut lab, Maintenance::CheckJack), Outcome::Accepted);
    lab.run(3.0);
    assert_eq!((jack(&lab).velocity_ratiops, jack(&lab).self_check), (Some(0.104_167), Some(SelfCheck::Up)));
    lab.run(9.0);
    assert_eq!(
        (jack(&lab).velocity_ratiops, jack(&lab).self_check),
        (Some(-0.104_167), Some(SelfCheck::Down))
    );
    lab.run(10.0);
    assert_eq!((jack(&lab).velocity_ratiops, jack(&lab).self_check), (Some(0.0), Some(SelfCheck::Passed)));
    assert_eq!(jack(&lab).position_ratio, Some(0.0));
}

#[test]
fn a_stuck_jack_is_reported_and_stays_until_cleared() {
    let mut lab = hall("");
    assert_eq!(maintain(&mut lab, Maintenance::CheckJack), Outcome::Accepted);
    lab.run(3.0);
    fail(&mut lab, "jack", 5.0);
    lab.run(6.0);
    assert_eq!((jack(&lab).velocity_ratiops, jack(&lab).self_check), (Some(0.0), Some(SelfCheck::Failed)));
    let up = own(calls::Carry { action: Carry::JackUp });
    assert!(matches!(lab.ask(up.clone()), Outcome::Refused(why) if why.reason.contains("clear")));
    assert_eq!(maintain(&mut lab, Maintenance::ClearJackFaults), Outcome::Done);
    assert_eq!(lab.ask(up), Outcome::Accepted);
    lab.run(12.0);
    assert_eq!(jack(&lab).position_ratio, Some(1.0));
}

#[test]
fn a_scanner_that_is_off_is_missed_and_the_place_is_lost_in_time() {
    let mut lab = hall("");
    lab.world.listen([Demand::EVERY_KIND.with_stream(0)]);
    let known = |lab: &Lab| lab.last(Kind::Localization, "").field("has_pose").unwrap().as_bool().unwrap();
    assert_eq!(maintain(&mut lab, Maintenance::LidarOff), Outcome::Done);
    lab.forget().run(0.5);
    assert!(codes(&lab).is_empty() && lab.all(Kind::Scan, "").is_empty());
    lab.run(1.5);
    assert_eq!(codes(&lab), [5001]);
    assert!(known(&lab), "not at once");
    lab.run(8.0);
    assert!(!known(&lab));
    assert_eq!(maintain(&mut lab, Maintenance::LidarOn), Outcome::Done);
    lab.run(6.0);
    assert!(codes(&lab).is_empty() && known(&lab) && !lab.all(Kind::Scan, "").is_empty());
}

#[test]
fn faults_of_the_wheels_and_falls_are_cleared_on_demand() {
    let mut lab = hall("[[drops]]\npolygon_m = [[4.0, 2.0], [6.0, 2.0], [6.0, 4.0], [4.0, 4.0]]\n");
    fail(&mut lab, "wheels", 600.0);
    lab.run(1.0);
    assert_eq!(codes(&lab), [2001]);
    assert_eq!(maintain(&mut lab, Maintenance::ClearWheelFaults), Outcome::Done);
    lab.run(1.0);
    assert!(codes(&lab).is_empty());
    assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
    let over = Command::Drive { linear_mps: 0.6, angular_radps: 0.0, duration: Some(seconds(8.0)) };
    assert!(lab.ask(over).is_ok());
    lab.run(8.0);
    assert_eq!(codes(&lab), [4008]);
    assert!(
        matches!(maintain(&mut lab, Maintenance::ClearFall), Outcome::Refused(why) if why.reason.contains("floor"))
    );
    assert!(lab.poke(Stimulus::Place { x_m: 2.0, y_m: 3.0, yaw_rad: 0.0 }).is_ok());
    lab.run(1.0);
    assert_eq!(codes(&lab), [4008], "somebody has to say that it stands again");
    assert_eq!(maintain(&mut lab, Maintenance::ClearFall), Outcome::Done);
    lab.run(1.0);
    assert!(codes(&lab).is_empty());
}

#[test]
fn wheels_that_push_in_vain_slip() {
    // A lane that is wide enough to stand in but not to turn in.
    let lane = "[[walls]]\npoints_m = [[1.0, 2.68], [2.2, 2.68]]\n[[walls]]\npoints_m = [[1.0, 3.32], [2.2, 3.32]]\n";
    let mut lab = hall(lane);
    let slips = |lab: &Lab| lab.last(Kind::Localization, "").field("slipping").unwrap().as_bool().unwrap();
    assert!(!slips(&lab));
    assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
    let turn = Command::Drive { linear_mps: 0.0, angular_radps: 0.8, duration: Some(seconds(4.0)) };
    assert!(lab.ask(turn).is_ok());
    lab.run(3.5);
    assert!(slips(&lab));
    lab.run(1.5);
    assert_eq!(maintain(&mut lab, Maintenance::ClearSlipping), Outcome::Done);
    lab.run(0.1);
    assert!(!slips(&lab));
}

#[test]
fn each_failed_node_has_its_code_and_publishes_nothing() {
    let mut lab = hall("[[pallets]]\nid = \"p\"\nposition_m = [4.0, 3.0]\n");
    let received = |lab: &Lab, kind, part: &str| !lab.all(kind, part).is_empty();
    let all = (0..4).fold(Demand::EVERY_KIND, Demand::with_stream);
    for (part, code, kind, name) in [
        ("costs", 1002, Kind::Map, "costmap_5cm"),
        ("map_server", 1003, Kind::Map, "map"),
        ("odometry", 3001, Kind::Pose, "odom"),
        ("odometry", 3001, Kind::Odometry, ""),
        ("imu_node", 4001, Kind::Imu, ""),
    ] {
        lab.world.listen([Demand::EVERY_KIND]);
        fail(&mut lab, part, 3.0);
        lab.run(1.0).forget();
        lab.world.listen([all]);
        lab.run(1.5);
        assert_eq!(codes(&lab), [code], "{part}");
        assert!(!received(&lab, kind, name), "{part}: {kind} {name}");
        lab.run(11.0);
        assert!(codes(&lab).is_empty() && received(&lab, kind, name), "{part}: {kind} {name}");
    }
    let pallets = |lab: &Lab| match lab.last(Kind::Objects, "pallets") {
        Signal::Objects(it) => it.objects,
        other => panic!("{other:?}"),
    };
    let pockets = pallets(&lab)[0].pockets.clone().unwrap();
    assert_eq!((pockets.width_m, pockets.height_m, pockets.spacing_m), (0.3, 0.2, 0.2));
    fail(&mut lab, "depth_camera", 3.0);
    lab.run(2.0);
    assert!(codes(&lab) == [11_001] && pallets(&lab).is_empty());
    lab.run(2.0);
    assert_eq!(pallets(&lab).len(), 1);
}

#[test]
fn a_mapper_that_fails_maps_nothing() {
    let mut lab = hall("");
    fail(&mut lab, "mapper", 4.0);
    lab.world.listen([Demand::EVERY_KIND.with_stream(1)]);
    assert!(lab.ask(Command::Localization(LocalizationCommand::Mapping(true))).is_ok());
    let seen = |lab: &Lab| match lab.last(Kind::Map, "map") {
        Signal::Map(grid) => grid.cells.iter().filter(|it| **it != 255).count(),
        other => panic!("{other:?}"),
    };
    lab.run(3.0);
    assert_eq!((codes(&lab), seen(&lab)), (vec![1004], 0));
    lab.run(4.0);
    assert!(codes(&lab).is_empty() && seen(&lab) > 1_000);
}

#[test]
fn the_battery_publishes_its_cells_and_the_localisation_its_fit() {
    let lab = hall("[[walls]]\npoints_m = [[5.0, 0.0], [5.0, 3.5]]\n");
    let Signal::Battery(battery) = lab.last(Kind::Battery, "") else { panic!() };
    assert_eq!(battery.cell_voltages_v.len(), 7);
    assert!((battery.cell_voltages_v.iter().sum::<f64>() - battery.voltage_v.unwrap()).abs() < 1e-3);
    assert!(battery.capacity_ah < battery.design_capacity_ah && battery.cycles.is_some());
    let Signal::Localization(published) = lab.last(Kind::Localization, "") else { panic!() };
    assert!(published.match_ratio.unwrap() > 0.9 && published.matched == Some(true), "{published:?}");
    assert!(
        published.constraints > Some(20) && published.good_constraints <= published.constraints,
        "{published:?}"
    );
    assert!(published.good_constraints > Some(20));
}

#[test]
fn dead_reckoning_is_trusted_the_less_the_farther_it_goes_alone() {
    let mut lab = hall("");
    let published = |lab: &Lab| match lab.last(Kind::Odometry, "") {
        Signal::Odometry(Odometry { reliable, covariance_m2 }) => (reliable, covariance_m2[0]),
        other => panic!("{other:?}"),
    };
    lab.run(2.0);
    let (reliable, at_rest) = published(&lab);
    assert!(reliable == Some(true) && at_rest < 2e-4, "{at_rest}");
    assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
    fail(&mut lab, "lidar", 10.0);
    let drive = Command::Drive { linear_mps: 0.6, angular_radps: 0.0, duration: Some(seconds(6.0)) };
    assert!(lab.ask(drive).is_ok());
    lab.run(7.0);
    let (reliable, alone) = published(&lab);
    assert!(reliable == Some(false) && alone > 4.0 * at_rest, "{alone}");
    lab.run(8.0);
    assert!(published(&lab).1 < 2e-4, "a scan settles it");
}

#[test]
fn robots_that_have_no_such_parts_refuse() {
    for kind in ["misty", "miro", "pera", "robotkoop"] {
        let mut lab = lab_of(kind, "", 3.0, 3.0, 0.0);
        assert!(
            matches!(maintain(&mut lab, Maintenance::ClearFall), Outcome::Refused(why) if why.reason.ends_with("cannot carry out the command maintain")),
            "{kind}"
        );
    }
}

#[test]
fn seen_obstacles_are_forgotten_on_demand() {
    use latimer_core::model::Realities;
    use latimer_simulator_api::{Happening, ObstacleShape};
    let mut lab = hall("");
    lab.world.listen([Demand::EVERY_KIND.with_stream(0).with_stream(2)]);
    let shape = ObstacleShape::Box { length_m: 0.3, width_m: 0.3 };
    let (name, pose) = ("crate".to_owned(), [3.5, 3.0, 0.0]);
    let put = Happening::PutObstacle { name, shape, pose, rgb: [9, 9, 9], reality: Realities::Real };
    assert!(lab.world.happen(put).is_ok());
    let dear = |lab: &Lab| match lab.last(Kind::Map, "costmap_5cm") {
        Signal::Map(grid) => grid.cells.iter().filter(|it| **it == 100).count(),
        other => panic!("{other:?}"),
    };
    lab.run(2.0);
    let with = dear(&lab);
    // With the scanner off nothing is seen anew.
    assert_eq!(maintain(&mut lab, Maintenance::LidarOff), Outcome::Done);
    assert_eq!(maintain(&mut lab, Maintenance::ClearCosts), Outcome::Done);
    lab.run(1.1);
    assert!(dear(&lab) < with, "{} of {with}", dear(&lab));
    go(&mut lab, point(2.0, 3.0, None));
}

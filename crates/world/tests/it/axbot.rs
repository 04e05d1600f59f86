//! The delivery chassis: it drives by itself, charges, carries racks, and tells what is wrong.

use latimer_core::model::signal::{Alerts, ControlMode, Navigation, NavigationFailure, NavigationState};
use latimer_core::model::{
    Carry, Command, Destination, FollowTarget, Kind, NavigationGoal, Realities, Signal,
};
use latimer_core::{Outcome, PartName, Timestamp};
use latimer_simulator_api::{Happening, ObstacleShape, Stimulus};
use latimer_world::{Behaviour, Pose2, Start, World, WorldFile};

use crate::lab::{Input, Lab, id, seconds};

pub(crate) fn at(file: WorldFile, pose: Pose2) -> Lab {
    let mut world = World::new(file, 42).unwrap();
    world.add_robot(id("m"), "axbot", Start::At(pose), Behaviour::Stand).unwrap();
    let mut lab = Lab { world, now: Timestamp::from_nanos(1_700_000_000_000_000_000), received: Vec::new() };
    lab.run(1.0);
    lab
}

pub(crate) fn builtin(name: &str, x_m: f64, y_m: f64, yaw_rad: f64) -> Lab {
    let mut file = WorldFile::builtin(name).unwrap();
    file.people.clear();
    at(file, Pose2::new(x_m, y_m, yaw_rad))
}

pub(crate) fn hall(more: &str) -> Lab {
    let text = format!("name = \"hall\"\nsize_m = [10.0, 6.0]\n{more}");
    at(WorldFile::parse(&text).unwrap(), Pose2::new(1.5, 3.0, 0.0))
}

pub(crate) fn go(lab: &mut Lab, destination: Destination) {
    lab.forget();
    assert_eq!(lab.ask(Command::Navigate(NavigationGoal::to(destination))), Outcome::Accepted);
}

pub(crate) fn point(x_m: f64, y_m: f64, yaw_rad: Option<f64>) -> Destination {
    Destination::Point { x_m, y_m, yaw_rad }
}

/// Lets it drive until the goal is over, and gives the last word on it.
pub(crate) fn arrive(lab: &mut Lab, within_s: u32) -> Navigation {
    for _ in 0..within_s {
        lab.run(1.0);
        if let Some(Signal::Navigation(it)) = lab.all(Kind::Navigation, "").last()
            && it.state != NavigationState::Moving
        {
            return it.clone();
        }
    }
    panic!("it is still on its way at {:?}: {:?}", lab.pose(), lab.all(Kind::Navigation, "").last());
}

pub(crate) fn codes(lab: &Lab) -> Vec<i64> {
    match lab.last(Kind::Alerts, "") {
        Signal::Alerts(Alerts { active }) => active.iter().map(|it| it.code).collect(),
        other => panic!("{other:?}"),
    }
}

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
    let cases: [(Option<Input>, f64, _, _, _); 7] = [
        (Some(Command::EmergencyStop(true).into()), 0.1, there(), None, "emergency stop"),
        (Some(manual.into()), 0.1, there(), None, "control mode"),
        (Some(Command::Carry(Carry::JackUp).into()), 0.1, there(), None, "jack moves"),
        (Some(Command::Carry(Carry::JackUp).into()), 20.0, rack, Some(506), "jack"),
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
fn the_jack_moves_while_it_drives_and_a_rack_is_left_on_the_way() {
    let mut lab = hall("[[racks]]\nname = \"A\"\nposition_m = [4.5, 3.0]\n");
    go(&mut lab, Destination::Rack { pose: [4.4, 3.1, 0.0] });
    assert_eq!(arrive(&mut lab, 90).state, NavigationState::Succeeded);
    assert_eq!(lab.ask(Command::Carry(Carry::JackUp)), Outcome::Accepted);
    lab.run(12.0);
    go(&mut lab, Destination::Unload { pose: [8.0, 3.0, 0.0] });
    lab.run(6.0);
    let at = lab.pose();
    assert!(
        at.x_m > 4.8 && lab.world.racks().at("A").unwrap().carried,
        "it is on its way with the rack: {at:?}"
    );
    assert_eq!(lab.ask(Command::Carry(Carry::JackDown)), Outcome::Accepted);
    lab.run(3.0);
    let rack = lab.world.racks().at("A").unwrap();
    assert!(!rack.carried && rack.pose.distance_to(at.x_m, at.y_m) < 0.3, "{rack:?} was let down at {at:?}");
    assert!(lab.number(Kind::Joint, "jack", "position_ratio") < 1.0);
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
fn it_carries_a_rack_to_another_place() {
    let mut lab = hall("[[racks]]\nname = \"A\"\nposition_m = [4.5, 3.0]\n");
    assert!(matches!(
        lab.ask(Command::Navigate(NavigationGoal::to(Destination::Unload { pose: [7.0, 3.0, 0.0] }))),
        Outcome::Refused(why) if why.reason.contains("no rack")
    ));
    go(&mut lab, Destination::Rack { pose: [4.4, 3.1, 0.0] });
    let end = arrive(&mut lab, 90);
    assert_eq!(end.state, NavigationState::Succeeded, "{end:?} at {:?}", lab.pose());
    assert!(lab.pose().distance_to(4.5, 3.0) < 0.06, "{:?}", lab.pose());
    let small = lab.number(Kind::Footprint, "", "width_m");
    assert_eq!(lab.ask(Command::Carry(Carry::JackUp)), Outcome::Accepted);
    lab.run(12.0);
    assert!(lab.number(Kind::Footprint, "", "width_m") > small, "the outline grows");
    go(&mut lab, Destination::Unload { pose: [7.5, 2.0, 0.0] });
    let end = arrive(&mut lab, 90);
    assert_eq!(end.state, NavigationState::Succeeded, "{end:?}");
    assert_eq!(lab.ask(Command::Carry(Carry::JackDown)), Outcome::Accepted);
    lab.run(12.0);
    let rack = lab.world.racks().at("A").unwrap();
    assert!(!rack.carried && rack.pose.distance_to(7.5, 2.0) < 0.2, "{rack:?}");
    assert_eq!(lab.number(Kind::Footprint, "", "width_m"), small);
    go(&mut lab, point(2.0, 4.0, None));
    assert_eq!(arrive(&mut lab, 90).state, NavigationState::Succeeded, "it drives out between the legs");
    assert!(lab.world.racks().at("A").unwrap().pose.distance_to(7.5, 2.0) < 0.2, "and leaves the rack there");
    go(&mut lab, Destination::Rack { pose: [3.0, 5.0, 0.0] });
    assert_eq!(arrive(&mut lab, 60).failure, Some(NavigationFailure::NoRack));
}

#[test]
fn beneath_a_rack_it_does_not_fit_while_the_jack_is_up() {
    let mut lab = hall("[[racks]]\nname = \"A\"\nposition_m = [4.5, 3.0]\n");
    assert_eq!(lab.ask(Command::Carry(Carry::JackUp)), Outcome::Accepted);
    lab.run(12.0);
    let before = lab.pose();
    go(&mut lab, Destination::Rack { pose: [4.5, 3.0, 0.0] });
    let end = arrive(&mut lab, 5);
    assert_eq!((end.failure, end.failure_code), (Some(NavigationFailure::Other), Some(506)), "{end:?}");
    assert!(end.reason.is_some_and(|why| why.contains("jack it down")));
    assert!(lab.pose().distance_to(before.x_m, before.y_m) < 0.01);
    assert_eq!(lab.ask(Command::Carry(Carry::JackDown)), Outcome::Accepted);
    lab.run(12.0);
    go(&mut lab, Destination::Rack { pose: [4.5, 3.0, 0.0] });
    assert_eq!(arrive(&mut lab, 90).state, NavigationState::Succeeded);
    assert!(codes(&lab).is_empty(), "a rack is no charger");
}

#[test]
fn a_kidnapped_robot_gets_lost_and_relocalizes() {
    let mut lab = builtin("warehouse", 8.6, 1.5, 1.5);
    let reliable = |lab: &Lab| lab.last(Kind::Localization, "").field("has_pose").unwrap().as_bool().unwrap();
    assert!(reliable(&lab));
    assert!(lab.poke(Stimulus::Place { x_m: 12.0, y_m: 1.5, yaw_rad: 2.0 }).is_ok());
    let lost = (0..20).any(|_| {
        lab.run(0.5);
        !reliable(&lab)
    });
    assert!(lost, "it notices that nothing fits");
    let found = (0..60).any(|_| {
        lab.run(0.5);
        reliable(&lab)
    });
    lab.run(1.0);
    let published = lab.received.iter().rfind(|it| it.kind() == Kind::Pose && it.part.is_none()).unwrap();
    let x_m = published.signal.field("x_m").unwrap().as_f64().unwrap();
    assert!(found && (x_m - 12.0).abs() < 0.2, "{published:?}");
}

#[test]
fn modes_and_the_emergency_stop_decide_who_drives() {
    let mut lab = hall("");
    assert!(matches!(lab.drive(0.3, 0.0), Outcome::Refused(why) if why.reason.contains("remote")));
    assert_eq!(lab.ask(Command::ControlMode(ControlMode::Remote)), Outcome::Done);
    assert_eq!(lab.drive(0.3, 0.0), Outcome::Accepted);
    lab.run(3.0);
    let way_m = lab.pose().x_m - 1.5;
    assert!((0.1..0.4).contains(&way_m), "held for one second only: {way_m}");
    let navigate = Command::Navigate(NavigationGoal::to(point(5.0, 3.0, None)));
    assert_eq!(lab.ask(Command::ControlMode(ControlMode::Auto)), Outcome::Done);
    assert_eq!(lab.ask(navigate.clone()), Outcome::Accepted);
    lab.run(2.0);
    assert!(lab.pose().x_m - 1.5 - way_m > 0.2, "whoever is sent on its way goes at once");
    assert_eq!(lab.ask(Command::EmergencyStop(true)), Outcome::Done);
    lab.run(2.0);
    let held = lab.pose();
    lab.run(2.0);
    assert!(lab.pose().distance_to(held.x_m, held.y_m) < 1e-3);
    assert_eq!(lab.ask(Command::EmergencyStop(false)), Outcome::Done);
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded, "and then it goes on");
}

#[test]
fn it_follows_commanded_poses_until_commanded_to_fail() {
    let mut lab = hall("");
    go(&mut lab, Destination::Target);
    let pose = |x_m: f64| FollowTarget::Pose { position_m: Some([x_m, 3.0]), yaw_rad: None };
    for x_m in [2.5, 3.5, 4.5] {
        assert_eq!(lab.ask(Command::Follow(pose(x_m))), Outcome::Done);
        lab.run(4.0);
    }
    assert!((lab.pose().x_m - 4.5).abs() < 0.45, "{:?}", lab.pose());
    assert_eq!(lab.ask(Command::Follow(FollowTarget::Fail)), Outcome::Done);
    let end = arrive(&mut lab, 5);
    assert_eq!(end.failure, Some(NavigationFailure::TargetLost));
    assert!(matches!(lab.ask(Command::Follow(pose(1.0))), Outcome::Refused(_)));
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
fn faults_are_raised_and_cleared() {
    let mut lab = hall("");
    for (part, code) in
        [("lidar", 5001), ("imu", 4009), ("wheels", 2001), ("planner", 1001), ("imu_calibration", 4501)]
    {
        assert!(lab.poke(Stimulus::Fail { part: PartName::of(part), hold: seconds(2.0) }).is_ok());
        lab.run(1.0);
        assert_eq!(codes(&lab), [code], "{part}");
        lab.run(2.0);
        assert!(codes(&lab).is_empty(), "{part}");
    }
    assert!(lab.poke(Stimulus::Heat { temperature_c: 85.0, hold: seconds(2.0) }).is_ok());
    lab.run(1.0);
    assert_eq!(codes(&lab), [6004]);
    assert!(lab.number(Kind::Temperature, "", "temperature_c") > 80.0);
    assert!(matches!(
        lab.poke(Stimulus::Fail { part: PartName::of("mast"), hold: seconds(1.0) }),
        Outcome::Refused(why) if why.reason.contains("lidar")
    ));
}

#[test]
fn pins_indicators_and_bumpers_are_published() {
    let mut lab = hall("");
    assert_eq!(lab.ask(Command::Pins { enable: vec![0, 9], disable: vec![2] }), Outcome::Done);
    assert!(matches!(lab.ask(Command::Pins { enable: vec![16], disable: vec![] }), Outcome::Refused(_)));
    lab.run(1.0);
    let Signal::Pins(pins) = lab.last(Kind::Pins, "") else { panic!() };
    assert!(pins.outputs[0][0] && pins.outputs[1][1] && !pins.outputs[0][2]);
    lab.ask(Command::ControlMode(ControlMode::Remote));
    lab.forget();
    assert_eq!(
        lab.ask(Command::Drive { linear_mps: 0.0, angular_radps: 0.8, duration: Some(seconds(1.5)) }),
        Outcome::Accepted
    );
    lab.run(1.0);
    let Signal::Indicators(shown) = lab.last(Kind::Indicators, "") else { panic!() };
    assert!(shown.turn_left && !shown.turn_right);
    let pressed = |lab: &Lab, part: &str| -> Vec<bool> {
        let published = lab.all(Kind::Contact, part).into_iter();
        published
            .filter_map(|it| match it {
                Signal::Contact(contact) => Some(contact.contacted),
                _ => None,
            })
            .collect()
    };
    assert!(lab.poke(Stimulus::Bump { part: PartName::of("bump_front"), hold: seconds(1.0) }).is_ok());
    lab.run(0.2);
    assert!(pressed(&lab, "bump_front").contains(&true));
}

#[test]
fn each_bumper_is_published_once_at_the_start() {
    let text = "name = \"hall\"\nsize_m = [10.0, 6.0]\n";
    let mut world = World::new(WorldFile::parse(text).unwrap(), 42).unwrap();
    world.add_robot(id("m"), "axbot", Start::At(Pose2::new(1.5, 3.0, 0.0)), Behaviour::Stand).unwrap();
    let mut published = Vec::new();
    for _ in 0..200 {
        world.step(Timestamp::default(), &mut published);
    }
    let contacts = published.iter().filter_map(|update| match &update.signal {
        Signal::Contact(contact) => Some((update.part.as_ref()?.as_str(), contact.contacted)),
        _ => None,
    });
    assert_eq!(contacts.collect::<Vec<_>>(), [("bump_front", false), ("bump_rear", false)]);
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
fn released_wheels_roll_and_driven_ones_brake() {
    let rolls_m = |mode: ControlMode| {
        let mut lab = hall("");
        assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
        let drive = Command::Drive { linear_mps: 0.6, angular_radps: 0.0, duration: Some(seconds(3.0)) };
        assert!(lab.ask(drive).is_ok());
        lab.run(2.0);
        assert!(lab.ask(Command::ControlMode(mode)).is_ok());
        let from_m = lab.pose().x_m;
        lab.run(3.0);
        lab.pose().x_m - from_m
    };
    let (braked_m, rolled_m) = (rolls_m(ControlMode::Auto), rolls_m(ControlMode::Manual));
    assert!(braked_m < 0.2 && rolled_m > braked_m + 0.1, "{braked_m} {rolled_m}");
}

#[test]
fn nonsense_is_refused_and_does_no_harm() {
    let mut lab = hall("");
    let wild = [f64::NAN, f64::INFINITY, -1e300, 1e9];
    assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
    for number in wild {
        assert!(matches!(lab.drive(number, number), Outcome::Refused(_)), "{number}");
        let pose = Command::SetPose { x_m: number, y_m: 0.0, yaw_rad: 0.0 };
        assert!(matches!(lab.ask(pose), Outcome::Refused(_)));
    }
    assert!(lab.ask(Command::ControlMode(ControlMode::Auto)).is_ok());
    for number in wild {
        let to = [
            point(number, 3.0, None),
            point(3.0, 3.0, Some(number)),
            Destination::Charger { pose: Some([number; 3]), retries: u32::MAX },
            Destination::Route { points_m: vec![[number, 0.0]], detour_m: 0.0 },
            Destination::Rack { pose: [0.0, number, 0.0] },
            Destination::Place("nowhere".into()),
        ];
        for destination in to {
            let navigate = Command::Navigate(NavigationGoal::to(destination.clone()));
            assert!(matches!(lab.ask(navigate), Outcome::Refused(_)), "{destination:?}");
        }
        let heat = Stimulus::Heat { temperature_c: number, hold: seconds(1.0) };
        assert!(matches!(lab.poke(heat), Outcome::Refused(_)));
    }
    assert!(matches!(
        lab.ask(Command::Navigate(NavigationGoal::to(Destination::Route {
            points_m: vec![],
            detour_m: 0.0
        }))),
        Outcome::Refused(_)
    ));
    lab.run(5.0);
    assert!(lab.pose().distance_to(1.5, 3.0) < 0.05, "{:?}", lab.pose());
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

#[test]
fn it_publishes_its_software_and_its_parts() {
    let mut lab = hall("");
    lab.run(11.0);
    let Signal::Device(device) = lab.last(Kind::Device, "").clone() else { panic!() };
    assert_eq!(
        (device.ros_distribution.as_deref(), device.options.as_deref()),
        (Some("noetic"), Some(&[][..]))
    );
    let names: Vec<&str> = device.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["baseboard", "wheel_control", "lidar", "bottom_sensor_pack", "depth_camera"]);
}

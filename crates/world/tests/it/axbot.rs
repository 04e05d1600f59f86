//! The delivery chassis: it drives by itself, charges, carries racks, and tells what is wrong.

use latimer_core::model::signal::{Alerts, ControlMode, Navigation, NavigationFailure, NavigationState};
use latimer_core::model::{Carry, Command, Destination, Kind, NavigationGoal, Signal};
use latimer_core::{Outcome, PartName, Timestamp};
use latimer_dialects::axbot::calls::{self, Pins};
use latimer_simulator_api::Stimulus;
use latimer_world::{Behaviour, Pose2, Start, World, WorldFile};

use crate::lab::{Lab, id, own, seconds};

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
fn the_jack_moves_while_it_drives_and_a_rack_is_left_on_the_way() {
    let mut lab = hall("[[racks]]\nname = \"A\"\nposition_m = [4.5, 3.0]\n");
    go(&mut lab, Destination::Rack { pose: [4.4, 3.1, 0.0] });
    assert_eq!(arrive(&mut lab, 90).state, NavigationState::Succeeded);
    assert_eq!(lab.ask(own(calls::Carry { action: Carry::JackUp })), Outcome::Accepted);
    lab.run(12.0);
    go(&mut lab, Destination::Unload { pose: [8.0, 3.0, 0.0] });
    lab.run(6.0);
    let at = lab.pose();
    assert!(
        at.x_m > 4.8 && lab.world.racks().at("A").unwrap().carried,
        "it is on its way with the rack: {at:?}"
    );
    assert_eq!(lab.ask(own(calls::Carry { action: Carry::JackDown })), Outcome::Accepted);
    lab.run(3.0);
    let rack = lab.world.racks().at("A").unwrap();
    assert!(!rack.carried && rack.pose.distance_to(at.x_m, at.y_m) < 0.3, "{rack:?} was let down at {at:?}");
    assert!(lab.number(Kind::Joint, "jack", "position_ratio") < 1.0);
}

#[test]
fn it_carries_a_rack_to_another_place() {
    let mut lab = hall("[[racks]]\nname = \"A\"\nposition_m = [4.5, 3.0]\n");
    go(&mut lab, Destination::Unload { pose: [7.0, 3.0, 0.0] });
    assert_eq!(arrive(&mut lab, 3).failure, Some(NavigationFailure::NoRack), "it carries none");
    go(&mut lab, Destination::Rack { pose: [4.4, 3.1, 0.0] });
    let end = arrive(&mut lab, 90);
    assert_eq!(end.state, NavigationState::Succeeded, "{end:?} at {:?}", lab.pose());
    assert!(lab.pose().distance_to(4.5, 3.0) < 0.06, "{:?}", lab.pose());
    let small = lab.number(Kind::Footprint, "", "width_m");
    assert_eq!(lab.ask(own(calls::Carry { action: Carry::JackUp })), Outcome::Accepted);
    lab.run(12.0);
    assert!(lab.number(Kind::Footprint, "", "width_m") > small, "the outline grows");
    go(&mut lab, Destination::Unload { pose: [7.5, 2.0, 0.0] });
    let end = arrive(&mut lab, 90);
    assert_eq!(end.state, NavigationState::Succeeded, "{end:?}");
    assert_eq!(lab.ask(own(calls::Carry { action: Carry::JackDown })), Outcome::Accepted);
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
    assert_eq!(lab.ask(own(calls::Carry { action: Carry::JackUp })), Outcome::Accepted);
    lab.run(12.0);
    let before = lab.pose();
    go(&mut lab, Destination::Rack { pose: [4.5, 3.0, 0.0] });
    let end = arrive(&mut lab, 5);
    assert_eq!((end.failure, end.failure_code), (Some(NavigationFailure::Other), Some(506)), "{end:?}");
    assert!(end.reason.is_some_and(|why| why.contains("jack it down")));
    assert!(lab.pose().distance_to(before.x_m, before.y_m) < 0.01);
    assert_eq!(lab.ask(own(calls::Carry { action: Carry::JackDown })), Outcome::Accepted);
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
    assert_eq!(lab.ask(own(Pins { enable: Some(vec![0, 9]), disable: Some(vec![2]) })), Outcome::Done);
    assert!(matches!(
        lab.ask(own(Pins { enable: Some(vec![16]), disable: Some(vec![]) })),
        Outcome::Refused(_)
    ));
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

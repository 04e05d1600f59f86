//! A household robot that is stopped, led away, broken or fed nonsense.

use crate::hostile::asked;
use latimer_core::model::signal::ControlMode;
use latimer_core::model::{Command, Destination, Kind, NavigationGoal, TaskRequest, ToValue};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;
use latimer_world::{Behaviour, Whereabouts};
use proptest::prelude::*;

use crate::lab::{Input, seconds};
use crate::robotkoop_home::{ANNA, Home, ROOM, request};

fn fail(part: &str) -> Stimulus {
    Stimulus::Fail { part: PartName::of(part), hold: seconds(1_000.0) }
}

#[test]
fn an_emergency_stop_holds_the_task_and_lets_it_go_on() {
    let mut home = Home::room();
    home.task("bring", &[("object", "coke")]).until("goto:Kitchen", 10.0).run(3.0);
    assert!(home.ask(Stimulus::EmergencyStop(true)).is_ok());
    home.run(1.0);
    let at = home.pose();
    assert!(home.run(40.0).pose().distance_to(at.x_m, at.y_m) < 1e-3, "it stands");
    assert!(!home.ask(Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration: None }).is_ok());
    assert!(home.published().ends_with("goto:Kitchen"), "{}", home.published());
    assert!(home.ask(Command::EmergencyStop(false)).is_ok());
    home.until("succeeded", 120.0);
    assert_eq!(home.at("coke"), Whereabouts::Person(0));
}

#[test]
fn a_stop_in_the_middle_of_a_grasp_is_no_harm() {
    let mut home = Home::room();
    home.task("bring", &[("object", "coke")]).until("pick:coke", 60.0).run(1.0);
    home.ask(Command::EmergencyStop(true));
    home.run(20.0);
    assert_eq!(home.at("coke"), Whereabouts::Place("Kitchen".into()));
    home.ask(Command::EmergencyStop(false));
    home.until("succeeded", 120.0);
}

#[test]
fn a_search_in_a_large_house_ends_within_its_bound() {
    let place = |number: u32| {
        let [x, y] = [number % 8, number / 8].map(|it| 2.0 + 2.2 * f64::from(it));
        format!("[[places]]\nname = \"P{number}\"\nposition_m = [{x}, {y}]\n")
    };
    let places: String = (0..64).map(place).collect();
    let house = format!("name = \"house\"\nsize_m = [20.0, 20.0]\n{places}");
    let mut home = Home::new(&house, 1.0, 1.0, Behaviour::Stand);
    home.run(0.5).task("bring", &[("object", "unicorn")]).run(290.0);
    assert!(!home.published().contains("not_found"), "it still searches");
    home.until("not_found:unicorn search_alternatives:unicorn failed", 15.0);
    let reason = home.tasks().last().unwrap().reason.clone().unwrap();
    assert!(reason.contains("the unicorn was not found"), "{reason}");
}

#[test]
fn a_stop_ends_its_tasks_for_good() {
    let mut home = Home::room();
    home.task("goto", &[("to", "Sofa")]).until("goto:Sofa", 10.0).run(2.0);
    assert!(home.ask(Command::Task(request("U", "bring", &[("object", "coke")]))).is_ok());
    home.run(0.5);
    assert!(home.ask(Command::Stop { hold: false }).is_ok());
    home.run(1.0);
    let at = home.pose();
    let published = home.published();
    assert_eq!(published.matches("failed").count(), 2, "{published}");
    assert!(home.run(60.0).pose().distance_to(at.x_m, at.y_m) < 1e-3, "it stands");
    assert_eq!(home.published(), published);
    home.task("goto", &[("to", "Kitchen")]).until("goto:Kitchen succeeded", 60.0);
}

#[test]
fn manual_driving_pauses_the_task() {
    let mut home = Home::room();
    home.task("goto", &[("to", "Kitchen")]).run(3.0);
    let drive = Command::Drive { linear_mps: 0.0, angular_radps: 0.5, duration: Some(seconds(2.0)) };
    assert!(home.ask(drive).is_ok());
    home.run(1.0);
    let at = home.pose();
    assert!(home.run(6.0).pose().distance_to(at.x_m, at.y_m) < 0.05, "it turns and stands");
    home.until("goto:Kitchen succeeded", 60.0);
    assert!(home.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
    home.received.clear();
    home.task("goto", &[("to", "Sofa")]).run(20.0);
    assert_eq!(home.published(), "confirmed", "it waits until it may drive");
    assert!(home.ask(Command::ControlMode(ControlMode::Auto)).is_ok());
    home.until("goto:Sofa succeeded", 60.0);
}

#[test]
fn it_drives_to_places_points_and_its_charger() {
    let charger = "[[chargers]]\nname = \"c\"\nposition_m = [3.0, 4.4]\nyaw_deg = 90.0\n";
    let mut home = Home::new(&format!("{ROOM}{charger}"), 1.0, 1.0, Behaviour::Stand);
    home.run(0.5);
    let go = |destination| Command::Navigate(NavigationGoal::to(destination));
    assert_eq!(home.ask(go(Destination::Place("sofa".into()))), Outcome::Accepted);
    home.run(30.0);
    assert!(home.pose().distance_to(1.0, 4.0) < 0.15, "{:?}", home.pose());
    assert!(home.ask(go(Destination::Point { x_m: 3.0, y_m: 2.0, yaw_rad: Some(1.0) })).is_ok());
    home.run(30.0);
    assert!(home.pose().distance_to(3.0, 2.0) < 0.15 && (home.pose().yaw_rad - 1.0).abs() < 0.1);
    assert!(home.ask(go(Destination::Charger { pose: None, retries: 1 })).is_ok());
    home.run(60.0);
    let published = home.signals(Kind::Navigation);
    let states: Vec<String> =
        published.iter().map(|it| it.field("state").unwrap().as_str().unwrap().to_owned()).collect();
    assert_eq!(states.iter().filter(|it| *it == "succeeded").count(), 3, "{states:?}");
    assert!(home.pose().distance_to(3.0, 4.4) < 0.1);
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        assert!(!home.ask(go(Destination::Point { x_m: bad, y_m: 1.0, yaw_rad: None })).is_ok());
    }
    assert!(!home.ask(go(Destination::Place("moon".into()))).is_ok());
    assert!(home.ask(go(Destination::Place("Shelf".into()))).is_ok());
    home.run(2.0);
    assert_eq!(home.ask(Command::CancelNavigation), Outcome::Done);
    home.run(0.1);
    let last = home.signals(Kind::Navigation).pop().unwrap().field("state").unwrap();
    assert_eq!(last.as_str(), Some("cancelled"));
}

#[test]
fn a_broken_gripper_camera_or_scanner_ends_the_task() {
    let mut home = Home::room();
    home.ask(fail("gripper"));
    home.task("bring", &[("object", "coke")]).until("found:coke pick:coke failed", 60.0);
    assert_eq!(home.at("coke"), Whereabouts::Place("Kitchen".into()));
    let mut home = Home::room();
    home.ask(fail("camera"));
    home.task("bring", &[("object", "coke")]).until("goto:Kitchen not_found:coke failed", 60.0);
    let mut home = Home::room();
    home.ask(fail("lidar"));
    home.task("goto", &[("to", "Kitchen")]).until("way_blocked:Kitchen failed", 60.0);
    assert!(home.pose().distance_to(1.0, 1.0) < 0.1, "it does not drive blindly");
    assert!(!home.ask(fail("nose")).is_ok());
    assert!(!home.ask(Stimulus::KeyPhrase { confidence_ratio: 1.0 }).is_ok());
}

#[test]
fn a_lost_pose_is_found_again_and_the_task_goes_on() {
    let mut home = Home::room();
    home.task("bring", &[("object", "coke")]).until("goto:Kitchen", 10.0).run(2.0);
    assert!(home.ask(Stimulus::LosePose { hold: None }).is_ok());
    home.until("succeeded", 150.0);
}

#[test]
fn it_is_lifted_and_bumped_and_put_elsewhere_and_still_comes() {
    let mut home = Home::room();
    home.task("bring", &[("object", "coke")]).until("goto:Kitchen", 10.0).run(2.0);
    let bump = Stimulus::Bump { part: PartName::of("bump_front_left"), hold: seconds(0.5) };
    assert!(home.ask(bump).is_ok());
    home.run(3.0);
    // Each of the three bumpers once at first, pressed and released.
    assert_eq!(home.signals(Kind::Contact).len(), 3 + 2);
    assert!(home.ask(Stimulus::Lift { hold: seconds(3.0) }).is_ok());
    assert!(home.ask(Stimulus::Place { x_m: 1.0, y_m: 3.0, yaw_rad: 2.0 }).is_ok());
    home.until("succeeded", 200.0);
}

#[test]
fn an_empty_battery_holds_it() {
    let mut home = Home::room();
    home.ask(Stimulus::Battery(0.0));
    home.run(0.5).task("goto", &[("to", "Kitchen")]).run(10.0);
    assert!(home.pose().distance_to(1.0, 1.0) < 0.01);
    home.ask(Stimulus::Battery(0.9));
    home.until("succeeded", 60.0);
}

#[test]
fn thousands_of_tasks_and_huge_words_are_refused() {
    let mut home = Home::room();
    let huge = "x".repeat(1 << 20);
    for request in [
        request(&huge, "bring", &[("object", "coke")]),
        request("T", &huge, &[]),
        request("T", "bring", &[("object", &huge)]),
        TaskRequest { id: String::new(), ..request("T", "bring", &[("object", "coke")]) },
        TaskRequest { asker: Some(huge.clone()), ..request("T", "bring", &[("object", "coke")]) },
    ] {
        assert!(matches!(home.ask(Command::Task(request)), Outcome::Refused(_)));
    }
    let mut taken = 0;
    for i in 0..3_000 {
        taken +=
            u32::from(home.ask(Command::Task(request(&format!("T{i}"), "goto", &[("to", "Sofa")]))).is_ok());
    }
    assert_eq!(taken, 16);
    for i in 0..3_000 {
        home.ask(Command::CancelTask(format!("T{i}")));
    }
    home.run(1.0);
    let bytes = home.tasks().map(|it| it.id.len() + it.kind.len()).max().unwrap();
    assert!(bytes < 500);
    home.task("goto", &[("to", "Sofa")]).until("goto:Sofa succeeded", 60.0);
}

fn nonsense() -> impl Strategy<Value = Command> {
    let number = || prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-1e300), -20.0..20.0_f64];
    let word = || prop_oneof![Just("coke"), Just("Kitchen"), Just("user"), Just(""), Just("\u{0}\u{feff}")];
    let kind =
        prop_oneof![Just("bring"), Just("clean"), Just("memorize"), Just("greet"), Just("goto"), Just("x")];
    let id = prop_oneof![Just("A"), Just("B"), Just("C")];
    let task =
        (id, kind, word(), word(), word(), any::<u8>()).prop_map(|(id, kind, object, from, to, priority)| {
            let parameters = [("object", object), ("from", from), ("to", to)];
            Command::Task(TaskRequest { priority, ..request(id, kind, &parameters) })
        });
    let point = (number(), number(), proptest::option::of(number()));
    let navigate = point.prop_map(|(x_m, y_m, yaw_rad)| {
        Command::Navigate(NavigationGoal::to(Destination::Point { x_m, y_m, yaw_rad }))
    });
    prop_oneof![
        4 => task,
        1 => navigate,
        1 => (number(), number(), number()).prop_map(|(x_m, y_m, yaw_rad)| Command::SetPose { x_m, y_m, yaw_rad }),
        1 => any::<bool>().prop_map(Command::EmergencyStop),
        1 => Just(Command::CancelTask("A".into())),
        1 => Just(Command::Stop { hold: true }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(24)))]
    #[test]
    fn nonsense_does_no_harm(commands in proptest::collection::vec(prop_oneof![9 => nonsense().prop_map(Input::from), 3 => asked()], 1..20)) {
        let mut home = Home::room();
        for command in commands {
            home.ask(command);
            home.run(0.7);
        }
        let pose = home.pose();
        prop_assert!(pose.is_finite() && (0.0..=7.0).contains(&pose.x_m) && (0.0..=5.0).contains(&pose.y_m));
        let published = home.published();
        prop_assert!(!published.contains("unforeseen"), "{}", published);
        for task in home.tasks() {
            let unforeseen = task.reason.as_ref().is_some_and(|it| it.contains("unforeseen"));
            prop_assert!(!unforeseen, "{:?}", task);
        }
        for update in &home.received {
            prop_assert!(crate::hostile::is_sane(&update.signal.to_value()), "{:?}", update);
        }
    }
}

#[test]
fn the_same_world_publishes_the_same_updates() {
    let story = || {
        let mut home = Home::room();
        home.put("coke", "Sofa").task("bring", &[("object", "coke")]).run(90.0);
        home.received.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>()
    };
    let (one, two) = (story(), story());
    assert_eq!(one.len(), two.len());
    assert!(one == two);
}

#[test]
fn it_wanders_about_and_still_does_its_tasks() {
    let mut home = Home::new(&format!("{ROOM}{ANNA}"), 1.0, 2.0, Behaviour::Wander);
    home.run(30.0);
    let at = home.pose();
    assert!(at.distance_to(1.0, 2.0) > 0.3 || at.yaw_rad.abs() > 0.3, "it does not stand: {at:?}");
    home.task("bring", &[("object", "coke")]).until("succeeded", 200.0);
    let pressed = home.signals(Kind::Contact).len();
    assert!(pressed < 10, "{pressed} bumps");
}

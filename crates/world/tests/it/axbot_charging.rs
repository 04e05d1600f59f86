//! The delivery chassis and its charger.

use latimer_core::model::signal::{NavigationFailure, NavigationState};
use latimer_core::model::{Destination, Kind};
use latimer_core::{Outcome, PartName, Timestamp};
use latimer_simulator_api::Stimulus;
use latimer_world::{Behaviour, Habits, Pose2, Start, World, WorldFile};

use crate::axbot::{arrive, builtin, codes, go, point};
use crate::lab::{Lab, id, seconds};
#[test]
fn it_goes_to_the_charger_and_the_alert_goes() {
    let mut lab = builtin("demo", 10.0, 2.6, 0.0);
    assert_eq!(lab.poke(Stimulus::Battery(0.1)), Outcome::Done);
    lab.run(1.0);
    assert_eq!(codes(&lab), [8501]);
    assert_eq!(lab.poke(Stimulus::Battery(0.04)), Outcome::Done);
    lab.run(1.0);
    assert_eq!(codes(&lab), [8003, 8501]);
    go(&mut lab, Destination::Charger { pose: None, retries: 3 });
    let end = arrive(&mut lab, 120);
    assert_eq!(end.state, NavigationState::Succeeded, "{end:?}");
    lab.run(1.0);
    assert_eq!(lab.last(Kind::Battery, "").field("state").unwrap().as_str(), Some("charging"));
    assert_eq!(lab.poke(Stimulus::Battery(0.5)), Outcome::Done);
    lab.run(1.0);
    assert!(codes(&lab).is_empty());
    go(&mut lab, Destination::Charger { pose: None, retries: 3 });
    assert_eq!(arrive(&mut lab, 3).failure_code, Some(104), "it charges already");
    go(&mut lab, point(10.0, 2.6, None));
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded, "it leaves the charger");
}

#[test]
fn a_charger_without_current_is_reported_by_its_code() {
    let mut lab = builtin("warehouse", 8.6, 1.5, 1.5);
    let fail = Stimulus::Fail { part: PartName::of("charger"), hold: seconds(600.0) };
    assert_eq!(lab.poke(fail), Outcome::Done);
    go(&mut lab, Destination::Charger { pose: Some([8.6, 0.5, std::f64::consts::FRAC_PI_2]), retries: 1 });
    let end = arrive(&mut lab, 200);
    assert_eq!((end.failure, end.failure_code), (Some(NavigationFailure::DockFailed), Some(105)), "{end:?}");
    let target = end.target.as_ref().map(|it| [it.x_m, it.y_m]);
    assert_eq!(target, Some([8.6, 0.5]), "the charger is where it was sent, not the place before it");
    assert_eq!(codes(&lab), [10_003]);
}

#[test]
fn a_robot_sent_to_charge_stays_until_it_is_full() {
    let text = "name = \"hall\"\nsize_m = [10.0, 6.0]\n\
                [[chargers]]\nname = \"home\"\nposition_m = [0.6, 1.0]\nyaw_deg = 180.0\n";
    let mut world = World::new(WorldFile::parse(text).unwrap(), 42).unwrap();
    let round = Habits { route_m: vec![[3.0, 3.0], [6.0, 3.0]], ..Behaviour::Patrol.into() };
    world.add_robot(id("m"), "axbot", Start::At(Pose2::new(3.0, 3.0, 0.0)), round).unwrap();
    let mut lab = Lab { world, now: Timestamp::from_nanos(1_700_000_000_000_000_000), received: Vec::new() };
    lab.run(1.0);
    let charge = Destination::Charger { pose: None, retries: 3 };
    go(&mut lab, charge);
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
    let state = |lab: &Lab| {
        lab.last(Kind::Battery, "").field("state").and_then(|it| Some(it.as_str()?.to_owned())).unwrap()
    };
    lab.run(20.0);
    assert_eq!(state(&lab), "charging");
    assert!(lab.poke(Stimulus::Battery(1.0)).is_ok());
    lab.run(20.0);
    assert_eq!(state(&lab), "discharging", "its round goes on");
}

//! Limits of speed, which clients set.

use latimer_core::Outcome;
use latimer_core::model::signal::{NavigationState, SpeedLimits};
use latimer_core::model::{Command, Kind, Signal};
use latimer_dialects::axbot::calls::DriveLimits;
use latimer_dialects::describe::Call as _;

use crate::axbot::{arrive, go, hall, point};
use crate::lab::{Lab, own};

fn ahead(mps: f64) -> Command {
    own(DriveLimits::from(SpeedLimits { forward_mps: Some(mps), ..SpeedLimits::NONE }))
}

#[test]
fn it_drives_as_fast_as_its_limits_say() {
    let fastest = |limit: Option<f64>| {
        let mut lab = hall("");
        if let Some(mps) = limit {
            assert_eq!(lab.ask(ahead(mps)), Outcome::Done);
        }
        go(&mut lab, point(8.0, 3.0, None));
        lab.run(5.0);
        let speeds = lab.all(Kind::Velocity, "measured");
        let speeds = speeds.iter().filter_map(|it| match it {
            Signal::Velocity(it) => it.linear_mps,
            _ => None,
        });
        speeds.fold(0.0, f64::max)
    };
    assert!((0.7..0.85).contains(&fastest(None)), "{}", fastest(None));
    assert!((0.25..0.35).contains(&fastest(Some(0.3))), "{}", fastest(Some(0.3)));
    assert!(fastest(Some(0.0)) < 0.01, "{}", fastest(Some(0.0)));
}

#[test]
fn a_slow_chassis_keeps_to_its_way_and_arrives() {
    let mut lab = hall("");
    let limits = SpeedLimits { forward_mps: Some(0.3), angular_radps: Some(0.4), ..SpeedLimits::NONE };
    assert_eq!(lab.ask(own(DriveLimits::from(limits))), Outcome::Done);
    go(&mut lab, point(4.0, 4.5, Some(1.5)));
    assert_eq!(arrive(&mut lab, 60).state, NavigationState::Succeeded);
    assert!(lab.pose().distance_to(4.0, 4.5) < 0.12, "{:?}", lab.pose());
}

#[test]
fn limits_are_published_and_bad_ones_refused() {
    let mut lab = hall("");
    let published = |lab: &Lab| match lab.last(Kind::DriveLimits, "") {
        Signal::DriveLimits(it) => it.clone(),
        other => panic!("{other:?}"),
    };
    let first = published(&lab);
    assert_eq!((first.present.forward_mps, first.default.forward_mps), (Some(0.8), Some(0.8)));
    assert_eq!(lab.ask(ahead(0.5)), Outcome::Done);
    lab.run(0.1);
    let set = published(&lab);
    assert_eq!((set.present.forward_mps, set.default.forward_mps), (Some(0.5), Some(0.8)));
    assert_eq!(set.present.angular_radps, first.present.angular_radps);
    let Outcome::Refused(refusal) = lab.ask(ahead(5.0)) else { panic!("it was taken") };
    assert!(refusal.reason.contains("must be from 0 to 0.8"), "{refusal}");
    for bad in [-0.1, f64::NAN] {
        let limits = SpeedLimits { forward_mps: Some(bad), ..SpeedLimits::NONE };
        assert!(DriveLimits::from(limits).command().is_err(), "{bad} is no limit of any robot");
    }
    lab.run(2.0);
    assert_eq!(published(&lab), set);
}

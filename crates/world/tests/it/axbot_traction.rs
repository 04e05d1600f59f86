//! How wheels hold the floor: twists that come too slowly, walls, and what the chassis publishes of it.

use latimer_core::Outcome;
use latimer_core::model::signal::{ControlMode, SpeedLimits};
use latimer_core::model::{Command, Kind, Signal};
use latimer_dialects::axbot::calls::DriveLimits;
use latimer_simulator_api::Stimulus;

use crate::axbot::{codes, go, hall, point};
use crate::lab::{Lab, own, seconds};

/// Drives ahead by hand for a while, with so many commands a second that each hold as a twist does.
fn twist(lab: &mut Lab, rate_hz: f64, mps: f64, for_s: f64) {
    let period_s = 1.0 / rate_hz;
    for _ in 0..(for_s * rate_hz) as u32 {
        let duration = Some(seconds(0.22));
        let drive = Command::Drive { linear_mps: mps, angular_radps: 0.0, duration };
        assert_eq!(lab.ask(drive), Outcome::Accepted);
        lab.run(period_s);
    }
}

/// How fast its wheels ran since that was forgotten: the least and the most, m/s.
fn wheels_mps(lab: &Lab) -> [f64; 2] {
    let measured = lab.all(Kind::Velocity, "measured");
    let speeds = measured.iter().filter_map(|it| it.field("linear_mps")?.as_f64());
    speeds.fold([f64::INFINITY, 0.0], |[least, most], it| [least.min(it), most.max(it)])
}

#[test]
fn twists_that_come_too_slowly_stall_the_base_and_faster_ones_do_not() {
    let drives = |rate_hz: f64| {
        let mut lab = hall("");
        assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
        twist(&mut lab, rate_hz, 0.2, 2.0);
        lab.forget();
        let from_m = lab.pose().x_m;
        twist(&mut lab, rate_hz, 0.2, 4.0);
        (lab.pose().x_m - from_m, wheels_mps(&lab))
    };
    for rate_hz in [20.0, 10.0, 5.0] {
        let (way_m, [least, _]) = drives(rate_hz);
        assert!((0.78..0.82).contains(&way_m) && least > 0.19, "{rate_hz} a second: {way_m} m, {least} m/s");
    }
    let (way_m, [least, most]) = drives(2.0);
    assert!(least < 0.01 && most > 0.1 && way_m < 0.3, "it goes in jerks: {way_m} m, {least} to {most} m/s");
}

#[test]
fn a_base_that_presses_against_a_wall_draws_stall_current_and_says_so() {
    let mut lab = hall("");
    assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
    let current_a = |lab: &Lab| -lab.number(Kind::Battery, "", "current_a");
    assert!(lab.poke(Stimulus::Place { x_m: 9.2, y_m: 3.0, yaw_rad: 0.0 }).is_ok());
    lab.run(1.0);
    assert!(current_a(&lab) < 5.0 && codes(&lab).is_empty(), "{} A, {:?}", current_a(&lab), codes(&lab));
    twist(&mut lab, 20.0, 0.3, 6.0);
    let pressed = lab.pose();
    assert!((9.6..9.7).contains(&pressed.x_m), "it is at the wall: {pressed:?}");
    assert!((30.0..31.0).contains(&current_a(&lab)), "{} A", current_a(&lab));
    assert_eq!(codes(&lab), [2002]);
    assert!(lab.hazards().contains(&"motor_stall:wheels".to_owned()), "{:?}", lab.hazards());
    lab.forget();
    twist(&mut lab, 20.0, -0.2, 3.0);
    assert!(pressed.x_m - lab.pose().x_m > 0.3, "it is free again");
    assert!(codes(&lab).is_empty() && current_a(&lab) < 6.0, "{} A, {:?}", current_a(&lab), codes(&lab));
}

#[test]
fn it_publishes_whether_it_stands_and_how_fast_it_may_go() {
    let mut lab = hall("");
    let traction = |lab: &Lab| match lab.last(Kind::Traction, "") {
        Signal::Traction(it) => it.clone(),
        other => panic!("{other:?}"),
    };
    let at_rest = traction(&lab);
    assert_eq!(
        (at_rest.still, at_rest.wheels_still, at_rest.body_still),
        (Some(true), Some(true), Some(true))
    );
    assert_eq!(
        (at_rest.slipping, at_rest.pushed, at_rest.suggested_mps),
        (Some(false), Some(false), Some(0.8))
    );
    assert_eq!(
        lab.ask(own(DriveLimits::from(SpeedLimits { forward_mps: Some(0.3), ..SpeedLimits::NONE }))),
        Outcome::Done
    );
    go(&mut lab, point(6.0, 3.0, None));
    lab.run(3.0);
    let on_the_way = traction(&lab);
    assert_eq!((on_the_way.still, on_the_way.suggested_mps), (Some(false), Some(0.3)));
    assert_eq!(lab.ask(Command::EmergencyStop(true)), Outcome::Done);
    lab.run(3.0);
    let stopped = traction(&lab);
    assert_eq!((stopped.still, stopped.suggested_mps), (Some(true), Some(0.0)));
}

//! Edges stop the robot before it falls; in the air there is no floor.

use latimer_core::Outcome;
use latimer_core::model::signal::{Limit, MotionState, RangeStatus};
use latimer_core::model::{Command, Kind, Signal};
use latimer_simulator_api::Stimulus;

use crate::lab::{Lab, lab, seconds};

const PIT: &str = "[[drops]]\npolygon_m = [[4.0, 0.0], [6.0, 0.0], [6.0, 6.0], [4.0, 6.0]]\ndepth_m = ";

fn cliff(lab: &Lab, part: &str) -> (RangeStatus, Option<i64>, Option<f64>) {
    match lab.last(Kind::Cliff, part) {
        Signal::Cliff(cliff) => (cliff.0.status, cliff.0.status_code, cliff.0.distance_m),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_edge_stops_the_robot_even_at_full_speed() {
    let mut lab = lab(&format!("{PIT}1.0"), 2.0, 3.0, 0.0);
    lab.drive(0.45, 0.0);
    lab.run(1.0);
    assert_eq!(cliff(&lab, "front_left").0, RangeStatus::Valid);
    lab.run(5.0);
    let pose = lab.pose();
    assert!((3.85..3.99).contains(&pose.x_m), "front over the edge, middle before it: {pose:?}");
    assert_eq!(cliff(&lab, "front_left"), (RangeStatus::NothingInView, Some(206), None));
    assert_eq!(cliff(&lab, "back_left").0, RangeStatus::Valid);
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Halted]);
    assert!(lab.hazards().contains(&"range:cliff_front_right".to_owned()), "{:?}", lab.hazards());
    assert!(matches!(lab.drive(0.1, 0.0), Outcome::Refused(_)));
    assert_eq!(lab.drive(-0.2, 0.0), Outcome::Accepted);
    lab.run(2.0);
    assert!(lab.hazards().is_empty());
}

#[test]
fn a_stair_is_too_far_and_a_sill_is_measured() {
    let mut stair = lab(&format!("{PIT}0.18"), 3.9, 3.0, 0.0);
    stair.run(0.2);
    assert_eq!(cliff(&stair, "front_right").1, Some(213));
    let mut sill = lab(&format!("{PIT}0.02"), 3.9, 3.0, 0.0);
    sill.run(0.2);
    let (status, _, distance) = cliff(&sill, "front_right");
    assert_eq!(status, RangeStatus::Valid);
    assert!((distance.unwrap() - 0.055).abs() < 0.008, "{distance:?}");
}

#[test]
fn backing_over_an_edge_stops_too() {
    let mut lab = lab(&format!("{PIT}1.0"), 3.0, 3.0, 180.0);
    lab.drive(-0.45, 0.0);
    lab.run(5.0);
    assert!(lab.pose().x_m < 3.995, "{:?}", lab.pose());
    assert!(matches!(lab.drive(-0.1, 0.0), Outcome::Refused(_)));
    assert_eq!(lab.drive(0.1, 0.0), Outcome::Accepted);
}

#[test]
fn without_edge_sensors_it_falls_and_can_be_put_back() {
    let mut lab = lab(&format!("{PIT}1.0"), 3.0, 3.0, 0.0);
    let off = |part: &str| Limit { part: part.into(), threshold_m: 0.0 };
    let ranges =
        ["cliff_front_right", "cliff_front_left", "cliff_back_right", "cliff_back_left"].map(off).to_vec();
    lab.ask(Command::HazardSettings { revert: false, bumpers: vec![], ranges });
    lab.drive(0.3, 0.0);
    lab.run(6.0);
    assert_eq!(lab.motions().last(), Some(&MotionState::Failed));
    let Signal::Imu(imu) = lab.last(Kind::Imu, "") else { panic!() };
    assert!(imu.orientation.unwrap().pitch_rad > 0.5, "it lies on its nose");
    assert!(matches!(lab.drive(-0.1, 0.0), Outcome::Refused(why) if why.reason.contains("put it elsewhere")));
    assert_eq!(lab.poke(Stimulus::Place { x_m: 1.0, y_m: 1.0, yaw_rad: 0.0 }), Outcome::Done);
    lab.run(0.2);
    assert_eq!(lab.drive(0.1, 0.0), Outcome::Accepted);
}

#[test]
fn a_lifted_robot_has_no_floor_and_free_tracks() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.run(0.2);
    lab.poke(Stimulus::Lift { hold: seconds(2.0) });
    lab.run(0.3);
    assert_eq!(cliff(&lab, "back_right"), (RangeStatus::NothingInView, Some(206), None));
    assert!(matches!(lab.drive(0.2, 0.0), Outcome::Refused(_)), "front edges are hazards in the air");
    let before = lab.number(Kind::Velocity, "measured", "angular_radps");
    assert_eq!(lab.drive(0.0, 0.8), Outcome::Accepted, "turning is not forbidden");
    lab.run(1.0);
    assert!(before.abs() < 1e-6 && lab.number(Kind::Velocity, "measured", "angular_radps") > 0.7);
    assert!(lab.pose().yaw_rad.abs() < 1e-3, "the tracks run, the robot does not turn");
    let shaken = lab.all(Kind::Imu, "").iter().rev().take(40).any(|signal| match signal {
        Signal::Imu(imu) => imu.linear_acceleration.as_ref().is_some_and(|it| (it.z_mps2 - 9.81).abs() > 0.5),
        _ => false,
    });
    assert!(shaken);
    lab.stop();
    lab.run(2.0);
    assert_eq!(cliff(&lab, "back_right").0, RangeStatus::Valid);
}

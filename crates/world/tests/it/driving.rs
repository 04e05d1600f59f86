//! Driving does what was asked, and the robot's own sensors agree with where it went.

use std::f64::consts::{FRAC_PI_2, PI};

use latimer_core::Outcome;
use latimer_core::model::signal::{ControlMode, MotionState};
use latimer_core::model::{Command, Kind, Signal, TrackSpeeds};

use crate::lab::{Lab, lab, lab_of, own, seconds};
use latimer_dialects::misty::calls::{DriveArc, DriveHeading};

fn encoders(lab: &Lab) -> (f64, f64) {
    match lab.last(Kind::Encoders, "") {
        Signal::Encoders(it) => (it.left.rotation_rad.unwrap(), it.right.rotation_rad.unwrap()),
        other => panic!("{other:?}"),
    }
}

fn imu_yaw(lab: &Lab) -> f64 {
    match lab.last(Kind::Imu, "") {
        Signal::Imu(imu) => imu.orientation.unwrap().yaw_rad,
        other => panic!("{other:?}"),
    }
}

#[test]
fn encoders_agree_with_the_way() {
    let mut lab = lab("", 1.0, 3.0, 0.0);
    let duration = Some(seconds(5.0));
    assert_eq!(lab.ask(Command::Drive { linear_mps: 0.3, angular_radps: 0.0, duration }), Outcome::Accepted);
    lab.run(6.0);
    let way = lab.pose().x_m - 1.0;
    assert!((way - 1.5).abs() < 0.08, "0.3 m/s for 5 s, ramps included: {way}");
    let (left, right) = encoders(&lab);
    assert!(
        (left * 0.036 - way).abs() < 0.002 && (right * 0.036 - way).abs() < 0.002,
        "{left} {right} {way}"
    );
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Succeeded]);
    assert_eq!(lab.number(Kind::Velocity, "commanded", "linear_mps"), 0.0);
    let odom = lab.number(Kind::Pose, "", "x_m");
    assert!((odom - way).abs() < 0.01, "{odom} {way}");
}

#[test]
fn the_gyroscope_agrees_with_the_turn() {
    let mut lab = lab("", 3.0, 3.0, 30.0);
    lab.run(0.1);
    assert!(imu_yaw(&lab).abs() < 0.01, "a robot calls its first heading 0");
    lab.drive(0.0, 1.0);
    lab.run(2.0);
    lab.stop();
    lab.run(0.5);
    let turned = lab.pose().yaw_rad - 30.0_f64.to_radians();
    assert!((turned - 2.0).abs() < 0.15, "{turned}");
    assert!((imu_yaw(&lab) - turned).abs() < 0.01, "{} {turned}", imu_yaw(&lab));
    let pose = lab.pose();
    assert!(pose.distance_to(3.0, 3.0) < 0.01, "it turned on the spot: {pose:?}");
}

#[test]
fn speeds_are_held_to_what_the_robot_can() {
    let mut lab = lab("", 0.5, 3.0, 0.0);
    lab.drive(3.0, 0.0);
    lab.run(3.0);
    let speed = lab.number(Kind::Velocity, "measured", "linear_mps");
    assert!((speed - 0.45).abs() < 0.01, "{speed}");
}

#[test]
fn a_line_goes_where_it_says_in_its_time() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.run(0.1);
    let (heading_rad, distance_m) = (FRAC_PI_2, 1.0);
    let duration_s = seconds(8.0);
    lab.ask(own(DriveHeading { heading_rad, distance_m, duration_s, reverse: false }));
    lab.run(6.5);
    assert_eq!(lab.motions(), [MotionState::Moving]);
    lab.run(2.5);
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Succeeded]);
    let pose = lab.pose();
    assert!(pose.distance_to(3.0, 4.0) < 0.03 && (pose.yaw_rad - FRAC_PI_2).abs() < 0.05, "{pose:?}");
    lab.ask(own(DriveHeading { heading_rad, distance_m, duration_s, reverse: true }));
    lab.run(10.0);
    assert!(lab.pose().distance_to(3.0, 3.0) < 0.04, "{:?}", lab.pose());
}

#[test]
fn an_arc_is_a_part_of_a_circle() {
    let mut lab = lab("", 3.0, 2.0, 0.0);
    lab.run(0.1);
    let duration_s = seconds(9.0);
    lab.ask(own(DriveArc { heading_rad: PI - 0.01, radius_m: 0.5, duration_s, reverse: false }));
    lab.run(11.0);
    let pose = lab.pose();
    assert!(pose.distance_to(3.0, 3.0) < 0.06, "half a circle of 1 m: {pose:?}");
    assert_eq!(lab.motions().last(), Some(&MotionState::Succeeded));
}

#[test]
fn tracks_run_as_commanded() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.ask(Command::DriveTracks(TrackSpeeds { left_mps: 0.1, right_mps: 0.2 }));
    lab.run(2.0);
    let turn = lab.number(Kind::Velocity, "measured", "angular_radps");
    assert!((turn - 0.5).abs() < 0.02, "{turn}");
}

#[test]
fn turning_too_fast_is_a_hazard() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.ask(Command::DriveTracks(TrackSpeeds { left_mps: -0.4, right_mps: 0.4 }));
    lab.run(1.0);
    let overspeed =
        |signal: &&Signal| format!("{signal:?}").contains("Overspeed, part: \"drive_left\", active: true");
    assert!(lab.all(Kind::Hazard, "").iter().any(overspeed));
    assert_eq!(lab.motions().last(), Some(&MotionState::Halted));
    assert!(lab.number(Kind::Velocity, "measured", "angular_radps").abs() < 0.01);
}

#[test]
fn stop_and_halt_are_published_every_time() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.run(0.1);
    lab.stop();
    lab.run(0.1);
    assert_eq!(lab.motions(), [MotionState::Halted], "even if it stands");
    lab.drive(0.2, 0.0);
    lab.run(1.0);
    lab.ask(Command::Halt { motor_mask: None });
    lab.run(0.5);
    assert_eq!(lab.motions().last(), Some(&MotionState::Halted));
    assert!(lab.number(Kind::Velocity, "measured", "linear_mps").abs() < 1e-6);
}

#[test]
fn commanded_speed_is_published_on_change_only() {
    let mut lab = lab("", 1.0, 3.0, 0.0);
    lab.run(1.0).forget();
    lab.run(2.0);
    assert_eq!(lab.all(Kind::Velocity, "commanded").len(), 0);
    lab.drive(0.2, 0.0);
    lab.run(2.0);
    lab.drive(0.2, 0.1);
    lab.run(2.0);
    lab.stop();
    lab.run(1.0);
    assert_eq!(lab.all(Kind::Velocity, "commanded").len(), 3);
}

#[test]
fn boxes_can_be_pushed() {
    let parcel = "[[boxes]]\ncenter_m = [4.0, 3.0]\nsize_m = [0.3, 0.3]\nmovable = true\nmass_kg = 0.5";
    let mut lab = lab(parcel, 3.0, 3.0, 0.0);
    let off = |part: &str| latimer_core::model::signal::Switch { part: part.into(), enabled: false };
    let bumpers = vec![off("bump_front_left"), off("bump_front_right")];
    lab.ask(Command::HazardSettings { revert: false, bumpers, ranges: Vec::new() });
    lab.drive(0.3, 0.0);
    lab.run(5.0);
    assert!(lab.pose().x_m > 4.0, "it drove on through where the box was: {:?}", lab.pose());
}

#[test]
fn a_speed_of_zero_is_a_halt() {
    for kind in ["misty", "miro", "pera", "robotkoop", "axbot"] {
        let mut lab = lab_of(kind, "", 3.0, 3.0, 0.0);
        if kind == "axbot" {
            assert!(lab.ask(Command::ControlMode(ControlMode::Remote)).is_ok());
        }
        assert!(lab.drive(0.1, 0.0).is_ok(), "{kind}");
        lab.run(0.3);
        assert!(lab.drive(0.0, 0.0).is_ok(), "{kind}");
        lab.run(0.3);
        assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Halted], "{kind}");
    }
}

//! Head and arms.

use latimer_core::model::{Command, JointPosition, JointTarget, Kind};
use latimer_core::{Outcome, PartName};

use crate::lab::{lab, seconds};

fn to(part: &str, position_rad: f64, velocity_radps: Option<f64>) -> JointTarget {
    JointTarget {
        part: PartName::of(part),
        position: JointPosition::angle(position_rad),
        velocity_radps,
        duration: None,
    }
}

#[test]
fn joints_move_at_the_commanded_speed_and_clamp() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.ask(Command::Joints(vec![to("head_yaw", 1.0, Some(0.5)), to("arm_right", -9.0, Some(1.0))]));
    lab.run(1.0);
    let yaw = lab.number(Kind::Joint, "head_yaw", "position_rad");
    assert!((yaw - 0.5).abs() < 0.03, "{yaw}");
    assert_eq!(lab.number(Kind::Joint, "head_yaw", "velocity_radps"), 0.5);
    lab.run(1.5);
    assert!((lab.number(Kind::Joint, "head_yaw", "position_rad") - 1.0).abs() < 1e-9);
    let arm = lab.number(Kind::Joint, "arm_right", "position_rad");
    assert!((arm - (-29.0_f64).to_radians()).abs() < 1e-9, "{arm}");
}

#[test]
fn a_duration_is_kept() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    let target = JointTarget { duration: Some(seconds(2.0)), ..to("head_pitch", -0.6, None) };
    lab.ask(Command::Joints(vec![target]));
    lab.run(1.0);
    assert!((lab.number(Kind::Joint, "head_pitch", "position_rad") + 0.3).abs() < 0.03);
}

#[test]
fn one_bad_target_moves_none() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    let answer = lab.ask(Command::Joints(vec![to("head_yaw", 1.0, None), to("tail", 0.1, None)]));
    assert!(matches!(answer, Outcome::Refused(why) if why.reason.contains("head_pitch")));
    lab.run(1.0);
    assert_eq!(lab.number(Kind::Joint, "head_yaw", "position_rad"), 0.0);
}

#[test]
fn halt_stops_the_joints_and_a_drive_mask_does_not() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.ask(Command::Joints(vec![to("head_yaw", 1.0, Some(0.2))]));
    lab.run(1.0);
    lab.ask(Command::Halt { motor_mask: Some(6) });
    lab.run(1.0);
    let moving = lab.number(Kind::Joint, "head_yaw", "position_rad");
    assert!(moving > 0.35, "{moving}");
    lab.ask(Command::Halt { motor_mask: None });
    lab.run(1.0);
    assert!((lab.number(Kind::Joint, "head_yaw", "position_rad") - moving).abs() < 0.03);
}

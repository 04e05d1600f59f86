//! What fields mean.

use latimer_ros1::msgs::geometry_msgs::{Pose2D, Twist, Vector3};

use super::*;
use crate::miro::messages::signals::WHEEL_TRACK_MM;

fn vector(x: f64, z: f64) -> Vector3 {
    Vector3 { x, y: 0.0, z }
}

fn twist(linear: f64, angular: f64) -> Twist {
    Twist { linear: vector(linear, 7.0), angular: Vector3 { x: 7.0, y: 7.0, z: angular } }
}

fn control(body_vel: Twist) -> PlatformControl {
    PlatformControl { body_vel, ..PlatformControl::default() }
}

#[test]
fn nothing_said_is_nothing_asked() {
    let nothing = Control { cosmetics: [Some(0.0); 4], ..Control::default() };
    assert_eq!(control_from_wire(&PlatformControl::default()), nothing);
}

#[test]
fn single_wheels_are_driven_as_the_specification_s_example_says() {
    let (left, right) = (-100.0, 50.0);
    let message = control(twist((left + right) / 2.0, (right - left) / WHEEL_TRACK_MM));
    let (linear, angular) = control_from_wire(&message).speeds.unwrap();
    assert!((linear + 0.025).abs() < 1e-12 && (angular - 0.150 / 0.164).abs() < 1e-12);
    assert!((linear - angular * 0.082 + 0.1).abs() < 1e-12, "the left wheel");
    assert!((linear + angular * 0.082 - 0.05).abs() < 1e-12, "the right wheel");
    let other =
        Twist { linear: Vector3 { x: 0.0, y: 5.0, z: 5.0 }, angular: Vector3 { x: 5.0, y: 5.0, z: 0.0 } };
    assert_eq!(control_from_wire(&control(other)).speeds, None, "other elements are ignored");
}

#[test]
fn joints_have_their_special_numbers() {
    let message = PlatformControl {
        body_config: [0.0, 42.0, 43.0, 0.1],
        body_config_speed: [0.0, -1.0, -1.0, 0.5],
        ..PlatformControl::default()
    };
    let [tilt, lift, yaw, pitch] = control_from_wire(&message).joints;
    assert_eq!((tilt, yaw), (None, None));
    assert_eq!(lift, Some((17_f64.to_radians(), None)));
    let (angle, speed) = pitch.unwrap();
    assert!((angle - 0.1).abs() < 1e-6 && speed == Some(0.5));
    let absurd = PlatformControl {
        body_config: [0.0, 0.2, 500.0, -1e30],
        body_config_speed: [-1.0; 4],
        ..PlatformControl::default()
    };
    let [_, _, yaw, pitch] = control_from_wire(&absurd).joints;
    assert_eq!((yaw, pitch), (Some((TAU, None)), Some((-TAU, None))), "as far as it goes");
}

#[test]
fn shares_are_held_to_their_ranges() {
    let message = PlatformControl {
        tail: -3.0,
        ear_rotate: [2.0, -1.0],
        eyelid_closure: f32::INFINITY,
        blink_time: -10,
        ..PlatformControl::default()
    };
    let control = control_from_wire(&message);
    assert_eq!(control.cosmetics, [Some(-1.0), Some(1.0), Some(0.0), Some(1.0)]);
    assert_eq!(control.blink, Some((Duration::from_millis(200), true)));
    assert!(control.odd.is_empty());
    let most = control_from_wire(&PlatformControl { blink_time: i16::MIN, ..PlatformControl::default() });
    assert_eq!(most.blink, Some((Duration::from_millis(655_360), true)));
}

#[test]
fn a_body_move_is_in_metres_and_goes_on_only_by_its_flag() {
    let body_move = Pose2D { x: 600.0, y: -300.0, theta: 1.0 };
    let moves = |body_move_flags| {
        let body_move = body_move.clone();
        control_from_wire(&PlatformControl { body_move, body_move_flags, ..PlatformControl::default() })
            .move_to
    };
    let goes_on = MoveTo { x_m: 0.6, y_m: -0.3, yaw_rad: 1.0, start: false, absolute: false };
    assert_eq!(moves(0), None);
    assert_eq!(moves(1), None, "begun, and not to go on");
    assert_eq!(moves(2), Some(goes_on));
    assert_eq!(moves(3), Some(MoveTo { start: true, ..goes_on }));
    assert_eq!(moves(7), Some(MoveTo { start: true, absolute: true, ..goes_on }));
}

#[test]
fn what_is_no_number_is_named_and_not_obeyed() {
    let message = PlatformControl {
        body_vel: twist(f64::NAN, 1.0),
        body_config: [f32::NAN; 4],
        body_config_speed: [-1.0; 4],
        body_move_flags: 3,
        body_move: Pose2D { x: f64::INFINITY, y: 0.0, theta: 0.0 },
        tail: f32::NAN,
        ..PlatformControl::default()
    };
    let control = control_from_wire(&message);
    assert_eq!((control.speeds, control.move_to, control.joints), (None, None, [None; 4]));
    assert_eq!(control.cosmetics[0], None);
    for field in ["body_vel", "body_config", "body_move", "tail"] {
        assert!(control.odd.contains(&field), "{field}");
    }
}

#[test]
fn both_flags_make_a_pair() {
    let paired =
        |msg_flags| control_from_wire(&PlatformControl { msg_flags, ..PlatformControl::default() }).paired;
    assert_eq!([0, 1, 2, 3].map(paired), [false, false, false, true]);
}

#[test]
fn pictures_have_three_sizes_and_any_rate() {
    let config = |frame_size, frame_rate, reset| {
        camera_from_config(&PlatformConfig { frame_size, frame_rate, reset, ..PlatformConfig::default() })
    };
    assert_eq!(config(0, 0.0, false), (None, Vec::new()));
    let set = config(128, 12.5, false).0.unwrap();
    assert_eq!((set.size, set.rate_hz, set.part), (Some([128, 96]), Some(12.5), None));
    let usual = config(0, 0.0, true).0.unwrap();
    assert_eq!((usual.size, usual.rate_hz), (Some([320, 240]), Some(5.0)));
    for rate in [1e4, f32::INFINITY] {
        let (set, wrong) = config(0, rate, false);
        assert_eq!((set.unwrap().rate_hz, wrong.len()), (Some(1e3), 0), "the nearest that there is");
    }
    let (set, wrong) = config(640, 20.0, false);
    assert!(matches!(&wrong[..], [it] if it.contains("128, 192 or 320")), "{wrong:?}");
    let set = set.unwrap();
    assert_eq!((set.size, set.rate_hz), (None, Some(20.0)), "the rest is done");
    for rate in [f32::NAN, -1.0] {
        let (set, wrong) = config(192, rate, false);
        assert!(matches!(&wrong[..], [it] if it.contains("frame_rate")), "{wrong:?}");
        assert_eq!(set.unwrap().rate_hz, None);
    }
}

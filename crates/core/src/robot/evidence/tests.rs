use super::*;
use crate::model::signal::{Pose, Velocity, WheelEncoder};
use crate::model::{Destination, NavigationGoal, PartName, RobotId};

fn at(seconds: u64) -> Timestamp {
    Timestamp::default().after(Duration::from_secs(seconds))
}

#[test]
fn a_robot_moves_until_its_drive_is_over_or_it_took_a_stop() {
    let mut motion = Evidence::default();
    assert!(!motion.moves(at(0)));
    let drive = |duration| Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration };
    motion.commanded(&drive(Some(Duration::from_secs(2))), at(0));
    assert!(motion.moves(at(2)) && !motion.moves(at(4)));
    motion.commanded(&drive(None), at(4));
    assert!(motion.moves(at(4_000)), "it has no end");
    motion.commanded(&Command::Lamp { part: None, rgb: [0; 3] }, at(5));
    assert!(motion.moves(at(5)));
    motion.stopped(at(3));
    assert!(motion.moves(at(5)), "that stop was given before the drive");
    motion.stopped(at(5));
    assert!(!motion.moves(at(5)));
    motion.commanded(&Command::Navigate(NavigationGoal::to(Destination::Target)), at(6));
    assert!(motion.moves(at(600)));
}

#[test]
fn a_robot_whose_pose_changes_moves_and_one_whose_pose_trembles_does_not() {
    let mut motion = Evidence::default();
    let robot = RobotId::new("r").expect("a name");
    let mut observe_pose = |x_m, seconds| {
        let pose = Pose::planar(Frame::Map, x_m, 0.0, 0.0);
        motion.observe(&Update::now(&robot, at(seconds), pose.into()));
        motion.moves(at(seconds))
    };
    assert!(!observe_pose(1.0, 0), "it may have stood there for hours");
    assert!(!observe_pose(1.001, 1) && !observe_pose(1.0, 2));
    assert!(observe_pose(1.1, 3) && observe_pose(1.1, 4));
    assert!(!observe_pose(1.1, 6));
    assert!(observe_pose(1.2, 7));
    assert!(!motion.moves(at(20)) && motion.moved_when_heard(at(20)), "it fell silent while it moved");
}

#[test]
fn a_robot_whose_wheels_stand_does_not_move_when_it_corrects_its_pose_on_a_map() {
    let robot = RobotId::new("r").expect("a name");
    let moves = |part: &str, speed, frame| {
        let mut motion = Evidence::default();
        for second in 0..5 {
            let of = |signal: Signal| Update::now(&robot, at(second), signal);
            let velocity = of(Velocity::of(speed, 0.0).into());
            motion.observe(&Update { part: Some(PartName::of(part)), ..velocity });
            motion.observe(&of(Pose::planar(frame, second as f64 / 50.0, 0.0, 0.0).into()));
        }
        motion.moves(at(4))
    };
    assert!(!moves("measured", 0.0, Frame::Map));
    assert!(moves("measured", 0.02, Frame::Map));
    assert!(moves("measured", 0.0, Frame::Odom), "dead reckoning is of the wheels");
    assert!(moves("commanded", 0.0, Frame::Map), "a commanded speed of 0 is no measurement");
    let mut silent = Evidence::default();
    let measured = Update::now(&robot, at(0), Velocity::of(0.0, 0.0).into());
    silent.observe(&Update { part: Some(PartName::of("measured")), ..measured });
    for second in 3..5 {
        let pose = Pose::planar(Frame::Map, f64::from(second as u8) / 10.0, 0.0, 0.0);
        silent.observe(&Update::now(&robot, at(second), pose.into()));
    }
    assert!(silent.moves(at(4)), "what its wheels said is too long ago");
}

#[test]
fn a_robot_whose_wheels_turn_moves_until_they_stand() {
    let mut motion = Evidence::default();
    let robot = RobotId::new("r").expect("a name");
    let mut shows = |velocity_radps: Option<f64>, seconds| {
        let wheel = || WheelEncoder { velocity_radps, rotation_rad: Some(9.0) };
        let encoders = Encoders { left: wheel(), right: wheel() };
        motion.observe(&Update::now(&robot, at(seconds), encoders.into()));
        motion.shows(at(0), at(seconds))
    };
    assert_eq!(shows(None, 1), Shown::Unknown, "how far they turned says nothing by itself");
    assert_eq!((shows(Some(-6.0), 2), shows(Some(0.1), 3)), (Shown::Moves, Shown::Stands));
    shows(Some(6.0), 4);
    motion.stopped(at(4));
    assert_eq!(motion.shows(at(4), at(5)), Shown::Unknown, "it took a stop since");
}

#[test]
fn a_robot_that_reports_a_speed_moves_by_whatever_command() {
    let mut motion = Evidence::default();
    let robot = RobotId::new("r").expect("a name");
    let mut observe_velocity =
        |speed| motion.observe(&Update::now(&robot, at(0), Velocity::of(speed, 0.0).into()));
    observe_velocity(0.3);
    observe_velocity(0.0);
    assert!(!motion.moves(at(1)));
    motion.observe(&Update::now(&robot, at(0), Velocity::of(0.0, -0.5).into()));
    assert!(motion.moves(at(1)));
}

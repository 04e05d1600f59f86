//! Commands in, frames out.

use latimer_core::PartName;
use latimer_core::model::TrackSpeeds;

use super::*;

fn at(ms: u64) -> Timestamp {
    Timestamp::default().after(Duration::from_millis(ms))
}

/// The frames from a moment to another, 50 a second, with their times.
fn frames(frames: &mut Frames, from_ms: u64, to_ms: u64) -> Vec<(u64, PlatformControl)> {
    let times = (from_ms..to_ms).step_by(20);
    times.filter_map(|ms| Some((ms, frames.frame(at(ms))?))).collect()
}

fn joint(part: &str, position: JointPosition, velocity_radps: Option<f64>) -> Command {
    Command::Joints(vec![JointTarget { part: PartName::of(part), position, velocity_radps, duration: None }])
}

#[test]
fn single_wheels_are_a_speed_in_millimetres_that_lasts_a_second() {
    let mut control = Frames::default();
    assert_eq!(control.frame(at(0)), None, "nothing asked, nothing said");
    assert_eq!(
        control.take(&Command::DriveTracks(TrackSpeeds { left_mps: -0.1, right_mps: 0.05 }), at(0)),
        Ok(true)
    );
    let said = frames(&mut control, 0, 3_000);
    let drives = said.iter().filter(|(_, it)| it.body_vel.linear.x != 0.0).count();
    assert_eq!(drives, 50);
    let first = &said[0].1.body_vel;
    assert!(
        (first.linear.x + 25.0).abs() < 1e-9 && (first.angular.z - 150.0 / 164.0).abs() < 1e-9,
        "{first:?}"
    );
    let (last_ms, last) = said.last().unwrap();
    assert!(
        (1_400..1_600).contains(last_ms) && last.body_vel == Twist::default(),
        "it ends standing, then silent"
    );
    assert!(!control.is_publishing());
}

#[test]
fn a_drive_lasts_its_time_or_until_it_is_stopped() {
    let drive = |duration| Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration };
    let mut control = Frames::default();
    control.take(&drive(Some(Duration::from_secs(3))), at(0)).unwrap();
    let moving =
        |said: &[(u64, PlatformControl)]| said.iter().filter(|(_, it)| it.body_vel.linear.x == 200.0).count();
    assert_eq!(moving(&frames(&mut control, 0, 5_000)), 150);
    control.take(&drive(None), at(6_000)).unwrap();
    assert_eq!(moving(&frames(&mut control, 6_000, 6_100)), 5);
    control.take(&Command::Stop { hold: false }, at(6_100)).unwrap();
    assert_eq!(moving(&frames(&mut control, 6_100, 8_000)), 0);
    assert!(
        control
            .take(&Command::Drive { linear_mps: f64::NAN, angular_radps: 0.0, duration: None }, at(0))
            .is_err()
    );
}

#[test]
fn a_joint_is_said_until_it_is_there() {
    let mut control = Frames::default();
    control.take(&joint("lift", JointPosition::angle(0.5), Some(0.7)), at(0)).unwrap();
    let frame = control.frame(at(0)).unwrap();
    assert_eq!((frame.body_config, frame.body_config_speed), ([0.0, 0.5, 0.0, 0.0], [0.0, 0.7, 0.0, 0.0]));
    control.joint_is_at("lift", 0.3, at(10));
    assert_eq!(control.frame(at(20)).unwrap().body_config_speed[1], 0.7);
    control.joint_is_at("lift", 0.495, at(110));
    assert_eq!(control.frame(at(120)).unwrap().body_config_speed, [0.0; 4]);
    control.take(&joint("yaw", JointPosition::angle(9.0), None), at(1_000)).unwrap();
    assert_eq!(control.frame(at(3_980)).unwrap().body_config_speed[2], -1.0);
    assert_eq!(control.frame(at(4_000)).unwrap().body_config_speed[2], 0.0, "it never gets there");
    let target = JointTarget {
        part: PartName::of("lift"),
        position: JointPosition::angle(0.995),
        velocity_radps: None,
        duration: Some(Duration::from_secs(2)),
    };
    control.take(&Command::Joints(vec![target]), at(5_000)).unwrap();
    assert!((control.frame(at(5_000)).unwrap().body_config_speed[1] - 0.25).abs() < 1e-6);
}

#[test]
fn a_halt_has_a_joint_stay_where_it_is() {
    let mut control = Frames::default();
    control.joint_is_at("lift", 0.3, at(0));
    control.take(&joint("lift", JointPosition::angle(1.0), Some(0.7)), at(0)).unwrap();
    control.take(&joint("yaw", JointPosition::angle(0.5), Some(0.7)), at(0)).unwrap();
    control.frame(at(0)).unwrap();
    control.joint_is_at("lift", 0.6, at(500));
    control.take(&Command::Halt { motor_mask: None }, at(500)).unwrap();
    control.joint_is_at("lift", 0.6, at(505));
    let said = frames(&mut control, 500, 1_500);
    let held = said.iter().take_while(|(_, it)| it.body_config_speed == [0.0, -1.0, 0.0, 0.0]).count();
    assert_eq!(held, 5, "no joint of unknown angle, and no other");
    assert!(said[..held].iter().all(|(_, it)| it.body_config == [0.0, 0.6, 0.0, 0.0]));
    assert!(said[held..].iter().all(|(_, it)| it.body_config_speed == [0.0; 4]));
}

#[test]
fn a_joint_that_is_there_is_said_before_it_is_over() {
    let mut control = Frames::default();
    control.take(&joint("lift", JointPosition::angle(1.0), Some(0.7)), at(0)).unwrap();
    control.frame(at(0)).unwrap();
    control.take(&joint("lift", JointPosition::angle(0.3), Some(0.7)), at(500)).unwrap();
    control.joint_is_at("lift", 0.3, at(510));
    assert_eq!(control.frame(at(520)).unwrap().body_config[1], 0.3, "it is on its way elsewhere");
    control.joint_is_at("lift", 0.3, at(630));
    assert_eq!(control.frame(at(640)).unwrap().body_config_speed, [0.0; 4]);
}

#[test]
fn shares_and_lamps_last_until_they_are_neutral() {
    let mut control = Frames::default();
    control.take(&joint("tail", JointPosition::Share { ratio: -1.0 }, None), at(0)).unwrap();
    control.take(&Command::Lamp { part: Some(PartName::of("lamp_5")), rgb: [1, 2, 3] }, at(0)).unwrap();
    let said = frames(&mut control, 0, 60_000);
    assert_eq!(said.len(), 3_000);
    assert!(said.iter().all(|(_, it)| it.tail == -1.0 && it.lights_raw[15..] == [1, 2, 3]));
    control.take(&joint("tail", JointPosition::Share { ratio: 0.0 }, None), at(60_000)).unwrap();
    control.take(&Command::Lamp { part: None, rgb: [0; 3] }, at(60_000)).unwrap();
    let said = frames(&mut control, 60_000, 70_000);
    assert!((20..30).contains(&said.len()) && said[0].1.tail == 0.0 && said[0].1.lights_raw == [0; 18]);
}

#[test]
fn blinks_and_sounds_are_pulses() {
    let mut control = Frames::default();
    control.take(&joint("blink", JointPosition::Share { ratio: -1.0 }, None), at(0)).unwrap();
    for name in ["7", "P2/23"] {
        control.take(&Command::Play { name: name.into(), volume_ratio: None }, at(0)).unwrap();
    }
    let said = frames(&mut control, 0, 1_000);
    let pulses =
        said.iter().filter(|(_, it)| (it.blink_time, it.sound_index_P1, it.sound_index_P2) == (-10, 7, 23));
    assert_eq!(pulses.count(), 5);
    assert_eq!(said.last().unwrap().1.sound_index_P1, 0);
}

#[test]
fn what_cannot_be_said_is_refused_and_changes_nothing() {
    let mut control = Frames::default();
    let lift = JointTarget {
        part: PartName::of("lift"),
        position: JointPosition::angle(0.5),
        velocity_radps: None,
        duration: None,
    };
    let nose = JointTarget { part: PartName::of("nose"), ..lift.clone() };
    let play = |name: &str| Command::Play { name: name.into(), volume_ratio: None };
    for (command, why) in [
        (Command::Joints(vec![lift, nose]), "no joint nose"),
        (joint("tail", JointPosition::angle(0.1), None), "share"),
        (joint("lift", JointPosition::Share { ratio: 0.1 }, None), "radians"),
        (joint("ear_left", JointPosition::Share { ratio: -0.5 }, None), "from 0 to 1"),
        (Command::Lamp { part: Some(PartName::of("lamp_6")), rgb: [0; 3] }, "lamp_5"),
        (play("P1/31"), "P1/30"),
        (play("P2/0"), "P2/23"),
    ] {
        assert!(control.take(&command, at(0)).unwrap_err().to_string().contains(why), "{command:?}");
    }
    assert!(!control.is_publishing());
    assert_eq!(control.take(&Command::Volume(0.5), at(0)), Ok(false));
}

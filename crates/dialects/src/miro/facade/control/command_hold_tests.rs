//! Messages in, commands out, 50 steps a second.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::{Command, JointPosition};

use super::command_hold::CommandHold;
use super::joint_map::JointMap;
use super::pose::{Flat, wrapped};
use crate::miro::limits::PLATFORM_PERIOD;
use crate::miro::map::downstream::{Control, MoveTo};
use crate::miro::profile::PROFILE;

/// A `CommandHold`, its clock, an ideal robot, and all commands that it received: when, in milliseconds, and what.
struct Bench {
    command_hold: CommandHold,
    now: Timestamp,
    at: Flat,
    speeds: (f64, f64),
    commands: Vec<(u64, Command)>,
    throttled_warnings: Vec<String>,
    joint_map: JointMap,
}

impl Bench {
    fn new() -> Self {
        Self::of(JointMap { profile: PROFILE.clone() })
    }

    fn of(joint_map: JointMap) -> Self {
        let (now, at) = (Timestamp::default(), Flat::default());
        let command_hold = CommandHold::new(PLATFORM_PERIOD);
        Self {
            command_hold,
            now,
            at,
            speeds: (0.0, 0.0),
            commands: Vec::new(),
            throttled_warnings: Vec::new(),
            joint_map,
        }
    }

    fn receive(&mut self, control: &Control) -> &mut Self {
        self.command_hold.receive(control, self.now);
        self.step();
        self
    }

    fn step(&mut self) {
        let orders = self.command_hold.step(Some(self.at), &self.joint_map, self.now);
        let ms = self.now.since(Timestamp::default()).as_millis() as u64;
        for command in orders.commands {
            match command {
                Command::Drive { linear_mps, angular_radps, .. } => self.speeds = (linear_mps, angular_radps),
                Command::Stop { .. } => self.speeds = (0.0, 0.0),
                _ => {}
            }
            self.commands.push((ms, command));
        }
        self.throttled_warnings.extend(orders.throttled_warnings);
    }

    fn run(&mut self, ms: u64) -> &mut Self {
        for _ in 0..ms / 20 {
            self.now = self.now.after(PLATFORM_PERIOD);
            let (v, w) = self.speeds;
            let middle = self.at.yaw_rad + w * 0.01;
            self.at.x_m += v * middle.cos() * 0.02;
            self.at.y_m += v * middle.sin() * 0.02;
            self.at.yaw_rad = wrapped(self.at.yaw_rad + w * 0.02);
            self.step();
        }
        self
    }

    fn taken(&mut self) -> Vec<(u64, Command)> {
        std::mem::take(&mut self.commands)
    }

    fn names(&mut self) -> Vec<&'static str> {
        self.taken().iter().map(|(_, command)| command.name()).collect()
    }
}

fn driving(linear_mps: f64) -> Control {
    Control { speeds: Some((linear_mps, 0.0)), ..Control::default() }
}

#[test]
fn a_speed_is_held_for_a_second_and_then_the_robot_is_stopped_once() {
    let mut bench = Bench::new();
    bench.receive(&driving(0.1)).run(3_000);
    let commands = bench.taken();
    let stops: Vec<u64> =
        commands.iter().filter(|(_, it)| matches!(it, Command::Stop { .. })).map(|it| it.0).collect();
    assert_eq!(stops, [980]);
    let drives: Vec<u64> =
        commands.iter().filter(|(_, it)| matches!(it, Command::Drive { .. })).map(|it| it.0).collect();
    assert_eq!(drives, [0, 200, 400, 600, 800]);
    assert!(!bench.command_hold.is_awake());
}

#[test]
fn ten_messages_a_second_are_a_steady_drive() {
    let mut bench = Bench::new();
    for _ in 0..50 {
        bench.receive(&driving(0.1)).run(100);
    }
    assert!(
        bench
            .taken()
            .iter()
            .all(|(_, it)| matches!(it, Command::Drive { linear_mps, .. } if *linear_mps == 0.1))
    );
    assert!((bench.at.x_m - 0.5).abs() < 0.01, "{:?}", bench.at);
}

#[test]
fn zero_stops_what_goes_and_is_else_no_word() {
    let mut bench = Bench::new();
    for _ in 0..100 {
        bench.receive(&Control::default()).run(20);
    }
    assert_eq!(bench.names(), [""; 0], "another client that drives the robot goes on");
    bench
        .receive(&driving(0.1))
        .run(100)
        .receive(&Control::default())
        .run(100)
        .receive(&Control::default())
        .run(2_000);
    assert_eq!(bench.names(), ["drive", "stop"]);
}

#[test]
fn joints_are_said_on_change_and_left_alone_when_they_are() {
    let mut bench = Bench::new();
    let lift = |rad| Control { joints: [None, Some((rad, Some(0.5))), None, None], ..Control::default() };
    bench
        .receive(&lift(0.5))
        .run(100)
        .receive(&lift(0.5))
        .run(100)
        .receive(&lift(0.6))
        .run(100)
        .receive(&Control::default());
    bench.run(100).receive(&lift(0.6)).run(100);
    let commands = bench.taken();
    let angles = commands.iter().map(|(_, it)| match it {
        Command::Joints(targets) => {
            assert_eq!(
                (targets.len(), targets[0].part.as_str(), targets[0].velocity_radps),
                (1, "lift", Some(0.5))
            );
            targets[0].position.as_angle_rad().unwrap()
        }
        other => panic!("{other:?}"),
    });
    assert_eq!(angles.collect::<Vec<_>>(), [0.5, 0.6]);
    bench.run(2_000).receive(&lift(0.6));
    assert_eq!(bench.names(), ["joints"], "after a silence it is said anew");
}

#[test]
fn shares_and_blinks_go_together() {
    let mut bench = Bench::new();
    let shown = Control {
        cosmetics: [Some(-1.0), Some(0.0), Some(0.5), Some(0.0)],
        blink: Some((Duration::from_millis(200), true)),
        ..Control::default()
    };
    bench.receive(&shown).run(100).receive(&shown).run(100);
    let commands = bench.taken();
    let [(_, Command::Joints(targets))] = &commands[..] else { panic!("{commands:?}") };
    let commands: Vec<_> = targets.iter().map(|it| (it.part.as_str(), it.position)).collect();
    let share = |ratio| JointPosition::Share { ratio };
    assert_eq!(commands, [("tail", share(-1.0)), ("ear_right", share(0.5)), ("blink", share(-1.0))]);
    bench.receive(&Control { cosmetics: shown.cosmetics, ..Control::default() }).run(20).receive(&shown);
    assert_eq!(bench.names(), ["joints"], "raised again, it blinks again");
}

#[test]
fn sounds_are_played_when_they_are_raised() {
    let mut bench = Bench::new();
    let sounds = |p1, p2| Control { sounds: [p1, p2], ..Control::default() };
    for (p1, p2) in [(5, 0), (5, 0), (0, 0), (5, 23), (6, 23)] {
        bench.receive(&sounds(p1, p2)).run(100);
    }
    let names: Vec<_> = bench
        .taken()
        .into_iter()
        .map(|(_, it)| match it {
            Command::Play { name, .. } => name,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["P1/5", "P1/5", "P2/23", "P1/6"]);
}

#[test]
fn lamps_change_ten_times_a_second_at_most_and_end_as_commanded() {
    let mut bench = Bench::new();
    let lit = |level| Control { lamps: [[level; 3]; 6], ..Control::default() };
    for level in 1..=50 {
        bench.receive(&lit(level)).run(20);
    }
    bench.run(200);
    let commands = bench.taken();
    assert!((10..=12).contains(&commands.len()), "{}", commands.len());
    assert_eq!(commands.last().unwrap().1, Command::Lamp { part: None, rgb: [50; 3] });
}

#[test]
fn a_body_move_drives_to_its_pose_and_ends() {
    let mut bench = Bench::new();
    let to = MoveTo { x_m: 0.4, y_m: 0.1, yaw_rad: 0.5, start: true, absolute: false };
    let begin = Control { move_to: Some(to), ..Control::default() };
    let goes_on = Control { move_to: Some(MoveTo { start: false, ..to }), ..Control::default() };
    bench.receive(&begin).run(100);
    assert!(bench.command_hold.needs_odometry());
    for _ in 0..90 {
        bench.receive(&goes_on).run(100);
    }
    assert!(!bench.command_hold.needs_odometry());
    assert!(bench.at.distance_to(Flat { x_m: 0.4, y_m: 0.1, yaw_rad: 0.0 }) < 0.02, "{:?}", bench.at);
    assert!((bench.at.yaw_rad - 0.5).abs() < 0.12, "{:?}", bench.at);
    assert!(bench.throttled_warnings.is_empty(), "{:?}", bench.throttled_warnings);
    assert!(matches!(bench.taken().last().unwrap().1, Command::Stop { .. }));
}

#[test]
fn a_body_move_ends_with_its_flag_its_messages_or_a_speed() {
    let to = MoveTo { x_m: 0.4, y_m: 0.0, yaw_rad: 0.0, start: true, absolute: false };
    let begin = Control { move_to: Some(to), ..Control::default() };
    for ends in [Some(Control::default()), None, Some(Control { speeds: Some((-0.1, 0.0)), ..begin.clone() })]
    {
        let mut bench = Bench::new();
        bench.receive(&begin).run(400);
        assert!(bench.speeds.0 > 0.0);
        match &ends {
            Some(control) => bench.receive(control),
            None => bench.run(1_000),
        };
        assert!(!bench.command_hold.needs_odometry());
        let expected = ends.and_then(|it| it.speeds).unwrap_or_default();
        assert_eq!(bench.run(40).speeds, expected);
    }
}

#[test]
fn what_cannot_be_done_is_reported() {
    let mut bench = Bench::of(JointMap::default());
    let control = Control {
        speeds: Some((0.1, 0.0)),
        joints: [None, Some((0.5, None)), None, None],
        cosmetics: [Some(1.0), Some(0.0), None, None],
        blink: Some((PLATFORM_PERIOD, false)),
        sounds: [31, 0],
        odd: vec!["tail"],
        ..Control::default()
    };
    bench.receive(&control);
    for word in ["tail of platform/control", "for lift", "for tail", "for blink", "sound_index_P1 = 31"] {
        assert!(
            bench.throttled_warnings.iter().any(|it| it.contains(word)),
            "{word}: {:?}",
            bench.throttled_warnings
        );
    }
    assert_eq!(bench.names(), ["drive"], "and the rest is done");
}

#[test]
fn a_speed_alone_leaves_all_else_as_it_is() {
    let mut bench = Bench::new();
    let shown =
        Control { cosmetics: [Some(1.0); 4], lamps: [[7; 3]; 6], sounds: [1, 0], ..Control::default() };
    bench.receive(&shown).run(200);
    assert_eq!(bench.names(), ["joints", "lamp", "play"]);
    bench.command_hold.drive_at(Some((0.1, 0.2)), bench.now);
    bench.run(500);
    bench.command_hold.drive_at(None, bench.now);
    bench.run(500);
    assert_eq!(bench.names(), ["drive", "drive", "drive", "stop"]);
}

#[test]
fn a_body_move_ends_with_its_own_messages_while_another_program_sends_speeds() {
    let to = MoveTo { x_m: 0.4, y_m: 0.0, yaw_rad: 0.0, start: true, absolute: false };
    let mut bench = Bench::new();
    bench.receive(&Control { move_to: Some(to), sounds: [3, 0], ..Control::default() });
    for _ in 0..9 {
        bench.run(100);
        bench.command_hold.drive_at(None, bench.now);
    }
    assert!(bench.speeds.0 > 0.0, "a speed of zero is no word while it goes on");
    for _ in 0..3 {
        bench.run(100);
        bench.command_hold.drive_at(None, bench.now);
    }
    assert!(!bench.command_hold.needs_odometry() && bench.command_hold.is_awake());
    assert_eq!(bench.run(40).speeds, (0.0, 0.0));
    bench.taken();
    bench.command_hold.drive_at(Some((0.1, 0.0)), bench.now);
    bench.receive(&Control { sounds: [3, 0], ..driving(0.1) });
    assert_eq!(bench.names(), ["drive", "play"], "and what it sent was put down");
}

#[test]
fn after_a_silence_what_is_shown_is_said_anew_and_what_is_neutral_is_not() {
    let mut bench = Bench::new();
    let shown = Control { cosmetics: [Some(1.0), Some(0.0), None, None], ..Control::default() };
    let lit = Control { lamps: [[9, 0, 0]; 6], ..shown };
    bench.receive(&lit).run(2_000);
    assert_eq!(bench.names(), ["joints", "lamp"]);
    bench.receive(&lit).run(500);
    let commands = bench.taken();
    let [(_, Command::Joints(targets)), (_, Command::Lamp { rgb: [9, 0, 0], .. })] = &commands[..] else {
        panic!("{commands:?}")
    };
    assert_eq!(targets.len(), 1, "the tail alone");
    bench.receive(&lit).run(2_000);
    assert_eq!(bench.names(), [""; 0], "no silence between");
    let nothing = Control { cosmetics: [Some(0.0); 4], ..Control::default() };
    bench.receive(&nothing).run(2_000);
    assert_eq!(bench.names(), ["joints", "lamp"], "dark and neutral again");
    bench.receive(&nothing).run(2_000);
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn what_was_refused_is_said_again_once_a_second() {
    let mut bench = Bench::new();
    let control = Control {
        joints: [None, Some((0.5, None)), None, None],
        cosmetics: [Some(1.0); 4],
        lamps: [[9, 0, 0]; 6],
        ..Control::default()
    };
    let mut commands = Vec::new();
    for _ in 0..30 {
        bench.receive(&control).run(100);
        for (_, command) in bench.taken() {
            bench.command_hold.failed(command.name(), bench.now);
            commands.push(command);
        }
    }
    let joints: Vec<_> = commands.iter().filter(|it| matches!(it, Command::Joints(_))).collect();
    let lamps = commands.len() - joints.len();
    assert!((2..=3).contains(&joints.len()) && (2..=3).contains(&lamps), "{commands:?}");
    assert!(joints.iter().all(|it| *it == joints[0]), "all of it");
}

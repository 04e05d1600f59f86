//! Figures tell the truth: what they name is said, taken and refused by the bodies themselves.

use std::collections::BTreeSet;

use bytes::Bytes;
use latimer_core::Outcome;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{CompressedImage, ControlMode};
use latimer_core::model::{
    CameraSettings, Class, Command, Destination, JointPosition, JointTarget, Kind, LocalizationCommand,
    NavigationGoal, PartName, RelocateBy, TaskRequest, TrackSpeeds,
};
use latimer_dialects::misty::calls::Listen;
use latimer_simulator_api::Stimulus;
use latimer_world::bodies::{BODIES, Figure, JointRange, find};
use latimer_world::{Behaviour, Start, World};

use crate::lab::{Lab, id, lab_of, own, seconds};

/// A robot of a kind in the demo world after two seconds.
fn demo(kind: &str) -> Lab {
    let mut world = World::builtin("demo", 1).unwrap();
    world.add_robot(id("m"), kind, Start::Anywhere, Behaviour::Stand).unwrap();
    let mut lab = Lab::of(world);
    lab.run(2.0);
    lab
}

/// The figures of all kinds.
fn figures() -> impl Iterator<Item = Figure> {
    BODIES.iter().map(|kind| (kind.figure)())
}

#[test]
fn every_kind_has_a_figure() {
    assert!(BODIES.iter().all(|kind| find(kind.family).is_some_and(|it| std::ptr::eq(it, *kind))));
    assert!(find("moon").is_none());
    for figure in figures() {
        let names: BTreeSet<_> = figure.parts.iter().map(|part| (part.kind, part.part)).collect();
        assert_eq!(names.len(), figure.parts.len(), "{}: a part is there twice", figure.kind.family);
        assert!(figure.outline_m.len() > 3 && figure.max_linear_mps > 0.0 && figure.max_angular_radps > 0.0);
        for part in &figure.parts {
            let inside = part.at_m.iter().all(|it| it.abs() < 1.5) && part.at_m[2] >= 0.0;
            assert!(inside, "{} {:?}", figure.kind.family, part);
        }
    }
}

#[test]
fn parts_of_a_figure_are_said_and_parts_that_are_said_are_in_the_figure() {
    for figure in figures() {
        let lab = demo(figure.kind.family);
        let published = |kind: Kind, part: &str| {
            lab.received
                .iter()
                .any(|it| it.kind() == kind && it.part.as_ref().is_some_and(|it| *it == PartName::of(part)))
        };
        for part in figure.parts.iter().filter(|part| part.kind.class() == Class::State) {
            assert!(published(part.kind, part.part), "{}: {} {}", figure.kind.family, part.kind, part.part);
        }
        for joint in &figure.joints {
            assert!(published(Kind::Joint, joint.part), "{}: joint {}", figure.kind.family, joint.part);
        }
        for update in
            lab.received.iter().filter(|it| matches!(it.kind(), Kind::Range | Kind::Cliff | Kind::Contact))
        {
            let Some(said) = &update.part else { panic!("{update:?}") };
            let known =
                figure.parts.iter().any(|it| it.kind == update.kind() && PartName::of(it.part) == *said);
            assert!(known, "{}: {}", figure.kind.family, update.key());
        }
    }
}

#[test]
fn streams_of_a_figure_are_those_of_the_body() {
    for figure in figures() {
        let lab = demo(figure.kind.family);
        let streams = lab.world.streams().next().unwrap();
        let pictures = [Kind::Image, Kind::CompressedImage, Kind::Video];
        let real: Vec<_> = streams.iter().filter(|(kind, _)| pictures.contains(kind)).cloned().collect();
        let published: Vec<_> =
            figure.cameras.iter().map(|(kind, part)| (*kind, PartName::of(part))).collect();
        assert_eq!(published, real, "{}", figure.kind.family);
        for part in
            figure.parts.iter().filter(|part| matches!(part.kind.class(), Class::Bulk | Class::Stream))
        {
            let found = streams.contains(&(part.kind, PartName::of(part.part)));
            assert!(found, "{}: {} {}", figure.kind.family, part.kind, part.part);
        }
    }
}

/// Every way of saying a command of a name that some body may take.
fn commands(name: &str, figure: &Figure) -> Vec<Command> {
    if let Some(about) = latimer_dialects::calls().find(|it| it.name == name) {
        return about.samples().into_iter().map(Command::Native).collect();
    }
    let navigate = NavigationGoal::to(Destination::Point { x_m: 3.0, y_m: 3.0, yaw_rad: None });
    let task =
        TaskRequest { id: "t".into(), kind: "bring".into(), parameters: vec![], asker: None, priority: 3 };
    vec![match name {
        "drive" => Command::Drive { linear_mps: 0.1, angular_radps: 0.0, duration: None },
        "drive_tracks" => Command::DriveTracks(TrackSpeeds { left_mps: 0.1, right_mps: 0.1 }),
        "stop" => Command::Stop { hold: false },
        "halt" => Command::Halt { motor_mask: None },
        "joints" => {
            return figure.joints.iter().map(|joint| joint_command(joint.part, joint.range)).collect();
        }
        "lamp" => {
            let lamp = |lamp: &latimer_world::bodies::FigureLamp| Command::Lamp {
                part: lamp.part.map(PartName::of),
                rgb: [1, 2, 3],
            };
            return figure.lamps.iter().map(lamp).collect();
        }
        "play" => {
            let play = |name: &String| Command::Play { name: name.clone(), volume_ratio: None };
            return figure.sounds.iter().map(play).collect();
        }
        "volume" => Command::Volume(0.5),
        "skill_message" => Command::SkillMessage { text: "x".into(), data: None },
        "hazard_settings" => Command::HazardSettings { revert: true, bumpers: vec![], ranges: vec![] },
        "behaviour_drive" => Command::BehaviourDrive(Box::default()),
        "behaviour_switches" => Command::BehaviourSwitches(vec![]),
        "localization" => Command::Localization(LocalizationCommand::Relocate(RelocateBy::ANY)),
        "set_pose" => Command::SetPose { x_m: 1.0, y_m: 1.0, yaw_rad: 0.0 },
        "use_map" => Command::UseMap(None),
        "navigate" => Command::Navigate(navigate),
        "cancel_navigation" => Command::CancelNavigation,
        "control_mode" => Command::ControlMode(ControlMode::Auto),
        "emergency_stop" => Command::EmergencyStop(false),
        "camera" => Command::Camera(CameraSettings { size: None, rate_hz: None, part: None }),
        "picture" => Command::Picture {
            part: PartName::of("camera_front"),
            image: CompressedImage { format: PictureFormat::Jpeg, width: 1, height: 1, data: Bytes::new() },
        },
        "task" => Command::Task(task),
        "cancel_task" => Command::CancelTask("t".into()),
        other => panic!("{other} is no command that this test knows"),
    }]
}

fn joint_command(part: &str, range: JointRange) -> Command {
    let position = match range {
        JointRange::Angle { min_rad, max_rad, neutral_rad } => {
            assert!((min_rad..=max_rad).contains(&neutral_rad), "{part}");
            JointPosition::angle(neutral_rad)
        }
        JointRange::Share { min_ratio, max_ratio: _ } => JointPosition::Share { ratio: min_ratio },
    };
    Command::Joints(vec![JointTarget {
        part: PartName::of(part),
        position,
        velocity_radps: None,
        duration: None,
    }])
}

const EVERY_COMMAND: [&str; 40] = [
    "drive",
    "drive_limits",
    "drive_tracks",
    "drive_heading",
    "drive_arc",
    "stop",
    "halt",
    "joints",
    "lamp",
    "play",
    "stop_sound",
    "volume",
    "record",
    "listen",
    "detect_faces",
    "recognize_faces",
    "train_face",
    "cancel_face_training",
    "forget_face",
    "serial",
    "skill_message",
    "hazard_settings",
    "behaviour_drive",
    "behaviour_switches",
    "localization",
    "set_pose",
    "use_map",
    "navigate",
    "cancel_navigation",
    "follow",
    "carry",
    "maintain",
    "pins",
    "control_mode",
    "emergency_stop",
    "wake_up",
    "camera",
    "picture",
    "task",
    "cancel_task",
];

/// Whether a body refuses a command as something that it was not made for.
fn cannot(outcome: &Outcome, name: &str) -> bool {
    let what = format!(" cannot carry out the command {name}");
    matches!(outcome, Outcome::Refused(reason) if reason.reason.starts_with("a") && reason.reason.ends_with(&what))
}

#[test]
fn commands_of_a_figure_are_those_that_the_body_knows() {
    for figure in figures() {
        for name in EVERY_COMMAND {
            let known = figure.commands.contains(&name);
            let mut tried = commands(name, &figure);
            assert!(!known || !tried.is_empty(), "{}: nothing to {name} with", figure.kind.family);
            if tried.is_empty() {
                tried = match name {
                    "joints" => vec![Command::Joints(vec![])],
                    "lamp" => vec![Command::Lamp { part: None, rgb: [0; 3] }],
                    _ => vec![Command::Play { name: "x".into(), volume_ratio: None }],
                };
            }
            for command in tried {
                let mut lab = lab_of(figure.kind.family, "", 3.0, 3.0, 0.0);
                lab.run(0.1);
                let outcome = lab.ask(command.clone());
                let published = format!("{}: {command:?} → {outcome:?}", figure.kind.family);
                assert_eq!(cannot(&outcome, name), !known, "{published}");
                if known && matches!(name, "joints" | "lamp" | "play") {
                    assert!(outcome.is_ok(), "{published}");
                }
            }
        }
        let unknown = figure.commands.iter().find(|name| !EVERY_COMMAND.contains(name));
        assert_eq!(unknown, None, "{}", figure.kind.family);
    }
}

fn stimulus(name: &str, figure: &Figure) -> Stimulus {
    let hold = seconds(0.5);
    let contact = |start: &str| {
        let found = figure.parts.iter().find(|it| it.kind == Kind::Contact && it.part.starts_with(start));
        PartName::of(found.map_or("none", |it| it.part))
    };
    let failing = match figure.kind.family {
        "misty" => "front_center",
        "miro" => "sonar",
        _ => "lidar",
    };
    match name {
        "touch" => Stimulus::Touch { part: contact("touch"), hold },
        "bump" => Stimulus::Bump { part: contact("bump"), hold },
        "face" => Stimulus::Face { label: None, bearing_rad: 0.0, distance_m: 1.0, hold },
        "key_phrase" => Stimulus::KeyPhrase { confidence_ratio: 0.9 },
        "sound" => Stimulus::Sound { bearing_rad: 0.0, level_ratio: 0.5, voice: true, hold },
        "serial" => Stimulus::Serial("x".into()),
        "skill_message" => Stimulus::SkillMessage { text: "x".into(), data: None },
        "battery" => Stimulus::Battery(0.5),
        "lift" => Stimulus::Lift { hold },
        "place" => Stimulus::Place { x_m: 2.0, y_m: 2.0, yaw_rad: 0.0 },
        "lose_pose" => Stimulus::LosePose { hold: None },
        "emergency_stop" => Stimulus::EmergencyStop(true),
        "fail" => Stimulus::Fail { part: PartName::of(failing), hold },
        "forget_home" => Stimulus::ForgetHome { object: "cup".into() },
        "heat" => Stimulus::Heat { temperature_c: 60.0, hold },
        other => panic!("{other} is no stimulus that this test knows"),
    }
}

const EVERY_STIMULUS: [&str; 15] = [
    "touch",
    "bump",
    "face",
    "key_phrase",
    "sound",
    "serial",
    "skill_message",
    "battery",
    "lift",
    "place",
    "lose_pose",
    "emergency_stop",
    "fail",
    "forget_home",
    "heat",
];

/// A cup for those that know objects.
const CUP: &str = "[[places]]\nname = \"rack\"\nposition_m = [4.0, 4.0]\n\
    [[objects]]\nname = \"cup\"\ncategory = \"dishes\"\nplace = \"rack\"\n";

#[test]
fn stimuli_of_a_figure_are_those_that_the_body_feels() {
    for figure in figures() {
        for name in EVERY_STIMULUS {
            let mut lab = lab_of(figure.kind.family, CUP, 3.0, 3.0, 0.0);
            lab.run(0.1);
            // A phrase needs a listener and a pose something that knows it.
            lab.ask(own(Listen { on: true }));
            lab.ask(Command::Localization(LocalizationCommand::Tracking(true)));
            lab.run(5.0);
            let outcome = lab.poke(stimulus(name, &figure));
            let published = format!("{}: {name} → {outcome:?}", figure.kind.family);
            assert_eq!(outcome.is_ok(), figure.stimuli.contains(&name), "{published}");
        }
    }
}

//! `latimer send`: commands to robots.

mod navigation;
mod task;
mod words;

use std::io::Write;
use std::time::Duration;

use clap::Args;
use latimer_core::{Clock, Timestamp};
use serde_json::json;

use self::words::{Faces, Side, Words};
use super::follow::follow;
use super::post::{DEFAULT_PATIENCE, json_from_text, post_to_robot};
use super::{complete, drive};
use crate::client::GatewayArgs;
use crate::exit::{Ended, Failure};
use latimer_wire::v1::{Command, JointTarget, Radians, duration};

/// `latimer send`.
#[derive(Debug, Args)]
pub struct SendArgs {
    /// Which robot
    #[arg(add = complete::robots())]
    robot: String,
    #[command(subcommand)]
    words: Words,
    /// How long the robot may take to answer
    #[arg(long, global = true, value_name = "DURATION", value_parser = duration, default_value = DEFAULT_PATIENCE)]
    patience: Duration,
    /// End as soon as the robot has answered, instead of following a drive or task to its end
    #[arg(long, global = true)]
    no_wait: bool,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn send(args: SendArgs) -> Ended {
    let SendArgs { robot, words, patience, no_wait, gateway } = args;
    let followed = !no_wait && words.are_followed();
    let command = command_from_words(words, Clock::system().now())?;
    let command = match command {
        Command::Task(task) if followed => return follow(&gateway, &robot, task, patience).await,
        drive if followed => return drive::follow(&gateway, &robot, &drive, patience).await,
        other => other,
    };
    if let Command::Task(task) = &command {
        // It may have been made up, and is needed to give the task up.
        writeln!(std::io::stdout(), "{}", task.id)?;
    }
    post_to_robot(&gateway, &robot, "commands", &command, patience).await
}

fn command_from_words(words: Words, now: Timestamp) -> Result<Command, Failure> {
    let joint = |part: &str, position, duration_s| JointTarget {
        part: part.to_owned(),
        position_rad: Some(position),
        position_ratio: None,
        velocity_radps: None,
        duration_s,
    };
    Ok(match words {
        Words::Command(command) => command,
        Words::Head { yaw, pitch, roll, within } => {
            let named = [("head_yaw", yaw), ("head_pitch", pitch), ("head_roll", roll)];
            let target = |(part, position): (&str, Option<Radians>)| Some(joint(part, position?, within));
            let targets: Vec<JointTarget> = named.into_iter().filter_map(target).collect();
            if targets.is_empty() {
                return Err(Failure::usage("the head needs a direction; write --yaw, --pitch or --roll"));
            }
            Command::Joints { targets }
        }
        Words::Arm { side, position, within } => {
            let part = match side {
                Side::Left => "arm_left",
                Side::Right => "arm_right",
            };
            Command::Joints { targets: vec![joint(part, position, within)] }
        }
        Words::Joint { part, position, share, velocity, within } => Command::Joints {
            targets: vec![JointTarget {
                part,
                position_rad: position,
                position_ratio: share,
                velocity_radps: velocity,
                duration_s: within,
            }],
        },
        Words::Led { red, green, blue, part } => Command::Lamp { part, rgb: [red, green, blue] },
        Words::Faces { what, label } => faces(what, label)?,
        Words::Navigation(words) => words.command()?,
        Words::Task(words) => Command::Task(words.task(now)?),
        Words::Json { json } => json_from_text(&json)?,
    })
}

fn faces(what: Faces, label: Option<String>) -> Result<Command, Failure> {
    let json = match (what, label) {
        (Faces::Detect, _) => json!({"command": "detect_faces", "on": true}),
        (Faces::DetectStop, _) => json!({"command": "detect_faces", "on": false}),
        (Faces::Recognize, _) => json!({"command": "recognize_faces", "on": true}),
        (Faces::RecognizeStop, _) => json!({"command": "recognize_faces", "on": false}),
        (Faces::Train, Some(label)) => json!({"command": "train_face", "label": label}),
        (Faces::Train, None) => return Err(Failure::usage("learning a face needs a name: faces train NAME")),
        (Faces::TrainCancel, _) => json!({"command": "cancel_face_training"}),
        (Faces::Forget, label) => json!({"command": "forget_face", "label": label}),
    };
    command_from_json(&json)
}

/// One of a family alone.
fn command_from_json(json: &serde_json::Value) -> Result<Command, Failure> {
    json_from_text(&json.to_string())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Task};
    use crate::exit::Exit;

    fn command(words: &str) -> Result<Command, Failure> {
        let words = ["latimer", "send", "misty-1"].into_iter().chain(words.split(' '));
        let cli = Cli::try_parse_from(words).map_err(|error| Failure::usage(error.to_string()))?;
        match cli.task {
            Task::Send(args) => {
                command_from_words(args.words, Timestamp::from_nanos(1_795_255_445_000_000_000))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_become_commands() {
        let words = [
            "drive 0.2 0.5 --for 2s",
            "drive -0.2 -30deg",
            "drive 0.2 --for 500ms",
            "tracks 0.1 -0.1",
            "heading 90deg 0.5 --in 3s",
            "arc -90deg 0.5 --in 3s --reverse",
            "stop",
            "halt",
            "head --yaw 20deg --pitch -10deg",
            "arm left -20deg --in 1s",
            "joint head_roll 5deg",
            "led 255 0 0",
            "play s_Awe.wav --volume 50%",
            "volume 30%",
            "record start a.wav",
            "record stop",
            "listen",
            "faces train Anna",
            "serial hello",
            "skill hi --data {\"a\":1}",
            "localize start-mapping",
            "localize relocate",
            "joint tail --share -50%",
            "pose 1 -2 90deg",
            "goto 1.5 -2",
            "goto 1.5 -2 -90deg --within 0.2",
            "goto 1.5 -2 --within 1 --zone",
            "goto Sofa",
            "charge",
            "charge --at 1,2,90deg --retries 1",
            "route 1,2 3,4 --detour 0.5",
            "route -1 2 3 4",
            "cancel",
            "follow",
            "follow 1 2",
            "follow pause",
            "rack 1 2 90deg",
            "unload 1 2",
            "carry jack-up",
            "carry roller-unload",
            "silence",
            "bring --object coke --to user",
            "bring --object coke --from=Kitchen --id t1 --asker dm --priority 1",
            "clean --to Sofa",
            "memorize",
            "task bring",
            "task bring --id t1 --from kitchen --to=sofa --priority 1",
            "cancel-task t1",
            "pins --on 0,9 --off 2",
            "mode remote",
            "estop on",
            "maintain calibrate_imu",
            "maintain clear-costs",
            "wake",
            "camera --part front --size 320x240 --rate 5",
            "sense distance",
            "sense proximity 0,30deg,-30deg --reality mixed",
            "sense proximity -30deg,30deg",
            "json {\"command\":\"halt\"}",
        ];
        let lines: Vec<String> = words
            .iter()
            .map(|words| format!("{words} → {}", serde_json::to_string(&command(words).unwrap()).unwrap()))
            .collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn drives_and_tasks_with_words_of_their_own_are_followed() {
        let is_followed = |words: &str| {
            let words = ["latimer", "send", "robotkoop-1"].into_iter().chain(words.split(' '));
            match Cli::try_parse_from(words).unwrap().task {
                Task::Send(args) => args.words.are_followed(),
                other => panic!("{other:?}"),
            }
        };
        let followed = ["bring --object coke", "clean", "memorize", "goto Sofa", "charge", "route 1,2 3,2"];
        assert!(followed.into_iter().all(is_followed));
        let others = ["task bring --object coke", "follow", "follow pause", "carry jack-up", "stop"];
        assert!(!others.into_iter().any(is_followed));
    }

    #[test]
    fn wrong_words_say_what_to_write() {
        for (words, hint) in [
            ("goto 1", "goto 1.5 2"),
            ("goto Sofa 1", "goto Sofa"),
            ("route 1,2 3", "3,2"),
            ("follow 1", "pause"),
            ("task bring --from", "--from kitchen"),
            ("task bring kitchen", "--from kitchen"),
            ("task bring --from a --gateway b", "before"),
            ("task bring --from a --from b", "twice"),
            ("mode autp", "auto"),
            ("maintain calibrate_imi", "calibrate_imu"),
            ("sense distnce", "distance"),
            ("sense distance --reality X", "V"),
        ] {
            let error = command(words).unwrap_err();
            assert!(error.exit == Exit::Usage && error.message.contains(hint), "{words}: {error}");
        }
    }
}

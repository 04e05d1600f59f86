//! Commands of the model as REST calls to a real robot; the inverse of [`command`](super::command).

use std::time::Duration;

use latimer_core::model::{Command, JointTarget, LocalizationCommand, Refusal};
use serde_json::{Value, json};

use super::described::call_from_native;
use super::hazards::hazard_settings_to_json;
use super::row::Method;
use super::scale::{FULL_JOINT_RADPS, FULL_SPEED_MPS, FULL_TURN_RADPS};
use crate::misty::map::names::CHEST;

/// One call: method, endpoint below `/api/`, JSON body.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// HTTP method.
    pub method: Method,
    /// Endpoint, e.g. `drive/time`.
    pub endpoint: &'static str,
    /// Parameters.
    pub body: Value,
}

fn post(endpoint: &'static str, body: Value) -> Call {
    Call { method: Method::Post, endpoint, body }
}

/// The calls that carry out a command, in order; an error says why Misty cannot do it.
pub fn calls_from_command(command: &Command) -> Result<Vec<Call>, Refusal> {
    let one = match command {
        Command::Drive { linear_mps, angular_radps, duration: None } => post(
            "drive",
            json!({"LinearVelocity": speed(*linear_mps), "AngularVelocity": turn(*angular_radps)}),
        ),
        Command::Drive { linear_mps, angular_radps, duration: Some(duration) } => post(
            "drive/time",
            json!({
                "LinearVelocity": speed(*linear_mps), "AngularVelocity": turn(*angular_radps), "TimeMs": ms(*duration),
            }),
        ),
        Command::DriveTracks(speeds) => post(
            "drive/track",
            json!({"LeftTrackSpeed": speed(speeds.left_mps), "RightTrackSpeed": speed(speeds.right_mps)}),
        ),
        Command::Stop { hold } => post("drive/stop", json!({"Hold": hold})),
        Command::Halt { motor_mask } => post("halt", json!({"MotorMask": motor_mask.unwrap_or(65_535)})),
        Command::Joints(targets) => return calls_from_joints(targets),
        Command::Lamp { part: Some(part), .. } if part.as_str() != CHEST => {
            return Err(Refusal::bad_argument(format!("Misty has no lamp {part}; there is: {CHEST}")));
        }
        Command::Lamp { rgb: [red, green, blue], .. } => {
            post("led", json!({"Red": red, "Green": green, "Blue": blue}))
        }
        Command::Play { name, volume_ratio } => post(
            "audio/play",
            json!({"FileName": name, "Volume": volume_ratio.map(|ratio| (ratio * 100.0).round() as i64)}),
        ),
        Command::Volume(ratio) => post("audio/volume", json!({"Volume": (ratio * 100.0).round() as i64})),
        Command::Native(call) => match call_from_native(call) {
            Some(call) => call,
            None => return Err(Refusal::unsupported(format!("Misty has no call for {}", command.name()))),
        },
        Command::HazardSettings { revert, bumpers, ranges } => {
            post("hazard/updatebasesettings", hazard_settings_to_json(*revert, bumpers, ranges))
        }
        Command::Localization(what) => post(
            match what {
                LocalizationCommand::Mapping(on) => pick(*on, "slam/map/start", "slam/map/stop"),
                LocalizationCommand::Tracking(on) => pick(*on, "slam/track/start", "slam/track/stop"),
                LocalizationCommand::Streaming(on) => {
                    pick(*on, "slam/streaming/start", "slam/streaming/stop")
                }
                LocalizationCommand::Reset => "slam/reset",
                LocalizationCommand::MappingInFrame => {
                    let why = "Misty begins each map where she stands; start mapping without a frame";
                    return Err(Refusal::unsupported(why));
                }
                LocalizationCommand::Relocate(_) => {
                    let why = "Misty has no command to look for herself on the map; start tracking";
                    return Err(Refusal::unsupported(why));
                }
            },
            json!({}),
        ),
        Command::SkillMessage { .. } => {
            return Err(Refusal::unsupported("only a program on the robot publishes skill messages"));
        }
        Command::SetPose { .. }
        | Command::Navigate(_)
        | Command::CancelNavigation
        | Command::UseMap(_)
        | Command::Picture { .. }
        | Command::ControlMode(_)
        | Command::EmergencyStop(_)
        | Command::Camera(_)
        | Command::BehaviourDrive(_)
        | Command::BehaviourSwitches(_)
        | Command::Task(_)
        | Command::CancelTask(_)
        | Command::Sense(_) => {
            return Err(Refusal::unsupported(format!("Misty has no call for {}", command.name())));
        }
    };
    Ok(vec![one])
}

fn pick(on: bool, start: &'static str, stop: &'static str) -> &'static str {
    if on { start } else { stop }
}

fn speed(mps: f64) -> f64 {
    percent(mps / FULL_SPEED_MPS)
}

fn turn(radps: f64) -> f64 {
    percent(radps / FULL_TURN_RADPS)
}

/// Percent of a top speed, held within all and free of rounding noise.
fn percent(ratio: f64) -> f64 {
    (ratio.clamp(-1.0, 1.0) * 1e6).round() / 1e4
}

fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// One call for the head and one for each arm.
fn calls_from_joints(targets: &[JointTarget]) -> Result<Vec<Call>, Refusal> {
    let mut head = serde_json::Map::new();
    let mut calls = Vec::new();
    for target in targets {
        let part = &target.part;
        let angle_rad = target
            .position
            .as_angle_rad()
            .ok_or_else(|| Refusal::bad_argument(format!("{part} needs an angle in radians")))?;
        let degrees = json!(angle_rad.to_degrees());
        let name = match target.part.as_str() {
            "head_pitch" => "Pitch",
            "head_roll" => "Roll",
            "head_yaw" => "Yaw",
            arm @ ("arm_left" | "arm_right") => {
                let mut body =
                    json!({"Arm": arm.trim_start_matches("arm_"), "Position": degrees, "Units": "degrees"});
                if let Value::Object(body) = &mut body {
                    pace(target, body);
                }
                calls.push(post("arms", body));
                continue;
            }
            other => {
                return Err(Refusal::bad_argument(format!(
                    "Misty has no joint {other}; it has head_pitch, head_roll, head_yaw, arm_left, arm_right"
                )));
            }
        };
        head.insert(name.into(), degrees);
        pace(target, &mut head);
    }
    if !head.is_empty() {
        head.insert("Units".into(), json!("degrees"));
        calls.push(post("head", Value::Object(head)));
    }
    if calls.is_empty() { Err(Refusal::bad_argument("no joint is named")) } else { Ok(calls) }
}

/// Misty takes a velocity or a duration, not both.
fn pace(target: &JointTarget, body: &mut serde_json::Map<String, Value>) {
    if let Some(duration) = target.duration {
        body.insert("Duration".into(), json!(duration.as_secs_f64()));
    } else if let Some(velocity) = target.velocity_radps {
        body.insert("Velocity".into(), json!(percent(velocity / FULL_JOINT_RADPS).max(0.0001)));
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::PartName;
    use latimer_core::model::{JointPosition, TrackSpeeds};

    use super::super::{command::command_from_call, params::Params};
    use super::*;
    use crate::describe::Call as Described;
    use crate::misty::calls::{
        CancelFaceTraining, DetectFaces, DriveArc, DriveHeading, ForgetFace, Listen, RecognizeFaces, Record,
        Serial, TrainFace,
    };
    use crate::misty::rest::catalogue;

    fn command(call: impl Described) -> Command {
        call.command().unwrap()
    }

    fn there_and_back(command: &Command) -> Vec<Command> {
        let calls = calls_from_command(command).unwrap();
        let read = |call: &Call| {
            let entry = catalogue::find(call.method, call.endpoint).unwrap();
            let params = Params::read("", &call.body.to_string()).unwrap();
            command_from_call(entry, &params).unwrap().unwrap()
        };
        calls.iter().map(read).collect()
    }

    #[test]
    fn what_is_sent_is_what_is_read() {
        let second = Duration::from_secs(1);
        let joint = |part, position_rad, velocity_radps, duration| JointTarget {
            part: PartName::of(part),
            position: JointPosition::angle(position_rad),
            velocity_radps,
            duration,
        };
        let commands = [
            Command::Drive { linear_mps: 0.225, angular_radps: 0.0, duration: None },
            Command::Drive {
                linear_mps: -0.45,
                angular_radps: FULL_TURN_RADPS / 2.0,
                duration: Some(second),
            },
            Command::DriveTracks(TrackSpeeds { left_mps: 0.45, right_mps: -0.45 }),
            command(DriveHeading { heading_rad: 0.0, distance_m: 1.5, duration_s: second, reverse: true }),
            command(DriveArc { heading_rad: 0.0, radius_m: 0.5, duration_s: second, reverse: false }),
            Command::Stop { hold: true },
            Command::Halt { motor_mask: Some(6) },
            Command::Joints(vec![joint("head_pitch", 0.0, None, Some(second))]),
            Command::Joints(vec![joint("arm_left", 0.0, Some(FULL_JOINT_RADPS), None)]),
            Command::Lamp { part: None, rgb: [255, 0, 7] },
            Command::Play { name: "s.wav".into(), volume_ratio: Some(0.3) },
            Command::Volume(0.5),
            command(Record { on: true, name: Some("a.wav".into()) }),
            command(Record { on: false, name: None }),
            command(Listen { on: true }),
            command(DetectFaces { on: false }),
            command(RecognizeFaces { on: true }),
            command(TrainFace { label: "Ada".into() }),
            command(CancelFaceTraining {}),
            command(ForgetFace { label: None }),
            command(Serial { text: "{\"a\":1}".into() }),
            Command::Localization(LocalizationCommand::Mapping(true)),
            Command::Localization(LocalizationCommand::Tracking(false)),
            Command::Localization(LocalizationCommand::Streaming(true)),
            Command::Localization(LocalizationCommand::Reset),
        ];
        for command in commands {
            assert_eq!(there_and_back(&command), [command]);
        }
    }

    #[test]
    fn what_misty_cannot_do_is_said() {
        let unknown = JointTarget {
            part: PartName::of("tail"),
            position: JointPosition::angle(0.0),
            velocity_radps: None,
            duration: None,
        };
        assert!(
            calls_from_command(&Command::Joints(vec![unknown])).unwrap_err().reason.contains("head_pitch")
        );
    }
}

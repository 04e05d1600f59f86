//! REST calls that ask the robot for something, as commands of the model.
//!
//! Units of the wire stand in [`scale`](super::scale). The other direction is [`call`](super::call).

use std::time::Duration;

use latimer_core::PartName;
use latimer_core::model::{Command, JointPosition, JointTarget, LocalizationCommand, TrackSpeeds};

use super::command_params::{CommandError, CommandParams};
use super::described;
use super::hazards::hazard_settings_from_params;
use super::params::Params;
use super::row::Row;
use super::scale::{
    FULL_JOINT_RADPS, FULL_SPEED_MPS, FULL_TURN_RADPS, HEAD_PITCH, HEAD_ROLL, HEAD_YAW, JointRange,
    JointUnit, LEFT_ARM, RIGHT_ARM, ratio_from_percent,
};

/// Shortest drive; the robot does not move for less.
const SHORTEST_DRIVE_MS: f64 = 100.0;

/// The command that a call stands for, or all that is wrong with it; `None` for calls that only ask something of the gateway.
pub fn command_from_call(row: &Row, params: &Params) -> Option<Result<Command, CommandError>> {
    let mut params = params.for_command(row.verb);
    if let Some(about) = row.given {
        return Some(described::command_from_row(row, about, params));
    }
    let command = common(row.name, &mut params)?;
    Some(params.finish().map(|()| command))
}

/// A command that other families have too; problems are left in `params`.
fn common(name: &str, params: &mut CommandParams<'_>) -> Option<Command> {
    Some(match name {
        "Drive" => Command::Drive {
            linear_mps: percent(params, "LinearVelocity") * FULL_SPEED_MPS,
            angular_radps: percent(params, "AngularVelocity") * FULL_TURN_RADPS,
            duration: None,
        },
        "DriveTime" => drive_time(params),
        "DriveTrack" => Command::DriveTracks(TrackSpeeds {
            left_mps: percent(params, "LeftTrackSpeed") * FULL_SPEED_MPS,
            right_mps: percent(params, "RightTrackSpeed") * FULL_SPEED_MPS,
        }),
        "Stop" => Command::Stop { hold: params.optional("Hold").unwrap_or(false) },
        "Halt" => Command::Halt { motor_mask: motor_mask(params) },
        "MoveHead" => move_head(params),
        "MoveArm" => move_arm(params),
        "MoveArms" => move_arms(params),
        "ChangeLED" => Command::Lamp {
            part: None,
            rgb: ["Red", "Green", "Blue"].map(|name| params.optional::<u8>(name).unwrap_or(0)),
        },
        "PlayAudioClip" => Command::Play {
            name: params.required("FileName"),
            volume_ratio: params.optional::<i64>("Volume").map(|volume| volume.clamp(0, 100) as f64 / 100.0),
        },
        "SetDefaultVolume" => Command::Volume(params.required::<i64>("Volume").clamp(0, 100) as f64 / 100.0),
        "UpdateBaseHazardManagementSettings" => hazard_settings_from_params(params),
        "StartMapping" => Command::Localization(LocalizationCommand::Mapping(true)),
        "StopMapping" => Command::Localization(LocalizationCommand::Mapping(false)),
        "StartTracking" => Command::Localization(LocalizationCommand::Tracking(true)),
        "StopSlamTracking" => Command::Localization(LocalizationCommand::Tracking(false)),
        "StartSlamStreaming" => Command::Localization(LocalizationCommand::Streaming(true)),
        "StopSlamStreaming" => Command::Localization(LocalizationCommand::Streaming(false)),
        "ResetSlam" => Command::Localization(LocalizationCommand::Reset),
        _ => return None,
    })
}

/// A required speed in percent, as a ratio.
fn percent(params: &mut CommandParams<'_>, name: &str) -> f64 {
    ratio_from_percent(params.required(name))
}

/// `Degree` names the angle to turn in the time and then overrides `AngularVelocity`.
fn drive_time(params: &mut CommandParams<'_>) -> Command {
    let linear = percent(params, "LinearVelocity");
    let angular = percent(params, "AngularVelocity");
    let ms: f64 = params.required("TimeMs");
    let duration = params.time(ms);
    let degree = params.optional::<f64>("Degree").filter(|degree| *degree != 0.0);
    if ms < SHORTEST_DRIVE_MS {
        // Shorter than the robot's shortest drive: it stands, as the robot does.
        return Command::Drive { linear_mps: 0.0, angular_radps: 0.0, duration: Some(Duration::ZERO) };
    }
    let turn = degree.map(|degree| degree.to_radians() / duration.as_secs_f64());
    Command::Drive {
        linear_mps: linear * FULL_SPEED_MPS,
        angular_radps: turn.unwrap_or(angular * FULL_TURN_RADPS),
        duration: Some(duration),
    }
}

fn motor_mask(params: &mut CommandParams<'_>) -> Option<u32> {
    let mask = params.optional::<i64>("MotorMask")?;
    let valid = u32::try_from(mask).ok();
    if valid.is_none() {
        params.refuse(format!("Invalid MotorMask {mask}, use 0 to {}", u32::MAX));
    }
    valid
}

/// `Units`, `Velocity` and `Duration` as they apply to several joints of one call.
struct Pace {
    unit: JointUnit,
    velocity_radps: Option<f64>,
    duration: Option<Duration>,
}

impl Pace {
    fn of(params: &mut CommandParams<'_>, velocity: Option<&str>) -> Self {
        let word = params.optional::<String>("Units");
        let unit = word.as_deref().map_or(Some(JointUnit::Degrees), JointUnit::from_word);
        if unit.is_none() {
            params.refuse("Invalid Units, use degrees, radians or position");
        }
        let velocity_radps = velocity.and_then(|name| joint_speed(params, name));
        let seconds = params.optional::<f64>("Duration").filter(|seconds| *seconds > 0.0);
        let duration = seconds.map(|seconds| params.time(seconds * 1000.0));
        Self { unit: unit.unwrap_or(JointUnit::Degrees), velocity_radps, duration }
    }

    fn target(&self, joint: JointRange, number: f64) -> JointTarget {
        JointTarget {
            part: PartName::of(joint.part),
            position: JointPosition::angle(self.unit.radians(number, joint)),
            velocity_radps: self.velocity_radps,
            duration: self.duration,
        }
    }
}

fn joint_speed(params: &mut CommandParams<'_>, name: &str) -> Option<f64> {
    let percent = params.optional::<f64>(name)?;
    if percent <= 0.0 || percent > 100.0 {
        params.refuse(format!("Invalid {name} {percent}, use more than 0 up to 100"));
    }
    Some(ratio_from_percent(percent) * FULL_JOINT_RADPS)
}

fn move_head(params: &mut CommandParams<'_>) -> Command {
    let pace = Pace::of(params, Some("Velocity"));
    let joints = [("Pitch", HEAD_PITCH), ("Roll", HEAD_ROLL), ("Yaw", HEAD_YAW)];
    let targets = joints
        .into_iter()
        .filter_map(|(name, joint)| params.optional::<f64>(name).map(|number| pace.target(joint, number)));
    let targets: Vec<_> = targets.collect();
    if targets.is_empty() {
        params.refuse("Missing required double parameter 'Pitch', 'Roll' or 'Yaw'");
    }
    Command::Joints(targets)
}

fn move_arm(params: &mut CommandParams<'_>) -> Command {
    let arm: String = params.required("Arm");
    let number = params.required("Position");
    let pace = Pace::of(params, Some("Velocity"));
    let arms: &[JointRange] = match arm.to_ascii_lowercase().as_str() {
        "left" => &[LEFT_ARM],
        "right" => &[RIGHT_ARM],
        "both" => &[LEFT_ARM, RIGHT_ARM],
        "" => &[],
        _ => {
            params.refuse(format!("Invalid Arm {arm:?}, use left, right or both"));
            &[]
        }
    };
    Command::Joints(arms.iter().map(|arm| pace.target(*arm, number)).collect())
}

fn move_arms(params: &mut CommandParams<'_>) -> Command {
    let arms = [
        ("LeftArmPosition", "LeftArmVelocity", LEFT_ARM),
        ("RightArmPosition", "RightArmVelocity", RIGHT_ARM),
    ];
    let mut targets = Vec::new();
    for (position, velocity, joint) in arms {
        let pace = Pace::of(params, Some(velocity));
        targets.extend(params.optional::<f64>(position).map(|number| pace.target(joint, number)));
    }
    if targets.is_empty() {
        params.refuse("Missing required double parameter 'LeftArmPosition' or 'RightArmPosition'");
    }
    Command::Joints(targets)
}

//! The command of the model that a command of the API stands for.

use latimer_core::Command as ModelCommand;
use latimer_core::model::signal::Limit;
use latimer_core::model::{PartName, TrackSpeeds};

use super::super::field::{InvalidField, not_blank};
use super::super::quantity::checked;
use super::{Command, HazardThreshold};
use latimer_dialects::json::value_from_json;

impl TryFrom<Command> for ModelCommand {
    type Error = InvalidField;

    fn try_from(command: Command) -> Result<Self, InvalidField> {
        Ok(match command {
            Command::Drive { linear_mps, angular_radps, duration_s } => Self::Drive {
                linear_mps: checked!(linear_mps),
                angular_radps: checked!(angular_radps),
                duration: checked!(duration_s),
            },
            Command::DriveTracks { left_mps, right_mps } => Self::DriveTracks(TrackSpeeds {
                left_mps: checked!(left_mps),
                right_mps: checked!(right_mps),
            }),
            Command::Stop { hold } => Self::Stop { hold },
            Command::Halt { motor_mask } => Self::Halt { motor_mask },
            Command::Joints { targets } => {
                Self::Joints(targets.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?)
            }
            Command::Lamp { part, rgb } => Self::Lamp { part: part.as_deref().map(PartName::of), rgb },
            Command::Play { name, volume_ratio } => Self::Play { name, volume_ratio: checked!(volume_ratio) },
            Command::Volume { volume_ratio } => Self::Volume(checked!(volume_ratio)),
            Command::SkillMessage { text, data } => {
                Self::SkillMessage { text, data: data.as_ref().map(value_from_json) }
            }
            Command::HazardSettings { revert, bumpers, ranges } => {
                let limit = |HazardThreshold { part, threshold_m }| {
                    let threshold_m = checked!(threshold_m);
                    Ok(Limit { part: part.into(), threshold_m })
                };
                Self::HazardSettings {
                    revert,
                    bumpers: bumpers.into_iter().map(Into::into).collect(),
                    ranges: ranges.into_iter().map(limit).collect::<Result<_, InvalidField>>()?,
                }
            }
            Command::BehaviourDrive(drive) => Self::BehaviourDrive(Box::new(drive.try_into()?)),
            Command::BehaviourSwitches { switches } => {
                Self::BehaviourSwitches(switches.into_iter().map(Into::into).collect())
            }
            Command::Localization { action } => Self::Localization(action.into()),
            Command::SetPose { x_m, y_m, yaw_rad } => {
                Self::SetPose { x_m: checked!(x_m), y_m: checked!(y_m), yaw_rad: checked!(yaw_rad) }
            }
            Command::Navigate(navigate) => Self::Navigate(navigate.try_into()?),
            Command::CancelNavigation {} => Self::CancelNavigation,
            Command::ControlMode { mode } => Self::ControlMode(mode.into()),
            Command::EmergencyStop { pressed } => Self::EmergencyStop(pressed),
            Command::Camera(camera) => Self::Camera(camera.try_into()?),
            Command::Task(task) => Self::Task(task.try_into()?),
            Command::CancelTask { id } => Self::CancelTask(not_blank("id", id)?),
            Command::Sense(sense) => Self::Sense(sense.try_into()?),
            Command::Native(call) => Self::Native(call.try_into()?),
        })
    }
}

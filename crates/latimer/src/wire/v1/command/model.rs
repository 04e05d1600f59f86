//! The command of the model that a command of the wire asks for.

use latimer_core::Command as ModelCommand;
use latimer_core::model::signal::{Limit, Switch};
use latimer_core::model::{PartName, TrackSpeeds};

use super::super::field::{InvalidField, finite, pose, positive, ratio, said, seconds};
use super::super::json::value_from_json;
use super::{Command, HazardSwitch, HazardThreshold};

impl TryFrom<Command> for ModelCommand {
    type Error = InvalidField;

    fn try_from(command: Command) -> Result<Self, InvalidField> {
        Ok(match command {
            Command::Drive { linear_mps, angular_radps, duration_s } => Self::Drive {
                linear_mps: finite("linear_mps", linear_mps)?,
                angular_radps: finite("angular_radps", angular_radps)?,
                duration: duration_s.map(|given| seconds("duration_s", given)).transpose()?,
            },
            Command::DriveTracks { left_mps, right_mps } => Self::DriveTracks(TrackSpeeds {
                left_mps: finite("left_mps", left_mps)?,
                right_mps: finite("right_mps", right_mps)?,
            }),
            Command::DriveHeading { heading_rad, distance_m, duration_s, reverse } => Self::DriveHeading {
                heading_rad: finite("heading_rad", heading_rad)?,
                distance_m: positive("distance_m", distance_m)?,
                duration: seconds("duration_s", duration_s)?,
                reverse,
            },
            Command::DriveArc { heading_rad, radius_m, duration_s, reverse } => Self::DriveArc {
                heading_rad: finite("heading_rad", heading_rad)?,
                radius_m: positive("radius_m", radius_m)?,
                duration: seconds("duration_s", duration_s)?,
                reverse,
            },
            Command::Stop { hold } => Self::Stop { hold },
            Command::Halt { motor_mask } => Self::Halt { motor_mask },
            Command::Joints { targets } => {
                Self::Joints(targets.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?)
            }
            Command::Lamp { part, rgb } => Self::Lamp { part: part.as_deref().map(PartName::of), rgb },
            Command::Play { name, volume_ratio } => Self::Play {
                name,
                volume_ratio: volume_ratio.map(|given| ratio("volume_ratio", given)).transpose()?,
            },
            Command::Volume { volume_ratio } => Self::Volume(ratio("volume_ratio", volume_ratio)?),
            Command::Record { on, name } => Self::Record { on, name },
            Command::Listen { on } => Self::ListenForKeyPhrase(on),
            Command::DetectFaces { on } => Self::DetectFaces(on),
            Command::RecognizeFaces { on } => Self::RecognizeFaces(on),
            Command::TrainFace { label } => Self::TrainFace(label),
            Command::CancelFaceTraining {} => Self::CancelFaceTraining,
            Command::ForgetFace { label } => Self::ForgetFace(label),
            Command::Serial { text } => Self::Serial(text),
            Command::SkillMessage { text, data } => {
                Self::SkillMessage { text, data: data.map(value_from_json) }
            }
            Command::HazardSettings { revert, bumpers, ranges } => {
                let switch = |HazardSwitch { part, enabled }| Switch { part: part.into(), enabled };
                let limit = |HazardThreshold { part, threshold_m }| {
                    let threshold_m = positive("threshold_m", threshold_m)?;
                    Ok(Limit { part: part.into(), threshold_m })
                };
                Self::HazardSettings {
                    revert,
                    bumpers: bumpers.into_iter().map(switch).collect(),
                    ranges: ranges.into_iter().map(limit).collect::<Result<_, InvalidField>>()?,
                }
            }
            Command::Localization { action } => Self::Localization(action.into()),
            Command::SetPose { x_m, y_m, yaw_rad } => {
                let [x_m, y_m, yaw_rad] = pose(x_m, y_m, yaw_rad)?;
                Self::SetPose { x_m, y_m, yaw_rad }
            }
            Command::Navigate(navigate) => Self::Navigate(navigate.try_into()?),
            Command::CancelNavigation {} => Self::CancelNavigation,
            Command::Follow { target } => Self::Follow(target.try_into()?),
            Command::Carry { action } => Self::Carry(action.into()),
            Command::Maintain { action } => Self::Maintain(action.into()),
            Command::Pins(pins) => pins.try_into()?,
            Command::ControlMode { mode } => Self::ControlMode(mode.into()),
            Command::EmergencyStop { pressed } => Self::EmergencyStop(pressed),
            Command::WakeUp {} => Self::WakeUp,
            Command::Camera(camera) => Self::Camera(camera.try_into()?),
            Command::Task(task) => Self::Task(task.try_into()?),
            Command::CancelTask { id } => Self::CancelTask(said("id", id)?),
            Command::Sense(sense) => Self::Sense(sense.try_into()?),
        })
    }
}

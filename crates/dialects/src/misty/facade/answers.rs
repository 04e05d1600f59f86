//! Questions that are answered from what the hub remembers of the robot.

use latimer_core::Signal;
use latimer_core::model::Kind;
use latimer_core::model::signal::Library;
use serde_json::{Value as Json, json};

use super::robot::FacadeRobot;
use super::{compose, device};
use crate::misty::rest::catalogue;
use crate::misty::rest::command_params::CommandParams;
use crate::misty::rest::envelope::{Reply, ReplyStatus};
use crate::misty::rest::hazards::hazard_settings_answer;
use crate::misty::rest::row::Row as Entry;
use crate::misty::wire::{EventType, Message, Version, websocket_classes};

/// Answers a call that asks the robot for nothing but knowledge.
pub(super) fn answer(robot: &FacadeRobot, entry: &'static Entry, mut params: CommandParams<'_>) -> Reply {
    let result = match entry.name {
        "GetHelp" => {
            let command = params.optional::<String>("Command");
            return finished(params, || catalogue::help_json(command.as_deref()));
        }
        "GetWebsocketNames" => {
            let class = params.optional::<String>("WebsocketClass");
            Some(websocket_classes(class.as_deref()))
        }
        "GetWebsocketVersion" => Some(json!(robot.style().version.as_str())),
        "SetWebsocketVersion" => set_version(robot, &mut params),
        "GetDeviceInformation" => Some(device::answer(robot)),
        "GetBatteryLevel" => last_message(robot, EventType::BatteryCharge),
        "GetSlamStatus" => last_message(robot, EventType::SlamStatus)
            .map(|message| message.get("slamStatus").cloned().unwrap_or(message)),
        "GetSerialSensorValues" => {
            Some(json!(compose::serial_lines(robot).iter().map(|line| &**line).collect::<Vec<_>>()))
        }
        "GetHazardSettings" => match robot.last(Kind::HazardSettings).map(|update| update.signal.clone()) {
            Some(Signal::HazardSettings(settings)) => Some(hazard_settings_answer(&settings)),
            _ => None,
        },
        "GetKnownFaces" => library(robot).map(|library| json!(library.faces)),
        "GetAudioList" => sounds(robot).map(|sounds| {
            Json::Array(sounds.iter().map(|name| json!({"name": name, "systemAsset": true})).collect())
        }),
        // No program is stored on or run by a robot that the gateway serves.
        "GetSkills" | "GetRunningSkills" => Some(json!([])),
        _ => {
            return Reply::failure(
                ReplyStatus::NotFound,
                format!("Cannot {}  - it is not offered.", entry.verb),
            );
        }
    };
    if let Err(error) = params.finish() {
        return Reply::failure(ReplyStatus::BadArgument, error.to_string());
    }
    result.map_or_else(
        || {
            let text = format!(
                "Cannot {}  - the robot has not reported it yet; try again in a few seconds.",
                entry.verb
            );
            Reply::failure(ReplyStatus::ServiceUnavailable, text)
        },
        Reply::success,
    )
}

/// A whole answer with its own envelope.
fn finished(params: CommandParams<'_>, body: impl FnOnce() -> Json) -> Reply {
    match params.finish() {
        Ok(()) => Reply { status: ReplyStatus::Ok, body: body() },
        Err(error) => Reply::failure(ReplyStatus::BadArgument, error.to_string()),
    }
}

fn set_version(robot: &FacadeRobot, params: &mut CommandParams<'_>) -> Option<Json> {
    let asked: String = params.required("Version");
    match asked.parse::<Version>() {
        Ok(version) => robot.set_version(version),
        Err(_) if asked.is_empty() => {}
        Err(error) => params.refuse(error.to_string()),
    }
    Some(json!(true))
}

/// The last event of a type as the whole object, which the calls of 2019 show.
fn last_message(robot: &FacadeRobot, event_type: EventType) -> Option<Json> {
    let kind = event_type.kinds().first()?;
    let update = robot.last(*kind)?;
    crate::misty::map::message_from_update(&update).as_ref().map(Message::full)
}

/// The sounds that it lists, or else those that every robot of its make has.
fn sounds(robot: &FacadeRobot) -> Option<Vec<String>> {
    let of_its_make = || robot.hub.profile(&robot.robot).sounds.clone();
    Some(library(robot).map_or_else(of_its_make, |it| it.sounds)).filter(|it| !it.is_empty())
}

fn library(robot: &FacadeRobot) -> Option<Library> {
    match robot.last(Kind::Library)?.signal.clone() {
        Signal::Library(library) => Some(library),
        _ => None,
    }
}

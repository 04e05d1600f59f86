//! Commands to robots, and things that happen to simulated ones.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Json;
use axum::extract::Request;
use axum::http::{Method, StatusCode, Uri};
use futures_util::future;
use latimer_core::access::Role;
use latimer_core::hub::{CommandAnswer, CommandId, CommandRecord as Record, Origin};
use latimer_core::limits::COMMAND_TIMEOUT;
use latimer_core::model::{Refusal, RefusalCode};
use latimer_core::{Command as ModelCommand, Outcome as ModelOutcome};
use latimer_dialects::pace::Stops;
use latimer_simulator_api::WorldRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::{NotDone, WrongParameter};
use super::client::{Api, author};
use super::extract::RobotName;
use super::params::Params;
use super::world::ask;
use super::{BASE, Rejection, body, lists};
use crate::limits::COMMAND_MAX_TIMEOUT;
use latimer_wire::v1::{Command, CommandOutcome, CommandRecord, InvalidField, Outcome, Stimulus};

/// How many records of commands are returned by default.
const COMMANDS: usize = 100;

/// Where the gateway's health is.
const HEALTH: &str = "/api/v1/health";

#[utoipa::path(
    post,
    path = "/robots/{robot}/commands",
    tag = "robots",
    summary = "Ask a robot for something",
    description = "The robot's own answer is waited for. Asking again may do it again.",
    params(
        ("robot" = String, Path, description = "Its name", example = "misty-1"),
        ("patience" = Option<String>, Query, description = "How long to wait for the answer, at most 60s; 10s if not given", example = "30s"),
    ),
    request_body(
        content = Command,
        description = "What to do",
        examples(
            ("drive" = (summary = "Go ahead for two seconds", value = json!({"command": "drive", "linear_mps": 0.2, "duration_s": 2}))),
            ("head" = (summary = "Turn the head", value = json!({"command": "joints", "targets": [{"part": "head_yaw", "position_rad": 0.35}]}))),
            ("place" = (summary = "Drive to a place by itself", value = json!({"command": "navigate", "to": {"place": "Sofa"}}))),
            ("stop" = (summary = "Stop", value = json!({"command": "stop"}))),
        )
    ),
    responses((status = 200, description = "What became of it", body = CommandOutcome), NotDone)
)]
pub(super) async fn command(
    Api { state, .. }: Api,
    RobotName(robot): RobotName,
    uri: Uri,
    request: Request,
) -> Result<Json<CommandOutcome>, Rejection> {
    let patience = patience(&uri)?;
    let author = author(&request);
    let report = lists::known_robot(&state, &robot)?;
    let command: Command = body::json(request).await?;
    let command = ModelCommand::try_from(command).map_err(|error| wrong_field(&error))?;
    let name = command.name();
    let answer = state.hub.command_client(author).command(&report.info.robot, command, patience);
    of_command(answer, &robot, name, patience).await
}

/// Waits for the answer to a command.
async fn of_command(
    command: CommandAnswer,
    robot: &str,
    name: &str,
    patience: Duration,
) -> Result<Json<CommandOutcome>, Rejection> {
    let (id, note) = (command.id(), command.note().map(str::to_owned));
    let Json(outcome) =
        answer(command.await, robot, name, patience).map_err(|rejection| rejection.of_command(id))?;
    Ok(Json(CommandOutcome { command_id: id.to_string(), outcome: outcome.noting(note) }))
}

/// The last commands.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Commands {
    /// Newest first.
    pub(crate) commands: Vec<CommandRecord>,
}

#[utoipa::path(
    get,
    path = "/commands",
    tag = "robots",
    summary = "The last commands, newest first: who gave them, and what became of each",
    description = "Those of every dialect, of this API and of the gateway itself; the last 1,000 are kept.",
    params(
        ("robot" = Option<String>, Query, description = "Only those to one robot", example = "misty-1"),
        ("dialect" = Option<String>, Query, description = "Only those that came through one dialect, or through `api`, `page`, `cli`, `gateway`", example = "misty"),
        ("command_id" = Option<String>, Query, description = "Only the one of this id", example = "5f0c2a91-17"),
        ("n" = Option<u64>, Query, description = "At most so many; 100 if not given", minimum = 1),
    ),
    responses((status = 200, description = "The commands", body = Commands), WrongParameter)
)]
pub(super) async fn commands(Api { state, .. }: Api, uri: Uri) -> Result<Json<Commands>, Rejection> {
    let mut params = Params::of(&uri)?;
    let robot = params.one("robot")?;
    let dialect = params.one("dialect")?;
    let id = params.one("command_id")?.map(|id| id.parse::<CommandId>()).transpose();
    let id = id.map_err(|error| Rejection::bad(error.to_string()).at("command_id"))?;
    let count = params.count("n")?.map_or(COMMANDS, |count| usize::try_from(count).unwrap_or(usize::MAX));
    params.finish()?;
    let wanted = |record: &Record| {
        robot.as_ref().is_none_or(|it| record.robot.as_str() == it)
            && dialect.as_ref().is_none_or(|it| record.author.dialect == it)
            && id.is_none_or(|it| (record.id..=record.last_id).contains(&it))
    };
    let records = state.hub.commands_given_lately(count, wanted);
    Ok(Json(Commands { commands: records.iter().map(Into::into).collect() }))
}

/// An emergency stop of several robots.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmergencyStop {
    /// Which robots; all that are there if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) robots: Option<Vec<String>>,
    /// Whether it is pressed; `false` releases it.
    #[serde(default = "pressed")]
    pub(crate) pressed: bool,
}

const fn pressed() -> bool {
    true
}

/// What became of an emergency stop.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct EmergencyStops {
    /// By robot.
    pub(crate) outcomes: BTreeMap<String, CommandOutcome>,
}

#[utoipa::path(
    post,
    path = "/estop",
    operation_id = "emergency_stop",
    tag = "robots",
    summary = "Stop robots at once, and keep them from moving until it is released",
    description = "Robots without an emergency stop of their own are halted, and the gateway refuses what moves them. \
The client that pressed it releases it, and so do those that `releasers` in the config names: the page, this API and the terminal if nothing is configured.",
    params(
        ("patience" = Option<String>, Query, description = "How long to wait for the answers, at most 60s; 10s if not given", example = "2s"),
    ),
    request_body(
        content = EmergencyStop,
        description = "Which robots",
        examples(
            ("all" = (summary = "All of them", value = json!({}))),
            ("release" = (summary = "Release one", value = json!({"robots": ["misty-1"], "pressed": false}))),
        )
    ),
    responses((status = 200, description = "What became of it, by robot", body = EmergencyStops), NotDone)
)]
pub(super) async fn estop(
    Api { state, .. }: Api,
    uri: Uri,
    request: Request,
) -> Result<Json<EmergencyStops>, Rejection> {
    let patience = patience(&uri)?;
    let driver = state.hub.command_client(author(&request));
    let EmergencyStop { robots, pressed } = body::json(request).await?;
    let robots = match robots {
        Some(names) => {
            let known = names.iter().map(|name| Ok(lists::known_robot(&state, name)?.info.robot));
            known.collect::<Result<Vec<_>, Rejection>>()?
        }
        None => state.hub.robots().into_iter().map(|report| report.info.robot).collect(),
    };
    // All are asked before one is waited for.
    let asked = robots.into_iter().map(|robot| {
        let answer = driver.command(&robot, ModelCommand::EmergencyStop(pressed), patience);
        let command_id = answer.id().to_string();
        async move { (robot.to_string(), CommandOutcome { command_id, outcome: answer.await.into() }) }
    });
    Ok(Json(EmergencyStops { outcomes: future::join_all(asked).await.into_iter().collect() }))
}

#[utoipa::path(
    post,
    path = "/robots/{robot}/stands",
    operation_id = "confirm_that_it_stands",
    tag = "robots",
    summary = "Say that a robot stands, as somebody has seen",
    description = "For a robot that does not confirm it itself after a stop: the alert ends, and no stop is sent again. It is recorded as a command.",
    params(("robot" = String, Path, description = "Its name", example = "misty-1")),
    responses((status = 200, description = "It counts as standing", body = CommandOutcome), NotDone)
)]
pub(super) async fn stands(
    Api { state, .. }: Api,
    RobotName(robot): RobotName,
    request: Request,
) -> Result<Json<CommandOutcome>, Rejection> {
    let author = author(&request);
    let report = lists::known_robot(&state, &robot)?;
    let confirmed = state.hub.confirm_that_it_stands(&author, &report.info.robot);
    of_command(confirmed, &robot, "stands", COMMAND_TIMEOUT).await
}

#[utoipa::path(
    post,
    path = "/robots/{robot}/poke",
    operation_id = "poke_robot",
    tag = "robots",
    summary = "Make something happen to a simulated robot",
    params(
        ("robot" = String, Path, description = "Its name", example = "misty-1"),
        ("patience" = Option<String>, Query, description = "How long to wait for the answer, at most 60s; 10s if not given", example = "30s"),
    ),
    request_body(
        content = Stimulus,
        description = "What happens to it",
        examples(
            ("touch" = (summary = "Stroke its head", value = json!({"stimulus": "touch", "part": "touch_head_front"}))),
            ("battery" = (summary = "Set the charge", value = json!({"stimulus": "battery", "charge_ratio": 0.15}))),
        )
    ),
    responses((status = 200, description = "It happened", body = Outcome), NotDone)
)]
pub(super) async fn poke(
    api: Api,
    RobotName(robot): RobotName,
    uri: Uri,
    request: Request,
) -> Result<Json<Outcome>, Rejection> {
    let patience = patience(&uri)?;
    let state = &api.state;
    let report = lists::known_robot(state, &robot)?;
    api.permit(Role::Admin, &report.info.robot)?;
    let stimulus: Stimulus = body::json(request).await?;
    let stimulus = stimulus.try_into().map_err(|error| wrong_field(&error))?;
    if let Origin::Connected(address) = &report.info.origin {
        let reason = format!("{robot} is a robot at {address}; only simulated robots can be poked");
        return answer(ModelOutcome::unsupported(reason), &robot, "poke", patience);
    }
    let place = format!("{robot}, poke");
    ask(state, WorldRequest::Poke { robot: report.info.robot.clone(), stimulus }, place, patience).await
}

pub(super) fn patience(uri: &Uri) -> Result<Duration, Rejection> {
    let mut params = Params::of(uri)?;
    let patience = params.duration("patience")?.unwrap_or(COMMAND_TIMEOUT);
    params.finish()?;
    if patience > COMMAND_MAX_TIMEOUT {
        return Err(Rejection::bad("nobody waits that long").at("patience").advice("write at most 60s"));
    }
    Ok(patience)
}

pub(super) fn wrong_field(error: &InvalidField) -> Rejection {
    Rejection::bad(error.to_string()).at(format!("body, {}", error.field))
}

/// Whether a request is answered when no connection is left for others: it commands something, in any dialect, and may be a
/// stop; or it asks for the gateway's health, or for the page's files.
pub fn is_urgent(request: &Request) -> bool {
    let path = request.uri().path();
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let is_of_the_page = !path.starts_with("/api/") && !path.starts_with("/robots/");
    !reads || is_of_the_page || path == HEALTH
}

/// Whether a request of the API stops robots, or ends what they drive for.
pub fn stops(method: &Method, path: &str) -> Stops {
    match path.strip_prefix(BASE).filter(|_| *method == Method::POST) {
        Some("/estop") => {
            Stops::ByBody(|body| serde_json::from_slice::<EmergencyStop>(body).is_ok_and(|it| it.pressed))
        }
        Some(below) if below.starts_with("/robots/") && below.ends_with("/commands") => {
            Stops::ByBody(|body| {
                let command = serde_json::from_slice::<Command>(body).ok();
                command.and_then(|it| ModelCommand::try_from(it).ok()).is_some_and(|it| it.ends_motion())
            })
        }
        _ => Stops::No,
    }
}

/// A refusal in HTTP: 400 where another argument helps, 403 where no role allows it, 503 where the
/// robot must be reached first, else 409.
pub(super) fn refused(Refusal { code, reason }: &Refusal) -> Rejection {
    let status = match code {
        RefusalCode::BadArgument => StatusCode::BAD_REQUEST,
        RefusalCode::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
        RefusalCode::Busy
        | RefusalCode::Unsupported
        | RefusalCode::Unsafe
        | RefusalCode::NotNow
        | RefusalCode::Owned => StatusCode::CONFLICT,
        RefusalCode::Forbidden => StatusCode::FORBIDDEN,
    };
    Rejection::new(status, reason).outcome("refused").code(code.as_str())
}

fn answer(
    outcome: ModelOutcome,
    robot: &str,
    command: &str,
    patience: Duration,
) -> Result<Json<Outcome>, Rejection> {
    let place = format!("{robot}, {command}");
    match outcome {
        ModelOutcome::Refused(refusal) => Err(refused(&refusal).at(place)),
        ModelOutcome::TimedOut => {
            let detail = format!("{robot} did not answer within {} s", patience.as_secs_f64());
            Err(Rejection::new(StatusCode::GATEWAY_TIMEOUT, detail)
                .at(place)
                .advice("look at its link with `latimer robots`, or wait longer with ?patience=30s")
                .outcome("timed_out"))
        }
        ModelOutcome::Accepted | ModelOutcome::Done | ModelOutcome::Sensed(_) => Ok(Json(outcome.into())),
    }
}

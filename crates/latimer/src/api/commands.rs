//! Commands to robots, and things that happen to simulated ones.

use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use latimer_core::hub::Origin;
use latimer_core::model::{Refusal, RefusalCode};
use latimer_core::{Command as ModelCommand, Outcome as ModelOutcome};
use latimer_simulator_api::WorldRequest;

use super::answers::NotDone;
use super::extract::RobotName;
use super::params::Params;
use super::world::ask;
use super::{ApiState, Rejection, body, lists};
use crate::wire::v1::{Command, InvalidField, Outcome, Stimulus};

/// How long a robot may take to answer, by default.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longest wait for an answer.
const MAX_PATIENCE: Duration = Duration::from_secs(60);

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
    responses((status = 200, description = "What became of it", body = Outcome), NotDone)
)]
pub(super) async fn command(
    State(state): State<ApiState>,
    RobotName(robot): RobotName,
    uri: Uri,
    request: Request,
) -> Result<Json<Outcome>, Rejection> {
    let patience = patience(&uri)?;
    let report = lists::known_robot(&state, &robot)?;
    let command: Command = body::json(request).await?;
    let command = ModelCommand::try_from(command).map_err(|error| wrong_field(&error))?;
    let name = command.name();
    let outcome = state.hub.command(&report.info.robot, command, patience).await;
    answer(outcome, &robot, name, patience)
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
    State(state): State<ApiState>,
    RobotName(robot): RobotName,
    uri: Uri,
    request: Request,
) -> Result<Json<Outcome>, Rejection> {
    let patience = patience(&uri)?;
    let report = lists::known_robot(&state, &robot)?;
    let stimulus: Stimulus = body::json(request).await?;
    let stimulus = stimulus.try_into().map_err(|error| wrong_field(&error))?;
    if let Origin::Connected(address) = &report.info.origin {
        let reason = format!("{robot} is a robot at {address}; only simulated robots can be poked");
        return answer(ModelOutcome::unsupported(reason), &robot, "poke", patience);
    }
    let place = format!("{robot}, poke");
    ask(&state, WorldRequest::Poke { robot: report.info.robot.clone(), stimulus }, place, patience).await
}

pub(super) fn patience(uri: &Uri) -> Result<Duration, Rejection> {
    let mut params = Params::of(uri)?;
    let patience = params.duration("patience")?.unwrap_or(PATIENCE);
    params.finish()?;
    if patience > MAX_PATIENCE {
        return Err(Rejection::bad("nobody waits that long").at("patience").advice("write at most 60s"));
    }
    Ok(patience)
}

pub(super) fn wrong_field(error: &InvalidField) -> Rejection {
    Rejection::bad(error.to_string()).at(format!("body, {}", error.field))
}

/// A refusal in HTTP: 400 where another argument helps, 503 where the robot must be reached first, else 409.
pub(super) fn refused(Refusal { code, reason }: &Refusal) -> Rejection {
    let status = match code {
        RefusalCode::BadArgument => StatusCode::BAD_REQUEST,
        RefusalCode::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
        RefusalCode::Busy
        | RefusalCode::Unsupported
        | RefusalCode::Unsafe
        | RefusalCode::NotNow
        | RefusalCode::Owned => StatusCode::CONFLICT,
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

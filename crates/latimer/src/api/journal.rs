//! What happened lately: tasks, alerts, events, and what numbers were.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::http::Uri;
use latimer_core::hub::Shared;
use latimer_core::model::Kind;
use latimer_core::model::signal::{NavigationState, TaskState};
use latimer_core::{RobotId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::{NoRobot, WrongParameter};
use super::client::Api;
use super::params::Params;
use super::stream::ALL;
use super::{ApiState, Rejection, lists, selection};
use crate::journal::history_description;
use latimer_wire::v1::{Alert, Samples, TaskRecord, Update, millis_from_timestamp};
use latimer_wire::words::advice;

/// How many tasks are returned by default.
const TASKS: usize = 100;

/// How many events are returned by default.
const EVENTS: usize = 200;

/// The last tasks.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Tasks {
    /// Newest first.
    pub(crate) tasks: Vec<TaskRecord>,
}

/// What is wrong, and what lately was.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Alerts {
    /// Those that hold, then those that were cleared, each newest first.
    pub(crate) alerts: Vec<Alert>,
}

/// The last events.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Events {
    /// Oldest first.
    pub(crate) updates: Vec<Update>,
}

/// What numbers were.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct History {
    /// The gateway's time at the answer, as in `at_ms`.
    pub(crate) now_ms: i64,
    /// By key.
    pub(crate) samples: Vec<Samples>,
}

#[utoipa::path(
    get,
    path = "/tasks",
    tag = "journal",
    summary = "The last tasks, newest first",
    description = "What robots were asked to do and how it went, drives to somewhere included.",
    params(
        ("robot" = Option<String>, Query, description = "Only those of one robot", example = "misty-1"),
        ("state" = Option<String>, Query, description = "Only those whose last report has this state", example = "progress"),
        ("n" = Option<u64>, Query, description = "At most so many; 100 if not given", minimum = 1),
    ),
    responses((status = 200, description = "The tasks", body = Tasks), NoRobot)
)]
pub(super) async fn tasks(Api { state, .. }: Api, uri: Uri) -> Result<Json<Tasks>, Rejection> {
    let mut params = Params::of(&uri)?;
    let robot = robot(&mut params)?;
    let wanted = params.one("state")?.map(|given| task_state(&given)).transpose()?;
    let count = count(&mut params, TASKS)?;
    params.finish()?;
    state.journal.caught_up().await;
    let of_robot =
        |id: &RobotId| robot.as_ref().is_none_or(|robot| robot == id) && state.hub.shows_kind(id, Kind::Task);
    let tasks = state
        .journal
        .tasks(count, |task| of_robot(&task.robot) && wanted.is_none_or(|wanted| wanted == task.state()));
    if tasks.is_empty() {
        refuse_unknown(&state, robot.as_ref())?;
    }
    Ok(Json(Tasks { tasks: tasks.iter().map(Into::into).collect() }))
}

#[utoipa::path(
    get,
    path = "/alerts",
    tag = "journal",
    summary = "What is wrong, and what lately was",
    description = "What robots publish in `alerts` and `hazard`; a lost link, a pressed emergency stop, a battery \
below 10 % that is not charged (of robots that publish no alerts), range and cliff sensors that report that they are broken, as \
far as their readings are published anyway: no robot measures for this alone.",
    params(
        ("robot" = Option<String>, Query, description = "Only those of one robot", example = "misty-1"),
        ("active" = Option<bool>, Query, description = "Only those that hold"),
    ),
    responses((status = 200, description = "The alerts", body = Alerts), NoRobot)
)]
pub(super) async fn alerts(Api { state, .. }: Api, uri: Uri) -> Result<Json<Alerts>, Rejection> {
    let mut params = Params::of(&uri)?;
    let robot = robot(&mut params)?;
    let active = params.flag("active")?;
    params.finish()?;
    state.journal.caught_up().await;
    let of_robot = |id: &RobotId| {
        robot.as_ref().is_none_or(|robot| robot == id) && state.hub.shows_kind(id, Kind::Alerts)
    };
    let alerts = state.journal.alerts(|alert| of_robot(&alert.robot) && !(active && alert.cleared.is_some()));
    if alerts.is_empty() {
        refuse_unknown(&state, robot.as_ref())?;
    }
    Ok(Json(Alerts { alerts: alerts.iter().map(Into::into).collect() }))
}

#[utoipa::path(
    get,
    path = "/events",
    tag = "journal",
    summary = "The last events, oldest first",
    description = "Updates of the class `event`, and changes of alerts and links.",
    params(
        ("select" = Option<String>, Query, description = "Key expressions, by commas; everything if not given", example = "*/contact/**"),
        ("as" = Option<String>, Query, description = "`all` brings each event in the words of every dialect as well", example = "all"),
        ("n" = Option<u64>, Query, description = "At most so many; 200 if not given", minimum = 1),
    ),
    responses((status = 200, description = "The events", body = Events), WrongParameter)
)]
pub(super) async fn events(api: Api, uri: Uri) -> Result<Json<Events>, Rejection> {
    let mut params = Params::of(&uri)?;
    let select = params.one("select")?.unwrap_or_else(|| "**".to_owned());
    let count = count(&mut params, EVENTS)?;
    let in_all_words = match params.one("as")?.as_deref() {
        None => false,
        Some(ALL) => true,
        Some(other) => {
            let detail = format!("events are not kept in the words of {other} alone");
            return Err(Rejection::bad(detail).at("as").advice(format!("write {ALL}")));
        }
    };
    params.finish()?;
    if in_all_words {
        api.permit_whole("as")?;
    }
    let state = api.state;
    state.journal.caught_up().await;
    let expressions = selection::expressions(&selection::selection("select", &select)?);
    let events = state.journal.events(count, |event| {
        selection::includes(&expressions, &event.key()) && state.hub.shows_key(&event.key())
    });
    let wire = |event: &Arc<Shared>| match in_all_words {
        true => Update::whole(event).with_messages(state.translators.messages(&state.hub, event)),
        false => Update::whole(event),
    };
    Ok(Json(Events { updates: events.iter().map(wire).collect() }))
}

#[utoipa::path(
    get,
    path = "/history",
    tag = "journal",
    summary = "What numbers were in the last minutes",
    description = history_description(),
    params(
        ("select" = Option<String>, Query, description = "Key expressions, by commas; everything if not given", example = "*/battery"),
        ("for" = Option<String>, Query, description = "How far back; all that is kept if not given", example = "5m"),
    ),
    responses((status = 200, description = "The samples, by key", body = History), WrongParameter)
)]
pub(super) async fn history(Api { state, .. }: Api, uri: Uri) -> Result<Json<History>, Rejection> {
    let mut params = Params::of(&uri)?;
    let select = params.one("select")?.unwrap_or_else(|| "**".to_owned());
    let back = params.duration("for")?;
    params.finish()?;
    let expressions = selection::expressions(&selection::selection("select", &select)?);
    state.journal.caught_up().await;
    let now = state.hub.clock().now();
    let from = back.map_or(i64::MIN, |back| now.as_nanos().saturating_sub_unsigned(nanos(back)));
    let samples = state.journal.history(Timestamp::from_nanos(from), |key| {
        selection::includes(&expressions, key) && state.hub.shows_key(key)
    });
    let now_ms = millis_from_timestamp(now);
    Ok(Json(History { now_ms, samples: samples.iter().map(Into::into).collect() }))
}

fn robot(params: &mut Params) -> Result<Option<RobotId>, Rejection> {
    let Some(given) = params.one("robot")? else { return Ok(None) };
    RobotId::new(given.as_str()).map(Some).map_err(|error| Rejection::bad(error.to_string()).at("robot"))
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

fn count(params: &mut Params, default: usize) -> Result<usize, Rejection> {
    Ok(params.count("n")?.map_or(default, |count| usize::try_from(count).unwrap_or(usize::MAX)))
}

/// A state of tasks or of drives, by its word.
fn task_state(given: &str) -> Result<&'static str, Rejection> {
    let known = TaskState::ALL.iter().map(|state| state.as_str());
    let known = known.chain(NavigationState::ALL.iter().map(|state| state.as_str()));
    known.clone().find(|word| word.eq_ignore_ascii_case(given)).ok_or_else(|| {
        let mut words: Vec<&str> = known.collect();
        words.sort_unstable();
        words.dedup();
        Rejection::bad(format!("no task state is called {given}")).at("state").advice(advice(given, words))
    })
}

/// Nothing is known of a robot that has gone and left nothing; of one that never was neither.
fn refuse_unknown(state: &ApiState, robot: Option<&RobotId>) -> Result<(), Rejection> {
    robot.map_or(Ok(()), |robot| lists::known_robot(state, robot.as_str()).map(drop))
}

//! Reports on tasks.
//!
//! | type | state of the task | what else |
//! |---|---|---|
//! | `confirm` | confirmed | |
//! | `missing_info` | missing_info | `missing` |
//! | `unkown` | unknown | |
//! | `progress` | progress | `action`, `target`; an action without a word here is told in `reason` |
//! | `success` | succeeded; failed, cancelled | |
//! | `assistance` | assistance | `target`, `alternatives`; `no_location` is the action position_unknown, `not_available` is search_alternatives |
//! | `anomaly_detected` | anomaly | `location`, `objects` |

use latimer_core::model::signal::{Alternative, Task, TaskAction, TaskState};

use crate::robotkoop::wire::{
    AlternativeObject, AnomalyDetected, AnyAlternative, Assistance, MissingInfo, PerformedAction, Progress,
    Status, Success,
};

/// The robot does not know where something belongs.
const NO_LOCATION: &str = "no_location";

/// What was asked for is not to be had.
const NOT_AVAILABLE: &str = "not_available";

/// The actions to which the project's dialogue system answers that it took them.
const ACKNOWLEDGED: [&str; 5] =
    ["person_detected", "handover_start", "handover_completed", "found", "obj_rec"];

/// What a report says of its task: one record for each action that it lists, none if its type is not known.
pub fn tasks_from_status(id: &str, kind: &str, status: &Status) -> Vec<Task> {
    let of = |state| Task::new(id, kind, state);
    match status {
        Status::Confirm => vec![of(TaskState::Confirmed)],
        Status::MissingInfo(MissingInfo { missing_parameters }) => {
            vec![Task { missing: missing_parameters.clone(), ..of(TaskState::MissingInfo) }]
        }
        Status::Unkown => vec![of(TaskState::Unknown)],
        Status::Progress(Progress { performed_actions }) => {
            performed_actions.iter().map(|action| progressed(of(TaskState::Progress), action)).collect()
        }
        // Whoever does not say that it failed means that it is done.
        Status::Success(Success { success }) => match success {
            Some(false) => vec![of(TaskState::Failed)],
            Some(true) | None => vec![of(TaskState::Succeeded)],
        },
        Status::Assistance(Assistance { object, kind, alternatives }) => {
            let action = match kind.as_deref() {
                Some(NO_LOCATION) => Some(TaskAction::PositionUnknown),
                Some(NOT_AVAILABLE) => Some(TaskAction::SearchAlternatives),
                _ => None,
            };
            let alternatives = alternatives.iter().filter_map(alternative_from_any).collect();
            vec![Task { action, target: object.clone(), alternatives, ..of(TaskState::Assistance) }]
        }
        Status::AnomalyDetected(AnomalyDetected { location, objects }) => {
            vec![Task { location: location.clone(), objects: objects.clone(), ..of(TaskState::Anomaly) }]
        }
        Status::Other(..) => Vec::new(),
    }
}

fn progressed(task: Task, performed: &PerformedAction) -> Task {
    let PerformedAction { action, target } = performed;
    let known = action.as_deref().and_then(TaskAction::from_word);
    let reason = action.clone().filter(|_| known.is_none());
    Task { action: known, target: target.clone(), reason, ..task }
}

fn alternative_from_any(any: &AnyAlternative) -> Option<Alternative> {
    match any {
        AnyAlternative::Name(object) => {
            Some(Alternative { object: object.clone(), location: String::new(), known_location: None })
        }
        AnyAlternative::Object(AlternativeObject { alternative_object, location, db_location }) => {
            Some(Alternative {
                object: alternative_object.clone()?,
                location: location.clone().unwrap_or_default(),
                known_location: db_location.clone(),
            })
        }
    }
}

/// What a robot would report; `None` of a progress without an action, which clients would fall over.
pub fn status_from_task(task: &Task) -> Option<Status> {
    let Task { id: _, kind: _, state, action, target, missing, alternatives, location, objects, reason: _ } =
        task;
    Some(match state {
        TaskState::Confirmed => Status::Confirm,
        TaskState::MissingInfo => Status::MissingInfo(MissingInfo { missing_parameters: missing.clone() }),
        TaskState::Unknown => Status::Unkown,
        TaskState::Progress => {
            progress(PerformedAction { action: Some((*action)?.as_str().to_owned()), target: target.clone() })
        }
        TaskState::Assistance => {
            let kind = match action {
                Some(TaskAction::PositionUnknown) => NO_LOCATION,
                _ => NOT_AVAILABLE,
            };
            let alternatives = alternatives.iter().map(any_from_alternative).collect();
            Status::Assistance(Assistance {
                object: target.clone(),
                kind: Some(kind.to_owned()),
                alternatives,
            })
        }
        TaskState::Anomaly => {
            Status::AnomalyDetected(AnomalyDetected { location: location.clone(), objects: objects.clone() })
        }
        TaskState::Succeeded => success(true),
        TaskState::Failed | TaskState::Cancelled => success(false),
    })
}

/// A report of one action.
pub(in crate::robotkoop) fn progress(action: PerformedAction) -> Status {
    Status::Progress(Progress { performed_actions: vec![action] })
}

/// A report that a task is over.
pub(in crate::robotkoop) fn success(success: bool) -> Status {
    Status::Success(Success { success: Some(success) })
}

fn any_from_alternative(alternative: &Alternative) -> AnyAlternative {
    let Alternative { object, location, known_location } = alternative;
    AnyAlternative::Object(AlternativeObject {
        alternative_object: Some(object.clone()),
        location: Some(location.clone()),
        db_location: known_location.clone(),
    })
}

/// Whether a dialogue system says that it took such a report.
pub fn acknowledged(status: &Status) -> bool {
    match status {
        Status::Progress(progress) => progress
            .performed_actions
            .first()
            .and_then(|it| it.action.as_deref())
            .is_some_and(|action| ACKNOWLEDGED.contains(&action)),
        Status::AnomalyDetected(_) => true,
        Status::Assistance(assistance) => assistance.kind.as_deref() == Some(NOT_AVAILABLE),
        _ => false,
    }
}

//! `/robots/status` and `/dialogue/status`: reports on tasks, and that they were taken.

use latimer_core::model::signal::{Alternative, Task, TaskAction, TaskState};
use serde::{Deserialize, Deserializer, Serialize};

use super::{list, types};
use crate::describe::codec::{CodecInfo, Describe, Words};
use crate::describe::lenient::Lenient;
use crate::describe::{Described, HasWireType, Message, Translate, WireType};

types! {
    /// What a report says, by its `type`.
    Status: TaskState {
        /// The task was received.
        "confirm" => Confirm is TaskState::Confirmed,
        /// The task lacks something.
        "missing_info" => MissingInfo(MissingInfo) is TaskState::MissingInfo,
        /// The task is not known; spelt as the specification spells it.
        "unkown" | "unknown" => Unkown is TaskState::Unknown,
        /// The task goes on.
        "progress" => Progress(Progress) is TaskState::Progress,
        /// The task is over.
        "success" => Success(Success) is TaskState::Succeeded,
        /// A person has to choose; `alternatives` of older robots.
        "assistance" | "alternatives" => Assistance(Assistance) is TaskState::Assistance,
        /// Something is where it does not belong.
        "anomaly_detected" => AnomalyDetected(AnomalyDetected) is TaskState::Anomaly,
    }
}

/// Why a person has to choose: where something belongs is not known, or what was asked for is not to be had.
const WHY: Words<TaskAction> =
    Words(&[("no_location", TaskAction::PositionUnknown), (NOT_AVAILABLE, TaskAction::SearchAlternatives)]);

const NOT_AVAILABLE: &str = "not_available";

/// The actions to which the project's dialogue system answers that it took them.
const ACKNOWLEDGED: [&str; 5] =
    ["person_detected", "handover_start", "handover_completed", "found", "obj_rec"];

/// `missing_info`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct MissingInfo {
    /// Lists all parameters missing from the original task message; older robots send one as a plain text.
    #[field(model = "missing", read = list, or = Vec::new())]
    pub missing_parameters: Vec<String>,
}

/// `progress`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Progress {
    /// List of performed actions. Clients read the first only, and fall over if there is none.
    #[field(model = "", read = list, or = Vec::new())]
    pub performed_actions: Vec<PerformedAction>,
}

/// A performed action.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(nulls)]
pub struct PerformedAction {
    /// Key for the action performed by the robot.
    #[field(model = "action", codec = Action)]
    #[field(note = "a message for each action; one without a word here stands in `reason`")]
    pub action: Option<String>,
    /// Target object related to the action; null for certain actions.
    #[field(model = "target")]
    pub target: Option<String>,
}

/// The actions that the model has words for.
struct Action;

impl Describe for Action {
    fn info(&self) -> CodecInfo {
        let examples = TaskAction::ALL.iter().map(|action| action.as_str()).collect();
        CodecInfo { examples, ..CodecInfo::default() }
    }
}

/// `success`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(nulls)]
pub struct Success {
    /// False if the task was aborted or could not be finished: then it is `failed`.
    pub success: Option<bool>,
}

/// `assistance`, and `alternatives` of older robots.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(nulls)]
pub struct Assistance {
    /// Object for which the alternatives were found.
    #[field(model = "target")]
    pub object: Option<String>,
    /// `no_location` or `not_available`.
    #[field(model = "action", name = "type", codec = WHY)]
    pub kind: Option<String>,
    /// Alternative objects and where they are.
    #[field(model = "alternatives", alias = "AlternativeObject", read = list, or = Vec::new())]
    pub alternatives: Vec<AnyAlternative>,
}

/// An alternative; older robots send its name alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AnyAlternative {
    /// As specified.
    Object(AlternativeObject),
    /// Its name.
    Name(String),
}

impl Lenient for AnyAlternative {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        Option::deserialize(deserializer)
    }
}

impl HasWireType for AnyAlternative {
    const WIRE_TYPE: WireType = WireType::Object(AlternativeObject::FIELDS);
}

/// An alternative and where it is.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Alternative, context = (), nulls)]
pub struct AlternativeObject {
    /// Which object.
    #[field(object, required)]
    pub alternative_object: Option<String>,
    /// Where it is.
    #[field(location, or = String::new())]
    pub location: Option<String>,
    /// Where it is by the robot's database.
    #[field(known_location)]
    pub db_location: Option<String>,
}

/// `anomaly_detected`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(nulls)]
pub struct AnomalyDetected {
    /// Location where the anomaly was found; `place` of older robots.
    #[field(model = "location", alias = "place")]
    pub location: Option<String>,
    /// List of anomalous objects; the one `anomaly` of older robots.
    #[field(model = "objects", alias = "anomaly", read = list, or = Vec::new())]
    pub objects: Vec<String>,
}

/// What a report says of its task: one record for each action that it lists, none if its type is not known.
pub fn tasks_from_status(id: &str, kind: &str, status: &Status) -> Vec<Task> {
    let known = Status::TYPES.iter().find(|(word, _)| *word == status.type_word());
    let Some(task) = known.map(|(_, state)| Task::new(id, kind, *state)) else { return Vec::new() };
    match status.clone() {
        Status::MissingInfo(it) => vec![Task { missing: it.missing_parameters, ..task }],
        Status::Progress(it) => {
            it.performed_actions.into_iter().map(|action| progressed(task.clone(), action)).collect()
        }
        // A success that does not say `false` is one.
        Status::Success(Success { success: Some(false) }) => vec![Task { state: TaskState::Failed, ..task }],
        Status::Assistance(Assistance { object, kind, alternatives }) => {
            let action = kind.and_then(|kind| WHY.meaning(&kind));
            let alternatives = alternatives.into_iter().filter_map(alternative_from_any).collect();
            vec![Task { action, target: object, alternatives, ..task }]
        }
        Status::AnomalyDetected(AnomalyDetected { location, objects }) => {
            vec![Task { location, objects, ..task }]
        }
        Status::Confirm | Status::Unkown | Status::Success(_) | Status::Other(..) => vec![task],
    }
}

fn progressed(task: Task, PerformedAction { action, target }: PerformedAction) -> Task {
    let known = action.as_deref().and_then(TaskAction::from_word);
    Task { action: known, target, reason: action.filter(|_| known.is_none()), ..task }
}

fn alternative_from_any(any: AnyAlternative) -> Option<Alternative> {
    let object = match any {
        AnyAlternative::Object(object) => object,
        AnyAlternative::Name(name) => {
            AlternativeObject { alternative_object: Some(name), ..AlternativeObject::default() }
        }
    };
    object.decode(&()).ok()
}

/// What a robot would report; `None` of a progress without an action, which clients would fall over.
pub fn status_from_task(task: &Task) -> Option<Status> {
    let Task { id: _, kind: _, state, action, target, missing, alternatives, location, objects, reason: _ } =
        task.clone();
    Some(match state {
        TaskState::Confirmed => Status::Confirm,
        TaskState::MissingInfo => Status::MissingInfo(MissingInfo { missing_parameters: missing }),
        TaskState::Unknown => Status::Unkown,
        TaskState::Progress => {
            progress(PerformedAction { action: Some(action?.as_str().to_owned()), target })
        }
        TaskState::Assistance => {
            let why = action.and_then(|action| WHY.word(&action)).unwrap_or(NOT_AVAILABLE);
            let object = |it| AlternativeObject::encode(it, &()).map(AnyAlternative::Object);
            let alternatives = alternatives.iter().filter_map(object).collect();
            Status::Assistance(Assistance { object: target, kind: Some(why.to_owned()), alternatives })
        }
        TaskState::Anomaly => Status::AnomalyDetected(AnomalyDetected { location, objects }),
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

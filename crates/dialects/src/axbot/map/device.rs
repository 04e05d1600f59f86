//! `/action`, `/imu_state`: what becomes of the calibrations that robots do by themselves.

use latimer_core::Stamp;
use latimer_core::model::signal::{Task, TaskState};

use super::{FromRecord, Received, ToSignals};
use crate::axbot::messages::Context;
use crate::axbot::messages::codecs::Instant;
use crate::axbot::messages::device::{Action, ImuState};
use crate::axbot::topic::Topic;
use crate::describe::Incomplete;
use crate::describe::codec::Codec;

/// The kind of the tasks that are published on `/action`.
const MAINTENANCE: &str = "maintenance";

/// Their names, and what the vendor calls them in messages.
const ACTIONS: [(&str, &str); 2] =
    [("recalibrate_imu", "IMU calibration"), ("calibrate_gyro_scale", "Gyroscope scale calibration")];

/// How a calibration stands, by the vendor's numbers.
const CALIBRATION: [(i64, TaskState); 3] =
    [(1, TaskState::Progress), (2, TaskState::Succeeded), (3, TaskState::Failed)];

/// What the message of a failure begins with.
const ERROR: &str = "error";

impl ToSignals for Action {
    /// What became of something; nothing but for what robots do to themselves.
    fn signals(&self, _: Topic, context: &Context) -> Result<Vec<Received>, Incomplete> {
        let known = ACTIONS.iter().find(|(known, _)| self.action.as_deref() == Some(*known));
        let Some((id, _)) = known else { return Ok(Vec::new()) };
        let message = self.message.as_deref().unwrap_or_default();
        let failed = message.get(..ERROR.len()).is_some_and(|start| start.eq_ignore_ascii_case(ERROR));
        let state = if failed { TaskState::Failed } else { TaskState::Succeeded };
        let reason = Some(message.to_owned()).filter(|message| !message.is_empty());
        let at = self.timestamp.as_ref().and_then(|it| Instant.decode(it, context));
        let stamp = at.map_or(Stamp::gateway(context.at), Stamp::robot);
        let task = Task { reason, ..Task::new(*id, MAINTENANCE, state) };
        Ok(vec![Received::new(None, stamp, task)])
    }
}

impl FromRecord<Task> for Action {
    /// Nothing before it ended, and for any other task.
    fn from_record(task: &Task, _: Topic, context: &Context) -> Option<Self> {
        let (word, name) = ACTIONS.iter().find(|(known, _)| *known == task.id && task.kind == MAINTENANCE)?;
        let reason = task.reason.as_deref();
        let message = match task.state {
            TaskState::Succeeded => reason.map_or_else(|| format!("{name} succeeded"), str::to_owned),
            TaskState::Failed | TaskState::Cancelled => match reason {
                Some(reason) if reason.starts_with(ERROR) => reason.to_owned(),
                Some(reason) => format!("{ERROR}: {reason}"),
                None => format!("{ERROR}: {name} failed"),
            },
            _ => return None,
        };
        Some(Self {
            timestamp: Instant.encode(&context.at, context),
            action: Some((*word).to_owned()),
            message: Some(message),
            ..Self::default()
        })
    }
}

impl ToSignals for ImuState {
    /// How the calibration of the inertial sensor stands; nothing if there was none.
    fn signals(&self, _: Topic, context: &Context) -> Result<Vec<Received>, Incomplete> {
        let [(id, _), _] = ACTIONS;
        let known = CALIBRATION.iter().find(|(number, _)| Some(*number) == self.calibrate_state);
        let task = known.map(|(_, state)| Task::new(id, MAINTENANCE, *state));
        Ok(task.map(|task| Received::new(None, Stamp::gateway(context.at), task)).into_iter().collect())
    }
}

impl FromRecord<Task> for ImuState {
    fn from_record(task: &Task, _: Topic, _: &Context) -> Option<Self> {
        let [(id, _), _] = ACTIONS;
        let state = match task.state {
            TaskState::Confirmed => TaskState::Progress,
            TaskState::Cancelled => TaskState::Failed,
            other => other,
        };
        let (number, _) = CALIBRATION.iter().find(|(_, known)| *known == state)?;
        (task.id == id && task.kind == MAINTENANCE).then(|| Self {
            calibrate_state: Some(*number),
            calibrate_fail_reason: Some(i64::from(state == TaskState::Failed)),
            ..Self::default()
        })
    }
}

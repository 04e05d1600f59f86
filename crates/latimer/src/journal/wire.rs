//! What the journal keeps, as the API tells it.

use std::collections::VecDeque;

use latimer_wire::v1::{self, millis_from_timestamp, rfc3339_from_timestamp};

use super::{AlertRecord, Fault, Samples, TaskRecord, TaskReport};

impl From<&AlertRecord> for v1::Alert {
    fn from(record: &AlertRecord) -> Self {
        let AlertRecord { robot, source, part, fault, raised, cleared } = record;
        let Fault { code, severity, message } = fault;
        Self {
            robot: robot.to_string(),
            source: source.as_str().to_owned(),
            part: part.as_ref().map(ToString::to_string),
            code: *code,
            severity: severity.to_string(),
            message: message.clone(),
            raised: rfc3339_from_timestamp(*raised),
            cleared: cleared.map(rfc3339_from_timestamp),
        }
    }
}

impl From<&TaskReport> for v1::TaskReport {
    fn from(report: &TaskReport) -> Self {
        let TaskReport { at, state, action, target, reason } = report;
        Self {
            at: rfc3339_from_timestamp(*at),
            state: (*state).to_owned(),
            action: action.map(str::to_owned),
            target: target.clone(),
            reason: reason.clone(),
        }
    }
}

impl From<&TaskRecord> for v1::TaskRecord {
    fn from(record: &TaskRecord) -> Self {
        let TaskRecord { robot, source, id, kind, begun, updated, ended, reports, left_out } = record;
        Self {
            robot: robot.to_string(),
            source: source.as_str().to_owned(),
            id: id.clone(),
            kind: kind.clone(),
            state: record.state().to_owned(),
            begun: rfc3339_from_timestamp(*begun),
            updated: rfc3339_from_timestamp(*updated),
            ended: ended.map(rfc3339_from_timestamp),
            reports: reports.iter().map(Into::into).collect(),
            left_out: *left_out,
        }
    }
}

impl From<&Samples> for v1::Samples {
    fn from(kept: &Samples) -> Self {
        let Samples { key, robot, kind, part, times, columns } = kept;
        let numbers =
            |column: &VecDeque<f32>| column.iter().map(|it| it.is_finite().then_some(*it)).collect();
        Self {
            key: key.clone(),
            robot: robot.to_string(),
            kind: kind.to_string(),
            part: part.as_ref().map(ToString::to_string),
            at_ms: times.iter().copied().map(millis_from_timestamp).collect(),
            fields: columns.iter().map(|(path, column)| (path.clone(), numbers(column))).collect(),
        }
    }
}

//! Which commands were given lately, by whom, and what became of each.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::Hub;
use super::trace::{CommandId, Station, Trace};
use crate::clock::Timestamp;
use crate::limits::{AUDIT_COUNT_TIME, AUDIT_MAX_RECORDS, AUDIT_REPEAT_INTERVAL};
use crate::model::{Author, Outcome, RobotId};

/// A command and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandRecord {
    /// Grows by one with each record.
    pub number: u64,
    /// What the log calls it; the first one if there are several.
    pub id: CommandId,
    /// The last of them.
    pub last_id: CommandId,
    /// When it was given; the first one if there are several.
    pub at: Timestamp,
    /// When the last of them was answered.
    pub answered: Timestamp,
    /// How many are the same.
    pub count: u32,
    /// Who gave it.
    pub author: Author,
    /// To whom.
    pub robot: RobotId,
    /// Its word.
    pub command: &'static str,
    /// What was changed of it, if it went beyond a bound.
    pub note: Option<String>,
    /// What became of it; `None` if its caller had left by then.
    pub outcome: Option<Outcome>,
}

impl CommandRecord {
    /// Whether no later command is counted with this one any more.
    pub fn is_closed(&self, now: Timestamp) -> bool {
        now.since(self.answered) >= AUDIT_REPEAT_INTERVAL || now.since(self.at) >= AUDIT_COUNT_TIME
    }
}

/// How many commands of a dialect had an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandTotal {
    /// Through which dialect.
    pub dialect: &'static str,
    /// The outcome's word, or the code of the refusal.
    pub outcome: &'static str,
    /// How many.
    pub count: u64,
}

#[derive(Debug, Default)]
struct Records {
    kept: VecDeque<CommandRecord>,
    totals: BTreeMap<(&'static str, &'static str), u64>,
}

/// The records of a hub.
#[derive(Debug, Default)]
pub(super) struct Audit {
    records: Mutex<Records>,
    /// The number of the newest record.
    newest: watch::Sender<u64>,
}

/// A command that was given and whose outcome is not known yet; dropped without one, its caller has left.
#[derive(Debug)]
pub(super) struct Given {
    /// `None` for what the gateway itself sends on the way to what was asked for.
    audit: Option<Arc<Audit>>,
    trace: Trace,
    note: Option<String>,
    is_answered: bool,
}

impl Audit {
    fn write(&self, record: CommandRecord) {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let word = record.outcome.as_ref().map_or("abandoned", word_of);
        *records.totals.entry((record.author.dialect, word)).or_default() += 1;
        let same = |it: &&mut CommandRecord| {
            it.robot == record.robot
                && it.author == record.author
                && it.command == record.command
                && it.outcome == record.outcome
                && it.note == record.note
                && !it.is_closed(record.answered)
        };
        // The robot's own last one: others' commands come between.
        if let Some(before) = records.kept.iter_mut().rev().find(|it| it.robot == record.robot).filter(same) {
            before.count += 1;
            before.answered = record.answered;
            before.last_id = record.last_id;
            return;
        }
        let number = *self.newest.borrow() + 1;
        if records.kept.len() == AUDIT_MAX_RECORDS {
            records.kept.pop_front();
        }
        records.kept.push_back(CommandRecord { number, ..record });
        drop(records);
        self.newest.send_replace(number);
    }
}

impl Given {
    /// A command that is recorded when it is answered.
    pub(super) fn recorded(audit: &Arc<Audit>, trace: Trace) -> Self {
        Self { audit: Some(audit.clone()), trace, note: None, is_answered: false }
    }

    /// A command that the gateway itself sends on the way to what was asked for.
    pub(super) const fn unrecorded(trace: Trace) -> Self {
        Self { audit: None, trace, note: None, is_answered: false }
    }

    pub(super) const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Whether it is none of a client's own.
    pub(super) fn is_by_gateway(&self) -> bool {
        self.audit.is_none() || *self.trace.author() == Author::gateway()
    }

    /// What was changed of it, if anything.
    pub(super) fn changed(&mut self, note: Option<String>) {
        if let Some(note) = &note {
            self.trace.at(Station::Changed(note.clone()));
        }
        self.note = note;
    }

    /// What was changed of it, if anything.
    pub(super) fn noted(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Why its outcome is not what was asked for.
    pub(super) fn note(&mut self, note: &str) {
        self.note = Some(note.to_owned());
    }

    pub(super) fn answered(mut self, outcome: &Outcome) {
        self.is_answered = true;
        self.trace.ended(outcome);
        self.record(Some(outcome.clone()));
    }

    fn record(&mut self, outcome: Option<Outcome>) {
        let Some(audit) = &self.audit else { return };
        let trace = &self.trace;
        audit.write(CommandRecord {
            number: 0,
            id: trace.id(),
            last_id: trace.id(),
            at: trace.given(),
            answered: trace.now(),
            count: 1,
            author: trace.author().clone(),
            robot: trace.robot().clone(),
            command: trace.command(),
            note: self.note.take(),
            outcome,
        });
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        if !self.is_answered && self.audit.is_some() {
            self.trace.at(Station::Abandoned);
            self.record(None);
        }
    }
}

/// The word of an outcome; a refusal is known by its code.
fn word_of(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Refused(refusal) => refusal.code.as_str(),
        outcome => outcome.as_str(),
    }
}

impl Hub {
    /// The newest commands that are wanted, newest first, what became of each included.
    pub fn commands_given_lately(
        &self,
        most: usize,
        wanted: impl Fn(&CommandRecord) -> bool,
    ) -> Vec<CommandRecord> {
        let records = self.0.commands.audit.records.lock().unwrap_or_else(PoisonError::into_inner);
        records
            .kept
            .iter()
            .rev()
            .filter(|record| self.shows(&record.robot) && wanted(record))
            .take(most)
            .cloned()
            .collect()
    }

    /// Changes with each record, and is the number of the newest.
    pub fn command_records(&self) -> watch::Receiver<u64> {
        self.0.commands.audit.newest.subscribe()
    }

    /// How many commands each dialect gave since the start, by what became of them.
    pub fn command_totals(&self) -> Vec<CommandTotal> {
        let records = self.0.commands.audit.records.lock().unwrap_or_else(PoisonError::into_inner);
        let total = |(&(dialect, outcome), &count)| CommandTotal { dialect, outcome, count };
        records.totals.iter().map(total).collect()
    }
}

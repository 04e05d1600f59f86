//! Whose turn it is: one task runs, others wait or are paused.
//!
//! ```text
//!            confirm                its turn                   over
//!  request ───────────▶ Waiting ─────────────▶ Running ─────────────────▶ success · failure
//!     │ lacks something    ▲                    │   ▲ │ has to ask
//!     │                    │ given    more urgent   │ ▼
//!     ├──▶ Lacking ────────┘          task came │   │ Asking ── nobody answers for 2 min ──▶ (the job decides)
//!     │                                         ▼   │
//!     └─ not understood: unknown             Paused ┘ its turn again: resume
//!
//!  any ──cancel──▶ cancelled        Waiting, Running, Paused, Asking ──stop──▶ failed
//! ```
//!
//! A message with the id of a task that is there adds and changes parameters. It answers a task that asks,
//! completes one that lacks something, and lets any other begin anew with what it says now; one that
//! changes nothing is only confirmed.
//!
//! More urgent is a smaller number. What is as urgent or less waits, in the order of arrival, behind what
//! was paused at the same urgency. [`MOST_WAITING`] tasks wait at most; what comes then fails at once.
//! [`MOST_LACKING`] tasks lack something at most; the oldest is forgotten. While the robot looks or its arm
//! moves, a task is not paused; what it has in its hand when it is goes onto its tray.
//!
//! A task that searches for an object and has not found it after [`SEARCH_S`] receives [`Event::Late`].

use std::collections::VecDeque;

use latimer_core::model::TaskRequest;
use latimer_core::model::signal::{Task, TaskAction, TaskState};

use super::jobs::{Job, JobContext, job};
use super::request::{KINDS, check, lacks, merged, urgency};
use super::{Act, Event, Memory, SubmitError, TaskFailure, UnknownTask, Voice};
use crate::geometry::Pose2;

/// Most tasks that wait or are paused.
pub(in crate::bodies::robotkoop) const MOST_WAITING: usize = 16;

/// Most tasks that lack something.
const MOST_LACKING: usize = 8;

/// How long an answer may take, seconds (plausible).
pub(in crate::bodies::robotkoop) const ANSWER_S: f64 = 120.0;

/// How long a task may search for an object, pauses included, seconds; then it was not found.
const SEARCH_S: f64 = 300.0;

/// Where and by whom a task was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::bodies::robotkoop) struct TaskOrigin {
    /// Where the robot was.
    pub(in crate::bodies::robotkoop) pose: Pose2,
    /// The person who asked, by the order of the world file, if there is one.
    pub(in crate::bodies::robotkoop) person: Option<usize>,
}

struct Entry {
    request: TaskRequest,
    origin: TaskOrigin,
    job: Box<dyn Job>,
    arrived: u64,
    /// What it was about when it was paused; [`Act::Rest`] before it began.
    act: Act,
    since_s: f64,
    /// Since when it searches for an object.
    search_since_s: Option<f64>,
    answer: Option<TaskRequest>,
    restart: bool,
}

impl Entry {
    /// Whether it searches for too long, and what it does can be broken off.
    fn is_late(&self, time_s: f64) -> bool {
        self.act.can_wait() && self.search_since_s.is_some_and(|since_s| time_s - since_s > SEARCH_S)
    }

    fn rank(&self) -> (u8, bool, u64) {
        (urgency(&self.request), self.act == Act::Rest, self.arrived)
    }
}

/// What the agenda needs to go on: the robot's context without a voice.
pub(in crate::bodies::robotkoop) struct AgendaContext<'a> {
    /// The database.
    pub(in crate::bodies::robotkoop) memory: &'a mut Memory,
    /// What the robot carries.
    pub(in crate::bodies::robotkoop) carried: &'a [String],
    /// Where it believes to be, metres.
    pub(in crate::bodies::robotkoop) at_m: [f64; 2],
    /// Where to report.
    pub(in crate::bodies::robotkoop) reports: &'a mut Vec<Task>,
    /// Where to speak.
    pub(in crate::bodies::robotkoop) speech: &'a mut Vec<String>,
}

impl AgendaContext<'_> {
    fn voice(&mut self, request: &TaskRequest) -> Voice<'_> {
        Voice::of(request, self.reports, self.speech)
    }
}

/// The tasks.
#[derive(Default)]
pub(in crate::bodies::robotkoop) struct Agenda {
    running: Option<Entry>,
    waiting: Vec<Entry>,
    lacking: VecDeque<TaskRequest>,
    arrivals: u64,
}

impl Agenda {
    /// The task that runs.
    pub(in crate::bodies::robotkoop) fn running(&self) -> Option<&TaskRequest> {
        self.running.as_ref().map(|entry| &entry.request)
    }

    /// Where and by whom the task that runs was given.
    pub(in crate::bodies::robotkoop) fn origin(&self) -> Option<TaskOrigin> {
        self.running.as_ref().map(|entry| entry.origin)
    }

    /// Takes a request, or says why not.
    pub(in crate::bodies::robotkoop) fn submit(
        &mut self,
        request: TaskRequest,
        origin: TaskOrigin,
        people: &[String],
        context: &mut AgendaContext<'_>,
    ) -> Result<(), SubmitError> {
        check(&request)?;
        if self.renew(&request, context)? {
            return Ok(());
        }
        let lacked = self.lacking.iter().position(|it| it.id == request.id);
        let request = match lacked.and_then(|it| self.lacking.remove(it)) {
            Some(before) => merged(&before, &request),
            None => request,
        };
        if !KINDS.contains(&request.kind.as_str()) {
            context.voice(&request).stands(TaskState::Confirmed, None);
            let reason = format!("it understands: {}", KINDS.join(", "));
            context.voice(&request).stands(TaskState::Unknown, Some(reason));
            return Ok(());
        }
        if self.waiting.len() >= MOST_WAITING {
            let error = SubmitError::QueueFull;
            context.voice(&request).stands(TaskState::Confirmed, None);
            context.voice(&request).stands(TaskState::Failed, Some(error.to_string()));
            return Err(error);
        }
        context.voice(&request).stands(TaskState::Confirmed, None);
        if let Some(lack) = lacks(&request, context.memory, people) {
            context.voice(&request).missing(lack.parameters, lack.reason);
            if self.lacking.len() >= MOST_LACKING {
                self.lacking.pop_front();
            }
            self.lacking.push_back(request);
            return Ok(());
        }
        let Some(job) = job(&request, context.memory) else { return Err(SubmitError::NoJob) };
        self.arrivals += 1;
        let (arrived, act) = (self.arrivals, Act::Rest);
        self.waiting.push(Entry {
            request,
            origin,
            job,
            arrived,
            act,
            since_s: 0.0,
            search_since_s: None,
            answer: None,
            restart: false,
        });
        Ok(())
    }

    /// A message about a known task; returns whether there is one.
    fn renew(&mut self, later: &TaskRequest, context: &mut AgendaContext<'_>) -> Result<bool, SubmitError> {
        let all = self.running.iter_mut().chain(&mut self.waiting);
        let Some(entry) = all.into_iter().find(|entry| entry.request.id == later.id) else {
            return Ok(false);
        };
        if entry.request.kind != later.kind {
            let (queued, requested) = (entry.request.kind.clone(), later.kind.clone());
            return Err(SubmitError::OtherKind { queued, requested });
        }
        let request = merged(&entry.request, later);
        context.voice(&request).stands(TaskState::Confirmed, None);
        if entry.act == Act::Ask {
            entry.answer = Some(request.clone());
        } else if request.parameters != entry.request.parameters
            && let Some(job) = job(&request, context.memory)
        {
            (entry.job, entry.restart) = (job, true);
        }
        entry.request = request;
        Ok(true)
    }

    /// Calls a task off, or says that there is none of that id.
    pub(in crate::bodies::robotkoop) fn cancel(
        &mut self,
        id: &str,
        context: &mut AgendaContext<'_>,
    ) -> Result<(), UnknownTask> {
        let running = self.running.take_if(|entry| entry.request.id == id).map(|entry| entry.request);
        let waiting = self.waiting.iter().position(|entry| entry.request.id == id);
        let lacking = self.lacking.iter().position(|request| request.id == id);
        let found = running
            .or_else(|| waiting.map(|it| self.waiting.remove(it).request))
            .or_else(|| lacking.and_then(|it| self.lacking.remove(it)));
        let Some(request) = found else {
            return Err(UnknownTask { id: id.chars().take(80).collect() });
        };
        context.voice(&request).stands(TaskState::Cancelled, None);
        Ok(())
    }

    /// The robot was stopped: what runs and what waits for its turn has failed.
    pub(in crate::bodies::robotkoop) fn stop(&mut self, context: &mut AgendaContext<'_>) {
        for entry in self.running.take().into_iter().chain(self.waiting.drain(..)) {
            context.voice(&entry.request).stands(TaskState::Failed, Some("the robot was stopped".to_owned()));
        }
    }

    /// Steps the agenda; returns the next act of the body if it changes.
    pub(in crate::bodies::robotkoop) fn turn(
        &mut self,
        mut event: Option<Event>,
        time_s: f64,
        context: &mut AgendaContext<'_>,
    ) -> Option<Act> {
        let mut change = None;
        // Each round ends a task or begins one, so it is done when nothing waits.
        for _ in 0..=2 * (MOST_WAITING + 1) {
            if let Some(act) = self.go_on(event.take(), time_s, context) {
                change = Some(act);
            }
            match self.running.as_ref().map(|entry| entry.act.clone()) {
                Some(Act::End(result)) => {
                    self.finish(result, context);
                    change = Some(Act::Rest);
                }
                Some(act) if act.can_wait() && self.is_outranked() => self.pause(context),
                Some(_) => break,
                None if self.waiting.is_empty() => break,
                None => {}
            }
            if let Some(act) = self.begin_next(time_s, context) {
                change = Some(act);
            }
        }
        change
    }

    /// Lets the running task's job go on after an event.
    fn go_on(&mut self, event: Option<Event>, time_s: f64, context: &mut AgendaContext<'_>) -> Option<Act> {
        let entry = self.running.as_mut()?;
        let event = if std::mem::take(&mut entry.restart) {
            Some(Event::Begin)
        } else if let Some(answer) = entry.answer.take() {
            Some(Event::Answer(answer))
        } else if entry.act == Act::Ask && time_s - entry.since_s > ANSWER_S {
            Some(Event::Silence)
        } else {
            event.or_else(|| entry.is_late(time_s).then_some(Event::Late))
        };
        entry.act = step(entry, event?, time_s, context);
        Some(entry.act.clone())
    }

    fn finish(&mut self, result: Result<(), TaskFailure>, context: &mut AgendaContext<'_>) {
        let Some(entry) = self.running.take() else { return };
        let (state, reason) = match result {
            Ok(()) => (TaskState::Succeeded, None),
            Err(failure) => (TaskState::Failed, Some(failure.to_string())),
        };
        context.voice(&entry.request).stands(state, reason);
    }

    fn is_outranked(&self) -> bool {
        let Some(running) = &self.running else { return false };
        self.waiting.iter().any(|entry| urgency(&entry.request) < urgency(&running.request))
    }

    fn pause(&mut self, context: &mut AgendaContext<'_>) {
        let Some(entry) = self.running.take() else { return };
        let id = entry.request.id.clone();
        context.voice(&entry.request).act(TaskAction::PauseTask, id);
        self.waiting.push(entry);
    }

    /// Begins or resumes the most urgent task that waits.
    fn begin_next(&mut self, time_s: f64, context: &mut AgendaContext<'_>) -> Option<Act> {
        let next = (0..self.waiting.len()).min_by_key(|it| self.waiting[*it].rank())?;
        let mut entry = self.waiting.remove(next);
        if entry.act == Act::Rest {
            entry.restart = false;
            entry.act = step(&mut entry, Event::Begin, time_s, context);
        } else {
            let id = entry.request.id.clone();
            context.voice(&entry.request).act(TaskAction::ResumeTask, id);
            entry.since_s = time_s;
        }
        let act = entry.act.clone();
        self.running = Some(entry);
        Some(act)
    }
}

fn step(entry: &mut Entry, event: Event, time_s: f64, context: &mut AgendaContext<'_>) -> Act {
    let AgendaContext { memory, carried, at_m, reports, speech } = context;
    let voice = Voice::of(&entry.request, reports, speech);
    let before = entry.search_since_s.filter(|_| event != Event::Begin);
    let act = entry.job.go_on(event, &mut JobContext { memory, carried, at_m: *at_m, voice });
    entry.since_s = time_s;
    entry.search_since_s = entry.job.is_searching().then(|| before.unwrap_or(time_s));
    act
}

#[cfg(test)]
#[path = "agenda_tests.rs"]
mod tests;

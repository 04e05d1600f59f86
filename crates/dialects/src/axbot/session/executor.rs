//! Commands as requests to the robot.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use latimer_core::dispatcher::Executor;
use latimer_core::hub::Validity;
use latimer_core::model::signal::{ControlMode, MapFeature};
use latimer_core::model::{Destination, MapUse, NavigationGoal, Outcome};
use serde_json::Value as Json;
use tokio::sync::mpsc;

use super::call::{Call, CallError};
use super::connect::PARAMS;
use super::maps;
use super::navigation_goal::body_from_goal;
use super::orders::{cancel_move, mode_call};
use super::rest::Rest;
use crate::axbot::overlays::features_from_overlays;

/// What is to be requested.
#[derive(Clone, Debug)]
pub(super) enum Job {
    Call(Call),
    Mode(ControlMode, Arc<ModePending>),
    /// Drive somewhere; with what is marked on the map, if known.
    Move(NavigationGoal, Option<Arc<[MapFeature]>>),
    UseMap(Box<MapUse>),
    /// Set what its owner sets.
    Params(Json),
    /// Give up the present drive, if there is one.
    Stop,
}

/// What the session must know of its jobs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum JobEvent {
    /// What its owner set, read again.
    Params(Json),
    /// Who drives now.
    Mode(ControlMode),
    /// A change of who drives is over, or will not come.
    ModeOver,
    /// The robot is asked for a drive that has a number of the asker's.
    Moving,
    /// The robot's number of that drive and the asker's; `None` if it was refused.
    Moved(Option<(i64, i64)>),
}

/// Tells when a change of who drives is over, whatever became of it.
#[derive(Debug)]
pub(super) struct ModePending(mpsc::UnboundedSender<JobEvent>);

impl ModePending {
    pub(super) const fn new(publish: mpsc::UnboundedSender<JobEvent>) -> Self {
        Self(publish)
    }
}

impl Drop for ModePending {
    fn drop(&mut self) {
        let _ = self.0.send(JobEvent::ModeOver);
    }
}

/// Tells what became of a drive, also if nobody waits for the robot's answer any more.
struct MovePending<'a> {
    publish: &'a mpsc::UnboundedSender<JobEvent>,
    numbers: Option<(i64, i64)>,
}

impl Drop for MovePending<'_> {
    fn drop(&mut self) {
        let _ = self.publish.send(JobEvent::Moved(self.numbers));
    }
}

/// Makes the requests.
#[derive(Debug)]
pub(super) struct RestExecutor {
    rest: Rest,
    // Bounded by the jobs, of which the dispatcher takes so many at a time.
    publish: mpsc::UnboundedSender<JobEvent>,
}

impl RestExecutor {
    pub(super) const fn new(rest: Rest, publish: mpsc::UnboundedSender<JobEvent>) -> Self {
        Self { rest, publish }
    }
}

impl Executor for RestExecutor {
    type Job = Job;

    fn carry_out<'a>(&'a self, job: Job, validity: &'a Validity) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let worker = Worker { executor: self, validity };
            worker.carry_out(job).await.map_or_else(|refused| refused, |()| Outcome::Accepted)
        })
    }
}

/// One job at work.
struct Worker<'a> {
    executor: &'a RestExecutor,
    validity: &'a Validity,
}

impl Worker<'_> {
    /// One request, unless a stop came or the caller gave up.
    async fn call(&self, call: &Call) -> Result<Json, Outcome> {
        self.validity.check()?;
        self.executor.rest.call(call).await.map_err(outcome)
    }

    async fn carry_out(&self, job: Job) -> Result<(), Outcome> {
        match job {
            Job::Call(call) => self.call(&call).await.map(drop),
            Job::Stop => match self.executor.rest.call(&cancel_move()).await {
                // It drives nowhere.
                Ok(_) | Err(CallError::Refused { status: 404, .. }) => Ok(()),
                Err(error) => Err(outcome(error)),
            },
            Job::Params(params) => {
                self.call(&Call::post(PARAMS, params)).await?;
                // The robot took them; that they cannot be read again is no refusal.
                if let Ok(params) = self.executor.rest.call(&Call::get(PARAMS)).await {
                    self.publish(JobEvent::Params(params));
                }
                Ok(())
            }
            Job::Mode(mode, _pending) => {
                self.call(&mode_call(mode)).await?;
                self.publish(JobEvent::Mode(mode));
                Ok(())
            }
            Job::Move(goal, marks) => Box::pin(self.go(&goal, marks)).await,
            Job::UseMap(map) => Box::pin(self.use_map(&map)).await,
        }
    }

    fn publish(&self, reported: JobEvent) {
        // Nobody listens any more if the session ended.
        let _ = self.executor.publish.send(reported);
    }

    /// Goes on an errand.
    async fn go(&self, goal: &NavigationGoal, marks: Option<Arc<[MapFeature]>>) -> Result<(), Outcome> {
        let mut pending = goal.id.map(|askers| {
            self.publish(JobEvent::Moving);
            (askers, MovePending { publish: &self.executor.publish, numbers: None })
        });
        let marks = match marks {
            None if matches!(goal.destination, Destination::Place(_)) => self.marks().await?,
            marks => marks.unwrap_or_default(),
        };
        let body = body_from_goal(goal, &marks)?;
        let reply = self.call(&Call::post("chassis/moves", body)).await?;
        let text = |name: &str| reply.get(name).and_then(Json::as_str);
        if text("state") == Some("failed") {
            let why = text("fail_message").filter(|it| !it.is_empty()).or_else(|| text("fail_reason_str"));
            return Err(Outcome::not_now(why.unwrap_or("the robot gave up at once and gave no reason")));
        }
        let unnumbered = || Outcome::not_now("the robot gave the drive no number, so it may not have begun");
        let robots = reply.get("id").and_then(Json::as_i64).ok_or_else(unnumbered)?;
        if let Some((askers, pending)) = &mut pending {
            pending.numbers = Some((robots, *askers));
        }
        Ok(())
    }

    /// What is marked on the present map, of a robot that did not say.
    async fn marks(&self) -> Result<Arc<[MapFeature]>, Outcome> {
        let map = self.call(&Call::get("chassis/current-map")).await?;
        match map.get("overlays") {
            None | Some(Json::Null) => Ok([].into()),
            Some(Json::String(text)) if text.trim().is_empty() => Ok([].into()),
            Some(overlays) => {
                let text = overlays.as_str().map_or_else(|| overlays.to_string(), str::to_owned);
                let features = features_from_overlays(&text);
                features.map(Arc::from).map_err(|error| Outcome::bad_argument(error.to_string()))
            }
        }
    }

    async fn use_map(&self, map: &MapUse) -> Result<(), Outcome> {
        if let Some(uid) = &map.info.uid {
            let stored = self.call(&Call::get("maps/")).await?;
            if maps::is_stored(&stored, &map.info) {
                return self.call(&maps::set_stored(uid)).await.map(drop);
            }
        }
        if let Some(grid) = &map.grid {
            return self.call(&maps::set_whole(map, grid)).await.map(drop);
        }
        let present = self.call(&Call::get("chassis/current-map")).await?;
        for call in maps::mark_present(&present, &map.info)? {
            self.call(&call).await?;
        }
        Ok(())
    }
}

fn outcome(error: CallError) -> Outcome {
    match error {
        CallError::TimedOut => Outcome::TimedOut,
        CallError::Refused { status: 400 | 422, reason } => Outcome::bad_argument(reason),
        CallError::Refused { status: 404 | 405 | 501, reason } => Outcome::unsupported(reason),
        CallError::Refused { status: _, reason } => Outcome::not_now(reason),
        other @ (CallError::Unreachable(_) | CallError::Unreadable(_)) => {
            Outcome::unreachable(other.to_string())
        }
    }
}

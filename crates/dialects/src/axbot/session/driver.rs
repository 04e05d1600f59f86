//! Commands as requests to the robot, one after the other, so that they arrive in order.

use std::sync::Arc;

use latimer_core::hub::CommandRequest;
use latimer_core::model::signal::{ControlMode, MapFeature};
use latimer_core::model::{Destination, Errand, MapUse, Outcome};
use serde_json::Value as Json;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::call::{Call, CallError};
use super::errand::body_from_errand;
use super::maps;
use super::orders::{cancel_move, mode_call};
use super::rest::Rest;
use crate::axbot::overlays::features_from_overlays;

/// Commands that may wait for the one before.
const QUEUE: usize = 64;

/// What is to be requested.
#[derive(Debug)]
pub(super) enum Job {
    Call(Call),
    Mode(ControlMode),
    /// Drive somewhere; with what is marked on the map, if the robot told it.
    Move(Errand, Option<Arc<[MapFeature]>>),
    UseMap(Box<MapUse>),
    /// Give up the present drive, if there is one.
    Stop,
}

/// What the session must know of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Who drives now; `None` if nothing changed.
    Mode(Option<ControlMode>),
    /// The robot is asked for a drive that has a number of the asker's.
    Moving,
    /// The robot's number of that drive and the asker's; `None` if it was refused.
    Moved(Option<(i64, i64)>),
}

/// Takes commands for the robot; ends with the session.
#[derive(Debug)]
pub(super) struct Driver {
    worker: Worker,
    queue: mpsc::Sender<(Job, CommandRequest)>,
    told: mpsc::Receiver<Told>,
    tasks: JoinSet<()>,
}

impl Driver {
    pub(super) fn start(rest: Rest) -> Self {
        let (queue, mut waiting) = mpsc::channel::<(Job, CommandRequest)>(QUEUE);
        let (tell, told) = mpsc::channel(QUEUE);
        let worker = Worker { rest, tell };
        let mut tasks = JoinSet::new();
        let steady = worker.clone();
        tasks.spawn(async move {
            while let Some((job, request)) = waiting.recv().await {
                let outcome = steady.carry_out(job).await;
                request.answer(outcome);
            }
        });
        Self { worker, queue, told, tasks }
    }

    /// Hands a job over, behind those that wait; whether there was room.
    pub(super) fn take(&mut self, job: Job, request: CommandRequest) -> bool {
        while self.tasks.try_join_next().is_some() {}
        match self.queue.try_send((job, request)) {
            Ok(()) => true,
            Err(refused) => {
                let (_, request) = refused.into_inner();
                let why = format!("{QUEUE} commands wait for the robot already; send fewer");
                request.answer(Outcome::refused(why));
                false
            }
        }
    }

    /// Has a job done that overtakes those that wait.
    pub(super) fn overtake(&mut self, job: Job, request: CommandRequest) {
        while self.tasks.try_join_next().is_some() {}
        if self.tasks.len() > QUEUE {
            let why = format!("{QUEUE} commands are on their way to the robot already; send fewer");
            return request.answer(Outcome::refused(why));
        }
        let worker = self.worker.clone();
        self.tasks.spawn(async move {
            let outcome = worker.carry_out(job).await;
            request.answer(outcome);
        });
    }

    /// The next thing to know; pending while there is none. Cancel safe.
    pub(super) async fn told(&mut self) -> Told {
        match self.told.recv().await {
            Some(told) => told,
            // The worker, which this owns, keeps the sending end.
            None => std::future::pending().await,
        }
    }
}

#[derive(Clone, Debug)]
struct Worker {
    rest: Rest,
    tell: mpsc::Sender<Told>,
}

impl Worker {
    async fn carry_out(&self, job: Job) -> Outcome {
        let done = match job {
            Job::Call(call) => self.rest.call(&call).await.map(drop).map_err(outcome),
            Job::Stop => match self.rest.call(&cancel_move()).await {
                // It drives nowhere.
                Ok(_) | Err(CallError::Refused { status: 404, .. }) => Ok(()),
                Err(error) => Err(outcome(error)),
            },
            Job::Mode(mode) => {
                let done = self.rest.call(&mode_call(mode)).await;
                self.tell(Told::Mode(done.is_ok().then_some(mode))).await;
                done.map(drop).map_err(outcome)
            }
            Job::Move(errand, marks) => {
                if errand.id.is_some() {
                    self.tell(Told::Moving).await;
                }
                let moved = Box::pin(self.go(&errand, marks)).await;
                if let Some(askers) = errand.id {
                    let numbers = moved.as_ref().ok().map(|robots| (*robots, askers));
                    self.tell(Told::Moved(numbers)).await;
                }
                moved.map(drop)
            }
            Job::UseMap(map) => Box::pin(self.use_map(&map)).await,
        };
        done.map_or_else(|refused| refused, |()| Outcome::Accepted)
    }

    async fn tell(&self, told: Told) {
        // Nobody listens any more if the session ended.
        let _ = self.tell.send(told).await;
    }

    /// Goes on an errand; the robot's number for it.
    async fn go(&self, errand: &Errand, marks: Option<Arc<[MapFeature]>>) -> Result<i64, Outcome> {
        let marks = match marks {
            None if matches!(errand.destination, Destination::Place(_)) => self.marks().await?,
            marks => marks.unwrap_or_default(),
        };
        let body = body_from_errand(errand, &marks).map_err(Outcome::Refused)?;
        let reply = self.rest.call(&Call::post("chassis/moves", body)).await.map_err(outcome)?;
        let text = |name: &str| reply.get(name).and_then(Json::as_str);
        if text("state") == Some("failed") {
            let why = text("fail_message").filter(|it| !it.is_empty()).or_else(|| text("fail_reason_str"));
            return Err(Outcome::refused(why.unwrap_or("the robot gave up at once and gave no reason")));
        }
        let unnumbered = || Outcome::refused("the robot gave the drive no number, so it may not have begun");
        reply.get("id").and_then(Json::as_i64).ok_or_else(unnumbered)
    }

    /// What is marked on the present map, of a robot that did not say.
    async fn marks(&self) -> Result<Arc<[MapFeature]>, Outcome> {
        let map = self.rest.call(&Call::get("chassis/current-map")).await.map_err(outcome)?;
        match map.get("overlays") {
            None | Some(Json::Null) => Ok([].into()),
            Some(Json::String(text)) if text.trim().is_empty() => Ok([].into()),
            Some(overlays) => {
                let text = overlays.as_str().map_or_else(|| overlays.to_string(), str::to_owned);
                let features = features_from_overlays(&text);
                features.map(Arc::from).map_err(|error| Outcome::Refused(error.to_string()))
            }
        }
    }

    async fn use_map(&self, map: &MapUse) -> Result<(), Outcome> {
        if let Some(uid) = &map.info.uid {
            let stored = self.rest.call(&Call::get("maps/")).await.map_err(outcome)?;
            if maps::is_stored(&stored, &map.info) {
                return self.rest.call(&maps::set_stored(uid)).await.map(drop).map_err(outcome);
            }
        }
        if let Some(grid) = &map.grid {
            return self.rest.call(&maps::set_whole(map, grid)).await.map(drop).map_err(outcome);
        }
        let present = self.rest.call(&Call::get("chassis/current-map")).await.map_err(outcome)?;
        for call in maps::mark_present(&present, &map.info).map_err(Outcome::Refused)? {
            self.rest.call(&call).await.map_err(outcome)?;
        }
        Ok(())
    }
}

fn outcome(error: CallError) -> Outcome {
    match error {
        CallError::TimedOut => Outcome::TimedOut,
        other => Outcome::Refused(other.to_string()),
    }
}

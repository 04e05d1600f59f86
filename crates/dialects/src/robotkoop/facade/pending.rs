//! What the facade waits for: a robot's answer to a command, and where it could be sent.

use futures_util::future::BoxFuture;
use latimer_core::hub::{CommandClient, Origin};
use latimer_core::limits::COMMAND_TIMEOUT;

use latimer_core::model::profile::Ability;
use latimer_core::model::signal::FeatureKind;
use latimer_core::model::{Command, Destination, Kind, NavigationGoal, Outcome, Signal, TaskRequest};
use latimer_core::{Author, Hub, RobotId};
use latimer_simulator_api::{Layer, Scenery, SimulatorHandle, WorldRequest, WorldResponse};

use tracing::Span;

use super::foreign::Ways;
use crate::robotkoop::NAME;

/// What was asked.
#[derive(Debug)]
pub(super) enum PendingRequest {
    /// To do the task.
    Task,
    /// Where the robot could be sent; the outcome says nothing.
    Ways(Ways),
    /// To drive, by this number.
    Drive(i64),
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) robot: RobotId,
    pub(super) task: TaskRequest,
    /// The stops that the robot had been given when the task came.
    pub(super) stops: u64,
    pub(super) what: PendingRequest,
    /// The span of the command that was given.
    pub(super) span: Span,
    pub(super) outcome: Outcome,
}

/// A driver for the asker of a task.
fn author(hub: &Hub, task: &TaskRequest) -> CommandClient {
    hub.command_client(Author::new(NAME, task.asker.as_deref().unwrap_or_default()))
}

/// Asks a robot to do a task.
pub(super) fn task(hub: &Hub, robot: RobotId, task: TaskRequest, stops: u64) -> BoxFuture<'static, Done> {
    let answer =
        author(hub, &task).command_since(stops, &robot, Command::Task(task.clone()), COMMAND_TIMEOUT);
    let span = answer.span();
    Box::pin(
        async move { Done { robot, task, stops, what: PendingRequest::Task, span, outcome: answer.await } },
    )
}

/// How near to a place a robot goes for a task, metres: places are rooms and pieces of furniture, and where one is marked there may be a
/// table. It goes as near as it can.
const PLACE_ACCURACY_M: f64 = 0.75;

/// Asks a robot to drive.
pub(super) fn drive(
    hub: &Hub,
    robot: RobotId,
    (task, stops): (TaskRequest, u64),
    number: i64,
    destination: Destination,
) -> BoxFuture<'static, Done> {
    let goal = NavigationGoal {
        id: Some(number),
        accuracy_m: Some(PLACE_ACCURACY_M),
        ..NavigationGoal::to(destination)
    };
    let answer = author(hub, &task).command_since(stops, &robot, Command::Navigate(goal), COMMAND_TIMEOUT);
    let span = answer.span();
    Box::pin(async move {
        Done { robot, task, stops, what: PendingRequest::Drive(number), span, outcome: answer.await }
    })
}

/// Finds out where a robot could be sent.
pub(super) fn ways(
    hub: Hub,
    simulator: Option<SimulatorHandle>,
    robot: RobotId,
    (task, stops): (TaskRequest, u64),
) -> BoxFuture<'static, Done> {
    Box::pin(async move {
        let places = places(&hub, &robot);
        let simulated = hub.robot(&robot).is_some_and(|it| it.info.origin == Origin::Simulated);
        let mut points = places_of_others(&hub, &robot);
        if let Some(simulator) = simulator.filter(|_| simulated) {
            points.extend(self::points(&simulator).await);
        }
        let navigates = !places.is_empty()
            || hub.profile(&robot).can(Ability::Navigate)
            || hub.last(&robot, Kind::Navigation, None).is_some();
        let ways = Ways { navigates, places, points };
        let outcome = Outcome::not_now("it was not asked");
        Done { robot, task, stops, what: PendingRequest::Ways(ways), span: Span::none(), outcome }
    })
}

/// The places that are marked on the robot's own map.
fn places(hub: &Hub, robot: &RobotId) -> Vec<String> {
    let Some(map) = hub.last(robot, Kind::MapInfo, None) else { return Vec::new() };
    let Signal::MapInfo(map) = &map.signal else { return Vec::new() };
    let places = map.features.iter().filter(|it| it.kind == FeatureKind::Place);
    places.filter_map(|it| it.name.clone()).collect()
}

/// The places that are marked on the maps of other robots of the site.
fn places_of_others(hub: &Hub, robot: &RobotId) -> Vec<(String, [f64; 2])> {
    let others = hub.robots().into_iter().map(|it| it.info.robot).filter(|other| other != robot);
    let marked = others.flat_map(|owner| {
        let Some(map) = hub.last(&owner, Kind::MapInfo, None) else { return Vec::new() };
        let Signal::MapInfo(map) = &map.signal else { return Vec::new() };
        let places = map.features.iter().filter(|it| it.kind == FeatureKind::Place);
        let here = places.filter_map(|it| {
            let pose = it.pose.as_ref()?;
            let frame = hub.frame_on_map(robot, &owner, pose.frame)?;
            Some((it.name.clone()?, frame.point_out(pose.x_m, pose.y_m)))
        });
        here.collect()
    });
    marked.collect()
}

/// The places of the simulated world.
async fn points(simulator: &SimulatorHandle) -> Vec<(String, [f64; 2])> {
    let Ok(WorldResponse::Seen(scenery)) = simulator.ask(WorldRequest::Look, COMMAND_TIMEOUT).await else {
        return Vec::new();
    };
    let Scenery { shapes, .. } = *scenery;
    let places = shapes.into_iter().filter(|it| it.layer == Layer::Place);
    places.filter_map(|it| Some((it.name?, [it.pose[0], it.pose[1]]))).collect()
}

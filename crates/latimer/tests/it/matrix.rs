//! The matrix beside what translators do with what simulated robots publish.

use std::collections::BTreeSet;
use std::time::Duration;

use latimer::matrix::{Support, matrix};
use latimer_core::derive::Deriving;
use latimer_core::hub::{MailboxLimits, Shared, Subscription};
use latimer_core::model::{Class, Command, Destination, Kind, NavigationGoal};
use latimer_core::service::Service as _;
use latimer_core::{Clock, Hub, RobotId};
use latimer_dialects::DIALECTS;
use latimer_dialects::describe::Call as _;
use latimer_dialects::misty::calls::Record;
use latimer_e2e::PATIENCE;
use latimer_navigation::service::Navigating;
use latimer_simulator_api::SimulatorHandle;
use latimer_world::bodies::BODIES;
use latimer_world::{Behaviour, Pose2, Runtime, Start, World, WorldFile};
use tokio_util::sync::CancellationToken;

/// A room for a robot of each family; something stands before each, since nothing in view is no distance in some dialects.
const ROOM: &str =
    "name = \"room\"\nsize_m = [10.0, 13.0]\n[[walls]]\npoints_m = [[3.9, 0.2], [3.9, 12.8]]\n";

/// Some states come about only by what somebody does: a recording tells where sounds come from, a drive its path. It is short, so
/// that what each sees stays.
fn set_in_motion(hub: &Hub, rows: impl Fn(&str) -> f64) {
    let record = Record { on: true, name: Some("matrix.wav".to_owned()) }.command().unwrap();
    tokio::spawn(hub.command(&robot("misty"), record, PATIENCE));
    for family in BODIES.iter().map(|body| body.family) {
        let ahead = Destination::Point { x_m: START_M + 0.2, y_m: rows(family), yaw_rad: Some(0.0) };
        tokio::spawn(hub.command(&robot(family), Command::Navigate(NavigationGoal::to(ahead)), PATIENCE));
    }
}

/// Where the robots start, east of the room's origin.
const START_M: f64 = 3.0;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_absent_is_said_and_what_is_absent_is_not() {
    let clock = Clock::system();
    let hub = Hub::new(clock);
    hub.set_vocabulary(latimer_dialects::vocabulary());
    tokio::spawn(Box::new(Deriving(hub.clone())).run(CancellationToken::new()));
    let navigating = Navigating::of(&hub).unwrap();
    tokio::spawn(Box::new(navigating).run(CancellationToken::new()));
    let (_simulator, requests) = SimulatorHandle::new(clock);
    let mut world = World::new(WorldFile::parse(ROOM).unwrap(), 1).unwrap();
    let row_m = |row: usize| 1.5 + 2.5 * row as f64;
    for (row, body) in BODIES.iter().enumerate() {
        let start = Start::At(Pose2::new(START_M, row_m(row), 0.0));
        world.add_robot(robot(body.family), body.family, start, Behaviour::Stand).unwrap();
    }
    let handle = Runtime::start(world, &hub, clock, requests, 1.0).unwrap();
    let sink = hub.internal_sink("test", "matrix", MailboxLimits::default());
    sink.subscribe(Subscription::to("**".parse().unwrap()));

    set_in_motion(&hub, |family| row_m(BODIES.iter().position(|body| body.family == family).unwrap()));
    let mut failed = failures(&hub);
    let deadline = clock.now().after(PATIENCE);
    while !failed.is_empty() && clock.now() < deadline {
        tokio::time::sleep(Duration::from_millis(200)).await;
        failed = failures(&hub);
    }
    latimer_panics::blocking("stopping the world", move || handle.stop()).await.unwrap();
    assert!(failed.is_empty(), "{failed:#?}");
}

fn robot(family: &str) -> RobotId {
    RobotId::new(family).unwrap()
}

/// Cells of states that are not what the translators say now.
fn failures(hub: &Hub) -> Vec<String> {
    let mut failed = Vec::new();
    for pair in matrix().pairs {
        let entry = DIALECTS.iter().find(|entry| entry.name == pair.dialect).unwrap();
        let translator = (entry.default)().translator();
        let last = hub.last_of_robot(&robot(&pair.family));
        let said: BTreeSet<(Kind, Option<String>)> = last
            .iter()
            .filter(|update| translator.translate(hub, &Shared::new((***update).clone(), 0)).is_some())
            .map(|update| (update.kind(), update.part.as_ref().map(|part| part.to_string())))
            .collect();
        for cell in pair.cells.iter().filter(|cell| !cell.is_command) {
            let message = entry.messages.iter().find(|message| message.topic == cell.name).unwrap();
            let is_state = |kind: &Kind| kind.class() == Class::State;
            let states: Vec<Kind> = message.kinds.iter().copied().filter(is_state).collect();
            // What a robot must be able to do beside the kinds, its updates do not show.
            if states.is_empty() || message.ability.is_some() {
                continue;
            }
            let is_of = |part: &Option<String>| {
                message.parts.is_empty() || part.as_deref().is_some_and(|part| message.parts.contains(&part))
            };
            let is_said = said.iter().any(|(kind, part)| states.contains(kind) && is_of(part));
            if is_said == (cell.support == Support::Absent) {
                failed.push(format!(
                    "{} in {}: {} is {:?}",
                    pair.family, pair.dialect, cell.name, cell.support
                ));
            }
        }
    }
    failed
}

//! A stop is final: what was given before it is never sent after it, in whatever queue it waits.

mod interleaved;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use latimer_core::dispatcher::{Dispatcher, Executor};
use latimer_core::hub::{Origin, RobotInfo, Validity};
use latimer_core::model::call::{Argument, CallMotion, Presence, Quantity, Spelling};
use latimer_core::model::profile::Ability;
use latimer_core::model::signal::{LinkState, Velocity};
use latimer_core::model::{CallDescription, Destination, NativeCall, NavigationGoal, RobotProfile, Value};
use latimer_core::{Author, Clock, Command, Hub, Outcome, PartName, RobotId, Timestamp, Update};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::rig::{PATIENCE, STOP, connected, robot};

const fn number(name: &'static str) -> Argument {
    let (presence, spelling) = (Presence::Required, Spelling::Place);
    Argument { name, summary: "", quantity: Quantity::Number, presence, spelling }
}

static HEADING: CallDescription = CallDescription {
    dialect: "test",
    name: "drive_heading",
    summary: "",
    arguments: &[number("heading_rad"), number("distance_m"), number("duration_s")],
    motion: CallMotion::Heading,
    word: None,
    check: None,
};

/// A drive that no newer one replaces.
fn heading(distance_m: f64) -> Command {
    let given = [0.0, distance_m, 1.0].map(Value::Float);
    Command::Native(NativeCall::new(&HEADING, given.into()).unwrap())
}

fn drive(linear_mps: f64) -> Command {
    Command::Drive { linear_mps, angular_radps: 0.0, duration: None }
}

fn give(hub: &Hub, command: Command, patience: Duration) -> JoinHandle<Outcome> {
    tokio::spawn(hub.command(&robot(), command, patience))
}

/// A call of a command at the robot: which, when it was sent, and when the robot acted on it.
#[derive(Clone, Debug)]
struct Call {
    command: Command,
    sent: Timestamp,
    done: Timestamp,
}

/// A robot that takes its time for each call; `DriveTracks` is two calls.
struct Slow {
    takes: Duration,
    calls: Arc<Mutex<Vec<Call>>>,
    clock: Clock,
}

impl Executor for Slow {
    type Job = Command;

    fn carry_out<'a>(&'a self, command: Command, validity: &'a Validity) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let calls = if matches!(command, Command::DriveTracks(_)) { 2 } else { 1 };
            for _ in 0..calls {
                if let Err(refusal) = validity.check() {
                    return refusal;
                }
                let sent = self.clock.now();
                let at = {
                    let mut calls = self.calls.lock().unwrap();
                    calls.push(Call { command: command.clone(), sent, done: sent.after(self.takes) });
                    calls.len() - 1
                };
                self.clock.sleep(self.takes).await;
                self.calls.lock().unwrap()[at].done = self.clock.now();
            }
            Outcome::Accepted
        })
    }
}

struct Bench {
    hub: Hub,
    calls: Arc<Mutex<Vec<Call>>>,
    session: JoinHandle<()>,
}

impl Bench {
    fn new(takes: Duration) -> Self {
        let clock = Clock::starting_at(Timestamp::default());
        let hub = Hub::new(clock);
        let mut source = connected(&hub);
        let calls = Arc::new(Mutex::new(Vec::new()));
        let dispatcher = Dispatcher::start(robot(), clock, Slow { takes, calls: calls.clone(), clock });
        let session = tokio::spawn(async move {
            loop {
                let request = source.next_command().await;
                dispatcher.take(request.command.clone(), request);
            }
        });
        Self { hub, calls, session }
    }

    fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    fn names(&self) -> Vec<&'static str> {
        self.calls().iter().map(|call| call.command.name()).collect()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.session.abort();
    }
}

#[tokio::test(start_paused = true)]
async fn drives_that_wait_are_not_sent_after_a_stop_and_the_stop_follows_what_was_on_its_way() {
    let it = Bench::new(Duration::from_millis(400));
    let drives: Vec<_> = (1..=10).map(|i| give(&it.hub, heading(f64::from(i)), PATIENCE)).collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(it.names(), ["drive_heading"; 2], "the first is done, the second on its way");
    let stop = it.hub.command(&robot(), STOP, PATIENCE).await;
    assert_eq!(stop, Outcome::Accepted);
    let mut outcomes = Vec::new();
    for drive in drives {
        outcomes.push(drive.await.unwrap());
    }
    assert_eq!(outcomes[0], Outcome::Accepted);
    assert!(outcomes[1..].iter().all(|it| *it == Outcome::stopped()), "{outcomes:?}");
    // On the paused clock, longer than any part of a command would take: nothing more comes.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(it.names(), ["drive_heading", "drive_heading", "stop", "stop"]);
    let calls = it.calls();
    assert!(calls[2].sent < calls[1].done && calls[3].sent >= calls[1].done, "{calls:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_given_after_a_stop_is_sent_after_its_repetition() {
    let it = Bench::new(Duration::from_millis(400));
    let _overtaken = give(&it.hub, drive(1.0), PATIENCE);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let stop = give(&it.hub, STOP, PATIENCE);
    tokio::task::yield_now().await;
    let after = it.hub.command(&robot(), drive(2.0), PATIENCE).await;
    assert_eq!((stop.await.unwrap(), after), (Outcome::Accepted, Outcome::Accepted));
    assert_eq!(it.names(), ["drive", "stop", "stop", "drive"]);
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_commands_leaves_room_for_a_stop() {
    let clock = Clock::starting_at(Timestamp::default());
    let hub = Hub::new(clock);
    let mut source = connected(&hub);
    let takes = Duration::from_millis(400);
    let dispatcher = Dispatcher::start(robot(), clock, Slow { takes, calls: Arc::default(), clock });
    // It does not run before this awaits something that is not there yet.
    for i in 0..64 {
        drop(hub.command(&robot(), heading(f64::from(i)), PATIENCE));
        let request = source.next_command().await;
        dispatcher.take(request.command.clone(), request);
    }
    let stop = hub.command(&robot(), STOP, PATIENCE);
    let request = source.next_command().await;
    assert_eq!(request.command, STOP);
    dispatcher.take(STOP, request);
    assert_eq!(stop.await, Outcome::Accepted);
}

#[tokio::test(start_paused = true)]
async fn the_second_half_of_a_command_is_not_sent_after_a_stop() {
    let it = Bench::new(Duration::from_millis(400));
    let tracks = latimer_core::model::TrackSpeeds { left_mps: 1.0, right_mps: 1.0 };
    let overtaken = give(&it.hub, Command::DriveTracks(tracks), PATIENCE);
    tokio::time::sleep(Duration::from_millis(100)).await;
    it.hub.command(&robot(), Command::EmergencyStop(true), PATIENCE).await;
    assert_eq!(overtaken.await.unwrap(), Outcome::stopped());
    // The second half would have come by then.
    tokio::time::sleep(Duration::from_secs(9)).await;
    assert_eq!(it.names(), ["drive_tracks", "halt", "halt"]);
}

#[tokio::test(start_paused = true)]
async fn a_command_whose_caller_gave_up_is_never_sent() {
    let it = Bench::new(Duration::from_millis(400));
    let patient = give(&it.hub, drive(1.0), PATIENCE);
    let impatient = give(&it.hub, drive(2.0), Duration::from_millis(300));
    assert_eq!(impatient.await.unwrap(), Outcome::TimedOut);
    assert_eq!(patient.await.unwrap(), Outcome::Accepted);
    let last = give(&it.hub, Command::Volume(0.1), PATIENCE);
    last.await.unwrap();
    assert_eq!(it.names(), ["drive", "volume"]);
}

#[tokio::test(start_paused = true)]
async fn a_command_whose_caller_hung_up_is_not_sent_long_after() {
    let it = Bench::new(Duration::from_millis(400));
    let hangs_up = |speed| {
        let asked = give(&it.hub, drive(speed), PATIENCE);
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            asked.abort();
        })
    };
    // One that sends and leaves: the robot is ready for it soon.
    let busy = give(&it.hub, Command::Volume(0.1), PATIENCE);
    hangs_up(1.0).await.unwrap();
    busy.await.unwrap();
    // The drive of the one that left arrives, if it is sent.
    tokio::time::sleep(Duration::from_secs(1)).await;
    // One that gave up: the robot is ready for it after 0.8 s.
    let busy = [0.2, 0.3].map(|it_is| give(&it.hub, Command::Volume(it_is), PATIENCE));
    hangs_up(2.0).await.unwrap();
    for busy in busy {
        busy.await.unwrap();
    }
    // That of the one that gave up would arrive by then.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(it.names(), ["volume", "drive", "volume", "volume"]);
}

#[tokio::test(start_paused = true)]
async fn what_waits_in_the_hub_is_void_after_a_stop_too() {
    let hub = Hub::new(Clock::starting_at(Timestamp::default()));
    let mut source = connected(&hub);
    let before = hub.stops(&robot());
    let drives: Vec<_> = (0..10).map(|_| give(&hub, heading(1.0), PATIENCE)).collect();
    let cancel = give(&hub, Command::CancelNavigation, PATIENCE);
    tokio::task::yield_now().await;
    let stop = give(&hub, STOP, PATIENCE);
    tokio::task::yield_now().await;
    for drive in drives {
        assert_eq!(drive.await.unwrap(), Outcome::stopped());
    }
    // The stop first, then what ends something.
    let request = source.next_command().await;
    assert_eq!(request.command, STOP);
    request.answer(Outcome::Done);
    let request = source.next_command().await;
    assert_eq!(request.command, Command::CancelNavigation);
    request.answer(Outcome::Done);
    assert!(source.try_next_command().is_none());
    assert_eq!((stop.await.unwrap(), cancel.await.unwrap()), (Outcome::Done, Outcome::Done));
    // One that waited elsewhere meanwhile is refused.
    assert_eq!(
        hub.command_client(Author::gateway()).command_since(before, &robot(), drive(1.0), PATIENCE).await,
        Outcome::stopped()
    );
    assert!(source.try_next_command().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_stop_has_room_in_a_full_queue() {
    let hub = Hub::new(Clock::starting_at(Timestamp::default()));
    let mut source = connected(&hub);
    let drives: Vec<_> = (0..64).map(|_| give(&hub, Command::CancelNavigation, PATIENCE)).collect();
    tokio::task::yield_now().await;
    let _stop = give(&hub, STOP, PATIENCE);
    tokio::task::yield_now().await;
    assert_eq!(source.next_command().await.command, STOP);
    drop(drives);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_gateway_stops_what_moves() {
    let hub = Hub::new(Clock::starting_at(Timestamp::default()));
    let name = |name: &str| RobotId::new(name).unwrap();
    let source = |robot: &str, origin| hub.register(RobotInfo::new(name(robot), "test", origin)).unwrap();
    let lan = || Origin::Connected("host".into());
    let (mut driven, mut rolls, mut stands) =
        (source("driven", lan()), source("rolls", lan()), source("stands", lan()));
    let _simulated = source("simulated", Origin::Simulated);
    let _waits = tokio::spawn(hub.command(&name("simulated"), drive(1.0), PATIENCE));
    let asked = tokio::spawn(hub.command(&name("driven"), drive(1.0), PATIENCE));
    driven.next_command().await.answer(Outcome::Accepted);
    asked.await.unwrap();
    rolls.publish(Update::now(&name("rolls"), hub.clock().now(), Velocity::of(0.2, 0.0).into()));
    let ending = tokio::spawn({
        let hub = hub.clone();
        async move { hub.stop_all(Duration::from_secs(1)).await }
    });
    for source in [&mut driven, &mut rolls] {
        let request = source.next_command().await;
        assert_eq!(request.command, STOP);
        request.answer(Outcome::Done);
    }
    let stopped: Vec<_> = ending.await.unwrap().into_iter().map(|(robot, _)| robot.to_string()).collect();
    assert_eq!(stopped, ["driven", "rolls"]);
    assert!(stands.try_next_command().is_none());
    let refused = hub.command(&name("driven"), drive(1.0), PATIENCE).await;
    assert_eq!(refused, Outcome::unreachable("the gateway stops"));
    assert!(driven.try_next_command().is_none());
}

/// What comes within seconds of the paused clock.
async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("it comes")
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_is_sent_again_ends_nothing_that_was_given_since() {
    let hub = Hub::new(Clock::starting_at(Timestamp::default()));
    let mut goals = hub.navigation_requests().unwrap();
    let guard = tokio::spawn(hub.clone().guard(CancellationToken::new()));
    let profile = RobotProfile { abilities: vec![Ability::Drive], ..RobotProfile::default() };
    let info = RobotInfo::new(robot(), "test", Origin::Connected("host".into())).with(Arc::new(profile));
    let mut source = hub.register(info).unwrap();
    source.link(LinkState::Up, None);
    let client = hub.command_client(Author::new("test", "client"));
    let stop = tokio::spawn(client.command(&robot(), STOP, PATIENCE));
    source.next_command().await.answer(Outcome::Done);
    assert_eq!(stop.await.unwrap(), Outcome::Done);
    // It brakes for longer than it may.
    let moves = Update::now(&robot(), hub.clock().now(), Velocity::of(0.2, 0.0).into());
    source.publish(Update { part: Some(PartName::of(Velocity::MEASURED)), ..moves });

    let goal = NavigationGoal::to(Destination::Point { x_m: 1.0, y_m: 0.0, yaw_rad: None });
    let goal = tokio::spawn(client.command(&robot(), Command::Navigate(goal), PATIENCE));
    let request = goals.next().await.unwrap();
    let lamp = tokio::spawn(client.command(&robot(), Command::Lamp { part: None, rgb: [255; 3] }, PATIENCE));
    // Long enough for a stop that goes first, and the lamp waits in line meanwhile.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let again = soon(source.next_command()).await;
    assert_eq!(again.command, STOP);
    again.answer(Outcome::Done);
    let next = soon(source.next_command()).await;
    assert_eq!(next.command.name(), "lamp");
    next.answer(Outcome::Done);
    assert_eq!(lamp.await.unwrap(), Outcome::Done);
    assert!(!request.control.is_over(), "its navigator has planned meanwhile");
    let drive = tokio::spawn(request.control.command(drive(0.1), PATIENCE));
    loop {
        let next = soon(source.next_command()).await;
        let is_drive = next.command.moves_base();
        next.answer(Outcome::Accepted);
        if is_drive {
            break;
        }
    }
    assert_eq!(drive.await.unwrap(), Outcome::Accepted);
    let control = request.control.clone();
    request.answer(Outcome::Accepted);
    assert_eq!(goal.await.unwrap(), Outcome::Accepted);
    let stop = tokio::spawn(client.command(&robot(), STOP, PATIENCE));
    source.next_command().await.answer(Outcome::Done);
    stop.await.unwrap();
    assert!(control.is_over(), "a stop of a client ends it");
    guard.abort();
}

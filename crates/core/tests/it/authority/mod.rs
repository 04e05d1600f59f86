//! Who may move a robot: leases, drives that end with their author, stops that are repeated, an emergency stop that holds.

mod interleaved;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use latimer_core::access::{Caller, Grant, Grants, Role};
use latimer_core::authority::{Area, Envelope, Policy};
use latimer_core::hub::{CommandClient, MailboxLimits, Origin, Policies, RobotInfo, Source, Subscription};
use latimer_core::model::signal::{Frame, LinkState, Pose, Switch, Velocity};
use latimer_core::model::{Refusal, RefusalCode, RobotProfile};
use latimer_core::{Author, Clock, Command, Hub, Outcome, RobotId, Signal, Timestamp, Update};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const PATIENCE: Duration = Duration::from_secs(10);
const STOP: Command = Command::Stop { hold: false };

fn robot() -> RobotId {
    RobotId::new("r").unwrap()
}

fn drive(linear_mps: f64, seconds: Option<f64>) -> Command {
    Command::Drive { linear_mps, angular_radps: 0.0, duration: seconds.map(Duration::from_secs_f64) }
}

fn code(outcome: &Outcome) -> Option<RefusalCode> {
    match outcome {
        Outcome::Refused(Refusal { code, .. }) => Some(*code),
        _ => None,
    }
}

/// A robot that does as it is asked after a moment, and may need several stops.
struct Bench {
    hub: Hub,
    /// What reached the robot, and when.
    calls: Arc<Mutex<Vec<(Command, Timestamp)>>>,
    tasks: [JoinHandle<()>; 2],
}

impl Bench {
    fn new(policy: Policy, takes: Duration, stops_needed: usize) -> Self {
        Self::refusing(policy, takes, stops_needed, 0)
    }

    /// A robot that refuses so many stops first.
    fn refusing(policy: Policy, takes: Duration, stops_needed: usize, mut refused: usize) -> Self {
        let clock = Clock::starting_at(Timestamp::default());
        let hub = Hub::new(clock);
        hub.set_policies(Policies { others: policy, ..Policies::default() });
        let origin = Origin::Connected("host".into());
        let mut source = hub.register(RobotInfo::new(robot(), "test", origin)).unwrap();
        source.link(LinkState::Up, None);
        let calls = Arc::new(Mutex::new(Vec::new()));
        let noted = calls.clone();
        let session = tokio::spawn(async move {
            let (mut speed_mps, mut stops) = (0.0, 0);
            // It drives along a line.
            let (mut x_m, mut before) = (0.0, clock.now());
            loop {
                let report = clock.sleep(Duration::from_millis(100));
                let driven_mps = speed_mps;
                tokio::select! {
                    request = source.next_command() => {
                        clock.sleep(takes).await;
                        if let Err(outcome) = request.check() {
                            request.answer(outcome);
                            continue;
                        }
                        noted.lock().unwrap().push((request.command.clone(), clock.now()));
                        if request.command.is_stop() && refused > 0 {
                            refused -= 1;
                            request.answer(Outcome::unreachable("500"));
                            continue;
                        }
                        match *request.command {
                            Command::Drive { linear_mps, .. } => (speed_mps, stops) = (linear_mps, 0),
                            _ if request.command.is_stop() => {
                                stops += 1;
                                speed_mps = if stops >= stops_needed { 0.0 } else { speed_mps };
                            }
                            _ => {}
                        }
                        request.answer(Outcome::Accepted);
                    }
                    () = report => {}
                }
                let now = clock.now();
                x_m += driven_mps * now.since(before).as_secs_f64();
                before = now;
                source.publish(Update::now(&robot(), now, Velocity::of(speed_mps, 0.0).into()));
                source.publish(Update::now(&robot(), now, Pose::planar(Frame::Map, x_m, 0.0, 0.0).into()));
            }
        });
        let guard = tokio::spawn(hub.clone().guard(CancellationToken::new()));
        Self { hub, calls, tasks: [session, guard] }
    }

    fn program(&self, name: &str) -> CommandClient {
        self.hub.command_client(Author::new("misty", name))
    }

    fn connected(&self, name: &str) -> CommandClient {
        self.hub.connected_client(Author::new("misty", name))
    }

    fn names(&self) -> Vec<&'static str> {
        self.calls.lock().unwrap().iter().map(|(command, _)| command.name()).collect()
    }

    async fn alerts(&self) -> Vec<String> {
        let part = latimer_core::PartName::of("gateway");
        let last = self.hub.last(&robot(), latimer_core::model::Kind::Alerts, Some(&part));
        match last.as_ref().map(|it| &it.signal) {
            Some(Signal::Alerts(alerts)) => alerts.active.iter().map(|it| it.message.to_string()).collect(),
            _ => Vec::new(),
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

async fn give(driver: &CommandClient, command: Command) -> Outcome {
    driver.command(&robot(), command, PATIENCE).await
}

/// Numbers drives by their speed, so that each is known where it arrives.
fn numbered(command: Command, number: usize) -> Command {
    match command {
        Command::Drive { duration, .. } => {
            Command::Drive { linear_mps: 0.2 + number as f64 * 1e-6, angular_radps: 0.0, duration }
        }
        command => command,
    }
}

/// Lets the paused clock go on, past a lease, a step of a drive or a repetition of a stop.
async fn wait(seconds: f64) {
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
}

#[tokio::test(start_paused = true)]
async fn a_drive_without_an_end_ends_with_the_connection_of_its_author() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let driver = it.connected("a");
    let clone = driver.clone();
    assert_eq!(give(&driver, drive(0.2, None)).await, Outcome::Accepted);
    drop(driver);
    wait(60.0).await;
    assert_eq!(it.names(), ["drive"], "one of its connections is still there");
    drop(clone);
    wait(1.0).await;
    assert_eq!(it.names(), ["drive", "stop"]);
    let record = &it.hub.commands_given_lately(1, |_| true)[0];
    assert_eq!((record.author.dialect, record.command), ("gateway", "stop"));
}

#[tokio::test(start_paused = true)]
async fn a_drive_ends_when_one_of_several_programs_of_a_host_breaks_off() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let socket = |of: &str| it.hub.connected_client_of(Author::new("misty", "host"), &of.parse().unwrap());
    let (first, second, third, posts) = (it.connected("host"), socket("r"), socket("r"), it.program("host"));
    assert_eq!(give(&posts, drive(0.2, None)).await, Outcome::Accepted);
    wait(1.0).await;
    third.leaves();
    drop(third);
    wait(5.0).await;
    drop(socket("other"));
    wait(5.0).await;
    assert_eq!(it.names(), ["drive"], "one said farewell, one was for another robot");
    drop(second);
    wait(1.0).await;
    assert_eq!(it.names(), ["drive", "stop"], "it may have been the one that drives");
    // What comes by a connection ends with that one alone.
    let second = socket("r");
    assert_eq!(give(&first, drive(0.2, None)).await, Outcome::Accepted);
    wait(1.0).await;
    drop(second);
    wait(5.0).await;
    assert_eq!(it.names().len(), 3);
    let _other = it.connected("host");
    drop(first);
    wait(1.0).await;
    assert_eq!(it.names(), ["drive", "stop", "drive", "stop"]);
}

#[tokio::test(start_paused = true)]
async fn a_drive_ends_with_the_role_of_its_author() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let grant = Grant { role: Role::Drive, select: "**".parse().unwrap(), dialects: Vec::new() };
    let ada = Caller::new("ada", Grants::new(vec![grant]));
    let driver = it.hub.connected_client(Author::of("misty", &ada));
    assert_eq!(give(&driver, drive(0.2, Some(60.0))).await, Outcome::Accepted);
    wait(1.0).await;
    ada.set_grants(Grants::default());
    wait(1.0).await;
    assert_eq!(it.names(), ["drive", "stop"]);
    wait(5.0).await;
    assert_eq!(it.names(), ["drive", "stop"], "once");
}

#[tokio::test(start_paused = true)]
async fn an_emergency_stop_ends_what_a_robot_does_by_itself() {
    let hub = Hub::new(Clock::starting_at(Timestamp::default()));
    let still = vec![Switch { part: "action".into(), enabled: false }];
    let profile = RobotProfile { still: still.clone(), ..RobotProfile::default() };
    let info = RobotInfo::new(robot(), "test", Origin::Connected("host".into()));
    let mut source = hub.register(RobotInfo { profile: Arc::new(profile), ..info }).unwrap();
    source.link(LinkState::Up, None);
    let guard = tokio::spawn(hub.clone().guard(CancellationToken::new()));
    let driver = hub.connected_client(Author::new("misty", "a"));
    let takes = async |source: &mut Source| {
        let request = source.next_command().await;
        let command = request.command.clone();
        request.answer(Outcome::Accepted);
        command
    };
    let pressed = tokio::spawn(driver.command(&robot(), Command::EmergencyStop(true), PATIENCE));
    let halt = Command::Halt { motor_mask: None };
    assert_eq!(takes(&mut source).await, halt);
    assert_eq!(takes(&mut source).await, Command::BehaviourSwitches(still.clone()));
    assert_eq!(pressed.await.unwrap(), Outcome::Accepted);
    // It moves all the same: both are sent again.
    let moves =
        Update::now(&robot(), hub.clock().now().after(Duration::from_secs(2)), Velocity::of(0.2, 0.0).into());
    wait(2.0).await;
    source.publish(moves);
    assert_eq!(takes(&mut source).await, halt);
    assert_eq!(takes(&mut source).await, Command::BehaviourSwitches(still));
    guard.abort();
}

#[tokio::test(start_paused = true)]
async fn a_drive_of_an_author_without_a_connection_ends_after_a_while_without_a_word() {
    let policy = Policy { drive_timeout: Duration::from_secs(3), ..Policy::default() };
    let it = Bench::new(policy, Duration::from_millis(10), 1);
    let driver = it.program("a");
    for _ in 0..4 {
        give(&driver, drive(0.2, None)).await;
        wait(2.0).await;
    }
    assert_eq!(it.names(), ["drive"; 4]);
    wait(2.0).await;
    assert_eq!(it.names(), ["drive", "drive", "drive", "drive", "stop"]);
    give(&driver, drive(0.2, Some(30.0))).await;
    wait(30.0).await;
    assert_eq!(it.names().len(), 6, "a drive with an end ends by itself");
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_repeated_until_the_robot_reports_that_it_stands() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 3);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    assert_eq!(give(&driver, STOP).await, Outcome::Accepted);
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop", "stop"]);
    assert_eq!(it.alerts().await, [""; 0]);
    assert_eq!(it.hub.robot(&robot()).unwrap().unstopped, None);
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_does_not_stop_is_an_alert_until_it_stands() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 14);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    give(&driver, STOP).await;
    wait(2.0).await;
    assert_eq!(it.alerts().await, [""; 0], "it may be braking");
    wait(3.0).await;
    assert_eq!(it.alerts().await, ["it was stopped and moves still"]);
    assert!(it.hub.robot(&robot()).unwrap().unstopped.is_some());
    // Nothing gives up, and the alert ends with what it tells of.
    wait(20.0).await;
    assert_eq!(it.names().len(), 1 + 14);
    assert_eq!(it.alerts().await, [""; 0]);
    assert_eq!(it.hub.robot(&robot()).unwrap().unstopped, None);
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_the_robot_does_not_take_is_sent_again_until_it_does() {
    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 1);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    assert_eq!(code(&give(&driver, STOP).await), Some(RefusalCode::Unreachable));
    wait(0.3).await;
    assert_eq!(it.names(), ["drive", "stop", "stop"], "at once");
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop"]);

    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 12);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    give(&driver, STOP).await;
    wait(4.0).await;
    assert_eq!(it.alerts().await, ["it was stopped and moves still"]);
    wait(20.0).await;
    assert_eq!(it.names().len(), 1 + 12 + 1);
    assert_eq!(it.alerts().await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_drive_that_the_robot_did_not_take_does_not_end_what_it_owes() {
    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 3);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    wait(1.0).await;
    give(&driver, STOP).await;
    // It is refused before it reaches the robot.
    let forbidden = Author::new("misty", "a");
    let late = it.hub.command_client(forbidden).command(&robot(), drive(0.1, None), Duration::ZERO).await;
    assert!(!late.is_ok(), "{late:?}");
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop", "stop", "stop"]);
}

#[tokio::test(start_paused = true)]
async fn the_dead_mans_stop_is_an_obligation_and_so_is_the_one_at_the_end() {
    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 2);
    let driver = it.connected("a");
    give(&driver, drive(0.2, None)).await;
    drop(driver);
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop", "stop"]);

    let it = Bench::refusing(Policy::default(), Duration::from_millis(10), 1, 3);
    give(&it.connected("a"), drive(0.2, None)).await;
    let stopped = it.hub.stop_all(Duration::from_secs(1)).await;
    assert_eq!(stopped, [(robot(), Outcome::Accepted)]);
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_nobody_drove_is_stopped_until_it_stands() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 3);
    // What drives it does so beside the gateway, so that it is told nothing of it.
    give(&it.hub.command_client(Author::gateway()), drive(0.2, Some(0.1))).await;
    wait(3.0).await;
    assert_eq!(give(&it.program("b"), STOP).await, Outcome::Accepted);
    wait(20.0).await;
    assert_eq!(it.names(), ["drive", "stop", "stop", "stop"]);
}

#[tokio::test(start_paused = true)]
async fn an_emergency_stop_holds_for_robots_that_have_none() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let sink = it.hub.sink("test", "peer", MailboxLimits::default());
    sink.subscribe(Subscription::to("r/alerts/**".parse().unwrap()));
    let (first, second) = (it.connected("a"), it.connected("b"));
    give(&first, drive(0.2, None)).await;
    assert_eq!(give(&second, Command::EmergencyStop(true)).await, Outcome::Accepted);
    assert_eq!(it.names(), ["drive", "halt"]);
    let refused = give(&first, drive(0.2, None)).await;
    assert_eq!(code(&refused), Some(RefusalCode::Unsafe));
    assert_eq!(it.alerts().await, ["the emergency stop is pressed, by misty b"]);
    assert_eq!(it.hub.robot(&robot()).unwrap().emergency_stop.unwrap().author, *second.author());
    assert_eq!(code(&give(&first, Command::EmergencyStop(false)).await), Some(RefusalCode::Owned));
    assert_eq!(give(&second, Command::EmergencyStop(false)).await, Outcome::Done);
    assert_eq!(it.alerts().await, [""; 0]);
    assert_eq!(give(&first, drive(0.2, None)).await, Outcome::Accepted);
}

#[tokio::test(start_paused = true)]
async fn a_newer_drive_takes_the_place_of_one_that_waits() {
    let it = Bench::new(Policy::default(), Duration::from_millis(400), 1);
    let driver = it.connected("a");
    let answers: Vec<_> = (0..100)
        .map(|i| tokio::spawn(driver.command(&robot(), numbered(drive(0.2, None), i), PATIENCE)))
        .collect();
    for answer in answers {
        assert_eq!(answer.await.unwrap(), Outcome::Accepted);
    }
    let calls = it.calls.lock().unwrap().clone();
    let last = numbered(drive(0.2, None), 99);
    assert!(calls.len() <= 2 && calls.last().unwrap().0 == last, "{calls:?}");
    let replaced = it.hub.commands_given_lately(10, |record| record.note.is_some());
    assert_eq!(replaced[0].note.as_deref(), Some("a newer drive came before it was sent"));
    assert!(replaced[0].count >= 98, "{replaced:?}");
}

#[tokio::test(start_paused = true)]
async fn a_robot_speeds_up_in_steps_until_a_stop() {
    let envelope = Envelope { linear_mps2: Some(0.5), ..Envelope::default() };
    let it = Bench::new(Policy { envelope, ..Policy::default() }, Duration::from_millis(10), 1);
    let driver = it.connected("a");
    give(&driver, drive(1.0, None)).await;
    wait(1.0).await;
    let speeds: Vec<f64> = it
        .calls
        .lock()
        .unwrap()
        .iter()
        .filter_map(|(call, _)| match call {
            Command::Drive { linear_mps, .. } => Some(*linear_mps),
            _ => None,
        })
        .collect();
    assert!(speeds.is_sorted() && speeds.len() >= 9 && speeds.last().unwrap() <= &0.56, "{speeds:?}");
    assert_eq!(give(&driver, STOP).await, Outcome::Accepted);
    wait(5.0).await;
    assert_eq!(it.names().last(), Some(&"stop"));
    let records = it.hub.commands_given_lately(10, |_| true);
    assert_eq!(records.len(), 2, "steps are no commands of a client: {records:?}");
}

#[tokio::test(start_paused = true)]
async fn a_drive_that_the_robot_did_not_take_is_not_gone_on_with() {
    let hub = Hub::new(Clock::starting_at(Timestamp::default()));
    let envelope = Envelope { linear_mps2: Some(0.5), ..Envelope::default() };
    hub.set_policies(Policies { others: Policy { envelope, ..Policy::default() }, ..Policies::default() });
    let origin = Origin::Connected("host".into());
    let mut source = hub.register(RobotInfo::new(robot(), "test", origin)).unwrap();
    let guard = tokio::spawn(hub.clone().guard(CancellationToken::new()));
    let driver = hub.connected_client(Author::new("misty", "a"));
    for is_lost in [false, true] {
        source.link(LinkState::Up, None);
        let asked = tokio::spawn(driver.command(&robot(), drive(1.0, None), PATIENCE));
        let request = source.next_command().await;
        match is_lost {
            true => source.link(LinkState::Down, None),
            false => request.answer(Outcome::not_safe("it stands at a cliff")),
        }
        wait(0.5).await;
        assert!(source.try_next_command().is_none());
        asked.abort();
    }
    guard.abort();
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_leaves_its_area_is_stopped_and_may_only_come_back() {
    let area = Area::new(vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]], 0.2, 0.05).unwrap();
    let it = Bench::new(Policy { area: Some(area), ..Policy::default() }, Duration::from_millis(10), 1);
    let driver = it.connected("a");
    wait(0.2).await;
    assert_eq!(give(&driver, drive(0.5, None)).await, Outcome::Accepted);
    wait(30.0).await;
    assert_eq!(it.names(), ["drive", "drive", "stop"], "slower in the border, then a stop");
    assert_eq!(it.alerts().await, ["it is outside its area"]);
    assert_eq!(code(&give(&driver, drive(0.1, None)).await), Some(RefusalCode::Unsafe));
    assert_eq!(give(&driver, drive(-0.05, Some(5.0))).await, Outcome::Accepted);
    wait(5.0).await;
    assert_eq!(it.alerts().await, [""; 0]);
    assert_eq!(it.names(), ["drive", "drive", "stop", "drive"]);
}

#[tokio::test(start_paused = true)]
async fn what_was_given_is_written_down_with_its_author() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let (program, page) = (it.program("a"), it.hub.command_client(Author::new("page", "127.0.0.1")));
    for _ in 0..3 {
        give(&page, drive(0.1, Some(0.5))).await;
    }
    give(&program, drive(0.2, None)).await;
    let records = it.hub.commands_given_lately(10, |_| true);
    let shown: Vec<String> = records
        .iter()
        .map(|it| {
            format!("{} {} x{} {:?}", it.author, it.command, it.count, it.outcome.as_ref().and_then(code))
        })
        .collect();
    assert_eq!(shown, ["misty a drive x1 Some(Owned)", "page 127.0.0.1 drive x3 None"]);
    let totals: Vec<_> =
        it.hub.command_totals().into_iter().map(|it| (it.dialect, it.outcome, it.count)).collect();
    assert_eq!(totals, [("misty", "owned", 1), ("page", "accepted", 3)]);
    let driven = it.hub.robot(&robot()).unwrap();
    assert!(driven.is_driven && driven.driver.unwrap().author == *page.author());
}

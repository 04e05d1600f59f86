//! The logs, fed with updates.

use std::time::Duration;

use latimer_core::hub::{Origin, RobotInfo, Shared};
use latimer_core::model::Native;
use latimer_core::model::signal::{
    Alert, Alerts, Battery, Control, ControlMode, Hazard, HazardItem, HazardSource, Link, LinkState,
    Navigation, NavigationKind, NavigationState, PowerState, Severity, Task, TaskAction, TaskState, Text,
    TextChannel,
};
use latimer_core::{Clock, Hub, RobotId, Signal, Timestamp, Update};
use tokio_util::sync::CancellationToken;

use super::Journal;
use super::logs::Logs;

fn at(second: u64) -> Timestamp {
    Timestamp::from_nanos(0).after(Duration::from_secs(second))
}

/// The logs with a clock that ticks a second an update.
#[derive(Default)]
struct Fixture {
    logs: Logs,
    now: u64,
}

impl Fixture {
    fn receive(&mut self, robot: &str, signal: impl Into<Signal>) -> bool {
        let sequence = self.now + 2;
        self.hear_as(robot, sequence, signal)
    }

    fn hear_as(&mut self, robot: &str, sequence: u64, signal: impl Into<Signal>) -> bool {
        self.now += 1;
        let update = Update::now(&RobotId::new(robot).unwrap(), at(self.now), signal.into());
        self.logs.take(&Shared::new(update, sequence))
    }

    fn events(&self) -> Vec<String> {
        self.logs.events.newest().map(|event| event.kind().to_string()).collect()
    }

    /// `message raised-cleared` of every alert.
    fn alerts(&self) -> Vec<String> {
        let second = |time: Timestamp| time.as_nanos() / 1_000_000_000;
        let shown =
            |cleared: Option<Timestamp>| cleared.map_or(String::new(), |time| second(time).to_string());
        let alerts = self.logs.alerts.all();
        alerts.map(|it| format!("{} {}-{}", it.fault.message, second(it.raised), shown(it.cleared))).collect()
    }
}

fn drive(id: i64, state: NavigationState, remaining_m: f64) -> Navigation {
    Navigation {
        place: Some("kitchen".into()),
        remaining_m: Some(remaining_m),
        ..Navigation::new(id, NavigationKind::Goto, state)
    }
}

fn alerts(messages: &[&str]) -> Alerts {
    let alert = |message: &&str| Alert { code: 7, severity: Severity::Error, message: (*message).into() };
    Alerts { active: messages.iter().map(alert).collect() }
}

fn hazard(part: &str, active: bool) -> Hazard {
    let item = HazardItem { source: HazardSource::Bumper, part: part.into(), active };
    Hazard { items: vec![item], critical_error_code: Some(0) }
}

fn link(state: LinkState, since: u64) -> Link {
    Link { state, since: at(since), reconnects: 0, skew_min_s: None, skew_max_s: None, reason: None }
}

#[test]
fn a_task_is_kept_from_its_beginning_to_its_end() {
    let mut fixture = Fixture::default();
    fixture.receive("a", Task::new("t1", "bring", TaskState::Confirmed));
    let found = Task { action: Some(TaskAction::Found), ..Task::new("t1", "bring", TaskState::Progress) };
    fixture.receive("a", found.clone());
    fixture.receive("a", found);
    fixture.receive("b", Task::new("t1", "clean", TaskState::Confirmed));
    let missing = vec!["object".to_owned()];
    fixture.receive("a", Task { missing, ..Task::new("t1", "bring", TaskState::MissingInfo) });
    fixture.receive("a", Task::new("t1", "bring", TaskState::Succeeded));
    fixture.receive("a", Task::new("t1", "bring", TaskState::Confirmed));
    let tasks: Vec<_> = fixture.logs.tasks.newest().collect();
    assert_eq!(tasks.len(), 3, "the same name after the end is a new task: {tasks:?}");
    let first = tasks[2];
    let states: Vec<&str> = first.reports.iter().map(|report| report.state).collect();
    assert_eq!(
        states,
        ["confirmed", "progress", "missing_info", "succeeded"],
        "a repeated report is kept once"
    );
    assert_eq!(first.reports[2].reason.as_deref(), Some("missing: object"));
    assert_eq!((first.begun, first.ended, tasks[0].ended), (at(1), Some(at(6)), None));
}

#[test]
fn a_drive_is_a_task_and_its_progress_is_no_news() {
    let mut fixture = Fixture::default();
    fixture.receive("a", Navigation { state: NavigationState::Idle, ..drive(0, NavigationState::Idle, 0.0) });
    for metre in (1..5).rev() {
        fixture.receive("a", drive(1, NavigationState::Moving, f64::from(metre)));
    }
    fixture.receive("a", Navigation { stuck: true, ..drive(1, NavigationState::Moving, 1.0) });
    fixture.receive("a", drive(1, NavigationState::Succeeded, 0.0));
    fixture.receive("a", drive(1, NavigationState::Succeeded, 0.0));
    fixture.receive("a", drive(2, NavigationState::Moving, 3.0));
    fixture.receive("a", drive(2, NavigationState::Idle, 0.0));
    let tasks: Vec<_> = fixture.logs.tasks.newest().collect();
    let shown: Vec<_> =
        tasks.iter().map(|task| (task.id.as_str(), task.state(), task.reports.len())).collect();
    assert_eq!(shown, [("2", "idle", 2), ("1", "succeeded", 3)]);
    assert_eq!(tasks[1].reports[1].action, Some("way_blocked"));
    assert!(tasks.iter().all(|task| task.ended.is_some()));
    assert_eq!(fixture.events().len(), 5, "one for each report");
}

#[test]
fn tasks_and_their_reports_are_bounded() {
    let mut fixture = Fixture::default();
    for i in 0..1_200 {
        let target = Some(format!("place {i}"));
        fixture.receive("a", Task { target, ..Task::new("long", "patrol", TaskState::Progress) });
    }
    let task = fixture.logs.tasks.newest().next().unwrap();
    assert_eq!((task.reports.len(), task.left_out), (200, 1_000));
    assert_eq!(task.reports[0].target.as_deref(), Some("place 0"));
    assert_eq!(task.reports[199].target.as_deref(), Some("place 1199"));
    for i in 0..1_200 {
        fixture.receive("a", Task::new(i.to_string(), "bring", TaskState::Confirmed));
    }
    assert_eq!(fixture.logs.tasks.newest().count(), 1_000);
    assert_eq!(fixture.logs.tasks.newest().next().unwrap().id, "1199");
}

#[test]
fn a_list_of_alerts_replaces_the_one_before() {
    let mut fixture = Fixture::default();
    assert!(!fixture.receive("a", alerts(&[])));
    assert!(fixture.receive("a", alerts(&["hot", "stuck"])));
    assert!(!fixture.receive("a", alerts(&["stuck", "hot"])));
    assert!(fixture.receive("a", alerts(&["stuck", "low"])));
    assert!(fixture.receive("a", hazard("front", true)));
    assert_eq!(fixture.alerts(), ["a bumper is pressed: front 5-", "low 4-", "stuck 2-", "hot 2-4"]);
    for _ in 0..3 {
        fixture.receive("a", hazard("front", false));
    }
    fixture.receive("a", alerts(&[]));
    assert_eq!(fixture.alerts(), ["low 4-9", "stuck 2-9", "a bumper is pressed: front 5-6", "hot 2-4"]);
    assert_eq!(fixture.events(), ["alerts", "hazard", "hazard", "alerts", "alerts"], "only changes");
}

#[test]
fn a_link_that_is_down_is_an_alert_until_it_is_up() {
    let mut fixture = Fixture::default();
    fixture.hear_as("a", 1, link(LinkState::Connecting, 1));
    fixture.receive("a", link(LinkState::Up, 2));
    fixture.receive("a", link(LinkState::Up, 2));
    fixture.receive("a", link(LinkState::Down, 3));
    let why = Some("no route".to_owned());
    fixture.receive("a", link(LinkState::Connecting, 3));
    fixture.receive("a", Link { reason: why, ..link(LinkState::Down, 3) });
    assert_eq!(fixture.alerts(), ["no route 3-"]);
    fixture.receive("a", link(LinkState::Up, 7));
    assert_eq!(fixture.alerts(), ["no route 3-7"]);
    assert_eq!(fixture.events().len(), 6, "a link that stays as it is is no news");
}

#[test]
fn a_pressed_emergency_stop_is_an_alert() {
    let mut fixture = Fixture::default();
    let control = |emergency_stop| Control {
        mode: ControlMode::Auto,
        emergency_stop,
        wheels_released: None,
        power: None,
    };
    for pressed in [false, true, true, false] {
        fixture.receive("a", control(pressed));
    }
    assert_eq!(fixture.alerts(), ["the emergency stop is pressed 2-4"]);
    assert!(fixture.events().is_empty(), "a state is no event");
}

#[test]
fn a_low_battery_is_an_alert_until_it_is_charged() {
    let mut fixture = Fixture::default();
    let battery = |charge, state| Battery { charge_ratio: Some(charge), state, ..Battery::UNKNOWN };
    let mut hear = |robot: &str, charge, state| fixture.receive(robot, battery(charge, state));
    let shown: Vec<bool> = [0.11, 0.09, 0.08, 0.11, 0.13, 0.11, 0.05]
        .map(|charge| hear("a", charge, PowerState::Discharging))
        .into();
    assert_eq!(shown, [false, true, false, false, true, false, true]);
    assert!(hear("a", 0.05, PowerState::Charging) && !hear("a", 0.05, PowerState::Full));
    assert!(hear("b", 0.05, PowerState::Unknown));
    assert!(fixture.receive("b", alerts(&[])), "it tells alerts itself, so the journal's own is over");
    assert!(!fixture.receive("b", battery(0.05, PowerState::Unknown)));
}

#[test]
fn a_robot_that_goes_takes_its_alerts_with_it() {
    let mut fixture = Fixture::default();
    fixture.receive("a", alerts(&["hot"]));
    fixture.receive("b", alerts(&["cold"]));
    fixture.logs.keep_only(|robot| robot.as_str() == "b", at(9));
    assert_eq!(fixture.alerts(), ["cold 2-", "hot 1-9"]);
    assert!(fixture.hear_as("b", 1, link(LinkState::Connecting, 3)), "another robot of that name");
    assert_eq!(fixture.alerts(), ["cold 2-3", "hot 1-9"]);
}

#[test]
fn cleared_alerts_and_events_are_bounded() {
    let mut fixture = Fixture::default();
    for _ in 0..1_100 {
        fixture.receive("a", hazard("front", true));
        fixture.receive("a", hazard("front", false));
    }
    assert_eq!((fixture.alerts().len(), fixture.events().len()), (1_000, 2_000));
    let robot = RobotId::new("a").unwrap();
    let big = "x".repeat(1 << 20);
    let text = Text { channel: TextChannel::Log, text: big.as_str().into(), data: None, truncated: None };
    let native = Native { dialect: "misty", topic: "log".into(), payload: big.into(), definition: None };
    let update = Update { native: Some(native), ..Update::now(&robot, at(0), text.into()) };
    (0..10).for_each(|i| {
        fixture.logs.take(&Shared::new(update.clone(), i));
    });
    assert_eq!(fixture.events().len(), 4, "long texts leave room for fewer");
    assert!(fixture.logs.events.newest().all(|event| event.native.is_none()));
}

#[tokio::test(start_paused = true)]
async fn what_was_published_is_written_down_before_who_asks_is_answered() {
    let (hub, journal, end) = (Hub::new(Clock::system()), Journal::default(), CancellationToken::new());
    journal.caught_up().await;
    let writer = tokio::spawn(journal.clone().run(hub.clone(), end.clone()));
    while hub.sinks().is_empty() {
        tokio::task::yield_now().await;
    }
    let info = RobotInfo::new(RobotId::new("a").unwrap(), "misty", Origin::Simulated);
    let source = hub.register(info).unwrap();
    for count in 1..=3 {
        let text = Text { channel: TextChannel::Log, text: "hello".into(), data: None, truncated: None };
        source.publish(Update::now(source.robot(), at(count), text.into()));
        journal.caught_up().await;
        let written = journal.events(10, |event| matches!(event.signal, Signal::Text(_)));
        assert_eq!(written.len() as u64, count);
    }
    end.cancel();
    writer.await.unwrap();
    // Nobody waits for a writer that has ended.
    let asked = hub.clock().now();
    journal.caught_up().await;
    assert_eq!(hub.clock().now().since(asked), Duration::ZERO);
}

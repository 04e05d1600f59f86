//! The books, fed with updates.

use std::time::Duration;

use latimer_core::hub::Shared;
use latimer_core::model::Native;
use latimer_core::model::signal::{
    Alert, Alerts, Battery, Control, ControlMode, Hazard, HazardItem, HazardSource, Link, LinkState,
    Navigation, NavigationKind, NavigationState, PowerState, Severity, Task, TaskAction, TaskState, Text,
    TextChannel,
};
use latimer_core::{RobotId, Signal, Timestamp, Update};

use super::books::Books;

fn at(second: u64) -> Timestamp {
    Timestamp::from_nanos(0).after(Duration::from_secs(second))
}

/// The books with a clock that ticks a second an update.
#[derive(Default)]
struct Desk {
    books: Books,
    now: u64,
}

impl Desk {
    fn hear(&mut self, robot: &str, signal: impl Into<Signal>) -> bool {
        let sequence = self.now + 2;
        self.hear_as(robot, sequence, signal)
    }

    fn hear_as(&mut self, robot: &str, sequence: u64, signal: impl Into<Signal>) -> bool {
        self.now += 1;
        let update = Update::now(&RobotId::new(robot).unwrap(), at(self.now), signal.into());
        self.books.take(&Shared::new(update, sequence))
    }

    fn events(&self) -> Vec<String> {
        self.books.events.newest().map(|event| event.kind().to_string()).collect()
    }

    /// `message raised-cleared` of every alert.
    fn alerts(&self) -> Vec<String> {
        let second = |time: Timestamp| time.as_nanos() / 1_000_000_000;
        let told =
            |cleared: Option<Timestamp>| cleared.map_or(String::new(), |time| second(time).to_string());
        let alerts = self.books.alerts.all();
        alerts.map(|it| format!("{} {}-{}", it.fault.message, second(it.raised), told(it.cleared))).collect()
    }
}

fn drive(id: i64, state: NavigationState, remaining_m: f64) -> Navigation {
    Navigation {
        id,
        kind: NavigationKind::Goto,
        state,
        failure: None,
        failure_code: None,
        reason: None,
        target: None,
        place: Some("kitchen".into()),
        remaining_m: Some(remaining_m),
        stuck: false,
        passed_points: None,
        flags: Vec::new(),
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
    Link { state, since: at(since), reconnects: 0, skew_s: None, reason: None }
}

#[test]
fn a_task_is_kept_from_its_beginning_to_its_end() {
    let mut desk = Desk::default();
    desk.hear("a", Task::new("t1", "bring", TaskState::Confirmed));
    let found = Task { action: Some(TaskAction::Found), ..Task::new("t1", "bring", TaskState::Progress) };
    desk.hear("a", found.clone());
    desk.hear("a", found);
    desk.hear("b", Task::new("t1", "clean", TaskState::Confirmed));
    let missing = vec!["object".to_owned()];
    desk.hear("a", Task { missing, ..Task::new("t1", "bring", TaskState::MissingInfo) });
    desk.hear("a", Task::new("t1", "bring", TaskState::Succeeded));
    desk.hear("a", Task::new("t1", "bring", TaskState::Confirmed));
    let tasks: Vec<_> = desk.books.tasks.newest().collect();
    assert_eq!(tasks.len(), 3, "the same name after the end is a new task: {tasks:?}");
    let first = tasks[2];
    let states: Vec<&str> = first.reports.iter().map(|report| report.state).collect();
    assert_eq!(
        states,
        ["confirmed", "progress", "missing_info", "succeeded"],
        "what is said twice is kept once"
    );
    assert_eq!(first.reports[2].reason.as_deref(), Some("missing: object"));
    assert_eq!((first.begun, first.ended, tasks[0].ended), (at(1), Some(at(6)), None));
}

#[test]
fn a_drive_is_a_task_and_its_progress_is_no_news() {
    let mut desk = Desk::default();
    desk.hear("a", Navigation { state: NavigationState::Idle, ..drive(0, NavigationState::Idle, 0.0) });
    for metre in (1..5).rev() {
        desk.hear("a", drive(1, NavigationState::Moving, f64::from(metre)));
    }
    desk.hear("a", Navigation { stuck: true, ..drive(1, NavigationState::Moving, 1.0) });
    desk.hear("a", drive(1, NavigationState::Succeeded, 0.0));
    desk.hear("a", drive(1, NavigationState::Succeeded, 0.0));
    desk.hear("a", drive(2, NavigationState::Moving, 3.0));
    desk.hear("a", drive(2, NavigationState::Idle, 0.0));
    let tasks: Vec<_> = desk.books.tasks.newest().collect();
    let told: Vec<_> =
        tasks.iter().map(|task| (task.id.as_str(), task.state(), task.reports.len())).collect();
    assert_eq!(told, [("2", "idle", 2), ("1", "succeeded", 3)]);
    assert_eq!(tasks[1].reports[1].action, Some("way_blocked"));
    assert!(tasks.iter().all(|task| task.ended.is_some()));
    assert_eq!(desk.events().len(), 5, "one for each report");
}

#[test]
fn tasks_and_their_reports_are_bounded() {
    let mut desk = Desk::default();
    for i in 0..1_200 {
        let target = Some(format!("place {i}"));
        desk.hear("a", Task { target, ..Task::new("long", "patrol", TaskState::Progress) });
    }
    let task = desk.books.tasks.newest().next().unwrap();
    assert_eq!((task.reports.len(), task.left_out), (200, 1_000));
    assert_eq!(task.reports[0].target.as_deref(), Some("place 0"));
    assert_eq!(task.reports[199].target.as_deref(), Some("place 1199"));
    for i in 0..1_200 {
        desk.hear("a", Task::new(i.to_string(), "bring", TaskState::Confirmed));
    }
    assert_eq!(desk.books.tasks.newest().count(), 1_000);
    assert_eq!(desk.books.tasks.newest().next().unwrap().id, "1199");
}

#[test]
fn a_list_of_alerts_replaces_the_one_before() {
    let mut desk = Desk::default();
    assert!(!desk.hear("a", alerts(&[])));
    assert!(desk.hear("a", alerts(&["hot", "stuck"])));
    assert!(!desk.hear("a", alerts(&["stuck", "hot"])));
    assert!(desk.hear("a", alerts(&["stuck", "low"])));
    assert!(desk.hear("a", hazard("front", true)));
    assert_eq!(desk.alerts(), ["a bumper is pressed: front 5-", "low 4-", "stuck 2-", "hot 2-4"]);
    desk.hear("a", hazard("front", false));
    desk.hear("a", alerts(&[]));
    assert_eq!(desk.alerts(), ["low 4-7", "stuck 2-7", "a bumper is pressed: front 5-6", "hot 2-4"]);
    assert_eq!(desk.events(), ["alerts", "hazard", "hazard", "alerts", "alerts"], "only changes");
}

#[test]
fn a_link_that_is_down_is_an_alert_until_it_is_up() {
    let mut desk = Desk::default();
    desk.hear_as("a", 1, link(LinkState::Connecting, 1));
    desk.hear("a", link(LinkState::Up, 2));
    desk.hear("a", link(LinkState::Up, 2));
    desk.hear("a", link(LinkState::Down, 3));
    let why = Some("no route".to_owned());
    desk.hear("a", link(LinkState::Connecting, 3));
    desk.hear("a", Link { reason: why, ..link(LinkState::Down, 3) });
    assert_eq!(desk.alerts(), ["no route 3-"]);
    desk.hear("a", link(LinkState::Up, 7));
    assert_eq!(desk.alerts(), ["no route 3-7"]);
    assert_eq!(desk.events().len(), 6, "a link that stays as it is is no news");
}

#[test]
fn a_pressed_emergency_stop_is_an_alert() {
    let mut desk = Desk::default();
    let control = |emergency_stop| Control {
        mode: ControlMode::Auto,
        emergency_stop,
        wheels_released: None,
        power: None,
    };
    for pressed in [false, true, true, false] {
        desk.hear("a", control(pressed));
    }
    assert_eq!(desk.alerts(), ["the emergency stop is pressed 2-4"]);
    assert!(desk.events().is_empty(), "a state is no event");
}

#[test]
fn a_low_battery_is_an_alert_until_it_is_charged() {
    let mut desk = Desk::default();
    let battery = |charge, state| Battery { charge_ratio: Some(charge), state, ..Battery::UNKNOWN };
    let mut hear = |robot: &str, charge, state| desk.hear(robot, battery(charge, state));
    let told: Vec<bool> = [0.11, 0.09, 0.08, 0.11, 0.13, 0.11, 0.05]
        .map(|charge| hear("a", charge, PowerState::Discharging))
        .into();
    assert_eq!(told, [false, true, false, false, true, false, true]);
    assert!(hear("a", 0.05, PowerState::Charging) && !hear("a", 0.05, PowerState::Full));
    assert!(hear("b", 0.05, PowerState::Unknown));
    assert!(desk.hear("b", alerts(&[])), "it tells alerts itself, so the journal's own is over");
    assert!(!desk.hear("b", battery(0.05, PowerState::Unknown)));
}

#[test]
fn a_robot_that_goes_takes_its_alerts_with_it() {
    let mut desk = Desk::default();
    desk.hear("a", alerts(&["hot"]));
    desk.hear("b", alerts(&["cold"]));
    desk.books.keep_only(|robot| robot.as_str() == "b", at(9));
    assert_eq!(desk.alerts(), ["cold 2-", "hot 1-9"]);
    assert!(desk.hear_as("b", 1, link(LinkState::Connecting, 3)), "another robot of that name");
    assert_eq!(desk.alerts(), ["cold 2-3", "hot 1-9"]);
}

#[test]
fn cleared_alerts_and_events_are_bounded() {
    let mut desk = Desk::default();
    for _ in 0..1_100 {
        desk.hear("a", hazard("front", true));
        desk.hear("a", hazard("front", false));
    }
    assert_eq!((desk.alerts().len(), desk.events().len()), (1_000, 2_000));
    let robot = RobotId::new("a").unwrap();
    let big = "x".repeat(1 << 20);
    let text = Text { channel: TextChannel::Log, text: big.as_str().into(), data: None, truncated: None };
    let native = Native { dialect: "misty", topic: "log".into(), payload: big.into() };
    let update = Update { native: Some(native), ..Update::now(&robot, at(0), text.into()) };
    (0..10).for_each(|i| {
        desk.books.take(&Shared::new(update.clone(), i));
    });
    assert_eq!(desk.events().len(), 4, "long texts leave room for fewer");
    assert!(desk.books.events.newest().all(|event| event.native.is_none()));
}

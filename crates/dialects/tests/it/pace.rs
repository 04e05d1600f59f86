//! Stops have a rate of their own: in the words of each dialect that is served over HTTP, and of commands on their way.

use std::time::Duration;

use latimer_core::access::Role;
use latimer_core::model::Outcome;
use latimer_core::{Clock, Command, RobotId};
use latimer_dialects::limits::MAX_PENDING_STOPS;
use latimer_dialects::listen::Ports;
use latimer_dialects::pace::Allowance;
use latimer_testing::PATIENCE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::axbot::chassis::Chassis;
use crate::gate::Users;
use crate::misty::client::Misty;

/// Requests of one address that are answered at once at a rate of one a second.
const BURST: usize = 20;

const STOP: Command = Command::Stop { hold: false };
const LAMP: Command = Command::Lamp { part: None, rgb: [1, 2, 3] };

/// What stops a Misty.
fn stops_of_misty() -> Vec<(Method, &'static str, Value)> {
    vec![
        (Method::POST, "/api/drive/stop", json!({})),
        (Method::POST, "/api/halt", json!({"MotorMask": 7})),
        (Method::POST, "/api/beta/HALT", json!(null)),
    ]
}

/// What stops a chassis.
fn stops_of_chassis() -> Vec<(Method, &'static str, Value)> {
    vec![
        (Method::POST, "/services/wheel_control/set_emergency_stop", json!({"enable": true})),
        (Method::POST, "/services/wheel_control/set_emergency_stop_pressed", json!({"enable": true})),
        (Method::PATCH, "/chassis/status", json!({"emergency_stop_pressed": true})),
    ]
}

/// Waits until so many requests wait for their rate.
async fn until_slowed(ports: &Ports, count: u64) {
    let slowed = async {
        while ports.slowed() < count {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, slowed).await.expect("it waits");
}

async fn send(method: Method, url: String, user: Option<&str>, body: Value) -> StatusCode {
    let request = reqwest::Client::new().request(method, url).json(&body);
    let request = user.into_iter().fold(request, |request, user| request.bearer_auth(user));
    request.send().await.expect("it answers").status()
}

/// At a paused clock no request that waits for its rate is ever answered: what stops the robot is, after all that.
macro_rules! stops_get_through {
    ($robot:ident, $ports:ident, $harmless:expr, $stops:expr) => {
        for (method, path, body) in $stops {
            let $ports = Ports::new(Default::default(), Clock::system(), 1);
            let mut robot = $robot::behind($ports.clone()).await;
            let url = |path: &str| format!("http://{}{path}", robot.address);
            for _ in 0..BURST {
                assert_eq!(send(Method::GET, url($harmless), None, json!(null)).await, StatusCode::OK);
            }
            let waits = tokio::spawn(send(Method::GET, url($harmless), None, json!(null)));
            until_slowed(&$ports, 1).await;
            let stop = tokio::spawn(send(method.clone(), url(path), None, body.clone()));
            let request = robot.source.next_command().await;
            assert!(request.command.is_stop(), "{path}: {:?}", request.command);
            request.answer(Outcome::Done);
            assert!(stop.await.unwrap().is_success(), "{path}");
            assert!(!waits.is_finished(), "{path}: the others wait");
            // Those that stop it have a bound, too.
            let flood = (0..BURST).map(|_| tokio::spawn(send(method.clone(), url(path), None, body.clone())));
            let flood: Vec<_> = flood.collect();
            for _ in 1..BURST {
                robot.source.next_command().await.answer(Outcome::Done);
            }
            until_slowed(&$ports, 2).await;
            flood.into_iter().for_each(|it| it.abort());
        }
    };
}

#[tokio::test(start_paused = true)]
async fn a_misty_is_stopped_by_a_client_that_has_asked_for_too_much() {
    stops_get_through!(Misty, ports, "/api/help", stops_of_misty());
}

#[tokio::test(start_paused = true)]
async fn a_chassis_is_stopped_by_a_client_that_has_asked_for_too_much() {
    stops_get_through!(Chassis, ports, "/device/info", stops_of_chassis());
}

#[tokio::test(start_paused = true)]
async fn a_release_waits_with_the_others() {
    let ports = Ports::new(Default::default(), Clock::system(), 1);
    let chassis = Chassis::behind(ports.clone()).await;
    let url = |path: &str| format!("http://{}{path}", chassis.address);
    for _ in 0..BURST {
        send(Method::GET, url("/device/info"), None, json!(null)).await;
    }
    let others = [
        (Method::POST, "/services/wheel_control/set_emergency_stop", json!({"enable": false})),
        (Method::POST, "/services/wheel_control/set_emergency_stop", json!({"enabled": true})),
        (Method::PATCH, "/chassis/moves/current", json!({"state": "moving"})),
    ];
    for (count, (method, path, body)) in (1..).zip(others) {
        let release = tokio::spawn(send(method, url(path), None, body));
        until_slowed(&ports, count).await;
        assert!(!release.is_finished());
        release.abort();
    }
    // A drive that is called off does not wait; there is none.
    let cancel =
        send(Method::PATCH, url("/chassis/moves/current"), None, json!({"state": "cancelled"})).await;
    assert!(cancel.is_client_error(), "{cancel}");
}

#[tokio::test]
async fn a_long_body_is_read_as_if_nobody_had_looked_into_it() {
    let mut chassis = Chassis::behind(Ports::default()).await;
    let url = format!("http://{}/services/wheel_control/set_emergency_stop", chassis.address);
    for filler in [0, 4_000, 40_000] {
        let body = json!({"enable": true, "note": "x".repeat(filler)});
        let sent = tokio::spawn(send(Method::POST, url.clone(), None, body));
        let request = tokio::time::timeout(PATIENCE, chassis.source.next_command()).await.unwrap();
        assert!(request.command.is_stop(), "{filler}: {:?}", request.command);
        request.answer(Outcome::Done);
        assert!(sent.await.unwrap().is_success(), "{filler}");
    }
}

#[tokio::test]
async fn who_has_to_wait_after_wrong_passwords_stops_a_robot() {
    let ports = Users::new(&[("late", &[(Role::Drive, "*")])]).ports();
    let mut misty = Misty::behind(ports.clone()).await;
    let mut chassis = Chassis::behind(ports).await;
    let of_misty = stops_of_misty().into_iter().map(|it| (true, it));
    for (is_misty, (method, path, body)) in
        of_misty.chain(stops_of_chassis().into_iter().map(|it| (false, it)))
    {
        let (source, address) = match is_misty {
            true => (&mut misty.source, &misty.address),
            false => (&mut chassis.source, &chassis.address),
        };
        let other = format!("http://{address}/api/led");
        assert_eq!(
            send(Method::POST, other, Some("late"), json!({})).await,
            StatusCode::TOO_MANY_REQUESTS,
            "{path}"
        );
        let stop = tokio::spawn(send(method, format!("http://{address}{path}"), Some("late"), body));
        let request = tokio::time::timeout(PATIENCE, source.next_command()).await.unwrap();
        assert!(request.command.is_stop(), "{path}: {:?}", request.command);
        request.answer(Outcome::Done);
        assert!(stop.await.unwrap().is_success(), "{path}");
    }
}

fn robot(name: &str) -> RobotId {
    name.parse().unwrap()
}

#[test]
fn commands_on_their_way_leave_room_for_stops() {
    let allowance = Allowance::new(3, 2);
    let (one, two, three) = (robot("one"), robot("two"), robot("three"));
    let of_one: Vec<_> = (0..2).filter_map(|_| allowance.take(&one, &LAMP)).collect();
    assert_eq!(of_one.len(), 2);
    assert!(allowance.take(&one, &LAMP).is_none(), "two for each");
    let of_two = allowance.take(&two, &LAMP).unwrap();
    assert!(allowance.take(&three, &LAMP).is_none(), "three for all");
    for command in [STOP, Command::Halt { motor_mask: None }, Command::EmergencyStop(true)] {
        assert!(allowance.take(&one, &command).is_some(), "{command:?}");
    }
    assert!(allowance.take(&one, &Command::EmergencyStop(false)).is_none(), "a release is no stop");
    drop(of_two);
    assert!(allowance.take(&three, &LAMP).is_some() && allowance.take(&one, &LAMP).is_none());
}

#[test]
fn a_flood_of_stops_is_bounded_and_nothing_gets_in_behind_it() {
    let allowance = Allowance::new(64, 64);
    let (one, two) = (robot("one"), robot("two"));
    let drive =
        Command::Drive { linear_mps: 0.5, angular_radps: 0.0, duration: Some(Duration::from_secs(1)) };
    let before = allowance.take(&one, &drive).unwrap();
    let mut stops: Vec<_> = std::iter::from_fn(|| allowance.take(&one, &STOP)).take(1_000).collect();
    assert_eq!(stops.len(), MAX_PENDING_STOPS);
    assert!(allowance.take(&one, &drive).is_none(), "a stop that is refused has nothing to end");
    assert!(allowance.take(&two, &STOP).is_some() && allowance.take(&two, &drive).is_some());
    stops.pop();
    let drive = allowance.take(&one, &drive).unwrap();
    assert!(allowance.take(&one, &STOP).is_some(), "there is room behind a drive");
    drop((before, drive, stops));
}

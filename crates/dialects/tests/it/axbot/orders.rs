//! What clients ask of the robot.

use std::time::Duration;

use latimer_core::model::FollowState;
use latimer_core::model::signal::{Device, LinkState, Pins};
use latimer_core::{Command, Outcome};
use latimer_dialects::axbot::calls::{self, Follow};
use serde_json::{Value, json};

use super::chassis::{Chassis, Client, PATIENCE};
use crate::own;

const FEEDBACK: &str = r#"{"topic":"/twist_feedback"}"#;

fn twist(angular: f64) -> Value {
    json!({"topic": "/twist", "linear_velocity": 0, "angular_velocity": angular})
}

fn drive(angular_radps: f64) -> Command {
    Command::Drive { linear_mps: 0.0, angular_radps, duration: Some(Duration::from_millis(220)) }
}

#[tokio::test(start_paused = true)]
async fn each_twist_is_answered_after_the_robot_did() {
    let mut chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.send(twist(-0.65)).await;
    assert!(client.all_within(Duration::from_millis(200)).await.is_empty(), "the robot has not answered yet");
    assert_eq!(chassis.answer(Outcome::Accepted).await, drive(-0.65));
    assert_eq!(client.text().await, FEEDBACK);
}

#[tokio::test]
async fn what_waits_is_refused_when_somebody_stops_the_robot() {
    let mut chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.send(twist(0.1)).await;
    let on_its_way = tokio::time::timeout(PATIENCE, chassis.source.next_command()).await.unwrap();
    client.send(twist(0.2)).await;
    client.send(json!({"topic": "/follow_target_state", "follow_state": "pause"})).await;
    // Both wait at the client's own queue when this is answered.
    client.send(json!({"enable_topic": ["/alerts"]})).await;
    client.text().await;
    let stop = chassis.hub.command(chassis.source.robot(), Command::Stop { hold: false }, PATIENCE);
    let stopped = tokio::time::timeout(PATIENCE, chassis.source.next_command()).await.unwrap();
    assert!(stopped.command.is_stop());
    stopped.answer(Outcome::Done);
    assert_eq!(stop.await, Outcome::Done);
    on_its_way.answer(Outcome::Accepted);
    assert_eq!(client.text().await, FEEDBACK);
    let refused = client.text().await;
    assert!(refused.contains("a stop came after it"), "{refused}");
    // What ends something is done all the same.
    assert_eq!(chassis.answer(Outcome::Accepted).await, own(Follow::of(FollowState::Pause)));
}

#[tokio::test]
async fn a_client_that_asked_for_too_much_has_the_robot_stand() {
    let mut chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    for _ in 0..40 {
        client.send(json!({"topic": "/follow_target_state", "follow_state": "pause"})).await;
    }
    let full = client.text().await;
    assert!(full.contains("too many messages wait"), "{full}");
    client.send(twist(0.0)).await;
    // This is answered after the speed was taken.
    client.send(json!({"enable_topic": ["/alerts"]})).await;
    let answer = client.text().await;
    assert!(answer.contains("enabled_topics"), "{answer}");
    loop {
        match chassis.answer(Outcome::Accepted).await {
            pause if pause == own(Follow::of(FollowState::Pause)) => {}
            other => break assert_eq!(other, drive(0.0)),
        }
    }
    assert_eq!(client.text().await, FEEDBACK);
}

#[tokio::test]
async fn a_twist_that_cannot_be_read_is_answered_too() {
    let mut chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    for (wrong, why) in [
        (json!({"topic": "/twist", "linear_velocity": 50, "angular_velocity": 0}), "from -10 to 10"),
        (json!({"topic": "/twist", "angular_velocity": 0}), "lacks"),
        (json!({"topic": "/twist", "linear_x": 1}), "it is called \"linear_velocity\""),
    ] {
        client.send(wrong).await;
        let error = client.json().await["error"].to_string();
        assert!(error.replace('\\', "").contains(why), "{error}");
        assert_eq!(client.text().await, FEEDBACK, "who waits for it goes on");
    }
    client.send(twist(0.1)).await;
    assert_eq!(chassis.answer(Outcome::Accepted).await, drive(0.1));
    assert_eq!(client.text().await, FEEDBACK);
}

#[tokio::test]
async fn a_refusal_is_passed_on_but_not_in_a_flood() {
    let mut chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    let mut errors = 0;
    for _ in 0..10 {
        client.send(twist(0.1)).await;
        chassis.answer(Outcome::not_now("the control mode is auto; set it to remote")).await;
        // Who waits for the feedback knows by then why it was refused.
        loop {
            let frame = client.text().await;
            if frame == FEEDBACK {
                break;
            }
            assert!(frame.contains("/twist: the control mode is auto"), "{frame}");
            errors += 1;
        }
    }
    assert!((1..=3).contains(&errors), "about one a second: {errors}");
    chassis.source.link(LinkState::Down, Some("off".into()));
    client.send(twist(0.1)).await;
    assert!(client.json().await["error"].as_str().unwrap().contains("not heard"));
    assert_eq!(client.text().await, FEEDBACK);
}

#[tokio::test(start_paused = true)]
async fn of_a_flood_of_twists_only_the_newest_waits_and_deliveries_go_on() {
    let mut chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/battery_state"]).await;
    client.send(twist(1.0)).await;
    // It is on its way to the robot by then, and does not wait any more.
    assert!(client.so_far().await.is_empty());
    for i in 2..=20 {
        client.send(twist(f64::from(i))).await;
    }
    let answered = collect(&mut client, 18).await;
    assert!(answered.iter().all(|frame| *frame == json!({"topic": "/twist_feedback"})), "{answered:?}");
    chassis.say_battery(0.3);
    assert_eq!(client.json().await["percentage"], 0.3, "though the robot has not answered");
    assert_eq!(chassis.answer(Outcome::Accepted).await, drive(1.0));
    assert_eq!(chassis.answer(Outcome::Accepted).await, drive(20.0));
    assert_eq!(collect(&mut client, 2).await.len(), 2);
    assert!(client.all_within(Duration::from_millis(100)).await.is_empty(), "twenty in all");
}

async fn collect(client: &mut Client, count: usize) -> Vec<Value> {
    let mut frames = Vec::new();
    for _ in 0..count {
        frames.push(client.json().await);
    }
    frames
}

#[tokio::test]
async fn orders_stay_in_order() {
    let mut chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    let pause = json!({"topic": "/follow_target_state", "follow_state": "pause"});
    for order in [twist(0.1), pause, twist(0.2), twist(0.3)] {
        client.send(order).await;
    }
    assert_eq!(chassis.answer(Outcome::Done).await, drive(0.1));
    // Those behind it have come by now; the one that was overtaken may be answered already.
    let mut feedback = client.so_far().await;
    assert_eq!(chassis.answer(Outcome::Done).await, own(Follow::of(FollowState::Pause)));
    assert_eq!(chassis.answer(Outcome::Done).await, drive(0.3));
    feedback.extend(collect(&mut client, 3 - feedback.len()).await);
    assert_eq!(feedback, vec![json!({"topic": "/twist_feedback"}); 3]);
}

#[tokio::test(start_paused = true)]
async fn pins_are_switched_by_their_numbers() {
    let mut chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    let modify = |pins: &[u32]| json!({"topic": "/modify_output_pins", "enable": pins, "disable": [2]});
    client.send(modify(&[0])).await;
    assert!(client.json().await["error"].as_str().unwrap().contains("tells of no outputs"));
    let pins = Pins { inputs: vec![], outputs: vec![vec![false; 8]; 2] };
    chassis.publish(None, pins, "/io_pins_state", "{}");
    client.send(modify(&[0, 9])).await;
    let expected = own(calls::Pins { enable: Some(vec![0, 9]), disable: Some(vec![2]) });
    assert_eq!(chassis.answer(Outcome::Done).await, expected);
    client.send(modify(&[16])).await;
    assert!(client.json().await["error"].as_str().unwrap().contains("no output 16"));
    let row = [0, 0, 1, 1, 1, 1, 0, 0, 0];
    client.send(json!({"topic": "/set_output_pins", "outputs": [row]})).await;
    let expected = own(calls::Pins { enable: Some(vec![2, 3, 4, 5]), disable: Some(vec![0, 1, 6, 7]) });
    assert_eq!(chassis.answer(Outcome::Done).await, expected);
    assert!(client.all_within(Duration::from_millis(100)).await.is_empty());
}

#[tokio::test]
async fn who_asks_what_the_robot_is_gets_an_answer() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.send(r#"{ "topic": "/get_device_info_brief" }"#).await;
    assert!(client.json().await["error"].as_str().unwrap().contains("has not reported what it is"));
    let device = Device { model: Some("waiter".into()), simulated: true, ..Device::UNKNOWN };
    let text = r#"{"topic":"/device_info_brief","rosversion":"1.15.11"}"#;
    chassis.publish(None, device, "/device_info_brief", text);
    client.send(r#"{ "topic": "/get_device_info_brief" }"#).await;
    assert_eq!(client.text().await, text);
}

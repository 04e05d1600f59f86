//! Robots of other families as household robots: their drives are tasks, and no task goes unanswered.

use latimer_core::model::signal::{
    Frame, Motion, MotionState, Navigation, NavigationFailure, NavigationKind, NavigationState, Pose,
};
use latimer_core::model::{Command, Destination, Outcome};
use latimer_core::{Clock, Hub};
use serde_json::json;

use super::flat::{Broker, Gateway, Peer, asked, play, publish, task};

const TABLE: &str = "serve_all = true\n";

fn navigation(id: i64, state: NavigationState) -> Navigation {
    Navigation {
        target: Some(Pose::planar(Frame::Map, 1.5, 2.0, 0.0)),
        ..Navigation::new(id, NavigationKind::Goto, state)
    }
}

#[tokio::test]
async fn a_chassis_is_sent_and_its_own_drives_are_tasks_too() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let mut chassis = play(&hub, "axbot-1", "axbot");
    publish(&chassis, None, navigation(0, NavigationState::Idle));
    let gateway = Gateway::serving(hub, TABLE, &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    dialogue.order("axbot-1", "T", "goto", json!({"to": "1.5, 2"})).await;
    task(&mut chassis, Outcome::unsupported("an AutoXing chassis cannot task")).await;
    let request = asked(&mut chassis).await;
    let Command::Navigate(goal) = request.command.clone() else { panic!("{:?}", request.command) };
    assert_eq!(goal.destination, Destination::Point { x_m: 1.5, y_m: 2.0, yaw_rad: None });
    request.answer(Outcome::Accepted);
    assert_eq!(dialogue.receive().await, "T confirm");
    let id = goal.id.unwrap();
    publish(&chassis, None, navigation(id, NavigationState::Moving));
    assert_eq!(dialogue.receive().await, "T progress goto 1.5, 2");
    publish(&chassis, None, Navigation { stuck: true, ..navigation(id, NavigationState::Moving) });
    assert_eq!(dialogue.receive().await, "T progress way_blocked 1.5, 2");
    publish(&chassis, None, navigation(id, NavigationState::Moving));
    assert_eq!(dialogue.receive().await, "T progress goto 1.5, 2");
    publish(&chassis, None, navigation(id, NavigationState::Succeeded));
    assert_eq!(dialogue.receive().await, r#"T success {"success":true}"#);
    // Somebody else sends it somewhere.
    let own = || Navigation { place: Some("Bay".into()), ..navigation(7, NavigationState::Moving) };
    publish(&chassis, None, own());
    assert_eq!(dialogue.receive().await, "axbot-1-drive7 progress goto Bay");
    let failure = Some(NavigationFailure::WayBlocked);
    publish(&chassis, None, Navigation { failure, state: NavigationState::Failed, ..own() });
    assert_eq!(dialogue.receive().await, "axbot-1-drive7 progress way_blocked Bay");
    assert_eq!(dialogue.receive().await, r#"axbot-1-drive7 success {"success":false}"#);
    gateway.stop().await;
}

#[tokio::test]
async fn a_robot_that_cannot_grasp_says_so() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let mut misty = play(&hub, "misty-1", "misty");
    let gateway = Gateway::serving(hub, TABLE, &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    for (id, kind, parameter, sent) in [
        ("A", "bring", json!({"object": "coke", "to": "user"}), "A unkown"),
        ("B", "bring", json!({"to": "user"}), r#"B missing_info {"missing_parameters":["object"]}"#),
        ("C", "clean", json!({}), "C unkown"),
        ("D", "goto", json!({"to": "Sofa"}), "D unkown"),
        ("E", "lfd", json!({"operation": "start"}), "E unkown"),
    ] {
        dialogue.order("misty-1", id, kind, parameter).await;
        task(&mut misty, Outcome::unsupported("a Misty cannot task")).await;
        assert_eq!(dialogue.receive().await, format!("{id} confirm"), "it arrived");
        assert_eq!(dialogue.receive().await, sent);
    }
    misty.link(latimer_core::model::signal::LinkState::Down, Some("it is switched off".into()));
    dialogue.order("misty-1", "F", "bring", json!({"object": "coke"})).await;
    task(&mut misty, Outcome::unreachable("misty-1 is not connected")).await;
    assert_eq!(dialogue.receive().await, "F confirm");
    assert_eq!(dialogue.receive().await, r#"F success {"success":false}"#);
    gateway.stop().await;
}

#[tokio::test]
async fn a_drive_without_a_goal_has_no_target() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let mut misty = play(&hub, "misty-1", "misty");
    let gateway = Gateway::serving(hub, TABLE, &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    dialogue.order("misty-1", "T", "clean", json!({})).await;
    task(&mut misty, Outcome::unsupported("a Misty cannot task")).await;
    assert_eq!(dialogue.receive().await, "T confirm");
    assert_eq!(dialogue.receive().await, "T unkown", "it is followed by now");
    let motion = |state| Motion { state, motor_mask: None, reason: None };
    publish(&misty, None, motion(MotionState::Moving));
    let goto = dialogue.receive().await;
    assert!(goto.starts_with("misty-1-motion") && goto.ends_with(" progress goto null"), "{goto}");
    publish(&misty, None, motion(MotionState::Succeeded));
    assert!(dialogue.receive().await.ends_with(r#" success {"success":true}"#));
    gateway.stop().await;
}

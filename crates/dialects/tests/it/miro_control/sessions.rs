//! Nodes of clients in the list of sessions.

use std::time::Duration;

use latimer_core::model::Outcome;
use latimer_core::sessions::SessionInfo;
use latimer_core::{Clock, Hub};
use latimer_dialects::miro::Layouts;
use latimer_dialects::miro::topic::Topic;
use latimer_ros1::msgs::geometry_msgs::{Twist, Vector3};

use super::publisher::Stage;
use crate::miro::rig::{Looker, until};

fn nodes(hub: &Hub) -> Vec<SessionInfo> {
    hub.sessions().list().into_iter().filter(|it| it.protocol == "miro").collect()
}

#[tokio::test]
async fn a_node_is_one_session_and_one_that_was_ended_drives_again_once_it_has_registered_anew() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let odom = stage.node.follow(&Topic::Odom.of("rob01"));
    let lights = stage.publisher(Topic::ControlLights).await;
    let cmd_vel = stage.publisher(Topic::CmdVel).await;
    let (drives, lit, publishers) = (cmd_vel.subscribers(), lights.subscribers(), odom.publishers());
    until("odometry is served", || *publishers.borrow() == 1).await;
    // It has three connections; those of the gateway's own nodes are not listed.
    let listed = nodes(&hub);
    let [session] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((session.client.as_deref(), session.user.as_deref()), (Some("/publisher"), None));

    hub.sessions().end(session.id).unwrap();
    until("it is not followed", || *drives.borrow() == 0 && *lit.borrow() == 0).await;
    // As any client it may come again by itself; what it publishes is not fetched by the gateway, though its master names it.
    until("it comes again", || nodes(&hub).iter().any(|it| it.id != session.id)).await;
    // Silence: the gateway tries again each second at a publisher that left.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!((*drives.borrow(), *lit.borrow()), (0, 0));

    let Stage { gateway, robot, node } = stage;
    node.stop().await;
    let node = Looker::at(gateway.master(), "/publisher").await;
    stage = Stage { gateway, robot, node };
    let cmd_vel = Stage::followed(&stage.node, Layouts::Maker, Topic::CmdVel).await;
    let linear = Vector3 { x: 0.2, ..Vector3::default() };
    cmd_vel.publish(&Twist { linear, ..Twist::default() }).unwrap();
    stage.receives("drive", Outcome::Accepted).await;
    stage.stop().await;
    until("none is left", || nodes(&hub).is_empty()).await;
}

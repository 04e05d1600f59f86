//! A node of ROS.

use latimer_dialects::miro::Layouts;
use latimer_dialects::miro::messages::signals::UPDATE_SIGNALS;
use latimer_dialects::miro::messages::{
    BridgeStream, CoreConfig, CoreControl, PlatformConfig, PlatformControl,
};
use latimer_dialects::miro::topic::Topic;
use latimer_dialects::miro::types::Types;
use latimer_ros1::msgs::geometry_msgs::{Twist, Vector3};
use serde::Serialize;

use crate::conformance::house::House;
use crate::miro::rig::{Looker, until};

pub(super) async fn miro(here: &House) -> Looker {
    let node = Looker::at(&here.urls[0], "/client").await;
    let body_vel = Twist { linear: Vector3 { x: 100.0, ..Vector3::default() }, ..Twist::default() };
    let control = PlatformControl {
        body_vel,
        body_config: [0.0, 0.5, 0.0, 0.0],
        body_config_speed: [0.0, -1.0, 0.0, 0.0],
        lights_raw: [7; 18],
        sound_index_P2: 23,
        ..PlatformControl::default()
    };
    publish(&node, Topic::Control, &control).await;
    publish(&node, Topic::CmdVel, &Twist::default()).await;
    publish(&node, Topic::BridgeStream, &BridgeStream { sound_index_P3: -1, ..BridgeStream::default() })
        .await;
    let config = PlatformConfig { frame_size: 128, frame_rate: 12.5, ..PlatformConfig::default() };
    publish(&node, Topic::Config, &config).await;
    publish(&node, Topic::CoreControl, &CoreControl { drive_vocal: 0.5, ..CoreControl::default() }).await;
    let signals = CoreConfig { msg_flags: UPDATE_SIGNALS, P2U_W_action_signals: 1, ..CoreConfig::default() };
    publish(&node, Topic::CoreConfig, &signals).await;
    node
}

async fn publish(node: &Looker, topic: Topic, message: &impl Serialize) {
    let layout = Types::load(Layouts::Maker, None).unwrap().of(topic);
    let publisher = node.node.advertise(&topic.of("robot_1"), layout, 64, false).unwrap();
    let followed = publisher.subscribers();
    until("the gateway follows", || *followed.borrow() > 0).await;
    publisher.publish(message).unwrap();
}

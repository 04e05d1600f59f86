//! Every message of every dialect that `GET /api/v1/matrix` lists, of a robot of every family: a real client of the dialect receives it
//! while robots are bumped, touched, seen, driven and sent about, and what is absent never comes.

use std::time::Duration;

use latimer_e2e::mosquitto::port_of;
use latimer_e2e::{Gateway, Ros, program};

use crate::python;

/// The master's and the broker's ports above the common one.
const MASTER: u16 = 30;
const MQTT: u16 = 20;

/// How long one program may take for all robots.
const PROGRAM: Duration = Duration::from_secs(110);

async fn scene() -> (Gateway, String, String) {
    let gateway = Gateway::with_config("events.toml").await;
    let (common, latimer) = (gateway.http(), program::latimer().display().to_string());
    (gateway, common, latimer)
}

#[tokio::test]
async fn the_misty_sdk_receives_every_event() {
    let (_gateway, common, latimer) = scene().await;
    python::run_for(PROGRAM, "sdk", "messages_misty.py", &[&common, &latimer]).await;
}

#[tokio::test]
async fn a_client_of_a_chassis_receives_every_topic() {
    let (_gateway, common, latimer) = scene().await;
    python::run_for(PROGRAM, "axbot", "messages_axbot.py", &[&common, &latimer]).await;
}

#[tokio::test]
async fn roslibpy_receives_every_topic_of_the_bridge() {
    let (_gateway, common, latimer) = scene().await;
    python::run_for(PROGRAM, "rosbridge", "messages_rosbridge.py", &[&common, &latimer]).await;
}

#[tokio::test]
async fn rospy_receives_every_topic() {
    let (gateway, common, latimer) = scene().await;
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    ros.run_script(PROGRAM, "messages_miro.py", &[&common, &latimer]).await;
}

#[tokio::test]
async fn a_server_of_the_swarm_receives_every_topic() {
    let (gateway, common, latimer) = scene().await;
    let broker = port_of(&gateway.port(MQTT)).to_string();
    python::run_for(PROGRAM, "mqtt", "messages_swarm.py", &[&common, &latimer, &broker]).await;
}

#[tokio::test]
async fn a_dialogue_system_receives_every_topic() {
    let (gateway, common, latimer) = scene().await;
    let broker = port_of(&gateway.port(MQTT)).to_string();
    python::run_for(PROGRAM, "mqtt", "messages_household.py", &[&common, &latimer, &broker]).await;
}

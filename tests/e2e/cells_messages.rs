//! Every message of every dialect that `GET /api/v1/matrix` lists, of a robot of every family: a real client of the dialect receives it
//! while robots are bumped, touched, seen, driven and sent about, and what is absent never comes.

use latimer_e2e::PROGRAM;
use latimer_e2e::mosquitto::port_of;
use latimer_e2e::{Gateway, Ros, program};

use crate::python;

/// The master's and the broker's ports above the common one.
const MASTER: u16 = 30;
const MQTT: u16 = 20;

/// Runs a program of a dialect with the Python that has its client; `more` comes after the gateway's port and this program.
pub(crate) async fn runs(python: &str, script: &str, more: fn(&Gateway) -> Option<String>) {
    runs_at(&Gateway::with_config("events.toml").await, python, script, more).await;
}

/// The same at a gateway that runs.
async fn runs_at(gateway: &Gateway, python: &str, script: &str, more: fn(&Gateway) -> Option<String>) {
    let mut arguments = vec![gateway.http(), program::latimer().display().to_string()];
    arguments.extend(more(gateway));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    python::run(python, script, &arguments).await;
}

pub(crate) fn broker(gateway: &Gateway) -> Option<String> {
    Some(port_of(&gateway.port(MQTT)).to_string())
}

/// Runs a program with rospy, at the gateway's own master.
pub(crate) async fn runs_with_ros(script: &str) {
    let gateway = Gateway::with_config("events.toml").await;
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    let (common, latimer) = (gateway.http(), program::latimer().display().to_string());
    ros.run_script(PROGRAM, script, &[&common, &latimer]).await;
}

#[tokio::test]
async fn the_misty_sdk_receives_every_event() {
    runs("sdk", "messages_misty.py", |_| None).await;
}

#[tokio::test]
async fn a_client_of_a_chassis_receives_every_topic() {
    runs("axbot", "messages_axbot.py", |_| None).await;
}

#[tokio::test]
async fn roslibpy_receives_every_topic_of_the_bridge() {
    runs("rosbridge", "messages_rosbridge.py", |_| None).await;
}

#[tokio::test]
async fn rospy_receives_every_topic() {
    runs_with_ros("messages_miro.py").await;
}

#[tokio::test]
async fn a_server_of_the_swarm_receives_every_topic() {
    // Robots introduce themselves as soon as they know where they are: it sees that from the begin.
    let stands = Gateway::with_options("events.toml", &["--speed", "0"]).await;
    runs_at(&stands, "mqtt", "messages_swarm.py", broker).await;
}

#[tokio::test]
async fn a_dialogue_system_receives_every_topic() {
    runs("mqtt", "messages_household.py", broker).await;
}

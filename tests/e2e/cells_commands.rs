//! Every command of every dialect that `GET /api/v1/matrix` lists, asked of a robot of every family by a real client of the dialect, beside
//! what the robot then does.

use std::time::Duration;

use latimer_e2e::mosquitto::port_of;
use latimer_e2e::{Gateway, Ros, program};

use crate::python;

/// The master's and the broker's ports above the common one.
const MASTER: u16 = 30;
const MQTT: u16 = 20;

/// How long one program may take for all robots.
const PROGRAM: Duration = Duration::from_secs(110);

/// Runs a program of a dialect with the Python that has its client; `more` comes after the gateway's port and this program.
async fn asks(python: &str, script: &str, more: fn(&Gateway) -> Option<String>) {
    let gateway = Gateway::with_config("events.toml").await;
    let mut arguments = vec![gateway.http(), program::latimer().display().to_string()];
    arguments.extend(more(&gateway));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    python::run_for(PROGRAM, python, script, &arguments).await;
}

fn broker(gateway: &Gateway) -> Option<String> {
    Some(port_of(&gateway.port(MQTT)).to_string())
}

#[tokio::test]
async fn robots_of_every_family_obey_the_misty_sdk() {
    asks("sdk", "commands_misty.py", |_| None).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_a_client_of_a_chassis() {
    asks("axbot", "commands_axbot.py", |_| None).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_roslibpy() {
    asks("rosbridge", "commands_rosbridge.py", |_| None).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_a_server_of_the_swarm() {
    asks("mqtt", "commands_swarm.py", broker).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_a_dialogue_system() {
    asks("mqtt", "commands_household.py", broker).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_rospy() {
    let gateway = Gateway::with_config("events.toml").await;
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    let (common, latimer) = (gateway.http(), program::latimer().display().to_string());
    ros.run_script(PROGRAM, "commands_miro.py", &[&common, &latimer]).await;
}

//! Every command of every dialect that `GET /api/v1/matrix` lists, asked of a robot of every family by a real client of the dialect, beside
//! what the robot then does.

use crate::cells_messages::{broker, runs, runs_with_ros};

#[tokio::test]
async fn robots_of_every_family_obey_the_misty_sdk() {
    runs("sdk", "commands_misty.py", |_| None).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_a_client_of_a_chassis() {
    runs("axbot", "commands_axbot.py", |_| None).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_roslibpy() {
    runs("rosbridge", "commands_rosbridge.py", |_| None).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_a_server_of_the_swarm() {
    runs("mqtt", "commands_swarm.py", broker).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_a_dialogue_system() {
    runs("mqtt", "commands_household.py", broker).await;
}

#[tokio::test]
async fn robots_of_every_family_obey_rospy() {
    runs_with_ros("commands_miro.py").await;
}

//! Programs that nobody here wrote send commands to a served robot: Debian's ROS.

use std::path::Path;
use std::process::Stdio;

use latimer_core::model::{Command, Outcome};
use latimer_core::{Clock, Hub};
use tokio::process::Command as Process;

use super::publisher::Stage;

#[tokio::test]
async fn rostopic_drives_it() {
    let is_installed = Path::new("/usr/bin/rostopic").exists();
    assert!(is_installed, "rostopic is missing: run `make ros`, or sudo apt-get install python3-rostopic");
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let home = tempfile::tempdir().unwrap();
    let speed = "{linear: {x: 0.125}, angular: {z: -0.25}}";
    let mut rostopic = Process::new("/usr/bin/python3")
        .args([
            "/usr/bin/rostopic",
            "pub",
            "-r",
            "10",
            "/miro/rob01/control/cmd_vel",
            "geometry_msgs/Twist",
            speed,
        ])
        .env("ROS_MASTER_URI", stage.gateway.master())
        .env("ROS_IP", "127.0.0.1")
        .env("ROS_HOME", home.path())
        .env("ROS_LOG_DIR", home.path())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let drive = stage.receives("drive", Outcome::Accepted).await;
    assert!(matches!(drive, Command::Drive { linear_mps: 0.125, angular_radps: -0.25, .. }), "{drive:?}");
    rostopic.kill().await.unwrap();
    // Nobody says anything any more: it is stopped.
    stage.receives("stop", Outcome::Done).await;
    stage.stop().await;
}

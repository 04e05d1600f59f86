//! A MiRo as clients of other families see it: through the Misty SDK, and through AutoXing's interface.

use latimer_e2e::PATIENCE;
use latimer_e2e::{Gateway, program};

use crate::python;

/// The master's port above the common one.
const MASTER: u16 = 30;

/// Runs a program that is pointed at a robot of a gateway.
async fn shows(gateway: &Gateway, environment: &str, program: &str) {
    let http = gateway.http();
    let (host, port) = http.rsplit_once(':').expect("an address has a port");
    python::run(environment, program, &[host, port, "miro-1"]).await;
}

/// The same at a second gateway, which is connected to the MiRo of the first over ROS: of its battery it knows only the voltage.
async fn shows_over_ros(environment: &str, program: &str) {
    let config = std::fs::read_to_string(program::repository().join("tests/config/miro.toml"));
    let served =
        "[miro.master]\nlisten = '127.0.0.1:11311'\n[[miro.serve]]\nrobot = 'miro-1'\nname = 'rob01'\n";
    let first = Gateway::with_text(&format!("{}\n{served}", config.expect("it is there"))).await;
    let second = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[miro.connect]]\nrobot = 'miro-1'\nname = 'rob01'\naddress = '{}'\n\
         [[robot]]\nrobot = 'miro-1'\nodom = {{ x_m = 1.0, y_m = 1.0 }}\n",
        first.port(MASTER)
    ))
    .await;
    second.until_up("miro-1").await;
    shows(&second, environment, program).await;
}

#[tokio::test]
async fn the_misty_sdk_shows_its_battery_range_place_and_picture() {
    let gateway = Gateway::with_config("miro.toml").await;
    shows(&gateway, "sdk", "miro_misty.py").await;
    gateway.until_sinks_are(0, PATIENCE).await;
}

#[tokio::test]
async fn a_program_for_a_chassis_shows_its_battery_range_place_and_picture() {
    let gateway = Gateway::with_config("miro.toml").await;
    shows(&gateway, "axbot", "miro_axbot.py").await;
}

#[tokio::test]
async fn the_misty_sdk_shows_a_miro_that_is_reached_over_ros() {
    shows_over_ros("sdk", "miro_misty.py").await;
}

#[tokio::test]
async fn a_program_for_a_chassis_shows_a_miro_that_is_reached_over_ros() {
    shows_over_ros("axbot", "miro_axbot.py").await;
}

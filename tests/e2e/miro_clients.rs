//! A MiRo as clients of other families see it: through the Misty SDK, and through AutoXing's interface.

use std::time::Duration;

use latimer_e2e::Gateway;

use crate::python;

/// How long a program may take: it drives, and looks what became of it.
const PATIENCE: Duration = Duration::from_secs(100);

/// Runs a program that is pointed at a robot of a gateway.
async fn shows(gateway: &Gateway, environment: &str, program: &str) {
    let http = gateway.http();
    let (host, port) = http.rsplit_once(':').expect("an address has a port");
    python::run_for(PATIENCE, environment, program, &[host, port, "miro-1"]).await;
}

#[tokio::test]
async fn the_misty_sdk_shows_its_battery_range_place_and_picture() {
    let gateway = Gateway::with_config("miro.toml").await;
    shows(&gateway, "sdk", "miro_misty.py").await;
    gateway.until_sinks_are(0, Duration::from_secs(20)).await;
}

#[tokio::test]
async fn a_program_for_a_chassis_shows_its_battery_range_place_and_picture() {
    let gateway = Gateway::with_config("miro.toml").await;
    shows(&gateway, "axbot", "miro_axbot.py").await;
}

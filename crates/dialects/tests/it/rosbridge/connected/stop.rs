//! A stop of a base that drives by a navigator of its own: its goals are cancelled, and zeros are held until the odometry shows that it stands.

use std::time::Duration;

use latimer_core::{Command, Outcome};
use serde_json::Value;

use super::super::real::{RealBridge, Rosapi, publish};
use super::{Gateway, ODOMETRY, odometry};
use crate::time::Time;

const STAMPED: &str = "geometry_msgs/TwistStamped";
const STEP: Duration = Duration::from_millis(100);

fn is_zero(message: &Value) -> bool {
    message["twist"]["linear"]["x"] == 0.0 && message["twist"]["angular"]["z"] == 0.0
}

#[tokio::test(start_paused = true)]
async fn goals_are_cancelled_as_the_config_says_and_zeros_are_held_until_it_stands() {
    let time = Time::standing();
    let bridge = RealBridge::start(Rosapi::Answers, &[("/odom", ODOMETRY)], &[("/cmd_vel", STAMPED)]).await;
    let keys = "topics = { cancel = 'nav/cancel' }";
    let gateway = Gateway::of(&bridge, keys, "base-1/velocity").await;
    gateway.observer.is_up().await;
    assert_eq!(gateway.command(Command::Stop { hold: false }).await, Outcome::Done);
    assert_eq!(bridge.published("/nav/cancel").await["id"], "");
    assert!(is_zero(&bridge.published("/cmd_vel").await));
    // Its navigator goes on: the cancel is sent again, with zeros in between.
    let (mut x_m, mut cancels, mut zeros) = (0.0, 0, 0);
    while cancels < 2 || zeros < 20 {
        x_m += 0.02;
        bridge.publish("/odom", &odometry(x_m, 0.2)).await;
        time.pass(STEP).await;
        let taken = bridge.taken(&["/nav/cancel", "/cmd_vel"]);
        (cancels, zeros) = (cancels + taken[0], zeros + taken[1]);
    }
    // It gave up: once it stands for a while, it is left alone.
    let mut rounds = 0;
    loop {
        for _ in 0..10 {
            bridge.send("/odom", &publish("/odom", &odometry(x_m, 0.0)));
            time.pass(STEP).await;
        }
        rounds += 1;
        assert!(rounds < 30, "zeros go on");
        if bridge.taken(&["/cmd_vel"]) == [0] {
            return;
        }
    }
}

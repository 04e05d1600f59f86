//! The bridge of a MiRo: a node at a master of its own, which publishes what the platform senses and follows what it shall do.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use latimer_e2e::program;
use latimer_ros1::master::Master;
use latimer_ros1::message::Catalog;
use latimer_ros1::msgs::Time;
use latimer_ros1::msgs::geometry_msgs::Twist;
use latimer_ros1::msgs::nav_msgs::Odometry;
use latimer_ros1::node::{Node, Settings};
use serde::{Deserialize, Serialize};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{Base, Running, now};

/// What ROS calls it.
pub(crate) const NAME: &str = "rob01";
/// Between two messages of what it senses.
const PERIOD: Duration = Duration::from_millis(20);
/// A speed is held for so long at most.
const SPEED_LASTS: Duration = Duration::from_secs(1);

/// What it senses, as far as the gateway needs it; the rest is zero.
#[derive(Serialize)]
struct Sensors {
    time_usec: i32,
    odometry: Odometry,
}

/// What it shall do, as far as its base is meant: mm/s.
#[derive(Deserialize)]
struct Control {
    body_vel: Twist,
}

/// Runs a master and the bridge at it, until it is dropped: the master's address, and both.
pub(crate) async fn start(base: Arc<Base>) -> (String, (Running, DropGuard)) {
    let stop = CancellationToken::new();
    let master = Master::bind((Ipv4Addr::LOCALHOST, 0).into(), "127.0.0.1").await.expect("a free port");
    let uri = master.uri().expect("it is bound");
    tokio::spawn(master.run(stop.clone()));
    let settings = Settings {
        name: "/bridge".to_owned(),
        master: uri.clone(),
        bind: Ipv4Addr::LOCALHOST.into(),
        host: None,
        policy: Default::default(),
        remap: BTreeMap::new(),
        now: Arc::new(Time::default),
    };
    let (node, running) = Node::bind(settings).await.expect("free ports");
    tokio::spawn(running.run(stop.clone()));
    let mut catalog = Catalog::common();
    let messages = program::repository().join("crates/dialects/src/miro/messages");
    catalog.add_folder("miro_msgs", &messages).expect("they are messages of ROS");
    let layout = catalog.layout("miro_msgs/platform_sensors").expect("it is one of them");
    let sensors = node.advertise(&format!("/miro/{NAME}/platform/sensors"), layout, 4, false);
    let sensors = sensors.expect("nobody else has the topic");
    let control = node.subscribe(&format!("/miro/{NAME}/platform/control"), None, 64);
    let mut control = control.expect("its name is one");
    let began = now();
    let bridge = async move {
        let mut ticks = tokio::time::interval(PERIOD);
        loop {
            tokio::select! {
                message = control.next() => {
                    let Some(message) = message else { return };
                    let Ok(Control { body_vel }) = message.decode() else { continue };
                    match body_vel.linear.x / 1e3 {
                        // It has no answer by which it could refuse.
                        0.0 => _ = base.told_to_stop(),
                        speed_mps => base.told_to_move(speed_mps, Some(SPEED_LASTS)),
                    }
                }
                _ = ticks.tick() => {
                    let mut odometry = Odometry::default();
                    // What it does not measure is no number.
                    odometry.twist.twist.linear.x = base.report().map_or(f64::NAN, |speed_mps| speed_mps * 1e3);
                    odometry.twist.twist.angular.z = if odometry.twist.twist.linear.x.is_nan() { f64::NAN } else { 0.0 };
                    // The embedded clock rolls over at 2^29 microseconds.
                    let time_usec = (now().since(began).as_micros() % (1 << 29)) as i32;
                    sensors.publish(&Sensors { time_usec, odometry }).expect("it fits its type");
                }
            }
        }
    };
    (uri, (Running::spawn(bridge), stop.drop_guard()))
}

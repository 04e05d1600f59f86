//! Says hello ten times a second on `chatter`. With a master at its usual place:
//!
//! ```sh
//! cargo run --package latimer-ros1 --example talker
//! rostopic echo /chatter
//! ```

use std::sync::Arc;
use std::time::Duration;

use latimer_ros1::message::Catalog;
use latimer_ros1::msgs::std_msgs;
use latimer_ros1::node::{Node, Startup};
use tokio_util::sync::CancellationToken;

mod clock;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let startup = Startup::read(|name| std::env::var(name).ok(), std::env::args().skip(1))?;
    let (node, running) = Node::bind(startup.settings("talker", Arc::new(clock::now))?).await?;
    let stop = CancellationToken::new();
    let running = tokio::spawn(running.run(stop.clone()));
    let publisher = node.advertise("chatter", Catalog::common().layout("std_msgs/String")?, 8, true)?;
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    for number in 0.. {
        tokio::select! {
            _ = ticks.tick() => publisher.publish(&std_msgs::String { data: format!("hello {number}") })?,
            _ = tokio::signal::ctrl_c() => break,
        }
    }
    stop.cancel();
    running.await?;
    Ok(())
}

//! Prints what anybody says on a topic, whatever its type.
//!
//! ```sh
//! cargo run --package latimer-ros1 --example listener -- chatter
//! cargo run --package latimer-ros1 --example listener -- /miro/rob01/platform/sensors
//! ```

use std::sync::Arc;

use latimer_ros1::message::{Value, to_json};
use latimer_ros1::node::{Node, Startup};
use tokio_util::sync::CancellationToken;

mod clock;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let startup = Startup::read(|name| std::env::var(name).ok(), std::env::args().skip(1))?;
    let topic = startup.arguments.first().map_or("chatter", String::as_str);
    let (node, running) = Node::bind(startup.settings("listener", Arc::new(clock::now))?).await?;
    let stop = CancellationToken::new();
    let running = tokio::spawn(running.run(stop.clone()));
    let mut subscription = node.subscribe(topic, None, 8)?;
    loop {
        tokio::select! {
            Some(message) = subscription.next() => {
                let value: Value = message.decode()?;
                println!("{} {}", message.layout.type_name(), String::from_utf8_lossy(&to_json(&value)?));
            }
            _ = tokio::signal::ctrl_c() => break,
        }
    }
    stop.cancel();
    running.await?;
    Ok(())
}

//! A service that can be switched on and off, and a call of it.
//!
//! ```sh
//! cargo run --package latimer-ros1 --example switch
//! rosservice call /switch/set "data: false"
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use latimer_ros1::message::ServiceType;
use latimer_ros1::node::{Node, ServiceError, Startup};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

mod clock;

#[derive(Serialize, Deserialize)]
struct SetBool {
    data: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    success: bool,
    message: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let startup = Startup::read(|name| std::env::var(name).ok(), std::env::args().skip(1))?;
    let (node, running) = Node::bind(startup.settings("switch", Arc::new(clock::now))?).await?;
    let stop = CancellationToken::new();
    let running = tokio::spawn(running.run(stop.clone()));
    let set_bool = Arc::new(ServiceType::common("std_srvs/SetBool")?);
    let state = Arc::new(AtomicBool::new(false));
    let _server = node.offer("~set", set_bool.clone(), move |SetBool { data }: SetBool| {
        let was = state.swap(data, Ordering::Relaxed);
        async move { Ok(Answer { success: was != data, message: format!("it was {was} and is {data}") }) }
    })?;
    // Until the master knows it.
    let answer: Answer = loop {
        match node.call("~set", &set_bool, &SetBool { data: true }, Duration::from_secs(5)).await {
            Err(ServiceError::NotOffered { .. } | ServiceError::Master(_)) => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            answer => break answer?,
        }
    };
    println!("{answer:?}");
    tokio::signal::ctrl_c().await?;
    stop.cancel();
    running.await?;
    Ok(())
}

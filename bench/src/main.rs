//! Load generator: `latimer-bench [world | publish | fan-out | access | chain | translate | axbot | axbot-relayed | pera | pera-hostile | reconnect | ros1 | rosbridge | stop]`, all of
//! them without an argument.
//!
//! [`world`] measures what the simulated world costs, [`publish`] what publishing costs by what others
//! subscribe to, [`fan_out`] how many subscribers the gateway serves, [`access`] what TLS and users cost, [`chain`] what a second gateway adds, [`translate`] what a message in another dialect costs,
//! [`axbot`] what a chassis' topics and video cost
//! (`axbot-relayed`: the video of a connected one), [`pera`] how many questions of a swarm are answered over MQTT
//! (`pera-hostile`: its last table alone), [`reconnect`] how long a link to a broker takes until it receives again, [`ros1`] what a MiRo's pictures and sensors cost over ROS 1, [`rosbridge`] what clients of a rosbridge cost, [`stop`] how fast a stop
//! reaches a robot.

mod access;
mod axbot;
mod bare;
mod chain;
mod cpu;
mod fan_out;
mod load;
mod misty;
mod mosquitto;
mod mqtt;
mod pera;
mod publish;
mod reconnect;
mod report;
mod ros1;
mod rosbridge;
mod stop;
mod translate;
mod websocket;
mod world;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use latimer_core::Clock;

/// How long a second gateway, and each phase of a chassis' audience, is measured.
const MEASURED: Duration = Duration::from_secs(15);
/// How long a swarm asks at a time.
const TURN: Duration = Duration::from_secs(4);
/// How long each publisher of ROS 1, and clients of a rosbridge are measured.
const PUBLISHED: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    let part = std::env::args().nth(1);
    // A node that only publishes has one thread, as roscpp's have: its followers' sockets take turns instead of processors.
    let mut runtime = match part.as_deref() {
        Some("ros1-publisher") => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = runtime.enable_all().build().expect("a runtime starts");
    match runtime.block_on(run(part.as_deref())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the benchmark failed: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(part: Option<&str>) -> anyhow::Result<()> {
    let clock = Clock::system();
    match part {
        None => {
            Box::pin(world::run(clock)).await?;
            println!();
            publish::run(clock).await?;
            println!();
            fan_out::run(clock).await?;
            println!();
            Box::pin(access::run(clock)).await?;
            println!();
            chain::run(clock, MEASURED).await?;
            println!();
            Box::pin(translate::run(clock)).await?;
            println!();
            axbot::run(clock, MEASURED).await?;
            println!();
            axbot::relayed(clock, MEASURED).await?;
            println!();
            Box::pin(pera::run(clock, TURN)).await?;
            println!();
            reconnect::run(clock).await?;
            println!();
            Box::pin(ros1::run(clock, PUBLISHED)).await?;
            println!();
            Box::pin(rosbridge::run(clock, PUBLISHED)).await?;
            println!();
            stop::run(clock).await
        }
        Some("world") => Box::pin(world::run(clock)).await,
        Some("publish") => publish::run(clock).await,
        Some("fan-out") => fan_out::run(clock).await,
        Some("access") => Box::pin(access::run(clock)).await,
        Some("chain") => chain::run(clock, MEASURED).await,
        Some("translate") => Box::pin(translate::run(clock)).await,
        Some("axbot") => axbot::run(clock, MEASURED).await,
        Some("axbot-relayed") => axbot::relayed(clock, MEASURED).await,
        Some("pera") => Box::pin(pera::run(clock, TURN)).await,
        Some("pera-hostile") => pera::hostile(clock).await,
        Some("reconnect") => reconnect::run(clock).await,
        Some("ros1") => Box::pin(ros1::run(clock, PUBLISHED)).await,
        Some("rosbridge") => Box::pin(rosbridge::run(clock, PUBLISHED)).await,
        Some("stop") => stop::run(clock).await,
        // The program starts itself so.
        Some("ros1-publisher") => ros1::publisher(std::env::args().skip(2)).await,
        Some("bare") => bare::serve(std::env::args().skip(2)).await,
        Some("relay") => axbot::relay(std::env::args().skip(2)).await,
        Some("intruder") => pera::intruder(std::env::args().skip(2)).await,
        Some("echo") => pera::echo(std::env::args().skip(2)).await,
        Some(other) => {
            bail!(
                "there is no part {other:?}; there are: world, publish, fan-out, access, chain, translate, axbot, axbot-relayed, pera, pera-hostile, reconnect, ros1, rosbridge, stop"
            )
        }
    }
}

//! The same fan-out through a peer: Debian's mosquitto, one topic, messages of equal size.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::Context;
use futures_util::future;
use latimer_core::{Clock, Timestamp};
use latimer_e2e::{gateway, ports};
use tokio::process::{Child, Command};
use tokio::sync::watch;

use crate::fan_out::Plan;
use crate::load::{Figures, Heard};
use crate::mqtt::Mqtt;

const TOPIC: &str = "misty/imu";
/// 50 Hz.
const PERIOD: Duration = Duration::from_millis(20);

/// Where Debian puts it.
const PROGRAMS: [&str; 2] = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"];

/// The figures; `None` if mosquitto is not installed.
pub(crate) async fn fan_out(
    plan: Plan,
    clock: Clock,
    payload_bytes: usize,
) -> anyhow::Result<Option<Figures>> {
    let Some(program) = program() else { return Ok(None) };
    let port = ports::free_block();
    let broker = start(program, port).await?;
    let address = format!("127.0.0.1:{port}");
    let (stop, stopped) = watch::channel(false);
    let mut readers = Vec::new();
    for i in 0..plan.subscribers {
        let mut client = Mqtt::connect(&address, &format!("subscriber-{i}")).await?;
        client.subscribe(TOPIC).await?;
        readers.push(tokio::spawn(read(client, clock, stopped.clone())));
    }
    let publisher = Mqtt::connect(&address, "publisher").await?;
    let publishing = tokio::spawn(publish(publisher, clock, payload_bytes, stopped));
    clock.sleep(plan.warm_up).await;
    let start = clock.now();
    clock.sleep(plan.measured).await;
    let end = clock.now();
    clock.sleep(Duration::from_secs(1)).await;
    let resident_bytes = gateway::resident_bytes(broker.id().context("mosquitto ended")?);
    stop.send(true)?;
    publishing.await??;
    let mut heard = Vec::new();
    for reader in future::join_all(readers).await {
        heard.push(reader.context("a subscriber broke down")??);
    }
    Ok(Some(Figures::of(&heard, &(start..end), resident_bytes)))
}

/// Where it is, if it is installed.
pub(crate) fn program() -> Option<&'static str> {
    PROGRAMS.into_iter().find(|program| Path::new(program).exists())
}

/// A broker with its defaults, except that messages do not wait for each other.
pub(crate) async fn start(program: &str, port: u16) -> anyhow::Result<Child> {
    let config = std::env::temp_dir().join(format!("latimer-bench-{}.conf", std::process::id()));
    std::fs::write(
        &config,
        format!("listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n"),
    )?;
    let broker = Command::new(program)
        .arg("-c")
        .arg(&config)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let up = async {
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let up = tokio::time::timeout(Duration::from_secs(10), up).await;
    let _ = std::fs::remove_file(&config);
    up.context("mosquitto does not listen")?;
    Ok(broker)
}

async fn publish(
    mut publisher: Mqtt,
    clock: Clock,
    payload_bytes: usize,
    mut stopped: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let mut ticks = tokio::time::interval(PERIOD);
    loop {
        tokio::select! {
            _ = stopped.changed() => return Ok(()),
            _ = ticks.tick() => {}
        }
        let created = clock.now().as_nanos();
        let mut payload = format!("{created} ").into_bytes();
        payload.resize(payload_bytes, b'x');
        publisher.publish(TOPIC, &payload).await?;
    }
}

async fn read(mut client: Mqtt, clock: Clock, mut stopped: watch::Receiver<bool>) -> anyhow::Result<Heard> {
    let mut heard = Heard::default();
    loop {
        let payload = tokio::select! {
            _ = stopped.changed() => return Ok(heard),
            payload = client.message() => payload?,
        };
        heard.note(created(payload).context("a message without a stamp")?, clock.now());
    }
}

/// The stamp that a message begins with.
fn created(payload: &[u8]) -> Option<Timestamp> {
    let stamp = payload.split(|byte| *byte == b' ').next()?;
    std::str::from_utf8(stamp).ok()?.parse().ok().map(Timestamp::from_nanos)
}

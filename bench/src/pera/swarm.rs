//! Robots that ask for distances and count the answers.

use std::time::Duration;

use anyhow::{Context, ensure};
use latimer_core::{Clock, Timestamp};
use rumqttc::{AsyncClient, Event, EventLoop, Packet, PublishOptions, QoS};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::client;

/// How long a robot waits for an answer before it asks again; real ones give up after a second, too.
const TIMEOUT: Duration = Duration::from_secs(1);
/// Robots that connect at the same time.
const TOGETHER: usize = 50;
/// All are there and ask for so long before anything is counted.
const WARM_UP: Duration = Duration::from_secs(1);
/// Half the side of the arena where robots stand, in centimetres.
const HALF_CM: f64 = 80.0;

/// Robots at a broker.
pub(super) struct Swarm {
    clock: Clock,
    channel: &'static str,
    robots: Vec<(u32, AsyncClient, EventLoop)>,
    /// Between two questions of one robot; at once if `None`.
    pace: Option<Duration>,
}

/// What robots experienced.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    /// Answers each second.
    pub(super) answered_per_s: f64,
    /// Half of the answers came within this, milliseconds.
    pub(super) p50_ms: f64,
    /// 99 of 100 came within this, milliseconds.
    pub(super) p99_ms: f64,
    /// The slowest, milliseconds.
    pub(super) max_ms: f64,
    /// Questions that nobody answered in time.
    pub(super) unanswered: usize,
}

impl Swarm {
    /// Connects so many robots, which announce themselves.
    pub(super) async fn gather(
        clock: Clock,
        port: u16,
        channel: &'static str,
        count: u32,
    ) -> anyhow::Result<Self> {
        let mut joining = JoinSet::new();
        let mut robots = Vec::new();
        for id in 0..count {
            joining.spawn(async move {
                let replies = [(format!("{channel}/sensor/distance/{id}"), QoS::AtLeastOnce)];
                let (client, events) =
                    client::connect(port, format!("robot_{channel}_{id}"), 10, &replies).await?;
                client.try_publish(
                    format!("{channel}/robot/create"),
                    announcement(id, count),
                    PublishOptions::new(QoS::AtLeastOnce),
                )?;
                anyhow::Ok((id, client, events))
            });
            if joining.len() >= TOGETHER {
                robots.extend(joining.join_next().await.transpose()?.transpose()?);
            }
        }
        while let Some(robot) = joining.join_next().await {
            robots.push(robot??);
        }
        Ok(Self { clock, channel, robots, pace: None })
    }

    /// The same robots, each of which asks once in a while only.
    pub(super) fn paced(self, pace: Duration) -> Self {
        Self { pace: Some(pace), ..self }
    }

    /// All ask for a while.
    pub(super) async fn ask(self, measured: Duration) -> anyhow::Result<Figures> {
        let asking = self.begin();
        let (clock, start) = (asking.clock, asking.clock.now());
        clock.sleep(WARM_UP + measured).await;
        asking.end(start.after(WARM_UP), clock.now()).await
    }

    /// All ask until the end.
    pub(super) fn begin(self) -> Asking {
        let (stop, stopped) = watch::channel(false);
        let mut robots = JoinSet::new();
        for (id, client, events) in self.robots {
            let robot =
                Robot { clock: self.clock, channel: self.channel, id, pace: self.pace, client, events };
            robots.spawn(robot.run(stopped.clone()));
        }
        Asking { clock: self.clock, stop, robots }
    }
}

/// Robots that ask.
pub(super) struct Asking {
    clock: Clock,
    stop: watch::Sender<bool>,
    robots: JoinSet<anyhow::Result<Vec<Answer>>>,
}

/// When was asked, and after how long the answer came, if it did.
type Answer = (Timestamp, Option<Duration>);

impl Asking {
    /// Ends it; what was asked within the time counts.
    pub(super) async fn end(mut self, from: Timestamp, until: Timestamp) -> anyhow::Result<Figures> {
        self.stop.send(true).context("no robot is left")?;
        let mut took_ms = Vec::new();
        let mut unanswered = 0;
        while let Some(robot) = self.robots.join_next().await {
            for (asked, took) in robot?? {
                match took {
                    _ if asked < from || asked > until => {}
                    Some(took) => took_ms.push(took.as_secs_f64() * 1e3),
                    None => unanswered += 1,
                }
            }
        }
        ensure!(!took_ms.is_empty(), "no request was answered, {unanswered} were not");
        took_ms.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| took_ms[((took_ms.len() - 1) as f64 * share) as usize];
        Ok(Figures {
            answered_per_s: took_ms.len() as f64 / until.since(from).as_secs_f64(),
            p50_ms: at(0.5),
            p99_ms: at(0.99),
            max_ms: at(1.0),
            unanswered,
        })
    }
}

struct Robot {
    clock: Clock,
    channel: &'static str,
    id: u32,
    pace: Option<Duration>,
    client: AsyncClient,
    events: EventLoop,
}

impl Robot {
    async fn run(mut self, mut stopped: watch::Receiver<bool>) -> anyhow::Result<Vec<Answer>> {
        let mut answers = Vec::new();
        let topic = format!("{}/sensor/distance", self.channel);
        let request = format!("{{\"id\":{},\"reality\":\"M\"}}", self.id);
        if let Some(pace) = self.pace {
            // So that they do not all ask in the same moment.
            self.clock.sleep(pace.mul_f64(f64::from(self.id * 37 % 100) / 100.0)).await;
        }
        loop {
            let asked = self.clock.now();
            self.client.try_publish(topic.clone(), request.clone(), PublishOptions::new(QoS::AtMostOnce))?;
            let answered = tokio::select! {
                _ = stopped.changed() => return Ok(answers),
                answered = tokio::time::timeout(TIMEOUT, answer(&mut self.events)) => answered,
            };
            let took = answered.is_ok().then(|| self.clock.now().since(asked));
            if let Ok(failed @ Err(_)) = answered {
                failed.with_context(|| format!("robot {}", self.id))?;
            }
            answers.push((asked, took));
            let Some(pace) = self.pace else { continue };
            let rest = pace.saturating_sub(self.clock.now().since(asked));
            let pause = self.clock.sleep(rest);
            tokio::pin!(pause);
            loop {
                tokio::select! {
                    () = &mut pause => break,
                    _ = stopped.changed() => return Ok(answers),
                    event = self.events.poll() => { event?; }
                }
            }
        }
    }
}

/// The next message that comes.
async fn answer(events: &mut EventLoop) -> anyhow::Result<()> {
    loop {
        if let Event::Incoming(Packet::Publish(_)) = events.poll().await? {
            return Ok(());
        }
    }
}

/// Robots stand in rows all over the arena.
pub(super) fn announcement(id: u32, count: u32) -> String {
    let side = f64::from(count).sqrt().ceil().max(1.0);
    let (row, column) = ((f64::from(id) / side).floor(), f64::from(id) % side);
    let at = |i: f64| (i + 0.5) / side * 2.0 * HALF_CM - HALF_CM;
    let heading = f64::from(id * 73 % 360) - 180.0;
    format!(r#"{{"id":{id},"x":{:.2},"y":{:.2},"heading":{heading},"reality":"V"}}"#, at(column), at(row))
}

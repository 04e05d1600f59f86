//! What a translation costs: updates of a robot of each family in the words of each dialect, beside the pass-through of messages that a robot
//! of the dialect's own family sent.
//!
//! ```text
//! world with a robot of each family ─▶ hub ─▶ last update of each topic ─▶ translator of each dialect, many times
//! ```
//!
//! Each update is wrapped anew for each translation, so that nothing that was encoded before is shared. Pictures, sounds and maps are left
//! out: their cost is that of their pixels.

use std::hint::black_box;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use latimer_core::derive::Deriving;
use latimer_core::hub::{MailboxLimits, Shared, Subscription};
use latimer_core::model::{Kind, Native, TaskRequest};
use latimer_core::service::Service as _;
use latimer_core::{Clock, Command, Hub, RobotId, Update};
use latimer_dialects::{DIALECTS, Translator};
use latimer_simulator_api::{SimulatorHandle, Stimulus, WorldRequest};
use latimer_world::bodies::BODIES;
use latimer_world::{Behaviour, Pose2, Runtime, Start, World, WorldFile};
use tokio_util::sync::CancellationToken;

use crate::cpu;

/// How long robots publish before their last updates are taken.
const PUBLISHED: Duration = Duration::from_secs(3);

/// How long the world and a robot may take for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Translations of each update.
const ROUNDS: u32 = 300;

/// Kinds whose cost is that of their pixels or samples.
const HEAVY: [Kind; 5] = [Kind::Image, Kind::CompressedImage, Kind::Video, Kind::Audio, Kind::Map];

/// A room for all.
const ROOM: &str = "name = \"room\"\nsize_m = [10.0, 13.0]\n";

/// What translations came to.
#[derive(Clone, Copy, Default)]
struct Cost {
    updates: usize,
    ns: f64,
    bytes: f64,
}

/// The run, as a table.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    println!("translation of one update; load of this machine before: {}\n", cpu::load_average());
    let hub = Hub::new(clock);
    hub.set_vocabulary(latimer_dialects::vocabulary());
    let end = CancellationToken::new();
    tokio::spawn(Box::new(Deriving(hub.clone())).run(end.clone()));
    let (simulator, requests) = SimulatorHandle::new(clock);
    let mut world = World::new(WorldFile::parse(ROOM)?, 1)?;
    for (row, body) in BODIES.iter().enumerate() {
        let start = Start::At(Pose2::new(3.0, 1.5 + 2.5 * row as f64, 0.0));
        world.add_robot(RobotId::new(body.family)?, body.family, start, Behaviour::Stand)?;
    }
    let handle = Runtime::start(world, &hub, clock, requests, 1.0)?;
    let sink = hub.internal_sink("bench", "translate", MailboxLimits::default());
    sink.subscribe(Subscription::to("**".parse()?));
    speak(&hub, &simulator).await?;
    tokio::time::sleep(PUBLISHED).await;

    println!(
        "{:<12} {:<12} {:>8} {:>10} {:>12} {:>8}",
        "robot", "dialect", "updates", "ns/event", "bytes/event", "ratio"
    );
    for entry in DIALECTS {
        let translator = (entry.default)().translator();
        let own = BODIES.iter().find(|body| body.family == entry.name);
        let native = match own {
            Some(body) => {
                Some(cost(&hub, &*translator, &natives(&hub, &*translator, body.family, entry.name)?, clock))
            }
            None => None,
        };
        for body in BODIES {
            let robot = RobotId::new(body.family)?;
            let updates = updates(&hub, &robot);
            ensure!(!updates.is_empty(), "{robot} publishes nothing");
            line(body.family, entry.name, cost(&hub, &*translator, &updates, clock), native);
        }
        if let Some(native) = native {
            line(entry.name, "pass-through", native, None);
        }
    }
    drop(sink);
    end.cancel();
    latimer_panics::blocking("stopping the world", move || handle.stop()).await.context("the world stops")
}

/// Robots that speak say something, so that texts are among their updates.
async fn speak(hub: &Hub, simulator: &SimulatorHandle) -> anyhow::Result<()> {
    for body in BODIES {
        let robot = RobotId::new(body.family)?;
        let figure = (body.figure)();
        if figure.stimuli.contains(&"skill_message") {
            let stimulus = Stimulus::SkillMessage { text: "hello".to_owned(), data: None };
            simulator.ask(WorldRequest::Poke { robot: robot.clone(), stimulus }, PATIENCE).await?;
        }
        if figure.commands.contains(&"task") {
            let (id, kind) = ("greets".to_owned(), "greet".to_owned());
            let task = TaskRequest { id, kind, parameters: Vec::new(), asker: None, priority: 3 };
            let outcome = hub.command(&robot, Command::Task(task), PATIENCE).await;
            ensure!(outcome.is_ok(), "{robot} does not greet: {outcome:?}");
        }
    }
    Ok(())
}

/// The last update of each topic of a robot.
fn updates(hub: &Hub, robot: &RobotId) -> Vec<Update> {
    let last = hub.last_of_robot(robot).into_iter();
    last.filter(|it| !HEAVY.contains(&it.kind())).map(|it| Update::clone(&it)).collect()
}

/// The same as messages that the robot itself sent.
fn natives(
    hub: &Hub,
    translator: &dyn Translator,
    family: &str,
    dialect: &'static str,
) -> anyhow::Result<Vec<Update>> {
    let robot = RobotId::new(family)?;
    let sent = updates(hub, &robot).into_iter().filter_map(|update| {
        let message = translator.translate(hub, &Shared::new(update.clone(), 0))?;
        let topic = (*message.topic).into();
        let native = Native { dialect, topic, payload: message.payload, definition: None };
        Some(Update { native: Some(native), ..update })
    });
    Ok(sent.collect())
}

fn cost(hub: &Hub, translator: &dyn Translator, updates: &[Update], clock: Clock) -> Cost {
    let mut cost = Cost::default();
    for update in updates {
        let shared: Vec<Shared> = (0..ROUNDS).map(|i| Shared::new(update.clone(), i.into())).collect();
        let began = clock.now();
        let mut bytes = 0;
        for shared in &shared {
            bytes += black_box(translator.translate(hub, shared)).map_or(0, |it| it.payload.len());
        }
        let ns = clock.now().since(began).as_nanos() as f64;
        if bytes > 0 {
            cost.updates += 1;
            cost.ns += ns / f64::from(ROUNDS);
            cost.bytes += bytes as f64 / f64::from(ROUNDS);
        }
    }
    cost
}

fn line(robot: &str, dialect: &str, cost: Cost, native: Option<Cost>) {
    let mean = |sum: f64, cost: &Cost| sum / cost.updates.max(1) as f64;
    let (ns, bytes) = (mean(cost.ns, &cost), mean(cost.bytes, &cost));
    let ratio = native.filter(|it| it.updates > 0 && cost.updates > 0).map(|it| ns / mean(it.ns, &it));
    let ratio = ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.1}"));
    println!("{robot:<12} {dialect:<12} {:>8} {ns:>10.0} {bytes:>12.0} {ratio:>8}", cost.updates);
}

//! A world in real time, on a thread of its own: steps at a fixed rate, publishes, answers commands.
//!
//! ```text
//!  start ──▶ answer commands ──▶ step that is due ──▶ publish ──▶ wait ─┐
//!              ▲ └──── stop ──▶ links down, robots leave the hub        │
//!              └────────────────────────────────────────────────────────┘
//! ```
//!
//! Pictures are made on another thread, the [`RenderQueue`](crate::camera::RenderQueue), and handed out when they
//! are ready. A late thread catches up by a bounded number of steps; what is later than that is left out, so that a
//! suspended machine does not race through an hour.

mod effort;
mod pacer;
mod population;
mod runner;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use latimer_core::hub::{NameTaken, Origin, RobotInfo, Source};
use latimer_core::{Clock, Hub, RobotId};
use latimer_simulator_api::RequestQueue;

use crate::limits::RUNTIME_END_TIMEOUT;

use crate::bodies::BodyKind;
use crate::camera::RenderQueue;
use crate::world::World;
pub use pacer::MAX_SPEED;
use population::Changes;
pub use population::{Population, PopulationError};
use runner::Runner;

/// Threads for a step: each is started for it, which more of them would not make up for.
const MOST_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(3);

/// Why a world could not be started.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// A robot of the world has a name that the hub knows already.
    #[error(transparent)]
    Name(#[from] NameTaken),
    /// The system gave no thread.
    #[error("cannot start the world's thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// Runs worlds.
#[derive(Debug)]
pub struct Runtime;

/// A world that runs; it stops when this is stopped or dropped.
#[must_use = "the world stops when its handle is dropped"]
#[derive(Debug)]
pub struct RuntimeHandle {
    stopping: Arc<AtomicBool>,
    population: Population,
    thread: Option<JoinHandle<()>>,
}

impl Runtime {
    /// Takes the world's robots into the hub and runs the world so many times as fast as the clock goes;
    /// what is asked of the world comes over the requests.
    pub fn start(
        world: World,
        hub: &Hub,
        clock: Clock,
        requests: RequestQueue,
        speed: f64,
    ) -> Result<RuntimeHandle, RuntimeError> {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN).min(MOST_THREADS);
        let world = world.on_threads(threads);
        let sources = world.population().map(|(robot, kind)| register(hub, &world, robot, kind));
        let sources = sources.collect::<Result<Vec<Source>, NameTaken>>()?;
        let (population, changes) = Population::new();
        let stopping = Arc::new(AtomicBool::new(false));
        let render_queue = RenderQueue::new()?;
        let changes = Changes { hub: hub.clone(), queue: changes };
        let runner =
            Runner::new(world, sources, changes, clock, requests, speed, render_queue, stopping.clone());
        let thread = thread::Builder::new().name("world".to_owned()).spawn(move || runner.run())?;
        Ok(RuntimeHandle { stopping, population, thread: Some(thread) })
    }
}

/// Takes a simulated robot into the hub.
fn register(hub: &Hub, world: &World, robot: &RobotId, kind: &BodyKind) -> Result<Source, NameTaken> {
    let info = RobotInfo::new(robot.clone(), kind.family, Origin::Simulated);
    hub.register(info.with(kind.profile.clone()).placed(world.frames_of(robot)))
}

impl RuntimeHandle {
    /// What lets robots come and go.
    pub fn population(&self) -> Population {
        self.population.clone()
    }

    /// Stops the world and takes its robots out of the hub; returns within a second.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        self.stopping.store(true, Ordering::Release);
        thread.thread().unpark();
        if !finishes(&thread) {
            tracing::error!(
                "the world's thread did not stop within {RUNTIME_END_TIMEOUT:?}; it is left alone"
            );
        } else if thread.join().is_err() {
            tracing::error!("the world's thread had panicked");
        }
    }
}

impl Drop for RuntimeHandle {
    fn drop(&mut self) {
        self.end();
    }
}

/// Waits for a thread to end, for as long as [`RUNTIME_END_TIMEOUT`].
fn finishes(thread: &JoinHandle<()>) -> bool {
    let nap = Duration::from_millis(2);
    let naps = RUNTIME_END_TIMEOUT.as_millis() / nap.as_millis();
    (0..naps).any(|_| {
        if !thread.is_finished() {
            thread::sleep(nap);
        }
        thread.is_finished()
    })
}

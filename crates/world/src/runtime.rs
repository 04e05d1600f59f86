//! A world in real time, on a thread of its own: steps at a fixed rate, publishes, answers commands.
//!
//! ```text
//!  start ──▶ answer commands ──▶ step that is due ──▶ publish ──▶ wait ─┐
//!              ▲ └──── stop ──▶ links down, robots leave the hub        │
//!              └────────────────────────────────────────────────────────┘
//! ```
//!
//! A late thread catches up by a bounded number of steps; what is later than that is left out, so that a
//! suspended machine does not race through an hour.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use latimer_core::hub::{NameTaken, Origin, RobotInfo, Source};
use latimer_core::model::signal::LinkState;
use latimer_core::{Clock, Hub, Timestamp, Update};

use crate::physics::STEPS_PER_SECOND;
use crate::world::World;

/// Time between two steps.
const STEP: Duration = Duration::from_millis(1_000 / STEPS_PER_SECOND);

/// How far behind the clock the world may be before steps are left out.
const PATIENCE: Duration = Duration::from_millis(200);

/// Shortest time between two complaints that the world is late.
const COMPLAINT: Duration = Duration::from_secs(10);

/// How long [`RuntimeHandle::stop`] waits for the thread.
const GRACE: Duration = Duration::from_secs(1);

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
    thread: Option<JoinHandle<()>>,
}

impl Runtime {
    /// Takes the world's robots into the hub and runs the world in real time.
    pub fn start(world: World, hub: &Hub, clock: Clock) -> Result<RuntimeHandle, RuntimeError> {
        let sources = world
            .population()
            .map(|(robot, family)| {
                hub.register(RobotInfo { robot: robot.clone(), family, origin: Origin::Simulated })
            })
            .collect::<Result<Vec<Source>, NameTaken>>()?;
        let stopping = Arc::new(AtomicBool::new(false));
        let runner = Runner { world, sources, clock, stopping: stopping.clone(), complained: None };
        let thread = thread::Builder::new().name("world".to_owned()).spawn(move || runner.run())?;
        Ok(RuntimeHandle { stopping, thread: Some(thread) })
    }
}

impl RuntimeHandle {
    /// Stops the world and takes its robots out of the hub; returns within a second.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        self.stopping.store(true, Ordering::Release);
        thread.thread().unpark();
        if !finishes(&thread) {
            tracing::error!("the world's thread did not stop within {GRACE:?}; it is left alone");
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

/// Waits for a thread to end, for as long as [`GRACE`].
fn finishes(thread: &JoinHandle<()>) -> bool {
    let nap = Duration::from_millis(2);
    let naps = GRACE.as_millis() / nap.as_millis();
    (0..naps).any(|_| {
        if !thread.is_finished() {
            thread::sleep(nap);
        }
        thread.is_finished()
    })
}

struct Runner {
    world: World,
    /// In the world's order of robots.
    sources: Vec<Source>,
    clock: Clock,
    stopping: Arc<AtomicBool>,
    complained: Option<Timestamp>,
}

impl Runner {
    fn run(mut self) {
        for source in &self.sources {
            source.link(LinkState::Up, None);
        }
        let mut due = self.clock.now();
        let mut updates = Vec::new();
        while !self.stopping.load(Ordering::Acquire) {
            self.answer();
            let now = self.clock.now();
            if now < due {
                thread::park_timeout(due.since(now));
                continue;
            }
            let next = catch_up(due, now);
            if next != due {
                self.complain(next.since(due), now);
            }
            due = next;
            self.world.step(due, &mut updates);
            self.publish(&mut updates);
            due = due.after(STEP);
        }
        for source in &self.sources {
            source.link(LinkState::Down, Some("the simulation was stopped".to_owned()));
        }
    }

    /// Says that steps were left out, but not all the time.
    fn complain(&mut self, late: Duration, now: Timestamp) {
        if self.complained.is_none_or(|before| now.since(before) > COMPLAINT) {
            self.complained = Some(now);
            tracing::warn!(
                late_ms = late.as_millis(),
                "the simulated world cannot keep up; it leaves out time"
            );
        }
    }

    fn answer(&mut self) {
        for source in &mut self.sources {
            while let Some(request) = source.try_next_command() {
                let outcome = self.world.command(source.robot(), request.command.clone());
                request.answer(outcome);
            }
        }
    }

    /// Hands out updates; they come robot by robot in the world's order.
    fn publish(&self, updates: &mut Vec<Update>) {
        let mut sources = self.sources.iter().peekable();
        for update in updates.drain(..) {
            while sources.next_if(|source| *source.robot() != update.robot).is_some() {}
            if let Some(source) = sources.peek() {
                source.publish(update);
            }
        }
    }
}

/// The moment to step to: the one that is due, or a later one if it is long past.
fn catch_up(due: Timestamp, now: Timestamp) -> Timestamp {
    if now.since(due) <= PATIENCE { due } else { now }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_late_is_caught_up_and_very_late_is_left_out() {
        let due = Timestamp::from_nanos(1_000_000_000);
        assert_eq!(catch_up(due, due.after(Duration::from_millis(150))), due);
        let much_later = due.after(Duration::from_secs(3_600));
        assert_eq!(catch_up(due, much_later), much_later);
    }
}

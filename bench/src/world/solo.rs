//! A world that is stepped as fast as it goes, on this thread and without a hub.

use std::time::Duration;

use latimer_core::{Clock, Timestamp, Update};
use latimer_world::World;
use latimer_world::bodies::Demand;

use crate::cpu;

const STEPS_PER_SECOND: u32 = 100;
/// Simulated seconds before anything is counted.
const WARM_UP_S: u32 = 2;
/// Simulated seconds that are measured.
const MEASURED_S: u32 = 10;

/// What a world cost.
#[derive(Clone, Debug)]
pub(super) struct Cost {
    pub(super) robots: usize,
    /// Wall time of a step, microseconds.
    pub(super) mean_us: f64,
    /// 99 of 100 steps took no longer.
    pub(super) p99_us: f64,
    /// The slowest step.
    pub(super) max_us: f64,
    /// Processor time for each second of the world's time, 0..1.
    pub(super) cpu_ratio: f64,
    /// The same by the wall's clock.
    pub(super) wall_ratio: f64,
    /// Updates for each second of the world's time.
    pub(super) readings_per_s: f64,
}

impl Cost {
    /// Share of a core for each robot.
    pub(super) fn per_robot(&self) -> f64 {
        self.cpu_ratio / self.robots as f64
    }
}

/// Lets a world live of which somebody follows the same of each robot.
pub(super) fn measure(mut world: World, demand: Demand, clock: Clock) -> anyhow::Result<Cost> {
    let robots = world.population().count();
    world.listen((0..robots).map(|_| demand));
    let mut updates: Vec<Update> = Vec::new();
    let mut at = clock.now();
    let mut step = |updates: &mut Vec<Update>| -> Duration {
        updates.clear();
        at = at.after(Duration::from_secs(1) / STEPS_PER_SECOND);
        let before = clock.now();
        world.step(at, updates);
        clock.now().since(before)
    };
    for _ in 0..WARM_UP_S * STEPS_PER_SECOND {
        step(&mut updates);
    }
    let mut readings = 0;
    let mut steps_us = Vec::new();
    let cpu_before = cpu::of_this_thread()?;
    let began: Timestamp = clock.now();
    for _ in 0..MEASURED_S * STEPS_PER_SECOND {
        steps_us.push(step(&mut updates).as_secs_f64() * 1e6);
        readings += updates.len();
    }
    let wall = clock.now().since(began);
    let cpu = cpu::of_this_thread()?.saturating_sub(cpu_before);
    let mean_us = steps_us.iter().sum::<f64>() / steps_us.len() as f64;
    steps_us.sort_unstable_by(f64::total_cmp);
    let seconds = f64::from(MEASURED_S);
    Ok(Cost {
        robots,
        mean_us,
        p99_us: steps_us.get(steps_us.len() * 99 / 100).copied().unwrap_or(f64::NAN),
        max_us: steps_us.last().copied().unwrap_or(f64::NAN),
        cpu_ratio: cpu.as_secs_f64() / seconds,
        wall_ratio: wall.as_secs_f64() / seconds,
        readings_per_s: readings as f64 / seconds,
    })
}

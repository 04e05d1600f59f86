//! The simulated world, if there is one: how hard its thread works, and whether it keeps up.

use std::fmt;

use latimer_simulator_api::{SimulatorHandle, WorldLoad};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::registry::Unit;

use super::page::Figure;

const STEPS: Figure = Figure::new("latimer_world_steps", "Steps of the simulated world");
const BUSY: Figure =
    Figure::measured("latimer_world_busy", Unit::Seconds, "Time that the simulated world's steps took");
const LATE: Figure = Figure::new("latimer_world_late_steps", "Steps that came much later than they were due");
const SPEED: Figure = Figure::new(
    "latimer_world_speed_ratio",
    "How many times as fast as the clock the simulated world shall go; 0 stands still",
);
const LOAD: Figure = Figure::new(
    "latimer_world_load_ratio",
    "Share of the time that the simulated world's steps take, of late",
);

#[derive(Debug)]
pub(super) struct World {
    load: Option<WorldLoad>,
}

impl World {
    pub(super) fn of(simulator: Option<&SimulatorHandle>) -> Self {
        Self { load: simulator.map(SimulatorHandle::load) }
    }
}

impl Collector for World {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(WorldLoad { steps, busy, late_steps, speed, load_ratio }) = self.load else { return Ok(()) };
        STEPS.counter(&mut encoder, steps)?;
        BUSY.counter(&mut encoder, busy.as_secs_f64())?;
        LATE.counter(&mut encoder, late_steps)?;
        SPEED.gauge(&mut encoder, speed)?;
        LOAD.gauge(&mut encoder, load_ratio)
    }
}

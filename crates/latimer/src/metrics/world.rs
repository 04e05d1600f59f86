//! The simulated world, if there is one.

use std::fmt;

use latimer_core::Stage;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

use super::page::Figure;

#[derive(Debug)]
pub(super) struct World {
    load_ratio: Option<f64>,
}

impl World {
    pub(super) fn of(stage: Option<&Stage>) -> Self {
        Self { load_ratio: stage.and_then(load_ratio) }
    }
}

/// Time to compute a step by the time that it stands for; `None` as long as the stage does not tell.
fn load_ratio(_stage: &Stage) -> Option<f64> {
    None
}

impl Collector for World {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(load) = self.load_ratio else { return Ok(()) };
        let help = "Time that the simulated world computes, by the time that passes in it";
        Figure::new("latimer_world_load_ratio", help).gauge(&mut encoder, load)
    }
}

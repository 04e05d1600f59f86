//! What clients fill of the memory that they may.

use std::fmt;

use latimer_core::memory::{Budget, ShareReport};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::registry::Unit;

use super::page::Figure;

const USED: Figure = Figure::measured("latimer_memory", Unit::Bytes, "Memory that clients fill");
const LIMIT: Figure =
    Figure::measured("latimer_memory_limit", Unit::Bytes, "Memory that clients can fill, of limits.memory");
const REFUSED: Figure = Figure::new(
    "latimer_memory_refused",
    "Times that a client was refused or lost something for want of memory",
);

#[derive(Debug)]
pub(super) struct Memory(Vec<ShareReport>);

impl Memory {
    pub(super) fn of(budget: &Budget) -> Self {
        Self(budget.report().collect())
    }

    fn each(
        &self,
        value: fn(&ShareReport) -> u64,
    ) -> impl Iterator<Item = ([(&'static str, &'static str); 1], u64)> {
        self.0.iter().map(move |report| ([("share", report.share.name())], value(report)))
    }
}

impl Collector for Memory {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        USED.gauges(encoder, self.each(|it| it.used))?;
        LIMIT.gauges(encoder, self.each(|it| it.limit))?;
        REFUSED.counters(encoder, self.each(|it| it.refused))
    }
}

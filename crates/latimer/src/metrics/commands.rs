//! Commands: how many each dialect gave, by what became of them.

use std::fmt;

use latimer_core::hub::CommandTotal;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

use super::page::Figure;

const COMMANDS: Figure = Figure::new("latimer_commands", "Commands given to robots");

#[derive(Debug)]
pub(super) struct Commands(pub(super) Vec<CommandTotal>);

impl Collector for Commands {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let row = |it: &CommandTotal| ([("dialect", it.dialect), ("outcome", it.outcome)], it.count);
        COMMANDS.counters(&mut encoder, self.0.iter().map(row))
    }
}

//! Updates in the words of a dialect.

use std::hint::black_box;

use anyhow::{Context as _, ensure};
use latimer_core::hub::{Origin, RobotInfo, Shared, Source};
use latimer_core::{Clock, Hub, RobotId};

use super::{Run, samples};

/// How often all updates are encoded.
pub(super) const ROUNDS: u32 = 10;

/// All updates that a dialect has words for, encoded once each: of robots of its own family and of all others.
pub(super) fn by(dialect: &'static str) -> anyhow::Result<Run> {
    let hub = Hub::new(Clock::starting_at(samples::AT));
    hub.set_vocabulary(latimer_dialects::vocabulary());
    let translator = (latimer_dialects::find(dialect).context("no such dialect")?.default)().translator();
    let mut sources: Vec<Source> = Vec::new();
    let mut updates = samples::updates()?;
    for (family, update) in &updates {
        let source = match sources.iter().find(|source| source.robot() == &update.robot) {
            Some(source) => source,
            None => {
                let profile = latimer_dialects::find(family).context("no such family")?.profile().clone();
                let info = RobotInfo::new(RobotId::new(family)?, family, Origin::Simulated).with(profile);
                sources.push(hub.register(info)?);
                sources.last().context("it was just registered")?
            }
        };
        source.publish(update.clone());
    }
    updates.retain(|(_, update)| translator.translate(&hub, &Shared::new(update.clone(), 0)).is_some());
    ensure!(!updates.is_empty(), "{dialect} has no words for any update");
    // Each update is new in each round, so that nothing that was encoded before is shared; making them is not counted.
    let all = || updates.iter().map(|(_, update)| Shared::new(update.clone(), 0)).collect();
    let mut rounds: Vec<Vec<Shared>> = (0..=ROUNDS).map(|_| all()).collect();
    let mut done = Vec::with_capacity(rounds.len());
    Ok(Box::new(move || {
        let _ = &sources;
        let Some(round) = rounds.pop() else { return };
        round.iter().for_each(|update| drop(black_box(translator.translate(&hub, update))));
        done.push(round);
    }))
}

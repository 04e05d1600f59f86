//! A step of the simulated world.

use std::hint::black_box;
use std::time::Duration;

use latimer_core::model::{Kind, KindSet};
use latimer_counts::{Crowd, MIXED_AREA_M2, SWARM_AREA_M2};
use latimer_world::Behaviour;
use latimer_world::bodies::{self, Demand};

use super::{Run, samples};

const STEP: Duration = Duration::from_millis(10);
/// Steps before anything is counted: half a second.
pub(super) const WARM_UP_STEPS: u32 = 50;
/// Steps that are counted: every sensor measures within a second.
pub(super) const STEPS: u32 = 100;

/// A hundred Peras whose distances and colours are subscribed to.
pub(super) fn swarm() -> anyhow::Result<Run> {
    let eyes: KindSet = [Kind::Range, Kind::Color].into_iter().collect();
    let crowd = Crowd { robots: 100, kinds: &["pera"], area_m2: SWARM_AREA_M2, behaviour: Behaviour::Wander };
    steps(crowd, Demand::of(eyes))
}

/// Forty robots of all families, of which everything is subscribed to.
pub(super) fn mixed() -> anyhow::Result<Run> {
    let kinds: Vec<&str> = bodies::families().collect();
    let crowd = Crowd { robots: 40, kinds: &kinds, area_m2: MIXED_AREA_M2, behaviour: Behaviour::Wander };
    steps(crowd, Demand::EVERY_KIND)
}

fn steps(crowd: Crowd<'_>, demand: Demand) -> anyhow::Result<Run> {
    let mut world = crowd.world()?;
    world.listen((0..crowd.robots).map(|_| demand));
    let (mut at, mut updates) = (samples::AT, Vec::new());
    Ok(Box::new(move || {
        at = at.after(STEP);
        world.step(at, &mut updates);
        black_box(&updates);
        updates.clear();
    }))
}

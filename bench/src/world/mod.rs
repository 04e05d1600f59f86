//! What the simulated world costs.
//!
//! ```text
//! curve: Peras whose distances and colours somebody follows ─┐  stepped on this thread, one step
//! mixed: every kind, all that they say is followed          ─┴▶ after another, without a hub
//! live:  the mixed ones ──Runtime, speed 1──▶ Hub ──▶ nobody, a sink, a sink that watches a camera
//! ```
//!
//! Everybody wanders. A share of a core is the thread's processor time for each second of the world's
//! time; times of single steps are wall time, so that whatever else runs on the machine lengthens the
//! slowest.

mod live;
mod report;
mod solo;

use latimer_core::Clock;
use latimer_core::model::{Kind, KindSet};
use latimer_counts::{Crowd, MIXED_AREA_M2, SWARM_AREA_M2};
use latimer_world::Behaviour;
use latimer_world::bodies::{self, Demand};

use crate::cpu;
use solo::Cost;

/// Sizes of the swarm.
const SWARMS: [usize; 5] = [250, 500, 1_000, 2_000, 5_000];
/// The swarm that must fit on one core.
const BAR: usize = 1_000;

/// How many robots are mixed.
const MIXED: usize = 200;
/// How many there are of one kind alone.
const ALONE: usize = 40;

/// Everything, as tables.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    println!("the simulated world; load of this machine before: {}\n", cpu::load_average());
    report::head("Peras");
    let eyes: KindSet = [Kind::Range, Kind::Color].into_iter().collect();
    let mut swarms: Vec<Cost> = Vec::new();
    for robots in SWARMS {
        let swarm = Crowd { robots, kinds: &["pera"], area_m2: SWARM_AREA_M2, behaviour: Behaviour::Wander };
        let cost = solo::measure(swarm.world()?, Demand::of(eyes), clock)?;
        report::line(&robots.to_string(), &cost, swarms.first());
        swarms.push(cost);
    }

    println!();
    report::head("all that they say");
    let kinds: Vec<&str> = bodies::families().collect();
    let mixed = Crowd { robots: MIXED, kinds: &kinds, area_m2: MIXED_AREA_M2, behaviour: Behaviour::Wander };
    let together = solo::measure(mixed.world()?, Demand::EVERY_KIND, clock)?;
    report::line(&format!("{MIXED} mixed"), &together, None);
    for kind in &kinds {
        let crowd =
            Crowd { robots: ALONE, kinds: &[*kind], area_m2: MIXED_AREA_M2, behaviour: Behaviour::Wander };
        let cost = solo::measure(crowd.world()?, Demand::EVERY_KIND, clock)?;
        report::line(&format!("{ALONE} {kind}"), &cost, Some(&together));
    }

    println!();
    // A driving robot looks where it goes, for itself; a standing one shows the cost of listeners alone.
    for (heading, behaviour) in
        [("wandering, heard by", Behaviour::Wander), ("standing, heard by", Behaviour::Stand)]
    {
        report::live_head(heading);
        for listener in live::LISTENERS {
            let figures = live::measure(Crowd { behaviour, ..mixed }, listener, clock).await?;
            report::live_line(listener.name(), &figures);
        }
        println!();
    }

    if let Some(cost) = swarms.iter().find(|cost| cost.robots == BAR) {
        report::bar("1,000 Pera-like robots at 50 Hz", cost);
    }
    report::bar(&format!("{MIXED} mixed robots, everything followed"), &together);
    println!("load of this machine after: {}", cpu::load_average());
    Ok(())
}

//! What a step costs: `cargo run --release -p latimer-world --example step_cost [KIND [COUNT]]`.
//!
//! Without a kind, some numbers of Mistys are measured; with one, so many robots of that kind, standing and
//! wandering, while somebody listens to everything, to ranges and colours only, and to nothing.

use latimer_core::model::{Kind, KindSet};
use latimer_core::{Clock, RobotId, Timestamp, Update};
use latimer_world::bodies::Demand;
use latimer_world::{Behaviour, Start, World, WorldFile};

/// Simulated seconds that are measured.
const SECONDS: u32 = 60;

/// Simulated seconds that are measured of a kind that was asked for.
const SHORT_SECONDS: u32 = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut given = std::env::args().skip(1);
    let Some(kind) = given.next() else {
        for (robots, behaviour) in
            [(1, Behaviour::Stand), (1, Behaviour::Wander), (50, Behaviour::Stand), (50, Behaviour::Wander)]
        {
            measure("misty", robots, behaviour, ("all", Demand::EVERY_KIND), SECONDS)?;
        }
        return Ok(());
    };
    let robots = given.next().map_or(Ok(1), |count| count.parse())?;
    let ranges: KindSet = [Kind::Range, Kind::Color].into_iter().collect();
    let demands = [
        ("all", Demand::EVERY_KIND),
        ("ranges and colours", Demand::of(ranges)),
        ("nothing", Demand::NOTHING),
    ];
    for behaviour in [Behaviour::Stand, Behaviour::Wander] {
        for demand in demands {
            measure(&kind, robots, behaviour, demand, SHORT_SECONDS)?;
        }
    }
    Ok(())
}

/// Lets robots live and prints what that took.
fn measure(
    kind: &str,
    robots: u32,
    behaviour: Behaviour,
    (listens_to, demand): (&str, Demand),
    seconds: u32,
) -> Result<(), Box<dyn std::error::Error>> {
    let clock = Clock::system();
    let mut file = WorldFile::builtin("demo")?;
    // The flat in a yard that has room for all.
    let side_m = (f64::from(robots).sqrt() * 0.6).ceil().max(20.0);
    file.size_m = [side_m; 2];
    let mut world = World::new(file, 1)?;
    for number in 0..robots {
        world.add_robot(RobotId::new(&format!("m{number}"))?, kind, Start::Anywhere, behaviour)?;
    }
    world.listen((0..robots).map(|_| demand));
    let mut updates: Vec<Update> = Vec::new();
    let mut said = 0;
    let mut slowest = std::time::Duration::ZERO;
    let began = clock.now();
    for step in 0..seconds * 100 {
        let before = clock.now();
        world.step(Timestamp::from_nanos(i64::from(step) * 10_000_000), &mut updates);
        slowest = slowest.max(clock.now().since(before));
        said += updates.len();
        updates.clear();
    }
    let took = clock.now().since(began);
    let step_us = took.as_secs_f64() * 1e6 / f64::from(seconds * 100);
    let core = took.as_secs_f64() / f64::from(seconds) * 100.0 / f64::from(robots);
    let rate = said as f64 / f64::from(seconds) / f64::from(robots);
    println!(
        "{robots:4} × {kind} that {behaviour:6}, somebody listens to {listens_to}: {step_us:7.1} µs a step \
         (slowest {:.0} µs), {core:.4} % of a core and {rate:.0} updates/s a robot",
        slowest.as_secs_f64() * 1e6,
    );
    Ok(())
}

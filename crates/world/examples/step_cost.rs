//! What a step costs: `cargo run --release -p latimer-world --example step_cost`.

use latimer_core::{Clock, RobotId, Timestamp, Update};
use latimer_world::{Behaviour, Start, World, WorldFile};

/// Simulated seconds that are measured.
const SECONDS: u32 = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let clock = Clock::system();
    for (robots, behaviour) in
        [(1, Behaviour::Stand), (1, Behaviour::Wander), (50, Behaviour::Stand), (50, Behaviour::Wander)]
    {
        let mut file = WorldFile::builtin("demo")?;
        // The flat in a yard that has room for all.
        file.size_m = [20.0, 20.0];
        let mut world = World::new(file, 1)?;
        for number in 0..robots {
            world.add_robot(RobotId::new(&format!("m{number}"))?, "misty", Start::Anywhere, behaviour)?;
        }
        let mut updates: Vec<Update> = Vec::new();
        let mut said = 0;
        let mut slowest = std::time::Duration::ZERO;
        let began = clock.now();
        for step in 0..SECONDS * 100 {
            let before = clock.now();
            world.step(Timestamp::from_nanos(i64::from(step) * 10_000_000), &mut updates);
            slowest = slowest.max(clock.now().since(before));
            said += updates.len();
            updates.clear();
        }
        let took = clock.now().since(began);
        let step_us = took.as_secs_f64() * 1e6 / f64::from(SECONDS * 100);
        let core = took.as_secs_f64() / f64::from(SECONDS) * 100.0 / f64::from(robots);
        let rate = said as f64 / f64::from(SECONDS) / f64::from(robots);
        println!(
            "{robots:3} × {behaviour:6}: {step_us:7.1} µs a step (slowest {:.0} µs), {core:.3} % of a core \
             and {rate:.0} updates/s a robot",
            slowest.as_secs_f64() * 1e6,
        );
    }
    Ok(())
}

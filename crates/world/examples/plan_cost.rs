//! What planning in a large hall costs: `cargo run --release -p latimer-world --example plan_cost`.

use latimer_core::Clock;
use latimer_world::WorldFile;
use latimer_world::nav::{Berth, CostMap, KnownMap, plan, shapes};

/// How often each is measured.
const ROUNDS: u32 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let clock = Clock::system();
    for (name, rows) in [("open", 0), ("winding", 10), ("closed", 11)] {
        let mut text = "name = \"hall\"\nsize_m = [24.0, 14.0]\n".to_owned();
        // Walls that leave a way at alternating ends; the last one leaves none.
        for row in 1..=rows {
            let y = f64::from(row) * 1.2;
            let (from, to) = match row {
                11 => (0.0, 24.0),
                _ if row % 2 == 0 => (0.0, 22.8),
                _ => (1.2, 24.0),
            };
            text += &format!("[[walls]]\npoints_m = [[{from:?}, {y:?}], [{to:?}, {y:?}]]\n");
        }
        let blocked = KnownMap::of(&shapes(&WorldFile::parse(&text)?), 0.05).blocked();
        let berth = Berth { radius_m: 0.3, margin_m: 0.3 };
        let (mut mapping_s, mut planning_s, mut length_m) = (0.0, 0.0, None);
        for _ in 0..ROUNDS {
            let began = clock.now();
            let map = CostMap::new(&blocked, berth);
            let mapped = clock.now();
            length_m = plan(&map, [0.6, 0.6], [23.4, 13.6], 0.1).ok().map(|plan| plan.length_m);
            mapping_s += mapped.since(began).as_secs_f64();
            planning_s += clock.now().since(mapped).as_secs_f64();
        }
        let [mapping_ms, planning_ms] = [mapping_s, planning_s].map(|s| s * 1e3 / f64::from(ROUNDS));
        println!("{name:8}: costs {mapping_ms:5.1} ms, way {planning_ms:5.1} ms, length {length_m:.1?} m");
    }
    Ok(())
}

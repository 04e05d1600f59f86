//! What planning costs on a hall of 24 × 14 m in cells of 5 cm: `cargo run --release --example plan_cost`.

use latimer_core::Clock as _;
use latimer_world::WorldFile;
use latimer_world::nav::{Berth, CostMap, KnownMap, Shapes, plan};
fn main() {}

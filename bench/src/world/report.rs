//! The world's figures as tables.

use super::live::Figures;
use super::solo::Cost;

/// The head of the table of steps.
pub(super) fn head(name: &str) {
    println!(
        "{name:<20} {:>8} {:>8} {:>8} {:>7} {:>7} {:>11} {:>10}",
        "mean µs", "p99 µs", "max µs", "CPU %", "wall %", "readings/s", "per robot"
    );
}

/// One crowd's line; its cost for each robot beside another's.
pub(super) fn line(name: &str, cost: &Cost, beside: Option<&Cost>) {
    let Cost { robots: _, mean_us, p99_us, max_us, cpu_ratio, wall_ratio, readings_per_s } = cost;
    let per_robot = cost.per_robot() / beside.unwrap_or(cost).per_robot();
    println!(
        "{name:<20} {mean_us:>8.0} {p99_us:>8.0} {max_us:>8.0} {:>7.1} {:>7.1} {readings_per_s:>11.0} \
         {per_robot:>10.2}",
        cpu_ratio * 100.0,
        wall_ratio * 100.0,
    );
}

/// The head of the table of a world in real time.
pub(super) fn live_head(heading: &str) {
    println!(
        "{:<20} {:>8} {:>10} {:>10} {:>8} {:>9} {:>7}",
        heading, "world %", "process %", "updates/s", "read/s", "frames/s", "missed"
    );
}

/// One listener's line.
pub(super) fn live_line(name: &str, figures: &Figures) {
    let Figures { world_ratio, process_ratio, updates_per_s, read_per_s, frames_per_s, missed } = figures;
    println!(
        "{name:<20} {:>8.1} {:>10.1} {updates_per_s:>10.0} {read_per_s:>8.0} {frames_per_s:>9.1} {missed:>7}",
        world_ratio * 100.0,
        process_ratio * 100.0,
    );
}

/// Whether a crowd fits on one core, and whether its slowest step was done before the next was due.
pub(super) fn bar(name: &str, cost: &Cost) {
    let yes = |holds: bool| if holds { "yes" } else { "no" };
    println!(
        "bar: {name}: {:.0} % of a core (below 100 %: {}); slowest step {:.1} ms (below 10 ms: {})",
        cost.cpu_ratio * 100.0,
        yes(cost.cpu_ratio < 1.0),
        cost.max_us / 1e3,
        yes(cost.max_us < 10_000.0),
    );
}

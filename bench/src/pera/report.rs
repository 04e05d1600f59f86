//! The figures of echo and simulator beside each other.

use super::swarm::Figures;

/// The echo and the simulator with the same robots at the same broker.
pub(super) struct Pair {
    pub(super) geometry: &'static str,
    pub(super) broker: &'static str,
    pub(super) robots: u32,
    pub(super) echo: Vec<Figures>,
    pub(super) simulator: Vec<Figures>,
}

impl Pair {
    pub(super) fn new(geometry: &'static str, broker: &'static str, robots: u32) -> Self {
        Self { geometry, broker, robots, echo: Vec::new(), simulator: Vec::new() }
    }

    /// The simulator's rate, where the echo's is 1.
    pub(super) fn share(&self) -> f64 {
        mean(&self.simulator, |it| it.answered_per_s) / mean(&self.echo, |it| it.answered_per_s)
    }
}

/// The table's head.
pub(super) fn head() {
    println!(
        "{:<10} {:<11} {:>6} {:>10} {:>10} {:>6} {:>10} {:>10} {:>10} {:>10} {:>6} {:>8}",
        "geometry",
        "broker",
        "robots",
        "echo/s",
        "latimer/s",
        "share",
        "echo p50",
        "p50 ms",
        "echo p99",
        "p99 ms",
        "lost",
        "RSS MiB"
    );
}

/// One pair's line.
pub(super) fn line(pair: &Pair, resident_bytes: u64) {
    let Pair { geometry, broker, robots, echo, simulator } = pair;
    let lost: usize = echo.iter().chain(simulator).map(|it| it.unanswered).sum();
    println!(
        "{geometry:<10} {broker:<11} {robots:>6} {:>10.0} {:>10.0} {:>6.2} {:>10.2} {:>10.2} {:>10.2} {:>10.2} {lost:>6} {:>8.1}",
        mean(echo, |it| it.answered_per_s),
        mean(simulator, |it| it.answered_per_s),
        pair.share(),
        mean(echo, |it| it.p50_ms),
        mean(simulator, |it| it.p50_ms),
        mean(echo, |it| it.p99_ms),
        mean(simulator, |it| it.p99_ms),
        resident_bytes as f64 / f64::from(1 << 20),
    );
}

fn mean(turns: &[Figures], of: impl Fn(&Figures) -> f64) -> f64 {
    turns.iter().map(of).sum::<f64>() / turns.len() as f64
}

//! One phase: what a server delivered, and what it took to.

use std::time::Duration;

use latimer_core::Clock;
use latimer_e2e::gateway;

use super::audience::{Audience, Count};
use crate::cpu;

/// The server that is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Server {
    pub(super) pid: u32,
    pub(super) clock: Clock,
    pub(super) measured: Duration,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Phase {
    /// Messages read by all, each second.
    pub(super) delivered_per_s: f64,
    /// Time of the processor for the server's process, seconds.
    pub(super) cpu_s: f64,
    /// Memory of the server at the end, bytes.
    pub(super) resident_bytes: u64,
    /// Frames that any viewer got.
    pub(super) frames_made: u64,
    /// Frames that a viewer did not get though another did; one may be on its way.
    pub(super) frames_missed: u64,
}

/// The table's head.
pub(super) fn head() {
    println!(
        "{:<20} {:>12} {:>9} {:>7} {:>9} {:>8}",
        "", "delivered/s", "MB/s", "CPU %", "frames/s", "RSS MiB"
    );
}

impl Server {
    /// Measures for a while, and prints the line.
    pub(super) async fn measure(&self, audience: &mut Audience, name: &str) -> anyhow::Result<Phase> {
        let (followers, viewers) = (read(&audience.followers), read(&audience.viewers));
        let cpu_before = cpu::of_process(self.pid)?;
        self.clock.sleep(self.measured).await;
        let cpu_s = (cpu::of_process(self.pid)? - cpu_before).as_secs_f64();
        let since = |counts: &[_], before: &[(u64, u64)]| -> Vec<(u64, u64)> {
            let now = read(counts);
            now.iter().zip(before).map(|(now, before)| (now.0 - before.0, now.1 - before.1)).collect()
        };
        let followed = since(&audience.followers, &followers);
        let viewed = since(&audience.viewers, &viewers);
        let frames_made = viewed.iter().map(|(frames, _)| *frames).max().unwrap_or(0);
        let missed = viewed.iter().map(|(frames, _)| (frames_made - frames).saturating_sub(1));
        let seconds = self.measured.as_secs_f64();
        let sum = |pick: fn(&(u64, u64)) -> u64| {
            followed.iter().chain(&viewed).map(pick).sum::<u64>() as f64 / seconds
        };
        let phase = Phase {
            delivered_per_s: sum(|it| it.0),
            cpu_s,
            resident_bytes: gateway::resident_bytes(self.pid),
            frames_made,
            frames_missed: missed.sum(),
        };
        println!(
            "{name:<20} {:>12.0} {:>9.2} {:>7.1} {:>9.1} {:>8.1}",
            phase.delivered_per_s,
            sum(|it| it.1) / 1e6,
            100.0 * cpu_s / seconds,
            frames_made as f64 / seconds,
            phase.resident_bytes as f64 / f64::from(1 << 20),
        );
        Ok(phase)
    }
}

fn read(counts: &[std::sync::Arc<Count>]) -> Vec<(u64, u64)> {
    counts.iter().map(|count| count.read()).collect()
}

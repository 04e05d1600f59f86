//! The figures as tables.

use super::Load;
use super::peer::Peer;
use crate::load::Figures;

/// What came of one publisher with so many subscribers.
pub(super) struct Line {
    pub(super) peer: Peer,
    pub(super) subscribers: usize,
    /// Messages read by all, each second.
    pub(super) delivered_per_s: f64,
    pub(super) figures: Figures,
    /// The share of a processor that the publisher's process took.
    pub(super) cpu_ratio: f64,
    /// Whether its stamps tell when a message was made.
    pub(super) has_latency: bool,
}

/// A table's head.
pub(super) fn head(name: &str) {
    println!(
        "{name:<22} {:>11} {:>12} {:>8} {:>8} {:>8} {:>7} {:>8}",
        "subscribers", "delivered/s", "p50 ms", "p99 ms", "max ms", "CPU %", "RSS MiB"
    );
}

/// One line.
pub(super) fn line(line: &Line) {
    let Figures { p50_ms, p99_ms, max_ms, resident_bytes, .. } = line.figures;
    let latency = match line.has_latency {
        true => format!("{p50_ms:>8.2} {p99_ms:>8.2} {max_ms:>8.2}"),
        false => format!("{:>8} {:>8} {:>8}", "-", "-", "-"),
    };
    println!(
        "{:<22} {:>11} {:>12.0} {latency} {:>7.1} {:>8.1}",
        line.peer.name(),
        line.subscribers,
        line.delivered_per_s,
        100.0 * line.cpu_ratio,
        resident_bytes as f64 / f64::from(1 << 20),
    );
}

/// The node beside each peer, with the most subscribers.
pub(super) fn compare(lines: &[Line], load: Load) {
    let most = lines.iter().map(|it| it.subscribers).max().unwrap_or_default();
    let of = |peer: Peer| lines.iter().find(|it| it.peer == peer && it.subscribers == most);
    let Some(ours) = of(Peer::Node) else { return };
    for peer in [Peer::Rospy, Peer::ImagePublisher, Peer::Play] {
        let Some(theirs) = of(peer) else { continue };
        let p99 = match theirs.has_latency && ours.has_latency {
            true => format!(", p99 {:.2}", ours.figures.p99_ms / theirs.figures.p99_ms),
            false => String::new(),
        };
        println!(
            "{}, {most} subscribers, latimer-ros1 to {}: delivered {:.2}{p99}, processor's time a message {:.2}",
            load.name,
            peer.name(),
            ours.delivered_per_s / theirs.delivered_per_s,
            (ours.cpu_ratio / ours.delivered_per_s) / (theirs.cpu_ratio / theirs.delivered_per_s),
        );
    }
}

//! The figures as a table.

use crate::load::Figures;

/// The table's head.
pub(crate) fn head() {
    println!("{}", titles());
}

/// The same for lines with what the server works for a message.
pub(crate) fn head_with() {
    println!("{} {:>8}", titles(), "CPU us");
}

fn titles() -> String {
    format!(
        "{:<20} {:>7} {:>12} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "events", "delivered/s", "lost", "p50 ms", "p99 ms", "max ms", "RSS MiB"
    )
}

/// One server's line.
pub(crate) fn line(name: &str, figures: &Figures) {
    println!("{}", text(name, figures));
}

/// The same with what the server works for a message.
pub(crate) fn line_with(name: &str, figures: &Figures, us_per_message: f64) {
    println!("{} {us_per_message:>8.1}", text(name, figures));
}

fn text(name: &str, figures: &Figures) -> String {
    let Figures { events, delivered_per_s, lost, p50_ms, p99_ms, max_ms, resident_bytes } = figures;
    let mebibytes = *resident_bytes as f64 / f64::from(1 << 20);
    format!(
        "{name:<20} {events:>7} {delivered_per_s:>12.0} {lost:>8} {p50_ms:>8.2} {p99_ms:>8.2} {max_ms:>8.2} \
         {mebibytes:>8.1}"
    )
}

/// One beside the other.
pub(crate) fn ratio(name: &str, ours: &Figures, peer: &Figures) {
    println!(
        "{name}: delivered {:.2}, p50 {:.2}, p99 {:.2}, RSS {:.2}",
        ours.delivered_per_s / peer.delivered_per_s,
        ours.p50_ms / peer.p50_ms,
        ours.p99_ms / peer.p99_ms,
        ours.resident_bytes as f64 / peer.resident_bytes as f64,
    );
}

//! All that is known of a robot, as screens ask for it.

use latimer_core::Timestamp;

use super::Engine;
use crate::pera::messages::localization::Place;
use crate::pera::messages::management::{Coordinates, Snapshot};
use crate::pera::roster::SwarmId;
use crate::pera::wire::{Message, Number};

impl Engine {
    /// All that is known of a robot, as screens ask for it; `None` of an unknown robot.
    pub(super) fn snapshot(&self, id: SwarmId) -> Option<Message> {
        let member = self.members.get(id)?;
        let pretty = |number: f64| Number((number * 100.0).round() / 100.0);
        let Place { x, y, heading } = member.place;
        let mut data = serde_json::Map::new();
        if let Some(distance) =
            member.distance.and_then(|distance| serde_json::to_value(Number(distance)).ok())
        {
            data.insert("distance".to_owned(), distance);
        }
        let live = iso(member.incoming);
        let snapshot = Snapshot {
            id,
            reality: Some(member.reality),
            coordinates: Coordinates { x: pretty(x), y: pretty(y), heading: pretty(heading) },
            live: unpadded(live.get(11..19).unwrap_or_default()),
            data,
        };
        Some(Message::Snapshot(snapshot))
    }
}

/// `01:02:03` as `1:2:3`, as the reference writes it.
fn unpadded(time: &str) -> String {
    let parts = time.split(':').map(|part| match part.strip_prefix('0') {
        Some(digit) if !digit.is_empty() => digit,
        _ => part,
    });
    parts.collect::<Vec<_>>().join(":")
}

/// A moment as `2026-01-31T12:34:56.789Z`.
pub(super) fn iso(at: Timestamp) -> String {
    let time = jiff::Timestamp::from_nanosecond(i128::from(at.as_nanos())).unwrap_or_default();
    format!("{time:.3}")
}

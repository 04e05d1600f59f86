//! All that is known of a robot, as screens ask for it.

use std::time::Duration;

use latimer_core::Timestamp;

use super::Engine;
use crate::pera::geometry::pretty;
use crate::pera::messages::management::Snapshot;
use crate::pera::roster::SwarmId;
use crate::pera::wire::{Message, Number};

/// What the clocks of the reference's server are ahead of UTC: it is in Colombo, which has no summer time.
const COLOMBO: Duration = Duration::from_secs((5 * 60 + 30) * 60);

impl Engine {
    /// All that is known of a robot, as screens ask for it; `None` of an unknown robot.
    pub(super) fn snapshot(&self, id: SwarmId) -> Option<Message> {
        let member = self.members.get(id)?;
        let mut data = serde_json::Map::new();
        if let Some(distance) =
            member.distance.and_then(|distance| serde_json::to_value(Number(distance)).ok())
        {
            data.insert("distance".to_owned(), distance);
        }
        let live = iso(member.incoming.after(COLOMBO));
        let snapshot = Snapshot {
            id,
            reality: Some(member.reality),
            coordinates: pretty(member.place).into(),
            live: live.get(11..19).unwrap_or_default().to_owned(),
            data,
        };
        Some(Message::Snapshot(snapshot))
    }
}

/// A moment as `2026-01-31T12:34:56.789Z`.
pub(super) fn iso(at: Timestamp) -> String {
    let time = jiff::Timestamp::from_nanosecond(i128::from(at.as_nanos())).unwrap_or_default();
    format!("{time:.3}")
}

//! The eight time-of-flight sensors: four look around, four look down. Each reads every 70 ms.

use latimer_core::model::Kind;
use latimer_core::model::signal::{Cliff, Range, RangeStatus};
use latimer_core::{PartName, Timestamp};

use super::parts::{EDGES, RANGES, TIME_OF_FLIGHT};
use crate::bodies::moment::Moment;
use crate::physics::Surroundings;

/// Steps between two readings of a sensor: 70 ms.
const PERIOD: u64 = 7;

/// The last reading of one sensor and since when it sees something.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) range: Range,
    pub(super) first: Option<Timestamp>,
    pub(super) last: Option<Timestamp>,
}

/// The sensors: four ranges, then four edges, in the order of [`RANGES`] and [`EDGES`].
pub(super) struct Rangers {
    parts: [PartName; 8],
    seen: [Option<Seen>; 8],
    /// Until when each measures nothing, seconds.
    broken_until_s: [f64; 8],
}

impl Rangers {
    pub(super) fn new() -> Self {
        let name = |i: usize| if i < 4 { RANGES[i].0 } else { EDGES[i - 4].0 };
        Self {
            parts: std::array::from_fn(|i| PartName::of(name(i))),
            seen: [const { None }; 8],
            broken_until_s: [0.0; 8],
        }
    }

    /// Their names.
    pub(super) fn names(&self) -> Vec<&str> {
        self.parts.iter().map(PartName::as_str).collect()
    }

    /// Lets one fail until a time of the world's clock; returns whether there is such a one.
    pub(super) fn fail(&mut self, part: &PartName, until_s: f64) -> bool {
        let found = self.parts.iter().position(|known| known == part);
        if let Some(number) = found {
            self.broken_until_s[number] = until_s;
        }
        found.is_some()
    }

    /// Reads the sensors whose turn it is.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, in_air: bool, around: &Surroundings<'_>) {
        for (i, (part, seen)) in self.parts.iter().zip(&mut self.seen).enumerate() {
            // Spread over the period, so that one step never pays for all of them.
            if !now.every_after(PERIOD, i) {
                continue;
            }
            let mut range = match i.checked_sub(4) {
                None => {
                    let cone = &RANGES[i].1;
                    TIME_OF_FLIGHT.read(cone, cone.look(around), now.rng)
                }
                Some(edge) => {
                    let edge = &EDGES[edge].1;
                    edge.read((!in_air).then(|| around.ground(edge.x_m, edge.y_m)), now.rng)
                }
            };
            if now.time_s < self.broken_until_s[i] {
                range = Range { distance_m: None, status: RangeStatus::HardwareFault, ..range };
            }
            range.status_code = Some(code(range.status, i >= 4));
            *seen = Some(remember(seen.take(), range.clone(), around.now));
            // Hazards need every reading; others only if they asked.
            if i < 4 && now.due_after(Kind::Range, PERIOD, i) {
                now.reports.of(part, range);
            } else if i >= 4 && now.due_after(Kind::Cliff, PERIOD, i) {
                now.reports.of(part, Cliff(range));
            }
        }
    }

    /// The last readings.
    pub(super) fn seen(&self) -> &[Option<Seen>; 8] {
        &self.seen
    }

    /// A trustworthy distance of a range sensor.
    pub(super) fn distance_m(&self, sensor: usize) -> Option<f64> {
        let range = &self.seen[sensor].as_ref()?.range;
        range.distance_m.filter(|_| range.status == RangeStatus::Valid)
    }
}

fn remember(before: Option<Seen>, range: Range, now: Timestamp) -> Seen {
    let sees = range.status == RangeStatus::Valid;
    let saw = before.as_ref().is_some_and(|it| it.range.status == RangeStatus::Valid);
    let (first, last) = before.map_or((None, None), |it| (it.first, it.last));
    Seen {
        range,
        first: if sees && !saw { Some(now) } else { first },
        last: if sees { Some(now) } else { last },
    }
}

/// The robot's own status code, from the specification's tables of range and of edge sensors.
const fn code(status: RangeStatus, edge: bool) -> i64 {
    match (status, edge) {
        (RangeStatus::Valid, _) => 0,
        (RangeStatus::Noisy, _) => 101,
        (RangeStatus::WeakSignal, false) => 102,
        (RangeStatus::Misconfigured, _) => 103,
        (RangeStatus::TooFar, false) => 104,
        (RangeStatus::Wrapped, _) | (RangeStatus::WeakSignal, true) => 207,
        (RangeStatus::HardwareFault, _) => 201,
        (RangeStatus::NothingInView, _) => 206,
        (RangeStatus::AmbientLight, _) => 211,
        (RangeStatus::TooNear, _) => 212,
        (RangeStatus::TooFar, true) => 213,
        (RangeStatus::Unknown, _) => -1,
    }
}

//! Who is in the swarm: where each robot is, what it is, and when its last message was received.

use std::collections::BTreeMap;
use std::time::Duration;

use latimer_core::Timestamp;

use crate::pera::geometry::Crowd;
use crate::pera::messages::localization::Localization;
use crate::pera::messages::robot::Coordinate;
use crate::pera::roster::SwarmId;
use crate::pera::topic::Reach;
use crate::pera::wire::{Number, Reality};

/// A robot of the swarm.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) place: Localization,
    /// Real or virtual, never mixed.
    pub(super) reality: Reality,
    pub(super) incoming: Timestamp,
    /// What was sent to it last.
    pub(super) distance: Option<f64>,
    /// Where it looked last, which an answer does not repeat.
    pub(super) angles: Vec<Number>,
    /// Its number in the crowd.
    slot: usize,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Members {
    by_id: BTreeMap<SwarmId, Member>,
    crowd: Crowd,
    /// Whose the slots of the crowd are.
    slots: Vec<SwarmId>,
}

/// The outcome for a robot that was announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It is elsewhere.
    Moved,
    /// It is of another reality.
    Turned,
    /// It is as it was.
    None,
}

impl Members {
    pub(super) fn get(&self, id: SwarmId) -> Option<&Member> {
        self.by_id.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: SwarmId) -> Option<&mut Member> {
        self.by_id.get_mut(&id)
    }

    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(super) fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Takes in a robot that nobody knew.
    pub(super) fn add(&mut self, id: SwarmId, place: Localization, reality: Reality, now: Timestamp) {
        let slot = self.crowd.push([place.x, place.y]);
        self.slots.push(id);
        let member = Member {
            place,
            reality: bodily(reality),
            incoming: now,
            distance: None,
            angles: Vec::new(),
            slot,
        };
        self.by_id.insert(id, member);
    }

    /// Puts a known robot elsewhere.
    pub(super) fn put(
        &mut self,
        id: SwarmId,
        place: Localization,
        reality: Reality,
        now: Timestamp,
    ) -> Change {
        let Some(member) = self.by_id.get_mut(&id) else { return Change::None };
        let (moved, turned) = (member.place != place, member.reality != bodily(reality));
        member.incoming = now;
        (member.place, member.reality) = (place, bodily(reality));
        self.crowd.set(member.slot, [place.x, place.y]);
        match (turned, moved) {
            (true, _) => Change::Turned,
            (false, true) => Change::Moved,
            (false, false) => Change::None,
        }
    }

    /// Takes a robot out; false if nobody knew it.
    pub(super) fn remove(&mut self, id: SwarmId) -> bool {
        let Some(member) = self.by_id.remove(&id) else { return false };
        self.crowd.swap_remove(member.slot);
        if member.slot < self.slots.len() {
            self.slots.swap_remove(member.slot);
        }
        // The last one has moved up.
        if let Some(moved) = self.slots.get(member.slot).and_then(|id| self.by_id.get_mut(id)) {
            moved.slot = member.slot;
        }
        true
    }

    /// Those who said nothing for so long.
    pub(super) fn silent(&self, now: Timestamp, most: Duration) -> Vec<SwarmId> {
        let silent = self.by_id.iter().filter(|(_, member)| now.since(member.incoming) > most);
        silent.map(|(id, _)| *id).collect()
    }

    /// The numbers of all.
    pub(super) fn ids(&self) -> impl Iterator<Item = SwarmId> {
        self.by_id.keys().copied()
    }

    /// Where everybody of a reality is, by number.
    pub(super) fn coordinates(&self, filter: Reality) -> Vec<Coordinate> {
        let counts = |member: &Member| filter == Reality::M || member.reality == filter;
        let counted = self.by_id.iter().filter(|(_, member)| counts(member));
        let coordinate = |(id, member): (&SwarmId, &Member)| {
            let [x, y, heading] =
                [member.place.x, member.place.y, member.place.heading].map(|it| Some(Number(it)));
            Coordinate { id: *id, x, y, heading, reality: Some(member.reality) }
        };
        counted.map(coordinate).collect()
    }

    /// No message could arrive until now.
    pub(super) fn forgive(&mut self, now: Timestamp) {
        self.by_id.values_mut().for_each(|member| member.incoming = now);
    }

    /// Whom a message of a robot reaches; not itself.
    pub(super) fn reached(&self, id: SwarmId, reach: Reach, most_cm: Option<f64>) -> Vec<SwarmId> {
        let Some(from) = self.by_id.get(&id) else { return Vec::new() };
        let hears = |(other, member): &(&SwarmId, &Member)| {
            let to = [member.place.x, member.place.y];
            **other != id && crate::pera::geometry::reaches(reach, from.place, to, most_cm)
        };
        self.by_id.iter().filter(hears).map(|(other, _)| *other).collect()
    }
}

/// A robot is real or virtual.
fn bodily(reality: Reality) -> Reality {
    if reality == Reality::R { Reality::R } else { Reality::V }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64) -> Localization {
        Localization { x, y: 0.0, heading: 0.0 }
    }

    #[test]
    fn who_is_taken_out_leaves_the_others_where_they_are() {
        let now = Timestamp::from_nanos(0);
        let mut members = Members::default();
        for id in 0..4 {
            members.add(id, at(f64::from(id) * 20.0), Reality::V, now);
        }
        assert!(members.remove(1) && !members.remove(1));
        assert_eq!(members.put(3, at(101.0), Reality::V, now), Change::Moved);
        assert_eq!(members.put(3, at(101.0), Reality::R, now), Change::Turned);
        assert_eq!(members.put(3, at(101.0), Reality::R, now), Change::None);
        assert_eq!(members.reached(2, Reach::Simple, None), [0]);
        assert_eq!(members.reached(2, Reach::Direct, Some(70.0)), [3]);
        assert_eq!(members.coordinates(Reality::R).len(), 1);
        assert_eq!((members.len(), members.slots.len()), (3, 3));
    }
}

//! Queries for served robots, in a fair queue by robot, so that a flood for one robot does not delay answers of the others. A query
//! for all is answered once while it waits, since every robot receives the answer.

use std::collections::VecDeque;

use latimer_core::Timestamp;
use latimer_mqtt::QueueItem;

use super::{Facade, LIST};
use crate::pera::limits::FIRST_READING_TIMEOUT;
use crate::pera::messages::robot::{Live, Log};
use crate::pera::roster::SwarmId;
use crate::pera::topic::Sensor;
use crate::pera::wire::Message;

/// Which robots answer a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum QueryTarget {
    One(SwarmId),
    /// Whether they are there.
    AllWhether,
    /// Where they are.
    AllWhere,
}

/// What is asked of robots.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Request {
    Reading(Sensor),
    /// A reading of a body for its program.
    Sensed(Sensor),
    /// Where a body is.
    Located,
    /// Whether each is there.
    Whether(VecDeque<SwarmId>),
    /// Where they are, in one list.
    Where(VecDeque<SwarmId>),
    /// To note something.
    Note(String),
}

impl QueueItem for Request {
    fn bytes(&self) -> usize {
        match self {
            Self::Reading(_) | Self::Sensed(_) | Self::Located => 0,
            Self::Whether(ids) | Self::Where(ids) => ids.len() * size_of::<SwarmId>(),
            Self::Note(text) => text.len(),
        }
    }

    fn split(&mut self) -> Option<Self> {
        match self {
            Self::Whether(ids) if ids.len() > 1 => ids.pop_front().map(|id| Self::Whether([id].into())),
            // So that no broker finds a list too big.
            Self::Where(ids) if ids.len() > LIST => Some(Self::Where(ids.drain(..LIST).collect())),
            _ => None,
        }
    }
}

impl Facade {
    /// Somebody asks, or there is something to note.
    pub(super) fn ask(&mut self, target: QueryTarget, request: Request) {
        if let QueryTarget::AllWhether | QueryTarget::AllWhere = target
            && self.query_queue.is_waiting(&target)
        {
            return;
        }
        if !self.query_queue.push(target, request)
            && let Some(count) = self.flooded.due(self.clock.now(), 1)
        {
            tracing::warn!(
                count,
                "robots of the swarm are asked faster than they answer; the newest is left out"
            );
        }
    }

    /// Answers what is due.
    pub(super) fn take_turn(&mut self) {
        for (target, request) in self.query_queue.take(self.publisher.progress()) {
            if let Some(answer) = self.answer(&target, request) {
                self.publish(&answer);
            }
        }
    }

    fn answer(&mut self, target: &QueryTarget, request: Request) -> Option<Message> {
        match (target, request) {
            (QueryTarget::One(id), Request::Reading(sensor)) => self.read(*id, sensor),
            (QueryTarget::One(id), Request::Sensed(sensor)) => {
                self.members.get(id)?.sensed(&self.hub, sensor)
            }
            (QueryTarget::One(id), Request::Located) => self.members.get(id)?.located(&self.hub),
            (QueryTarget::One(id), Request::Note(msg)) => Some(Message::Log(Log { id: *id, msg })),
            (_, Request::Whether(ids)) => self.is_there(*ids.front()?).map(Message::Live),
            (_, Request::Where(ids)) => {
                let members = ids.iter().filter_map(|id| self.members.get(id));
                let places: Vec<_> = members.filter_map(|member| member.place(&self.hub)).collect();
                (!places.is_empty()).then(|| Message::LocalizationUpdate(places))
            }
            (_, Request::Reading(_) | Request::Sensed(_) | Request::Located | Request::Note(_)) => None,
        }
    }

    /// The last reading of a sensor; why there is none, if the robot lacks it. A sensor that nobody followed so far measures soon.
    fn read(&mut self, id: SwarmId, sensor: Sensor) -> Option<Message> {
        let member = self.members.get(&id)?;
        if let Some(reading) = member.reading(&self.hub, sensor) {
            return Some(reading);
        }
        if let Some(msg) = member.lacks(&self.hub, sensor) {
            return Some(Message::Log(Log { id, msg }));
        }
        let is_awaited = self.awaited.iter().any(|(of, which, _)| *of == id && *which == sensor);
        if !is_awaited {
            self.awaited.push((id, sensor, self.clock.now().after(FIRST_READING_TIMEOUT)));
        }
        None
    }

    /// Answers those who waited for a first reading, or says that there is none.
    pub(super) fn answer_late(&mut self, now: Timestamp) {
        for (id, sensor, until) in std::mem::take(&mut self.awaited) {
            let Some(member) = self.members.get(&id) else { continue };
            match member.reading(&self.hub, sensor) {
                Some(reading) => self.publish(&reading),
                None if now < until => self.awaited.push((id, sensor, until)),
                None => {
                    let msg = format!("{} gave no reading of {} yet", member.robot, sensor.as_str());
                    self.publish(&Message::Log(Log { id, msg }));
                }
            }
        }
    }

    /// Shows that a robot is there, if it is and is known to be somewhere. One whose place is not known yet answers when it is
    /// introduced; the log says once why it waits.
    fn is_there(&mut self, id: SwarmId) -> Option<Live> {
        let hub = &self.hub;
        let member = self.members.get_mut(&id).filter(|member| member.is_reachable(hub))?;
        // A program answers for its body.
        if member.body.is_some() {
            return None;
        }
        if member.is_introduced {
            return Some(member.live());
        }
        if !std::mem::replace(&mut member.is_missed, true) {
            let (robot, id) = (&member.robot, member.id);
            let reason = "it knows no place on the map, and simulators would put it in the middle";
            tracing::info!(%robot, id, reason, "a robot is not shown to the swarm yet");
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_are_asked_comes_in_parts() {
        let ids: VecDeque<SwarmId> = (0..1_200).collect();
        let parts = |mut request: Request| {
            let mut lengths = Vec::new();
            while let Some(part) = request.split() {
                lengths.push(part.bytes() / size_of::<SwarmId>());
            }
            lengths.push(request.bytes() / size_of::<SwarmId>());
            lengths
        };
        assert_eq!(parts(Request::Where(ids.clone())), [500, 500, 200]);
        assert_eq!(parts(Request::Whether(ids)), [1; 1_200]);
        assert_eq!(Request::Whether(VecDeque::new()).split(), None);
    }
}

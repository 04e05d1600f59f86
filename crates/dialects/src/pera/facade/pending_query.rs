//! Readings that a simulator shall add its own to: real robots ask, wait, and put both together.

use std::collections::BTreeMap;
use std::time::Duration;

use latimer_core::Timestamp;

use crate::pera::limits::UNANSWERED_LOG_DELAY;
use crate::pera::messages::robot::Log;
use crate::pera::messages::sensor::{ColorReply, ColorRequest, DistanceReply, DistanceRequest};
use crate::pera::roster::SwarmId;
use crate::pera::topic::Sensor;
use crate::pera::wire::{Message, Number, Reality};
use crate::throttled_warning::ThrottledWarning;

/// What a robot measured and asked for.
struct Question {
    own: Message,
    asked: Timestamp,
}

/// Readings that a simulator shall add its own to.
pub(super) struct PendingQueries {
    patience: Duration,
    open: BTreeMap<(SwarmId, &'static str), Question>,
    answered: u64,
    /// When somebody answered last, or was asked first.
    incoming: Option<Timestamp>,
    silent: ThrottledWarning,
}

impl PendingQueries {
    pub(super) fn new(patience: Duration) -> Self {
        Self {
            patience,
            open: BTreeMap::new(),
            answered: 0,
            incoming: None,
            silent: ThrottledWarning::default(),
        }
    }

    /// A robot's reading as a question; what is none passes. `None` while the robot waits for an answer.
    pub(super) fn ask(&mut self, own: Message, now: Timestamp) -> Option<Message> {
        let (key, question) = match &own {
            Message::Distance(it) => {
                let question = DistanceRequest { reality: Some(Reality::M), ..it.clone() };
                ((it.id, Sensor::Distance.as_str()), Message::Distance(question))
            }
            Message::Color(it) => {
                let question = ColorRequest { reality: Some(Reality::M), ..it.clone() };
                ((it.id, Sensor::Color.as_str()), Message::Color(question))
            }
            _ => return Some(own),
        };
        if self.open.contains_key(&key) {
            return None;
        }
        self.incoming.get_or_insert(now);
        self.open.insert(key, Question { own, asked: now });
        Some(question)
    }

    /// Takes an answer; the robot notes what comes of it, and how long it took.
    pub(super) fn receive(&mut self, answer: &Message, now: Timestamp) -> Option<Log> {
        let key = match answer {
            Message::DistanceOf(id, _) => (*id, Sensor::Distance.as_str()),
            Message::ColorOf(id, _) => (*id, Sensor::Color.as_str()),
            _ => return None,
        };
        let Question { own, asked } = self.open.remove(&key)?;
        let both = put_together(&own, answer)?;
        self.answered += 1;
        self.incoming = Some(now);
        let (id, sensor) = key;
        let took_ms = now.since(asked).as_millis();
        tracing::debug!(id, sensor, %both, took_ms, answered = self.answered, "a simulator answered a robot");
        Some(Log { id, msg: format!("{sensor} {both} in {took_ms} ms") })
    }

    /// Gives up on answers that do not come.
    pub(super) fn expire(&mut self, now: Timestamp) {
        let patience = self.patience;
        let is_silent = self.incoming.is_some_and(|incoming| now.since(incoming) >= UNANSWERED_LOG_DELAY);
        for ((id, sensor), _) in self.open.extract_if(.., |_, it| now.since(it.asked) >= patience) {
            if is_silent && let Some(count) = self.silent.due(now, 1) {
                let reason = "no simulator answers; is there one at the broker, and is the channel the same?";
                tracing::warn!(id, sensor, count, reason, "robots of the swarm asked in vain");
            }
        }
    }
}

/// The nearer distance, the mean colour, as the firmware has it.
fn put_together(own: &Message, answer: &Message) -> Option<String> {
    match (own, answer) {
        (Message::Distance(own), Message::DistanceOf(_, DistanceReply(answer))) => {
            let nearest = own.dist.map_or(*answer, |own| own.0.min(*answer));
            Some(DistanceReply(nearest).to_string())
        }
        (Message::Color(own), Message::ColorOf(_, answer)) => {
            let mean = |own: Option<_>, answer: u8| {
                let own = own.map_or(f64::from(answer), |own: Number| own.0);
                ((own + f64::from(answer)) / 2.0).round() as u8
            };
            let ColorReply { R, G, B, ambient } = *answer;
            let mixed = ColorReply {
                R: mean(own.R, R),
                G: mean(own.G, G),
                B: mean(own.B, B),
                ambient: mean(own.ambient, ambient),
            };
            Some(mixed.to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_nanos(ms * 1_000_000)
    }

    fn distance(dist: f64) -> Message {
        Message::Distance(DistanceRequest { id: 3, dist: Some(Number(dist)), reality: None })
    }

    #[test]
    fn the_nearer_thing_counts() {
        let mut queries = PendingQueries::new(Duration::from_secs(1));
        let Some(Message::Distance(question)) = queries.ask(distance(40.0), at(0)) else { panic!() };
        assert_eq!((question.dist, question.reality), (Some(Number(40.0)), Some(Reality::M)));
        assert_eq!(queries.ask(distance(41.0), at(10)), None, "it waits");
        let answer = Message::DistanceOf(3, DistanceReply(25.0));
        assert_eq!(queries.receive(&answer, at(30)).unwrap().msg, "distance 25 in 30 ms");
        assert_eq!(queries.receive(&answer, at(31)), None, "nobody asked");
    }

    #[test]
    fn colours_are_mixed() {
        let mut queries = PendingQueries::new(Duration::from_secs(1));
        let number = |it| Some(Number(it));
        let own = ColorRequest {
            id: 3,
            R: number(10.0),
            G: number(0.0),
            B: number(1.0),
            ambient: None,
            reality: None,
        };
        assert!(queries.ask(Message::Color(own), at(0)).is_some());
        let answer = Message::ColorOf(3, ColorReply { R: 20, G: 255, B: 0, ambient: 85 });
        assert_eq!(queries.receive(&answer, at(5)).unwrap().msg, "color 15 128 1 85 in 5 ms");
    }

    #[test]
    fn nobody_waits_for_ever() {
        let mut queries = PendingQueries::new(Duration::from_secs(1));
        assert!(queries.ask(distance(40.0), at(0)).is_some());
        queries.expire(at(999));
        assert_eq!(queries.ask(distance(40.0), at(999)), None);
        queries.expire(at(1_000));
        assert!(queries.ask(distance(40.0), at(1_000)).is_some());
        queries.expire(at(2_000));
        assert_eq!(queries.silent, ThrottledWarning::default(), "a simulator may come a little later");
        assert!(queries.ask(distance(40.0), at(9_000)).is_some());
        queries.expire(at(10_000));
        assert_ne!(queries.silent, ThrottledWarning::default());
    }

    #[test]
    fn what_is_no_reading_passes() {
        let mut queries = PendingQueries::new(Duration::from_secs(1));
        let log = Message::Log(Log { id: 3, msg: String::new() });
        assert_eq!(queries.ask(log.clone(), at(0)), Some(log));
    }
}

//! What came of one topic.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use latimer_core::model::ClockSource;
use latimer_core::{Stamp, Timestamp};
use latimer_dialects::inspect::{Deviation, Fault, Inspection, paths};
use latimer_dialects::table::MessageInfo;

use latimer_wire::v1::{ProbeDeviation, ProbeFault, ProbeTopic};

/// Messages that are remembered, so that one of which several updates come counts once.
const REMEMBERED: usize = 32;

/// Of fewer messages there is no rate.
const FEWEST: u64 = 3;

/// Of fewer messages a rate is no deviation.
const ENOUGH: u64 = 5;

/// How far a rate may be from the specified one: a busy machine or network is no deviation.
const TOLERANCE: f64 = 2.0;

/// Distinct deviations that are kept.
const MOST: usize = 1000;

/// The messages of a topic.
#[derive(Default)]
pub(super) struct TopicLog {
    /// When the last ones were received, and where they lie.
    recent: VecDeque<(Timestamp, usize)>,
    count: u64,
    bytes: u64,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
    /// The same by the robot's clock.
    first_stamp: Option<Timestamp>,
    last_stamp: Option<Timestamp>,
    gap_min_s: Option<f64>,
    gap_max_s: Option<f64>,
    message: Option<&'static MessageInfo>,
    found: BTreeMap<(String, Fault), (Deviation, u64)>,
    /// Messages that are not understood though nothing else deviates.
    not_understood: u64,
    /// The described fields that were in any message; `None` as long as none can be left out.
    present: Option<BTreeSet<String>>,
}

impl TopicLog {
    /// Whether a message is another one than those before.
    pub(super) fn is_new(&mut self, message: (Timestamp, usize)) -> bool {
        if self.recent.contains(&message) {
            return false;
        }
        if self.recent.len() == REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back(message);
        true
    }

    /// Takes a message in.
    pub(super) fn take(
        &mut self,
        (received, stamp): (Timestamp, Stamp),
        bytes: usize,
        inspection: Option<Inspection>,
        is_unknown: bool,
    ) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(bytes as u64);
        if let Some(last) = self.last {
            let gap_s = received.since(last).as_secs_f64();
            self.gap_min_s = Some(self.gap_min_s.map_or(gap_s, |least| least.min(gap_s)));
            self.gap_max_s = Some(self.gap_max_s.map_or(gap_s, |most| most.max(gap_s)));
        }
        self.first.get_or_insert(received);
        self.last = Some(received);
        if stamp.clock == ClockSource::Robot {
            self.first_stamp.get_or_insert(stamp.at);
            self.last_stamp = Some(stamp.at);
        }
        let deviates = inspection.as_ref().is_some_and(|it| !it.deviations.is_empty());
        self.not_understood += u64::from(is_unknown && !deviates);
        let Some(Inspection { message, deviations, present }) = inspection else { return };
        self.message = Some(message);
        for deviation in deviations {
            let key = (deviation.path.clone(), deviation.fault);
            if self.found.len() < MOST || self.found.contains_key(&key) {
                self.found.entry(key).or_insert((deviation, 0)).1 += 1;
            }
        }
        if let Some(present) = present {
            self.present.get_or_insert_default().extend(present);
        }
    }

    /// Whether only one message came: it may be the last one of before.
    pub(super) const fn has_one(&self) -> bool {
        self.count == 1
    }

    /// What it is described as, if it is.
    pub(super) const fn message(&self) -> Option<&'static MessageInfo> {
        self.message
    }

    fn rate_hz(&self) -> Option<f64> {
        self.rate_between(self.first?, self.last?)
    }

    /// By the robot's clock, which is another in a simulation that is faster or slower.
    fn own_rate_hz(&self) -> Option<f64> {
        self.rate_between(self.first_stamp?, self.last_stamp?)
    }

    fn rate_between(&self, first: Timestamp, last: Timestamp) -> Option<f64> {
        let took = last.since(first).as_secs_f64();
        (self.count >= FEWEST && took > 0.0).then(|| (self.count - 1) as f64 / took)
    }

    /// Described fields that were in no message, though what they are inside of was.
    fn absent(&self) -> Vec<String> {
        let (Some(message), Some(present)) = (self.message, &self.present) else { return Vec::new() };
        let has_missing = |path: &str| self.found.contains_key(&(path.to_owned(), Fault::Missing));
        let is_inside_of_some = |path: &str| match path.rsplit_once('.') {
            None => true,
            Some((above, _)) if above.ends_with("[]") => {
                let items = format!("{above}.");
                present.range(items.clone()..).next().is_some_and(|it| it.starts_with(&items))
            }
            Some((above, _)) => present.contains(above),
        };
        let absent = paths(message).into_iter().filter(|path| !present.contains(path));
        absent.filter(|path| is_inside_of_some(path) && !has_missing(path)).collect()
    }

    /// How its messages deviate; with `strict` also by what is described and never comes.
    pub(super) fn deviations(&self, name: &str, strict: bool) -> Vec<ProbeDeviation> {
        let deviation = |fault, path: &str, expected: Option<String>, found: Option<String>, count| {
            ProbeDeviation { topic: name.to_owned(), fault, path: path.to_owned(), expected, found, count }
        };
        let mut all: Vec<_> = self
            .found
            .values()
            .map(|(it, count)| {
                let fault = match it.fault {
                    Fault::Missing => ProbeFault::Missing,
                    Fault::Extra => ProbeFault::Extra,
                    Fault::Mistyped => ProbeFault::Mistyped,
                };
                deviation(fault, &it.path, it.expected.clone(), it.found.clone(), *count)
            })
            .collect();
        if strict {
            let absent = self.absent();
            all.extend(
                absent.iter().map(|path| deviation(ProbeFault::Missing, path, None, None, self.count)),
            );
        }
        if self.not_understood > 0 {
            all.push(deviation(ProbeFault::NotUnderstood, "", None, None, self.not_understood));
        }
        if let (Some(specified), Some(rate)) = (self.specified_hz(), self.rate_hz())
            && self.count >= ENOUGH
            && ![Some(rate), self.own_rate_hz()].into_iter().flatten().any(|it| is_near(it, specified))
        {
            let hz = |rate: f64| Some(format!("{rate:.1} Hz"));
            all.push(deviation(ProbeFault::Rate, "", hz(specified), hz(rate), self.count));
        }
        all
    }

    fn specified_hz(&self) -> Option<f64> {
        self.message.and_then(|it| it.rate_hz)
    }

    /// What came, in figures.
    pub(super) fn report(&self, name: &str) -> ProbeTopic {
        ProbeTopic {
            topic: name.to_owned(),
            described: self.message.is_some(),
            count: self.count,
            bytes: self.bytes,
            rate_hz: self.rate_hz(),
            specified_hz: self.specified_hz(),
            gap_min_s: self.gap_min_s,
            gap_max_s: self.gap_max_s,
            absent: self.absent(),
        }
    }
}

fn is_near(rate: f64, specified: f64) -> bool {
    (specified / TOLERANCE..=specified * TOLERANCE).contains(&rate)
}

#[cfg(test)]
mod tests {
    use latimer_dialects::DIALECTS;

    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_nanos(ms * 1_000_000)
    }

    fn inspection(message: &'static MessageInfo, deviations: Vec<Deviation>) -> Inspection {
        Inspection { message, deviations, present: Some(BTreeSet::new()) }
    }

    #[test]
    fn the_same_message_counts_once_and_the_same_deviation_is_one() {
        let message = DIALECTS.iter().find_map(|entry| entry.messages.first()).unwrap();
        let extra =
            Deviation { path: "a".into(), fault: Fault::Extra, expected: None, found: Some("1".into()) };
        let mut log = TopicLog::default();
        for ms in [0, 100, 100, 300] {
            if log.is_new((at(ms), 7)) {
                log.take(
                    (at(ms), Stamp::gateway(at(ms))),
                    10,
                    Some(inspection(message, vec![extra.clone()])),
                    true,
                );
            }
        }
        log.take((at(400), Stamp::gateway(at(400))), 10, Some(inspection(message, Vec::new())), true);
        let report = log.report("t");
        assert_eq!((report.count, report.bytes, report.rate_hz), (4, 40, Some(7.5)));
        assert_eq!((report.gap_min_s, report.gap_max_s), (Some(0.1), Some(0.2)));
        let found = log.deviations("t", false);
        let found: Vec<_> = found.iter().map(|it| (it.fault, it.path.as_str(), it.count)).collect();
        assert_eq!(found, [(ProbeFault::Extra, "a", 3), (ProbeFault::NotUnderstood, "", 1)]);
        let strict = log.deviations("t", true);
        assert!(strict.iter().any(|it| it.fault == ProbeFault::Missing), "{strict:?}");
    }

    #[test]
    fn a_rate_deviates_that_is_far_from_the_specified_one() {
        let message = DIALECTS.iter().flat_map(|it| it.messages).find(|it| it.rate_hz.is_some()).unwrap();
        let specified = message.rate_hz.unwrap();
        let deviates_by = |factor: f64, count: i32, speed: f64| {
            let mut log = TopicLog::default();
            for i in 0..count {
                let ms = f64::from(i) * 1000.0 / (specified * factor);
                let stamp = Stamp::robot(at((ms * speed) as i64));
                log.take((at(ms as i64), stamp), 1, Some(inspection(message, Vec::new())), false);
            }
            log.deviations("t", false).iter().any(|it| it.fault == ProbeFault::Rate)
        };
        let deviates = |factor, count| deviates_by(factor, count, 1.0);
        assert_eq!([1.0, 0.6, 1.8].map(|factor| deviates(factor, 20)), [false; 3]);
        assert_eq!([0.4, 2.5].map(|factor| deviates(factor, 20)), [true; 2]);
        assert!(!deviates(0.4, 4), "too few");
        assert!(!deviates_by(10.0, 20, 10.0), "a simulation at ten times the speed");
        assert!(!deviates_by(1.0, 20, 0.0), "a clock that stands still");
    }
}

//! What numbers were lately: a sample a second of each key, for charts that begin in the past.
//!
//! ```text
//! robot/battery        at ──▶ 10:00:00  10:00:01  10:00:03
//!   charge_ratio              0.81      0.81      0.80
//!   voltage_v                 NaN       25.1      25.0
//! ```
//!
//! A column holds one number of the record, a dotted path away; NaN means that it was not given. A row of NaN alone is where the
//! link to the robot was lost.

use std::collections::{BTreeMap, VecDeque};

use latimer_core::model::signal::{LinkState, RangeStatus};
use latimer_core::model::{Kind, PartName, Retention, ToValue, Value};
use latimer_core::{RobotId, Signal, Timestamp, Update};

use crate::limits::HISTORY_SAMPLE_INTERVAL;
use crate::limits::HISTORY_SILENCE_TIME;
use crate::limits::{HISTORY_MAX_KEYS, HISTORY_MAX_SAMPLES};

/// Measurements whose numbers are kept: those that change slowly enough that a sample a second says what they were.
pub(super) fn kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied().filter(|kind| kind.history() != Retention::Never)
}

/// Numbers of one sample; those after them are left out.
const MAX_COLUMNS: usize = 12;

/// What is kept, in a sentence for the API's description.
pub(crate) fn description() -> String {
    let mut kinds: Vec<String> = kinds().map(|kind| format!("`{kind}`")).collect();
    kinds.sort_unstable();
    format!(
        "A sample each {} s of {}, {HISTORY_MAX_SAMPLES} of each key at most, while it changes. Batteries and velocities are always measured; \
         the others are kept as far as somebody follows them.",
        HISTORY_SAMPLE_INTERVAL.as_secs_f64(),
        kinds.join(", "),
    )
}

/// The samples of one key, oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    pub(crate) key: String,
    pub(crate) robot: RobotId,
    pub(crate) kind: Kind,
    pub(crate) part: Option<PartName>,
    pub(crate) times: VecDeque<Timestamp>,
    /// Each as long as `times`.
    pub(crate) columns: Vec<(String, VecDeque<f32>)>,
}

impl Samples {
    fn new(update: &Update) -> Self {
        Self {
            key: update.key(),
            robot: update.robot.clone(),
            kind: update.kind(),
            part: update.part.clone(),
            times: VecDeque::new(),
            columns: Vec::new(),
        }
    }

    fn last(&self) -> Option<Timestamp> {
        self.times.back().copied()
    }

    fn is_hole(&self) -> bool {
        self.columns.iter().all(|(_, column)| column.back().is_none_or(|number| number.is_nan()))
    }

    fn push(&mut self, at: Timestamp, numbers: Vec<(String, f64)>) {
        if self.times.len() == HISTORY_MAX_SAMPLES {
            self.times.pop_front();
            for (_, column) in &mut self.columns {
                column.pop_front();
            }
        }
        let before = self.times.len();
        self.times.push_back(at);
        for (path, number) in numbers {
            let known = self.columns.iter().position(|(known, _)| *known == path);
            let column = match known {
                Some(known) => known,
                None if self.columns.len() == MAX_COLUMNS => continue,
                None => {
                    self.columns.push((path, VecDeque::from(vec![f32::NAN; before])));
                    self.columns.len() - 1
                }
            };
            // Half the memory; a chart shows no more digits.
            self.columns[column].1.push_back(number as f32);
        }
        let now = self.times.len();
        self.columns.iter_mut().for_each(|(_, column)| column.resize(now, f32::NAN));
    }

    /// The same since a moment.
    fn since(&self, from: Timestamp) -> Self {
        let first = self.times.partition_point(|at| *at < from);
        let columns = self.columns.iter();
        Self {
            key: self.key.clone(),
            robot: self.robot.clone(),
            kind: self.kind,
            part: self.part.clone(),
            times: self.times.range(first..).copied().collect(),
            columns: columns
                .map(|(path, column)| (path.clone(), column.range(first..).copied().collect()))
                .collect(),
        }
    }
}

/// The samples of all keys, by key.
#[derive(Debug, Default)]
pub(super) struct History {
    keys: BTreeMap<String, Samples>,
}

impl History {
    /// Keeps a sample of an update whose numbers count.
    pub(super) fn take(&mut self, update: &Update) {
        if let Signal::Link(link) = &update.signal {
            if link.state != LinkState::Up {
                self.lose(&update.robot, update.received);
            }
            return;
        }
        if update.kind().history() == Retention::Never {
            return;
        }
        let key = update.key();
        if !self.keys.contains_key(&key) && !self.has_room(update.received) {
            return;
        }
        let samples = self.keys.entry(key).or_insert_with(|| Samples::new(update));
        // Several subscriptions may bring the same key.
        if samples.last().is_some_and(|last| update.received.since(last) < HISTORY_SAMPLE_INTERVAL / 2) {
            return;
        }
        samples.push(update.received, numbers(update));
    }

    /// What is kept of the wanted keys since a moment.
    pub(super) fn since(&self, from: Timestamp, wanted: impl Fn(&str) -> bool) -> Vec<Samples> {
        let wanted = self.keys.iter().filter(|(key, _)| wanted(key));
        wanted.map(|(_, samples)| samples.since(from)).filter(|samples| !samples.times.is_empty()).collect()
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let each = |samples: &Samples| 256 + samples.times.len() * (8 + 4 * samples.columns.len());
        self.keys.values().map(each).sum()
    }

    pub(super) fn keep_only(&mut self, is_there: impl Fn(&RobotId) -> bool) {
        self.keys.retain(|_, samples| is_there(&samples.robot));
    }

    fn lose(&mut self, robot: &RobotId, at: Timestamp) {
        let its = self.keys.values_mut().filter(|samples| samples.robot == *robot && !samples.is_hole());
        its.for_each(|samples| samples.push(at, Vec::new()));
    }

    /// Whether another key has room, if need be after the one that was silent for longest is forgotten.
    fn has_room(&mut self, now: Timestamp) -> bool {
        if self.keys.len() < HISTORY_MAX_KEYS {
            return true;
        }
        let silent = self.keys.iter().min_by_key(|(_, samples)| samples.last());
        let silent = silent
            .filter(|(_, samples)| samples.last().is_none_or(|last| now.since(last) >= HISTORY_SILENCE_TIME));
        let silent = silent.map(|(key, _)| key.clone());
        silent.is_some_and(|key| self.keys.remove(&key).is_some())
    }
}

/// The numbers of a record, each with its path; a truth value is 1 or 0.
fn numbers(update: &Update) -> Vec<(String, f64)> {
    let mut numbers = Vec::new();
    collect("", &update.signal.to_value(), &mut numbers);
    // A reading that its sensor does not trust may still bring a distance.
    if matches!(&update.signal, Signal::Range(range) if range.status != RangeStatus::Valid) {
        numbers.retain(|(path, _)| path != "distance_m");
    }
    numbers
}

fn collect(before: &str, value: &Value, numbers: &mut Vec<(String, f64)>) {
    let Value::Map(fields) = value else { return };
    for (name, value) in fields {
        let path = if before.is_empty() { name.to_string() } else { format!("{before}.{name}") };
        match value {
            Value::Bool(bool) => numbers.push((path, f64::from(u8::from(*bool)))),
            Value::Int(int) => numbers.push((path, *int as f64)),
            Value::Float(float) => numbers.push((path, *float)),
            Value::Map(_) => collect(&path, value, numbers),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use latimer_core::model::signal::{Battery, Link, Range, Velocity};

    use super::*;

    fn at(second: u64) -> Timestamp {
        Timestamp::from_nanos(0).after(Duration::from_secs(second))
    }

    fn take(history: &mut History, robot: &str, second: u64, signal: impl Into<Signal>) {
        history.take(&Update::now(&RobotId::new(robot).unwrap(), at(second), signal.into()));
    }

    fn column(samples: &Samples, path: &str) -> Vec<Option<f32>> {
        let column = samples.columns.iter().find(|(known, _)| known == path);
        column.unwrap().1.iter().map(|number| (!number.is_nan()).then_some(*number)).collect()
    }

    #[test]
    fn a_number_that_is_given_later_has_no_value_before() {
        let mut history = History::default();
        take(&mut history, "a", 1, Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN });
        take(&mut history, "a", 2, Battery { voltage_v: Some(24.0), ..Battery::UNKNOWN });
        let kept = history.since(at(0), |key| key == "a/battery");
        assert_eq!(column(&kept[0], "charge_ratio"), [Some(0.5), None]);
        assert_eq!(column(&kept[0], "voltage_v"), [None, Some(24.0)]);
        assert_eq!(history.since(at(2), |_| true)[0].times, [at(2)]);
        assert!(history.since(at(3), |_| true).is_empty());
    }

    #[test]
    fn one_sample_a_second_is_kept_and_the_oldest_goes() {
        let mut history = History::default();
        for second in 0..2_000 {
            take(&mut history, "a", second, Velocity::of(second as f64, 0.0));
            take(&mut history, "a", second, Velocity::of(-1.0, 0.0));
        }
        let kept = history.since(at(0), |_| true);
        assert_eq!((kept[0].times.len(), kept[0].times[0]), (HISTORY_MAX_SAMPLES, at(1_400)));
        assert_eq!(column(&kept[0], "linear_mps")[0], Some(1_400.0));
        history.keep_only(|_| false);
        assert!(history.since(at(0), |_| true).is_empty());
    }

    #[test]
    fn a_lost_link_and_a_reading_that_is_not_trusted_are_holes() {
        let mut history = History::default();
        take(&mut history, "a", 1, Range::valid(0.5));
        take(&mut history, "a", 2, Range { status: RangeStatus::Noisy, ..Range::valid(9.0) });
        take(&mut history, "a", 3, Range::valid(0.6));
        let lost = Link {
            state: LinkState::Down,
            since: at(4),
            reconnects: 0,
            skew_min_s: None,
            skew_max_s: None,
            reason: None,
        };
        take(&mut history, "a", 4, lost);
        let kept = history.since(at(0), |_| true);
        assert_eq!(column(&kept[0], "distance_m"), [Some(0.5), None, Some(0.6), None]);
    }

    #[test]
    fn memory_is_bounded_and_what_is_silent_makes_room() {
        let mut history = History::default();
        for robot in 0..2 * HISTORY_MAX_KEYS {
            take(&mut history, &format!("r{robot}"), 1, Velocity::of(0.0, 0.0));
        }
        assert_eq!(history.keys.len(), HISTORY_MAX_KEYS);
        take(&mut history, "r0", 60, Velocity::of(0.0, 0.0));
        take(&mut history, "new", 61, Velocity::of(0.0, 0.0));
        assert_eq!(history.keys.len(), HISTORY_MAX_KEYS);
        assert!(["r0/velocity", "new/velocity"].iter().all(|key| history.keys.contains_key(*key)));
    }
}

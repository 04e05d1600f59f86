//! Dialects: what their sinks got, missed and lost, and what encoding for them costs.

use std::fmt;

use latimer_core::hub::{DialectTotals, ENCODE_BOUNDS, EncodeTimes};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

use super::page::Figure;

const DELIVERED: Figure = Figure::new("latimer_updates_delivered", "Updates handed over to sinks");
const COALESCED: Figure = Figure::new(
    "latimer_updates_coalesced",
    "States and frames replaced by newer ones before they were read",
);
const DEBOUNCED: Figure =
    Figure::new("latimer_updates_debounced", "Events held back by a subscription's interval, as it asked");
const LOST: Figure = Figure::new("latimer_updates_lost", "Updates lost because a sink reads too slowly");
const SINKS: Figure = Figure::new("latimer_sinks", "Sinks that look");
const ENDED: Figure = Figure::new("latimer_sinks_ended", "Sinks that the gateway let go");
const DEPTH: Figure = Figure::new("latimer_queue_depth", "Updates that wait until sinks read them");
const ENCODE: Figure = Figure::measured(
    "latimer_encode",
    Unit::Seconds,
    "Time to encode an update, once for all sinks that share the form",
);

#[derive(Debug)]
pub(super) struct Sinks(pub(super) Vec<DialectTotals>);

impl Sinks {
    /// A row for each dialect.
    fn each<'a, N>(
        &'a self,
        value: impl Fn(&'a DialectTotals) -> N + 'a,
    ) -> impl Iterator<Item = ([(&'static str, &'static str); 1], N)> + 'a {
        self.0.iter().map(move |totals| ([("dialect", totals.dialect)], value(totals)))
    }

    /// A row for each dialect and reason.
    fn lost(&self) -> impl Iterator<Item = ([(&'static str, &'static str); 2], u64)> {
        self.0.iter().flat_map(|totals| {
            let reasons =
                [("queue_full", totals.lost_queue_full), ("too_many_keys", totals.lost_too_many_keys)];
            reasons.map(|(reason, lost)| ([("dialect", totals.dialect), ("reason", reason)], lost))
        })
    }
}

impl Collector for Sinks {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        DELIVERED.counters(encoder, self.each(|it| it.delivered))?;
        COALESCED.counters(encoder, self.each(|it| it.coalesced))?;
        DEBOUNCED.counters(encoder, self.each(|it| it.debounced))?;
        LOST.counters(encoder, self.lost())?;
        SINKS.gauges(encoder, self.each(|it| it.sinks))?;
        let too_slow =
            |it: &DialectTotals| ([("dialect", it.dialect), ("reason", "too_slow")], it.ended_too_slow);
        ENDED.counters(encoder, self.0.iter().map(too_slow))?;
        DEPTH.gauges(encoder, self.each(|it| it.waiting))?;
        ENCODE.rows(encoder, MetricType::Histogram, self.each(|it| &it.encodes), write_times)
    }
}

fn write_times(mut row: MetricEncoder<'_>, times: &EncodeTimes) -> fmt::Result {
    let bounds = ENCODE_BOUNDS.iter().map(|bound| bound.as_secs_f64()).chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(times.counts).collect();
    let count = times.counts.iter().sum();
    row.encode_histogram::<NoLabelSet>(times.sum.as_secs_f64(), count, &buckets, None)
}

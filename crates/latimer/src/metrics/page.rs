//! Writing figures: a name, what it means, and a row for each set of labels.

use std::fmt;

use prometheus_client::encoding::{
    DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, EncodeLabelSet, MetricEncoder, NoLabelSet,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

/// What figures are called and what they mean; the unit and `_total` are added to the name.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) unit: Option<Unit>,
}

impl Figure {
    pub(super) const fn new(name: &'static str, help: &'static str) -> Self {
        Self { name, help, unit: None }
    }

    pub(super) const fn measured(name: &'static str, unit: Unit, help: &'static str) -> Self {
        Self { name, help, unit: Some(unit) }
    }

    /// Numbers that only grow.
    pub(super) fn counters<L: EncodeLabelSet, N: EncodeCounterValue>(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        rows: impl IntoIterator<Item = (L, N)>,
    ) -> fmt::Result {
        self.rows(encoder, MetricType::Counter, rows, |mut row, value| {
            row.encode_counter::<NoLabelSet, N, f64>(&value, None)
        })
    }

    /// Numbers as they are now.
    pub(super) fn gauges<L: EncodeLabelSet, N: EncodeGaugeValue>(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        rows: impl IntoIterator<Item = (L, N)>,
    ) -> fmt::Result {
        self.rows(encoder, MetricType::Gauge, rows, |mut row, value| row.encode_gauge(&value))
    }

    /// One number as it is now.
    pub(super) fn gauge(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        value: impl EncodeGaugeValue,
    ) -> fmt::Result {
        self.begin(encoder, MetricType::Gauge)?.encode_gauge(&value)
    }

    /// One number that only grows.
    pub(super) fn counter(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        value: impl EncodeCounterValue,
    ) -> fmt::Result {
        self.begin(encoder, MetricType::Counter)?.encode_counter::<NoLabelSet, _, f64>(&value, None)
    }

    /// Rows of any type.
    pub(super) fn rows<L: EncodeLabelSet, N>(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        kind: MetricType,
        rows: impl IntoIterator<Item = (L, N)>,
        mut write: impl FnMut(MetricEncoder<'_>, N) -> fmt::Result,
    ) -> fmt::Result {
        let mut figure = self.begin(encoder, kind)?;
        rows.into_iter().try_for_each(|(labels, value)| write(figure.encode_family(&labels)?, value))
    }

    /// The lines before the first row.
    pub(super) fn begin<'s>(
        &'s self,
        encoder: &'s mut DescriptorEncoder<'_>,
        kind: MetricType,
    ) -> Result<MetricEncoder<'s>, fmt::Error> {
        encoder.encode_descriptor(self.name, self.help, self.unit.as_ref(), kind)
    }
}

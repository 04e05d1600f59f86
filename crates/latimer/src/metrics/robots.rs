//! Robots: what was received of each, and the state of its link.

use std::fmt;

use latimer_core::hub::RobotReport;
use latimer_core::model::signal::LinkState;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::registry::Unit;

use super::page::Figure;

const RECEIVED: Figure = Figure::new("latimer_updates_received", "Updates received of a robot");
const REFUSED: Figure =
    Figure::new("latimer_updates_refused", "Updates refused because the robot has too many keys");
const UNKNOWN: Figure = Figure::new("latimer_updates_unknown", "Updates that no kind fits");
const UP: Figure = Figure::new("latimer_session_up", "Whether the session receives the robot");
const RECONNECTS: Figure = Figure::new("latimer_session_reconnects", "How often the robot came back");
const SKEW_MIN: Figure =
    Figure::measured("latimer_clock_skew_min", Unit::Seconds, "Gateway clock minus robot clock, at least");
const SKEW_MAX: Figure =
    Figure::measured("latimer_clock_skew_max", Unit::Seconds, "Gateway clock minus robot clock, at most");

#[derive(Debug)]
pub(super) struct Robots(pub(super) Vec<RobotReport>);

impl Robots {
    /// A row for each robot that has such a value.
    fn each<'a, N>(
        &'a self,
        value: impl Fn(&RobotReport) -> Option<N> + 'a,
    ) -> impl Iterator<Item = ([(&'static str, &'a str); 2], N)> {
        self.0.iter().filter_map(move |report| {
            let labels = [("robot", report.info.robot.as_str()), ("family", report.info.family)];
            Some((labels, value(report)?))
        })
    }
}

impl Collector for Robots {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        RECEIVED.counters(encoder, self.each(|it| Some(it.received)))?;
        REFUSED.counters(encoder, self.each(|it| Some(it.refused)))?;
        UNKNOWN.counters(encoder, self.each(|it| Some(it.unknown)))?;
        UP.gauges(encoder, self.each(|it| Some(u32::from(it.link.state == LinkState::Up))))?;
        RECONNECTS.counters(encoder, self.each(|it| Some(it.link.reconnects)))?;
        SKEW_MIN.gauges(encoder, self.each(|it| it.link.skew_min_s))?;
        SKEW_MAX.gauges(encoder, self.each(|it| it.link.skew_max_s))
    }
}

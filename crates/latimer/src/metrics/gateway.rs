//! The gateway as a whole: which program it is and how long it runs.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

use super::page::Figure;
use crate::api::ApiState;

#[derive(Debug)]
pub(super) struct Gateway {
    uptime_s: f64,
    refused_connections: u64,
    slowed_requests: u64,
    failed_logins: u64,
    refused_registrations: u64,
    failed_handshakes: u64,
}

impl Gateway {
    pub(super) fn of(state: &ApiState) -> Self {
        Self {
            uptime_s: state.clock.now().since(state.started).as_secs_f64(),
            refused_connections: state.ports.policy.refused(),
            slowed_requests: state.ports.slowed(),
            failed_logins: state.access.as_ref().map_or(0, |access| access.failed()),
            refused_registrations: state.ports.policy.refused_registrations(),
            failed_handshakes: state.ports.policy.failed_handshakes(),
        }
    }
}

impl Collector for Gateway {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let build = [("version", env!("CARGO_PKG_VERSION"))];
        Figure::new("latimer_build", "Which program this is")
            .begin(&mut encoder, MetricType::Info)?
            .encode_info(&build)?;
        Figure::measured("latimer_uptime", Unit::Seconds, "How long the gateway runs")
            .gauge(&mut encoder, self.uptime_s)?;
        Figure::new(
            "latimer_connections_refused",
            "Connections refused because their address has as many as it may have",
        )
        .counter(&mut encoder, self.refused_connections)?;
        Figure::new(
            "latimer_requests_slowed",
            "Requests answered later because their address sends more than limits.requests_per_s",
        )
        .counter(&mut encoder, self.slowed_requests)?;
        Figure::new("latimer_logins_failed", "Passwords and tokens that were wrong, at any port")
            .counter(&mut encoder, self.failed_logins)?;
        Figure::new(
            "latimer_ros_registrations_refused",
            "Registrations refused because their node or address has as many at the ROS master as it may have",
        )
        .counter(&mut encoder, self.refused_registrations)?;
        Figure::new("latimer_tls_handshakes_failed", "TLS handshakes with clients that failed, at any port")
            .counter(&mut encoder, self.failed_handshakes)?;
        Figure::new("latimer_panics", "Faults of the program, logged with their place")
            .counter(&mut encoder, latimer_panics::count())
    }
}

//! Figures for Prometheus, in the text format of OpenMetrics 1.0. They are read when they are asked for.
//!
//! | figure | labels |
//! |---|---|
//! | `latimer_updates_received_total`, `…_refused_total`, `…_unknown_total` | `robot`, `family` |
//! | `latimer_session_up`, `latimer_session_reconnects_total`, `latimer_clock_skew_min_seconds`, `latimer_clock_skew_max_seconds` | `robot`, `family` |
//! | `latimer_updates_delivered_total`, `…_coalesced_total`, `…_debounced_total` | `dialect` |
//! | `latimer_updates_lost_total` | `dialect`, `reason`: `queue_full`, `too_many_keys` |
//! | `latimer_commands_total` | `dialect`, `outcome`: the outcome, or the code of the refusal |
//! | `latimer_sinks`, `latimer_queue_depth` | `dialect` |
//! | `latimer_sinks_ended_total` | `dialect`, `reason`: `too_slow` |
//! | `latimer_encode_seconds` (histogram) | `dialect` |
//! | `latimer_mqtt_clients`, `…_queue_depth`, `…_connections_total` | |
//! | `latimer_mqtt_messages_received_total`, `…_sent_total`, `…_dropped_total` | |
//! | `latimer_mqtt_sessions_away`, `…_forgotten_total` | |
//! | `latimer_memory_bytes`, `latimer_memory_limit_bytes`, `latimer_memory_refused_total` | `share` |
//! | `latimer_connections_refused_total`, `latimer_requests_slowed_total`, `latimer_logins_failed_total` | |
//! | `latimer_ros_registrations_refused_total`, `latimer_tls_handshakes_failed_total` | |
//! | `latimer_uptime_seconds`, `latimer_build_info` | |
//! | `process_resident_memory_bytes`, `process_cpu_seconds_total`, `process_open_fds`, `latimer_tasks` | |
//!
//! There are as many rows as robots and dialects: nothing that a client sends becomes a label.

mod broker;
mod commands;
mod gateway;
mod memory;
mod page;
mod process;
mod robots;
mod sinks;
mod world;

use prometheus_client::encoding::text;
use prometheus_client::registry::Registry;

use crate::api::ApiState;

/// The media type of the text.
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// All figures as they are now.
pub(crate) fn read(state: &ApiState) -> Result<String, std::fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(gateway::Gateway::of(state)));
    registry.register_collector(Box::new(robots::Robots(state.hub.robots())));
    registry.register_collector(Box::new(sinks::Sinks(state.hub.totals())));
    registry.register_collector(Box::new(commands::Commands(state.hub.command_totals())));
    registry.register_collector(Box::new(world::World::of(state.simulator.as_ref())));
    registry.register_collector(Box::new(broker::Broker::of(state.broker.as_ref())));
    registry.register_collector(Box::new(memory::Memory::of(state.hub.memory())));
    registry.register_collector(Box::new(process::Process::now()));
    let mut page = String::new();
    text::encode(&mut page, &registry)?;
    Ok(page)
}

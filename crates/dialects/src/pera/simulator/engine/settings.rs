//! What the config says of a simulator.

use latimer_mqtt::Qos;

use crate::pera::config::{DefaultReality, Geometry, PeraConfig};

/// What the config says of it.
#[derive(Clone, Debug)]
pub(in crate::pera::simulator) struct Settings {
    /// Whether it answers, and not only listens.
    pub(in crate::pera::simulator) speaks: bool,
    pub(in crate::pera::simulator) geometry: Geometry,
    pub(in crate::pera::simulator) default_reality: DefaultReality,
    pub(in crate::pera::simulator) max_robots: usize,
    pub(in crate::pera::simulator) hears_itself: bool,
    pub(in crate::pera::simulator) reply_qos: Qos,
    pub(in crate::pera::simulator) heartbeat_s: f64,
    pub(in crate::pera::simulator) prune_s: f64,
    /// Its own name among simulators.
    pub(in crate::pera::simulator) uuid: String,
}

impl Settings {
    pub(in crate::pera::simulator) fn of(config: &PeraConfig, uuid: String) -> Self {
        Self {
            speaks: config.simulator,
            geometry: config.geometry,
            default_reality: config.default_reality,
            max_robots: config.max_robots,
            hears_itself: config.hears_itself,
            reply_qos: match config.reply_qos {
                0 => Qos::AtMostOnce,
                1 => Qos::AtLeastOnce,
                _ => Qos::ExactlyOnce,
            },
            heartbeat_s: config.heartbeat_s,
            prune_s: config.prune_s,
            uuid,
        }
    }
}

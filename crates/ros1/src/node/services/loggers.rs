//! `~get_loggers` and `~set_logger_level`, as every node of roscpp and rospy offers them: how much of a node's log is on `/rosout`.

use std::sync::{Arc, Weak};

use serde::{Deserialize, Serialize};

use super::Service;
use crate::message::{ServiceType, TypeError};
use crate::node::rosout::Level;
use crate::node::shared::Shared;

/// The one logger of a node, by roscpp's name of its first.
const LOGGER: &str = "ros";

#[derive(Serialize)]
struct Logger {
    name: &'static str,
    level: &'static str,
}

#[derive(Serialize)]
struct Loggers {
    loggers: [Logger; 1],
}

#[derive(Deserialize)]
struct SetLevel {
    logger: String,
    level: String,
}

#[derive(Deserialize, Serialize)]
struct Nothing {}

/// Offers both.
pub(in crate::node) fn offer(shared: &Arc<Shared>) -> Result<(), TypeError> {
    let weak = Arc::downgrade(shared);
    let get = move |_: Nothing| {
        let level = weak.upgrade().map_or(Level::Info, |shared| shared.log_level());
        async move { Ok(Loggers { loggers: [Logger { name: LOGGER, level: level.word() }] }) }
    };
    let weak = Arc::downgrade(shared);
    let set = move |wanted: SetLevel| {
        let done = set_level(&weak, &wanted);
        async move { done.map(|()| Nothing {}) }
    };
    let types = [ServiceType::common("roscpp/GetLoggers")?, ServiceType::common("roscpp/SetLoggerLevel")?];
    let [get_type, set_type] = types.map(Arc::new);
    let name = |name: &str| format!("{}/{name}", shared.name);
    let services = [
        Service::new(shared.id(), name("get_loggers"), get_type, get),
        Service::new(shared.id(), name("set_logger_level"), set_type, set),
    ];
    let mut topics = shared.topics();
    topics.services.extend(services.map(|service| (service.name.clone(), Arc::new(service))));
    Ok(())
}

fn set_level(shared: &Weak<Shared>, wanted: &SetLevel) -> Result<(), String> {
    let SetLevel { logger, level } = wanted;
    if logger != LOGGER {
        return Err(format!("no logger {logger:?}; this node has {LOGGER:?}"));
    }
    let level = Level::named(level)
        .ok_or_else(|| format!("no level {level:?}; there are {}", Level::ALL.map(Level::word).join(", ")))?;
    if let Some(shared) = shared.upgrade() {
        shared.set_log_level(level);
    }
    Ok(())
}

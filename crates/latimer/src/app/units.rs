//! Units: what runs for single robots of the config, each of which comes and goes while everything else stays.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use latimer_core::Hub;
use latimer_core::service::BuildError;
use latimer_dialects::contract::{OwnPorts, Unit, UnitKey, UnitList};
use latimer_dialects::{AnyDialect, BuildContext, Endpoint};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::run::log_stop;
use crate::api::Endpoints;
use crate::limits::FINAL_STOP_FLUSH_TIME;
use crate::limits::{UNIT_END_TIMEOUT, UNIT_STOP_TIMEOUT};

/// The units that run, and what makes more of them.
pub(super) struct Units {
    context: BuildContext,
    own_ports: Vec<OwnPorts>,
    endpoints: Endpoints,
    running: Mutex<BTreeMap<UnitKey, Running>>,
}

struct Running {
    endpoint: Option<Endpoint>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Units {
    /// None yet.
    pub(super) fn new(context: BuildContext, own_ports: Vec<OwnPorts>, endpoints: Endpoints) -> Self {
        Self { context, own_ports, endpoints, running: Mutex::default() }
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<UnitKey, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The exchange.
    pub(super) fn hub(&self) -> &Hub {
        &self.context.hub
    }

    /// Whether robots of a list of a dialect's table can come and go.
    pub(super) fn is_live(&self, dialect: &AnyDialect, list: &str) -> bool {
        if list == UnitList::Connect.name() {
            return dialect.connects_any_time();
        }
        list == UnitList::Serve.name() && self.own_ports.iter().any(|it| it.dialect() == dialect.name())
    }

    /// Makes the unit of an entry of a configured dialect's list. Nothing runs yet.
    pub(super) async fn build(
        &self,
        dialect: &AnyDialect,
        key: &UnitKey,
        number: usize,
    ) -> Result<Unit, BuildError> {
        let ports = self.own_ports.iter().find(|ports| ports.dialect() == key.dialect);
        let served = dialect.served();
        match (key.list, ports, served.iter().find(|(place, _)| *place == number)) {
            (UnitList::Serve, Some(ports), Some((_, serve))) => ports.bind(number, serve).await,
            (UnitList::Serve, ..) => Err(BuildError::Other(format!("{} serves at no own port", key.robot))),
            (UnitList::Connect, ..) => dialect.connect(&key.robot, &self.context),
        }
    }

    /// Lists the address of a unit that comes while others run.
    pub(super) fn list(&self, unit: &Unit) {
        if let Some(endpoint) = &unit.endpoint {
            self.endpoints.add(endpoint.clone());
        }
    }

    /// Runs a unit.
    pub(super) fn start(&self, unit: Unit) {
        let Unit { key, endpoint, service } = unit;
        let stop = CancellationToken::new();
        let task = tokio::spawn(service.run(stop.clone()));
        self.running().insert(key, Running { endpoint, stop, task });
    }

    /// Ends a unit; a robot that is connected to is stopped first.
    pub(super) async fn end(&self, key: &UnitKey) {
        let Some(unit) = self.running().remove(key) else { return };
        if let Some(endpoint) = &unit.endpoint {
            self.endpoints.remove(endpoint);
        }
        if key.list == UnitList::Connect {
            let hub = &self.context.hub;
            if let Some(outcome) = hub.stop_before_end(&key.robot, UNIT_STOP_TIMEOUT).await {
                log_stop(&key.robot, &outcome);
                self.context.clock.sleep(FINAL_STOP_FLUSH_TIME).await;
            }
        }
        unit.stop.cancel();
        if tokio::time::timeout(UNIT_END_TIMEOUT, unit.task).await.is_err() {
            tracing::warn!(robot = %key.robot, list = key.list.name(), "it takes long to end, and is left behind");
        }
    }

    /// Ends all of them, whose robots were stopped before; those that take longer than that.
    pub(super) async fn end_all(&self, within: Duration) -> Vec<String> {
        let units = std::mem::take(&mut *self.running());
        for unit in units.values() {
            unit.stop.cancel();
        }
        let ends = units.into_iter().map(|(key, unit)| async move {
            let in_time = tokio::time::timeout(within, unit.task).await.is_ok();
            (!in_time).then(|| format!("{}.{} of {}", key.dialect, key.list.name(), key.robot))
        });
        futures_util::future::join_all(ends).await.into_iter().flatten().collect()
    }
}

impl std::fmt::Debug for Units {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.running().keys()).finish()
    }
}

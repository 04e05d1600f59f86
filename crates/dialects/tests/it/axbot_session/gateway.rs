//! A gateway that connects to a chassis, and an observer of its hub.

use std::sync::Arc;

use latimer_core::hub::Shared;
use latimer_core::model::signal::Link;
use latimer_core::model::{Command, Kind, Outcome};
use latimer_core::{Clock, Hub, RobotId};
use latimer_dialects::BuildContext;
use latimer_dialects::axbot::{AxbotConfig, Connect};

use super::chassis::{Chassis, PATIENCE};
use crate::rig::{Observer, Running};

pub(crate) fn robot() -> RobotId {
    RobotId::new("axbot-1").unwrap()
}

pub(crate) struct Gateway {
    pub(crate) hub: Hub,
    observer: Observer,
    _running: Running,
}

impl Gateway {
    /// Connects to a chassis; what is looked at is a list of words with spaces between.
    pub(crate) async fn looking_at(chassis: &Chassis, what: &str) -> Self {
        Self::with_secret(chassis, what, None).await
    }

    pub(crate) async fn with_secret(chassis: &Chassis, what: &str, secret: Option<&str>) -> Self {
        let hub = Hub::new(Clock::system());
        let observer = Observer::of(&hub, what);
        let connect =
            Connect { robot: robot(), address: chassis.address.clone(), secret: secret.map(str::to_owned) };
        let config = AxbotConfig { connect: vec![connect], ..AxbotConfig::default() };
        let running = Running::start(Box::new(config), BuildContext::new(&hub)).await;
        Self { hub, observer, _running: running }
    }

    /// The next update of a sort. Others are skipped.
    pub(crate) async fn update(&self, wanted: impl Fn(&Shared) -> bool) -> Arc<Shared> {
        self.observer.update(wanted).await
    }

    pub(crate) async fn of_kind(&self, kind: Kind) -> Arc<Shared> {
        self.update(|update| update.kind() == kind).await
    }

    /// The link, once it is of a sort.
    pub(crate) async fn link(&self, wanted: impl Fn(&Link) -> bool) -> Link {
        self.observer.link(wanted).await
    }

    pub(crate) async fn is_up(&self) {
        self.observer.is_up().await;
    }

    pub(crate) async fn command(&self, command: Command) -> Outcome {
        self.hub.command(&robot(), command, PATIENCE).await
    }

    /// Has a command done beside what the test goes on with.
    pub(crate) fn ask(&self, command: Command) -> tokio::task::JoinHandle<Outcome> {
        let hub = self.hub.clone();
        tokio::spawn(async move { hub.command(&robot(), command, PATIENCE).await })
    }
}

/// The reason of a refusal.
pub(crate) fn refusal(outcome: Outcome) -> String {
    match outcome {
        Outcome::Refused(refusal) => refusal.reason,
        other => panic!("{other:?} is no refusal"),
    }
}

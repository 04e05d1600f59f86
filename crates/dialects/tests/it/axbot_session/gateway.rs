//! A gateway that connects to a chassis, and somebody who looks at everything.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use latimer_core::hub::{Delivery, MailboxLimits, Shared, Sink, Subscription};
use latimer_core::model::signal::{Link, LinkState};
use latimer_core::model::{Command, Kind, Outcome};
use latimer_core::{Clock, Hub, RobotId, Signal};
use latimer_dialects::axbot::{AxbotConfig, Connect};
use latimer_dialects::{BuildContext, Configured};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::chassis::{Chassis, PATIENCE};

pub(crate) fn robot() -> RobotId {
    RobotId::new("axbot-1").unwrap()
}

pub(crate) struct Gateway {
    pub(crate) hub: Hub,
    sink: Sink,
    /// Came together with what was looked for.
    rest: Mutex<VecDeque<Delivery>>,
    _stop: DropGuard,
}

impl Gateway {
    /// Connects to a chassis; what is looked at is a list of words with spaces between.
    pub(crate) async fn looking_at(chassis: &Chassis, what: &str) -> Self {
        Self::with_secret(chassis, what, None).await
    }

    pub(crate) async fn with_secret(chassis: &Chassis, what: &str, secret: Option<&str>) -> Self {
        let hub = Hub::new(Clock::system());
        let sink = hub.sink("test", "observer", MailboxLimits::default());
        for what in what.split(' ') {
            sink.subscribe(Subscription::to(what.parse().unwrap()));
        }
        let connect =
            Connect { robot: robot(), address: chassis.address.clone(), secret: secret.map(str::to_owned) };
        let config = AxbotConfig { connect: vec![connect], ..AxbotConfig::default() };
        let context = BuildContext::new(&hub);
        let built = Box::new(config).build(context).await.unwrap().whole();
        let stop = CancellationToken::new();
        tokio::spawn(built.service.run(stop.clone()));
        Self { hub, sink, rest: Mutex::default(), _stop: stop.drop_guard() }
    }

    /// The next update of a sort. Others are skipped.
    pub(crate) async fn update(&self, wanted: impl Fn(&Shared) -> bool) -> Arc<Shared> {
        let search = async {
            loop {
                while let Some(delivery) = self.rest.lock().unwrap().pop_front() {
                    match delivery {
                        Delivery::Update(_, update) if wanted(&update) => return update,
                        _ => {}
                    }
                }
                let mut deliveries = Vec::new();
                self.sink.receive(&mut deliveries).await;
                self.rest.lock().unwrap().extend(deliveries);
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("what must come, comes")
    }

    pub(crate) async fn of_kind(&self, kind: Kind) -> Arc<Shared> {
        self.update(|update| update.kind() == kind).await
    }

    /// The link, once it is of a sort.
    pub(crate) async fn link(&self, wanted: impl Fn(&Link) -> bool) -> Link {
        let is = |update: &Shared| matches!(&update.signal, Signal::Link(link) if wanted(link));
        match &self.update(is).await.signal {
            Signal::Link(link) => link.clone(),
            other => unreachable!("{other:?}"),
        }
    }

    pub(crate) async fn is_up(&self) {
        self.link(|link| link.state == LinkState::Up).await;
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

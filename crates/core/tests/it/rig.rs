//! What the tests share: a hub with one robot, and what its subscribers get.

use std::time::Duration;

use latimer_core::hub::{Delivery, Origin, RobotInfo, Sink, Source, Subscription};
use latimer_core::model::signal::{Contact, ContactSensor, Frame};
use latimer_core::{Clock, Command, Hub, PartName, RobotId, Signal, Timestamp, Update};

pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
pub(crate) const STOP: Command = Command::Stop { hold: false };

pub(crate) fn hub() -> Hub {
    Hub::new(Clock::starting_at(Timestamp::from_nanos(1_000_000_000)))
}

pub(crate) fn robot() -> RobotId {
    RobotId::new("r").unwrap()
}

/// A simulated robot.
pub(crate) fn source(hub: &Hub) -> Source {
    hub.register(RobotInfo::new(robot(), "test", Origin::Simulated)).unwrap()
}

/// A real one.
pub(crate) fn connected(hub: &Hub) -> Source {
    hub.register(RobotInfo::new(robot(), "test", Origin::Connected("host".into()))).unwrap()
}

pub(crate) fn subscription(select: &str) -> Subscription {
    Subscription::to(select.parse().unwrap())
}

pub(crate) fn update(hub: &Hub, part: &str, signal: impl Into<Signal>) -> Update {
    Update::now(&robot(), hub.clock().now(), signal.into()).of_part(PartName::of(part))
}

pub(crate) fn contact(contacted: bool) -> Contact {
    Contact { contacted, sensor: ContactSensor::Bumper, position: None, frame: Frame::BaseLink }
}

/// Everything that is due now, without waiting.
pub(crate) async fn drain(sink: &Sink) -> Vec<Delivery> {
    let mut out = Vec::new();
    tokio::select! {
        biased;
        () = sink.receive(&mut out) => {}
        () = tokio::task::yield_now() => {}
    }
    out
}

pub(crate) fn distances(deliveries: &[Delivery]) -> Vec<f64> {
    let distance = |delivery: &Delivery| match delivery {
        Delivery::Update(_, update) => update.signal.field("distance_m")?.as_f64(),
        _ => None,
    };
    deliveries.iter().filter_map(distance).collect()
}

//! An update on its way through the hub.

use std::hint::black_box;

use latimer_core::hub::{MailboxLimits, Origin, RobotInfo, Sink, Source, Subscription};
use latimer_core::model::signal::{AngularRate, Imu};
use latimer_core::{Clock, Hub, RobotId, Update};

use super::{Run, samples};

/// How many updates are counted; as many can wait for a sink.
pub(super) const PUBLISHED: u32 = 500;
/// Clients.
const SINKS: usize = 4;

/// A robot, and sinks that subscribe to what it publishes; the hub must live as long.
fn robot() -> anyhow::Result<(Hub, Source, Vec<Sink>)> {
    let hub = Hub::new(Clock::starting_at(samples::AT));
    let source = hub.register(RobotInfo::new(RobotId::new("robot-1")?, "misty", Origin::Simulated))?;
    let sinks = (0..SINKS).map(|_| {
        let sink = hub.sink("counts", "reader", MailboxLimits::default());
        sink.subscribe(Subscription::to("robot-1/imu".parse()?));
        Ok(sink)
    });
    let sinks = sinks.collect::<anyhow::Result<_>>()?;
    Ok((hub, source, sinks))
}

fn publish_one(source: &Source) {
    let rate = AngularRate { x_radps: 0.0, y_radps: 0.0, z_radps: 0.5 };
    let imu = Imu { orientation: None, angular_velocity: Some(rate), linear_acceleration: None };
    source.publish(Update::now(source.robot(), samples::AT, imu.into()));
}

/// An update is published to four sinks that do not read meanwhile.
pub(super) fn publish() -> anyhow::Result<Run> {
    let (hub, source, sinks) = robot()?;
    Ok(Box::new(move || {
        let _ = (&hub, &sinks);
        publish_one(&source);
    }))
}

/// The same, and each of them reads it.
pub(super) fn deliver() -> anyhow::Result<Run> {
    let (hub, source, sinks) = robot()?;
    let mut deliveries = Vec::new();
    Ok(Box::new(move || {
        let _ = &hub;
        publish_one(&source);
        sinks.iter().for_each(|sink| sink.try_receive(&mut deliveries));
        black_box(&deliveries);
        deliveries.clear();
    }))
}

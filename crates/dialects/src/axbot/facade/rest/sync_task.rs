//! The task that enters the robot's own messages into the REST state, until the robot is gone.

use std::sync::Arc;

use latimer_core::hub::{
    Delivery, DemandLevel, MailboxLimits, Selection, Shared, Sink, Subscription, SubscriptionId,
};
use latimer_core::model::{Kind, Signal};
use tokio_util::sync::CancellationToken;

use super::{atlas, mappings};
use crate::axbot::NAME;
use crate::axbot::facade::robot::FacadeRobot;

/// Updates the REST state from the robot's messages until `shutdown` or until the robot is gone.
pub(in crate::axbot::facade) async fn sync(robot: Arc<FacadeRobot>, stop: CancellationToken) {
    let sink = robot.hub.internal_sink(NAME, "the rest_state", MailboxLimits::default());
    let kinds = [Kind::Navigation, Kind::MapInfo, Kind::Localization];
    let select = Selection::of_kinds(&robot.robot, &kinds);
    sink.subscribe(Subscription { demand: DemandLevel::Slow, ..Subscription::to(select) });
    // Events that are over are not sent to later clients.
    if let Some(last) = robot.last(Kind::Navigation) {
        enter(&robot, &last);
    }
    let mut population = robot.hub.population();
    let mut makes_map = robot.rest_state.makes_map.subscribe();
    let mut cells: Option<SubscriptionId> = None;
    let mut deliveries = Vec::new();
    loop {
        follow_cells(&robot, &sink, *makes_map.borrow_and_update(), &mut cells);
        tokio::select! {
            () = stop.cancelled() => return,
            () = population.changed() => {
                if !robot.hub.has(&robot.robot) {
                    return;
                }
            }
            changed = makes_map.changed() => {
                if changed.is_err() {
                    return;
                }
            }
            () = sink.receive(&mut deliveries) => {}
        }
        for delivery in deliveries.drain(..) {
            match delivery {
                Delivery::Update(_, update) => enter(&robot, &update),
                Delivery::Gap(_) => {}
                Delivery::End(_) => return,
            }
        }
    }
}

fn enter(robot: &FacadeRobot, update: &Shared) {
    match &update.signal {
        Signal::Navigation(navigation) => robot.rest_state.moves().observe(navigation, update.received),
        Signal::MapInfo(_) => atlas::catch_up(robot),
        Signal::Map(_) => mappings::take_in(robot),
        _ => {}
    }
}

/// Cells and the way are published only while somebody wants them.
fn follow_cells(robot: &FacadeRobot, sink: &Sink, wanted: bool, cells: &mut Option<SubscriptionId>) {
    match *cells {
        None if wanted => {
            let select = format!("{0}/map/map,{0}/path/trajectory,{0}/objects/landmarks", robot.robot);
            *cells = select.parse().ok().map(|select| sink.subscribe(Subscription::to(select)));
        }
        Some(id) if !wanted => {
            sink.unsubscribe(id);
            *cells = None;
        }
        _ => {}
    }
}

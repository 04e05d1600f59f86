//! The subscriptions of one socket: from a client's request to the hub's, and back from a delivery.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use foldhash::HashMap;
use latimer_core::hub::{DemandLevel, Filter, Pace, Selection, Shared, Sink, Subscription, SubscriptionId};
use latimer_core::model::{Kind, Path};

use super::event;
use super::names::Taken;
use super::request::Subscribe;
use super::robot::FacadeRobot;
use super::view::{EventView, is_composed};
use crate::misty::limits::{DEFAULT_DEBOUNCE_TIME, MAX_SUBSCRIPTIONS_PER_SOCKET};
use crate::misty::wire::Cadence;
use crate::misty::wire::{EventType, envelope};

struct Registration {
    name: Taken,
    event_type: EventType,
    return_property: Option<Path>,
}

/// The subscriptions of one socket.
pub(super) struct Subscriptions {
    robot: Arc<FacadeRobot>,
    by_id: HashMap<SubscriptionId, Registration>,
}

/// Why a subscription is refused, in the words for the client.
pub(super) enum Refused {
    /// Another subscription of this robot has the name.
    NameTaken,
    /// This socket has too many.
    TooMany,
    /// The robot does not sense that, and it cannot be derived.
    Absent,
}

impl Subscriptions {
    pub(super) fn new(robot: Arc<FacadeRobot>) -> Self {
        Self { robot, by_id: HashMap::default() }
    }

    /// Begins a subscription in the hub.
    pub(super) fn add(&mut self, sink: &Sink, asked: Subscribe) -> Result<(), Refused> {
        if self.by_id.len() >= MAX_SUBSCRIPTIONS_PER_SOCKET {
            return Err(Refused::TooMany);
        }
        if !self.robot.offers(asked.event_type) {
            return Err(Refused::Absent);
        }
        let name = self.robot.names.take(&asked.event_name).ok_or(Refused::NameTaken)?;
        let Subscribe { event_type, event_name: _, debounce, return_property, conditions } = asked;
        let (every, repeat) = pace(event_type, debounce);
        let mut kinds = event_type.kinds().to_vec();
        // What is composed has no update of its own: the link, which every robot has, paces it, and what it is composed of is
        // demanded all the same.
        kinds.extend(is_composed(event_type).then_some(Kind::Link));
        let id = sink.subscribe(Subscription {
            select: Selection::of_kinds(&self.robot.robot, &kinds),
            filter: Filter::all(conditions),
            every,
            pace: Pace::PerSubscription,
            repeat,
            // `DebounceMs` 0 asks for every change, and clients count on it.
            every_change: every.is_zero(),
            initial: event_type.cadence().begins_with_last(),
            demand: DemandLevel::Full,
            derived: self.robot.is_foreign(),
            pick: Vec::new(),
            view: Arc::new(EventView { robot: self.robot.clone(), event_type }),
        });
        self.by_id.insert(id, Registration { name, event_type, return_property });
        Ok(())
    }

    /// Ends a subscription of this socket; false if it has none of that name.
    pub(super) fn remove(&mut self, sink: &Sink, event_name: &str) -> bool {
        let found = self.by_id.iter().find(|(_, known)| known.name.as_str() == event_name).map(|(id, _)| *id);
        let Some(id) = found else { return false };
        sink.unsubscribe(id);
        self.by_id.remove(&id).is_some()
    }

    /// The name that a subscription was made under.
    pub(super) fn name(&self, id: SubscriptionId) -> Option<&str> {
        self.by_id.get(&id).map(|known| known.name.as_str())
    }

    /// The frame for a delivery; `None` if there is nothing to send.
    pub(super) fn frame(&self, id: SubscriptionId, update: &Shared) -> Option<Vec<u8>> {
        let Registration { name, event_type, return_property } = self.by_id.get(&id)?;
        let style = self.robot.style();
        if is_composed(*event_type) {
            // A robot that is not connected sends nothing, whatever its last values are.
            if !self.robot.is_reachable() {
                return None;
            }
            let composed = self.robot.composed(*event_type);
            let body = match return_property {
                Some(path) => picked(&composed.full, *event_type, path),
                None => composed.body.clone(),
            };
            return Some(envelope(name.as_str(), *event_type, &body, style.version));
        }
        let body = match return_property {
            // Each client's own; what it is picked from is shared.
            Some(path) => picked(&event::full(update), *event_type, path),
            None => event::body(update, style)?.as_ref().clone(),
        };
        Some(envelope(name.as_str(), *event_type, &body, style.version))
    }
}

/// A property that is not there is sent as `null`, so that the client sees its mistake.
fn picked(full: &serde_json::Value, event_type: EventType, path: &Path) -> Bytes {
    event::property(full, event_type, path).map_or_else(|| Bytes::from_static(b"null"), event::encode)
}

/// The least time between messages, and whether to repeat what did not change.
fn pace(event_type: EventType, debounce: Option<Duration>) -> (Duration, bool) {
    match event_type.cadence() {
        Cadence::Timed { default, shortest } => {
            (debounce.map_or(default, |asked| asked.max(shortest)), is_composed(event_type))
        }
        Cadence::Debounced | Cadence::OnEvent | Cadence::WhileRecording => {
            (debounce.unwrap_or(DEFAULT_DEBOUNCE_TIME), false)
        }
    }
}

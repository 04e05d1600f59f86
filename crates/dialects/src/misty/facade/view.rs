//! Misty's own names for conditions: each event type looks into its whole message.

use std::fmt;
use std::sync::Arc;

use latimer_core::Value;
use latimer_core::hub::{Shared, View};
use latimer_core::model::signal::{Imu, Signal};
use latimer_core::model::{Kind, PartName, Path};

use super::event;
use super::robot::FacadeRobot;
use crate::json::value_from_json;
use crate::misty::map::names::is_known;
use crate::misty::wire::EventType;

/// The messages of one event type of one robot.
pub(super) struct EventView {
    pub(super) robot: Arc<FacadeRobot>,
    pub(super) event_type: EventType,
}

/// Whether an event is put together from several signals, at the client's own pace.
pub(super) const fn is_composed(event_type: EventType) -> bool {
    matches!(event_type, EventType::SelfState | EventType::WorldState)
}

impl View for EventView {
    fn covers(&self, kind: Kind, part: Option<&PartName>) -> bool {
        // Composed events come by the link's timer alone, whatever else they are composed of.
        if is_composed(self.event_type) {
            return kind == Kind::Link;
        }
        let parts = self.event_type.parts();
        if self.robot.is_foreign() && !is_known(kind, part) {
            return false;
        }
        let is_its_part = parts.is_empty() || part.is_some_and(|part| parts.contains(&part.as_str()));
        is_its_part && self.event_type.kinds().contains(&kind)
    }

    fn knows(&self, update: &Shared) -> bool {
        let is_told = match self.robot.is_foreign() {
            // A Misty's attitude has always been there.
            true => !matches!(&update.signal, Signal::Imu(Imu { orientation: None, .. })),
            false => update.provenance.is_none(),
        };
        is_composed(self.event_type) || (is_told && event::event_type(update) == Some(self.event_type))
    }

    fn value(&self, update: &Shared, path: &Path) -> Option<Value> {
        let find = |full| event::property(full, self.event_type, path).map(value_from_json);
        if is_composed(self.event_type) {
            find(&self.robot.composed(self.event_type).full)
        } else {
            find(&event::full(update))
        }
    }
}

impl fmt::Debug for EventView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventView({})", self.event_type)
    }
}

//! One hub robot as a Misty: what all of its sockets and calls share.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use latimer_core::hub::Shared;
use latimer_core::model::signal::{Kind, LinkState, TextChannel};
use latimer_core::{Hub, RobotId};
use serde_json::Value as Json;

use super::compose;
use super::event::Style;
use super::names::Names;
use crate::misty::map::names::Family;
use crate::misty::wire::{EventType, Message, Version};

/// Composed events are shared by all who ask within this time.
const TICK_MS: u64 = 50;

/// A composed event with its encodings.
#[derive(Debug)]
pub(super) struct Composed {
    tick: u64,
    style: Style,
    pub(super) full: Json,
    pub(super) body: Bytes,
}

/// A robot of the hub, served as a Misty.
#[derive(Debug)]
pub(super) struct FacadeRobot {
    pub(super) robot: RobotId,
    pub(super) hub: Hub,
    pub(super) names: Arc<Names>,
    pub(super) ip: IpAddr,
    deprecated: AtomicBool,
    pascal_case: bool,
    self_state: Mutex<Option<Arc<Composed>>>,
    world_state: Mutex<Option<Arc<Composed>>>,
}

impl FacadeRobot {
    pub(super) fn new(robot: RobotId, hub: Hub, style: Style, ip: IpAddr) -> Self {
        Self {
            robot,
            hub,
            names: Arc::default(),
            ip,
            deprecated: AtomicBool::new(style.version == Version::Deprecated),
            pascal_case: style.pascal_case,
            self_state: Mutex::default(),
            world_state: Mutex::default(),
        }
    }

    /// How events are written now; `POST websocket/version` changes it for all sockets.
    pub(super) fn style(&self) -> Style {
        let deprecated = self.deprecated.load(Ordering::Relaxed);
        Style {
            version: if deprecated { Version::Deprecated } else { Version::Current },
            pascal_case: self.pascal_case,
        }
    }

    pub(super) fn set_version(&self, version: Version) {
        self.deprecated.store(version == Version::Deprecated, Ordering::Relaxed);
    }

    /// Whether messages of the robot itself arrive.
    pub(super) fn is_reachable(&self) -> bool {
        self.hub.robot(&self.robot).is_some_and(|robot| robot.link.state == LinkState::Up)
    }

    /// Whether it is of another family: of such a one programs get the parts that a Misty has.
    pub(super) fn is_foreign(&self) -> bool {
        self.hub.family(&self.robot).is_some_and(|family| family != crate::misty::NAME)
    }

    /// Whether events of a type can come: the robot senses that, or it is derived.
    pub(super) fn offers(&self, event_type: EventType) -> bool {
        let families = |kind: Kind| match event_type {
            EventType::BumpSensor => &[Family::Bumper],
            EventType::TouchSensor => &[Family::Touch],
            _ => Family::of_kind(kind),
        };
        let sensors = |kind: &Kind| match families(*kind) {
            families if families.is_empty() || !self.is_foreign() => {
                self.hub.offers(&self.robot, *kind, None)
            }
            families => {
                let mut sensors = families.iter().flat_map(|family| family.sensors());
                sensors.any(|it| self.hub.offers(&self.robot, *kind, Some(it.part)))
            }
        };
        if event_type == EventType::SerialMessage && !self.hub.profile(&self.robot).says(TextChannel::Serial)
        {
            return false;
        }
        !self.hub.has(&self.robot) || event_type.kinds().iter().any(sensors)
    }

    pub(super) fn last(&self, kind: Kind) -> Option<Arc<Shared>> {
        self.hub.last(&self.robot, kind, None)
    }

    /// SelfState or WorldState as of now, composed at most once per tick.
    pub(super) fn composed(&self, event_type: EventType) -> Arc<Composed> {
        let cache = if event_type == EventType::WorldState { &self.world_state } else { &self.self_state };
        let now = self.hub.clock().now();
        let tick = now.as_nanos().unsigned_abs() / (TICK_MS * 1_000_000);
        let style = self.style();
        let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(composed) = cache.as_ref().filter(|known| known.tick == tick && known.style == style) {
            return composed.clone();
        }
        let composed = Arc::new(match compose::own_native(self, event_type) {
            Some(body) => {
                let full = serde_json::from_slice(&body).unwrap_or(Json::Null);
                Composed { tick, style, full, body }
            }
            None => {
                let message: Message = compose::message(self, event_type, now);
                Composed { tick, style, full: message.full(), body: style.write(&message) }
            }
        });
        *cache = Some(composed.clone());
        composed
    }
}

//! Which subscriptions a robot should get, from what the gateway's sinks want; no I/O.

use std::collections::BTreeMap;

use latimer_core::PartName;
use latimer_core::model::Kind;
use serde_json::json;

use crate::misty::map::names::{EDGES, JOINTS, RANGES};
use crate::misty::wire::EventType;

/// Always asked for: it comes every few seconds and shows that the robot lives.
const HEARTBEAT: EventType = EventType::BatteryCharge;

/// One subscription on the robot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wish {
    pub(super) event_type: EventType,
    /// `(property, value)` that picks one sensor of a group; see the note on starvation below.
    sensor: Option<(&'static str, &'static str)>,
}

impl Wish {
    /// The name to subscribe under; unlike any other client's by the prefix.
    pub(super) fn name(&self, prefix: &str) -> String {
        match self.sensor {
            Some((_, sensor)) => format!("{prefix}-{}-{sensor}", self.event_type),
            None => format!("{prefix}-{}", self.event_type),
        }
    }

    /// The message that subscribes.
    pub(super) fn subscribe(&self, prefix: &str) -> String {
        let conditions = self
            .sensor
            .map(|(property, value)| json!([{"Property": property, "Inequality": "=", "Value": value}]));
        json!({
            "Operation": "subscribe",
            "Type": self.event_type.as_str(),
            "DebounceMs": debounce_ms(self.event_type),
            "EventName": self.name(prefix),
            "Message": "",
            "ReturnProperty": null,
            "EventConditions": conditions.unwrap_or_else(|| json!([])),
        })
        .to_string()
    }

    /// The message that ends the subscription.
    pub(super) fn unsubscribe(&self, prefix: &str) -> String {
        json!({"Operation": "unsubscribe", "EventName": self.name(prefix), "Message": ""}).to_string()
    }
}

/// As often as it helps: what happens is never held back, readings come at about their own pace. Those of the IMU are all of use, and
/// a debounce of their own period would hold back or drop each one that is early.
const fn debounce_ms(event_type: EventType) -> u32 {
    match event_type {
        EventType::BatteryCharge => 1000,
        EventType::TimeOfFlight | EventType::DriveEncoders => 50,
        EventType::ActuatorPosition => 100,
        EventType::SelfState => 250,
        EventType::WorldState => 500,
        _ => 0,
    }
}

/// Whether a kind is taken from an event; what SelfState repeats is taken from the event of its own.
pub(super) fn is_taken_from(kind: Kind, event_type: EventType) -> bool {
    event_type != EventType::SelfState || matches!(kind, Kind::Pose | Kind::Status)
}

/// What is wanted of the robot now.
///
/// A subscription to a group of sensors starves some of them, because the robot sends the most recent
/// one only; so each time-of-flight sensor and each joint gets a subscription of its own. Bumpers and
/// touch sensors send changes without debounce, which cannot starve.
pub(super) fn wishes(wants: impl Fn(Kind, Option<&PartName>) -> bool) -> BTreeMap<Wish, ()> {
    let mut wishes = BTreeMap::new();
    for event_type in EventType::ALL.iter().copied() {
        let wanted =
            event_type.kinds().iter().any(|kind| is_taken_from(*kind, event_type) && wants(*kind, None));
        if !wanted && event_type != HEARTBEAT {
            continue;
        }
        let each: Vec<(&'static str, &'static str)> = match event_type {
            EventType::TimeOfFlight => {
                RANGES.iter().chain(&EDGES).map(|sensor| ("SensorPosition", sensor.sensor_position)).collect()
            }
            EventType::ActuatorPosition => JOINTS.iter().map(|joint| ("SensorId", joint.sensor_id)).collect(),
            _ => {
                wishes.insert(Wish { event_type, sensor: None }, ());
                continue;
            }
        };
        wishes.extend(each.into_iter().map(|sensor| (Wish { event_type, sensor: Some(sensor) }, ())));
    }
    wishes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::misty::facade::request::Request;

    #[test]
    fn only_the_heartbeat_is_asked_for_when_nobody_looks() {
        let wishes = wishes(|_, _| false);
        assert_eq!(wishes.keys().map(|wish| wish.event_type).collect::<Vec<_>>(), [HEARTBEAT]);
    }

    #[test]
    fn each_sensor_of_a_group_gets_its_own() {
        let wishes = wishes(|kind, _| kind == Kind::Range);
        let tof = wishes.keys().filter(|wish| wish.event_type == EventType::TimeOfFlight);
        assert_eq!(tof.count(), 8);
    }

    #[test]
    fn every_wish_is_a_request_that_our_own_facade_reads() {
        for wish in wishes(|_, _| true).keys() {
            let Ok(Request::Subscribe(read)) = Request::parse(&wish.subscribe("latimer-1")) else {
                panic!("{wish:?}");
            };
            assert_eq!(read.event_type, wish.event_type);
            assert_eq!(read.event_name, wish.name("latimer-1"));
            assert!(Request::parse(&wish.unsubscribe("latimer-1")).is_ok());
        }
    }
}

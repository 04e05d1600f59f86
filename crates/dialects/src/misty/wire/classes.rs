//! `GET websockets`: the event types and the properties that conditions may name.

use serde_json::{Value, json};

use super::{EventType, keys};

/// The answer to `GET websockets`; with a class name in any case, that class alone (or nothing).
pub fn websocket_classes(class: Option<&str>) -> Value {
    let wanted = class.map(str::trim).filter(|class| !class.is_empty());
    let classes = EventType::ALL
        .iter()
        .filter(|event_type| wanted.is_none_or(|name| event_type.as_str().eq_ignore_ascii_case(name)))
        .map(|&event_type| json!({"class": event_type.as_str(), "nestedProperties": properties(event_type)}));
    Value::Array(classes.collect())
}

/// Properties that all sensors share.
const SHARED: &[&str] = &["created", "expiry", "sensorId", "sensorName"];

/// Top-level properties of the full object: a robot lists its own first, then those that all sensors share.
fn properties(event_type: EventType) -> Vec<String> {
    let names = || event_type.fields().iter().map(|field| field.name);
    let own = names().filter(|name| !SHARED.contains(name));
    let shared = names().filter(|name| SHARED.contains(name));
    own.chain(shared).map(keys::with_capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_lists_its_own_properties_first() {
        let bump = ["IsContacted", "Pose", "SensorPosition", "Created", "Expiry", "SensorId", "SensorName"];
        assert_eq!(properties(EventType::BumpSensor), bump);
        let focus = ["GainStep", "SectorsEnabled", "SectorStartAngles"];
        assert_eq!(properties(EventType::SourceFocusConfigMessage), focus);
        assert!(properties(EventType::SelfState).iter().any(|name| name == "LocalIPAddress"));
    }

    #[test]
    fn a_class_is_found_in_any_case() {
        let one = websocket_classes(Some("timeofflight"));
        assert_eq!(one[0]["class"], "TimeOfFlight");
        assert_eq!(one[0]["nestedProperties"][0], "SensorPosition");
        assert_eq!(one.as_array().unwrap().len(), 1);
        assert_eq!(websocket_classes(Some("NoSuchClass")), json!([]));
        assert_eq!(websocket_classes(None).as_array().unwrap().len(), 21);
    }
}

//! Lines to copy that show one of the robot's sensors as a Misty shows it.

use latimer_core::PartName;
use latimer_core::model::Kind;
use serde_json::{Value as Json, json};

use super::map::names::{Family, TOUCHES, names_from_part};
use super::map::{COMMANDED, SERIAL};
use super::wire::{Cadence, EventType};
use super::{NAME, PUBSUB};
use crate::lines::{Line, LineRequest};

/// How often what changes all the time is shown, ms.
const DEBOUNCE_MS: u32 = 250;

/// Lines for a kind and part; none if Misty has no words for it.
pub(super) fn lines(request: &LineRequest<'_>) -> Vec<Line> {
    let socket = request.socket(NAME, PUBSUB);
    let event_type = event_type(request.kind, request.part);
    let ask =
        event_type.map(|it| Line::on_socket(&socket, |tool| subscription(it, request, tool).to_string()));
    let calls = Line::calls(&socket, PUBSUB, calls(request.kind, request.part));
    ask.into_iter().flatten().chain(calls).collect()
}

/// The event that shows a part best.
fn event_type(kind: Kind, part: Option<&PartName>) -> Option<EventType> {
    let is = |known: &str| part.is_some_and(|part| part.as_str() == known);
    match kind {
        Kind::Contact if TOUCHES.iter().any(|touch| is(touch.part)) => Some(EventType::TouchSensor),
        Kind::Contact => Some(EventType::BumpSensor),
        Kind::Text if is(SERIAL) => Some(EventType::SerialMessage),
        Kind::Text => Some(EventType::SkillData),
        Kind::Velocity if part.is_some() && !is(COMMANDED) => None,
        _ => {
            let alone = EventType::of_kind(kind).find(|event_type| *event_type != EventType::SelfState);
            alone.or_else(|| EventType::of_kind(kind).next())
        }
    }
}

/// The message that subscribes to the part alone.
fn subscription(event_type: EventType, request: &LineRequest<'_>, tool: &str) -> Json {
    // Robots refuse a name that is in use, so each tool has its own.
    let part = request.part.map(|part| format!(" {part}")).unwrap_or_default();
    let mut ask = json!({
        "Operation": "subscribe",
        "Type": event_type.as_str(),
        "EventName": format!("{}{part} in {tool}", request.kind),
    });
    if event_type.cadence() != Cadence::OnEvent {
        ask["DebounceMs"] = json!(DEBOUNCE_MS);
    }
    if request.kind == Kind::Pose {
        ask["ReturnProperty"] = json!("Location.Pose");
    }
    let conditions = conditions(event_type, request.kind, request.part);
    if !conditions.is_empty() {
        ask["EventConditions"] = Json::Array(conditions);
    }
    ask
}

fn conditions(event_type: EventType, kind: Kind, part: Option<&PartName>) -> Vec<Json> {
    let is = |property: &str, value: &str| json!({"Property": property, "Inequality": "=", "Value": value});
    let family = match event_type {
        EventType::ActuatorPosition => Family::Joint,
        EventType::BumpSensor => Family::Bumper,
        EventType::TouchSensor => Family::Touch,
        EventType::TimeOfFlight if kind == Kind::Cliff => Family::Edge,
        EventType::TimeOfFlight => Family::Range,
        _ => return Vec::new(),
    };
    let mut conditions = Vec::new();
    if let Some(names) = part.map(|part| names_from_part(family, Some(part))) {
        conditions.push(match family {
            Family::Joint => is("SensorName", &names.sensor_name),
            _ => is("SensorPosition", &names.sensor_position),
        });
    }
    // Other robots have range and edge sensors of the same name; of Misty's the name is enough.
    let own = part.is_some_and(|part| family.sensors().iter().any(|sensor| sensor.part == part.as_str()));
    match family {
        Family::Range if !own => conditions.push(is("Type", "Range")),
        Family::Edge if !own => conditions.push(is("Type", "Edge")),
        _ => {}
    }
    conditions
}

/// Calls that read the same.
fn calls(kind: Kind, part: Option<&PartName>) -> &'static [&'static str] {
    match kind {
        Kind::Battery => &["api/battery"],
        Kind::Localization => &["api/slam/status"],
        Kind::HazardSettings => &["api/hazards/settings"],
        Kind::Device => &["api/device"],
        Kind::Library => &["api/faces", "api/audio/list"],
        Kind::Text if part.is_some_and(|part| part.as_str() == SERIAL) => &["api/serial"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::trial;
    use crate::misty::facade::request::Request;

    fn lines_of(robot: &str, kind: Kind, part: Option<&str>) -> Vec<Line> {
        let endpoint = trial::endpoint(Some("misty-1"), NAME, "ws://0.0.0.0:8081/pubsub", "");
        trial::at("localhost:8080", robot, (kind, part), &[endpoint], lines)
    }

    fn ask_of(lines: &[Line]) -> Json {
        let text = lines[0].line.split('\'').nth(1).unwrap();
        assert!(matches!(Request::parse(text), Ok(Request::Subscribe(_))), "{text}");
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn each_part_is_asked_for_by_its_own_name() {
        let cases = [
            (Kind::Range, Some("front_left"), "TimeOfFlight", json!("Left")),
            (Kind::Cliff, Some("back_right"), "TimeOfFlight", json!("DownBackRight")),
            (Kind::Joint, Some("arm_left"), "ActuatorPosition", json!("Actuator_LeftArm")),
            (Kind::Contact, Some("touch_chin"), "TouchSensor", json!("Chin")),
            (Kind::Contact, Some("bump_front_left"), "BumpSensor", json!("FrontLeft")),
            (Kind::Text, Some("serial"), "SerialMessage", Json::Null),
            (Kind::Localization, None, "SlamStatus", Json::Null),
            (Kind::Pose, None, "SelfState", Json::Null),
        ];
        for (kind, part, event_type, value) in cases {
            let ask = ask_of(&lines_of("misty-1", kind, part));
            assert_eq!(ask["Type"], event_type);
            assert_eq!(ask["EventConditions"][0]["Value"], value, "{kind}");
            assert!(ask["EventConditions"][1].is_null(), "{kind}");
        }
        let foreign = ask_of(&lines_of("rover-1", Kind::Cliff, Some("front")));
        assert_eq!(foreign["EventConditions"][0]["Value"], "Front");
        assert_eq!(foreign["EventConditions"][1]["Value"], "Edge");
    }

    #[test]
    fn a_robot_is_reached_on_its_own_port_or_on_the_common_one() {
        let own = lines_of("misty-1", Kind::Battery, None);
        assert!(own[0].line.starts_with("wscat -c ws://localhost:8081/pubsub -w"), "{own:?}");
        assert_eq!(own[3], Line::new("curl", "curl http://localhost:8081/api/battery"));
        let common = lines_of("rover-1", Kind::Battery, None);
        let at = "ws://localhost:8080/robots/rover-1/misty/pubsub";
        assert!(common.iter().take(3).all(|line| line.line.contains(at)), "{common:?}");
        assert_eq!(common[3].line, "curl http://localhost:8080/robots/rover-1/misty/api/battery");
    }

    #[test]
    fn what_misty_has_no_words_for_has_no_lines() {
        assert_eq!(lines_of("misty-1", Kind::Scan, None), []);
        assert_eq!(lines_of("misty-1", Kind::Velocity, Some("measured")), []);
        for &kind in Kind::ALL {
            if let [first, ..] = lines_of("misty-1", kind, None).as_slice()
                && first.tool == "wscat"
            {
                ask_of(std::slice::from_ref(first));
            }
        }
    }
}

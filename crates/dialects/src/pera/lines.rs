//! Lines to copy that show one of the robot's sensors as the swarm shows it.

use crate::broker::Reached;
use crate::contract::Endpoint;
use latimer_core::PartName;
use latimer_core::model::Kind;

use super::NAME;
use super::map::looks_ahead;
use super::roster::SwarmId;
use super::topic::{Channel, Reach, Sensor, Topic};
use crate::lines::{BROKER, Line, LineRequest};

/// Lines for a kind and part; none if the swarm has no words for it, or if the robot is not at a broker.
pub(super) fn lines(request: &LineRequest<'_>, id: Option<SwarmId>) -> Vec<Line> {
    let Some(id) = id else { return Vec::new() };
    let Some(topic) = topic_of(id, request.kind, request.part) else { return Vec::new() };
    let Some(broker) = broker(request) else { return Vec::new() };
    let (at, channel) = (broker.mosquitto(), Channel::new(broker.below.as_deref().unwrap_or("v1")));
    let name = channel.join(&topic.to_string());
    let mut lines = vec![
        Line::new("mosquitto_sub", format!("mosquitto_sub {at} -v -t '{name}'")),
        Line::paho(&broker, &name),
    ];
    if let Some(page) = request.endpoints.iter().find(|it| is_websocket(it)) {
        lines.push(Line::new("javascript", javascript(&request.reachable(&page.url), &name)));
    }
    if let Topic::Sensor(sensor @ (Sensor::Distance | Sensor::Color | Sensor::Compass)) = topic {
        let ask = channel.join(&Topic::SensorAsked(sensor, id).to_string());
        lines.push(Line::new("mosquitto_pub", format!("mosquitto_pub {at} -t '{ask}' -m '?'")));
    }
    lines
}

/// The channel of a kind or of one part of it.
fn topic_of(id: SwarmId, kind: Kind, part: Option<&PartName>) -> Option<Topic> {
    let name = part.map_or("", PartName::as_str);
    let around = name.strip_prefix("virtual_").is_some_and(|direction| direction != "front");
    match kind {
        Kind::Pose => Some(Topic::LocalizationUpdate),
        Kind::Range | Kind::Color if around => Some(Topic::SensorOf(Sensor::Proximity, id)),
        Kind::Range if name.starts_with("virtual_") => Some(Topic::SensorOf(Sensor::Distance, id)),
        Kind::Color if name.starts_with("virtual_") => Some(Topic::SensorOf(Sensor::Color, id)),
        Kind::Range if looks_ahead(part) => Some(Topic::Sensor(Sensor::Distance)),
        Kind::Color if looks_ahead(part) => Some(Topic::Sensor(Sensor::Color)),
        Kind::Imu => Some(Topic::Sensor(Sensor::Compass)),
        Kind::Lamp => Some(Topic::Neopixel),
        Kind::Text => match name.strip_prefix("comm_") {
            Some("in_simple") => Some(Topic::CommIn(Reach::Simple, id)),
            Some("in_direct") => Some(Topic::CommIn(Reach::Direct, id)),
            Some("out_direct") => Some(Topic::CommOut(Reach::Direct)),
            Some(_) => Some(Topic::CommOut(Reach::Simple)),
            None => Some(Topic::Log),
        },
        _ => None,
    }
}

/// The broker at which the robot is: where it is served, or, for one of the swarm, where the swarm is.
fn broker(request: &LineRequest<'_>) -> Option<Reached> {
    let url = request.endpoint(NAME).or_else(|| {
        let is_ours = request.hub.family(request.robot) == Some(NAME);
        let swarm = request.endpoints.iter().find(|it| it.dialect == NAME && it.robot.is_none());
        swarm.filter(|_| is_ours).map(|it| it.url.clone())
    })?;
    request.broker(&url)
}

fn is_websocket(endpoint: &Endpoint) -> bool {
    endpoint.dialect == BROKER && endpoint.url.starts_with("ws")
}

fn javascript(url: &str, topic: &str) -> String {
    format!(
        "import mqtt from \"mqtt\";  // npm install mqtt\n\
         \n\
         const client = mqtt.connect(\"{url}\");\n\
         client.on(\"connect\", () => client.subscribe(\"{topic}\"));\n\
         client.on(\"message\", (topic, payload) => console.log(`${{payload}}`));\n"
    )
}

#[cfg(test)]
mod tests {
    use latimer_core::hub::{Origin, RobotInfo};

    use super::*;
    use crate::lines::trial;
    use crate::pera::roster::number_of;

    fn lines_of(robot: &str, kind: Kind, part: Option<&str>) -> String {
        let endpoints = [
            trial::endpoint(Some("rover-3"), NAME, "mqtt://0.0.0.0:1883/v1", ""),
            trial::endpoint(None, NAME, "mqtt://127.0.0.1:1883/v1", ""),
            trial::endpoint(None, BROKER, "ws://127.0.0.1:9001/mqtt", ""),
        ];
        trial::at("gateway.lab:8080", robot, (kind, part), &endpoints, |request| {
            let guest = RobotInfo::new("pera-7".parse().unwrap(), NAME, Origin::Connected(String::new()));
            let _guest = request.hub.register(guest).unwrap();
            let lines = lines(request, number_of(request.robot));
            lines.iter().map(|line| format!("{}: {}", line.tool, line.line)).collect::<Vec<_>>().join("\n")
        })
    }

    #[test]
    fn a_served_robot_is_shown_and_asked() {
        insta::assert_snapshot!(lines_of("rover-3", Kind::Range, Some("front_left")));
    }

    #[test]
    fn a_number_that_was_given_is_shown() {
        let endpoint = trial::endpoint(Some("rover-1"), NAME, "mqtt://127.0.0.1:1883/v1", "");
        trial::at("gateway.lab:8080", "rover-1", (Kind::Range, None), &[endpoint], |request| {
            let lines = lines(request, Some(40));
            assert!(lines.iter().any(|line| line.line.contains("v1/sensor/distance/40/?")));
        });
    }

    #[test]
    fn one_of_the_swarm_is_where_the_swarm_is() {
        let reported = lines_of("pera-7", Kind::Range, Some("virtual_left"));
        assert!(
            reported.starts_with(
                "mosquitto_sub: mosquitto_sub -h 127.0.0.1 -p 1883 -v -t 'v1/sensor/proximity/7'"
            )
        );
        assert!(lines_of("pera-7", Kind::Text, Some("comm_in_direct")).contains("v1/comm/in/direct/7"));
    }

    #[test]
    fn what_the_swarm_has_no_words_for_has_no_lines() {
        assert_eq!(lines_of("rover-3", Kind::Battery, None), "");
        assert_eq!(lines_of("rover-3", Kind::Range, Some("back")), "");
        assert_eq!(lines_of("other-1", Kind::Pose, None), "", "it is not served");
    }
}

//! Lines to copy that show what a robot reports on its tasks, and that give it one.

use latimer_core::model::Kind;

use super::topic::Topic;
use super::{NAME, config, map};
use crate::broker::Reached;
use crate::lines::{Line, LineRequest};

/// Lines for a kind; none if household robots have no words for it, or if there is no broker.
pub(super) fn lines(request: &LineRequest<'_>) -> Vec<Line> {
    let topic = match request.kind {
        Kind::Text | Kind::Face => Topic::RobotsTask,
        kind if map::KINDS.contains(&kind) => Topic::RobotsStatus,
        // Drives of robots that do no tasks.
        Kind::Navigation | Kind::Motion => Topic::RobotsStatus,
        _ => return Vec::new(),
    };
    let Some(broker) = request.endpoint(NAME).and_then(|url| request.broker(&url)) else {
        return Vec::new();
    };
    let at = broker.mosquitto();
    let mut lines = vec![
        Line::new("mosquitto_sub", format!("mosquitto_sub {at} -v -t {topic}")),
        Line::new("python", python(&broker, topic)),
    ];
    if request.kind == Kind::Task {
        let parameter = r#"{"object": "coke", "to": "user"}"#;
        let task = format!(
            r#"{{"target_id": "{}", "source_id": "{}", "timestamp": '$(date +%s)', "task_id": "task'$(date +%s)'", "priority": {}, "type": "bring", "parameter": {parameter}}}"#,
            request.robot,
            config::DIALOGUE,
            map::USUAL_PRIORITY,
        );
        let topic = Topic::DialogueTask;
        lines.push(Line::new("mosquitto_pub", format!("mosquitto_pub {at} -t {topic} -m '{task}'")));
    }
    lines
}

fn python(broker: &Reached, topic: Topic) -> String {
    let connect = broker.paho();
    format!(
        "import paho.mqtt.client as mqtt  # pip install paho-mqtt\n\
         \n\
         client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)\n\
         client.on_connect = lambda client, *_: client.subscribe(\"{topic}\")\n\
         client.on_message = lambda client, data, message: print(message.payload.decode())\n\
         {connect}\
         client.loop_forever()\n"
    )
}

#[cfg(test)]
mod tests {
    use crate::contract::Endpoint;
    use latimer_core::{Clock, Hub, RobotId};
    use latimer_listen::Address;

    use super::*;

    fn lines_of(robot: &str, kind: Kind) -> Vec<Line> {
        let hub = Hub::new(Clock::system());
        let served = RobotId::new("robotkoop-1").unwrap();
        let (url, try_line) = ("mqtt://0.0.0.0:1883".to_owned(), String::new());
        let endpoints = [Endpoint { robot: Some(served), dialect: NAME, url, try_line }];
        let robot = RobotId::new(robot).unwrap();
        let (endpoints, http) = (&endpoints, &Address::parse("gateway.lab:8080", None).unwrap());
        lines(&LineRequest { hub: &hub, robot: &robot, kind, part: None, endpoints, http })
    }

    #[test]
    fn a_served_robot_is_shown_and_given_a_task() {
        let reported: Vec<String> = lines_of("robotkoop-1", Kind::Task)
            .into_iter()
            .map(|it| format!("{}: {}", it.tool, it.line))
            .collect();
        insta::assert_snapshot!(reported.join("\n"));
        assert!(lines_of("robotkoop-1", Kind::Face)[0].line.ends_with("-v -t /robots/task"));
        assert_eq!(lines_of("rover-1", Kind::Task), [], "it is not served");
        assert_eq!(lines_of("robotkoop-1", Kind::Battery), []);
    }
}

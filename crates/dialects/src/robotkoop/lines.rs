//! Lines to copy that show what a robot reports on its tasks, and that give it one.

use latimer_core::model::Kind;

use super::topic::Topic;
use super::{NAME, config, map};
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
        Line::paho(&broker, topic.as_str()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::trial;

    fn lines_of(robot: &str, kind: Kind) -> Vec<Line> {
        let endpoint = trial::endpoint(Some("robotkoop-1"), NAME, "mqtt://0.0.0.0:1883", "");
        trial::at("gateway.lab:8080", robot, (kind, None), &[endpoint], lines)
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

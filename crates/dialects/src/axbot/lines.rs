//! Lines to copy that show one of the robot's sensors as a chassis shows it.

use latimer_core::PartName;
use latimer_core::model::{Kind, RobotProfile};
use serde_json::{Value as Json, json};

use super::NAME;
use super::topic::Topic;
use crate::lines::{Line, LineRequest};

/// Where messages come.
pub(super) const TOPICS: &str = "/ws/v2/topics";

/// Topics that tell what another tells: they leave the picture to be fetched, or are out of use.
const TOLD_TWICE: [Topic; 8] = [
    Topic::MapV2,
    Topic::CostmapV2,
    Topic::IncrementalMapV2,
    Topic::Costmap,
    Topic::ChassisState,
    Topic::RobotFootprint,
    Topic::DetectedGates,
    Topic::RawIoBoardState,
];

/// Lines for a kind and part; none if a chassis has no words for it.
pub(super) fn lines(request: &LineRequest<'_>) -> Vec<Line> {
    let socket = request.socket(NAME, TOPICS);
    let topics = topics(&request.hub.profile(request.robot), request.kind, request.part);
    let ask = ask(&topics).map(|ask| Line::on_socket(&socket, |_| ask.to_string()));
    ask.into_iter().flatten().chain(Line::calls(&socket, TOPICS, calls(request.kind))).collect()
}

/// The topics that tell a part; those of every part if none is named.
fn topics(profile: &RobotProfile, kind: Kind, part: Option<&PartName>) -> Vec<Topic> {
    let tells = |topic: &Topic| {
        topic.origins_of(profile).any(|(of, named)| {
            let fits = match (part, named) {
                (Some(part), Some(named)) => part.as_str() == named,
                _ => true,
            };
            of == kind && fits
        })
    };
    Topic::ALL.iter().copied().filter(|topic| !TOLD_TWICE.contains(topic)).filter(tells).collect()
}

/// The message that enables topics; one alone is written as every version of a chassis takes it.
fn ask(topics: &[Topic]) -> Option<Json> {
    match topics {
        [] => None,
        [topic] => Some(json!({"enable_topic": topic.as_str()})),
        topics => {
            let names: Vec<&str> = topics.iter().map(|topic| topic.as_str()).collect();
            Some(json!({"enable_topic": names}))
        }
    }
}

/// Calls that read the same.
fn calls(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Device | Kind::Footprint => &["device/info"],
        Kind::Control => &["chassis/status"],
        Kind::MapInfo => &["chassis/current-map"],
        Kind::Navigation => &["chassis/moves"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::trial;

    fn lines_of(robot: &str, kind: Kind, part: Option<&str>) -> Vec<Line> {
        let endpoint = trial::endpoint(Some("chassis-1"), NAME, "ws://0.0.0.0:8090/ws/v2/topics", "");
        trial::at("localhost:8080", robot, (kind, part), &[endpoint], lines)
    }

    fn ask_of(lines: &[Line]) -> Json {
        serde_json::from_str(lines[0].line.split('\'').nth(1).unwrap()).unwrap()
    }

    #[test]
    fn each_part_is_asked_for_by_its_topic() {
        let cases = [
            (Kind::Pose, None, json!("/tracked_pose")),
            (Kind::Joint, Some("roller"), json!("/roller_state")),
            (Kind::Path, Some("local"), json!("/local_path")),
            (Kind::Map, Some("map"), json!("/map")),
            (Kind::Video, Some("camera_front"), json!("/rgb_cameras/front/video")),
            (Kind::Battery, None, json!(["/battery_state", "/detailed_battery_state"])),
            (Kind::Joint, None, json!(["/jack_state", "/roller_state"])),
        ];
        for (kind, part, topics) in cases {
            assert_eq!(ask_of(&lines_of("chassis-1", kind, part))["enable_topic"], topics, "{kind}");
        }
    }

    #[test]
    fn a_robot_is_reached_on_its_own_port_or_on_the_common_one() {
        let own = lines_of("chassis-1", Kind::Control, None);
        assert!(own[0].line.starts_with("wscat -c ws://localhost:8090/ws/v2/topics -w"), "{own:?}");
        assert_eq!(own[3], Line::new("curl", "curl http://localhost:8090/chassis/status"));
        let common = lines_of("rover-1", Kind::Control, None);
        let at = "ws://localhost:8080/robots/rover-1/axbot/ws/v2/topics";
        assert!(common.iter().take(3).all(|line| line.line.contains(at)), "{common:?}");
        assert_eq!(common[3].line, "curl http://localhost:8080/robots/rover-1/axbot/chassis/status");
    }

    #[test]
    fn what_a_chassis_has_no_words_for_has_no_lines() {
        assert_eq!(lines_of("chassis-1", Kind::Face, None), []);
        assert_eq!(lines_of("chassis-1", Kind::Velocity, Some("commanded")), []);
        assert_eq!(lines_of("chassis-1", Kind::Joint, Some("head_yaw")), []);
    }
}

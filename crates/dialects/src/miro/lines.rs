//! Lines to copy that show a robot's topics with the tools of ROS.

use crate::contract::Endpoint;
use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_ros1::name::base_name;

use super::NAME;
use super::messages::{LIGHTS, TOUCH_BODY, TOUCH_HEAD};
use super::topic::Topic;
use crate::lines::{Line, LineRequest};

/// Lines for a kind and part; none if MiRos have no words for it, or if the robot is not served.
pub(super) fn lines(request: &LineRequest<'_>) -> Vec<Line> {
    let Some((topic, field)) = topic_of(request.kind, request.part) else { return Vec::new() };
    let Some((uri, name)) = place(request) else { return Vec::new() };
    let topic_name = topic.of(&name);
    let master = format!("ROS_MASTER_URI={uri}");
    let path = if field.is_empty() { topic_name.clone() } else { format!("{topic_name}/{field}") };
    vec![
        Line::new("rostopic", format!("{master} rostopic echo {path}")),
        Line::new("rospy", rospy(&uri, &topic_name, topic)),
        Line::new("rosbag", format!("{master} rosbag record -O {name}.bag {topic_name}")),
    ]
}

/// The master, and what ROS calls the robot.
fn place(request: &LineRequest<'_>) -> Option<(String, String)> {
    if let Some(uri) = request.endpoint(NAME) {
        let own = |it: &&Endpoint| it.dialect == NAME && it.robot.as_ref() == Some(request.robot);
        let line = &request.endpoints.iter().find(own)?.try_line;
        let name = line.split_once("/miro/")?.1.split('/').next()?;
        return Some((uri, name.to_owned()));
    }
    // Served with all others, under its own name.
    let all = |it: &&Endpoint| it.dialect == NAME && it.robot.is_none() && it.try_line.contains(SERVE_ALL);
    let endpoint = request.endpoints.iter().find(all)?;
    Some((endpoint.url.clone(), base_name(request.robot.as_str())))
}

/// What stands in the try line of a master at which every robot is served.
pub(super) const SERVE_ALL: &str = "/miro";

/// The topic of a kind, and the field.
fn topic_of(kind: Kind, part: Option<&PartName>) -> Option<(Topic, &'static str)> {
    let part = part.map_or("", PartName::as_str);
    let right = part == "camera_right";
    // Sensors of other names have no place in a MiRo's arrays.
    let is_one_of = |names: &[&str]| part.is_empty() || names.contains(&part);
    let field = match kind {
        Kind::Battery => "battery_voltage",
        Kind::Temperature => "temperature/temperature",
        Kind::Imu if part == "head" => "accel_head",
        Kind::Imu => "accel_body",
        Kind::Velocity => "odometry/twist/twist",
        Kind::Joint if part == "eyelids" => "eyelid_closure",
        Kind::Joint => "joint_state",
        Kind::Pins => "dip_state_phys",
        Kind::Range => "sonar_range",
        Kind::Light if is_one_of(&LIGHTS) => "light",
        Kind::Contact if is_one_of(&TOUCH_HEAD) => "touch_head",
        Kind::Contact if is_one_of(&TOUCH_BODY) => "touch_body",
        Kind::Cliff => "cliff",
        Kind::Pose => return Some((Topic::Odom, "")),
        Kind::Device | Kind::Status | Kind::Alerts => return Some((Topic::State, "")),
        Kind::Image => return Some((if right { Topic::CamR } else { Topic::CamL }, "header")),
        Kind::CompressedImage => {
            return Some((if right { Topic::CamRCompressed } else { Topic::CamLCompressed }, "header"));
        }
        Kind::Audio => return Some((Topic::Mics, "header")),
        Kind::Text => return Some((Topic::Log, "")),
        _ => return None,
    };
    Some((Topic::Sensors, field))
}

fn rospy(uri: &str, topic_name: &str, topic: Topic) -> String {
    let (package, message) = topic.type_name().split_once('/').unwrap_or_default();
    format!(
        "import os\n\
         os.environ[\"ROS_MASTER_URI\"] = \"{uri}\"\n\
         import rospy\n\
         from {package}.msg import {message}\n\
         \n\
         rospy.init_node(\"look\", anonymous=True)\n\
         rospy.Subscriber(\"{topic_name}\", {message}, print, tcp_nodelay=True)\n\
         rospy.spin()\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::trial;

    fn lines_of(robot: &str, kind: Kind, endpoints: &[Endpoint]) -> Vec<Line> {
        lines_of_part(robot, kind, None, endpoints)
    }

    fn lines_of_part(robot: &str, kind: Kind, part: Option<&str>, endpoints: &[Endpoint]) -> Vec<Line> {
        trial::at("gateway.lab:8080", robot, (kind, part), endpoints, lines)
    }

    fn endpoint(robot: Option<&str>, line: &str) -> Endpoint {
        trial::endpoint(robot, NAME, "http://127.0.0.1:11311", line)
    }

    #[tokio::test]
    async fn a_served_robot_is_shown_under_its_name_in_ros() {
        let served =
            [endpoint(Some("miro-1"), "ROS_MASTER_URI=x rostopic echo -n1 /miro/rob01/sensors/odom")];
        let lines = lines_of("miro-1", Kind::Range, &served);
        assert_eq!(
            lines[0].line,
            "ROS_MASTER_URI=http://127.0.0.1:11311 rostopic echo /miro/rob01/platform/sensors/sonar_range"
        );
        assert!(lines[1].line.contains("from miro_msgs.msg import platform_sensors"), "{}", lines[1].line);
        assert!(lines[2].line.ends_with("rosbag record -O rob01.bag /miro/rob01/platform/sensors"));
        assert_eq!(lines_of("miro-1", Kind::Map, &served), []);
        assert_eq!(lines_of("rover-1", Kind::Range, &served), [], "it is not served");
        let all = [endpoint(None, "ROS_MASTER_URI=x rostopic list /miro")];
        assert!(
            lines_of("rover-1", Kind::Battery, &all)[0]
                .line
                .contains("/miro/rover_1/platform/sensors/battery")
        );
    }

    #[tokio::test]
    async fn a_sensor_that_no_miro_has_has_no_line() {
        let all = [endpoint(None, "ROS_MASTER_URI=x rostopic list /miro")];
        let touched = lines_of_part("rover-1", Kind::Contact, Some("touch_body_2"), &all);
        assert!(touched[0].line.ends_with("/platform/sensors/touch_body"), "{}", touched[0].line);
        assert_eq!(lines_of_part("rover-1", Kind::Contact, Some("bumper_front_left"), &all), []);
    }
}

//! What is taken for what of a bridge's topics and actions.

use serde_json::json;

use super::*;

fn graph(keys: &[(Role, &str)], preset: Option<&str>, listed: Option<&[(&str, &str)]>) -> Graph {
    let written = keys.iter().map(|(role, name)| (*role, (*name).to_owned())).collect();
    let described = Described::new("/", preset, &written);
    let values = listed.map(|listed| {
        let (topics, types): (Vec<_>, Vec<_>) = listed.iter().copied().unzip();
        json!({"topics": topics, "types": types})
    });
    Graph::new(&described, "/", values.as_ref())
}

fn names(graph: &Graph) -> Vec<&str> {
    graph.incoming.keys().map(String::as_str).collect()
}

#[test]
fn of_several_the_one_by_name_and_no_costmap_goal_or_depth() {
    let graph = graph(
        &[],
        None,
        Some(&[
            ("/a_wheel_odom", "nav_msgs/msg/Odometry"),
            ("/odom", "nav_msgs/msg/Odometry"),
            ("/camera/imu", "sensor_msgs/msg/Imu"),
            ("/imu/data", "sensor_msgs/msg/Imu"),
            ("/back/scan", "sensor_msgs/msg/LaserScan"),
            ("/scan", "sensor_msgs/msg/LaserScan"),
            ("/global_costmap/costmap", "nav_msgs/msg/OccupancyGrid"),
            ("/map", "nav_msgs/msg/OccupancyGrid"),
            ("/goal_pose", "geometry_msgs/msg/PoseStamped"),
            ("/initialpose", "geometry_msgs/msg/PoseWithCovarianceStamped"),
            ("/amcl_pose", "geometry_msgs/msg/PoseWithCovarianceStamped"),
            ("/tf", "tf2_msgs/msg/TFMessage"),
            ("/tf_static", "tf2_msgs/msg/TFMessage"),
            ("/camera/image_raw", "sensor_msgs/msg/Image"),
            ("/camera/depth/image_raw", "sensor_msgs/msg/Image"),
            ("/camera/depth/image_raw/compressedDepth", "sensor_msgs/msg/CompressedImage"),
            ("/camera/depth/points", "sensor_msgs/msg/PointCloud2"),
            ("/front_bumper", "std_msgs/msg/Bool"),
            ("/events/bumper", "kobuki_ros_interfaces/msg/BumperEvent"),
            ("/hazard_detection", "irobot_create_msgs/msg/HazardDetectionVector"),
            ("/is_awake", "std_msgs/msg/Bool"),
            ("/cmd_vel", "geometry_msgs/msg/TwistStamped"),
        ]),
    );
    let own = [
        "/amcl_pose",
        "/camera/depth/points",
        "/camera/image_raw",
        "/events/bumper",
        "/front_bumper",
        "/hazard_detection",
        "/imu/data",
        "/map",
        "/odom",
        "/scan",
        "/tf",
        "/tf_static",
    ];
    assert_eq!(names(&graph), own);
    assert_eq!(graph.outgoing["cmd_vel"].ros_type, "geometry_msgs/msg/TwistStamped");
    assert_eq!(graph.outgoing["goal"].name, "/goal_pose");
}

#[test]
fn what_is_written_wins_over_the_preset_and_that_over_what_is_found() {
    let listed: &[(&str, &str)] = &[
        ("/odom", "nav_msgs/Odometry"),
        ("/odometry/filtered", "nav_msgs/Odometry"),
        ("/scan", "sensor_msgs/LaserScan"),
        ("/nav/cmd_vel", "geometry_msgs/Twist"),
        ("/base/cmd_vel", "geometry_msgs/Twist"),
        ("/battery_state", "std_msgs/String"),
    ];
    let written = [
        (Role::Odom, "/odometry/filtered"),
        (Role::CmdVel, "nav/cmd_vel"),
        (Role::Cancel, "stop_all"),
        (Role::Battery, "battery_state"),
    ];
    let graph = graph(&written, Some("turtlebot3"), Some(listed));
    assert_eq!(names(&graph), ["/odometry/filtered", "/scan"]);
    assert_eq!(graph.outgoing["cmd_vel"].name, "/nav/cmd_vel");
    assert!(!graph.outgoing.contains_key("goal"), "the preset's goal is not listed");
    assert_eq!(
        graph.cancels,
        [Cancel::Topic(Outgoing { name: "/stop_all".into(), ros_type: GOAL_ID.into() })]
    );
    assert_eq!(graph.problems.len(), 1, "{:?}", graph.problems);
}

#[test]
fn without_a_list_the_config_is_all_there_is() {
    let graph = graph(&[(Role::Map, "/hall")], Some("nav2"), None);
    assert_eq!(
        names(&graph),
        [
            "/amcl_pose",
            "/battery_state",
            "/hall",
            "/imu",
            "/joint_states",
            "/odom",
            "/scan",
            "/tf",
            "/tf_static"
        ]
    );
    assert_eq!(graph.outgoing["goal"].name, "/goal_pose");
    assert_eq!(graph.cancels, [Cancel::Service("/navigate_to_pose/_action/cancel_goal".into())]);
}

#[test]
fn actions_below_the_robots_name_take_goals_and_are_cancelled() {
    let described = Described::new("/a/", Some("create3"), &Roles::new());
    let mut graph = Graph::new(&described, "/a/", Some(&json!({"topics": [], "types": []})));
    assert_eq!(graph.action, None, "what a preset names is not there until it is listed");
    let listed = ["/a/navigate_to_position", "/a/led_animation", "/a/dock", "/b/navigate_to_pose"];
    graph.take_actions(&described, "/a/", &listed.map(str::to_owned));
    assert_eq!(graph.action, Some(Action::of("/a/navigate_to_position")));
    let service = |name: &str| Cancel::Service(format!("{name}{CANCEL_GOAL}"));
    assert_eq!(graph.cancels, [service("/a/navigate_to_position"), service("/a/dock")]);
}

//! A MiRo and those who program one: rospy, roscpp and the tools of Debian's ROS 1, at the master within and at Debian's own.

use std::time::Duration;

use latimer_e2e::PROGRAM;
use latimer_e2e::{Gateway, Ros, RosMaster, program};

/// How long a tool may take to show something.
const TOOL: Duration = Duration::from_secs(40);
/// The master's port above the common one.
const MASTER: u16 = 30;

/// One MiRo that stands in an empty room, so that only a command moves it.
fn room(master: &str) -> String {
    format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'empty'\nseed = 1\n\
         [[simulate]]\nrobot = 'miro-1'\nbody = 'miro'\nposition_m = [3.0, 3.0]\nyaw_deg = 0.0\n\
         [miro]\nsounds = ['hello', 'purr']\n[miro.master]\n{master}\n\
         [[miro.serve]]\nrobot = 'miro-1'\nname = 'rob01'\n"
    )
}

/// A gateway, and where its robots are at a master.
struct Scene {
    gateway: Gateway,
    ros: Ros,
    /// Debian's master, unless it is the one within.
    master: Option<RosMaster>,
}

impl Scene {
    async fn own_master() -> Self {
        let gateway = Gateway::with_text(&room("listen = '127.0.0.1:11311'")).await;
        let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
        Self { gateway, ros, master: None }
    }

    async fn rosmaster() -> Self {
        let master = RosMaster::start().await;
        let gateway = Gateway::with_text(&room(&format!("url = '{}'", master.uri()))).await;
        let ros = Ros::at(&master.uri()).await;
        Self { gateway, ros, master: Some(master) }
    }

    /// At a master at which all nodes live by the world's time.
    async fn sim_time(master: Option<RosMaster>) -> Self {
        let uri = master.as_ref().map(RosMaster::uri);
        let own = "listen = '127.0.0.1:11311'".to_owned();
        let room = room(&uri.as_ref().map_or(own, |uri| format!("url = '{uri}'")));
        let gateway = Gateway::with_text(&room.replace("[miro]\n", "[miro]\nsim_time = true\n")).await;
        let uri = uri.unwrap_or_else(|| format!("http://{}", gateway.port(MASTER)));
        let ros = Ros::at(&uri).await;
        Self { gateway, ros, master }
    }

    async fn program(&self, name: &str, arguments: &[&str]) {
        let said = self.ros.run_script(PROGRAM, name, arguments).await;
        assert!(said.contains(": ok"), "{said}");
    }

    async fn listens(&self) {
        self.program("miro_listens.py", &["rob01"]).await;
    }

    async fn speaks(&self) {
        self.program("miro_speaks.py", &["rob01", &self.gateway.http(), "miro-1"]).await;
    }

    async fn drives_by_wheels(&self) {
        self.program("control_wheel_speeds.py", &["rob01", &self.gateway.http(), "miro-1"]).await;
    }

    /// Waits until the tool sees the topics: the gateway may still be on its way to the master.
    async fn until_served(&self) {
        let looking = async {
            loop {
                let output =
                    self.ros.command("rostopic").arg("list").output().await.expect("it is installed");
                if String::from_utf8_lossy(&output.stdout).contains("/miro/rob01/platform/sensors") {
                    return;
                }
            }
        };
        tokio::time::timeout(TOOL, looking).await.expect("the robot is served in time");
    }

    async fn tools_show_it(&self) {
        self.until_served().await;
        let sensors = "/miro/rob01/platform/sensors";
        self.comes_fifty_times_a_second(sensors).await;
        let said = self.ros.run(TOOL, "rostopic", &["echo", "-n1", sensors]).await;
        for word in ["battery_voltage: ", "sonar_range:", "eyelid_closure: ", "touch_head: "] {
            assert!(said.contains(word), "{word} is not in\n{said}");
        }
        let said = self.ros.run(TOOL, "rostopic", &["info", sensors]).await;
        assert!(said.contains("Type: miro_msgs/platform_sensors"), "{said}");
        let node = self.ros.run(TOOL, "rostopic", &["info", "/miro/rob01/platform/control"]).await;
        let node = node.lines().find_map(|line| line.trim().strip_prefix("* ")).map(str::to_owned);
        let node =
            node.expect("somebody follows the control").split(' ').next().unwrap_or_default().to_owned();
        let said = self.ros.run(TOOL, "rosnode", &["info", &node]).await;
        for word in [sensors, "/miro/rob01/platform/control", "Pid: "] {
            assert!(said.contains(word), "{word} is not in\n{said}");
        }
        assert!(!said.contains("ERROR"), "{said}");
        let said = self.ros.run(TOOL, "rosnode", &["ping", "-c1", &node]).await;
        assert!(said.contains("xmlrpc reply from"), "{said}");
        self.a_bag_holds_what_it_says().await;
    }

    async fn the_tools_tell_its_time(&self) {
        let said = self.ros.run(TOOL, "rostopic", &["echo", "-n1", "/clock"]).await;
        assert!(said.contains("secs: ") && said.contains("nsecs: "), "{said}");
        let said = self.ros.run(TOOL, "rostopic", &["info", "/clock"]).await;
        assert!(said.contains("Type: rosgraph_msgs/Clock") && said.contains("* /latimer "), "{said}");
        // By the time that the tool lives by, too, whatever the world's speed is.
        let steady = |line: &str| {
            let rate = line.strip_prefix("average rate: ").and_then(|rate| rate.parse().ok());
            rate.is_some_and(|hz: f64| (hz - 50.0).abs() < 1.0)
        };
        let sensors = "/miro/rob01/platform/sensors";
        self.ros.line(PROGRAM, "rostopic", &["hz", "-w", "200", sensors], steady).await;
    }

    async fn until_param(&self, name: &str, value: &str) {
        let looking = async {
            loop {
                let output =
                    self.ros.command("rosparam").args(["get", name]).output().await.expect("it is installed");
                if String::from_utf8_lossy(&output.stdout).trim() == value {
                    return;
                }
            }
        };
        tokio::time::timeout(TOOL, looking).await.expect("the parameter is set in time");
    }

    /// A hundred messages with a mean within 2 %, and little jitter: on a machine that others use, too, some of them.
    async fn comes_fifty_times_a_second(&self, topic: &str) {
        let mut mean_hz = 0.0;
        let steady = |line: &str| {
            if let Some(rate) = line.strip_prefix("average rate: ") {
                mean_hz = rate.parse().unwrap_or_default();
            }
            let deviation = line.split("std dev: ").nth(1).and_then(|rest| rest.split('s').next());
            let deviation_s: f64 = deviation.and_then(|it| it.parse().ok()).unwrap_or(1.0);
            (mean_hz - 50.0_f64).abs() < 1.0 && deviation_s < 0.01
        };
        self.ros.line(PROGRAM, "rostopic", &["hz", "-w", "100", topic], steady).await;
    }

    /// `rosbag record` is a node of roscpp.
    async fn a_bag_holds_what_it_says(&self) {
        let topics =
            ["/miro/rob01/platform/sensors", "/miro/rob01/platform/state", "/miro/rob01/platform/caml"];
        let mut record = vec!["record", "--duration=6", "-O", "said.bag"];
        record.extend(topics);
        self.ros.run(PROGRAM, "rosbag", &record).await;
        let said = self.ros.run(TOOL, "rosbag", &["info", "said.bag"]).await;
        for word in
            topics.into_iter().chain(["miro_msgs/platform_sensors [547d0cf6cf799e035dff5847bb95c9dd]"])
        {
            assert!(said.contains(word), "{word} is not in\n{said}");
        }
        let line = said.lines().find(|line| line.contains("platform/sensors ")).unwrap_or_default();
        let count =
            line.split_whitespace().zip(line.split_whitespace().skip(1)).find(|(_, it)| *it == "msgs");
        let count: u32 = count.and_then(|(count, _)| count.parse().ok()).unwrap_or_default();
        assert!(count > 150, "{count} messages of 300 in\n{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_gateways_that_serve_one_name_warn_of_each_other() {
    let scene = Scene::own_master().await;
    scene.until_served().await;
    let warning = "another node serves a robot of this name at the same master";
    let master = scene.gateway.port(MASTER);
    let other = room(&format!("url = 'http://{master}'")).replace("[miro]\n", "[miro]\nnode = 'other'\n");
    let other = Gateway::with_text(&other).await;
    let warned = async {
        while ![&scene.gateway, &other].iter().all(|gateway| gateway.said().contains(warning)) {
            // A log does not tell when it grows.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let warned = tokio::time::timeout(TOOL, warned).await;
    assert!(warned.is_ok(), "{}\n{}", scene.gateway.said(), other.said());
    let said = scene.gateway.said();
    let line = said.lines().find(|line| line.contains(warning)).unwrap_or_default();
    assert!(line.contains("name=rob01") && line.contains("others=/other"), "{line}");
}

#[tokio::test]
async fn rospy_hears_everything_it_says_at_its_own_master() {
    Scene::own_master().await.listens().await;
}

#[tokio::test]
async fn rospy_hears_everything_it_says_at_another_master() {
    Scene::rosmaster().await.listens().await;
}

#[tokio::test]
async fn rospy_tells_it_everything_at_its_own_master() {
    Scene::own_master().await.speaks().await;
}

#[tokio::test]
async fn rospy_tells_it_everything_at_another_master() {
    Scene::rosmaster().await.speaks().await;
}

#[tokio::test]
async fn single_wheels_turn_as_the_specification_computes_at_its_own_master() {
    Scene::own_master().await.drives_by_wheels().await;
}

#[tokio::test]
async fn single_wheels_turn_as_the_specification_computes_at_another_master() {
    Scene::rosmaster().await.drives_by_wheels().await;
}

#[tokio::test]
async fn the_tools_show_it_at_its_own_master() {
    Scene::own_master().await.tools_show_it().await;
}

#[tokio::test]
async fn the_tools_show_it_at_another_master() {
    Scene::rosmaster().await.tools_show_it().await;
}

#[tokio::test]
async fn rospy_lives_by_the_world_s_time_at_its_own_master() {
    let scene = Scene::sim_time(None).await;
    scene.program("miro_sim_time.py", &["rob01", &scene.gateway.http()]).await;
    scene.the_tools_tell_its_time().await;
}

#[tokio::test]
async fn rospy_lives_by_the_world_s_time_at_another_master() {
    let scene = Scene::sim_time(Some(RosMaster::start().await)).await;
    scene.until_served().await;
    scene.until_param("/use_sim_time", "true").await;
    scene.program("miro_sim_time.py", &["rob01", &scene.gateway.http()]).await;
    let Scene { mut gateway, ros, master } = scene;
    gateway.signal("INT", TOOL).await;
    // Nobody tells the time any more, so that nobody must wait for it.
    let said = ros.run(TOOL, "rosparam", &["list"]).await;
    assert!(!said.contains("use_sim_time"), "{said}");
    drop(master);
}

#[tokio::test]
async fn frames_and_cameras_are_published_as_programs_of_ros_expect_them() {
    let scene = Scene::own_master().await;
    scene.program("miro_frames.py", &["rob01"]).await;
    let info = "/miro/rob01/platform/caml/camera_info";
    let said = scene.ros.run(TOOL, "rostopic", &["type", info]).await;
    assert_eq!(said.trim(), "sensor_msgs/CameraInfo");
    let said = scene.ros.run(TOOL, "rostopic", &["echo", "-n1", info]).await;
    for word in ["frame_id: \"rob01/caml_optical\"", "distortion_model: \"plumb_bob\"", "width: 320"] {
        assert!(said.contains(word), "{word} is not in\n{said}");
    }
    let said = scene.ros.run(TOOL, "rostopic", &["type", "/tf"]).await;
    assert_eq!(said.trim(), "tf2_msgs/TFMessage");
}

#[tokio::test]
async fn a_master_that_starts_anew_finds_it_again() {
    let mut scene = Scene::rosmaster().await;
    scene.until_served().await;
    let master = scene.master.take().expect("it is Debian's");
    scene.master = Some(master.restart().await);
    scene.until_served().await;
    let sensors = "/miro/rob01/platform/sensors";
    scene.ros.run(TOOL, "rostopic", &["echo", "-n1", sensors]).await;
}

#[tokio::test]
async fn it_waits_for_a_master_that_comes_later() {
    let master = RosMaster::start().await;
    let uri = master.uri();
    // Its port is free again, and known.
    drop(master);
    let gateway = Gateway::with_text(&room(&format!("url = '{uri}'"))).await;
    let master = RosMaster::start_at(latimer_e2e::mosquitto::port_of(&uri)).await;
    let scene = Scene { gateway, ros: Ros::at(&uri).await, master: Some(master) };
    scene.until_served().await;
}

#[tokio::test]
async fn any_robot_is_shown_as_a_miro() {
    let config =
        std::fs::read_to_string(program::repository().join("config/demo.toml")).expect("it is there");
    let gateway = Gateway::with_text(&config).await;
    let ros = Ros::at(&format!("http://{}", gateway.port(MASTER))).await;
    for (robot, volts) in [("misty_1", 6.0..9.0), ("axbot_1", 18.0..60.0)] {
        let topic = format!("/miro/{robot}/platform/sensors/battery_voltage");
        let fits = |line: &str| line.trim().parse().is_ok_and(|it: f64| volts.contains(&it));
        ros.line(TOOL, "rostopic", &["echo", &topic], fits).await;
    }
    let topic = "/miro/misty_1/platform/caml/compressed/format";
    ros.line(TOOL, "rostopic", &["echo", topic], |line| line.contains("jpeg")).await;
}

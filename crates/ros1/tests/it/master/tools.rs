//! `rostopic`, `rosnode`, `rosparam`, `rosservice` with our master, and rospy and roscpp nodes with each other.

use std::time::Duration;

use latimer_ros1::master::Counts;
use latimer_ros1::xmlrpc::Value;

use super::compare::shown;
use super::ros::{Ours, RECORD, Theirs};

#[tokio::test(flavor = "multi_thread")]
async fn rospy_nodes_find_each_other_and_the_tools_see_them() {
    let ours = Ours::start().await;
    let ros = &ours.ros;
    let mut listener = ros.rospy("listener.py", &["/chat", "listener", "/speed"]);
    listener.line(|line| line == "parameter nothing").await;
    let mut talker = ros.rospy("talker.py", &["/chat", "talker"]);
    listener.line(|line| line.starts_with("hello")).await;

    let topics = ros.out("rostopic", &["list"]).await;
    assert_eq!(topics.lines().collect::<Vec<_>>(), ["/chat", "/rosout"]);
    assert_eq!(ros.out("rostopic", &["type", "/chat"]).await.trim(), "std_msgs/String");
    let info = ros.out("rostopic", &["info", "/chat"]).await;
    assert!(
        info.contains("Type: std_msgs/String") && info.contains(" * /talker (http://127.0.0.1"),
        "{info}"
    );
    assert!(info.contains(" * /listener (http://127.0.0.1"), "{info}");
    let echo = ros.out("rostopic", &["echo", "-n2", "/chat"]).await;
    assert!(echo.contains("data: \"hello "), "{echo}");

    let nodes = ros.out("rosnode", &["list"]).await;
    assert_eq!(nodes.lines().collect::<Vec<_>>(), ["/listener", "/talker"]);
    let info = ros.out("rosnode", &["info", "/talker"]).await;
    assert!(info.contains(" * /chat [std_msgs/String]") && info.contains("/talker/get_loggers"), "{info}");
    assert!(info.contains("to: /listener"), "{info}");
    assert!(ros.out("rosnode", &["ping", "-c1", "/talker"]).await.contains("xmlrpc reply"));
    let services = ros.out("rosservice", &["list"]).await;
    assert_eq!(services.lines().filter(|line| line.ends_with("/get_loggers")).count(), 2, "{services}");
    let loggers = ros.out("rosservice", &["call", "/talker/get_loggers"]).await;
    assert!(loggers.contains("rosout"), "{loggers}");
    assert_eq!(ours.graph_counts.counts(), Counts { nodes: 2, topics: 2, services: 4 });

    let killed = ros.out("rosnode", &["kill", "/talker"]).await;
    assert!(killed.contains("killed"), "{killed}");
    talker.line(|line| line == "down").await;
    ros.wait_for_node("/talker", false).await;
    listener.interrupt().await;
    // Its parameter stays followed, as with rosmaster: rospy does not say that it no longer does.
    let empty = Value::Array(vec![Value::Array(Vec::new()); 3]);
    ros.wait("getSystemState", Vec::new(), |_, state| *state == empty).await;
    assert_eq!(ours.graph_counts.counts(), Counts::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn rostopic_publishes_to_whoever_listens() {
    let ours = Ours::start().await;
    let mut listener = ours.ros.rospy("listener.py", &["/chat", "listener", "/speed"]);
    let _publisher = ours
        .ros
        .start("rostopic", &["pub", "-r", "5", "/chat", "std_msgs/String", "data: 'from the command line'"]);
    listener.line(|line| line == "from the command line").await;
    // A follower of a parameter receives each change, however it is set.
    ours.ros.out("rosparam", &["set", "/speed", "0.5"]).await;
    listener.line(|line| line == "parameter 0.5").await;
    ours.ros.out("rosparam", &["delete", "/speed"]).await;
    listener.line(|line| line == "parameter nothing").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rosparam_says_the_same_as_with_rosmaster() {
    let (ours, theirs) = (Ours::start().await, Theirs::start().await);
    for key in ["/rosdistro", "/rosversion", "/run_id"] {
        ours.ros.out("rosparam", &["delete", key]).await;
    }
    let tree = "robot:\n  arm: {length: 1.5, joints: [a, b, c]}\n  name: 'it''s <one> & only'\n  on: true\nempty: {}\n";
    let steps: [&[&str]; 12] = [
        &["load", "tree.yaml"],
        &["list"],
        &["get", "/robot"],
        &["set", "/robot/arm/length", "3"],
        &["get", "/robot/arm"],
        &["get", "/robot/none"],
        &["dump", "dumped.yaml"],
        &["delete", "/robot/arm"],
        &["delete", "/robot/arm"],
        &["load", "dumped.yaml", "/copy"],
        &["set", "/text", "a: {b: 1}"],
        &["get", "/"],
    ];
    for ros in [&ours.ros, &theirs.ros] {
        std::fs::write(ros.folder().join("tree.yaml"), tree).unwrap();
    }
    for step in steps {
        let (our, their) = (ours.ros.run("rosparam", step).await, theirs.ros.run("rosparam", step).await);
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            (lines(&our.out), lines(&our.err)),
            (lines(&their.out), lines(&their.err)),
            "rosparam {step:?}"
        );
    }
    let dumped = |ros: &super::ros::Ros| std::fs::read_to_string(ros.folder().join("dumped.yaml")).unwrap();
    assert_eq!(dumped(&ours.ros), dumped(&theirs.ros));
    assert!(dumped(&ours.ros).contains("it's <one> & only"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_node_leaves_is_cleaned_up_by_rosnode() {
    let ours = Ours::start().await;
    let mut talker = ours.ros.rospy("talker.py", &["/chat", "talker"]);
    ours.ros.wait_for_node("/talker", true).await;
    talker.child.kill().await.unwrap();
    let mut cleanup = ours.ros.command("sh", &["-c", "echo y | rosnode cleanup"]);
    let cleaned = cleanup.output().await.unwrap();
    assert!(cleaned.status.success(), "{cleaned:?}");
    ours.ros.wait_for_node("/talker", false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_node_of_a_name_ends_the_first() {
    let ours = Ours::start().await;
    let mut first = ours.ros.rospy("talker.py", &["/chat", "twin"]);
    ours.ros.wait_for_node("/twin", true).await;
    let address = ours.ros.call("lookupNode", vec![Value::String("/twin".into())]).await.2;
    let _second = ours.ros.rospy("talker.py", &["/chat", "twin"]);
    first.line(|line| line == "down").await;
    let other = |code, value: &Value| code == 1 && *value != address;
    ours.ros.wait("lookupNode", vec![Value::String("/twin".into())], other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_roscpp_node_records_what_a_rospy_node_says() {
    let ours = Ours::start().await;
    let _talker = ours.ros.rospy("talker.py", &["/chat", "talker"]);
    let bag = ours.ros.folder().join("chat.bag");
    let mut record = ours.ros.start(RECORD, &["-O", "chat.bag", "-l", "5", "/chat"]);
    record.child.wait().await.unwrap();
    let info = ours.ros.out("rosbag", &["info", bag.to_str().unwrap()]).await;
    assert!(info.contains("std_msgs/String") && info.contains("messages:    5"), "{info}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rosout_of_roscpp_gathers_logs() {
    let ours = Ours::start().await;
    let _rosout = ours.ros.start("/usr/lib/rosout/rosout", &[]);
    ours.ros.wait_for_node("/rosout", true).await;
    let mut echo = ours.ros.start("rostopic", &["echo", "/rosout_agg/msg"]);
    let _listener = ours.ros.rospy("listener.py", &["/chat", "listener", "/speed"]);
    echo.line(|line| line.contains("the listener listens")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn our_own_rosout_gathers_what_rospy_and_roscpp_say() {
    let ours = Ours::with_rosout().await;
    ours.ros.wait_for_node("/rosout", true).await;
    let nodes = ours.ros.out("rosnode", &["list"]).await;
    assert_eq!(nodes.trim(), "/rosout");
    assert_eq!(ours.ros.out("rostopic", &["type", "/rosout_agg"]).await.trim(), "rosgraph_msgs/Log");
    let mut echo = ours.ros.start("rostopic", &["echo", "/rosout_agg"]);
    ours.ros.wait("getSystemState", Vec::new(), |_, state| shown(state).contains("rostopic")).await;
    let _listener = ours.ros.rospy("listener.py", &["/chat", "listener", "/speed"]);
    echo.line(|line| line == "name: \"/listener\"").await;
    echo.line(|line| line == "msg: \"the listener listens\"").await;
    // It says once what it subscribes to, and roscpp keeps no line for who connects later: so it gets topic after topic.
    let _record = ours.ros.start(RECORD, &["-O", "chat.bag", "-e", "/chat_.*"]);
    let topics = async {
        for number in 0.. {
            let publisher = [&*format!("/chat_{number}"), "std_msgs/String", "http://127.0.0.1:9/"];
            ours.ros.call("registerPublisher", publisher.map(|it| Value::String(it.into())).to_vec()).await;
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    tokio::select! {
        () = topics => {}
        _ = echo.line(|line| line.starts_with("name: \"/record_")) => {}
    }
    // Another gatherer of the name takes its place, and the master goes on.
    let _theirs = ours.ros.start("/usr/lib/rosout/rosout", &[]);
    echo.line(|line| line == "msg: \"the listener listens\"").await;
    ours.ros.out("rosnode", &["info", "/rosout"]).await;
}

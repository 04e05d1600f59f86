//! What Debian's tools show of a node, and what it tells who asks.

use latimer_ros1::msgs::rosgraph_msgs::Log;
use latimer_ros1::node::{Ended, Level};
use latimer_ros1::xmlrpc::{Client, Value};

use super::peers::text;
use super::support::{Master, PATIENCE, Running, ended, layout, next, until, wait_for};

/// A node's answer.
async fn ask(uri: &str, method: &str, words: &[&str]) -> Value {
    let words = ["/test"].iter().chain(words).copied().map(text).collect();
    let answer = Client::new(uri).call(method, words, PATIENCE).await.unwrap();
    let Value::Array(mut answer) = answer else { panic!("no triple") };
    assert_eq!(answer[0], Value::Integer(1), "{answer:?}");
    answer.remove(2)
}

fn list(value: &Value) -> &[Value] {
    match value {
        Value::Array(list) => list,
        other => panic!("no list: {other:?}"),
    }
}

/// How many messages of a topic came to a node.
pub(crate) async fn received(uri: &str, topic: &str) -> i32 {
    let stats = ask(uri, "getBusStats", &[]).await;
    let of_topic = list(&list(&stats)[1]).iter().find(|entry| list(entry)[0] == text(topic));
    let connections = of_topic.map_or(&[][..], |entry| list(&list(entry)[1]));
    let messages = connections.iter().map(|connection| match list(connection)[2] {
        Value::Integer(messages) => messages,
        _ => panic!("no number: {stats:?}"),
    });
    messages.sum()
}

#[tokio::test]
async fn rosnode_shows_a_node_and_its_connections() {
    let master = Master::start().await;
    let robot = Running::at("/robot", &master.uri()).await;
    let publisher = robot.node.advertise("chatter", layout("std_msgs/String"), 4, true).unwrap();
    let mut poses = robot.node.subscribe("/pose", Some("geometry_msgs/PoseStamped"), 4).unwrap();
    let mut listener = master.script("listener.py", &["/chatter"]);
    let _poses = master.script("talker.py", &["/pose"]);
    assert_eq!(listener.line().await, "ready");
    wait_for(publisher.subscribers(), |&count| count == 1).await;
    next(&mut poses).await;
    let info = master.prints("/usr/bin/rosnode", &["info", "/robot"]).await;
    for line in [
        "Publications: \n * /chatter [std_msgs/String]\n * /rosout [rosgraph_msgs/Log]\n",
        "Subscriptions: \n * /pose [geometry_msgs/PoseStamped]\n",
        &format!("Pid: {}\n", std::process::id()),
        " * topic: /chatter\n    * to: /listener\n    * direction: outbound (",
        " * topic: /pose\n    * to: /talker (http://127.0.0.1:",
        "    * direction: inbound (",
        "    * transport: TCPROS\n",
    ] {
        assert!(info.contains(line), "{line:?} in {info}");
    }
    let ping = master.prints("/usr/bin/rosnode", &["ping", "-c1", "/robot"]).await;
    assert!(ping.contains("xmlrpc reply from http://127.0.0.1:"), "{ping}");
    let uri = robot.node.uri();
    let publications = ask(uri, "getPublications", &[]).await;
    assert!(list(&publications).contains(&Value::Array(vec![text("/chatter"), text("std_msgs/String")])));
    let subscriptions = ask(uri, "getSubscriptions", &[]).await;
    let pose = Value::Array(vec![text("/pose"), text("geometry_msgs/PoseStamped")]);
    assert_eq!(subscriptions, Value::Array(vec![pose]));
    assert_eq!(ask(uri, "getMasterUri", &[]).await, text(&master.uri()));
    assert!(received(uri, "/pose").await >= 1);
    listener.kill().await;
    wait_for(publisher.subscribers(), |&count| count == 0).await;
    master.prints("/usr/bin/rosnode", &["kill", "/robot"]).await;
    let Ended::ShutDown(reason) = ended(robot.task).await else { panic!("it was shut down") };
    assert_eq!(reason, "user request");
    let left = master.prints("/usr/bin/rosnode", &["list"]).await;
    assert!(!left.contains("/robot"), "it is unregistered: {left}");
}

#[tokio::test]
async fn rosout_tells_what_a_node_says() {
    let master = Master::start().await;
    let talker = Running::at("/talker", &master.uri()).await;
    talker.node.log(Level::Warn, "the battery is low");
    let mut own = talker.node.subscribe("/rosout", None, 4).unwrap();
    let said = next(&mut own).await.decode::<Log>().unwrap();
    assert_eq!((said.level, said.name.as_str()), (4, "/talker"));
    let echo = master.prints("/usr/bin/rostopic", &["echo", "-n1", "/rosout"]).await;
    for line in [
        "  seq: 1\n  stamp: \n    secs: 1700000000\n    nsecs:         5\n",
        "level: 4\n",
        "name: \"/talker\"\n",
        "msg: \"the battery is low\"\n",
        "topics: \n  - /rosout\n",
    ] {
        assert!(echo.contains(line), "{line:?} in {echo}");
    }
}

#[tokio::test]
async fn rosparam_and_a_node_share_parameters() {
    let master = Master::start().await;
    let running = Running::at("/robot", &master.uri()).await;
    master.prints("/usr/bin/rosparam", &["set", "/robot/name", "rob01"]).await;
    assert_eq!(running.node.param("~name").await.unwrap(), Some(text("rob01")));
    assert_eq!(running.node.param("~other").await.unwrap(), None);
    assert_eq!(running.node.search_param("name").await.unwrap().as_deref(), Some("/robot/name"));
    assert_eq!(running.node.search_param("other").await.unwrap(), None);
    running.node.set_param("~rate", Value::Integer(50)).await.unwrap();
    assert_eq!(master.prints("/usr/bin/rosparam", &["get", "/robot/rate"]).await.trim(), "50");
    running.node.delete_param("~rate").await.unwrap();
    assert!(!running.node.has_param("~rate").await.unwrap());
}

#[tokio::test]
async fn a_wrong_call_is_refused() {
    let master = super::support::Ours::start().await;
    let running = master.node("/robot").await;
    let client = Client::new(running.node.uri());
    let call = async |method: &str, params: Vec<Value>| client.call(method, params, PATIENCE).await;
    let wrong = |status: &str| Value::Array(vec![Value::Integer(-1), text(status), Value::Integer(0)]);
    assert_eq!(
        call("getPid", Vec::new()).await.unwrap(),
        wrong("ERROR: parameter [caller_id] must be a string")
    );
    assert_eq!(
        call("publisherUpdate", vec![text("/m"), text("/t"), Value::Array(vec![Value::Nil])]).await.unwrap(),
        wrong("ERROR: parameter [publishers] must be a list of strings")
    );
    let none = call("noSuchThing", vec![text("/m")]).await.unwrap_err().to_string();
    assert!(none.contains("method \"noSuchThing\" is not supported"), "{none}");
    let answer =
        call("requestTopic", vec![text("/m"), text("/other"), Value::Array(Vec::new())]).await.unwrap();
    let expected = vec![Value::Integer(-1), text("Not a publisher of [/other]"), Value::Array(Vec::new())];
    assert_eq!(answer, Value::Array(expected));
    until("it answers still", async || call("getPid", vec![text("/m")]).await.is_ok()).await;
}

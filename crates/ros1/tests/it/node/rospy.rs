//! rospy's nodes and Debian's tools as peers, at Debian's master.

use latimer_ros1::message::Value as Message;
use latimer_ros1::msgs::geometry_msgs::PoseStamped;
use latimer_ros1::msgs::std_msgs::String as Text;
use latimer_ros1::node::Ended;

use super::support::{Master, Running, layout, next, wait_for};

fn hello() -> Text {
    Text { data: "hello".to_owned() }
}

#[tokio::test]
async fn rospy_and_rostopic_follow_a_topic() {
    let master = Master::start().await;
    let talker = Running::at("/talker", &master.uri()).await;
    let publisher = talker.node.advertise("chatter", layout("std_msgs/String"), 8, true).unwrap();
    publisher.publish(&hello()).unwrap();
    let mut listener = master.script("listener.py", &["/chatter"]);
    assert_eq!(listener.line().await, "ready");
    assert_eq!(listener.line().await, "hello /talker 1 std_msgs/String", "the latched one");
    publisher.publish(&Text { data: "again".to_owned() }).unwrap();
    assert_eq!(listener.line().await, "again /talker 1 std_msgs/String");
    let echo = master.prints("/usr/bin/rostopic", &["echo", "-n1", "/chatter"]).await;
    assert_eq!(echo, "data: \"again\"\n---\n");
    assert_eq!(master.prints("/usr/bin/rostopic", &["type", "/chatter"]).await.trim(), "std_msgs/String");
    assert_eq!(talker.stop().await, Ended::Stopped);
}

#[tokio::test]
async fn rospy_is_followed() {
    let master = Master::start().await;
    let listener = Running::at("/listener", &master.uri()).await;
    let mut any = listener.node.subscribe("/pose", None, 4).unwrap();
    let mut typed = listener.node.subscribe("/pose", Some("geometry_msgs/PoseStamped"), 4).unwrap();
    let _talker = master.script("talker.py", &["/pose"]);
    let first = next(&mut typed).await;
    assert_eq!(&*first.caller, "/talker");
    let (first, second) =
        (first.decode::<PoseStamped>().unwrap(), next(&mut typed).await.decode::<PoseStamped>().unwrap());
    assert_eq!(first.header.frame_id, "map");
    assert!(second.pose.position.x > first.pose.position.x);
    assert!(second.header.seq > first.header.seq);
    let message = next(&mut any).await;
    assert_eq!(message.layout.type_name(), "geometry_msgs/PoseStamped");
    let frame = message.decode::<Message>().unwrap();
    assert_eq!(frame.get("header.frame_id"), Some(&Message::Text("map".to_owned())));
    wait_for(typed.publishers(), |&count| count == 1).await;
}

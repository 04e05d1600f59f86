//! Subscribers and publishers with another build of a type.

use latimer_ros1::message::Layout;
use latimer_ros1::msgs::Time;
use latimer_ros1::msgs::geometry_msgs::Vector3;
use latimer_ros1::msgs::std_msgs::{Header as Stamp, String as Text};
use latimer_ros1::tcpros::Header;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;

use super::peers::{Host, Reader, asking, door, offering};
use super::support::{Ours, layout, next, wait_for};

const TOPIC: &str = "/vector";

/// `geometry_msgs/Vector3` of another build: another order, one field more, one less.
const OTHER: &str = "string note\nfloat32 z\nfloat64 x\n";

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Other {
    note: String,
    z: f32,
    x: f64,
}

#[tokio::test]
async fn a_subscriber_is_served_in_its_own_layout() {
    let master = Ours::start().await;
    let talker = master.node("/talker").await;
    let publisher = talker.node.advertise(TOPIC, layout("geometry_msgs/Vector3"), 8, true).unwrap();
    publisher.publish(&Vector3 { x: 1.5, y: 2.5, z: 3.5 }).unwrap();
    let other = Layout::from_definition("geometry_msgs/Vector3", OTHER).unwrap();
    let asked = asking(TOPIC, other.md5())
        .with("type", "geometry_msgs/Vector3")
        .with("message_definition", other.definition());
    let door = door(talker.node.uri(), TOPIC).await;
    let mut reader = Reader::connect(door, &asked).await.unwrap();
    assert_eq!(reader.header.get("md5sum"), Some(other.md5()));
    assert_eq!(reader.header.get("message_definition"), Some(OTHER));
    assert_eq!(reader.header.get("latching"), Some("1"));
    let expected = Other { note: String::new(), z: 3.5, x: 1.5 };
    assert_eq!(other.decode::<Other>(&reader.next().await).unwrap(), expected, "the latched one");
    wait_for(publisher.subscribers(), |&count| count == 1).await;
    assert_eq!(publisher.foreign_layouts()[0].md5(), other.md5());
    publisher.publish(&Vector3 { x: -1.0, y: 0.0, z: 0.0 }).unwrap();
    assert_eq!(other.decode::<Other>(&reader.next().await).unwrap().x, -1.0);
    let mut usual = Reader::of(door, TOPIC).await;
    assert_eq!(usual.next().await.len(), 24, "beside it the usual build is spoken");
    drop(reader);
    wait_for(publisher.subscribers(), |&count| count == 1).await;
    assert!(publisher.foreign_layouts().is_empty());
}

#[tokio::test]
async fn a_publisher_is_understood_by_its_own_definition() {
    let master = Ours::start().await;
    let listener = master.node("/listener").await;
    let mut vectors = listener.node.subscribe(TOPIC, Some("geometry_msgs/Vector3"), 4).unwrap();
    let host = Host::start(&master.uri, TOPIC).await;
    let other = Layout::from_definition("geometry_msgs/Vector3", OTHER).unwrap();
    let header = Header::default()
        .with("type", other.type_name())
        .with("md5sum", other.md5())
        .with("message_definition", OTHER)
        .with("callerid", "/host");
    let mut stream = host.welcome(&header).await;
    let sent = other.encode(&Other { note: "hi".to_owned(), z: 1.0, x: 2.0 }).unwrap();
    stream.write_all(&u32::try_from(sent.len()).unwrap().to_le_bytes()).await.unwrap();
    stream.write_all(&sent).await.unwrap();
    let message = next(&mut vectors).await;
    assert_eq!(message.layout.md5(), other.md5());
    assert_eq!(message.decode::<Vector3>().unwrap(), Vector3 { x: 2.0, y: 0.0, z: 1.0 });
}

/// A copy of `geometry_msgs/Vector3` in a package of one's own.
fn copy(definition: &str) -> Layout {
    Layout::from_definition("my_robot/Vector3", definition).unwrap()
}

#[tokio::test]
async fn another_package_s_copy_is_served_and_understood() {
    let master = Ours::start().await;
    let node = master.node("/node").await;
    let publisher = node.node.advertise(TOPIC, layout("geometry_msgs/Vector3"), 8, true).unwrap();
    publisher.publish(&Vector3 { x: 1.5, y: 2.5, z: 3.5 }).unwrap();
    let other = copy("float64 z\nfloat64 y\nfloat64 x\n");
    let asked = asking(TOPIC, other.md5())
        .with("type", other.type_name())
        .with("message_definition", other.definition());
    let door = door(node.node.uri(), TOPIC).await;
    let mut reader = Reader::connect(door, &asked).await.unwrap();
    assert_eq!(reader.header.get("type"), Some("my_robot/Vector3"));
    assert_eq!(other.decode::<Vector3>(&reader.next().await).unwrap(), Vector3 { x: 1.5, y: 2.5, z: 3.5 });
    // As roscpp is: by the sum alone, whatever the package.
    let same = asking(TOPIC, layout("geometry_msgs/Vector3").md5()).with("type", "my_robot/Direction");
    assert_eq!(Reader::connect(door, &same).await.unwrap().next().await.len(), 24);
    let none = copy("string text\n");
    let thing = asking(TOPIC, none.md5())
        .with("type", "my_robot/Thing")
        .with("message_definition", none.definition());
    let refused =
        Reader::connect(door, &thing).await.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        refused.contains("types do not match: [my_robot/Thing] vs. [geometry_msgs/Vector3]"),
        "{refused}"
    );

    let mut vectors = node.node.subscribe_like("/theirs", layout("geometry_msgs/Vector3"), 4).unwrap();
    let host = Host::start(&master.uri, "/theirs").await;
    let header = Header::default()
        .with("type", other.type_name())
        .with("md5sum", other.md5())
        .with("message_definition", other.definition())
        .with("callerid", "/host");
    let mut stream = host.welcome(&header).await;
    let sent = other.encode(&Vector3 { x: 1.0, y: 2.0, z: 3.0 }).unwrap();
    stream.write_all(&u32::try_from(sent.len()).unwrap().to_le_bytes()).await.unwrap();
    stream.write_all(&sent).await.unwrap();
    let message = next(&mut vectors).await;
    assert_eq!(message.layout.type_name(), "my_robot/Vector3");
    assert_eq!(message.decode::<Vector3>().unwrap(), Vector3 { x: 1.0, y: 2.0, z: 3.0 });
}

#[tokio::test]
async fn a_publisher_without_a_definition_is_understood_if_everybody_knows_the_type() {
    let master = Ours::start().await;
    let listener = master.node("/listener").await;
    let mut texts = listener.node.subscribe("/chatter", Some("std_msgs/String"), 4).unwrap();
    let host = Host::start(&master.uri, "/chatter").await;
    let mut stream = host.welcome(&offering().with("message_definition", "")).await;
    stream.write_all(b"\x06\0\0\0\x02\0\0\0hi").await.unwrap();
    assert_eq!(next(&mut texts).await.decode::<Text>().unwrap().data, "hi");
}

#[tokio::test]
async fn messages_with_a_header_are_numbered() {
    let master = Ours::start().await;
    let talker = master.node("/talker").await;
    let publisher = talker.node.advertise("/stamped", layout("sensor_msgs/Range"), 8, false).unwrap();
    let mut reader = Reader::of(door(talker.node.uri(), "/stamped").await, "/stamped").await;
    wait_for(publisher.subscribers(), |&count| count == 1).await;
    #[derive(Serialize)]
    struct Range {
        header: Stamp,
    }
    for sequence in 1..=3_u32 {
        let header = Stamp { seq: 77, stamp: Time { secs: 9, nsecs: 0 }, frame_id: "nose".to_owned() };
        publisher.publish(&Range { header }).unwrap();
        let message = reader.next().await;
        assert_eq!(message[..8], [&sequence.to_le_bytes()[..], &[9, 0, 0, 0]].concat());
    }
}

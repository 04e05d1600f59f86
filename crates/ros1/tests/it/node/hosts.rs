//! Publishers that misbehave, and that come and go.

use std::time::Duration;

use latimer_ros1::msgs::std_msgs::String as Text;
use latimer_ros1::node::Subscription;
use latimer_ros1::tcpros::{Header, write_header};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::peers::{Host, offering};
use super::support::{Ours, PATIENCE, Running, next, until, wait_for};

const TOPIC: &str = "/chatter";
const HELLO: &[u8] = b"\x09\0\0\0\x05\0\0\0hello";

/// A subscription, and a publisher that a test plays.
struct Stage {
    master: Ours,
    _listener: Running,
    texts: Subscription,
    host: Host,
}

impl Stage {
    async fn new() -> Self {
        let master = Ours::start().await;
        let listener = master.node("/listener").await;
        let texts = listener.node.subscribe(TOPIC, Some("std_msgs/String"), 8).unwrap();
        let host = Host::start(&master.uri, TOPIC).await;
        Self { master, _listener: listener, texts, host }
    }

    /// The next connection is good, and a message comes over it.
    async fn works(&mut self) -> TcpStream {
        let mut stream = self.host.welcome(&offering()).await;
        stream.write_all(HELLO).await.unwrap();
        let message = next(&mut self.texts).await;
        assert_eq!((message.decode::<Text>().unwrap().data.as_str(), &*message.caller), ("hello", "/host"));
        stream
    }
}

#[tokio::test]
async fn a_subscriber_says_what_it_wants() {
    let stage = Stage::new().await;
    let (_stream, asked) = stage.host.accept().await;
    let expected = Header::default()
        .with("topic", TOPIC)
        .with("type", "std_msgs/String")
        .with("md5sum", "*")
        .with("callerid", "/listener")
        .with("tcp_nodelay", "1");
    assert_eq!(asked, expected);
}

#[tokio::test]
async fn a_publisher_that_breaks_off_is_tried_again() {
    let mut stage = Stage::new().await;
    drop(stage.works().await);
    // Killed within a frame, within a length, and within its header.
    for cut in [&HELLO[..7], &HELLO[..2], b""] {
        let mut stream = stage.host.welcome(&offering()).await;
        stream.write_all(cut).await.unwrap();
        drop(stream);
    }
    let (mut stream, _) = stage.host.accept().await;
    stream.write_all(b"\xff\0\0\0\x08\0\0\0md5s").await.unwrap();
    drop(stream);
    let _stream = stage.works().await;
    wait_for(stage.texts.publishers(), |&count| count == 1).await;
}

#[tokio::test]
async fn lengths_that_claim_too_much_end_the_connection() {
    let mut stage = Stage::new().await;
    let (mut stream, _) = stage.host.accept().await;
    stream.write_all(b"\xff\xff\xff\xff").await.unwrap();
    let mut stream = stage.host.welcome(&offering()).await;
    stream.write_all(b"\xff\xff\xff\x7fabcd").await.unwrap();
    let mut stream = stage.works().await;
    // Below the limit a length is waited for, and what had come before it is delivered.
    stream.write_all(HELLO).await.unwrap();
    stream.write_all(b"\0\0\0\x01abcd").await.unwrap();
    assert_eq!(next(&mut stage.texts).await.decode::<Text>().unwrap().data, "hello");
    drop(stream);
    let _stream = stage.works().await;
}

#[tokio::test]
async fn a_publisher_of_another_type_or_with_nonsense_is_not_followed() {
    let mut stage = Stage::new().await;
    let other = offering().with("type", "std_msgs/Int32").with("message_definition", "int32 data");
    for header in [
        other,
        offering().with("message_definition", "string["),
        offering().with("type", "my_msgs/Own").with("message_definition", ""),
        offering().with("callerid", "/a".repeat(1000)),
        Header::default().with("error", "not today"),
        Header::default(),
    ] {
        let mut stream = stage.host.welcome(&header).await;
        // It may have hung up already.
        let _ = stream.write_all(HELLO).await;
    }
    assert_eq!(*stage.texts.publishers().borrow(), 0);
    let _stream = stage.works().await;
}

#[tokio::test]
async fn a_broken_message_is_reported_and_the_next_is_read() {
    let mut stage = Stage::new().await;
    let mut stream = stage.works().await;
    stream.write_all(b"\x05\0\0\0\xff\xff\xff\xffa").await.unwrap();
    stream.write_all(HELLO).await.unwrap();
    let error = next(&mut stage.texts).await.decode::<Text>().unwrap_err();
    assert_eq!((error.path.as_str(), error.at), ("data", 4), "{error}");
    assert_eq!(next(&mut stage.texts).await.decode::<Text>().unwrap().data, "hello");
}

#[tokio::test]
async fn a_silent_publisher_hides_no_other() {
    let mut stage = Stage::new().await;
    let (_silent, _) = stage.host.accept().await;
    let second = Host::start(&stage.master.uri, TOPIC).await;
    // Another host under the same name takes its place at the master; updates have named both.
    let mut stream = second.welcome(&offering()).await;
    stream.write_all(HELLO).await.unwrap();
    assert_eq!(next(&mut stage.texts).await.decode::<Text>().unwrap().data, "hello");
}

#[tokio::test]
async fn a_publisher_that_the_master_no_longer_names_is_kept_but_not_tried_again() {
    let mut stage = Stage::new().await;
    let mut stream = stage.works().await;
    stage.host.tell(&stage.master.uri, "unregisterPublisher", &[TOPIC]).await;
    stream.write_all(HELLO).await.unwrap();
    assert_eq!(next(&mut stage.texts).await.decode::<Text>().unwrap().data, "hello");
    drop(stream);
    wait_for(stage.texts.publishers(), |&count| count == 0).await;
    // A try would come within a tenth of a second; that there is none has no other sign.
    assert!(stage.host.is_left_alone(Duration::from_millis(500)).await);
    stage.host.tell(&stage.master.uri, "registerPublisher", &[TOPIC, "std_msgs/String"]).await;
    let _stream = stage.works().await;
}

#[tokio::test]
async fn a_subscriber_that_does_not_read_misses_the_oldest_and_learns_how_many() {
    let mut stage = Stage::new().await;
    let mut stream = stage.works().await;
    for number in 0..20_u8 {
        stream.write_all(&[5, 0, 0, 0, 1, 0, 0, 0, b'a' + number]).await.unwrap();
    }
    // The number of messages that came is known to the node alone, and asked from outside.
    let uri = stage._listener.node.uri().to_owned();
    until("all have come", async || super::tools::received(&uri, TOPIC).await == 21).await;
    let first = next(&mut stage.texts).await;
    assert_eq!((first.decode::<Text>().unwrap().data.as_str(), first.missed), ("m", 12));
    assert_eq!(next(&mut stage.texts).await.missed, 0);
}

#[tokio::test]
async fn dropping_a_subscription_closes_its_connections() {
    let mut stage = Stage::new().await;
    let mut stream = stage.works().await;
    let Stage { texts, .. } = stage;
    drop(texts);
    let mut rest = Vec::new();
    let read = tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut rest);
    // A reset is an end, too.
    let _ = tokio::time::timeout(PATIENCE, read).await.expect("it stays open");
    write_header(&mut stream, &Header::default(), PATIENCE).await.ok();
}

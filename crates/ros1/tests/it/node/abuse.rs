//! Subscribers that misbehave. Each time one that does not gets its messages as if nobody else were there.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use latimer_listen::ListenerPolicy;
use latimer_ros1::msgs::std_msgs::String as Text;
use latimer_ros1::node::Publisher;
use latimer_ros1::tcpros::{Header, read_header};
use socket2::SockRef;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::peers::{Reader, asking, door};
use super::support::{Ours, PATIENCE, Running, layout, until, wait_for};

const TOPIC: &str = "/chatter";

/// A publisher, and where it takes connections.
struct Stage {
    talker: Running,
    publisher: Publisher,
    door: SocketAddr,
    _master: Ours,
}

impl Stage {
    async fn new() -> Self {
        let master = Ours::start().await;
        let talker = master.node("/talker").await;
        let publisher = talker.node.advertise(TOPIC, layout("std_msgs/String"), 8, false).unwrap();
        let door = door(talker.node.uri(), TOPIC).await;
        Self { talker, publisher, door, _master: master }
    }

    fn say(&self, text: &str) {
        self.publisher.publish(&Text { data: text.to_owned() }).unwrap();
    }

    /// A good subscriber comes, hears, and goes.
    async fn works(&self) {
        let before = *self.publisher.subscribers().borrow();
        let mut reader = Reader::of(self.door, TOPIC).await;
        wait_for(self.publisher.subscribers(), |&count| count > before).await;
        self.say("hello");
        assert_eq!(reader.next().await, "\x05\0\0\0hello");
        drop(reader);
        wait_for(self.publisher.subscribers(), |&count| count == before).await;
    }

    async fn is_empty(&self) {
        wait_for(self.publisher.subscribers(), |&count| count == 0).await;
    }

    /// The `error=` with which a header is refused.
    async fn refusal(&self, header: &Header) -> String {
        match Reader::connect(self.door, header).await {
            Ok(reader) => panic!("welcomed with {:?}", reader.header),
            Err(refused) => refused.to_string(),
        }
    }
}

fn reset(stream: TcpStream) {
    // Closed so, a connection is reset at once.
    SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
    drop(stream);
}

#[tokio::test]
async fn who_connects_and_resets_hurts_nobody() {
    let stage = Stage::new().await;
    for bytes in [&b""[..], b"\x08", b"\x08\0\0\0md5", b"\x16\0\0\0\x12\0\0\0topic=/chatter"] {
        let mut stream = TcpStream::connect(stage.door).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        reset(stream);
        stage.works().await;
    }
    let fields = asking(TOPIC, "*").to_bytes();
    let mut whole = u32::try_from(fields.len()).unwrap().to_le_bytes().to_vec();
    whole.extend_from_slice(&fields);
    for _ in 0..20 {
        let mut stream = TcpStream::connect(stage.door).await.unwrap();
        stream.write_all(&whole).await.unwrap();
        reset(stream);
        stage.say("to nobody");
    }
    stage.is_empty().await;
    stage.works().await;
    stage.talker.stop().await;
}

#[tokio::test]
async fn who_is_silent_is_left_after_a_while_and_hurts_nobody() {
    let stage = Stage::new().await;
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(TcpStream::connect(stage.door).await.unwrap());
    }
    stage.works().await;
    for stream in silent {
        let (header, _) = read_header(stream, 0, PATIENCE).await.unwrap();
        assert_eq!(header.get("error"), Some("no header came within 5 s"));
    }
    stage.works().await;
}

#[tokio::test]
async fn a_request_for_something_else_is_refused_with_its_reason() {
    let stage = Stage::new().await;
    let own = "992ce8a1687cec8c8bd883ec73ca41d1";
    assert_eq!(
        stage.refusal(&asking(TOPIC, "0123")).await,
        format!(
            "refused: Client [/raw] wants topic [/chatter] to have datatype/md5sum [std_msgs/String/0123], but our \
             version has [std_msgs/String/{own}]. Its message_definition would be spoken, but it sent none; give both \
             sides the same .msg files"
        )
    );
    assert_eq!(
        stage.refusal(&asking(TOPIC, "0123").with("type", "std_msgs/Int32")).await,
        "refused: topic types do not match: [std_msgs/Int32] vs. [std_msgs/String]"
    );
    let lying = asking(TOPIC, "0123").with("message_definition", "string data\nuint8 more\n");
    assert!(stage.refusal(&lying).await.contains(", and its message_definition has md5sum ["));
    let broken = asking(TOPIC, "0123").with("message_definition", "string[");
    assert!(stage.refusal(&broken).await.contains(", and its message_definition cannot be read: "));
    assert_eq!(
        stage.refusal(&asking("/other", "*")).await,
        "refused: [/talker] is not a publisher of [/other]"
    );
    let missing = Header::default().with("topic", TOPIC).with("md5sum", "*");
    assert_eq!(stage.refusal(&missing).await, "refused: Missing required 'callerid' field");
    let long = asking(TOPIC, "*").with("callerid", "/a".repeat(1000));
    assert_eq!(stage.refusal(&long).await, "refused: a 'callerid' may have 1024 bytes");
    assert_eq!(
        stage.refusal(&Header::default().with("callerid", "/raw")).await,
        "refused: no topic or service name detected"
    );
    stage.works().await;
}

#[tokio::test]
async fn lengths_that_claim_too_much_end_only_their_own_connection() {
    let stage = Stage::new().await;
    for bytes in [&b"\xff\xff\xff\xff"[..], b"\xff\xff\x0f\0", b"\x08\0\0\0\xff\xff\xff\xffabcd", b"\0\0\0\0"]
    {
        let mut stream = TcpStream::connect(stage.door).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stage.works().await;
        // With an error or without, it is over within the time that a handshake has.
        let mut rest = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut rest)).await.expect("it stays open").ok();
    }
    stage.works().await;
}

#[tokio::test]
async fn a_claim_of_too_many_bytes_is_refused() {
    let stage = Stage::new().await;
    let mut stream = TcpStream::connect(stage.door).await.unwrap();
    stream.write_all(b"\xff\xff\xff\xff").await.unwrap();
    let (header, _) = read_header(stream, 0, PATIENCE).await.unwrap();
    let error = header.get("error").unwrap();
    assert!(error.ends_with("a frame claims 4294967295 bytes; at most 1048576 are taken"), "{error}");
}

#[tokio::test]
async fn what_a_subscriber_says_is_thrown_away() {
    let stage = Stage::new().await;
    let mut stream = TcpStream::connect(stage.door).await.unwrap();
    let fields = asking(TOPIC, "*").to_bytes();
    stream.write_all(&u32::try_from(fields.len()).unwrap().to_le_bytes()).await.unwrap();
    stream.write_all(&fields).await.unwrap();
    stream.write_all(&[0xff; 100_000]).await.unwrap();
    wait_for(stage.publisher.subscribers(), |&count| count == 1).await;
    stage.works().await;
    stage.say("still there");
    let (header, mut frames) = read_header(stream, 1 << 20, PATIENCE).await.unwrap();
    assert_eq!(header.get("type"), Some("std_msgs/String"));
    let frame = timeout(PATIENCE, futures_util::StreamExt::next(&mut frames)).await.unwrap();
    assert_eq!(frame.unwrap().unwrap(), "\x05\0\0\0hello");
}

#[tokio::test]
async fn a_flood_of_connections_is_bounded_and_passes() {
    let stage = Stage::new().await;
    let mut flood = Vec::new();
    for _ in 0..300 {
        // The system may refuse some; those that it takes are silent.
        flood.extend(TcpStream::connect(stage.door).await.ok());
    }
    // While they are there, as most have a second to say something.
    until("a subscriber is welcome again", async || {
        Reader::connect(stage.door, &asking(TOPIC, "*")).await.is_ok()
    })
    .await;
    drop(flood);
    stage.is_empty().await;
    stage.works().await;
}

#[tokio::test]
async fn who_may_not_connect_any_more_is_disconnected() {
    let master = Ours::start().await;
    let may = Arc::new(AtomicBool::new(true));
    let asked = may.clone();
    let policy = ListenerPolicy::default().only(move |_| asked.load(Ordering::Relaxed));
    let talker = Running::behind("/talker", &master.uri, policy).await;
    let publisher = talker.node.advertise(TOPIC, layout("std_msgs/String"), 8, false).unwrap();
    let door = door(talker.node.uri(), TOPIC).await;
    let mut reader = Reader::of(door, TOPIC).await;
    wait_for(publisher.subscribers(), |&count| count == 1).await;
    let mut caller =
        TcpStream::connect(talker.node.uri().trim_start_matches("http://").trim_end_matches('/'))
            .await
            .unwrap();
    publisher.publish(&Text { data: "hello".to_owned() }).unwrap();
    assert_eq!(reader.next().await, "\x05\0\0\0hello");

    may.store(false, Ordering::Relaxed);
    wait_for(publisher.subscribers(), |&count| count == 0).await;
    reader.is_closed().await;
    let ended = timeout(PATIENCE, caller.read(&mut [0])).await.expect("the caller stays connected");
    assert!(!matches!(ended, Ok(1..)), "{ended:?}");
}

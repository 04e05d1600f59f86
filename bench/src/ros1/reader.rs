//! A subscriber that does nothing but read: it asks for a topic as any node does, and notes when each message came.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use latimer_core::{Clock, Timestamp};
use latimer_ros1::xmlrpc::{Client, Value};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// Who asks.
const CALLER: &str = "/latimer_bench";
/// How long a publisher may take to be there.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a subscriber that was refused asks again.
const TRIES: u32 = 30;
/// Biggest header and message that are taken.
const HEADER_BYTES: u32 = 1 << 20;
const MESSAGE_BYTES: u32 = 4 << 20;

/// The address of the node that publishes a topic, once there is one.
pub(super) async fn find(master: &str, topic: &str) -> anyhow::Result<String> {
    let master = Client::for_master(master);
    let looking = async {
        loop {
            let state = ask(&master, "getSystemState", vec![text(CALLER)]).await?;
            for node in publishers_of(&state, topic) {
                let uri = ask(&master, "lookupNode", vec![text(CALLER), text(&node)]).await?;
                let uri = word(&uri).context("the address is no text")?;
                // Publishers before this one were killed, and the master still names them; a new one may be known to the master
                // before it knows its own topic.
                if ask(&Client::new(&uri), "requestTopic", request(CALLER, topic)).await.is_ok() {
                    return Ok(uri);
                }
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.with_context(|| format!("nobody publishes {topic}"))?
}

fn publishers_of(state: &Value, topic: &str) -> Vec<String> {
    let publishers = list(state).and_then(|state| list(state.first()?)).unwrap_or_default();
    let topics = publishers.iter().filter_map(list);
    let known = topics.filter(|it| it.first().and_then(word).as_deref() == Some(topic));
    known.filter_map(|it| list(it.get(1)?)).flatten().filter_map(word).collect()
}

/// The value of an answer `[1, status, value]`.
async fn ask(client: &Client, method: &str, params: Vec<Value>) -> anyhow::Result<Value> {
    let answer = client.call(method, params, PATIENCE).await?;
    match list(&answer) {
        Some([Value::Integer(1), _, value]) => Ok(value.clone()),
        _ => bail!("{method}: {answer:?}"),
    }
}

/// What `requestTopic` is asked with.
fn request(caller: &str, topic: &str) -> Vec<Value> {
    vec![text(caller), text(topic), Value::Array(vec![Value::Array(vec![text("TCPROS")])])]
}

/// One subscriber's connection.
pub(super) struct Reader {
    socket: TcpStream,
    buffer: Vec<u8>,
}

impl Reader {
    /// Follows a topic of the node at `uri`; a node that has just begun may give an address and then know nothing of the topic.
    pub(super) async fn connect(uri: &str, topic: &str, number: usize) -> anyhow::Result<Self> {
        let mut tries = 0;
        loop {
            match Self::ask_and_connect(uri, topic, number).await {
                Err(_) if tries < TRIES => tries += 1,
                connected => return connected,
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Asks the node at `uri` for a topic, and connects to where it says.
    async fn ask_and_connect(uri: &str, topic: &str, number: usize) -> anyhow::Result<Self> {
        // rospy keeps one connection for each name.
        let caller = format!("{CALLER}_{number}");
        let node = Client::new(uri);
        let answer = ask(&node, "requestTopic", request(&caller, topic)).await?;
        let Some([_, host, Value::Integer(port)]) = list(&answer) else { bail!("no TCPROS: {answer:?}") };
        let host = word(host).context("a host is a text")?;
        let socket = TcpStream::connect((host, u16::try_from(*port)?)).await?;
        socket.set_nodelay(true)?;
        let mut reader = Self { socket, buffer: Vec::new() };
        let fields =
            [format!("callerid={caller}"), format!("topic={topic}"), "type=*".into(), "md5sum=*".into()];
        let mut header = Vec::new();
        for field in fields.iter().map(String::as_bytes).chain([&b"tcp_nodelay=1"[..]]) {
            header.extend(u32::try_from(field.len())?.to_le_bytes());
            header.extend(field);
        }
        reader.socket.write_all(&u32::try_from(header.len())?.to_le_bytes()).await?;
        reader.socket.write_all(&header).await?;
        let answer = reader.frame(HEADER_BYTES).await?;
        ensure!(!answer.windows(6).any(|it| it == b"error="), "{}", String::from_utf8_lossy(answer));
        Ok(reader)
    }

    async fn frame(&mut self, most: u32) -> anyhow::Result<&[u8]> {
        let length = self.socket.read_u32_le().await?;
        ensure!(length <= most, "{length} bytes are too many");
        self.buffer.resize(usize::try_from(length)?, 0);
        self.socket.read_exact(&mut self.buffer).await?;
        Ok(&self.buffer)
    }

    /// Reads until `stop`; the stamp of each message and when it was read.
    pub(super) async fn read(
        mut self,
        clock: Clock,
        mut stopped: watch::Receiver<bool>,
    ) -> anyhow::Result<Vec<(Timestamp, Timestamp)>> {
        let mut received = Vec::new();
        loop {
            let frame = tokio::select! {
                _ = stopped.changed() => return Ok(received),
                frame = self.frame(MESSAGE_BYTES) => frame?,
            };
            received.push((stamp(frame).context("a message without a header")?, clock.now()));
        }
    }
}

/// The stamp of a message that begins with a header: number, seconds, nanoseconds.
fn stamp(message: &[u8]) -> Option<Timestamp> {
    let number = |at: usize| Some(i64::from(u32::from_le_bytes(message.get(at..at + 4)?.try_into().ok()?)));
    Some(Timestamp::from_nanos(number(4)? * 1_000_000_000 + number(8)?))
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

fn list(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(items) => Some(items),
        _ => None,
    }
}

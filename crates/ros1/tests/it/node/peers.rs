//! Peers made by hand: a subscriber of raw bytes, and a publisher that says what a test wants.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use latimer_ros1::tcpros::{HandshakeError, Header, Incoming, greet, read_header, write_header};
use latimer_ros1::xmlrpc::{Client, Fault, Handler, Value, serve};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::support::{PATIENCE, here};

/// Asks a node where it takes connections for a topic.
pub(crate) async fn door(uri: &str, topic: &str) -> SocketAddr {
    let protocols = Value::Array(vec![Value::Array(vec![text("TCPROS")])]);
    let params = vec![text("/raw"), text(topic), protocols];
    let answer = Client::new(uri).call("requestTopic", params, PATIENCE).await.unwrap();
    let Value::Array(answer) = answer else { panic!("no triple") };
    let Some(Value::Array(offer)) = answer.get(2) else { panic!("{answer:?}") };
    let [_, Value::String(host), Value::Integer(port)] = &offer[..] else { panic!("{answer:?}") };
    format!("{host}:{port}").parse().unwrap()
}

pub(crate) fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// A subscriber that reads frames.
pub(crate) struct Reader {
    pub(crate) header: Header,
    frames: Incoming<OwnedReadHalf>,
    _write: OwnedWriteHalf,
}

impl Reader {
    pub(crate) async fn connect(address: SocketAddr, header: &Header) -> Result<Self, HandshakeError> {
        let (read, mut write) = TcpStream::connect(address).await.unwrap().into_split();
        let (header, frames) = greet((read, &mut write), header, 1 << 20, PATIENCE).await?;
        Ok(Self { header, frames, _write: write })
    }

    /// One that takes any type.
    pub(crate) async fn of(address: SocketAddr, topic: &str) -> Self {
        Self::connect(address, &asking(topic, "*")).await.unwrap()
    }

    pub(crate) async fn next(&mut self) -> Bytes {
        let frame = timeout(PATIENCE, self.frames.next()).await.expect("no frame comes");
        frame.expect("the connection is closed").unwrap()
    }

    /// Waits until the connection is closed.
    pub(crate) async fn is_closed(&mut self) {
        let frame = timeout(PATIENCE, self.frames.next()).await.expect("the connection stays");
        assert!(!matches!(frame, Some(Ok(_))), "{frame:?}");
    }
}

/// A subscriber's header.
pub(crate) fn asking(topic: &str, md5: &str) -> Header {
    Header::default().with("topic", topic).with("md5sum", md5).with("callerid", "/raw")
}

/// A publisher's header for texts.
pub(crate) fn offering() -> Header {
    Header::default()
        .with("type", "std_msgs/String")
        .with("md5sum", "992ce8a1687cec8c8bd883ec73ca41d1")
        .with("message_definition", "string data\n")
        .with("callerid", "/host")
}

/// A publisher whose connections are a test's to serve.
pub(crate) struct Host {
    pub(crate) uri: String,
    listener: TcpListener,
    stop: CancellationToken,
}

struct Door {
    port: u16,
}

impl Handler for Door {
    fn call<'a>(&'a self, _: &'a str, _: Vec<Value>, _: SocketAddr) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            let offer = vec![text("TCPROS"), text("127.0.0.1"), Value::Integer(self.port.into())];
            Ok(Value::Array(vec![Value::Integer(1), text("ready"), Value::Array(offer)]))
        })
    }
}

impl Host {
    /// A publisher of a topic that a master knows.
    pub(crate) async fn start(master: &str, topic: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let calls = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let uri = format!("http://{}/", calls.local_addr().unwrap());
        let (stop, port) = (CancellationToken::new(), listener.local_addr().unwrap().port());
        tokio::spawn(serve(calls, Arc::new(Door { port }), here(), stop.clone()));
        let host = Self { uri, listener, stop };
        host.tell(master, "registerPublisher", &[topic, "std_msgs/String"]).await;
        host
    }

    /// Tells the master something of a topic.
    pub(crate) async fn tell(&self, master: &str, method: &str, words: &[&str]) {
        let words = ["/host"].iter().chain(words).copied().chain([self.uri.as_str()]);
        let answer = Client::new(master).call(method, words.map(text).collect(), PATIENCE).await.unwrap();
        let Value::Array(answer) = answer else { panic!("no triple") };
        assert_eq!(answer[0], Value::Integer(1), "{answer:?}");
    }

    /// The next connection, and what its subscriber asks for.
    pub(crate) async fn accept(&self) -> (TcpStream, Header) {
        let accepted = timeout(PATIENCE, self.listener.accept()).await.expect("nobody connects");
        let (mut stream, _) = accepted.unwrap();
        let (header, _) = read_header(&mut stream, 0, PATIENCE).await.unwrap();
        (stream, header)
    }

    /// The next connection, answered with a header.
    pub(crate) async fn welcome(&self, header: &Header) -> TcpStream {
        let (mut stream, _) = self.accept().await;
        write_header(&mut stream, header, PATIENCE).await.unwrap();
        stream
    }

    /// Whether nobody connects for that long.
    pub(crate) async fn is_left_alone(&self, during: Duration) -> bool {
        timeout(during, self.listener.accept()).await.is_err()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

//! Clients whose user has other roles by now than when they subscribed.

use std::sync::Arc;

use latimer_core::Clock;
use latimer_core::access::{Caller, Grant, Grants, Role};
use latimer_core::memory::Budget;
use latimer_core::sessions::Sessions;
use latimer_e2e::OneUser;
use latimer_mqtt::broker::{TopicRoles, Users};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::support::{PATIENCE, config};

/// Everybody may publish, and read the topic `open`; others need a role.
struct Topics;

impl TopicRoles for Topics {
    fn may_publish(&self, _: &Caller, _: &str) -> bool {
        true
    }

    fn may_subscribe(&self, caller: &Caller, filter: &str) -> bool {
        filter == "open" || caller.may_somewhere(Role::See, "mqtt")
    }
}

fn sees() -> Grants {
    Grants::new(vec![Grant { role: Role::See, select: "*".parse().unwrap(), dialects: Vec::new() }])
}

fn text(text: &str) -> Vec<u8> {
    [&[0, text.len() as u8], text.as_bytes()].concat()
}

/// A client of MQTT 3.1.1, whose session stays.
struct Client(TcpStream);

impl Client {
    async fn connect(port: u16, id: &str, is_known: bool) -> Self {
        let mut client = Self(TcpStream::connect(("127.0.0.1", port)).await.unwrap());
        client.send(0x10, &[text("MQTT"), vec![4, 0, 0, 60], text(id)].concat()).await;
        assert_eq!(client.packet().await, Some((0x20, vec![u8::from(is_known), 0])));
        client
    }

    async fn send(&mut self, first: u8, body: &[u8]) {
        self.0.write_all(&[&[first, body.len() as u8], body].concat()).await.unwrap();
    }

    /// Its first byte and its body; `None` when the broker ends the connection.
    async fn packet(&mut self) -> Option<(u8, Vec<u8>)> {
        let reading = async {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).await.ok()?;
            let mut body = vec![0; head[1].into()];
            self.0.read_exact(&mut body).await.ok()?;
            Some((head[0], body))
        };
        tokio::time::timeout(PATIENCE, reading).await.expect("nothing comes")
    }

    async fn subscribe(&mut self, topics: &[&str]) -> Vec<u8> {
        let filters: Vec<u8> = topics.iter().flat_map(|topic| [text(topic), vec![1]].concat()).collect();
        self.send(0x82, &[vec![0, 1], filters].concat()).await;
        let (first, answer) = self.packet().await.unwrap();
        assert_eq!(first, 0x90);
        answer[2..].to_vec()
    }

    /// Publishes with QoS 1, and waits until the broker has it.
    async fn publish(&mut self, topic: &str, payload: &str) {
        self.send(0x32, &[text(topic), vec![0, 1], payload.into()].concat()).await;
        assert_eq!(self.packet().await.map(|it| it.0), Some(0x40));
    }

    /// The payload of the next message, which it acknowledges.
    async fn message(&mut self) -> String {
        let (first, body) = self.packet().await.expect("the connection stays");
        assert_eq!(first & 0xf6, 0x32, "{body:?}");
        let (topic_len, id) = (usize::from(body[1]), &body[2 + usize::from(body[1])..][..2]);
        self.send(0x40, id).await;
        String::from_utf8(body[4 + topic_len..].to_vec()).unwrap()
    }
}

#[tokio::test]
async fn what_a_user_may_not_see_any_more_is_taken_from_its_clients() {
    let (ada, clock) = (Caller::new("ada", sees()), Clock::system());
    let users = Users { gate: Arc::new(OneUser(ada.clone())), topics: Arc::new(Topics) };
    let broker = config("listen = \"127.0.0.1:0\"")
        .build_with(Default::default(), &Budget::new(clock), &Sessions::new(clock), Some(users))
        .await
        .unwrap()
        .unwrap();
    let port = broker.listens().unwrap().port();
    let stop = CancellationToken::new();
    let _stops = stop.clone().drop_guard();
    tokio::spawn(broker.run(stop));

    let mut sender = Client::connect(port, "sender", false).await;
    let mut reader = Client::connect(port, "reader", false).await;
    assert_eq!(reader.subscribe(&["secret", "open"]).await, [1, 1]);
    sender.publish("secret", "before").await;
    assert_eq!(reader.message().await, "before");

    // While it is away: its session keeps what was published, also by the filter that is not allowed any more.
    drop(reader);
    sender.publish("secret", "away").await;
    sender.publish("open", "away, open").await;
    ada.set_grants(Grants::default());
    let mut reader = Client::connect(port, "reader", true).await;
    assert_eq!(reader.message().await, "away, open");
    assert_eq!(reader.subscribe(&["secret"]).await, [0x80]);

    // While it is connected.
    ada.set_grants(sees());
    assert_eq!(reader.subscribe(&["secret"]).await, [1]);
    sender.publish("secret", "again").await;
    assert_eq!(reader.message().await, "again");
    ada.set_grants(Grants::default());
    assert_eq!(reader.packet().await, None, "it does not learn that it lost a subscription");
    let mut reader = Client::connect(port, "reader", true).await;
    sender.publish("secret", "after").await;
    sender.publish("open", "after, open").await;
    assert_eq!(reader.message().await, "after, open", "who loses nothing goes on");
}

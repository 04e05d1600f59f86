//! As much of MQTT 3.1.1 as the comparison needs: CONNECT, SUBSCRIBE and PUBLISH with QoS 0.

use anyhow::{bail, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

const CONNACK: u8 = 0x20;
const PUBLISH: u8 = 0x30;
const SUBACK: u8 = 0x90;

/// One connection.
pub(crate) struct Mqtt {
    stream: BufReader<TcpStream>,
    packet: Vec<u8>,
}

impl Mqtt {
    /// Connects under a name, with a clean session.
    pub(crate) async fn connect(address: &str, client_id: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let mut mqtt = Self { stream: BufReader::new(stream), packet: Vec::new() };
        let mut body = text("MQTT");
        // Level 4, clean session, no keep-alive.
        body.extend([4, 2, 0, 0]);
        body.extend(text(client_id));
        mqtt.send(0x10, &body).await?;
        let kind = mqtt.next().await?;
        ensure!(kind == CONNACK && mqtt.packet.get(1) == Some(&0), "the broker refused {client_id}");
        Ok(mqtt)
    }

    /// Subscribes to one topic.
    pub(crate) async fn subscribe(&mut self, topic: &str) -> anyhow::Result<()> {
        let mut body = vec![0, 1];
        body.extend(text(topic));
        body.push(0);
        self.send(0x82, &body).await?;
        while self.next().await? != SUBACK {}
        Ok(())
    }

    /// Publishes one message.
    pub(crate) async fn publish(&mut self, topic: &str, payload: &[u8]) -> anyhow::Result<()> {
        let mut body = text(topic);
        body.extend_from_slice(payload);
        self.send(PUBLISH, &body).await
    }

    /// The payload of the next message.
    pub(crate) async fn message(&mut self) -> anyhow::Result<&[u8]> {
        while self.next().await? & 0xf0 != PUBLISH {}
        let [high, low, rest @ ..] = self.packet.as_slice() else { bail!("a message without a topic") };
        let topic = usize::from(u16::from_be_bytes([*high, *low]));
        rest.get(topic..).ok_or_else(|| anyhow::anyhow!("a message shorter than its topic"))
    }

    /// Reads a packet; its body is in `packet`, its kind is returned.
    async fn next(&mut self) -> anyhow::Result<u8> {
        let kind = self.stream.read_u8().await?;
        let (mut length, mut shift) = (0, 0);
        loop {
            let byte = self.stream.read_u8().await?;
            length |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
            ensure!(shift < 28, "a packet without an end");
        }
        self.packet.resize(length, 0);
        self.stream.read_exact(&mut self.packet).await?;
        Ok(kind)
    }

    async fn send(&mut self, kind: u8, body: &[u8]) -> anyhow::Result<()> {
        let mut packet = vec![kind];
        let mut length = body.len();
        loop {
            let more = length >> 7;
            packet.push((length & 0x7f) as u8 | if more > 0 { 0x80 } else { 0 });
            length = more;
            if length == 0 {
                break;
            }
        }
        packet.extend_from_slice(body);
        self.stream.write_all(&packet).await?;
        Ok(())
    }
}

fn text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    let mut bytes = length.to_be_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

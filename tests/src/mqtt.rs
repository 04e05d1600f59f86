//! A client of MQTT 3.1.1 that does what no library does: it keeps sessions that it never comes back for, and fills what it can.

use latimer_testing::PATIENCE;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc;

const CONNACK: u8 = 2;
const PUBLISH: u8 = 3;
const SUBACK: u8 = 9;
const PINGRESP: u8 = 13;

/// A connection; it confirms messages of QoS 1 as they come.
#[derive(Debug)]
pub struct MqttClient {
    writer: mpsc::Sender<Vec<u8>>,
    packets: mpsc::UnboundedReceiver<(u8, Vec<u8>)>,
    packet_id: u16,
}

impl MqttClient {
    /// Connects; `clean` begins and ends without a session.
    pub async fn connect(address: &str, id: &str, clean: bool) -> Self {
        let socket = TcpStream::connect(address).await.expect("the broker listens");
        let (reader, writer) = socket.into_split();
        let (to_write, written) = mpsc::channel(1);
        let (to_read, packets) = mpsc::unbounded_channel();
        tokio::spawn(write(writer, written));
        tokio::spawn(read(reader, to_read, to_write.clone()));
        let mut client = Self { writer: to_write, packets, packet_id: 0 };
        client.send(0x10, hello(id, clean)).await;
        let answer = client.until(CONNACK).await;
        assert_eq!(answer[1], 0, "{id} is let in");
        client
    }

    /// Connects, subscribes with QoS 0, and never reads again, until what is returned is dropped.
    pub async fn deaf(address: &str, id: &str, filter: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("there are sockets");
        // Its system takes little for it, too.
        socket.set_recv_buffer_size(4 << 10).expect("a buffer has a size");
        let address = address.parse().expect("it is an address");
        let mut socket = socket.connect(address).await.expect("the broker listens");
        let mut subscribe = vec![0, 1];
        subscribe.extend(text(filter));
        subscribe.push(0);
        socket.write_all(&packet(0x10, &hello(id, true))).await.expect("it is open");
        socket.write_all(&packet(0x82, &subscribe)).await.expect("it is open");
        // CONNACK has four bytes, SUBACK five.
        socket.read_exact(&mut [0; 9]).await.expect("both are answered");
        socket
    }

    /// Subscribes; returns when that is granted.
    pub async fn subscribe(&mut self, filter: &str, qos: u8) {
        let mut body = self.next_id();
        body.extend(text(filter));
        body.push(qos);
        self.send(0x82, body).await;
        let answer = self.until(SUBACK).await;
        assert_eq!(answer[2], qos, "{filter} is granted");
    }

    /// Publishes; whether the broker was there still.
    pub async fn publish(&mut self, topic: &str, payload: &[u8], qos: u8, retain: bool) -> bool {
        let mut body = text(topic);
        if qos > 0 {
            body.extend(self.next_id());
        }
        body.extend_from_slice(payload);
        self.send(0x30 | qos << 1 | u8::from(retain), body).await
    }

    /// Waits until the broker has read everything that was sent.
    pub async fn settled(&mut self) {
        self.send(0xc0, Vec::new()).await;
        self.until(PINGRESP).await;
    }

    /// The next message: topic and payload.
    pub async fn message(&mut self) -> (String, Vec<u8>) {
        let body = self.until(PUBLISH).await;
        let length = usize::from(u16::from_be_bytes([body[0], body[1]]));
        let topic = String::from_utf8(body[2..2 + length].to_vec()).expect("topics are text");
        (topic, body[2 + length..].to_vec())
    }

    /// Disconnects; returns when the broker closed the connection.
    pub async fn disconnect(mut self) {
        self.send(0xe0, Vec::new()).await;
        let ended = async { while self.packets.recv().await.is_some() {} };
        tokio::time::timeout(PATIENCE, ended).await.expect("the broker closes the connection");
    }

    fn next_id(&mut self) -> Vec<u8> {
        self.packet_id = self.packet_id.checked_add(1).unwrap_or(1);
        self.packet_id.to_be_bytes().to_vec()
    }

    async fn send(&self, head: u8, body: Vec<u8>) -> bool {
        self.writer.send(packet(head, &body)).await.is_ok()
    }

    async fn until(&mut self, kind: u8) -> Vec<u8> {
        let reading = async {
            loop {
                let (head, body) = self.packets.recv().await.expect("the broker keeps the connection");
                if head >> 4 == kind {
                    return body;
                }
            }
        };
        tokio::time::timeout(PATIENCE, reading).await.unwrap_or_else(|_| panic!("no packet {kind} came"))
    }
}

/// CONNECT without its head.
fn hello(id: &str, clean: bool) -> Vec<u8> {
    let mut body = text("MQTT");
    // Level 4, the flag of a clean session, and no limit of silence.
    body.extend([4, u8::from(clean) << 1, 0, 0]);
    body.extend(text(id));
    body
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = u16::try_from(text.len()).expect("texts are short").to_be_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

fn packet(head: u8, body: &[u8]) -> Vec<u8> {
    let mut packet = vec![head];
    let mut length = body.len();
    loop {
        let more = length >= 128;
        packet.push((length % 128) as u8 | u8::from(more) << 7);
        length /= 128;
        if !more {
            break;
        }
    }
    packet.extend_from_slice(body);
    packet
}

async fn write(mut socket: OwnedWriteHalf, mut packets: mpsc::Receiver<Vec<u8>>) {
    while let Some(packet) = packets.recv().await {
        if socket.write_all(&packet).await.is_err() {
            break;
        }
    }
}

/// Reads until the end; messages of QoS 1 are passed on without their number, which is confirmed.
async fn read(
    socket: OwnedReadHalf,
    packets: mpsc::UnboundedSender<(u8, Vec<u8>)>,
    writer: mpsc::Sender<Vec<u8>>,
) {
    let mut socket = BufReader::new(socket);
    while let Ok(head) = socket.read_u8().await {
        let (mut length, mut shift) = (0_usize, 0);
        loop {
            let Ok(byte) = socket.read_u8().await else { return };
            length |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        let mut body = vec![0; length];
        if socket.read_exact(&mut body).await.is_err() {
            return;
        }
        if head >> 4 == PUBLISH && head & 0x06 != 0 {
            let topic = 2 + usize::from(u16::from_be_bytes([body[0], body[1]]));
            let number: Vec<u8> = body.drain(topic..topic + 2).collect();
            let _ = writer.send(packet(0x40, &number)).await;
        }
        // What the broker confirms is of no interest.
        if head >> 4 != 4 && packets.send((head, body)).is_err() {
            return;
        }
    }
}

//! What is at an address, whatever is said to be.

use std::fmt;
use std::time::Duration;

use latimer_core::Clock;
use latimer_dialects::{DIALECTS, Entry, Transport};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::limits::PROBE_PEER_TIMEOUT;

/// Longest answer that is looked at, bytes.
const LONGEST: u64 = 16 << 10;

/// A client of MQTT 3.1.1 with the name `probe`, which keeps no session.
const MQTT_CONNECT: &[u8] = b"\x10\x11\x00\x04MQTT\x04\x02\x00\x3c\x00\x05probe";

/// The kind of packet by which a broker answers it.
const MQTT_CONNACK: u8 = 0x20;

/// What each master of ROS is asked and answers to.
const ROS_CALL: &str = "<?xml version=\"1.0\"?><methodCall><methodName>getUri</methodName><params><param>\
                        <value><string>/probe</string></value></param></params></methodCall>";

/// An address without the login in it.
pub(super) fn shown(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").map_or(("", address), |(scheme, rest)| (scheme, rest));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{rest}")
}

/// A host and a port.
pub(super) struct Endpoint {
    host: String,
    port: u16,
    is_tls: bool,
}

impl Endpoint {
    /// That of an address such as `host`, `host:port` or an URL.
    pub(super) fn parse(address: &str, own_port: u16) -> Result<Self, &'static str> {
        let address = shown(address);
        let (scheme, rest) = address.split_once("://").unwrap_or(("", &address));
        let authority = rest.split('/').next().unwrap_or_default();
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| "its port is none")?)
            }
            _ => (authority, port_of(scheme).unwrap_or(own_port)),
        };
        match host.is_empty() {
            true => Err("it has no host"),
            false => {
                Ok(Self { host: host.to_owned(), port, is_tls: matches!(scheme, "https" | "wss" | "mqtts") })
            }
        }
    }

    async fn open(&self) -> std::io::Result<TcpStream> {
        let connecting = TcpStream::connect((self.host.trim_matches(['[', ']']), self.port));
        let timed_out = || std::io::Error::from(std::io::ErrorKind::TimedOut);
        tokio::time::timeout(PROBE_PEER_TIMEOUT, connecting).await.map_err(|_| timed_out())?
    }

    /// How long a connection takes: the fastest of three.
    pub(super) async fn round_trip(&self, clock: Clock) -> std::io::Result<Duration> {
        let mut fastest = Duration::MAX;
        for _ in 0..3 {
            let began = clock.now();
            self.open().await?;
            fastest = fastest.min(clock.now().since(began));
        }
        Ok(fastest)
    }

    /// What answers there and which dialects it carries, as the end of a sentence; nothing where that is not the reason.
    pub(super) async fn describe(&self, asked: &Entry) -> String {
        let Some(transport) = self.transport().await.filter(|transport| *transport != asked.transport) else {
            return String::new();
        };
        let what = match transport {
            Transport::Mqtt => "an MQTT broker",
            Transport::Ros1 => "a ROS master",
            Transport::Web => "an HTTP server",
        };
        let dialects = DIALECTS.iter().filter(|entry| entry.transport == transport);
        let dialects: Vec<&str> = dialects.map(|entry| entry.name).collect();
        format!("; {what} answers at {self}, which may carry {}", dialects.join(", "))
    }

    async fn transport(&self) -> Option<Transport> {
        if self.is_tls {
            return None;
        }
        if self.answer(MQTT_CONNECT).await.first() == Some(&MQTT_CONNACK) {
            return Some(Transport::Mqtt);
        }
        let (length, host) = (ROS_CALL.len(), &self.host);
        let request = format!(
            "POST /RPC2 HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/xml\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{ROS_CALL}"
        );
        let answer = self.answer(request.as_bytes()).await;
        match String::from_utf8_lossy(&answer) {
            text if text.contains("<methodResponse>") => Some(Transport::Ros1),
            text if text.starts_with("HTTP/") => Some(Transport::Web),
            _ => None,
        }
    }

    /// The beginning of what is answered; nothing if that is not in time.
    async fn answer(&self, request: &[u8]) -> Vec<u8> {
        let mut answer = Vec::new();
        let ask = async {
            let mut stream = self.open().await?;
            stream.write_all(request).await?;
            let mut reading = stream.take(LONGEST);
            while reading.read_buf(&mut answer).await? > 0 {
                // A broker goes on to wait for more.
                if answer.first() == Some(&MQTT_CONNACK) {
                    break;
                }
            }
            std::io::Result::Ok(())
        };
        // What came until then tells enough.
        let _ = tokio::time::timeout(PROBE_PEER_TIMEOUT, ask).await;
        answer
    }
}

/// The port of an URL that names none.
fn port_of(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "mqtts" => Some(latimer_core::broker::MQTTS_PORT),
        _ => None,
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_not_shown_and_a_port_need_not_be_written() {
        assert_eq!(shown("mqtt://swarm:secret@host:1/v1"), "mqtt://host:1/v1");
        let read = |address: &str| Endpoint::parse(address, 7).map(|it| (it.to_string(), it.is_tls));
        for (address, authority, is_tls) in [
            ("host", "host:7", false),
            ("a:b@[::1]:80/x", "[::1]:80", false),
            ("[::1]", "[::1]:7", false),
            ("http://h/x", "h:80", false),
            ("wss://h", "h:443", true),
            ("ws://h:2", "h:2", false),
            ("mqtt://h/v1", "h:7", false),
            ("mqtts://h", "h:8883", true),
        ] {
            assert_eq!(read(address), Ok((authority.to_owned(), is_tls)), "{address}");
        }
        assert!(read("h:x").is_err() && read("").is_err() && read("http://").is_err());
    }
}

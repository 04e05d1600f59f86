//! Clients of the gateway: the API, a program for a Misty that keeps a connection, and one for rosbridge that floods.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use futures_util::{SinkExt, StreamExt};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async, connect_async};

/// Speeds of a flood.
const FLOOD: u32 = 5;

/// The gateway's API, for one robot.
#[derive(Clone, Debug)]
pub(super) struct Api {
    http: reqwest::Client,
    /// `host:port`.
    gateway: String,
    robot: &'static str,
}

impl Api {
    /// Of the gateway at `host:port`.
    pub(super) fn new(gateway: String, robot: &'static str) -> Self {
        Self { http: reqwest::Client::new(), gateway, robot }
    }

    async fn post(&self, path: &str, body: Value) -> (StatusCode, String) {
        let request = self.http.post(format!("http://{}/api/v1/{path}", self.gateway)).json(&body);
        let answer = request.send().await.expect("the gateway answers");
        (answer.status(), answer.text().await.expect("the answer is text"))
    }

    /// A command.
    pub(super) async fn command(&self, command: Value) -> (StatusCode, String) {
        self.post(&format!("robots/{}/commands", self.robot), command).await
    }

    /// Presses the emergency stop, or releases it; the outcome.
    pub(super) async fn emergency_stop(&self, pressed: bool) -> Value {
        let (status, text) = self.post("estop", json!({"robots": [self.robot], "pressed": pressed})).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let mut answer: Value = serde_json::from_str(&text).expect("it is JSON");
        answer["outcomes"][self.robot]["outcome"].take()
    }

    /// Says that it stands, as a person does.
    pub(super) async fn stands(&self) {
        let (status, text) = self.post(&format!("robots/{}/stands", self.robot), json!({})).await;
        assert_eq!(status, StatusCode::OK, "{text}");
    }

    /// Whether the gateway is connected to it.
    pub(super) async fn is_up(&self) -> bool {
        let url = format!("http://{}/api/v1/robots/{}", self.gateway, self.robot);
        let answer = self.http.get(url).send().await.expect("the gateway answers");
        answer.text().await.expect("the answer is text").contains("\"up\"")
    }

    /// What the gateway last heard of it, or found, of a kind.
    pub(super) async fn last(&self, kind: &str) -> String {
        let url = format!("http://{}/api/v1/last?select={}/{kind}/**", self.gateway, self.robot);
        let answer = self.http.get(url).send().await.expect("the gateway answers");
        answer.text().await.expect("the answer is text")
    }

    /// Gives speeds on one connection of rosbridge; returns when the gateway has taken all of them.
    pub(super) async fn flood(&self) {
        let (mut socket, _) = connect_async(format!("ws://{}/rosbridge", self.gateway))
            .await
            .expect("the gateway has rosbridge");
        let speeds = (1..=FLOOD).map(|i| {
            json!({"op": "publish", "topic": format!("/{}/cmd_vel", self.robot), "msg": {
                "linear": {"x": 0.05 * f64::from(i), "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": 0.0}}})
        });
        let asked = json!({"op": "call_service", "id": "all", "service": "/rosapi/get_time", "args": {}});
        for frame in speeds.chain([asked]) {
            socket.send(Message::text(frame.to_string())).await.expect("the socket is open");
        }
        while let Some(frame) = socket.next().await {
            let frame = frame.expect("the socket is open");
            if frame.to_text().is_ok_and(|text| text.contains("service_response")) {
                return;
            }
        }
    }
}

/// A program for a Misty, at an address of this machine that nobody else comes from, so that the gateway takes it for a client of
/// its own.
#[derive(Debug)]
pub(super) struct Program {
    _socket: WebSocketStream<TcpStream>,
}

impl Program {
    /// Connects, and gives a robot a speed without an end.
    pub(super) async fn drive(api: &Api, number: u8) -> Self {
        let Api { gateway, robot, .. } = api;
        let own = IpAddr::from(Ipv4Addr::new(127, 0, 1, number));
        let socket = TcpSocket::new_v4().expect("there are sockets");
        socket.bind(SocketAddr::new(own, 0)).expect("this machine has the address");
        let stream = socket.connect(gateway.parse().expect("it is an address")).await.expect("it listens");
        let url = format!("ws://{gateway}/robots/{robot}/misty/pubsub");
        let (socket, _) = client_async(url, stream).await.expect("the robot is shown as a Misty");
        let http = reqwest::Client::builder().local_address(own).build().expect("it is a client");
        let url = format!("http://{gateway}/robots/{robot}/misty/api/drive");
        loop {
            let drive = http.post(&url).json(&json!({"LinearVelocity": 40, "AngularVelocity": 0}));
            let answer = drive.send().await.expect("the gateway answers");
            let (status, text) = (answer.status(), answer.text().await.expect("it is text"));
            if status == StatusCode::OK {
                return Self { _socket: socket };
            }
            // One of the round before may be on its way still.
            assert!(text.contains("a stop came after it"), "{text}");
        }
    }
}

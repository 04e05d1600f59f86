//! How often messages come, and which of them: `throttle_rate` and `queue_length`.

use latimer_core::model::signal::{Frame, Pose};
use latimer_dialects::listen::Ports;
use serde_json::{Value, json};

use super::{Bridge, publish, settled};
use crate::gate;
use crate::rig::{self, Socket};

/// So rare that six messages come between two that are due.
const RARE_MS: u32 = 1_000;

async fn subscribe(socket: &mut Socket, topic: &str, options: Value) {
    let mut subscribe = json!({"op": "subscribe", "topic": topic});
    subscribe.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    socket.send(&subscribe).await;
    settled(socket).await;
}

/// What follows of one topic.
struct Read {
    socket: Socket,
    of: fn(&Value) -> &Value,
    numbers: Vec<f64>,
}

impl Read {
    fn take(&mut self, frame: &Value) {
        if frame["op"] == "publish" {
            self.numbers.extend((self.of)(&frame["msg"]).as_f64());
        }
    }

    /// Until all is delivered that was published before.
    async fn settled(&mut self) {
        self.socket.send(&json!({"op": "call_service", "id": "end", "service": "/rosapi/nodes"})).await;
        loop {
            let frame = self.socket.json().await;
            if frame["id"] == "end" {
                return;
            }
            self.take(&frame);
        }
    }

    async fn first(mut self, count: usize) -> Vec<f64> {
        while self.numbers.len() < count {
            let frame = self.socket.json().await;
            self.take(&frame);
        }
        self.numbers
    }
}

#[tokio::test]
async fn a_queue_keeps_the_newest_messages_of_a_robot_and_no_queue_the_last_one() {
    for (queue, wanted) in [(0, vec![1.0, 6.0]), (1, vec![1.0, 6.0]), (3, vec![1.0, 4.0, 5.0, 6.0])] {
        let bridge = Bridge::start(Ports::default()).await;
        let mut socket = gate::socket("ada", &bridge.address).await;
        let options = json!({"throttle_rate": RARE_MS, "queue_length": queue});
        subscribe(&mut socket, "/rover/pose", options).await;
        let mut read = Read { socket, of: |it| &it["pose"]["position"]["x"], numbers: Vec::new() };
        for x in 1..=6 {
            rig::publish(&bridge.source, None, Pose::planar(Frame::Map, f64::from(x), 0.0, 0.0));
            // Each is delivered before the next one comes.
            read.settled().await;
        }
        assert_eq!(read.first(wanted.len()).await, wanted, "a queue of {queue}");
    }
}

#[tokio::test]
async fn a_queue_keeps_the_newest_messages_of_another_client() {
    for (queue, wanted) in [(1, vec![1.0, 6.0]), (3, vec![1.0, 4.0, 5.0, 6.0])] {
        let bridge = Bridge::start(Ports::default()).await;
        let mut reader = gate::socket("reader", &bridge.address).await;
        let options = json!({"throttle_rate": RARE_MS, "queue_length": queue, "type": "std_msgs/Float64"});
        subscribe(&mut reader, "/my_app/level", options).await;
        let mut writer = gate::socket("writer", &bridge.address).await;
        writer.send(&json!({"op": "advertise", "topic": "/my_app/level", "type": "std_msgs/Float64"})).await;
        for number in 1..=6 {
            writer.send(&publish("/my_app/level", json!({"data": number}))).await;
        }
        let read = Read { socket: reader, of: |it| &it["data"], numbers: Vec::new() };
        assert_eq!(read.first(wanted.len()).await, wanted, "a queue of {queue}");
    }
}

#[tokio::test]
async fn the_fastest_throttle_and_the_shortest_queue_count_of_those_that_are_there() {
    let bridge = Bridge::start(Ports::default()).await;
    let mut socket = gate::socket("ada", &bridge.address).await;
    let slow = json!({"id": "slow", "throttle_rate": 3_600_000, "queue_length": 3});
    subscribe(&mut socket, "/tf", slow).await;
    subscribe(&mut socket, "/tf", json!({"id": "fast"})).await;
    let x = |it: &Value| -> Value {
        it["transforms"].as_array().unwrap().last().unwrap()["transform"]["translation"]["x"].clone()
    };
    let next = async |socket: &mut Socket| loop {
        let frame = socket.json().await;
        if frame["op"] == "publish" {
            break x(&frame["msg"]);
        }
    };
    for number in 1..=3 {
        let number = f64::from(number);
        rig::publish(&bridge.source, None, Pose::planar(Frame::Map, number, 0.0, 0.0));
        assert_eq!(next(&mut socket).await, number);
    }
    // What is left is slow: its first message comes with the subscription that changed, the second one does not.
    socket.send(&json!({"op": "unsubscribe", "topic": "/tf", "id": "fast"})).await;
    settled(&mut socket).await;
    rig::publish(&bridge.source, None, Pose::planar(Frame::Map, 4.0, 0.0, 0.0));
    rig::publish(&bridge.source, None, Pose::planar(Frame::Map, 5.0, 0.0, 0.0));
    let call = json!({"op": "call_service", "id": "end", "service": "/rosapi/nodes"});
    socket.send(&call).await;
    loop {
        let frame = socket.json().await;
        if frame["id"] == "end" {
            break;
        }
        assert_ne!(x(&frame["msg"]), 5.0, "{frame}");
    }
}

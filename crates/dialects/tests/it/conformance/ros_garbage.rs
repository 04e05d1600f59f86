//! What no node means: calls to a master, and messages whose numbers are none.

use std::time::Duration;

use latimer_dialects::{ClientMessage, Entry, Sent};
use latimer_ros1::xmlrpc::{Client, Value};
use serde::Serialize;

use super::house::{House, PATIENCE, robot};
use super::program::RosNode;

/// Numbers that are no speed, no angle and no place.
const NUMBERS: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 3e38, -3e38, f64::MIN_POSITIVE];

#[derive(Serialize)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
    theta: f64,
}

#[derive(Serialize)]
struct Twist {
    linear: Vector,
    angular: Vector,
}

/// A message of any type from above: fields that it does not have are left out.
#[derive(Serialize)]
struct Nonsense {
    msg_flags: u32,
    body_vel: Twist,
    linear: Vector,
    angular: Vector,
    body_config: [f64; 4],
    body_config_speed: [f64; 4],
    body_move_flags: u32,
    body_move: Vector,
    tail: f64,
    ear_rotate: [f64; 2],
    eyelid_closure: f64,
    blink_time: i16,
    #[serde(rename = "sound_index_P3")]
    sound_index: i32,
    frame_size: u32,
    frame_rate: f64,
}

fn nonsense(it: f64) -> Nonsense {
    let vector = || Vector { x: it, y: it, z: it, theta: it };
    Nonsense {
        msg_flags: u32::MAX,
        body_vel: Twist { linear: vector(), angular: vector() },
        linear: vector(),
        angular: vector(),
        body_config: [it; 4],
        body_config_speed: [it; 4],
        body_move_flags: u32::MAX,
        body_move: vector(),
        tail: it,
        ear_rotate: [it; 2],
        eyelid_closure: it,
        blink_time: i16::MIN,
        sound_index: i16::MIN.into(),
        frame_size: u32::MAX,
        frame_rate: it,
    }
}

/// Calls and says all of it; returns when it was said.
pub(crate) async fn publish(entry: &Entry, here: &House) {
    let uri = format!("http://{}", here.authority());
    let master = Client::new(&uri);
    let deep = (0..20).fold(Value::Integer(1), |inner, _| Value::Array(vec![inner]));
    let text = |text: &str| Value::String(text.to_owned());
    for method in
        ["registerPublisher", "registerSubscriber", "lookupNode", "setParam", "getSystemState", "nothing"]
    {
        for params in [
            vec![],
            vec![deep.clone()],
            vec![text(""), text("//"), text("\u{7}"), text("http://")],
            vec![text("/x"), text(&"y/".repeat(10_000)), text("*"), text("http://127.0.0.1:1/")],
        ] {
            let _ = master.call(method, params, PATIENCE).await;
        }
    }
    let node = RosNode::at(&uri, "/garbage").await;
    for ClientMessage { sent, .. } in (entry.clients)(&robot()).messages {
        let Sent::Ros { topic, layout, .. } = sent else { continue };
        let publisher = node.node.advertise(&topic, layout, 32, false).unwrap();
        let mut followed = publisher.subscribers();
        tokio::time::timeout(PATIENCE, followed.wait_for(|count| *count > 0)).await.unwrap().unwrap();
        for number in NUMBERS {
            publisher.publish(&nonsense(number)).unwrap();
        }
        // Nothing tells that the other side has read it; it needs a moment before the connection goes.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    node.stop().await;
}

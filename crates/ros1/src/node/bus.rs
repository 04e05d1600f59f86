//! What `getBusInfo` and `getBusStats` tell: the node's connections.

use super::shared::Shared;
use super::socket::Ends;
use super::values::{count, text};
use crate::xmlrpc::Value;

/// All connections, as `rosnode info` shows them.
pub(super) fn info(shared: &Shared) -> Value {
    let topics = shared.topics();
    let mut lines = Vec::new();
    for publication in topics.offered.values() {
        for follower in publication.followers() {
            lines.push(line(follower.id, &follower.caller, "o", &publication.topic, follower.ends));
        }
    }
    for following in topics.followed.values() {
        for connected in following.connected() {
            lines.push(line(connected.id, &connected.uri, "i", &following.topic, connected.ends));
        }
    }
    Value::Array(lines)
}

fn line(id: u64, other: &str, direction: &str, topic: &str, ends: Ends) -> Value {
    // In rospy's words, which rosnode takes apart.
    let (port, peer) = (ends.local.port(), ends.peer);
    let description = format!("TCPROS connection on port {port} to [{peer} on socket {id}]");
    let (connected, direction) = (Value::Boolean(true), text(direction));
    Value::Array(vec![
        count(id),
        text(other),
        direction,
        text("TCPROS"),
        text(topic),
        connected,
        text(description),
    ])
}

/// What went over each connection: of offered topics, of followed ones, and of services, which there are none of.
pub(super) fn stats(shared: &Shared) -> Value {
    let topics = shared.topics();
    let offered = topics.offered.values().map(|publication| {
        let followers = publication.followers();
        let bytes = followers.iter().map(|follower| follower.traffic.bytes()).sum();
        let each = followers.iter().map(|follower| {
            let (id, traffic) = (follower.id, &follower.traffic);
            Value::Array(vec![
                count(id),
                count(traffic.bytes()),
                count(traffic.messages()),
                Value::Boolean(true),
            ])
        });
        Value::Array(vec![text(&publication.topic), count(bytes), Value::Array(each.collect())])
    });
    let followed = topics.followed.values().map(|following| {
        let each = following.connected().into_iter().map(|connected| {
            let (id, traffic) = (connected.id, &connected.traffic);
            // A subscriber cannot know what its publisher dropped.
            let (lost, connected) = (Value::Integer(-1), Value::Boolean(true));
            Value::Array(vec![count(id), count(traffic.bytes()), count(traffic.messages()), lost, connected])
        });
        Value::Array(vec![text(&following.topic), Value::Array(each.collect())])
    });
    let (offered, followed) = (Value::Array(offered.collect()), Value::Array(followed.collect()));
    Value::Array(vec![offered, followed, Value::Array(Vec::new())])
}

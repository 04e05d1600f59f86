//! Nodes and addresses that register more than they may.

use super::engine::Engine;
use super::quota::{Limits, Peer, REGISTRATIONS};
use crate::xmlrpc::Value;

/// A master at which a node may have three registrations, and an address five.
fn engine() -> Engine {
    let mut engine = Engine::new("http://master:1/".into());
    engine.graph.quota.limits = Limits { registrations_per_node: 3, registrations_per_address: 5 };
    engine.own.insert("/latimer".to_owned());
    engine
}

/// A call from an address, with a node's name and further arguments: the code and the text of the answer.
fn call(engine: &mut Engine, address: &str, method: &str, params: &[&str]) -> (i32, String) {
    let params: Vec<Value> = params.iter().map(|text| Value::String((*text).to_owned())).collect();
    let peer = Peer::of(address.parse().unwrap(), engine.is_own(&params));
    let (reply, _) = engine.call(method, params, peer).unwrap();
    match Value::from(reply) {
        Value::Array(parts) => match &parts[..] {
            [Value::Integer(code), Value::String(said), _] => (*code, said.clone()),
            _ => panic!("{parts:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn publish(engine: &mut Engine, address: &str, node: &str, topic: &str) -> (i32, String) {
    let at = format!("http://{address}:1/");
    call(engine, address, "registerPublisher", &[node, topic, "std_msgs/String", &at])
}

fn refused(engine: &Engine) -> u64 {
    engine.refusals.policy.refused_registrations()
}

#[test]
fn a_node_that_has_its_bound_is_refused_more_and_unregisters_for_more() {
    let mut engine = engine();
    let (here, node) = ("10.0.0.1", "/greedy");
    let at = "http://10.0.0.1:1/";
    assert_eq!(publish(&mut engine, here, node, "/a").0, 1);
    assert_eq!(call(&mut engine, here, "registerService", &[node, "/s", "rosrpc://10.0.0.1:2", at]).0, 1);
    assert_eq!(call(&mut engine, here, "subscribeParam", &[node, at, "/p"]).0, 1);
    let said = "ERROR: [/greedy] has 3 registrations, and no node may have more; unregister some, or raise the master's \
                registrations_per_node";
    for (method, params) in [
        ("registerPublisher", vec![node, "/b", "std_msgs/String", at]),
        ("registerSubscriber", vec![node, "/b", "std_msgs/String", at]),
        ("registerService", vec![node, "/t", "rosrpc://10.0.0.1:2", at]),
        ("subscribeParam", vec![node, at, "/q"]),
    ] {
        assert_eq!(call(&mut engine, here, method, &params), (-1, said.to_owned()), "{method}");
    }
    assert_eq!(refused(&engine), 4);
    // What it has, it may say again, as nodes do; and another node has room.
    assert_eq!(publish(&mut engine, here, node, "/a").0, 1);
    assert_eq!(call(&mut engine, here, "registerService", &[node, "/s", "rosrpc://10.0.0.1:3", at]).0, 1);
    assert_eq!(publish(&mut engine, here, "/other", "/b").0, 1);
    // Each kind of registration frees its place.
    for (method, params) in [
        ("unregisterPublisher", vec![node, "/a", at]),
        ("unregisterService", vec![node, "/s", "rosrpc://10.0.0.1:3"]),
        ("unsubscribeParam", vec![node, at, "/p"]),
    ] {
        assert_eq!(call(&mut engine, here, method, &params).0, 1, "{method}");
        assert_eq!(publish(&mut engine, here, node, &format!("/after/{method}")).0, 1, "{method}");
        assert_eq!(publish(&mut engine, here, node, "/more").0, -1, "{method}");
    }
}

#[test]
fn an_address_that_has_its_bound_is_refused_whatever_its_nodes_are_called() {
    let mut engine = engine();
    for at in 0..5 {
        assert_eq!(publish(&mut engine, "10.0.0.1", &format!("/n{at}"), "/chat").0, 1);
    }
    let (code, said) = publish(&mut engine, "10.0.0.1", "/n5", "/chat");
    assert_eq!(code, -1);
    assert!(said.contains("nodes at 10.0.0.1 have 5 registrations"), "{said}");
    assert!(said.contains("unregister some, or raise the master's registrations_per_address"), "{said}");
    // The name of the gateway's own node is worth nothing elsewhere; written otherwise, it is the same address.
    assert_eq!(publish(&mut engine, "10.0.0.1", "/latimer", "/chat").0, -1);
    assert_eq!(publish(&mut engine, "::ffff:10.0.0.1", "/n5", "/chat").0, -1);
    assert_eq!(refused(&engine), 3);
    assert_eq!(publish(&mut engine, "10.0.0.2", "/theirs", "/chat").0, 1, "another address has room");
    // Another address unregisters it: the place is that of the address that took it.
    let (code, _) =
        call(&mut engine, "10.0.0.2", "unregisterPublisher", &["/n0", "/chat", "http://10.0.0.1:1/"]);
    assert_eq!(code, 1);
    assert_eq!(publish(&mut engine, "10.0.0.1", "/n5", "/chat").0, 1);
}

#[test]
fn a_node_that_starts_again_at_a_full_address_takes_its_own_places() {
    let mut engine = engine();
    for topic in ["/a", "/b", "/c"] {
        publish(&mut engine, "10.0.0.1", "/crashed", topic);
    }
    for topic in ["/a", "/b"] {
        publish(&mut engine, "10.0.0.1", "/stays", topic);
    }
    let again = ["/crashed", "/a", "std_msgs/String", "http://10.0.0.1:2/"];
    assert_eq!(call(&mut engine, "10.0.0.1", "registerPublisher", &again).0, 1);
    for topic in ["/d", "/e"] {
        assert_eq!(
            call(
                &mut engine,
                "10.0.0.1",
                "registerSubscriber",
                &["/crashed", topic, "*", "http://10.0.0.1:2/"]
            )
            .0,
            1
        );
    }
    assert_eq!(publish(&mut engine, "10.0.0.1", "/new", "/a").0, -1);
}

#[test]
fn the_masters_own_node_has_room_although_all_others_fill_it() {
    let mut engine = engine();
    engine.graph.quota.limits =
        Limits { registrations_per_node: Limits::MOST, registrations_per_address: Limits::MOST };
    for at in 0..REGISTRATIONS {
        let address = format!("10.0.{}.1", at % 100);
        let (code, said) = publish(&mut engine, &address, &format!("/n{}", at % 100), &format!("/t{at}"));
        assert_eq!(code, 1, "{at}: {said}");
    }
    let (code, said) = publish(&mut engine, "10.0.200.1", "/late", "/chat");
    assert_eq!(code, -1);
    assert!(said.contains("takes no more; unregister some, or restart it"), "{said}");
    for topic in 0..100 {
        assert_eq!(publish(&mut engine, "127.0.0.1", "/latimer", &format!("/own/{topic}")).0, 1);
    }
    assert_eq!(publish(&mut engine, "127.0.0.1", "/other", "/chat").0, -1, "another name of this machine");
    call(&mut engine, "10.0.0.1", "unregisterPublisher", &["/n0", "/t0", "http://10.0.0.1:1/"]);
    assert_eq!(publish(&mut engine, "10.0.200.1", "/late", "/chat").0, 1);
}

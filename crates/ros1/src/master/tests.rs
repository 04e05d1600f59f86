//! The engine's answers and notifications.

use super::engine::Engine;
use super::notice::{Notice, Notification};
use super::quota::Peer;
use crate::xmlrpc::Value;

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// A call with texts only: the code, the text, the value and who is notified.
fn call(engine: &mut Engine, method: &str, params: &[&str]) -> (i32, String, Value, Vec<Notice>) {
    call_with(engine, method, params.iter().map(|param| text(param)).collect())
}

fn call_with(engine: &mut Engine, method: &str, params: Vec<Value>) -> (i32, String, Value, Vec<Notice>) {
    call_from("10.0.0.1", engine, method, params)
}

/// A call from another machine, or from this one's loopback address.
fn call_from(
    address: &str,
    engine: &mut Engine,
    method: &str,
    params: Vec<Value>,
) -> (i32, String, Value, Vec<Notice>) {
    let peer = Peer::of(address.parse().unwrap(), engine.is_own(&params));
    let (reply, notices) = engine.call(method, params, peer).unwrap();
    let Value::Array(mut parts) = Value::from(reply) else { panic!("no array") };
    let (value, said, code) = (parts.pop().unwrap(), parts.pop().unwrap(), parts.pop().unwrap());
    let (Value::Integer(code), Value::String(said)) = (code, said) else { panic!("no code and text") };
    (code, said, value, notices)
}

fn texts(items: &[&str]) -> Value {
    Value::Array(items.iter().map(|item| text(item)).collect())
}

fn engine() -> Engine {
    Engine::new("http://master:1/".into())
}

#[test]
fn a_publisher_learns_who_subscribes_and_subscribers_who_publishes() {
    let mut engine = engine();
    let (code, said, publishers, notices) =
        call(&mut engine, "registerSubscriber", &["/s", "chat", "std_msgs/String", "http://s:1/"]);
    assert_eq!((code, said.as_str(), publishers, notices), (1, "Subscribed to [/chat]", texts(&[]), vec![]));
    let (code, said, subscribers, notices) =
        call(&mut engine, "registerPublisher", &["/p", "/chat", "std_msgs/String", "http://p:1/"]);
    assert_eq!((code, said.as_str()), (1, "Registered [/p] as publisher of [/chat]"));
    assert_eq!(subscribers, texts(&["http://s:1/"]));
    let notification = |publishers: &[&str]| Notice {
        to: "http://s:1/".into(),
        notification: Notification::Publishers {
            topic: "/chat".into(),
            publishers: publishers.iter().map(|address| (*address).to_owned()).collect(),
        },
    };
    assert_eq!(notices, [notification(&["http://p:1/"])]);
    let (code, said, value, notices) =
        call(&mut engine, "unregisterPublisher", &["/p", "/chat", "http://p:1/"]);
    assert_eq!(
        (code, said.as_str(), value),
        (1, "Unregistered [/p] as provider of [/chat]", Value::Integer(1))
    );
    assert_eq!(notices, [notification(&[])]);
    let (code, said, ..) = call(&mut engine, "unregisterPublisher", &["/p", "/chat", "http://p:1/"]);
    assert_eq!((code, said.as_str()), (1, "[/p] is not a registered node"));
}

#[test]
fn a_second_node_of_a_name_takes_the_first_ones_place() {
    let mut engine = engine();
    call(&mut engine, "registerSubscriber", &["/s", "/chat", "std_msgs/String", "http://s:1/"]);
    call(&mut engine, "registerPublisher", &["/twin", "/chat", "std_msgs/String", "http://old:1/"]);
    call(&mut engine, "registerService", &["/twin", "/twin/get", "rosrpc://old:2", "http://old:1/"]);
    let (_, _, _, notices) =
        call(&mut engine, "registerPublisher", &["/twin", "/other", "std_msgs/String", "http://new:1/"]);
    let reason = "[/twin] Reason: new node registered with same name".to_owned();
    assert_eq!(
        notices[0],
        Notice { to: "http://old:1/".into(), notification: Notification::Shutdown { reason } }
    );
    let gone = Notification::Publishers { topic: "/chat".into(), publishers: Vec::new() };
    assert_eq!(notices[1..], [Notice { to: "http://s:1/".into(), notification: gone }]);
    assert_eq!(call(&mut engine, "lookupNode", &["/me", "/twin"]).2, text("http://new:1/"));
    assert_eq!(call(&mut engine, "lookupService", &["/me", "/twin/get"]).1, "no provider");
    // The old one's own farewell changes nothing.
    assert_eq!(
        call(&mut engine, "unregisterPublisher", &["/twin", "/other", "http://old:1/"]).2,
        Value::Integer(0)
    );
    assert_eq!(engine.graph.counts(), (2, 2, 0));
}

#[test]
fn a_node_is_there_for_as_long_as_it_is_registered_for_something() {
    let mut engine = engine();
    call(&mut engine, "registerService", &["/a", "/get", "rosrpc://a:2", "http://a:1/"]);
    call(&mut engine, "subscribeParam", &["/a", "http://a:1/", "speed"]);
    assert_eq!(call(&mut engine, "lookupNode", &["/me", "a"]).0, 1);
    // Another node offers the service now.
    call(&mut engine, "registerService", &["/b", "/get", "rosrpc://b:2", "http://b:1/"]);
    let (_, said, value, _) = call(&mut engine, "unregisterService", &["/a", "/get", "rosrpc://a:2"]);
    assert_eq!(said, "[rosrpc://a:2] is no longer the current service api handle for [/get]");
    assert_eq!(value, Value::Integer(0));
    call(&mut engine, "unsubscribeParam", &["/a", "http://a:1/", "speed"]);
    let (code, said, ..) = call(&mut engine, "lookupNode", &["/me", "/a"]);
    assert_eq!((code, said.as_str()), (-1, "unknown node [/a]"));
    assert_eq!(call(&mut engine, "lookupService", &["/me", "/get"]).2, text("rosrpc://b:2"));
}

#[test]
fn wrong_arguments_are_reported_as_ros_does_it() {
    let mut engine = engine();
    for (method, params, said) in [
        ("getPid", vec![], "missing required caller_id parameter"),
        ("getPid", vec![text("/me"), text("more")], "Error: bad call arity"),
        ("getPid", vec![Value::Integer(1)], "caller_id must be a string"),
        ("getParam", vec![text("/me"), Value::Integer(1)], "ERROR: parameter [key] must be a string"),
        ("getParam", vec![text("/me"), text("")], "ERROR: parameter [key] must be specified and non-empty"),
        ("setParam", vec![text("/me"), text("a"), Value::Nil], "ERROR: parameter [value] must be specified"),
        ("lookupNode", vec![text("/me"), text("http://a")], "ERROR: parameter [node] contains illegal chars"),
        (
            "lookupService",
            vec![text("/me"), text("/")],
            "ERROR: parameter [service] cannot be the global namespace",
        ),
        ("getParam", vec![text("/me"), text("a\nb")], "ERROR: parameter [key] contains illegal chars"),
        ("getUri", vec![text("\u{1}")], "caller_id contains illegal chars"),
    ] {
        let (code, answer, ..) = call_with(&mut engine, method, params.clone());
        assert_eq!((code, answer.as_str()), (-1, said), "{method} {params:?}");
    }
    assert_eq!(engine.call("sing", vec![text("/me")], Peer::Own), None);
}

#[test]
fn a_type_is_what_the_publisher_says() {
    let mut engine = engine();
    let types = |engine: &mut Engine| call(engine, "getTopicTypes", &["/me"]).2;
    call(&mut engine, "registerSubscriber", &["/s", "/a", "*", "http://s:1/"]);
    assert_eq!(types(&mut engine), texts(&[]));
    call(&mut engine, "registerSubscriber", &["/s", "/a", "x/Guess", "http://s:1/"]);
    assert_eq!(types(&mut engine), Value::Array(vec![texts(&["/a", "x/Guess"])]));
    call(&mut engine, "registerPublisher", &["/p", "/a", "x/Real", "http://p:1/"]);
    call(&mut engine, "registerPublisher", &["/p", "/a", "*", "http://p:1/"]);
    assert_eq!(types(&mut engine), Value::Array(vec![texts(&["/a", "x/Real"])]));
    call(&mut engine, "registerPublisher", &["/p", "/ns/b", "x/B", "http://p:1/"]);
    let published = call(&mut engine, "getPublishedTopics", &["/me", "/ns"]).2;
    assert_eq!(published, Value::Array(vec![texts(&["/ns/b", "x/B"])]));
}

#[test]
fn a_master_is_not_ended_by_one_of_its_callers() {
    let (code, said, ..) = call(&mut engine(), "shutdown", &["/me", "because"]);
    assert_eq!(code, 0);
    assert!(said.contains("stop that program"), "{said}");
}

//! A sequence of calls to a master: no panic, each answer as the protocol has it, and nothing left when all that is registered was
//! unregistered.
//!
//! Takes a call a line, as `ros_calls.rs` reads it.

use latimer_ros1::master::Counts;
use latimer_ros1::master::fuzzing::{Answered, Calls};
use latimer_ros1::xmlrpc::{Value, read_call, write_call};

use crate::ros_calls::{calls, code_and_value};

const CALLER: &str = "/fuzzer";

pub(super) fn run(text: &str) {
    let mut master = Calls::default();
    for (method, params) in calls(text) {
        let Some(Answered { answer, notices }) = master.call(&method, params) else { continue };
        code_and_value(&answer);
        for (to, method, params) in notices {
            let document = write_call(method, params).expect("a notification can be written");
            read_call(document.as_bytes())
                .unwrap_or_else(|error| panic!("{to} cannot read {document}: {error}"));
        }
    }
    leave(&mut master);
    assert_eq!(master.counts(), Counts::default());
}

/// Unregisters all that the master tells of.
fn leave(master: &mut Calls) {
    let state = ask(master, "getSystemState", vec![text(CALLER)]);
    let Value::Array(roles) = state else { panic!("no state: {state:?}") };
    let methods = ["unregisterPublisher", "unregisterSubscriber", "unregisterService"];
    assert_eq!(roles.len(), methods.len());
    for (role, method) in roles.iter().zip(methods) {
        for (key, nodes) in array(role).iter().map(entry) {
            for node in array(nodes) {
                let address = match (method, node) {
                    ("unregisterService", _) => ask(master, "lookupService", vec![text(CALLER), key.clone()]),
                    // `lookupNode` takes a name as its caller means it; a node may call itself otherwise.
                    (_, Value::String(name)) => text(master.node(name).expect("it is registered")),
                    _ => panic!("no name: {node:?}"),
                };
                let left = ask(master, method, vec![node.clone(), key.clone(), address]);
                assert_eq!(left, Value::Integer(1), "{method} {node:?} {key:?}");
            }
        }
    }
}

fn ask(master: &mut Calls, method: &str, params: Vec<Value>) -> Value {
    let shown = format!("{method} {params:?}");
    let answered = master.call(method, params).expect("it has the method");
    let (code, value) = code_and_value(&answered.answer);
    assert_eq!(code, 1, "{shown}: {:?}", answered.answer);
    value.clone()
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn array(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        other => panic!("no array: {other:?}"),
    }
}

fn entry(value: &Value) -> (&Value, &Value) {
    match array(value) {
        [key, nodes] => (key, nodes),
        other => panic!("no key with its nodes: {other:?}"),
    }
}

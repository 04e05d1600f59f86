//! Methods on parameters.

use super::arguments::{Arguments, CallError};
use super::engine::{Engine, Outcome, reply_only};
use super::graph::Role;
use super::providers::Provider;
use super::quota::Peer;
use super::reply::{Reply, nothing, texts};
use super::updates::{follow_key, updates};
use crate::xmlrpc::Value;

pub(super) fn set(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let key = arguments.resolved_key("key")?;
    let value = arguments.value("value")?;
    let followers = engine.graph.providers(Role::Follower);
    let notices = updates(followers, &key, &value, Some(&arguments.caller));
    if let Err(error) = engine.params.set(&key, value) {
        tracing::debug!(key, %error, "a parameter is refused");
        return Err(error.into());
    }
    tracing::debug!(key, caller = arguments.caller, "a parameter is set");
    Ok((Reply::done(format!("parameter {key} set"), Value::Integer(0)), notices))
}

pub(super) fn get(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let key = arguments.resolved_key("key")?;
    Ok(reply_only(match engine.params.get(&key) {
        Some(value) => Reply::done(format!("Parameter [{key}]"), value),
        None => Reply::wrong(format!("Parameter [{key}] is not set"), Value::Integer(0)),
    }))
}

pub(super) fn delete(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let key = arguments.resolved_key("key")?;
    if !engine.params.delete(&key) {
        return Ok(reply_only(Reply::wrong(format!("parameter [{key}] is not set"), Value::Integer(0))));
    }
    tracing::debug!(key, caller = arguments.caller, "a parameter is deleted");
    let notices = updates(engine.graph.providers(Role::Follower), &key, &nothing(), None);
    Ok((Reply::done(format!("parameter {key} deleted"), Value::Integer(0)), notices))
}

pub(super) fn has(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let key = arguments.resolved_key("key")?;
    let set = engine.params.has(&key);
    Ok(reply_only(Reply::done(key, Value::Boolean(set))))
}

pub(super) fn search(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let key = arguments.key("key")?;
    if key.starts_with('~') {
        return Ok(reply_only(Reply::failed("Internal failure: invalid key", Value::Integer(0))));
    }
    if !arguments.caller.starts_with('/') {
        return Ok(reply_only(Reply::failed(
            "Internal failure: namespace must be global",
            Value::Integer(0),
        )));
    }
    Ok(reply_only(match engine.params.search(&arguments.caller, &key) {
        Some(found) => Reply::done(format!("Found [{found}]"), Value::String(found)),
        None => {
            let text = format!("Cannot find parameter [{key}] in an upwards search");
            Reply::wrong(text, Value::String(String::new()))
        }
    }))
}

pub(super) fn names(engine: &mut Engine, _: Arguments) -> Result<Outcome, CallError> {
    Ok(reply_only(Reply::done("Parameter names", texts(engine.params.names()))))
}

pub(super) fn follow(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let address = arguments.address("caller_api")?;
    let key = arguments.resolved_key("key")?;
    let node = Provider { node: arguments.caller, address, peer: arguments.peer };
    let notices = engine.graph.register(Role::Follower, &follow_key(&key), node)?;
    let value = engine.params.get(&key).unwrap_or_else(nothing);
    Ok((Reply::done(format!("Subscribed to parameter [{key}]"), value), notices))
}

pub(super) fn unfollow(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let address = arguments.address("caller_api")?;
    let key = arguments.resolved_key("key")?;
    let node = Provider { node: arguments.caller, address, peer: arguments.peer };
    // ROS's own master answers the same whether it was followed or not.
    engine.graph.unregister(Role::Follower, &follow_key(&key), &node);
    Ok(reply_only(Reply::done(format!("Unsubscribe to parameter [{key}]"), Value::Integer(1))))
}

/// A node answered that it does not follow a parameter: its address receives no further notification.
pub(super) fn forget(engine: &mut Engine, key: &str, address: &str) {
    for node in engine.graph.nodes_at(address) {
        // Whoever registered it.
        let follower = Provider { node, address: address.to_owned(), peer: Peer::Own };
        engine.graph.unregister(Role::Follower, key, &follower);
    }
}

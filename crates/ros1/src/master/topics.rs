//! Methods by which nodes register: publishers, subscribers, services.

use super::arguments::{Arguments, CallError};
use super::engine::{Engine, Outcome, addresses, reply_only};
use super::graph::Role;
use super::providers::Provider;
use super::reply::Reply;
use crate::xmlrpc::Value;

pub(super) fn register_publisher(
    engine: &mut Engine,
    mut arguments: Arguments,
) -> Result<Outcome, CallError> {
    let topic = arguments.resource("topic")?;
    let type_name = arguments.type_name("topic_type")?;
    let node = provider(&mut arguments)?;
    let text = format!("Registered [{}] as publisher of [{topic}]", node.node);
    tracing::debug!(topic, type_name, node = node.node, address = node.address, "a publisher came");
    let notices = engine.graph.register(Role::Publisher, &topic, node)?;
    engine.graph.set_type(&topic, type_name, Role::Publisher);
    let subscribers = engine.graph.providers(Role::Subscriber).addresses(&topic);
    Ok((Reply::done(text, addresses(subscribers)), notices))
}

pub(super) fn register_subscriber(
    engine: &mut Engine,
    mut arguments: Arguments,
) -> Result<Outcome, CallError> {
    let topic = arguments.resource("topic")?;
    let type_name = arguments.type_name("topic_type")?;
    let node = provider(&mut arguments)?;
    tracing::debug!(topic, type_name, node = node.node, address = node.address, "a subscriber came");
    let notices = engine.graph.register(Role::Subscriber, &topic, node)?;
    engine.graph.set_type(&topic, type_name, Role::Subscriber);
    let publishers = engine.graph.providers(Role::Publisher).addresses(&topic);
    Ok((Reply::done(format!("Subscribed to [{topic}]"), addresses(publishers)), notices))
}

pub(super) fn unregister_publisher(engine: &mut Engine, arguments: Arguments) -> Result<Outcome, CallError> {
    unregister(engine, arguments, Role::Publisher)
}

pub(super) fn unregister_subscriber(engine: &mut Engine, arguments: Arguments) -> Result<Outcome, CallError> {
    unregister(engine, arguments, Role::Subscriber)
}

fn unregister(engine: &mut Engine, mut arguments: Arguments, role: Role) -> Result<Outcome, CallError> {
    let topic = arguments.resource("topic")?;
    let node = provider(&mut arguments)?;
    tracing::debug!(topic, node = node.node, ?role, "a node leaves a topic");
    let caller = node.node.as_str();
    Ok(match engine.graph.unregister(role, &topic, &node) {
        Some((true, notices)) => (unregistered(caller, &topic), notices),
        Some((false, notices)) => {
            let text = format!("[{caller}] is not a known provider of [{topic}]");
            (Reply::done(text, Value::Integer(0)), notices)
        }
        None => reply_only(unknown(caller)),
    })
}

pub(super) fn register_service(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let service = arguments.resource("service")?;
    let address = arguments.address("service_api")?;
    let node = provider(&mut arguments)?;
    tracing::debug!(service, node = node.node, address, "a service came");
    let notices = engine.graph.register_service(&service, address, &node)?;
    let text = format!("Registered [{}] as provider of [{service}]", node.node);
    Ok((Reply::done(text, Value::Integer(1)), notices))
}

pub(super) fn unregister_service(
    engine: &mut Engine,
    mut arguments: Arguments,
) -> Result<Outcome, CallError> {
    let service = arguments.resource("service")?;
    let address = arguments.address("service_api")?;
    let caller = arguments.caller.as_str();
    tracing::debug!(service, node = caller, "a service goes");
    Ok(reply_only(match engine.graph.unregister_service(&service, &address, caller) {
        Some(true) => unregistered(caller, &service),
        Some(false) => {
            let text = format!("[{address}] is no longer the current service api handle for [{service}]");
            Reply::done(text, Value::Integer(0))
        }
        None => unknown(caller),
    }))
}

pub(super) fn lookup_service(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let service = arguments.resource("service")?;
    Ok(reply_only(match engine.graph.service(&service) {
        Some(address) => Reply::done(format!("rosrpc URI: [{address}]"), Value::String(address.to_owned())),
        None => Reply::wrong("no provider", Value::String(String::new())),
    }))
}

/// The caller at the address that it gives.
fn provider(arguments: &mut Arguments) -> Result<Provider, CallError> {
    let address = arguments.address("caller_api")?;
    Ok(Provider { node: arguments.caller.clone(), address, peer: arguments.peer })
}

fn unregistered(caller: &str, key: &str) -> Reply {
    Reply::done(format!("Unregistered [{caller}] as provider of [{key}]"), Value::Integer(1))
}

fn unknown(caller: &str) -> Reply {
    Reply::done(format!("[{caller}] is not a registered node"), Value::Integer(0))
}

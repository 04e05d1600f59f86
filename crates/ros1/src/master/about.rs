//! Methods that tell about the graph and about the master.

use super::arguments::{Arguments, CallError};
use super::engine::{Engine, Outcome, reply_only};
use super::graph::Role;
use super::providers::Providers;
use super::reply::{Reply, texts};
use crate::xmlrpc::Value;

pub(super) fn lookup_node(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let node = arguments.graph_name("node")?;
    Ok(reply_only(match engine.graph.node(&node) {
        Some(address) => Reply::done("node api", Value::String(address.to_owned())),
        None => Reply::wrong(format!("unknown node [{node}]"), Value::String(String::new())),
    }))
}

pub(super) fn published_topics(engine: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let mut below = arguments.subgraph("subgraph")?;
    if !below.is_empty() && !below.ends_with('/') {
        below.push('/');
    }
    let types = engine.graph.types();
    let published =
        engine.graph.providers(Role::Publisher).iter().filter(|(topic, _)| topic.starts_with(&below));
    let topics =
        published.map(|(topic, _)| texts([topic.as_str(), types.get(topic).map_or("*", String::as_str)]));
    Ok(reply_only(Reply::done("current topics", Value::Array(topics.collect()))))
}

pub(super) fn topic_types(engine: &mut Engine, _: Arguments) -> Result<Outcome, CallError> {
    let types = engine.graph.types().iter().map(|(topic, type_name)| texts([topic, type_name]));
    Ok(reply_only(Reply::done("current system state", Value::Array(types.collect()))))
}

pub(super) fn system_state(engine: &mut Engine, _: Arguments) -> Result<Outcome, CallError> {
    let services = engine.graph.services();
    let services = services.map(|(service, node)| entry(service, [node.as_str()]));
    let state = vec![
        nodes_by_key(engine.graph.providers(Role::Publisher)),
        nodes_by_key(engine.graph.providers(Role::Subscriber)),
        Value::Array(services.collect()),
    ];
    Ok(reply_only(Reply::done("current system state", Value::Array(state))))
}

pub(super) fn uri(engine: &mut Engine, _: Arguments) -> Result<Outcome, CallError> {
    Ok(reply_only(Reply::done("", Value::String(engine.uri.clone()))))
}

pub(super) fn pid(_: &mut Engine, _: Arguments) -> Result<Outcome, CallError> {
    let pid = i32::try_from(std::process::id()).unwrap_or(-1);
    Ok(reply_only(Reply::done("", Value::Integer(pid))))
}

/// Other programs live on this master; no single one of them ends it.
pub(super) fn shutdown(_: &mut Engine, mut arguments: Arguments) -> Result<Outcome, CallError> {
    let reason = arguments.remark();
    tracing::info!(caller = arguments.caller, reason, "asked to shut the master down, which it does not do");
    let text = "this master belongs to another program; stop that program instead";
    Ok(reply_only(Reply::failed(text, Value::Integer(0))))
}

fn nodes_by_key(providers: &Providers) -> Value {
    let entries = providers.iter();
    Value::Array(
        entries.map(|(key, who)| entry(key, who.iter().map(|provider| provider.node.as_str()))).collect(),
    )
}

fn entry<'a>(key: &str, nodes: impl IntoIterator<Item = &'a str>) -> Value {
    Value::Array(vec![Value::String(key.to_owned()), texts(nodes)])
}

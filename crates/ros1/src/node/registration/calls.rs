//! The calls to the master.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::plan::Step;
use crate::limits::{MASTER_ANSWER_TIMEOUT, REGISTRATIONS_PER_CALL};
use crate::node::shared::Shared;
use crate::node::values::{Answer, as_text, ask, text};
use crate::xmlrpc::{CallError, Value};

/// Why the master does not know all.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// No answer.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It does not want to.
    #[error("the master refused {method}: {reason}")]
    Refused { method: &'static str, reason: String },
    /// Another node has the name.
    #[error("{0}")]
    Replaced(String),
}

/// The master's process.
pub(super) async fn pid(shared: &Shared) -> Result<i32, Trouble> {
    let answer = call(shared, "getPid", Vec::new()).await?;
    match (answer.is_done(), &answer.value) {
        (true, Value::Integer(pid)) => Ok(*pid),
        // Some masters keep it to themselves.
        _ => Ok(0),
    }
}

/// Whether the master knows the node.
pub(super) async fn is_known(shared: &Shared) -> Result<bool, Trouble> {
    let answer = call(shared, "lookupNode", vec![text(&*shared.name)]).await?;
    match (answer.is_done(), as_text(&answer.value)) {
        (true, Some(uri)) if uri == shared.uri => Ok(true),
        (true, Some(uri)) => Err(Trouble::Replaced(format!(
            "[{}] another node of this name is registered at {uri}",
            shared.name
        ))),
        _ => Ok(false),
    }
}

/// Tells the master one thing.
pub(super) async fn take(shared: &Arc<Shared>, step: &Step) -> Result<(), Trouble> {
    let (method, params) = of_step(shared, step);
    let followed = match step {
        Step::Follow { topic, .. } => shared.topics().followed.get(topic).cloned(),
        _ => None,
    };
    let before = followed.as_ref().map(|following| following.lists());
    let answer = call(shared, method, params).await?;
    match step {
        // Of what it does not know there is nothing to unregister.
        Step::Withdraw { .. } | Step::Leave { .. } | Step::Revoke { .. } => return Ok(()),
        _ if !answer.is_done() => return Err(Trouble::Refused { method, reason: answer.status }),
        _ => {}
    }
    if let (Some(following), Some(before), Value::Array(uris)) = (followed, before, answer.value) {
        let uris = uris.iter().filter_map(as_text).map(str::to_owned).collect();
        following.answer(shared, uris, before);
    }
    Ok(())
}

/// Tells the master many things with few calls.
pub(super) async fn take_all(shared: &Arc<Shared>, steps: &[Step]) -> Result<(), CallError> {
    for steps in steps.chunks(REGISTRATIONS_PER_CALL) {
        take_some(shared, steps).await?;
    }
    Ok(())
}

async fn take_some(shared: &Arc<Shared>, steps: &[Step]) -> Result<(), CallError> {
    let calls = steps.iter().map(|step| {
        let (method, params) = of_step(shared, step);
        let mut params = params;
        params.insert(0, text(&*shared.name));
        Value::Struct(BTreeMap::from([
            ("methodName".to_owned(), text(method)),
            ("params".to_owned(), Value::Array(params)),
        ]))
    });
    let calls = vec![Value::Array(calls.collect())];
    shared.master.call("system.multicall", calls, MASTER_ANSWER_TIMEOUT).await.map(drop)
}

fn of_step(shared: &Shared, step: &Step) -> (&'static str, Vec<Value>) {
    let uri = text(&shared.uri);
    match step {
        Step::Offer { topic, type_name, .. } => {
            ("registerPublisher", vec![text(topic), text(type_name), uri])
        }
        Step::Follow { topic, type_name, .. } => {
            ("registerSubscriber", vec![text(topic), text(type_name), uri])
        }
        Step::Withdraw { topic } => ("unregisterPublisher", vec![text(topic), uri]),
        Step::Leave { topic } => ("unregisterSubscriber", vec![text(topic), uri]),
        Step::Serve { service, .. } => ("registerService", vec![text(service), text(shared.rosrpc()), uri]),
        Step::Revoke { service } => ("unregisterService", vec![text(service), text(shared.rosrpc())]),
    }
}

async fn call(shared: &Shared, method: &'static str, mut params: Vec<Value>) -> Result<Answer, Trouble> {
    params.insert(0, text(&*shared.name));
    Ok(ask(&shared.master, method, params, MASTER_ANSWER_TIMEOUT).await?)
}

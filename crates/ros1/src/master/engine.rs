//! All that a master knows, and what it answers; no time, no sockets.

use std::collections::HashSet;

use super::arguments::{Arguments, CallError};
use super::graph::Graph;
use super::notice::Notice;
use super::params::Params;
use super::quota::{Peer, Refusals};
use super::reply::{Reply, texts};
use super::{about, parameters, topics};
use crate::xmlrpc::Value;

/// Answers calls from the graph and the parameters.
#[derive(Debug)]
pub(super) struct Engine {
    /// The master's own address, with a slash at its end.
    pub(super) uri: String,
    pub(super) graph: Graph,
    pub(super) params: Params,
    /// Nodes of the master's own program.
    pub(super) own: HashSet<String>,
    pub(super) refusals: Refusals,
}

/// An answer, and the notifications that follow, in this order.
pub(super) type Outcome = (Reply, Vec<Notice>);

/// What a method does with its arguments.
type Act = fn(&mut Engine, Arguments) -> Result<Outcome, CallError>;

/// A method: how many arguments it has beside the caller, what it answers when they are wrong, and what it does.
struct Method {
    arguments: usize,
    on_error: fn() -> Value,
    act: Act,
}

impl Engine {
    /// One that knows nothing.
    pub(super) fn new(uri: String) -> Self {
        Self {
            uri,
            graph: Graph::default(),
            params: Params::default(),
            own: HashSet::new(),
            refusals: Refusals::default(),
        }
    }

    /// Whether a call says that it is of a node of the master's own program.
    pub(super) fn is_own(&self, params: &[Value]) -> bool {
        matches!(params.first(), Some(Value::String(caller)) if self.own.contains(caller))
    }

    /// Answers a call; nothing if there is no such method.
    pub(super) fn call(&mut self, method: &str, params: Vec<Value>, peer: Peer) -> Option<Outcome> {
        let Method { arguments, on_error, act } = method_of(method)?;
        let outcome = Arguments::new(params, arguments, peer).and_then(|arguments| act(self, arguments));
        Some(outcome.unwrap_or_else(|error| {
            match &error {
                CallError::Full(full) => self.refusals.count(peer, full),
                error => tracing::debug!(method, %error, "a call with wrong arguments"),
            }
            reply_only(Reply::wrong(error.to_string(), on_error()))
        }))
    }
}

/// The methods of the Master API and of the Parameter Server API.
fn method_of(name: &str) -> Option<Method> {
    let zero = || Value::Integer(0);
    let text = || Value::String(String::new());
    let none = || Value::Array(Vec::new());
    let lists = || Value::Array(vec![Value::Array(Vec::new()); 3]);
    let no = || Value::Boolean(false);
    let pid = || Value::Integer(-1);
    let method = |arguments, on_error: fn() -> Value, act: Act| Some(Method { arguments, on_error, act });
    match name {
        "registerService" => method(3, zero, topics::register_service),
        "unregisterService" => method(2, zero, topics::unregister_service),
        "lookupService" => method(1, text, topics::lookup_service),
        "registerSubscriber" => method(3, none, topics::register_subscriber),
        "unregisterSubscriber" => method(2, zero, topics::unregister_subscriber),
        "registerPublisher" => method(3, none, topics::register_publisher),
        "unregisterPublisher" => method(2, zero, topics::unregister_publisher),
        "lookupNode" => method(1, text, about::lookup_node),
        "getPublishedTopics" => method(1, zero, about::published_topics),
        "getTopicTypes" => method(0, none, about::topic_types),
        "getSystemState" => method(0, lists, about::system_state),
        "getUri" => method(0, text, about::uri),
        "getPid" => method(0, pid, about::pid),
        "shutdown" => method(1, zero, about::shutdown),
        "setParam" => method(2, zero, parameters::set),
        "getParam" => method(1, zero, parameters::get),
        "deleteParam" => method(1, zero, parameters::delete),
        "hasParam" => method(1, no, parameters::has),
        "searchParam" => method(1, zero, parameters::search),
        "getParamNames" => method(0, none, parameters::names),
        "subscribeParam" => method(2, zero, parameters::follow),
        "unsubscribeParam" => method(2, zero, parameters::unfollow),
        _ => None,
    }
}

/// An answer without notifications.
pub(super) fn reply_only(reply: Reply) -> Outcome {
    (reply, Vec::new())
}

/// Addresses as an answer.
pub(super) fn addresses(addresses: Vec<String>) -> Value {
    texts(addresses)
}

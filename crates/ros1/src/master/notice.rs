//! What the master tells nodes.

use std::sync::Arc;

use super::reply::texts;
use crate::xmlrpc::Value;

/// Who the master is, to those that it calls.
const CALLER: &str = "/master";

/// A notification and the node that receives it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Notice {
    /// The node's address.
    pub(super) to: String,
    /// What the node receives.
    pub(super) notification: Notification,
}

/// What a node is notified of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Notification {
    /// All who publish a topic now.
    Publishers {
        /// Which topic.
        topic: String,
        /// Their addresses.
        publishers: Vec<String>,
    },
    /// A parameter that changed.
    Parameter {
        /// Which, with a slash at its end.
        key: String,
        /// What it is now.
        value: Arc<Value>,
    },
    /// Another node has its name.
    Shutdown {
        /// Why, for people.
        reason: String,
    },
}

impl Notification {
    /// The method that a node is called by.
    pub(super) fn method(&self) -> &'static str {
        match self {
            Self::Publishers { .. } => "publisherUpdate",
            Self::Parameter { .. } => "paramUpdate",
            Self::Shutdown { .. } => "shutdown",
        }
    }

    /// The method's parameters.
    pub(super) fn params(&self) -> Vec<Value> {
        let caller = Value::String(CALLER.to_owned());
        match self {
            Self::Publishers { topic, publishers } => {
                vec![caller, Value::String(topic.clone()), texts(publishers.iter().cloned())]
            }
            Self::Parameter { key, value } => {
                vec![caller, Value::String(key.clone()), value.as_ref().clone()]
            }
            Self::Shutdown { reason } => vec![caller, Value::String(reason.clone())],
        }
    }

    /// Whether it makes the other superfluous for the same node.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Publishers { topic, .. }, Self::Publishers { topic: other, .. }) => topic == other,
            (Self::Parameter { key, .. }, Self::Parameter { key: other, .. }) => key == other,
            (Self::Shutdown { .. }, Self::Shutdown { .. }) => true,
            _ => false,
        }
    }
}

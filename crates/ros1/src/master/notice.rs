//! What the master tells nodes.

use std::sync::Arc;

use super::reply::texts;
use crate::xmlrpc::Value;

/// Who the master is, to those that it calls.
const CALLER: &str = "/master";

/// Something that a node is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Notice {
    /// The node's address.
    pub(super) to: String,
    /// What it is told.
    pub(super) news: News,
}

/// What a node is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum News {
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

impl News {
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

    /// Whether a node that is told this need no longer be told the other.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Publishers { topic, .. }, Self::Publishers { topic: other, .. }) => topic == other,
            (Self::Parameter { key, .. }, Self::Parameter { key: other, .. }) => key == other,
            (Self::Shutdown { .. }, Self::Shutdown { .. }) => true,
            _ => false,
        }
    }
}

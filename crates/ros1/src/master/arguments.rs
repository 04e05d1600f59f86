//! Arguments of a call, checked in the words of ROS's own master.

use super::name;
use super::params::SetError;
use super::quota::{Full, Peer};
use crate::xmlrpc::Value;

/// Scheme of nodes.
const HTTP: &str = "http://";
/// Scheme of services.
const ROSRPC: &str = "rosrpc://";
/// A subscriber's word for whatever the type is.
pub(super) const ANY_TYPE: &str = "*";

/// Why a call is refused, in the words of ROS's own master where it has some.
#[derive(Debug, thiserror::Error)]
pub(super) enum CallError {
    #[error("missing required caller_id parameter")]
    NoCaller,
    #[error("Error: bad call arity")]
    Arity,
    #[error("caller_id must be a string")]
    CallerType,
    #[error("caller_id contains illegal chars")]
    CallerName,
    #[error("ERROR: parameter [{0}] contains illegal chars")]
    Illegal(&'static str),
    #[error("ERROR: parameter [{0}] cannot be the global namespace")]
    Global(&'static str),
    #[error("ERROR: parameter [{0}] must be a string")]
    NoString(&'static str),
    #[error("ERROR: parameter [{0}] must be a non-empty string")]
    Empty(&'static str),
    #[error("ERROR: parameter [{0}] must be specified and non-empty")]
    Unspecified(&'static str),
    #[error("ERROR: parameter [{0}] must be specified")]
    Nil(&'static str),
    #[error("ERROR: parameter [{0}] is not an RPC URI")]
    NoRpc(&'static str),
    #[error("ERROR: parameter [{0}] is not an XMLRPC URI")]
    NoAddress(&'static str),
    #[error("ERROR: parameter [{0}] is not a valid package resource name")]
    NoResource(&'static str),
    #[error(transparent)]
    Full(#[from] Full),
    #[error(transparent)]
    Set(#[from] SetError),
}

/// Who calls, and with what.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) caller: String,
    pub(super) peer: Peer,
    rest: std::vec::IntoIter<Value>,
}

impl Arguments {
    /// Of a method with that many arguments beside the caller.
    pub(super) fn new(params: Vec<Value>, expected: usize, peer: Peer) -> Result<Self, CallError> {
        let count = params.len();
        let mut rest = params.into_iter();
        let Some(caller) = rest.next() else { return Err(CallError::NoCaller) };
        if count != expected + 1 {
            return Err(CallError::Arity);
        }
        let Value::String(caller) = caller else { return Err(CallError::CallerType) };
        if is_garbage(&caller) {
            return Err(CallError::CallerName);
        }
        Ok(Self { caller, peer, rest })
    }

    fn next(&mut self) -> Value {
        self.rest.next().unwrap_or(Value::Nil)
    }

    /// The name of a topic, a service or a node.
    pub(super) fn graph_name(&mut self, argument: &'static str) -> Result<String, CallError> {
        let name = self.non_empty(argument)?;
        if name.contains([':', ' ']) || is_garbage(&name) {
            return Err(CallError::Illegal(argument));
        }
        Ok(name::resolved(&name, &self.caller))
    }

    /// The name of a topic or a service, which is not the whole graph.
    pub(super) fn resource(&mut self, argument: &'static str) -> Result<String, CallError> {
        let name = self.graph_name(argument)?;
        if name == "/" {
            return Err(CallError::Global(argument));
        }
        Ok(name)
    }

    /// A namespace, or nothing for the whole graph.
    pub(super) fn subgraph(&mut self, argument: &'static str) -> Result<String, CallError> {
        match self.next() {
            Value::String(name) if name.is_empty() => Ok(name),
            Value::String(name) if is_garbage(&name) => Err(CallError::Illegal(argument)),
            Value::String(name) => Ok(name::resolved(&name, &self.caller)),
            _ => Err(CallError::NoString(argument)),
        }
    }

    /// The address of a node or a service.
    pub(super) fn address(&mut self, argument: &'static str) -> Result<String, CallError> {
        match self.next() {
            Value::String(address) if !address.is_empty() => {
                let known = address.starts_with(HTTP) || address.starts_with(ROSRPC);
                if !known || is_garbage(&address) {
                    return Err(CallError::NoRpc(argument));
                }
                Ok(address)
            }
            _ => Err(CallError::NoAddress(argument)),
        }
    }

    /// `package/Name`, or `*`.
    pub(super) fn type_name(&mut self, argument: &'static str) -> Result<String, CallError> {
        let name = self.non_empty(argument)?;
        if name != ANY_TYPE && (name.split('/').count() != 2 || is_garbage(&name)) {
            return Err(CallError::NoResource(argument));
        }
        Ok(name)
    }

    /// A parameter's name, as it was given.
    pub(super) fn key(&mut self, argument: &'static str) -> Result<String, CallError> {
        match self.next() {
            Value::String(key) if !key.is_empty() => {
                if is_garbage(&key) {
                    Err(CallError::Illegal(argument))
                } else {
                    Ok(key)
                }
            }
            value if is_empty(&value) => Err(CallError::Unspecified(argument)),
            _ => Err(CallError::NoString(argument)),
        }
    }

    /// A parameter's name as the tree knows it.
    pub(super) fn resolved_key(&mut self, argument: &'static str) -> Result<String, CallError> {
        Ok(name::resolved(&self.key(argument)?, &self.caller))
    }

    /// A parameter's value, which is all there.
    pub(super) fn value(&mut self, argument: &'static str) -> Result<Value, CallError> {
        let value = self.next();
        if has_nil(&value) {
            return Err(CallError::Nil(argument));
        }
        Ok(value)
    }

    /// Text for people; whatever is none is empty.
    pub(super) fn remark(&mut self) -> String {
        match self.next() {
            Value::String(text) => text,
            _ => String::new(),
        }
    }

    fn non_empty(&mut self, argument: &'static str) -> Result<String, CallError> {
        match self.next() {
            Value::String(text) if !text.is_empty() => Ok(text),
            _ => Err(CallError::Empty(argument)),
        }
    }
}

/// A text that would spoil the lists of everybody who looks at the graph.
fn is_garbage(text: &str) -> bool {
    text.len() > name::LENGTH || text.contains(char::is_control)
}

/// What Python takes for nothing.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Nil | Value::Boolean(false) | Value::Integer(0) | Value::Long(0) => true,
        Value::String(text) => text.is_empty(),
        Value::Double(number) => *number == 0.0,
        Value::Array(values) => values.is_empty(),
        Value::Struct(members) => members.is_empty(),
        _ => false,
    }
}

fn has_nil(value: &Value) -> bool {
    match value {
        Value::Nil => true,
        Value::Array(values) => values.iter().any(has_nil),
        Value::Struct(members) => members.values().any(has_nil),
        _ => false,
    }
}

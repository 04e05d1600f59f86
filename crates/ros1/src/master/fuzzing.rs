//! A master without a port.

use std::net::Ipv4Addr;

use super::engine::Engine;
use super::quota::Peer;
use super::{Counts, GraphCounts};
use crate::xmlrpc::Value;

/// Takes calls.
#[derive(Debug)]
pub struct Calls {
    engine: Engine,
}

/// An answer, and the calls that nodes get.
#[derive(Debug)]
pub struct Answered {
    /// What the caller gets.
    pub answer: Value,
    /// Address, method and parameters of each call that follows.
    pub notices: Vec<(String, &'static str, Vec<Value>)>,
}

impl Default for Calls {
    fn default() -> Self {
        Self { engine: Engine::new("http://127.0.0.1:11311/".to_owned()) }
    }
}

impl Calls {
    /// Answers a call; nothing if there is no such method.
    pub fn call(&mut self, method: &str, params: Vec<Value>) -> Option<Answered> {
        let (reply, notices) = self.engine.call(method, params, Peer::at(Ipv4Addr::LOCALHOST.into()))?;
        let notices = notices.into_iter().map(|it| {
            let notification = it.notification;
            (it.to, notification.method(), notification.params())
        });
        Some(Answered { answer: reply.into(), notices: notices.collect() })
    }

    /// A node's address.
    pub fn node(&self, name: &str) -> Option<&str> {
        self.engine.graph.node(name)
    }

    /// How much there is.
    pub fn counts(&self) -> Counts {
        GraphCounts::counts_of(&self.engine)
    }
}

//! What a node answers when it is called: the slave API.

use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::bus;
use super::shared::Shared;
use super::values::{Answer, as_text, text};
use crate::xmlrpc::{Fault, Handler, Value, unsupported};

/// Why a call is refused, in the words of rospy.
#[derive(Debug, thiserror::Error)]
enum ParameterError {
    #[error("parameter [{0}] must be a string")]
    Text(&'static str),
    #[error("parameter [{0}] must be a list")]
    List(&'static str),
    #[error("parameter [{0}] must be a list of strings")]
    Strings(&'static str),
    #[error("parameter [{0}] must be a list of lists")]
    ListOfLists(&'static str),
}

/// Answers for a node.
pub(super) struct Slave {
    shared: Arc<Shared>,
}

impl Slave {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    fn request_topic(&self, params: &[Value]) -> Result<Value, ParameterError> {
        let topic = text_at(params, 1, "topic")?;
        let empty = Value::Array(Vec::new());
        if !self.shared.topics().offered.contains_key(topic) {
            return Ok(Answer::wrong(format!("Not a publisher of [{topic}]"), empty));
        }
        let Some(Value::Array(protocols)) = params.get(2) else {
            return Err(ParameterError::ListOfLists("protocols"));
        };
        let speaks = protocols.iter().any(|protocol| match protocol {
            Value::Array(words) => words.first().and_then(as_text) == Some("TCPROS"),
            _ => false,
        });
        if !speaks {
            let status = text("no supported protocol implementations");
            return Ok(Value::Array(vec![Value::Integer(0), status, empty]));
        }
        let (host, port) = (&self.shared.host, self.shared.port);
        let offer = vec![text("TCPROS"), text(host.trim_matches(['[', ']'])), Value::Integer(port.into())];
        Ok(Answer::done(format!("ready on {host}:{port}"), Value::Array(offer)))
    }

    fn publisher_update(&self, params: &[Value]) -> Result<Value, ParameterError> {
        let topic = text_at(params, 1, "topic")?;
        let Some(Value::Array(publishers)) = params.get(2) else {
            return Err(ParameterError::List("publishers"));
        };
        let publishers: Option<Vec<_>> =
            publishers.iter().map(|uri| as_text(uri).map(str::to_owned)).collect();
        let publishers = publishers.ok_or(ParameterError::Strings("publishers"))?;
        let following = self.shared.topics().followed.get(topic).cloned();
        if let Some(following) = following {
            following.update(&self.shared, publishers);
        }
        Ok(Answer::done("", Value::Integer(0)))
    }

    fn shut_down(&self, params: &[Value]) -> Value {
        let reason = params.get(1).and_then(as_text).unwrap_or_default();
        let reason = match (reason.is_empty(), params.first().and_then(as_text)) {
            (false, _) => reason.to_owned(),
            (true, Some(caller)) => format!("{caller} asked for it"),
            (true, None) => "somebody asked for it".to_owned(),
        };
        // A second call finds the first one's reason in the way.
        let _ = self.shared.shut_down.try_send(reason);
        Answer::done("shutdown", Value::Integer(0))
    }

    fn offered(&self) -> Value {
        let topics = self.shared.topics();
        let pair =
            |(topic, type_name): (&String, &str)| Value::Array(vec![text(topic.as_str()), text(type_name)]);
        let offered = topics.offered.iter().map(|(topic, one)| pair((topic, one.layout.type_name())));
        Value::Array(offered.collect())
    }

    fn followed(&self) -> Value {
        let topics = self.shared.topics();
        let followed = topics.followed.iter();
        let pairs =
            followed.map(|(topic, one)| Value::Array(vec![text(topic.as_str()), text(one.type_name())]));
        Value::Array(pairs.collect())
    }
}

impl Handler for Slave {
    fn call<'a>(
        &'a self,
        method: &'a str,
        params: Vec<Value>,
        _: SocketAddr,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            let shared = &self.shared;
            let caller = text_at(&params, 0, "caller_id").map_err(Some);
            let answer = caller.and_then(|_| match method {
                "requestTopic" => self.request_topic(&params).map_err(Some),
                "publisherUpdate" => self.publisher_update(&params).map_err(Some),
                "paramUpdate" => Ok(Answer::wrong("not subscribed", Value::Integer(0))),
                "getBusInfo" => Ok(Answer::done("bus info", bus::info(shared))),
                "getBusStats" => Ok(Answer::done("", bus::stats(shared))),
                "getPublications" => Ok(Answer::done("publications", self.offered())),
                "getSubscriptions" => Ok(Answer::done("subscriptions", self.followed())),
                "getPid" => {
                    Ok(Answer::done("", Value::Integer(i32::try_from(std::process::id()).unwrap_or(-1))))
                }
                "getMasterUri" => Ok(Answer::done(shared.master.uri(), text(shared.master.uri()))),
                "getUri" => Ok(Answer::done("", text(&shared.uri))),
                "getName" => Ok(Answer::done("", text(&*shared.name))),
                "shutdown" => Ok(self.shut_down(&params)),
                _ => Err(None),
            });
            match answer {
                Ok(answer) => Ok(answer),
                Err(None) => Err(unsupported(method)),
                Err(Some(problem)) => Ok(Answer::wrong(format!("ERROR: {problem}"), Value::Integer(0))),
            }
        })
    }
}

fn text_at<'a>(params: &'a [Value], index: usize, name: &'static str) -> Result<&'a str, ParameterError> {
    params.get(index).and_then(as_text).ok_or(ParameterError::Text(name))
}

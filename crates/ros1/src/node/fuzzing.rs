//! A node without ports: what others call, and what connections bring.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;

use super::accept::{Chosen, choose};
use super::following::{Greeted, greeted};
use super::services::answer;
use super::shared::{Parts, Shared};
use super::slave::Slave;
use super::{Node, NodeError, Publisher, ServiceServer, Subscription};
use crate::message::{Catalog, Layout, ServiceType, TypeError};
use crate::msgs::Time;
use crate::tcpros::{Header, read_header, write_header};
use crate::xmlrpc::{Fault, Handler, Value};

/// For each step of a handshake.
const WITHIN: Duration = Duration::from_secs(5);

/// Where a publisher is, for who is greeted by one.
const PUBLISHER: &str = "http://127.0.0.1:1/";

#[derive(Deserialize)]
struct SetLevel {
    logger: String,
    level: String,
}

#[derive(Serialize)]
struct Nothing {}

/// The types that it speaks, which take longer to read than a run.
#[derive(Debug)]
pub struct Types {
    text: Arc<Layout>,
    set_level: Arc<ServiceType>,
}

impl Types {
    /// Reads them.
    pub fn new() -> Result<Self, TypeError> {
        let set_level = Arc::new(ServiceType::common("roscpp/SetLoggerLevel")?);
        Ok(Self { text: Catalog::common().layout("std_msgs/String")?, set_level })
    }
}

/// A node that publishes `/said`, follows `/heard` and offers `/level`.
pub struct Portless {
    node: Node,
    slave: Slave,
    _held: (Publisher, Subscription, ServiceServer, mpsc::Receiver<String>),
}

/// How a connection to the node ended.
#[derive(Debug)]
pub enum Ended {
    /// It brought no header.
    NoHeader(String),
    /// Its header was answered by a reason.
    Refused(String),
    /// It follows `/said` in the layout that the node's header names, or in the node's own.
    Follower(Header, Option<Arc<Layout>>),
    /// Its calls of a service were answered.
    Caller,
}

impl Portless {
    /// One that nobody has called.
    pub fn new(types: &Types) -> Result<Self, NodeError> {
        let (sender, shut_down) = mpsc::channel(1);
        let shared = Arc::new(Shared::new(Parts {
            name: "/fuzzed".to_owned(),
            host: "127.0.0.1".to_owned(),
            calls_port: 2,
            port: 3,
            master: "http://127.0.0.1:4/".to_owned(),
            policy: Default::default(),
            remap: BTreeMap::new(),
            now: Arc::new(Time::default),
            shut_down: sender,
        }));
        let node = Node { shared: shared.clone() };
        let publisher = node.advertise("/said", types.text.clone(), 8, true)?;
        let subscription = node.subscribe("/heard", Some("sensor_msgs/Imu"), 8)?;
        let answer = |SetLevel { logger, level }| async move {
            if level.is_empty() { Err(logger) } else { Ok(Nothing {}) }
        };
        let service = node.offer("/level", types.set_level.clone(), answer)?;
        Ok(Self { node, slave: Slave::new(shared), _held: (publisher, subscription, service, shut_down) })
    }

    /// Answers a call; connections that follow from it are tasks of the runtime.
    pub async fn call(&self, method: &str, params: Vec<Value>) -> Result<Value, Fault> {
        self.slave.call(method, params, ([127, 0, 0, 1], 5).into()).await
    }

    /// How many publishers of `/heard` it knows.
    pub fn publishers(&self) -> usize {
        let followed = self.node.shared.topics().followed.get("/heard").cloned();
        followed.map_or(0, |following| following.links())
    }

    /// Serves who connects.
    pub async fn accept(&self, mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> Ended {
        let header = match read_header(&mut from, 0, WITHIN).await {
            Ok((header, _)) => header,
            Err(problem) => return Ended::NoHeader(problem.to_string()),
        };
        match choose(&self.node.shared, &header) {
            Ok(Chosen::Topic(_, welcome)) => Ended::Follower(welcome.header, welcome.foreign),
            Ok(Chosen::Service(service, welcome)) => {
                if write_header(&mut to, &welcome, WITHIN).await.is_ok() {
                    answer(&service, &header, from, to).await;
                }
                Ended::Caller
            }
            Err(reason) => Ended::Refused(reason.to_string()),
        }
    }

    /// Follows `/heard` over a connection to a publisher; how many of its messages can be read, and how many cannot.
    pub async fn connect(
        &self,
        from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
    ) -> Result<[usize; 2], String> {
        let followed = self.node.shared.topics().followed.get("/heard").cloned();
        let following = followed.ok_or("/heard is not followed")?;
        let greeted = greeted(&self.node.shared, &following, PUBLISHER, (from, &mut to)).await;
        let Greeted { layout, mut frames, .. } = greeted.map_err(|error| error.to_string())?;
        let mut read = [0, 0];
        while let Some(Ok(frame)) = frames.next().await {
            let known = layout.decode::<crate::message::Value>(&frame).is_ok();
            read[usize::from(!known)] += 1;
        }
        Ok(read)
    }
}

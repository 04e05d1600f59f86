//! Masters that answer what a test wants.

use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use latimer_ros1::node::{Ended, MasterLink};
use latimer_ros1::xmlrpc::{Fault, Handler, Value, serve};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::peers::text;
use super::support::{PATIENCE, Running, ended, here, layout, wait_for};

/// Answers a method and its words; everything else is done.
type Answers = dyn Fn(&str, &[Value]) -> Option<Value> + Send + Sync;

struct Played(Box<Answers>);

impl Handler for Played {
    fn call<'a>(
        &'a self,
        method: &'a str,
        params: Vec<Value>,
        _: SocketAddr,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            let done = || triple(1, Value::Array(Vec::new()));
            Ok((self.0)(method, &params).unwrap_or_else(done))
        })
    }
}

fn triple(code: i32, value: Value) -> Value {
    Value::Array(vec![Value::Integer(code), text("as played"), value])
}

/// A master that is played, until the guard is dropped.
async fn master(answers: Box<Answers>) -> (String, DropGuard) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("http://{}", listener.local_addr().unwrap());
    let stop = CancellationToken::new();
    tokio::spawn(serve(listener, Arc::new(Played(answers)), here(), stop.clone()));
    (uri, stop.drop_guard())
}

#[tokio::test]
async fn a_node_whose_name_is_registered_elsewhere_ends() {
    let (uri, _master) = master(Box::new(|method, _| {
        (method == "lookupNode").then(|| triple(1, text("http://127.0.0.1:1/")))
    }))
    .await;
    let twin = Running::at("/twin", &uri).await;
    let Ended::ShutDown(reason) = ended(twin.task).await else { panic!("it was shut down") };
    assert_eq!(reason, "[/twin] another node of this name is registered at http://127.0.0.1:1/");
}

#[tokio::test]
async fn a_topic_that_is_refused_keeps_no_other_from_the_master() {
    let (sender, mut registered) = mpsc::unbounded_channel();
    let (uri, _master) = master(Box::new(move |method, params| match (method, params.get(1)) {
        ("registerPublisher", Some(topic)) if *topic == text("/a") => Some(triple(0, Value::Integer(0))),
        ("registerPublisher", Some(topic)) => {
            sender.send(topic.clone()).unwrap();
            None
        }
        // It knows no node, so that all is registered again and again.
        ("lookupNode", _) => Some(triple(-1, Value::Integer(0))),
        _ => None,
    }))
    .await;
    let talker = Running::at("/talker", &uri).await;
    let refused = talker.node.advertise("/a", layout("std_msgs/String"), 1, false).unwrap();
    let why = |link: &MasterLink| match link {
        MasterLink::Waiting(why) => why == "the master refused registerPublisher: as played",
        MasterLink::Up => false,
    };
    wait_for(talker.node.link(), why).await;
    let _other = talker.node.advertise("/b", layout("std_msgs/String"), 1, false).unwrap();
    let other = async { while registered.recv().await != Some(text("/b")) {} };
    timeout(PATIENCE, other).await.expect("the other topic is not registered");
    drop(refused);
    wait_for(talker.node.link(), |link| *link == MasterLink::Up).await;
    assert_eq!(talker.stop().await, Ended::Stopped);
}

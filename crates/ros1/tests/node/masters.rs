//! Masters that answer what a test wants.

use std::net::SocketAddr;
use std::sync::Arc;

use async_trait::async_trait;
use latimer_ros1::node::Ended;
use latimer_ros1::xmlrpc::{Fault, Handler, Value, serve};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::peers::text;
use super::support::{Running, ended};

/// Answers a method and its words; everything else is done.
type Answers = fn(&str, &[Value]) -> Option<Value>;

struct Played(Answers);

#[async_trait]
impl Handler for Played {
    async fn call(&self, method: &str, params: Vec<Value>, _: SocketAddr) -> Result<Value, Fault> {
        let done = || triple(1, Value::Array(Vec::new()));
        Ok((self.0)(method, &params).unwrap_or_else(done))
    }
}

fn triple(code: i32, value: Value) -> Value {
    Value::Array(vec![Value::Integer(code), text("as played"), value])
}

/// A master that is played, until the guard is dropped.
async fn master(answers: Answers) -> (String, DropGuard) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("http://{}", listener.local_addr().unwrap());
    let stop = CancellationToken::new();
    tokio::spawn(serve(listener, Arc::new(Played(answers)), stop.clone()));
    (uri, stop.drop_guard())
}

#[tokio::test]
async fn a_node_whose_name_is_registered_elsewhere_ends() {
    let (uri, _master) =
        master(|method, _| (method == "lookupNode").then(|| triple(1, text("http://127.0.0.1:1/")))).await;
    let twin = Running::at("/twin", &uri).await;
    let Ended::ShutDown(reason) = ended(twin.task).await else { panic!("it was shut down") };
    assert_eq!(reason, "[/twin] another node of this name is registered at http://127.0.0.1:1/");
}

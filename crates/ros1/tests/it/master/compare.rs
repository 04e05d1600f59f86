//! The same calls to our master and to Debian's: codes, texts, values, and what nodes receive.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use latimer_ros1::xmlrpc::{self, Fault, Handler, Value};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ros::{Ours, PATIENCE, Ros, Theirs, here};

/// A node that notes the calls that it receives.
pub(crate) struct Slave {
    pub(crate) uri: String,
    heard: Arc<Mutex<Vec<String>>>,
    _running: DropGuard,
}

struct Listening {
    heard: Arc<Mutex<Vec<String>>>,
}

impl Handler for Listening {
    fn call<'a>(
        &'a self,
        method: &'a str,
        params: Vec<Value>,
        _peer: SocketAddr,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            self.heard.lock().unwrap().push(format!("{method} {}", shown(&Value::Array(params))));
            Ok(Value::Array(vec![Value::Integer(1), Value::String(String::new()), Value::Integer(0)]))
        })
    }
}

impl Slave {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let uri = format!("http://{}/", listener.local_addr().unwrap());
        let (heard, shutdown) = (Arc::<Mutex<Vec<String>>>::default(), CancellationToken::new());
        tokio::spawn(xmlrpc::serve(
            listener,
            Arc::new(Listening { heard: heard.clone() }),
            here(),
            shutdown.clone(),
        ));
        Self { uri, heard, _running: shutdown.drop_guard() }
    }

    /// The calls that it received, once it received that many.
    pub(crate) async fn received(&self, count: usize) -> Vec<String> {
        let waiting = async {
            while self.heard.lock().unwrap().len() < count {
                // Nothing but the list tells.
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let enough = tokio::time::timeout(PATIENCE, waiting).await;
        let heard = self.heard.lock().unwrap().clone();
        assert!(enough.is_ok(), "it received {heard:?} only");
        heard
    }
}

/// A value as text, the same however it was ordered.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Array(values) => format!("[{}]", values.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Struct(members) => {
            let members = members.iter().map(|(name, value)| format!("{name}: {}", shown(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn tree(members: &[(&str, Value)]) -> Value {
    Value::Struct(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

/// Caller, method and parameters; `A` and `B` stand for addresses of nodes.
type Call = (&'static str, &'static str, Vec<Value>);

/// Not a call: by now node A received that many calls. Without it one may carry several changes.
fn arrived(count: i32) -> Call {
    ("", "arrived", vec![Value::Integer(count)])
}

fn calls() -> Vec<Call> {
    let mut calls = registrations();
    calls.extend(parameters());
    calls.extend(mistakes());
    calls
}

fn registrations() -> Vec<Call> {
    let chat = |node: &str| vec![text("/chat"), text("std_msgs/String"), text(node)];
    vec![
        ("/a", "registerSubscriber", chat("A")),
        ("/b", "registerPublisher", chat("B")),
        arrived(1),
        ("/b", "registerPublisher", chat("B")),
        arrived(2),
        ("/b", "registerPublisher", vec![text("other/"), text("std_msgs/Int32"), text("B")]),
        ("/ns/a", "registerSubscriber", vec![text("relative"), text("*"), text("A")]),
        ("/ns/a", "registerSubscriber", vec![text("~private"), text("x/Y"), text("A")]),
        ("/b", "registerService", vec![text("~get"), text("rosrpc://b:1"), text("B")]),
        ("/me", "getSystemState", vec![]),
        ("/me", "getTopicTypes", vec![]),
        ("/me", "getPublishedTopics", vec![text("")]),
        ("/me", "getPublishedTopics", vec![text("/chat")]),
        ("/me", "lookupNode", vec![text("/a")]),
        ("/me", "lookupNode", vec![text("b")]),
        ("/me", "lookupNode", vec![text("/nobody")]),
        ("/me", "lookupService", vec![text("/b/get")]),
        ("/me", "lookupService", vec![text("/none")]),
        ("/b", "unregisterService", vec![text("/b/get"), text("rosrpc://other:1")]),
        ("/b", "unregisterService", vec![text("/b/get"), text("rosrpc://b:1")]),
        ("/b", "unregisterService", vec![text("/b/get"), text("rosrpc://b:1")]),
        ("/b", "unregisterPublisher", vec![text("/chat"), text("A")]),
        ("/b", "unregisterPublisher", vec![text("/chat"), text("B")]),
        arrived(3),
        ("/b", "unregisterPublisher", vec![text("/chat"), text("B")]),
        ("/nobody", "unregisterPublisher", vec![text("/chat"), text("B")]),
        ("/nobody", "unregisterService", vec![text("/chat"), text("rosrpc://b:1")]),
        ("/ns/a", "unregisterSubscriber", vec![text("relative"), text("A")]),
        ("/ns/a", "unregisterSubscriber", vec![text("relative"), text("A")]),
        ("/me", "getSystemState", vec![]),
        // Types stay although nobody publishes.
        ("/me", "getTopicTypes", vec![]),
        ("/me", "getPublishedTopics", vec![text("")]),
    ]
}

fn parameters() -> Vec<Call> {
    let robot = tree(&[("arm", Value::Integer(1)), ("leg", tree(&[("left", Value::Double(0.5))]))]);
    vec![
        ("/a", "subscribeParam", vec![text("A"), text("/robot")]),
        ("/a", "subscribeParam", vec![text("A"), text("/robot/leg/left")]),
        ("/b", "setParam", vec![text("/robot"), robot]),
        arrived(5),
        ("/b", "setParam", vec![text("/robot/arm"), text("strong")]),
        arrived(6),
        ("/a", "setParam", vec![text("/robot/arm"), text("my own word")]),
        (
            "/ns/b",
            "setParam",
            vec![text("list"), Value::Array(vec![Value::Boolean(true), Value::Integer(-1)])],
        ),
        ("/ns/b", "setParam", vec![text("~private"), Value::Base64(vec![1, 2, 3])]),
        ("/b", "setParam", vec![text("/robot/arm/finger"), Value::Integer(5)]),
        arrived(7),
        ("/me", "getParam", vec![text("/robot")]),
        ("/me", "getParam", vec![text("/robot/leg/left")]),
        ("/me", "getParam", vec![text("/robot/leg/left/toe")]),
        ("/ns/b", "getParam", vec![text("list")]),
        ("/ns/b", "getParam", vec![text("~")]),
        ("/me", "getParam", vec![text("/none")]),
        ("/me", "hasParam", vec![text("/robot/leg")]),
        ("/me", "hasParam", vec![text("none")]),
        ("/ns/b/c", "searchParam", vec![text("list")]),
        ("/ns/b/c", "searchParam", vec![text("robot/none")]),
        ("/ns/b/c", "searchParam", vec![text("/robot/none")]),
        ("/ns/b/c", "searchParam", vec![text("none")]),
        ("/ns/b/c", "searchParam", vec![text("~none")]),
        ("here", "searchParam", vec![text("robot")]),
        ("/me", "getParamNames", vec![]),
        ("/b", "deleteParam", vec![text("/robot/leg")]),
        arrived(9),
        ("/b", "deleteParam", vec![text("/robot/leg")]),
        ("/b", "deleteParam", vec![text("/")]),
        ("/b", "setParam", vec![text("/"), Value::Integer(1)]),
        ("/a", "unsubscribeParam", vec![text("A"), text("/robot")]),
        ("/a", "unsubscribeParam", vec![text("A"), text("/robot")]),
        ("/b", "setParam", vec![text("/robot"), tree(&[])]),
        arrived(10),
        ("/me", "getParam", vec![text("/robot")]),
        ("/me", "getParamNames", vec![]),
    ]
}

fn mistakes() -> Vec<Call> {
    let one = || Value::Integer(1);
    vec![
        ("/me", "getPid", vec![one()]),
        ("/me", "registerPublisher", vec![text("/chat")]),
        ("/me", "registerPublisher", vec![text("/chat"), text("nothing"), text("A")]),
        ("/me", "registerPublisher", vec![text("/chat"), text(""), text("A")]),
        ("/me", "registerPublisher", vec![text("/chat"), text("a/b/c"), text("A")]),
        ("/me", "registerPublisher", vec![text("/chat"), text("a/b"), text("ftp://a")]),
        ("/me", "registerPublisher", vec![text("/chat"), text("a/b"), one()]),
        ("/me", "registerPublisher", vec![text("http://a"), text("a/b"), text("A")]),
        ("/me", "registerPublisher", vec![text("with space"), text("a/b"), text("A")]),
        ("/me", "registerPublisher", vec![text("/"), text("a/b"), text("A")]),
        ("/me", "registerPublisher", vec![text(""), text("a/b"), text("A")]),
        ("/me", "registerSubscriber", vec![one(), text("a/b"), text("A")]),
        ("/me", "unregisterSubscriber", vec![text("/chat"), text("")]),
        ("/me", "registerService", vec![text("/s"), text("nowhere"), text("A")]),
        ("/me", "lookupNode", vec![one()]),
        ("/me", "lookupNode", vec![text("")]),
        ("/me", "lookupService", vec![text("")]),
        ("/me", "getPublishedTopics", vec![one()]),
        ("/me", "getSystemState", vec![one()]),
        ("/me", "getTopicTypes", vec![one()]),
        ("/me", "getParam", vec![one()]),
        ("/me", "getParam", vec![text("")]),
        ("/me", "hasParam", vec![Value::Array(Vec::new())]),
        ("/me", "setParam", vec![text(""), one()]),
        ("/me", "searchParam", vec![Value::Double(1.5)]),
        ("/me", "subscribeParam", vec![text("nowhere"), text("/a")]),
        ("/me", "deleteParam", vec![Value::Boolean(false)]),
        ("/me", "noSuchMethod", vec![one()]),
        ("/me", "getUri", vec![text("more")]),
    ]
}

/// Makes all calls at a master and gives a transcript; addresses are as in [`calls`].
async fn transcript(ros: &Ros, a: &Slave, b: &Slave) -> Vec<String> {
    let mut lines = Vec::new();
    for (caller, method, params) in calls() {
        if let (true, Some(Value::Integer(count))) = (method == "arrived", params.first()) {
            a.received(usize::try_from(*count).unwrap()).await;
            continue;
        }
        let real = params.iter().map(|param| match param {
            Value::String(name) if name == "A" => text(&a.uri),
            Value::String(name) if name == "B" => text(&b.uri),
            other => other.clone(),
        });
        let real = std::iter::once(text(caller)).chain(real).collect();
        let answer = match ros.master().call(method, real, PATIENCE).await {
            Ok(answer) => shown(&ordered(answer)),
            Err(error) => error.to_string(),
        };
        let call = format!("{method} {}", shown(&Value::Array([vec![text(caller)], params].concat())));
        lines.push(anonymous(&format!("{call} -> {answer}"), ros, a, b));
    }
    lines
}

/// Lists of the graph have no order of their own.
fn ordered(mut answer: Value) -> Value {
    fn sort(value: &mut Value) {
        if let Value::Array(values) = value {
            values.iter_mut().for_each(sort);
            values.sort_by_key(shown);
        }
    }
    if let Value::Array(parts) = &mut answer
        && let Some(Value::Array(lists)) = parts.last_mut()
    {
        let pairs = lists.iter().all(|list| matches!(list, Value::Array(items) if items.iter().all(is_text)));
        if pairs || lists.iter().all(is_text) {
            lists.sort_by_key(shown);
        } else {
            lists.iter_mut().for_each(sort);
        }
    }
    answer
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::String(_))
}

fn anonymous(line: &str, ros: &Ros, a: &Slave, b: &Slave) -> String {
    line.replace(&a.uri, "A").replace(&b.uri, "B").replace(&ros.uri, "MASTER")
}

#[tokio::test(flavor = "multi_thread")]
async fn our_answers_are_those_of_rosmaster() {
    let (ours, theirs) = (Ours::start().await, Theirs::start().await);
    for key in ["/rosdistro", "/rosversion", "/run_id"] {
        assert_eq!(ours.ros.call("deleteParam", vec![text(key)]).await.0, 1, "{key}");
    }
    let (a, b) = (Slave::start().await, Slave::start().await);
    let expected = transcript(&theirs.ros, &a, &b).await;
    let received = a.received(10).await;
    let (our_a, our_b) = (Slave::start().await, Slave::start().await);
    let answered = transcript(&ours.ros, &our_a, &our_b).await;
    let lines = expected.iter().zip(&answered).filter(|(expected, answered)| expected != answered);
    let differences: Vec<String> =
        lines.map(|(theirs, ours)| format!("theirs {theirs}\nours   {ours}")).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(expected.len(), answered.len());
    let received: Vec<String> = received.iter().map(|line| anonymous(line, &theirs.ros, &a, &b)).collect();
    let ours_received = our_a.received(received.len()).await;
    let ours_received: Vec<String> =
        ours_received.iter().map(|line| anonymous(line, &ours.ros, &our_a, &our_b)).collect();
    assert_eq!(ours_received, received);
}

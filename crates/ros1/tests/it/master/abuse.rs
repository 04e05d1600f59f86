//! Nodes that are silent, that reset, that flood or that send what is none; nobody else may notice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use latimer_ros1::master::{Limits, Master};
use latimer_ros1::message::Catalog;
use latimer_ros1::msgs::Time;
use latimer_ros1::node::{Node, Settings};
use latimer_ros1::xmlrpc::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::compare::Slave;
use super::ros::{Ours, PATIENCE, Ros, here};

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

async fn call_as(ros: &Ros, caller: &str, method: &str, params: &[&str]) -> (Value, String) {
    let params = std::iter::once(caller).chain(params.iter().copied()).map(text).collect();
    let answer = ros.master().call(method, params, PATIENCE).await.unwrap();
    let Value::Array(parts) = answer else { panic!("{answer:?}") };
    let Value::String(said) = &parts[1] else { panic!("{parts:?}") };
    (parts[0].clone(), said.clone())
}

async fn register(ros: &Ros, method: &str, caller: &str, topic: &str, address: &str) {
    let (code, said) = call_as(ros, caller, method, &[topic, "std_msgs/String", address]).await;
    assert_eq!(code, Value::Integer(1), "{said}");
}

/// A port that takes connections and never answers.
async fn silent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    format!("http://{address}/")
}

/// A port that resets each connection.
async fn resetting() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            stream.set_zero_linger().unwrap();
        }
    });
    format!("http://{address}/")
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_that_are_silent_reset_or_gone_keep_nobody_from_the_news() {
    let ours = Ours::start().await;
    let good = Slave::start().await;
    for at in 0..100 {
        register(&ours.ros, "registerSubscriber", &format!("/silent{at}"), "/chat", &silent().await).await;
    }
    register(&ours.ros, "registerSubscriber", "/resetting", "/chat", &resetting().await).await;
    register(&ours.ros, "registerSubscriber", "/gone", "/chat", "http://127.0.0.1:1/").await;
    register(&ours.ros, "registerSubscriber", "/nowhere", "/chat", "http://no such host/").await;
    register(&ours.ros, "registerSubscriber", "/service", "/chat", "rosrpc://127.0.0.1:1").await;
    register(&ours.ros, "registerSubscriber", "/good", "/chat", &good.uri).await;
    for at in 0..20 {
        register(&ours.ros, "registerPublisher", "/p", &format!("/other{at}"), "http://127.0.0.1:2/").await;
    }
    register(&ours.ros, "registerPublisher", "/p", "/chat", "http://127.0.0.1:2/").await;
    assert_eq!(
        good.received(1).await,
        ["publisherUpdate [\"/master\", \"/chat\", [\"http://127.0.0.1:2/\"]]"]
    );
    // Those that were silent once no longer take places of others.
    call_as(&ours.ros, "/p", "unregisterPublisher", &["/chat", "http://127.0.0.1:2/"]).await;
    assert_eq!(good.received(2).await[1], "publisherUpdate [\"/master\", \"/chat\", []]");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_master_stops_at_once_although_a_node_is_silent() {
    let master = Master::bind(([127, 0, 0, 1], 0).into(), "127.0.0.1").await.unwrap();
    let (ros, shutdown) = (Ros::at(master.uri().unwrap()), CancellationToken::new());
    let running = tokio::spawn(master.run(shutdown.clone()));
    register(&ros, "registerSubscriber", "/silent", "/chat", &silent().await).await;
    register(&ros, "registerPublisher", "/p", "/chat", "http://127.0.0.1:2/").await;
    shutdown.cancel();
    timeout(Duration::from_secs(4), running).await.expect("less than a node may be silent").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_taken_twice_is_the_second_ones() {
    let ours = Ours::start().await;
    let (old, new, other) = (Slave::start().await, Slave::start().await, Slave::start().await);
    register(&ours.ros, "registerSubscriber", "/other", "/chat", &other.uri).await;
    register(&ours.ros, "registerPublisher", "/twin", "/chat", &old.uri).await;
    other.received(1).await;
    register(&ours.ros, "registerPublisher", "/twin", "/chat", &new.uri).await;
    let reason = "shutdown [\"/master\", \"[/twin] Reason: new node registered with same name\"]";
    assert_eq!(old.received(1).await, [reason]);
    let now = other.received(2).await.pop().unwrap();
    // One update may carry two changes at once; the last is what counts.
    let now = if now.ends_with("[]]") { other.received(3).await.pop().unwrap() } else { now };
    assert_eq!(now, format!("publisherUpdate [\"/master\", \"/chat\", [\"{}\"]]", new.uri));
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_topics_of_one_node_hold_nobody_up() {
    let ours = Ours::start().await;
    let client = ours.ros.master();
    for from in (0..10_000).step_by(500) {
        let calls = (from..from + 500).map(|at| {
            let params =
                ["/flood", &format!("/t{at}"), "std_msgs/String", "http://127.0.0.1:2/"].map(text).to_vec();
            let call = [("methodName", text("registerPublisher")), ("params", Value::Array(params))];
            Value::Struct(call.map(|(name, value)| (name.to_owned(), value)).into())
        });
        client.call("system.multicall", vec![Value::Array(calls.collect())], PATIENCE).await.unwrap();
    }
    assert_eq!(ours.graph_counts.counts().topics, 10_000);
    let Value::Array(types) = ours.ros.call("getTopicTypes", Vec::new()).await.2 else { panic!("no array") };
    assert_eq!(types.len(), 10_000);
    register(&ours.ros, "registerPublisher", "/p", "/chat", "http://127.0.0.1:2/").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_of_many_megabytes_are_taken_up_to_a_bound() {
    let ours = Ours::start().await;
    let large = "x".repeat(3 << 20);
    let mut refused = None;
    for at in 0..10 {
        let (code, said, _) =
            ours.ros.call("setParam", vec![text(&format!("/large/{at}")), text(&large)]).await;
        if code != 1 {
            refused = Some(said);
            break;
        }
    }
    let refused = refused.expect("30 MiB do not fit into 16");
    assert!(refused.contains("all parameters together may have 16 MiB"), "{refused}");
    assert_eq!(ours.ros.call("getParam", vec![text("/large/0")]).await.2, text(&large));
    let (code, _, Value::Struct(all)) = ours.ros.call("getParam", vec![text("/large")]).await else {
        panic!("no tree")
    };
    assert_eq!((code, all.len()), (1, 5));
    let too_long = vec![text("/me"), text("/a"), text(&large.repeat(2))];
    let error = ours.ros.master().call("setParam", too_long, PATIENCE).await.unwrap_err().to_string();
    // It is refused before all of it was read, so a client that still writes may find the connection closed first.
    let closed = ["Broken pipe", "Connection reset"].iter().any(|reason| error.contains(reason));
    assert!(error.contains("413") || closed, "{error}");
    let deep = "/a".repeat(400);
    let (code, said, _) = ours.ros.call("setParam", vec![text(&deep), text("x")]).await;
    assert_eq!(code, -1);
    assert!(said.contains("28 levels"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_would_spoil_the_lists_are_refused() {
    let ours = Ours::start().await;
    let long = "/a".repeat(2000);
    for topic in ["/new\nline", "/tab\t", "/with space", "http://name", "/", "", &long, "/del\u{7f}"] {
        let (code, said) = call_as(
            &ours.ros,
            "/me",
            "registerPublisher",
            &[topic, "std_msgs/String", "http://127.0.0.1:2/"],
        )
        .await;
        assert_eq!(code, Value::Integer(-1), "{topic:?}: {said}");
    }
    let (code, said) =
        call_as(&ours.ros, "/me\n", "registerPublisher", &["/a", "std_msgs/String", "http://127.0.0.1:2/"])
            .await;
    assert_eq!((code, said.as_str()), (Value::Integer(-1), "caller_id contains illegal chars"));
    // What is odd but harmless is taken, as rosmaster does, and everybody can still read the lists.
    register(&ours.ros, "registerPublisher", "/me", "/odd-<näme>&", "http://127.0.0.1:2/").await;
    assert_eq!(ours.ros.out("rostopic", &["list"]).await.trim(), "/odd-<näme>&");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_that_does_not_know_the_parameter_receives_no_more() {
    use latimer_ros1::xmlrpc::{self, Fault, Handler};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Ignorant(Arc<AtomicUsize>);

    impl Handler for Ignorant {
        fn call<'a>(
            &'a self,
            _: &'a str,
            _: Vec<Value>,
            _: SocketAddr,
        ) -> BoxFuture<'a, Result<Value, Fault>> {
            Box::pin(async move {
                self.0.fetch_add(1, Ordering::SeqCst);
                Ok(Value::Array(vec![Value::Integer(-1), text("not subscribed"), Value::Integer(0)]))
            })
        }
    }

    let ours = Ours::start().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(xmlrpc::serve(
        listener,
        Arc::new(Ignorant(asked.clone())),
        here(),
        CancellationToken::new(),
    ));
    call_as(&ours.ros, "/ignorant", "subscribeParam", &[&address, "/a"]).await;
    ours.ros.wait_for_node("/ignorant", true).await;
    ours.ros.call("setParam", vec![text("/a"), text("x")]).await;
    ours.ros.wait_for_node("/ignorant", false).await;
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_ask_for_much_and_do_not_read_it_keep_no_ordinary_call_from_being_made() {
    let ours = Ours::start().await;
    for at in 0..2 {
        let value = text(&"x".repeat(3 << 20));
        assert_eq!(ours.ros.call("setParam", vec![text(&format!("/large/{at}")), value]).await.0, 1);
    }
    let call = "<methodCall><methodName>getParam</methodName><params><param><value>/me</value></param>\
        <param><value>/large</value></param></params></methodCall>";
    let request = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n{call}",
        call.len()
    );
    let address = ours.ros.uri.trim_start_matches("http://").to_owned();
    let mut callers = Vec::new();
    for _ in 0..30 {
        let mut caller = TcpStream::connect(&address).await.unwrap();
        caller.write_all(request.as_bytes()).await.unwrap();
        callers.push(caller);
    }
    // Each has the beginning of its answer, which is long or says that there are too many.
    for caller in &mut callers {
        timeout(PATIENCE, caller.read_u8()).await.expect("an answer").unwrap();
    }
    assert_eq!(ours.ros.call("hasParam", vec![text("/large")]).await.2, Value::Boolean(true));
    register(&ours.ros, "registerPublisher", "/p", "/chat", "http://127.0.0.1:2/").await;
    drop(callers);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_programs_own_nodes_register_although_its_machine_may_register_nothing_more() {
    let limits = Limits { registrations_per_node: 2, registrations_per_address: 2 };
    let master = Master::bind(([127, 0, 0, 1], 0).into(), "127.0.0.1").await.unwrap();
    let master = master.with_limits(limits).with_own_nodes(["/own".to_owned()]);
    let (ros, graph_counts, shutdown) =
        (Ros::at(master.uri().unwrap()), master.graph_counts(), CancellationToken::new());
    let _end = shutdown.clone().drop_guard();
    tokio::spawn(master.run(shutdown.clone()));
    for topic in ["/a", "/b"] {
        register(&ros, "registerPublisher", "/greedy", topic, "http://127.0.0.1:1/").await;
    }
    for node in ["/greedy", "/other"] {
        let params = ["/c", "std_msgs/String", "http://127.0.0.1:1/"];
        let (code, said) = call_as(&ros, node, "registerPublisher", &params).await;
        assert!(code == Value::Integer(-1) && said.contains("unregister some"), "{said}");
    }
    let (node, running) = Node::bind(Settings {
        name: "/own".to_owned(),
        master: ros.uri.clone(),
        bind: [127, 0, 0, 1].into(),
        host: None,
        policy: Default::default(),
        remap: Default::default(),
        now: Arc::new(Time::default),
    })
    .await
    .unwrap();
    tokio::spawn(running.run(shutdown));
    let text = Catalog::common().layout("std_msgs/String").unwrap();
    let own = ["/own/1", "/own/2", "/own/3"];
    let _topics = own.map(|topic| node.advertise(topic, text.clone(), 8, false).unwrap());
    let all_there = async {
        // Those of `/greedy`, `/rosout` and its own.
        while graph_counts.counts().topics < 2 + 1 + own.len() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, all_there).await.expect("the own node registers");
}

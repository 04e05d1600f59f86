//! The life of a node: with a master that comes late or again, others of its name, and topics that come and go.

use std::net::SocketAddr;

use latimer_e2e::ports::free_block;
use latimer_ros1::msgs::std_msgs::String as Text;
use latimer_ros1::node::{Ended, MasterLink, NodeError, Publisher, Startup};
use latimer_ros1::xmlrpc::{Client, Value};

use super::peers::text;
use super::support::{Master, Ours, PATIENCE, Running, ended, layout, next, until, wait_for};

const TOPIC: &str = "/chatter";

fn say(publisher: &Publisher, text: &str) {
    publisher.publish(&Text { data: text.to_owned() }).unwrap();
}

fn texts(running: &Running, queue: usize) -> latimer_ros1::node::Subscription {
    running.node.subscribe(TOPIC, Some("std_msgs/String"), queue).unwrap()
}

/// Who publishes and subscribes a topic, by the master's word.
async fn registered(master: &str, topic: &str) -> (Vec<String>, Vec<String>) {
    let answer = Client::new(master).call("getSystemState", vec![text("/test")], PATIENCE).await.unwrap();
    let Value::Array(answer) = answer else { panic!("no triple") };
    let Some(Value::Array(state)) = answer.get(2) else { panic!("{answer:?}") };
    let names = |list: &Value| {
        let Value::Array(list) = list else { panic!("{list:?}") };
        let of_topic = list.iter().find_map(|entry| match entry {
            Value::Array(entry) if entry[0] == text(topic) => Some(entry[1].clone()),
            _ => None,
        });
        let Some(Value::Array(names)) = of_topic else { return Vec::new() };
        let name = |name: Value| match name {
            Value::String(name) => name,
            other => panic!("{other:?}"),
        };
        names.into_iter().map(name).collect()
    };
    (names(&state[0]), names(&state[1]))
}

#[tokio::test]
async fn a_latched_message_comes_to_each_subscription_of_a_node() {
    let master = Ours::start().await;
    let (talker, listener) = (master.node("/talker").await, master.node("/listener").await);
    let publisher = talker.node.advertise(TOPIC, layout("std_msgs/String"), 4, true).unwrap();
    let mut early = texts(&listener, 4);
    say(&publisher, "first");
    assert_eq!(next(&mut early).await.decode::<Text>().unwrap().data, "first");
    let mut late = texts(&listener, 4);
    assert_eq!(next(&mut late).await.decode::<Text>().unwrap().data, "first");
    say(&publisher, "second");
    for one in [&mut early, &mut late] {
        assert_eq!(next(one).await.decode::<Text>().unwrap().data, "second", "and each later one once");
    }
    drop(publisher);
    wait_for(early.publishers(), |&count| count == 0).await;
    let fleeting = talker.node.advertise(TOPIC, layout("std_msgs/String"), 4, false).unwrap();
    wait_for(fleeting.subscribers(), |&count| count == 1).await;
    say(&fleeting, "third");
    assert_eq!(next(&mut early).await.decode::<Text>().unwrap().data, "third");
    let mut last = texts(&listener, 4);
    say(&fleeting, "fourth");
    assert_eq!(next(&mut last).await.decode::<Text>().unwrap().data, "fourth", "nothing else was kept");
}

#[tokio::test]
async fn a_topic_that_comes_later_is_followed_and_left_again() {
    let master = Ours::start().await;
    let listener = master.node("/listener").await;
    let mut texts = texts(&listener, 4);
    let talker = master.node("/talker").await;
    let publisher = talker.node.advertise("chatter", layout("std_msgs/String"), 4, true).unwrap();
    say(&publisher, "first");
    assert_eq!(next(&mut texts).await.decode::<Text>().unwrap().data, "first");
    wait_for(publisher.subscribers(), |&count| count == 1).await;
    let taken = talker.node.advertise(TOPIC, layout("std_msgs/Int32"), 4, true).unwrap_err();
    assert!(matches!(&taken, NodeError::Taken { topic } if topic == TOPIC), "{taken}");
    // A second publisher of the same is another voice of one topic.
    let second = talker.node.advertise(TOPIC, layout("std_msgs/String"), 4, true).unwrap();
    drop(publisher);
    say(&second, "also");
    assert_eq!(next(&mut texts).await.decode::<Text>().unwrap().data, "also");
    wait_for(second.subscribers(), |&count| count == 1).await;
    drop(second);
    wait_for(texts.publishers(), |&count| count == 0).await;
    until("it is unregistered", async || registered(&master.uri, TOPIC).await.0.is_empty()).await;
    // Again at once, so that the master may not have heard that it was gone.
    drop(talker.node.advertise(TOPIC, layout("std_msgs/String"), 4, true).unwrap());
    let publisher = talker.node.advertise(TOPIC, layout("std_msgs/String"), 4, true).unwrap();
    say(&publisher, "second");
    assert_eq!(next(&mut texts).await.decode::<Text>().unwrap().data, "second");
    drop(texts);
    wait_for(publisher.subscribers(), |&count| count == 0).await;
    until("it is left", async || registered(&master.uri, TOPIC).await.1.is_empty()).await;
}

#[tokio::test]
async fn a_topic_that_is_called_otherwise_is_published_and_followed_by_its_other_name() {
    let master = Ours::start().await;
    let arguments = ["chatter:=/news", "__name:=renamed"].map(str::to_owned);
    let startup = Startup { master: master.uri.clone(), ..Startup::read(|_| None, arguments).unwrap() };
    let settings = startup.settings("talker", std::sync::Arc::new(Default::default)).unwrap();
    let (node, running) = latimer_ros1::node::Node::bind(settings).await.unwrap();
    let stop = tokio_util::sync::CancellationToken::new();
    let running = tokio::spawn(running.run(stop.clone()));
    let publisher = node.advertise("chatter", layout("std_msgs/String"), 4, true).unwrap();
    assert_eq!((publisher.topic(), node.name()), ("/news", "/renamed"));
    say(&publisher, "hello");
    let mut own = node.subscribe("chatter", Some("std_msgs/String"), 4).unwrap();
    let said = next(&mut own).await.decode::<Text>().unwrap();
    assert_eq!((own.topic(), said.data.as_str()), ("/news", "hello"));
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test]
async fn several_publishers_and_ones_own_are_followed() {
    let master = Ours::start().await;
    let (one, two) = (master.node("/one").await, master.node("/two").await);
    let mut received = texts(&one, 8);
    let own = one.node.advertise(TOPIC, layout("std_msgs/String"), 4, false).unwrap();
    let other = two.node.advertise(TOPIC, layout("std_msgs/String"), 4, false).unwrap();
    wait_for(received.publishers(), |&count| count == 2).await;
    for publisher in [&own, &other] {
        wait_for(publisher.subscribers(), |&count| count == 1).await;
    }
    let mut second = texts(&one, 8);
    assert_eq!(*second.publishers().borrow(), 2, "they are connected already");
    say(&own, "own");
    assert_eq!(&*next(&mut received).await.caller, "/one");
    say(&other, "other");
    assert_eq!(&*next(&mut received).await.caller, "/two");
    assert_eq!(next(&mut second).await.decode::<Text>().unwrap().data, "own");
    assert_eq!(two.stop().await, Ended::Stopped);
    wait_for(received.publishers(), |&count| count == 1).await;
    assert_eq!(registered(&master.uri, TOPIC).await.0, ["/one"]);
    one.stop().await;
    assert_eq!(second.next().await.map(|message| message.caller.to_string()).as_deref(), Some("/two"));
    assert!(second.next().await.is_none(), "the node has ended");
    let nothing = (Vec::new(), Vec::new());
    assert_eq!(registered(&master.uri, TOPIC).await, nothing);
    assert_eq!(registered(&master.uri, "/rosout").await, nothing);
}

#[tokio::test]
async fn a_master_that_comes_late_is_waited_for() {
    let free = SocketAddr::from(([127, 0, 0, 1], free_block()));
    let uri = format!("http://{free}");
    let talker = Running::start("/talker", &uri).await;
    let publisher = talker.node.advertise(TOPIC, layout("std_msgs/String"), 4, true).unwrap();
    wait_for(talker.node.link(), |link| matches!(link, MasterLink::Waiting(why) if why.contains("reached")))
        .await;
    let master = Ours::at(free).await;
    wait_for(talker.node.link(), |link| *link == MasterLink::Up).await;
    assert_eq!(registered(&uri, TOPIC).await.0, ["/talker"]);
    drop(publisher);
    master.stop().await;
    wait_for(talker.node.link(), |link| matches!(link, MasterLink::Waiting(_))).await;
    assert_eq!(talker.stop().await, Ended::Stopped, "though no master is there to notify");
}

#[tokio::test]
async fn after_the_master_was_killed_and_started_again_all_is_as_before() {
    let master = Master::start().await;
    let (uri, port) = (master.uri(), master.port);
    let (talker, listener) = (Running::at("/talker", &uri).await, Running::at("/listener", &uri).await);
    let publisher = talker.node.advertise(TOPIC, layout("std_msgs/String"), 4, false).unwrap();
    let mut received = texts(&listener, 4);
    wait_for(publisher.subscribers(), |&count| count == 1).await;
    master.kill().await;
    for running in [&talker, &listener] {
        wait_for(running.node.link(), |link| matches!(link, MasterLink::Waiting(_))).await;
    }
    say(&publisher, "without a master");
    assert_eq!(next(&mut received).await.decode::<Text>().unwrap().data, "without a master");
    let master = Master::at(port).await;
    for running in [&talker, &listener] {
        wait_for(running.node.link(), |link| *link == MasterLink::Up).await;
    }
    let (offered, followed) = registered(&uri, TOPIC).await;
    assert_eq!((&offered[..], &followed[..]), (&["/talker".to_owned()][..], &["/listener".to_owned()][..]));
    let echo = tokio::spawn(async move {
        let echo = master.prints("/usr/bin/rostopic", &["echo", "-n1", TOPIC]).await;
        (echo, master)
    });
    wait_for(publisher.subscribers(), |&count| count == 2).await;
    say(&publisher, "with a new one");
    assert_eq!(echo.await.unwrap().0, "data: \"with a new one\"\n---\n");
    assert_eq!(next(&mut received).await.decode::<Text>().unwrap().data, "with a new one", "once");
    assert_eq!(*publisher.subscribers().borrow(), 1);
}

#[tokio::test]
async fn of_two_nodes_of_one_name_the_later_stays() {
    let master = Ours::start().await;
    let first = master.node("/twin").await;
    let mut received = texts(&first, 4);
    // What the first one registers after the second one came would take the name back.
    until("the first one follows", async || registered(&master.uri, TOPIC).await.1 == ["/twin"]).await;
    let second = master.node("/twin").await;
    let publisher = second.node.advertise(TOPIC, layout("std_msgs/String"), 4, false).unwrap();
    let Ended::ShutDown(reason) = ended(first.task).await else { panic!("it was shut down") };
    assert_eq!(reason, "[/twin] Reason: new node registered with same name");
    assert!(received.next().await.is_none());
    until("the second one is registered", async || registered(&master.uri, TOPIC).await.0 == ["/twin"]).await;
    drop(publisher);
    assert_eq!(second.stop().await, Ended::Stopped);
}

#[tokio::test]
async fn a_node_that_never_ran_ends_its_subscriptions() {
    let settings = latimer_ros1::node::Settings {
        name: "idle".to_owned(),
        master: "http://127.0.0.1:1".to_owned(),
        bind: std::net::Ipv4Addr::LOCALHOST.into(),
        host: None,
        policy: Default::default(),
        remap: std::collections::BTreeMap::new(),
        now: std::sync::Arc::new(latimer_ros1::msgs::Time::default),
    };
    let (node, running) = latimer_ros1::node::Node::bind(settings).await.unwrap();
    assert_eq!(node.name(), "/idle");
    let mut received = node.subscribe("~own", None, 1).unwrap();
    assert_eq!(received.topic(), "/idle/own");
    assert!(matches!(node.subscribe("no name", None, 1), Err(NodeError::Name(_))));
    assert!(matches!(node.subscribe("~other", Some("no type"), 1), Err(NodeError::Type(_))));
    drop(running);
    assert!(received.next().await.is_none());
}

#[tokio::test]
async fn parameters_are_kept_by_the_master() {
    let master = Ours::start().await;
    let running = master.node("/space/robot").await;
    let node = &running.node;
    assert_eq!(node.param("~rate").await.unwrap(), None);
    node.set_param("~rate", Value::Integer(50)).await.unwrap();
    node.set_param("/limit", Value::Double(0.5)).await.unwrap();
    assert_eq!(node.param("~rate").await.unwrap(), Some(Value::Integer(50)));
    assert!(matches!(node.param("/space").await.unwrap(), Some(Value::Struct(_))), "a tree");
    assert!(node.has_param("/space/robot/rate").await.unwrap());
    assert_eq!(node.search_param("limit").await.unwrap().as_deref(), Some("/limit"));
    assert_eq!(node.search_param("other").await.unwrap(), None);
    node.delete_param("~rate").await.unwrap();
    assert!(!node.has_param("~rate").await.unwrap());
    let missing = node.delete_param("~rate").await.unwrap_err();
    assert!(matches!(missing, NodeError::Refused { method: "deleteParam", .. }), "{missing}");
}

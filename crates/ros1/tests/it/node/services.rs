//! Services: among nodes of ours, with rospy, and against callers that are hostile.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use latimer_ros1::message::ServiceType;
use latimer_ros1::node::{Level, NodeError, ServiceError, ServiceServer};
use latimer_ros1::tcpros::Header;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::support::{Master, Ours, PATIENCE, Running, next, wait_for};

const SWITCH: &str = "/talker/switch";

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct SetBool {
    data: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Answer {
    success: bool,
    message: String,
}

fn set_bool() -> Arc<ServiceType> {
    Arc::new(ServiceType::common("std_srvs/SetBool").unwrap())
}

/// A switch that can be turned on only, and counts.
fn switch(talker: &Running) -> ServiceServer {
    let asked = Arc::new(AtomicU32::new(0));
    let answer = move |SetBool { data }: SetBool| {
        let count = asked.fetch_add(1, Ordering::Relaxed) + 1;
        async move {
            let message = format!("asked {count} times");
            if data {
                Ok(Answer { success: true, message })
            } else {
                Err("it cannot be turned off".to_owned())
            }
        }
    };
    talker.node.offer(SWITCH, set_bool(), answer).unwrap()
}

async fn call(node: &Running, service: &str, data: bool) -> Result<Answer, ServiceError> {
    node.node.call(service, &set_bool(), &SetBool { data }, PATIENCE).await
}

/// Calls until the master knows the service.
async fn called(node: &Running, service: &str) -> Answer {
    loop {
        match call(node, service, true).await {
            Err(ServiceError::NotOffered { .. }) => tokio::time::sleep(PATIENCE / 1_000).await,
            answer => return answer.unwrap(),
        }
    }
}

#[tokio::test]
async fn a_service_is_called_until_it_is_withdrawn() {
    let master = Ours::start().await;
    let (talker, caller) = (master.node("/talker").await, master.node("/caller").await);
    let server = switch(&talker);
    assert!(matches!(
        talker.node.offer(SWITCH, set_bool(), |_: SetBool| async { Err::<Answer, _>(String::new()) }),
        Err(NodeError::Taken { .. })
    ));
    assert_eq!(called(&caller, SWITCH).await, Answer { success: true, message: "asked 1 times".to_owned() });
    let failed = call(&caller, SWITCH, false).await.unwrap_err().to_string();
    assert_eq!(failed, "/talker/switch failed: it cannot be turned off");
    let other = ServiceType::common("std_srvs/Trigger").unwrap();
    let refused = caller.node.call::<_, Answer>(SWITCH, &other, &(), PATIENCE).await.unwrap_err().to_string();
    assert!(refused.contains("md5sums do not match"), "{refused}");
    drop(server);
    let gone = call(&caller, SWITCH, true).await.unwrap_err().to_string();
    assert!(gone.contains("not a provider") || gone.contains("nobody offers /talker/switch"), "{gone}");
}

#[tokio::test]
async fn rospy_calls_and_is_called_and_sets_the_level_of_the_log() {
    let master = Master::start().await;
    let talker = Running::at("/talker", &master.uri()).await;
    let _server = switch(&talker);
    let mut adder = master.script("adder.py", &[SWITCH]);
    assert_eq!(adder.line().await, "asked 1 times True");
    assert!(adder.line().await.contains("it cannot be turned off"));
    assert_eq!(adder.line().await, "[('ros', 'error')]");
    assert!(adder.line().await.contains("no level \"loud\"; there are debug, info, warn, error, fatal"));
    assert_eq!(adder.line().await, "ready");
    let answer = called(&talker, "/adder/set_bool").await;
    assert_eq!(answer, Answer { success: true, message: "rospy was asked".to_owned() });
    let failed = call(&talker, "/adder/set_bool", false).await.unwrap_err().to_string();
    assert!(failed.contains("only true is answered"), "{failed}");
    let info = master.prints("/usr/bin/rosservice", &["info", SWITCH]).await;
    assert!(info.contains("Node: /talker") && info.contains("Type: std_srvs/SetBool"), "{info}");
    // What is less than an error is no longer said.
    let mut said = talker.node.subscribe("/rosout", None, 8).unwrap();
    wait_for(said.publishers(), |&count| count > 0).await;
    talker.node.log(Level::Warn, "quiet");
    talker.node.log(Level::Error, "loud");
    loop {
        let log: latimer_ros1::msgs::rosgraph_msgs::Log = next(&mut said).await.decode().unwrap();
        assert_ne!(log.msg, "quiet");
        if log.msg == "loud" {
            break;
        }
    }
}

#[tokio::test]
async fn a_broken_request_is_refused_and_others_are_served() {
    let master = Ours::start().await;
    let (talker, caller) = (master.node("/talker").await, master.node("/caller").await);
    let _server = switch(&talker);
    called(&caller, SWITCH).await;
    let place = lookup(&master, SWITCH).await;
    let greeting = Header::default()
        .with("callerid", "/hostile")
        .with("service", SWITCH)
        .with("md5sum", "*")
        .with("persistent", "1");
    let mut hostile = TcpStream::connect(&place).await.unwrap();
    hostile.write_all(&framed(&greeting.to_bytes())).await.unwrap();
    let length = hostile.read_u32_le().await.unwrap();
    let mut header = vec![0; length as usize];
    hostile.read_exact(&mut header).await.unwrap();
    // A request that is too short for a truth value, then one that claims four gigabytes.
    hostile.write_all(&framed(b"")).await.unwrap();
    assert_eq!(hostile.read_u8().await.unwrap(), 0);
    let length = hostile.read_u32_le().await.unwrap();
    let mut reason = vec![0; length as usize];
    hostile.read_exact(&mut reason).await.unwrap();
    let reason = String::from_utf8_lossy(&reason);
    assert!(reason.contains("data, at byte 0"), "{reason}");
    hostile.write_all(&u32::MAX.to_le_bytes()).await.unwrap();
    let mut rest = Vec::new();
    hostile.read_to_end(&mut rest).await.unwrap();
    assert!(
        String::from_utf8_lossy(&rest).contains("claims 4294967295 bytes"),
        "the caller gets the reason, then the connection closes"
    );
    called(&caller, SWITCH).await;
}

fn framed(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).unwrap().to_le_bytes(), bytes].concat()
}

/// Where a service is, as the master says.
async fn lookup(master: &Ours, service: &str) -> String {
    use latimer_ros1::xmlrpc::{Client, Value};
    let text = |it: &str| Value::String(it.to_owned());
    let client = Client::new(master.uri.clone());
    let answer = client.call("lookupService", vec![text("/test"), text(service)], PATIENCE).await.unwrap();
    let Value::Array(parts) = answer else { panic!("{answer:?}") };
    let [_, _, Value::String(uri)] = &parts[..] else { panic!("{parts:?}") };
    uri.strip_prefix("rosrpc://").unwrap().to_owned()
}

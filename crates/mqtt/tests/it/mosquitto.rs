//! Debian's mosquitto: as the broker of a link, and its clients at the broker within.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use latimer_core::BrokerAddress;
use latimer_e2e::Cable;
use latimer_e2e::ports::free_block;
use latimer_mqtt::{Connection, LinkEvent, Login, Message, Qos};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::support::{PATIENCE, Running, config, connect, link, login, next, next_event, next_message};

/// A mosquitto of this test only.
pub(crate) struct Mosquitto {
    process: Child,
    pub(crate) port: u16,
    folder: PathBuf,
}

impl Mosquitto {
    pub(crate) async fn start(extra: &str) -> Self {
        Self::at(free_block(), extra).await
    }

    async fn at(port: u16, extra: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("latimer-mosquitto-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let users = folder.join("users");
        if extra.contains("USERS") {
            // It asks for a file with the passwords' hashes, which its own tool makes.
            let mut make = program("mosquitto_passwd");
            make.args(["-c", "-b"]).arg(&users).args(["swarm", "right"]);
            assert!(make.status().await.expect("mosquitto is installed; run `make mosquitto`").success());
        }
        let file = folder.join("mosquitto.conf");
        let extra = extra.replace("USERS", &users.display().to_string());
        let extra = extra.replace("FOLDER/", &format!("{}/", folder.display()));
        // Started by root it would become another user, who may not read this folder.
        std::fs::write(&file, format!("listener {port} 127.0.0.1\nuser root\n{extra}\n")).unwrap();
        let process = program("mosquitto").arg("-c").arg(&file).stderr(Stdio::null()).spawn();
        let process = process.expect("mosquitto is installed; run `make mosquitto`");
        let mosquitto = Self { process, port, folder };
        mosquitto.listens().await;
        mosquitto
    }

    pub(crate) fn address(&self) -> BrokerAddress {
        BrokerAddress::new("127.0.0.1", self.port)
    }

    /// Ends it in order, so that it writes down what it keeps.
    async fn go_down(&mut self) {
        let pid = self.process.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().await.unwrap().success());
        tokio::time::timeout(PATIENCE, self.process.wait()).await.expect("mosquitto does not end").unwrap();
    }

    /// Starts it again with what it kept.
    async fn go_up(&mut self) {
        let mut command = program("mosquitto");
        command.arg("-c").arg(self.folder.join("mosquitto.conf")).stderr(Stdio::null());
        self.process = command.spawn().unwrap();
        self.listens().await;
    }

    async fn listens(&self) {
        let listens = async {
            while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
                // It does not tell when it listens.
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, listens).await.expect("mosquitto does not listen");
    }

    /// `mosquitto_pub` of a message.
    async fn publish(&self, topic: &str, payload: &str, qos: &str) {
        let mut publish = program("mosquitto_pub");
        publish.args(["-p", &self.port.to_string(), "-q", qos, "-t", topic, "-m", payload]);
        assert!(
            publish.status().await.expect("mosquitto-clients are installed; run `make mosquitto`").success()
        );
    }

    async fn stop(mut self) -> u16 {
        self.process.kill().await.unwrap();
        self.port
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        // What is left in the folder for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn program(name: &str) -> Command {
    // Debian keeps the broker where only administrators look.
    let path = format!("{}:/usr/sbin:/usr/local/sbin", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(name);
    command.env("PATH", path).stdin(Stdio::null()).kill_on_drop(true);
    command
}

pub(crate) const ANYBODY: &str = "allow_anonymous true\nmax_queued_messages 0";

#[tokio::test]
async fn a_link_speaks_every_quality_of_service_with_mosquitto() {
    let mosquitto = Mosquitto::start(ANYBODY).await;
    let (mut subscriber, _, _stop, _) =
        link(login(&mosquitto.address(), "subscriber", &[("a/+", Qos::ExactlyOnce)]));
    assert_eq!(next_event(&mut subscriber).await, LinkEvent::Up);
    let (mut sender, publisher, _stop, _) = link(login(&mosquitto.address(), "sender", &[]));
    assert_eq!(next_event(&mut sender).await, LinkEvent::Up);
    for qos in [Qos::AtMostOnce, Qos::AtLeastOnce, Qos::ExactlyOnce] {
        for number in 0..300 {
            publisher.publish(Message::new("a/b", format!("{number}"), qos)).unwrap();
        }
        for number in 0..300 {
            let message = Message::new("a/b", format!("{number}"), qos);
            assert_eq!(next_event(&mut subscriber).await, LinkEvent::Message(message));
        }
    }
}

#[tokio::test]
async fn a_link_comes_back_to_mosquitto_with_messages_published_meanwhile() {
    let mosquitto = Mosquitto::start(ANYBODY).await;
    let (mut link, publisher, _stop, _) =
        link(login(&mosquitto.address(), "link", &[("echo/#", Qos::ExactlyOnce)]));
    assert_eq!(next_event(&mut link).await, LinkEvent::Up);
    let port = mosquitto.stop().await;
    let LinkEvent::Down(_) = next_event(&mut link).await else { panic!("the drop is not reported") };
    for number in 0..500 {
        publisher.publish(Message::new("echo/1", format!("{number}"), Qos::ExactlyOnce)).unwrap();
    }
    // Its own subscription is there again before what waits goes out.
    let _mosquitto = Mosquitto::at(port, ANYBODY).await;
    for number in 0..500 {
        assert_eq!(next_message(&mut link).await.payload, format!("{number}"));
    }
}

const KEEPS: &str =
    "allow_anonymous true\nmax_queued_messages 0\npersistence true\npersistence_location FOLDER/";

#[tokio::test]
async fn links_come_back_with_their_broker_and_miss_nothing_that_was_published_in_the_gap() {
    let mut mosquitto = Mosquitto::start(KEEPS).await;
    let mut followers = Vec::new();
    for number in 0..5 {
        let name = format!("follower-{number}");
        let mut follower = link(login(&mosquitto.address(), &name, &[("orders", Qos::ExactlyOnce)]));
        assert_eq!(next_event(&mut follower.0).await, LinkEvent::Up);
        followers.push(follower);
    }
    let (mut sender, publisher, _stop, _) = link(login(&mosquitto.address(), "sender", &[]));
    assert_eq!(next_event(&mut sender).await, LinkEvent::Up);
    mosquitto.go_down().await;
    for (follower, ..) in &mut followers {
        let LinkEvent::Down(_) = next_event(follower).await else { panic!("the drop is not reported") };
    }
    publisher.publish(Message::new("orders", "of a link", Qos::ExactlyOnce)).unwrap();
    // So long that attempts with growing waits would be seconds apart.
    tokio::time::sleep(Duration::from_secs(8)).await;
    mosquitto.go_up().await;
    // None of the links knows yet that it is back.
    mosquitto.publish("orders", "QoS 1", "1").await;
    mosquitto.publish("orders", "QoS 2", "2").await;
    for (follower, ..) in &mut followers {
        let mut received = Vec::new();
        while received.len() < 3 {
            received.push(next_message(follower).await.payload);
        }
        received.sort();
        assert_eq!(received, ["QoS 1", "QoS 2", "of a link"]);
    }
    mosquitto.publish("orders", "last", "2").await;
    for (follower, ..) in &mut followers {
        assert_eq!(next_message(follower).await.payload, "last", "each came once");
    }
}

#[tokio::test]
async fn messages_in_flight_when_the_connection_drops_arrive_exactly_once() {
    const MANY: usize = 2_000;
    let mosquitto = Mosquitto::start(KEEPS).await;
    let (near, far) = (Cable::to(mosquitto.port).await, Cable::to(mosquitto.port).await);
    let (mut follower, _, _stop, _) = link(login(&near.address(), "follower", &[("all", Qos::ExactlyOnce)]));
    assert_eq!(next_event(&mut follower).await, LinkEvent::Up);
    let (mut sender, publisher, _stop, _) = link(login(&far.address(), "sender", &[]));
    assert_eq!(next_event(&mut sender).await, LinkEvent::Up);
    for number in 0..MANY {
        publisher.publish(Message::new("all", format!("{number}"), Qos::ExactlyOnce)).unwrap();
    }
    let mut received = std::collections::HashSet::new();
    for number in 0..MANY {
        let payload = next_message(&mut follower).await.payload;
        assert!(received.insert(payload.clone()), "{payload:?} came twice");
        if number % 500 == 250 {
            far.cut();
        }
        if number % 500 == 400 {
            near.cut();
        }
    }
    publisher.confirmed_beyond(MANY as u64 - 1).await;
    assert_eq!(publisher.progress().unconfirmed(), 0);
}

#[tokio::test]
async fn a_link_that_ends_leaves_no_session_behind() {
    let mosquitto = Mosquitto::start(KEEPS).await;
    let (mut ended, _, stop, task) = link(login(&mosquitto.address(), "ended", &[("a", Qos::ExactlyOnce)]));
    assert_eq!(next_event(&mut ended).await, LinkEvent::Up);
    stop.cancel();
    task.await.unwrap();
    // The same client asks for the session that was kept.
    let mut again = TcpStream::connect(("127.0.0.1", mosquitto.port)).await.unwrap();
    again.write_all(b"\x10\x11\x00\x04MQTT\x04\x00\x00\x3c\x00\x05ended").await.unwrap();
    let mut answer = [0; 4];
    again.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, *b"\x20\x02\x00\x00", "there is none");
}

#[tokio::test]
async fn retained_messages_wills_and_passwords_at_mosquitto() {
    let mosquitto = Mosquitto::start("allow_anonymous false\npassword_file USERS").await;
    let with = |password: &str| BrokerAddress {
        login: Some(("swarm".to_owned(), password.to_owned())),
        ..mosquitto.address()
    };
    for address in [with("wrong"), mosquitto.address()] {
        let error = Connection::open(&login(&address, "x", &[])).await.unwrap_err().to_string();
        assert!(error.contains("let this login in") || error.contains("user or password"), "{error}");
    }
    let right = with("right");
    let will = Message::new("will", "gone", Qos::AtLeastOnce).retained();
    let mortal = Login { will: Some(will.clone()), ..login(&right, "mortal", &[]) };
    let mut mortal = Connection::open(&mortal).await.unwrap();
    mortal.publish(Message::new("kept", "1", Qos::ExactlyOnce).retained()).await.unwrap();
    let mut subscriber =
        connect(&right, "subscriber", &[("kept", Qos::ExactlyOnce), ("will", Qos::AtLeastOnce)]).await;
    assert_eq!(next(&mut subscriber).await.payload, "1");
    drop(mortal);
    assert_eq!(next(&mut subscriber).await.payload, will.payload);
}

#[tokio::test]
async fn a_refused_subscription_is_an_error() {
    let mosquitto = Mosquitto::start("allow_anonymous true\nmax_topic_alias 0").await;
    let odd = login(&mosquitto.address(), "x", &[("a/#/b", Qos::AtMostOnce)]);
    let error = Connection::open(&odd).await.unwrap_err().to_string();
    assert!(error.contains("a/#/b"), "{error}");
}

#[tokio::test]
async fn mosquitto_clients_work_with_the_broker_within() {
    let users = "users = [{ name = \"swarm\", password = \"right\" }]";
    let broker = Running::of(config(&format!("listen = \"127.0.0.1:0\"\n{users}"))).await;
    let port = broker.listen.port().to_string();
    let client = |name: &str, version: &str, rest: &[&str]| {
        let mut command = program(name);
        command.args(["-p", &port, "-V", version, "-u", "swarm", "-P", "right", "-q", "2"]).args(rest);
        command
    };
    for version in ["mqttv311", "mqttv5"] {
        let topic = format!("m/{version}");
        let published = client("mosquitto_pub", version, &["-t", &topic, "-m", "kept", "-r"]).status().await;
        assert!(published.expect("mosquitto-clients are installed; run `make mosquitto`").success());
        let mut subscriber = client("mosquitto_sub", version, &["-t", &topic, "-C", "2", "-F", "%q %r %p"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(subscriber.stdout.take().unwrap()).lines();
        assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("2 1 kept"));
        let mut link = connect(&broker.address, "link", &[(&topic, Qos::ExactlyOnce)]).await;
        assert_eq!(next(&mut link).await.payload, "kept");
        link.publish(Message::new(topic.clone(), "now", Qos::ExactlyOnce)).await.unwrap();
        assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("2 0 now"));
        assert!(tokio::time::timeout(PATIENCE, subscriber.wait()).await.unwrap().unwrap().success());
        link.close().await;
    }
    let stranger = program("mosquitto_pub").args(["-p", &port, "-t", "a", "-m", "b"]).output().await.unwrap();
    assert!(!stranger.status.success());
    let stderr = String::from_utf8_lossy(&stranger.stderr).to_lowercase();
    assert!(stderr.contains("bad user name or password") || stderr.contains("not authori"), "{stderr}");
}

#[tokio::test]
async fn a_bridge_of_mosquitto_carries_messages_both_ways() {
    let broker = Running::start().await;
    let bridge = format!(
        "{ANYBODY}\nconnection within\naddress 127.0.0.1:{}\ntopic bridged/# both 1",
        broker.listen.port()
    );
    let mosquitto = Mosquitto::start(&bridge).await;
    let filters = [("bridged/#", Qos::AtLeastOnce)];
    let mut within = connect(&broker.stranger(), "within", &filters).await;
    let mut outside = connect(&mosquitto.address(), "outside", &filters).await;
    // It does not tell when it has subscribed: what is retained gets there whenever that is.
    within.publish(Message::new("bridged/in", "1", Qos::AtLeastOnce).retained()).await.unwrap();
    outside.publish(Message::new("bridged/out", "2", Qos::AtLeastOnce).retained()).await.unwrap();
    for (side, other) in [(&mut within, "bridged/out"), (&mut outside, "bridged/in")] {
        while next(side).await.topic != other {}
    }
}

//! A robot served as a chassis, and a client that sends requests.

use std::sync::Arc;

use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::profile::Ability;
use latimer_core::model::signal::LinkState;
use latimer_core::{Command, Hub, Outcome, PartName, RobotId, Signal, Update};
use latimer_dialects::axbot::AxbotConfig;
use latimer_dialects::listen::{HttpPort, Ports};
use latimer_dialects::{BuildContext, Configured};
use reqwest::Method;
use serde_json::Value;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::rig::{self, Running, served};

pub(crate) fn robot() -> RobotId {
    RobotId::new("ax-1").unwrap()
}

/// A gateway with one robot, served on a port of its own.
pub(crate) struct Gateway {
    pub(crate) hub: Hub,
    pub(crate) source: Source,
    client: Client,
    /// The same robot on the common port.
    common: Client,
    _running: Running,
    _stop: DropGuard,
}

/// Where requests go.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: Arc<str>,
    http: reqwest::Client,
}

/// An answer: its status, and its body as JSON; `null` if there is none.
pub(crate) type Answer = (u16, Value);

impl Client {
    pub(crate) fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        self.http.request(method, format!("http://{}/{path}", self.address))
    }

    pub(crate) async fn call(&self, method: &str, path: &str, body: &str) -> Answer {
        let response = self.request(method, path).body(body.to_owned()).send().await.unwrap();
        let status = response.status().as_u16();
        let text = response.text().await.unwrap();
        (status, serde_json::from_str(&text).unwrap_or_default())
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, "").await
    }
}

impl Gateway {
    pub(crate) async fn start() -> Self {
        let gateway = Self::of_family("axbot", AxbotConfig::default()).await;
        gateway.source.link(LinkState::Up, None);
        gateway
    }

    /// A robot of a family that was not heard yet.
    pub(crate) async fn of_family(family: &'static str, config: AxbotConfig) -> Self {
        Self::of_origin(family, Origin::Simulated, config).await
    }

    /// The same of a robot that comes from somewhere.
    pub(crate) async fn of_origin(family: &'static str, origin: Origin, config: AxbotConfig) -> Self {
        let hub = crate::deriving_hub();
        let info = RobotInfo { origin, ..robot_info(robot(), family) };
        let source = hub.register(info).unwrap();
        let config = AxbotConfig { serve: served(&robot()), ..config };
        let mut built = Box::new(config).build(BuildContext::new(&hub)).await.unwrap().whole();
        let mount = built.mount.take().unwrap();
        let stop = CancellationToken::new();
        let port =
            HttpPort::bind("127.0.0.1:0".parse().unwrap(), "http", 100, &Ports::default()).await.unwrap();
        let common = format!("{}/robots/ax-1/axbot", port.address().unwrap()).into();
        tokio::spawn(port.serve(mount, stop.clone()));
        let running = Running::of(built);
        let http = reqwest::Client::new();
        let client = Client { address: running.authority().into(), http: http.clone() };
        Self {
            hub,
            source,
            client,
            common: Client { address: common, http },
            _running: running,
            _stop: stop.drop_guard(),
        }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn common(&self) -> &Client {
        &self.common
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.client.address)
    }

    pub(crate) fn publish(&self, signal: impl Into<Signal>) {
        self.source.publish(Update::now(&robot(), self.hub.clock().now(), signal.into()));
    }

    pub(crate) fn say_of(&self, part: &str, signal: impl Into<Signal>) {
        let update = Update::now(&robot(), self.hub.clock().now(), signal.into());
        self.source.publish(update.of_part(PartName::of(part)));
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.client.get(path).await
    }

    /// A request that the robot is not asked anything for.
    pub(crate) async fn call(&self, method: &str, path: &str, body: &str) -> Answer {
        self.client.call(method, path, body).await
    }

    /// The text of a refusal, and its status.
    pub(crate) async fn refused(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let (status, body) = self.call(method, path, body).await;
        assert!(status >= 400, "{method} {path}: {status} {body}");
        (status, body["detail"].as_str().map_or_else(|| body.to_string(), str::to_owned))
    }

    /// Sends a request while the robot answers with an outcome; returns what it was asked, and the answer.
    pub(crate) async fn asked(
        &mut self,
        method: &str,
        path: &str,
        body: &str,
        outcome: Outcome,
    ) -> (Command, Answer) {
        let (client, call) = (self.client.clone(), [method, path, body].map(str::to_owned));
        let answer = tokio::spawn(async move { client.call(&call[0], &call[1], &call[2]).await });
        let command = self.next(outcome).await;
        let (status, mut answer) = answer.await.unwrap();
        // Which command a refusal is of: another one each time.
        if let Some(detail) = answer["detail"].as_str()
            && status >= 400
        {
            let (said, id) = detail.rsplit_once(" (command ").expect("it names its command");
            assert!(id.ends_with(')') && id.contains('-'), "{detail}");
            answer["detail"] = said.into();
        }
        (command, (status, answer))
    }

    /// A request for which the robot is asked two things, and does both.
    pub(crate) async fn asked_twice(
        &mut self,
        method: &str,
        path: &str,
        body: &str,
    ) -> ([Command; 2], Answer) {
        let (client, call) = (self.client.clone(), [method, path, body].map(str::to_owned));
        let answer = tokio::spawn(async move { client.call(&call[0], &call[1], &call[2]).await });
        let commands = [self.next(Outcome::Done).await, self.next(Outcome::Done).await];
        (commands, answer.await.unwrap())
    }

    async fn next(&mut self, outcome: Outcome) -> Command {
        rig::answer(&mut self.source, outcome).await
    }

    /// The same with a robot that carries the command out.
    pub(crate) async fn done(&mut self, method: &str, path: &str, body: &str) -> (Command, Answer) {
        self.asked(method, path, body, Outcome::Done).await
    }
}

/// A robot of a family, with what every one of it has, and what a simulated one reports beside.
fn robot_info(robot: RobotId, family: &'static str) -> RobotInfo {
    let mut info = rig::robot_info(&robot, family);
    Arc::make_mut(&mut info.profile).abilities.push(Ability::ReportLocalPath);
    info
}

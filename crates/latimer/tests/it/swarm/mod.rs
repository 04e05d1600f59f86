//! A whole gateway as a swarm's simulator, as robots at its broker see it.

mod elsewhere;

use std::path::Path;
use std::time::Duration;

use latimer::app::{Gateway, Stopped};
use latimer::config::{Config, Overrides};
use latimer_core::hub::{Delivery, MailboxLimits, Origin, RobotInfo, Subscription};
use latimer_core::model::signal::{LinkState, Range};
use latimer_core::model::{Command, Kind, Outcome, Realities, SenseRequest, Sensing, Signal};
use latimer_core::{Clock, Hub, PartName, RobotId, Update};
use latimer_e2e::PATIENCE;
use latimer_mqtt::{BrokerConfig, Connection, Login, Message, Qos};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// What `latimer run -c config/pera-reference.toml` runs, on free ports.
fn reference() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/pera-reference.toml");
    let text = std::fs::read_to_string(path).unwrap();
    ["8080", "1883", "9001"]
        .iter()
        .fold(text, |text, port| text.replace(&format!("127.0.0.1:{port}"), "127.0.0.1:0"))
}

/// The same with the world's own rays.
fn exact() -> String {
    let text = reference().replace("geometry = \"reference\"", "geometry = \"exact\"");
    text.replace("default_reality = \"reference\"", "default_reality = \"V\"")
}

struct House {
    hub: Hub,
    broker: String,
    stop: CancellationToken,
    running: JoinHandle<Stopped>,
}

impl House {
    async fn new(config: &str) -> Self {
        Self::at(config, None).await
    }

    /// One whose broker is another one.
    async fn at(config: &str, broker: Option<String>) -> Self {
        let config = Config::parse("a test's config", config, &Overrides::default()).unwrap();
        let gateway = Box::pin(Gateway::build(config)).await.unwrap();
        let endpoints = gateway.endpoints().all(gateway.hub()).into_iter();
        let own = endpoints.map(|it| it.url).find(|url| url.starts_with("mqtt://"));
        let broker = broker.or(own).unwrap();
        let (hub, stop) = (gateway.hub().clone(), CancellationToken::new());
        let running = tokio::spawn(Box::pin(gateway.run(stop.clone(), CancellationToken::new(), || {})));
        Self { hub, broker, stop, running }
    }

    async fn client(&self, name: &str, filters: &[&str]) -> Client {
        let login = Login {
            address: self.broker.parse().unwrap(),
            client_id: name.to_owned(),
            subscriptions: filters.iter().map(|it| (format!("v1/{it}"), Qos::ExactlyOnce)).collect(),
            will: None,
            keep_alive: Duration::from_secs(60),
            trust: Default::default(),
        };
        let mut refused = None;
        let opened = async {
            loop {
                // The broker serves a moment after the gateway was built.
                match Connection::open(&login).await {
                    Ok(connection) => return connection,
                    Err(error) => refused = Some(error),
                }
                tokio::task::yield_now().await;
            }
        };
        let opened = tokio::time::timeout(PATIENCE, opened).await;
        Client(opened.unwrap_or_else(|_| panic!("{} does not let {name} in: {refused:?}", self.broker)))
    }

    /// A client of a robot, once the simulator is there: its greeting asks who else is.
    async fn robot(&self, name: &str, filters: &[&str]) -> Client {
        let mut client = self.client(name, &[filters, &["localization/data"]].concat()).await;
        loop {
            client.say("localization/data/?", "M").await;
            let answer = tokio::time::timeout(Duration::from_millis(200), client.0.next()).await;
            if answer.is_ok_and(|it| it.is_ok_and(|it| it.topic == "v1/localization/data")) {
                return client;
            }
        }
    }

    async fn stop(self) {
        self.stop.cancel();
        assert_eq!(within(self.running).await.unwrap(), Stopped::Clean);
    }
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("it takes too long")
}

struct Client(Connection);

impl Client {
    async fn say(&mut self, topic: &str, payload: &str) {
        self.0
            .publish(Message::new(format!("v1/{topic}"), payload.to_owned(), Qos::AtMostOnce))
            .await
            .unwrap();
    }

    /// The next message, as `topic payload`; the whole swarm, which [`House::robot`] asks for, is passed over.
    async fn next(&mut self) -> String {
        loop {
            let message = within(self.0.next()).await.unwrap();
            let text = format!("{} {}", message.topic, std::str::from_utf8(&message.payload).unwrap());
            if let Some(text) = text.strip_prefix("v1/").filter(|it| !it.starts_with("localization/data")) {
                return text.to_owned();
            }
        }
    }

    async fn ask(&mut self, topic: &str, payload: &str) -> String {
        self.say(topic, payload).await;
        self.next().await
    }

    async fn place(&mut self, id: u32, x: f64, y: f64, heading: f64) {
        let place = format!("[{{\"id\":{id},\"x\":{x},\"y\":{y},\"heading\":{heading},\"reality\":\"V\"}}]");
        self.say("localization/update", &place).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stands_in_for_the_reference() {
    let house = House::new(&reference()).await;
    let mut robot = house.robot("client_0.123", &["sensor/+/+", "localization/+"]).await;
    // A Java robot: invalid JSON first, doubles, then everything again as an update.
    robot.say("robot/create", "{\"heading\":0.0,\"x\":10.0,\"y\":10.0,\"reality\":V,\"id\":11}").await;
    assert_eq!(robot.ask("sensor/distance", "{\"reality\":\"M\",\"id\":11}").await, "sensor/distance/11 74");
    robot.place(11, 0.0, 0.0, 45.0).await;
    assert_eq!(robot.next().await.split(' ').next(), Some("localization/update"), "everybody hears it");
    assert_eq!(robot.ask("sensor/distance", "{\"id\":\"11\"}").await, "sensor/distance/11 122");
    assert_eq!(robot.ask("localization", "11").await, "localization/11 0 0 45");
    robot.place(11, 70.0, 20.0, 0.0).await;
    robot.next().await;
    let around = robot.ask("sensor/proximity", "{\"angles\":[-90,0,90],\"reality\":\"V\",\"id\":11}").await;
    assert_eq!(around, "sensor/proximity/11 64 14 104 #000000 #404040 #000000");
    // Nobody answers a robot that nobody knows, so the next answer is another's.
    robot.say("sensor/distance", "{\"id\":12}").await;
    assert_eq!(robot.ask("sensor/color", "{\"id\":11}").await, "sensor/color/11 64 64 64 64");
    assert_eq!(robot.ask("sensor/compass", "{\"id\":11}").await, "sensor/compass/11 90");
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_of_the_swarm_receives_the_arena() {
    let house = House::new(&reference()).await;
    let mut early = house.client("page", &["config/arena/", "obstacles"]).await;
    let arena = "config/arena/ {\"xMin\":-90,\"xMax\":90,\"yMin\":-90,\"yMax\":90,\"units\":\"virtual\"}";
    assert_eq!(early.next().await, arena);
    // It is kept for those who come later, and so is the answer to who asks what stands there.
    early.say("obstacles/?", "V").await;
    let mut obstacles = early.next().await;
    // One that subscribes while it is published receives it as it comes, and once more as what is kept.
    if obstacles == arena {
        obstacles = early.next().await;
    }
    let wall = "\"geometry\":{\"type\":\"BoxGeometry\",\"width\":180,\"height\":20,\"depth\":2}";
    assert!(obstacles.contains(wall), "{obstacles}");
    let mut late = house.client("page2", &["config/arena/"]).await;
    assert_eq!(late.next().await, arena);
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rays_tell_the_truth() {
    let house = House::new(&exact()).await;
    let mut robot = house.robot("robot", &["sensor/+/+"]).await;
    robot.say("robot/create", "{\"id\":1,\"x\":10,\"y\":10,\"heading\":0,\"reality\":\"V\"}").await;
    // The wall's face is at 89 cm, the robot's edge at 13 cm.
    assert_eq!(robot.ask("sensor/distance", "{\"id\":1}").await, "sensor/distance/1 76");
    assert_eq!(robot.ask("sensor/distance", "{\"id\":1,\"reality\":\"R\"}").await, "sensor/distance/1 1000");
    // Another robot comes in between; nobody waits for a step of the world.
    robot.say("robot/create", "{\"id\":2,\"x\":40,\"y\":10,\"heading\":180,\"reality\":\"R\"}").await;
    assert_eq!(robot.ask("sensor/distance", "{\"id\":1}").await, "sensor/distance/1 76", "it is real");
    assert_eq!(robot.ask("sensor/distance", "{\"id\":1,\"reality\":\"M\"}").await, "sensor/distance/1 24");
    robot.place(1, 80.0, 10.0, 0.0).await;
    let around = robot.ask("sensor/proximity", "{\"id\":1,\"angles\":[0,180,-90]}").await;
    assert_eq!(around, "sensor/proximity/1 6 166 76 #404040 #000000 #000000");
    let color = robot.ask("sensor/color", "{\"id\":1}").await;
    assert!(color.starts_with("sensor/color/1 64 64 64 "), "{color}");
    assert_eq!(robot.ask("sensor/compass", "{\"id\":1,\"reality\":\"V\"}").await, "sensor/compass/1 90");
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_are_robots_of_the_hub() {
    let house = House::new(&exact()).await;
    let filters = ["sensor/+/5", "sensor/+/5/?", "robot/msg/5", "output/neopixel/5"];
    let mut robot = house.robot("robot", &filters).await;
    robot.say("robot/live", "{\"id\": 5,\"reality\":\"R\"}").await;
    robot.say("sensor/distance", "{\"id\":\"5\",\"dist\":\"12\"}").await;
    robot.next().await;
    let pera = RobotId::new("pera-5").unwrap();
    let front = PartName::new("front").unwrap();
    let of_front = async |kind: Kind| loop {
        if let Some(update) = house.hub.last(&pera, kind, Some(&front)) {
            return update.signal.clone();
        }
        tokio::task::yield_now().await;
    };
    let Signal::Range(range) = within(of_front(Kind::Range)).await else { panic!() };
    assert_eq!(range.distance_m, Some(0.12), "the robot's own reading, not the simulator's");
    let Signal::Pose(pose) = &house.hub.last(&pera, Kind::Pose, None).unwrap().signal else { panic!() };
    assert_eq!((pose.x_m, pose.y_m), (0.0, 0.0));
    let command = |command| house.hub.command(&pera, command, PATIENCE);
    assert_eq!(command(Command::Stop { hold: false }).await, Outcome::Accepted);
    assert_eq!(robot.next().await, "robot/msg/5 STOP -1");
    assert_eq!(command(Command::Lamp { part: None, rgb: [1, 2, 3] }).await, Outcome::Accepted);
    assert_eq!(robot.next().await, "output/neopixel/5 1 2 3");
    // A reading that somebody wants is asked for, and waited for.
    let sense = Command::Sense(SenseRequest { what: Sensing::Distance, realities: Realities::Real });
    let answer = async {
        assert_eq!(robot.next().await, "sensor/distance/5/? ?");
        robot.say("sensor/distance", "{\"id\":5,\"dist\":33}").await;
    };
    let (outcome, ()) = tokio::join!(command(sense), answer);
    let Outcome::Sensed(readings) = outcome else { panic!("{outcome:?}") };
    assert!(matches!(&readings[0].signal, Signal::Range(range) if range.distance_m == Some(0.33)));
    let drive = Command::Drive { linear_mps: 0.1, angular_radps: 0.0, duration: None };
    assert!(matches!(command(drive).await, Outcome::Refused(_)));
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_by_one_and_garbage_by_another_delay_nobody_for_long() {
    let house = House::new(&exact()).await;
    let mut good = house.robot("good", &["sensor/+/1"]).await;
    let mut bad = house.client("bad", &["sensor/+/2"]).await;
    for id in [1, 2] {
        good.say("robot/live", &format!("{{\"id\":{id}}}")).await;
    }
    assert!(good.ask("sensor/distance", "{\"id\":1}").await.starts_with("sensor/distance/1 "));
    for _ in 0..2_000 {
        bad.say("sensor/distance", "{\"id\":2}").await;
        bad.say("sensor/color", "\u{0}{[").await;
    }
    for _ in 0..20 {
        assert!(good.ask("sensor/distance", "{\"id\":1}").await.starts_with("sensor/distance/1 "));
    }
    assert!(bad.next().await.starts_with("sensor/distance/2 "));
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_silent_are_struck_off() {
    let text = reference().replace("[pera]", "[pera]\nheartbeat_s = 1.0\nprune_s = 2.0");
    let house = House::new(&text).await;
    let mut robot = house.robot("robot", &["robot/delete", "robot/msg/broadcast"]).await;
    robot.say("robot/live", "{\"id\":7}").await;
    let pera = RobotId::new("pera-7").unwrap();
    within(async {
        while house.hub.robot(&pera).is_none() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let mut calls = 0;
    loop {
        match robot.next().await.as_str() {
            "robot/msg/broadcast ID? -1" => calls += 1,
            "robot/delete {\"id\":7}" => break,
            other => panic!("{other}"),
        }
    }
    assert!(calls >= 2, "the roll was called {calls} times");
    within(async {
        while house.hub.robot(&pera).is_some() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    house.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_gateways_own_robots_are_answered_from_their_own_bodies() {
    let own = "\n[[simulate]]\nrobot = \"pera-1\"\nbody = \"pera\"\nspawn = \"middle\"\n\n[[pera.serve]]\nrobot = \"pera-1\"\n";
    let house = House::new(&format!("{}{own}", exact())).await;
    let mut robot = house.robot("robot", &["sensor/distance/+"]).await;
    // Its facade announces it, sooner or later.
    let answer = within(async {
        loop {
            robot.say("sensor/distance", "{\"id\":1,\"reality\":\"M\"}").await;
            let answer = tokio::time::timeout(Duration::from_millis(200), robot.0.next()).await;
            if let Some(answer) =
                answer.ok().and_then(Result::ok).filter(|it| it.topic.ends_with("/distance/1"))
            {
                return answer;
            }
        }
    })
    .await;
    assert_eq!(&answer.payload[..], b"86", "from its edge to the wall's face");
    // A robot that is called as one of the gateway's is another one all the same.
    robot.say("robot/create", "{\"id\":2,\"x\":50,\"y\":0,\"heading\":180}").await;
    robot.say("sensor/distance", "{\"id\":2,\"reality\":\"M\"}").await;
    while robot.next().await != "sensor/distance/2 44" {}
    let robots: Vec<String> = house.hub.robots().iter().map(|it| it.info.robot.to_string()).collect();
    assert!(!robots.iter().any(|it| it.starts_with("pera-guest")), "{robots:?}");
    house.stop().await;
}

/// A broker that is no part of the gateway and can be started again at its port.
enum Broker {
    Within(CancellationToken, JoinHandle<()>),
    Mosquitto(tokio::process::Child),
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_brings_too_many_robots_keeps_no_other_from_bringing_its_own() {
    let house = House::new(&exact().replace("[pera]", "[pera]\nmax_robots = 5")).await;
    let mut greedy = house.robot("greedy", &[]).await;
    for id in 0..20 {
        greedy.place(id, 0.0, 0.0, 0.0).await;
    }
    let mut other = house.client("other", &["localization/data", "localization/30", "localization/31"]).await;
    for id in [30, 31] {
        other.place(id, 10.0, 10.0, 0.0).await;
        // Answered only to a member.
        assert!(other.ask("localization", &id.to_string()).await.starts_with(&format!("localization/{id} ")));
    }
    // Messages of one client are taken in order, so that all of the greedy one's were.
    greedy.say("localization/data/?", "M").await;
    let list = loop {
        let message = within(other.0.next()).await.unwrap();
        if message.topic == "v1/localization/data" {
            break message;
        }
    };
    let list: serde_json::Value = serde_json::from_slice(&list.payload).unwrap();
    let ids: Vec<String> = list.as_array().unwrap().iter().map(|it| it["id"].to_string()).collect();
    assert_eq!(
        ids,
        ["\"0\"", "\"1\"", "\"2\"", "\"30\"", "\"31\""],
        "half of five, rounded up, and the others"
    );
    house.stop().await;
}

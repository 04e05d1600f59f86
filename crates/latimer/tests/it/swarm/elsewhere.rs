//! A swarm at a broker elsewhere: restarts, crowds, observers, and robots without a place.

use latimer_e2e::ports::free_block;

use super::*;

impl Broker {
    async fn within(port: u16) -> Self {
        let config: BrokerConfig = toml::from_str(&format!("listen = \"127.0.0.1:{port}\"")).unwrap();
        let (broker, stop) =
            (config.build(Default::default()).await.unwrap().unwrap(), CancellationToken::new());
        Self::Within(stop.clone(), tokio::spawn(broker.run(stop)))
    }

    async fn mosquitto(port: u16) -> Self {
        let mut program = tokio::process::Command::new("/usr/sbin/mosquitto");
        let program = program.args(["-p", &port.to_string()]).stderr(std::process::Stdio::null());
        let child = program.kill_on_drop(true).spawn().expect("mosquitto is installed; run `make mosquitto`");
        within(async {
            while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::task::yield_now().await;
            }
        })
        .await;
        Self::Mosquitto(child)
    }

    async fn stop(self) {
        match self {
            Self::Within(stop, running) => {
                stop.cancel();
                within(running).await.unwrap();
            }
            Self::Mosquitto(mut child) => child.kill().await.unwrap(),
        }
    }
}

/// The config of a simulator at another broker.
fn elsewhere(config: &str, port: u16) -> String {
    let own = "[broker]\nlisten = \"127.0.0.1:0\"\n\n[broker.websocket]\nlisten = \"127.0.0.1:0\"\n";
    assert!(config.contains(own));
    config.replace(own, &format!("[broker]\nurl = \"mqtt://127.0.0.1:{port}\"\n"))
}

async fn is_met_again_after_a_restart(broker: Broker, again: impl AsyncFnOnce() -> Broker, port: u16) {
    let house = House::at(&elsewhere(&exact(), port), Some(format!("mqtt://127.0.0.1:{port}"))).await;
    let mut robot = house.robot("robot", &["sensor/+/+"]).await;
    robot.say("robot/create", "{\"id\":1,\"x\":10,\"y\":10,\"heading\":0,\"reality\":\"V\"}").await;
    assert_eq!(robot.ask("sensor/distance", "{\"id\":1}").await, "sensor/distance/1 76");
    let sink = house.hub.sink("test", "observer", MailboxLimits::default());
    sink.subscribe(Subscription::to("pera-1/link".parse().unwrap()));
    let mut states = Vec::new();
    let until = async |wanted: LinkState, states: &mut Vec<LinkState>| {
        let mut received = Vec::new();
        while states.last() != Some(&wanted) {
            within(sink.receive(&mut received)).await;
            for delivery in received.drain(..) {
                if let Delivery::Update(_, update) = delivery
                    && let Signal::Link(link) = &update.signal
                {
                    states.push(link.state);
                }
            }
        }
    };
    until(LinkState::Up, &mut states).await;
    // The robot may answer before its link is published as up.
    states = vec![LinkState::Up];
    // Many requests are on their way when it goes.
    for _ in 0..50 {
        robot.say("sensor/distance", "{\"id\":1}").await;
    }
    broker.stop().await;
    until(LinkState::Down, &mut states).await;
    let pera = RobotId::new("pera-1").unwrap();
    let stop = house.hub.command(&pera, Command::Stop { hold: false }, PATIENCE).await;
    assert!(matches!(&stop, Outcome::Refused(reason) if reason.reason.contains("broker")), "{stop:?}");
    let broker = again().await;
    let mut robot = house.robot("robot", &["sensor/+/+"]).await;
    until(LinkState::Up, &mut states).await;
    assert_eq!(states, [LinkState::Up, LinkState::Down, LinkState::Up], "each change is published once");
    // It need not introduce itself again; answers to what it asked before may come late.
    assert_eq!(robot.ask("sensor/distance", "{\"id\":1}").await, "sensor/distance/1 76");
    house.stop().await;
    broker.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn robots_are_met_again_when_the_broker_within_another_program_restarts() {
    let port = free_block();
    is_met_again_after_a_restart(Broker::within(port).await, async || Broker::within(port).await, port).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn robots_are_met_again_when_mosquitto_restarts() {
    let port = free_block();
    let broker = Broker::mosquitto(port).await;
    is_met_again_after_a_restart(broker, async || Broker::mosquitto(port).await, port).await;
}

/// What this program takes of the machine's memory, MiB.
fn memory_mib() -> usize {
    let pages: usize =
        std::fs::read_to_string("/proc/self/statm").unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4 / 1_024
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_announced_at_mosquitto_cost_the_others_nothing() {
    let port = free_block();
    let broker = Broker::mosquitto(port).await;
    let text = exact().replace("[pera]", "[pera]\nmax_robots = 300");
    let house = House::at(&elsewhere(&text, port), Some(format!("mqtt://127.0.0.1:{port}"))).await;
    let mut good = house.robot("good", &["sensor/+/1"]).await;
    good.say("robot/create", "{\"id\":1,\"x\":10,\"y\":10,\"heading\":0,\"reality\":\"V\"}").await;
    assert!(good.ask("sensor/distance", "{\"id\":1}").await.starts_with("sensor/distance/1 "));
    let before_mib = memory_mib();
    let mut crowd = house.client("crowd", &[]).await;
    for id in 2..10_002 {
        crowd.say("robot/create", &format!("{{\"id\":{id},\"x\":500,\"y\":{id},\"heading\":0}}")).await;
        if id % 500 == 0 {
            assert!(good.ask("sensor/distance", "{\"id\":1}").await.starts_with("sensor/distance/1 "));
        }
    }
    within(async {
        while house.hub.robots().len() < 300 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(good.ask("sensor/distance", "{\"id\":1}").await.starts_with("sensor/distance/1 "));
    assert_eq!(house.hub.robots().len(), 300);
    let more_mib = memory_mib().saturating_sub(before_mib);
    assert!(more_mib < 100, "{more_mib} MiB more");
    house.stop().await;
    broker.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_observer_sees_what_robots_and_their_simulator_say() {
    let port = free_block();
    let broker = Broker::mosquitto(port).await;
    let url = format!("mqtt://127.0.0.1:{port}");
    let simulator = House::at(&elsewhere(&reference(), port), Some(url.clone())).await;
    let watching =
        format!("[http]\nlisten = \"127.0.0.1:0\"\n\n[broker]\nurl = \"{url}\"\n\n[pera]\nobserve = true\n");
    let observer = House::at(&watching, Some(url)).await;
    let mut robot = simulator.robot("robot", &["sensor/+/3"]).await;
    let pera = RobotId::new("pera-3").unwrap();
    let front = PartName::new("virtual_front").unwrap();
    robot.say("robot/create", "{\"id\":3,\"x\":10,\"y\":10,\"heading\":0,\"reality\":\"V\"}").await;
    // The observer may come later than the first answer, so it is asked again.
    let seen = within(async {
        loop {
            assert_eq!(robot.ask("sensor/distance", "{\"id\":3}").await, "sensor/distance/3 74");
            if let Some(update) = observer.hub.last(&pera, Kind::Range, Some(&front)) {
                return update.signal.clone();
            }
        }
    });
    assert_eq!(seen.await, Range::valid(0.74).into());
    robot.place(3, 120.0, 0.0, 0.0).await;
    assert_eq!(robot.ask("sensor/distance", "{\"id\":3}").await, "sensor/distance/3 994");
    within(async {
        let free: Signal = Range::nothing().into();
        while observer.hub.last(&pera, Kind::Range, Some(&front)).is_none_or(|it| it.signal != free) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    observer.stop().await;
    simulator.stop().await;
    broker.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_robot_without_a_body_and_a_place_is_answered_from_its_own_ranges() {
    for config in [exact(), reference()] {
        let house = House::new(&format!("{config}\n[[pera.serve]]\nrobot = \"pera-40\"\nid = 40\n")).await;
        let info = RobotInfo::new(
            RobotId::new("pera-40").unwrap(),
            "misty",
            Origin::Connected("elsewhere".to_owned()),
        );
        let cart = house.hub.register(info).unwrap();
        cart.link(LinkState::Up, None);
        let range = Update::now(cart.robot(), Clock::system().now(), Range::valid(0.33).into());
        cart.publish(Update { part: Some(PartName::of("front")), ..range });
        let mut sandbox = house.robot("sandbox", &["sensor/+/+", "robot/create", "robot/live"]).await;
        assert_eq!(sandbox.ask("sensor/distance", "{\"id\":40}").await, "sensor/distance/40 33");
        sandbox.say("sensor/proximity", "{\"id\":40,\"angles\":[0,90]}").await;
        // Its own readings are answered as well.
        let around = loop {
            match sandbox.next().await {
                payload if payload == "sensor/distance/40 33" => {}
                other => break other,
            }
        };
        assert_eq!(around, "sensor/proximity/40 33 1000 #000000 #000000");
        house.stop().await;
    }
}

//! A config that is read again: settings that apply, robots that come and go, and everybody else who notices nothing.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::gateway::signal;
use latimer_e2e::standing::{MISTY, STANDING};
use latimer_e2e::{Gateway, MistyClient};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

/// A config file, gone when this is dropped.
struct Config(PathBuf);

impl Config {
    fn new(name: &str, text: &str) -> Self {
        let file = format!("latimer-reload-{}-{name}.toml", std::process::id());
        let config = Self(std::env::temp_dir().join(file));
        config.write(text);
        config
    }

    fn write(&self, text: &str) {
        std::fs::write(&self.0, text).expect("the temporary folder can be written");
    }

    async fn gateway(&self) -> Gateway {
        Gateway::start([OsStr::new("run"), OsStr::new("-c"), self.0.as_os_str()]).await
    }
}

impl Drop for Config {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

async fn reload(gateway: &Gateway) -> (StatusCode, Value) {
    let url = format!("http://{}/api/v1/reload", gateway.http());
    let answer = Client::new().post(url).send().await.expect("it answers");
    (answer.status(), answer.json().await.expect("it is JSON"))
}

async fn get(gateway: &Gateway, path: &str) -> Value {
    let answer = reqwest::get(format!("http://{}/api/v1{path}", gateway.http())).await.expect("it answers");
    answer.json().await.expect("it is JSON")
}

/// Names of all robots, sorted.
async fn robots(gateway: &Gateway) -> Vec<String> {
    let listed = get(gateway, "/robots").await;
    let listed = listed["robots"].as_array().expect("a list").iter();
    let mut names: Vec<_> = listed.map(|it| it["robot"].as_str().expect("a name").to_owned()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_config_that_changes_applies_without_a_restart() {
    let config = Config::new("settings", STANDING);
    let write = |more: &str| config.write(&format!("{STANDING}{more}"));
    let gateway = config.gateway().await;
    let url = |path: &str| format!("http://{}/api/v1{path}", gateway.http());
    let reload = async || reload(&gateway).await;
    let drive = async || {
        let body = json!({"command": "drive", "linear_mps": 0.05, "duration_s": 0.1});
        let asked = Client::new().post(url("/robots/misty-1/commands")).json(&body).send().await;
        asked.expect("it answers").status()
    };
    assert_eq!(
        reload().await,
        (StatusCode::OK, json!({"applied": [], "waiting": [], "came": [], "went": []}))
    );
    assert_eq!(drive().await, StatusCode::OK);
    write("[[authority]]\nobservers = ['api']\n[limits]\nrequests_per_s = 4000\n[log]\nlevel = 'info'\n");
    let (status, became) = reload().await;
    // The watch may have come first.
    assert!(status.is_success() && became["waiting"] == json!(["log"]), "{became}");
    assert_eq!(drive().await, StatusCode::CONFLICT);
    write("[[authority]]\nobserver = ['api']\n");
    let (status, problem) = reload().await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(problem["detail"].as_str().is_some_and(|it| it.contains("unknown key `observer`")), "{problem}");
    assert_eq!(drive().await, StatusCode::CONFLICT);
    write("");
    signal(gateway.pid(), "HUP").await;
    let applied = async {
        while drive().await != StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, applied).await.expect("SIGHUP has it read again");
}

/// What would come of a config is told without a change, bounds of a robot that moves stay, and what is wrong or doubtful is shown.
#[tokio::test]
async fn a_config_is_shown_before_it_applies_and_loosens_no_bounds_of_a_robot_that_moves() {
    let bound = |mps: f64| format!("{STANDING}[[authority]]\nrobot = 'misty-1'\nmax_linear_mps = {mps}\n");
    let config = Config::new("bounds", &bound(0.05));
    let gateway = config.gateway().await;
    let send = async |words: &[&str]| gateway.cli_ok(&[&["send", "misty-1"], words].concat()).await;
    send(&["drive", "0.04", "0.5"]).await;
    config.write(&bound(0.3));
    let dry = gateway.cli(&["reload", "--dry-run"]).await;
    assert!(String::from_utf8_lossy(&dry.stderr).contains("misty-1: max_linear_mps"), "{dry:?}");
    let (status, problem) = reload(&gateway).await;
    assert!(status == StatusCode::CONFLICT && problem["detail"].to_string().contains("--force"), "{problem}");
    assert!(get(&gateway, "/reload").await["error"].to_string().contains("max_linear_mps"));
    // By itself it applies once the robot stands.
    send(&["stop"]).await;
    let applied = async {
        while get(&gateway, "/reload").await["error"].is_string() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, applied).await.expect("it applies when the robot stands");
    send(&["drive", "0.04", "0.5"]).await;
    config.write(&bound(0.4));
    assert_eq!(gateway.cli_ok(&["reload", "--dry-run", "--force"]).await, "applies         authority\n");
    assert_eq!(gateway.cli_ok(&["reload", "--force"]).await, "applies         authority\n");
    assert_eq!(gateway.cli_ok(&["reload"]).await, "nothing has changed\n");
    send(&["stop"]).await;
    config.write(&format!("{}observers = ['mitsy']\n", bound(0.4)));
    assert_eq!(reload(&gateway).await.0, StatusCode::OK);
    let standing = get(&gateway, "/reload").await;
    assert!(standing["error"].is_null() && standing["doubts"][0].to_string().contains("did you mean misty"));
}

/// Robots that come and go while a client of another follows it.
#[tokio::test]
async fn robots_come_and_go_and_the_others_notice_nothing() {
    let elsewhere = Gateway::with_text(STANDING).await;
    let far = |robot: &str| {
        format!("[[misty.connect]]\nrobot = '{robot}'\naddress = '{}'\n", elsewhere.port(MISTY))
    };
    let config = Config::new("robots", &format!("{STANDING}{}", far("far-1")));
    let gateway = config.gateway().await;
    gateway.until_up("far-1").await;
    let mut client = MistyClient::connect(&gateway.misty()).await;
    client.subscribe("IMU", "imu", json!({"DebounceMs": 0})).await;
    let mut before = client.event("imu").await;
    let mut goes_on = async || {
        let after = client.event("imu").await;
        assert_ne!(std::mem::replace(&mut before, after.clone()), after, "it still gets events");
    };
    let since = get(&gateway, "/robots/far-1").await["link"]["since"].clone();

    // A second link, a second simulated Misty, and a port for each.
    let port = gateway.port(5);
    let (_, port) = port.split_once(':').expect("host and port");
    let rover = "[[simulate]]\nrobot = 'misty-9'\nbody = 'misty'\nposition_m = [1.0, 5.0]\n";
    let serve = |robot: &str, above: u16| {
        format!("[[misty.serve]]\nrobot = '{robot}'\nlisten = '127.0.0.1:{}'\n", 8080 + above)
    };
    let more = format!(
        "{STANDING}{}{}{rover}{}{}",
        far("far-1"),
        far("far-2"),
        serve("misty-9", 5),
        serve("far-2", 6)
    );
    config.write(&more);
    let (status, became) = reload(&gateway).await;
    assert!(status.is_success() && became["waiting"] == json!([]), "{became}");
    let all = ["axbot-1", "far-1", "far-2", "miro-1", "misty-1", "misty-9", "pera-1", "robotkoop-1"];
    assert_eq!(robots(&gateway).await, all);
    gateway.until_up("far-2").await;
    let mut newcomers =
        [MistyClient::connect(&gateway.port(5)).await, MistyClient::connect(&gateway.port(6)).await];
    for client in &mut newcomers {
        client.subscribe("IMU", "imu", json!({"DebounceMs": 0})).await;
        client.event("imu").await;
    }
    let endpoints = get(&gateway, "/endpoints").await.to_string();
    assert!(endpoints.contains(&format!(":{port}/pubsub")), "{endpoints}");
    let world = get(&gateway, "/world").await;
    assert!(world["now"]["robots"].to_string().contains("misty-9"), "{world}");
    goes_on().await;

    // A port that is taken, beside a robot that could go: nothing changes.
    let taken = tokio::net::TcpListener::bind(gateway.port(7)).await.expect("it is free");
    config.write(&format!(
        "{}{}",
        more.replace(&far("far-2"), "").replace(&serve("far-2", 6), ""),
        serve("axbot-1", 7)
    ));
    let (status, problem) = reload(&gateway).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|it| it.contains("cannot listen on")), "{problem}");
    assert_eq!(robots(&gateway).await, all);
    drop(taken);
    goes_on().await;

    // All of them go again; a client of each learns of it.
    config.write(&format!("{STANDING}{}", far("far-1")));
    let (status, became) = reload(&gateway).await;
    assert!(status.is_success() && became["waiting"] == json!([]), "{became}");
    let left = ["axbot-1", "far-1", "miro-1", "misty-1", "pera-1", "robotkoop-1"];
    assert_eq!(robots(&gateway).await, left);
    for client in &mut newcomers {
        client.closed(PATIENCE).await;
    }
    assert!(!get(&gateway, "/endpoints").await.to_string().contains(&format!(":{port}/pubsub")));
    goes_on().await;
    assert_eq!(get(&gateway, "/robots/far-1").await["link"]["since"], since, "its link was never made again");

    // One that was simulated is a real one from now on.
    config.write(&format!(
        "{}{}{}",
        STANDING.replace("robot = 'misty-1'\nbody = 'misty'", "robot = 'misty-0'\nbody = 'misty'"),
        far("far-1"),
        far("misty-1")
    ));
    let (status, became) = reload(&gateway).await;
    assert!(status.is_success(), "{became}");
    gateway.until_up("misty-1").await;
    let origin = get(&gateway, "/robots/misty-1").await;
    assert!(origin.to_string().contains(&elsewhere.port(MISTY)), "{origin}");
}

/// A file that is empty, a robot that has no room, one of two ports of a robot: what cannot apply leaves everything as it was.
#[tokio::test]
async fn a_config_applies_whole_or_not_at_all() {
    let serve =
        |above: u16| format!("[[misty.serve]]\nrobot = 'misty-1'\nlisten = '127.0.0.1:{}'\n", 8080 + above);
    let config = Config::new("whole", &format!("{STANDING}{}{}", serve(5), serve(6)));
    let gateway = config.gateway().await;
    let all = robots(&gateway).await;
    config.write(" \n");
    let (status, problem) = reload(&gateway).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(problem["detail"].as_str().is_some_and(|it| it.contains("is empty")), "{problem}");
    assert_eq!(robots(&gateway).await, all);

    // Of two ports of one robot, one closes; what comes later applies, too.
    config.write(&format!("{STANDING}{}", serve(5)));
    let (status, became) = reload(&gateway).await;
    let expected =
        json!({"applied": ["misty.serve"], "waiting": [], "came": [], "went": ["misty.serve misty-1"]});
    assert_eq!((status, became), (StatusCode::OK, expected));
    let closed = async {
        while tokio::net::TcpStream::connect(gateway.port(6)).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, closed).await.expect("nobody listens there");
    MistyClient::connect(&gateway.port(5)).await;
    config.write(&format!("{STANDING}{}{}", serve(5), serve(7)));
    assert_eq!(reload(&gateway).await.0, StatusCode::OK);
    MistyClient::connect(&gateway.port(7)).await;

    // A robot shall stand where another one does: the one that had to go for it is back.
    let place = |robot: &str| {
        let entry = STANDING.split("[[simulate]]").find(|it| it.contains(robot)).expect("it stands there");
        entry.lines().find(|line| line.starts_with("position_m")).expect("it has a place").to_owned()
    };
    let (from, to) = (place("'misty-1'"), place("'axbot-1'"));
    assert_ne!(from, to);
    config.write(&format!("{}{}{}", STANDING.replace(&from, &to), serve(5), serve(7)));
    let (status, problem) = reload(&gateway).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|it| it.contains("nothing has changed")), "{problem}");
    assert_eq!(robots(&gateway).await, all);
    config.write(&format!("{STANDING}{}", serve(5)));
    assert_eq!(reload(&gateway).await.0, StatusCode::OK);
    assert_eq!(robots(&gateway).await, all);
}

/// Ports of single robots at the bridge come and go; a name is that of clients who are there, and waits for the next start.
#[tokio::test]
async fn a_robots_own_port_of_the_bridge_comes_and_goes_and_its_name_waits() {
    let serve = |more: &str, above: u16| {
        format!("[[rosbridge.serve]]\nrobot = 'misty-1'\nlisten = '127.0.0.1:{}'\n{more}", 8080 + above)
    };
    let config = Config::new("bridge", STANDING);
    let gateway = config.gateway().await;
    let port = gateway.port(7);
    let answers = async || tokio::net::TcpStream::connect(&port).await.is_ok();
    assert!(!answers().await);
    config.write(&format!("{STANDING}{}", serve("", 7)));
    let (_, changed) = reload(&gateway).await;
    assert!(get(&gateway, "/reload").await["error"].is_null(), "{changed}");
    assert!(answers().await, "{changed}");
    // Once more, as at each SIGHUP.
    for _ in 0..2 {
        config.write(&format!("{STANDING}{}", serve("name = 'base'\n", 7)));
        let (_, changed) = reload(&gateway).await;
        assert_eq!(changed["waiting"], json!(["rosbridge.serve"]), "{changed}");
        assert!(answers().await, "what waits goes on");
    }
    for more in [serve("", 7), String::new()] {
        config.write(&format!("{STANDING}{more}"));
        reload(&gateway).await;
    }
    let gone = async {
        while answers().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("it goes with its entry");
}

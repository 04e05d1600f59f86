//! A command has one id: in its client's answer, the log, the audit, and `latimer trace`.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_core::Clock;
use latimer_e2e::PATIENCE;
use latimer_e2e::ports::free_block;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::program::{Guarded, latimer};

/// A gateway with a simulated robot, and one that it connects to over HTTP, which another gateway simulates.
struct Gateway {
    child: Guarded,
    _other: Guarded,
    port: u16,
    log: PathBuf,
    audit: PathBuf,
}

impl Gateway {
    async fn start() -> Self {
        let port = free_block();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let [config, others, log, audit] =
            ["toml", "other.toml", "log", "jsonl"].map(|end| folder.join(format!("trace-{port}.{end}")));
        let simulated = |robot: &str, http: u16, misty: u16| {
            format!(
                "[http]\nlisten = '127.0.0.1:{http}'\n\
                 [[simulate]]\nrobot = '{robot}'\nbody = 'misty'\n\
                 [[misty.serve]]\nrobot = '{robot}'\nlisten = '127.0.0.1:{misty}'\n"
            )
        };
        std::fs::write(&others, simulated("misty-2", port + 3, port + 2)).unwrap();
        let mut other = latimer(&["run", "-c", others.to_str().unwrap()]);
        let other = Guarded(other.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let connect = format!("[[misty.connect]]\nrobot = 'misty-2'\naddress = '127.0.0.1:{}'\n", port + 2);
        let audited = format!("[audit]\nfile = '{}'\n", audit.display());
        std::fs::write(&config, simulated("misty-1", port, port + 1) + &connect + &audited).unwrap();
        let mut command = latimer(&["run", "-c", config.to_str().unwrap(), "--log-level", "debug"]);
        command.stdout(Stdio::null()).stderr(File::create(&log).unwrap());
        let gateway = Self { child: Guarded(command.spawn().unwrap()), _other: other, port, log, audit };
        let (clock, robot) = (Clock::system(), gateway.url("/api/v1/robots/misty-2"));
        let began = clock.now();
        loop {
            if let Ok(answer) = reqwest::get(&robot).await
                && answer.json::<Value>().await.is_ok_and(|robot| robot["link"]["state"] == "up")
            {
                return gateway;
            }
            assert!(clock.now().since(began) < PATIENCE, "{}", gateway.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    async fn post(&self, url: &str, body: &Value) -> (u16, Value) {
        let answer = reqwest::Client::new().post(url).json(body).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    async fn command(&self, robot: &str, body: &Value) -> (u16, Value) {
        self.post(&self.url(&format!("/api/v1/robots/{robot}/commands")), body).await
    }
}

/// `latimer trace` once it follows, and what it prints.
struct Trace {
    _child: Guarded,
    out: BufReader<std::process::ChildStdout>,
    steps: Vec<Value>,
}

impl Trace {
    fn start(gateway: &Gateway) -> Self {
        let address = format!("127.0.0.1:{}", gateway.port);
        let mut command = latimer(&["trace", "--json", "--gateway", &address]);
        let mut child = Guarded(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
        let mut says = String::new();
        BufReader::new(child.0.stderr.take().unwrap()).read_line(&mut says).unwrap();
        assert!(says.contains("follows commands"), "{says}");
        let out = BufReader::new(child.0.stdout.take().unwrap());
        Self { _child: child, out, steps: Vec::new() }
    }

    /// The stations of a command up to its last one, and its author's dialect.
    fn stations(&mut self, id: &str) -> (Vec<String>, String) {
        loop {
            let own: Vec<&Value> = self.steps.iter().filter(|step| step["command_id"] == id).collect();
            if let Some(last) = own.last()
                && ["answered", "refused"].iter().any(|station| last["station"] == *station)
            {
                let stations = own.iter().map(|step| step["station"].as_str().unwrap().to_owned());
                return (stations.collect(), last["author"]["dialect"].as_str().unwrap().to_owned());
            }
            let mut line = String::new();
            assert!(self.out.read_line(&mut line).unwrap() > 0, "{id} is not in {:?}", self.steps);
            self.steps.push(serde_json::from_str(&line).unwrap());
        }
    }
}

/// The id that an error names: `… (command 5f0c2a91-17)`.
fn named(error: &str) -> String {
    let named = error.split_once("(command ").and_then(|(_, rest)| rest.split_once(')'));
    named.unwrap_or_else(|| panic!("no command is named in {error}")).0.to_owned()
}

/// What rosbridge answers to a speed that is refused.
async fn refused_by_rosbridge(gateway: &Gateway) -> String {
    let url = format!("ws://127.0.0.1:{}/rosbridge", gateway.port);
    let (mut bridge, _) = tokio_tungstenite::connect_async(url).await.unwrap();
    let told = json!({"op": "set_level", "level": "error"});
    bridge.send(Message::text(told.to_string())).await.unwrap();
    let drive = json!({"linear": {"x": 0.1, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}});
    let publish = json!({"op": "publish", "topic": "/misty_1/cmd_vel", "msg": drive});
    bridge.send(Message::text(publish.to_string())).await.unwrap();
    loop {
        let message = tokio::time::timeout(PATIENCE, bridge.next()).await.unwrap().unwrap().unwrap();
        let Message::Text(text) = message else { continue };
        let frame: Value = serde_json::from_str(&text).unwrap();
        if frame["op"] == "status" {
            return frame["msg"].as_str().unwrap().to_owned();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_has_one_id_from_its_client_to_the_wire() {
    let mut gateway = Gateway::start().await;
    let mut trace = Trace::start(&gateway);

    let led = json!({"command": "lamp", "rgb": [1, 2, 3]});
    let (status, done) = gateway.command("misty-2", &led).await;
    assert_eq!(status, 200, "{done}");
    let sent = done["command_id"].as_str().unwrap().to_owned();

    let pressed = json!({"robots": ["misty-1"]});
    let (_, stops) = gateway.post(&gateway.url("/api/v1/estop"), &pressed).await;
    let stop = stops["outcomes"]["misty-1"]["command_id"].as_str().unwrap().to_owned();

    let drive = json!({"command": "drive", "linear_mps": 0.1, "duration_s": 1});
    let (status, problem) = gateway.command("misty-1", &drive).await;
    assert_eq!(status, 409, "{problem}");
    let by_api = problem["command_id"].as_str().unwrap().to_owned();

    let misty = format!("http://127.0.0.1:{}/api/drive", gateway.port + 1);
    let (status, error) = gateway.post(&misty, &json!({"LinearVelocity": 10, "AngularVelocity": 0})).await;
    assert_eq!(status, 400, "{error}");
    let lately: Value =
        reqwest::get(gateway.url("/api/v1/commands?dialect=misty&n=1")).await.unwrap().json().await.unwrap();
    let by_misty = lately["commands"][0]["command_id"].as_str().unwrap().to_owned();

    let by_rosbridge = named(&refused_by_rosbridge(&gateway).await);

    let all = [
        (&sent, "misty-2", "api", &["given", "queued", "sent", "answered"][..], "accepted"),
        (&stop, "misty-1", "api", &["given", "queued", "sent", "answered"], "done"),
        (&by_api, "misty-1", "api", &["given", "refused"], "refused"),
        (&by_misty, "misty-1", "misty", &["given", "refused"], "refused"),
        (&by_rosbridge, "misty-1", "rosbridge", &["given", "refused"], "refused"),
    ];
    for (id, robot, dialect, stations, outcome) in all {
        assert_eq!(
            trace.stations(id),
            (stations.iter().map(|it| (*it).to_owned()).collect(), dialect.to_owned()),
            "{id}"
        );
        let records = reqwest::get(gateway.url(&format!("/api/v1/commands?command_id={id}"))).await.unwrap();
        let records: Value = records.json().await.unwrap();
        let record = &records["commands"][0];
        assert!(record["command_id"] == *id && record["robot"] == robot, "{id}: {records}");
        assert!(record["author"]["dialect"] == dialect && record["outcome"] == outcome, "{id}: {records}");
    }

    gateway.child.signal("-TERM");
    assert!(gateway.child.ended_within(PATIENCE).expect("it ends").success());
    let (log, audit) = (gateway.log(), std::fs::read_to_string(&gateway.audit).unwrap());
    for (id, robot, dialect, stations, _) in all {
        assert!(audit.contains(&format!("\"command_id\":\"{id}\"")), "{id} is not in {audit}");
        for station in stations {
            let line = log.lines().find(|line| {
                line.contains(&format!("command{{id={id} robot={robot} ")) && line.contains(station)
            });
            assert!(
                line.is_some_and(|line| line.contains(dialect) && line.contains(" latimer::command: ")),
                "{station} of {id} is not in {log}"
            );
        }
    }
    // The HTTP client that the gateway sent it with is a library.
    assert!(log.contains("DEBUG ") && log.contains(" latimer::app"), "{log}");
    let of_a_library = |line: &&str| [" hyper", " h2::", " tungstenite"].iter().any(|it| line.contains(it));
    assert_eq!(log.lines().find(of_a_library), None);
}

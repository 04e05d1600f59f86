//! Debian's broker on a free port, and `mosquitto_pub` and `mosquitto_sub` for any broker.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use latimer_testing::PATIENCE;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdout, Command};

use crate::{gateway, ports};

/// Where Debian puts it.
const PROGRAMS: [&str; 2] = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"];
/// Its port for TLS, above its own.
const TLS: u16 = 2;

/// A broker; its process ends when this is dropped.
#[derive(Debug)]
pub struct Mosquitto {
    process: Child,
    port: u16,
    config: PathBuf,
    /// What it keeps when it ends.
    kept: PathBuf,
}

impl Mosquitto {
    /// Whether this machine has it.
    pub fn is_installed() -> bool {
        program().is_some()
    }

    /// A broker for anybody on a free port, and for WebSockets on the next one; messages do not wait for
    /// each other, and none is dropped.
    pub async fn start() -> Self {
        Self::start_at(ports::free_block()).await
    }

    /// The same with another port for TLS, where clients need a certificate by this root.
    pub async fn with_tls(certificate: &str, key: &str, client_ca: &str) -> Self {
        let port = ports::free_block();
        // Started by root it would become a user who cannot read the key.
        let tls = format!(
            "user root\nlistener {} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}\ncafile {client_ca}\nrequire_certificate true\n",
            port + TLS
        );
        Self::start_with(port, &tls).await
    }

    /// A broker that writes down sessions and messages when it ends in order, and reads them when it starts again.
    pub async fn that_keeps() -> Self {
        Self::start_with(ports::free_block(), "persistence true\nuser root\n").await
    }

    async fn start_at(port: u16) -> Self {
        Self::start_with(port, "").await
    }

    async fn start_with(port: u16, more: &str) -> Self {
        let program = program().expect("mosquitto is missing: run `make mosquitto`");
        let config =
            std::env::temp_dir().join(format!("latimer-mosquitto-{}-{port}.conf", std::process::id()));
        let kept = config.with_extension("db");
        let folder = std::env::temp_dir();
        let (folder, file) = (folder.display(), kept.file_name().unwrap_or_default().display());
        let text = format!(
            "persistence_location {folder}/\npersistence_file {file}\nlistener {port} 127.0.0.1\nlistener {} 127.0.0.1\nprotocol websockets\nallow_anonymous true\n\
             set_tcp_nodelay true\nmax_inflight_messages 0\nmax_queued_messages 0\n{more}",
            port + 1
        );
        std::fs::write(&config, text).expect("the temporary folder can be written");
        let process = spawn(program, &config);
        let broker = Self { process, port, config, kept };
        broker.listens().await;
        broker
    }

    async fn listens(&self) {
        let up = async {
            while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, up).await.expect("mosquitto listens in time");
    }

    /// Ends it in order, so that it writes down what it keeps.
    pub async fn go_down(&mut self) {
        gateway::signal(self.pid(), "TERM").await;
        let ended = tokio::time::timeout(PATIENCE, self.process.wait()).await;
        ended.expect("mosquitto ends in time").expect("a child can be awaited");
    }

    /// Starts it again on the same port.
    pub async fn go_up(&mut self) {
        self.process = spawn(program().expect("it ran"), &self.config);
        self.listens().await;
    }

    /// Ends it, and starts another one on the same port, which knows nothing of the first.
    pub async fn restart(mut self) -> Self {
        self.process.kill().await.expect("it runs");
        Self::start_at(self.port).await
    }

    /// Its port; WebSockets are on the next one.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its port for TLS, if it was started with one.
    pub fn tls_port(&self) -> u16 {
        self.port + TLS
    }

    /// `host:port`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.process.id().expect("mosquitto runs")
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.config);
        let _ = std::fs::remove_file(&self.kept);
    }
}

fn spawn(program: &str, config: &Path) -> Child {
    Command::new(program)
        .arg("-c")
        .arg(config)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("mosquitto starts")
}

fn program() -> Option<&'static str> {
    PROGRAMS.into_iter().find(|program| Path::new(program).exists())
}

/// The port of `host:port`.
pub fn port_of(address: &str) -> u16 {
    let port = address.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
    port.unwrap_or_else(|| panic!("{address} has no port"))
}

/// `mosquitto_pub` to a broker's port.
pub async fn publish(port: u16, topic: &str, payload: &str) {
    let status = Command::new("mosquitto_pub")
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-q", "1", "-t", topic, "-m", payload])
        .stdin(Stdio::null())
        .status();
    assert!(
        status.await.expect("mosquitto_pub is missing: run `make mosquitto`").success(),
        "{topic} cannot be published"
    );
}

/// `mosquitto_pub` of one connection: each line is a message, sent as fast as the broker takes it.
pub async fn publish_lines(port: u16, topic: &str, lines: impl Iterator<Item = String>) {
    let mut process = Command::new("mosquitto_pub")
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-t", topic, "-l"])
        .stdin(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("mosquitto_pub is missing: run `make mosquitto`");
    let mut stdin = process.stdin.take().expect("stdin is piped");
    for line in lines {
        stdin.write_all(format!("{line}\n").as_bytes()).await.expect("mosquitto_pub reads on");
    }
    drop(stdin);
    let status = process.wait().await.expect("a child can be awaited");
    assert!(status.success(), "lines cannot be published to {topic}");
}

/// `mosquitto_sub` at a broker's port; its lines are `TOPIC PAYLOAD`.
#[derive(Debug)]
pub struct Subscriber {
    _process: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Subscriber {
    /// Subscribes to topics; returns when the broker has granted them.
    pub async fn new(port: u16, topics: &[&str]) -> Self {
        let mut command = Command::new("mosquitto_sub");
        // Debug output tells of the grant; unbuffered, since it goes into a pipe.
        command.args(["-h", "127.0.0.1", "-p", &port.to_string(), "-q", "2", "-v", "-d"]);
        for topic in topics {
            command.args(["-t", topic]);
        }
        let mut process = Command::new("stdbuf");
        let mut process = process
            .arg("-oL")
            .arg(command.as_std().get_program())
            .args(command.as_std().get_args())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("stdbuf is missing: sudo apt-get install coreutils");
        let lines = BufReader::new(process.stdout.take().expect("stdout is piped")).lines();
        let mut subscriber = Self { _process: process, lines };
        subscriber.until(PATIENCE, |line| line.starts_with("Subscribed (")).await;
        subscriber
    }

    /// The next message of a topic, its payload.
    pub async fn message(&mut self, topic: &str) -> String {
        self.fitting(topic, |_| true).await
    }

    /// The next message of a topic for which something holds, others skipped.
    pub async fn fitting(&mut self, topic: &str, fits: impl Fn(&str) -> bool) -> String {
        self.fitting_within(PATIENCE, topic, fits).await
    }

    /// The same for one that may take longer.
    pub async fn fitting_within(
        &mut self,
        patience: Duration,
        topic: &str,
        fits: impl Fn(&str) -> bool,
    ) -> String {
        let payload =
            |line: &str| line.strip_prefix(topic).and_then(|rest| rest.strip_prefix(' ')).map(str::to_owned);
        let line = self.until(patience, |line| payload(line).is_some_and(|text| fits(&text))).await;
        payload(&line).unwrap_or_default()
    }

    async fn until(&mut self, patience: Duration, fits: impl Fn(&str) -> bool) -> String {
        let mut seen = Vec::new();
        let reading = async {
            loop {
                let line = self.lines.next_line().await.expect("its output is text");
                let line = line.expect("mosquitto_sub goes on");
                if fits(&line) {
                    return line;
                }
                seen.push(line);
            }
        };
        match tokio::time::timeout(patience, reading).await {
            Ok(line) => line,
            Err(_) => panic!("nothing fitting came within {patience:?}, only:\n{}", seen.join("\n")),
        }
    }
}

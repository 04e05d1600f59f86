//! A running gateway: started on free ports, healthy when returned, gone when dropped.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use latimer_testing::PATIENCE;
use serde_json::Value;
use tokio::process::{Child, Command};

use crate::{ports, program};

/// How long one command of the program may take.
const COMMAND: Duration = Duration::from_secs(60);

/// A gateway; its process ends when this is dropped.
#[derive(Debug)]
pub struct Gateway {
    process: Child,
    base: u16,
    log: PathBuf,
}

impl Gateway {
    /// `latimer demo`.
    pub async fn demo() -> Self {
        Self::start(["demo", "--log-level", "info"]).await
    }

    /// `latimer run -c` with a file of `tests/config`, the ports moved.
    pub async fn with_config(name: &str) -> Self {
        Self::with_options(name, &[]).await
    }

    /// The same with more options of the command line.
    pub async fn with_options(name: &str, options: &[&str]) -> Self {
        let file = program::repository().join("tests/config").join(name);
        let run = [OsStr::new("run"), OsStr::new("-c"), file.as_os_str()];
        Self::start(run.into_iter().chain(options.iter().map(OsStr::new))).await
    }

    /// `latimer run -c` with this text as the file, the ports moved.
    pub async fn with_text(config: &str) -> Self {
        Self::with_text_and(config, &[]).await
    }

    /// The same with more options of the command line.
    pub async fn with_text_and(config: &str, options: &[&str]) -> Self {
        static WRITTEN: AtomicU32 = AtomicU32::new(0);
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let file = std::env::temp_dir().join(format!("latimer-e2e-{}-{number}.toml", std::process::id()));
        std::fs::write(&file, config).expect("the temporary folder can be written");
        let run = [OsStr::new("run"), OsStr::new("-c"), file.as_os_str()];
        let gateway = Self::start(run.into_iter().chain(options.iter().map(OsStr::new))).await;
        let _ = std::fs::remove_file(&file);
        gateway
    }

    /// The program with these arguments and `--port-base`; returns when the gateway is healthy.
    pub async fn start<I, S>(arguments: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let base = ports::free_block();
        let log = std::env::temp_dir().join(format!("latimer-e2e-{}-{base}.log", std::process::id()));
        let file = std::fs::File::create(&log).expect("the temporary folder can be written");
        let process = Command::new(program::latimer())
            .args(arguments)
            .args(["--port-base", &base.to_string()])
            .stdin(Stdio::null())
            .stdout(file.try_clone().expect("a file can be opened twice"))
            .stderr(file)
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let mut gateway = Self { process, base, log };
        let healthy = tokio::time::timeout(PATIENCE, gateway.healthy()).await;
        assert!(healthy.is_ok(), "not healthy within {PATIENCE:?}:\n{}", gateway.said());
        gateway
    }

    async fn healthy(&mut self) {
        let url = format!("http://{}/api/v1/health", self.http());
        loop {
            if let Some(status) = self.process.try_wait().expect("a child can be asked") {
                panic!("the gateway ended with {status}:\n{}", self.said());
            }
            if reqwest::get(&url).await.is_ok_and(|answer| answer.status() == 200) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// The common HTTP port, as `host:port`.
    pub fn http(&self) -> String {
        format!("127.0.0.1:{}", self.base)
    }

    /// Misty's port, as `host:port`.
    pub fn misty(&self) -> String {
        self.port(1)
    }

    /// The port that is so far above the common one in the config, as `host:port`.
    pub fn port(&self, above: u16) -> String {
        format!("127.0.0.1:{}", self.base + above)
    }

    /// All that the gateway wrote so far.
    pub fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.process.id().expect("the gateway runs")
    }

    /// Memory in use, bytes.
    pub fn resident_bytes(&self) -> u64 {
        resident_bytes(self.pid())
    }

    /// A figure of `/metrics`, by its name and labels.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub async fn figure(&self, name: &str) -> f64 {
        let page = reqwest::get(format!("http://{}/metrics", self.http())).await.expect("it answers");
        let page = page.text().await.expect("it is text");
        let line = page.lines().find_map(|line| line.strip_prefix(name));
        let value = line.unwrap_or_else(|| panic!("no {name} in:\n{page}"));
        value.trim().parse().expect("figures are numbers")
    }

    /// Who looks from outside, as the gateway lists it; its own journal looks too.
    pub async fn sinks(&self) -> Vec<Value> {
        let answer = reqwest::get(format!("http://{}/api/v1/sinks", self.http())).await;
        let mut sinks: Value = answer.expect("the gateway answers").json().await.expect("the answer is JSON");
        match sinks["sinks"].take() {
            Value::Array(sinks) => sinks.into_iter().filter(|sink| sink["dialect"] != "journal").collect(),
            other => panic!("sinks are a list, not {other}"),
        }
    }

    /// Waits until so many sinks are left; the API lists them, but does not tell when one goes.
    pub async fn until_sinks_are(&self, count: usize, patience: Duration) {
        let waiting = async {
            while self.sinks().await.len() != count {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let waited = tokio::time::timeout(patience, waiting).await;
        assert!(waited.is_ok(), "not {count} sinks within {patience:?}");
    }

    /// Waits until the link to a robot is up; it can only be asked.
    pub async fn until_up(&self, robot: &str) {
        let url = format!("http://{}/api/v1/robots/{robot}", self.http());
        let waiting = async {
            loop {
                if let Ok(answer) = reqwest::get(&url).await
                    && let Ok(report) = answer.json::<Value>().await
                    && report.to_string().contains("\"up\"")
                {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let waited = tokio::time::timeout(COMMAND, waiting).await;
        assert!(waited.is_ok(), "{robot} is not there within {COMMAND:?}");
    }

    /// Runs a command of the program against this gateway.
    pub async fn cli(&self, arguments: &[&str]) -> Output {
        let running = Command::new(program::latimer())
            .args(arguments)
            .env("LATIMER_GATEWAY", self.http())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = tokio::time::timeout(COMMAND, running).await;
        output
            .unwrap_or_else(|_| panic!("`latimer {arguments:?}` takes too long"))
            .expect("the program starts")
    }

    /// The same; what it wrote, if it ended well.
    pub async fn cli_ok(&self, arguments: &[&str]) -> String {
        let output = self.cli(arguments).await;
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "`latimer {arguments:?}` ended with {}:\n{out}{err}", output.status);
        out.into_owned()
    }

    /// Sends a signal, e.g. `INT`, and waits for the end.
    pub async fn signal(&mut self, name: &str, patience: Duration) -> ExitStatus {
        signal(self.pid(), name).await;
        let ended = tokio::time::timeout(patience, self.process.wait()).await;
        ended
            .unwrap_or_else(|_| panic!("still running {patience:?} after {name}"))
            .expect("a child can be awaited")
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the gateway at {} wrote:\n{}", self.http(), self.said());
        }
        let _ = std::fs::remove_file(&self.log);
    }
}

/// Memory that a process uses, bytes.
pub fn resident_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux has /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a process has VmRSS");
    let kilobytes = line.trim().trim_end_matches(" kB").parse::<u64>().expect("VmRSS is a number");
    kilobytes * 1024
}

/// Sends a signal to one process.
pub async fn signal(pid: u32, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().await;
    assert!(status.expect("kill is there").success(), "cannot send {name} to {pid}");
}

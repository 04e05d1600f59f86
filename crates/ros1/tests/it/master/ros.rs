//! Debian's ROS 1 programs at a master, in an environment of their own.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use latimer_e2e::PATIENCE;
use latimer_e2e::ports::free_block;
use latimer_ros1::master::{GraphCounts, Master};
use latimer_ros1::msgs::Time;
use latimer_ros1::xmlrpc::{Client, Guard, Value};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The rule of a port of this machine.
pub(crate) fn here() -> Guard {
    Guard::new(std::net::Ipv4Addr::LOCALHOST.into(), Vec::new())
}

/// Not the one of a virtual environment, which has no rospy.
pub(crate) const PYTHON: &str = "/usr/bin/python3";
pub(crate) const RECORD: &str = "/usr/lib/rosbag/record";

/// A master, ours, and the environment for its programs.
pub(crate) struct Ours {
    pub(crate) ros: Ros,
    pub(crate) graph_counts: GraphCounts,
    _running: DropGuard,
}

impl Ours {
    pub(crate) async fn start() -> Self {
        Self::run(Master::bind(([127, 0, 0, 1], 0).into(), "127.0.0.1").await.unwrap())
    }

    /// With a node that gathers logs.
    pub(crate) async fn with_rosout() -> Self {
        let master = Master::bind(([127, 0, 0, 1], 0).into(), "127.0.0.1").await.unwrap();
        Self::run(master.with_rosout(Arc::new(|| Time { secs: 1_700_000_000, nsecs: 0 })))
    }

    fn run(master: Master) -> Self {
        let (ros, graph_counts, shutdown) =
            (Ros::at(master.uri().unwrap()), master.graph_counts(), CancellationToken::new());
        tokio::spawn(master.run(shutdown.clone()));
        Self { ros, graph_counts, _running: shutdown.drop_guard() }
    }
}

/// The environment of programs at one master.
pub(crate) struct Ros {
    pub(crate) uri: String,
    folder: PathBuf,
}

impl Drop for Ros {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What a program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) success: bool,
}

impl Ros {
    pub(crate) fn at(uri: String) -> Self {
        let port = uri.rsplit(':').next().unwrap_or_default().to_owned();
        let folder = std::env::temp_dir().join(format!("latimer-ros1-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self { uri, folder }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn master(&self) -> Client {
        Client::for_master(self.uri.clone())
    }

    /// A call of the master as `/test`: code, text and value.
    pub(crate) async fn call(&self, method: &str, params: Vec<Value>) -> (i32, String, Value) {
        let params = std::iter::once(Value::String("/test".into())).chain(params).collect();
        let answer = self.master().call(method, params, PATIENCE).await.unwrap();
        let Value::Array(parts) = answer else { panic!("{answer:?} is no array") };
        let [Value::Integer(code), Value::String(text), value] = parts.as_slice() else {
            panic!("{parts:?}")
        };
        (*code, text.clone(), value.clone())
    }

    /// A program with its arguments, which ends with the test.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("ROS_MASTER_URI", &self.uri)
            .env("ROS_IP", "127.0.0.1")
            .env("ROS_HOME", &self.folder)
            .env("ROS_LOG_DIR", &self.folder)
            .env("PYTHONUNBUFFERED", "1")
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Runs a program to its end.
    pub(crate) async fn run(&self, program: &str, arguments: &[&str]) -> Said {
        let output = timeout(PATIENCE, self.command(program, arguments).output()).await;
        let output = output.unwrap_or_else(|_| panic!("{program} {arguments:?} does not end"));
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}; run make ros"));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Said { out: text(output.stdout), err: text(output.stderr), success: output.status.success() }
    }

    /// Runs a program that must succeed, and gives what it printed.
    pub(crate) async fn out(&self, program: &str, arguments: &[&str]) -> String {
        let said = self.run(program, arguments).await;
        assert!(said.success, "{program} {arguments:?}: {said:?}");
        said.out
    }

    /// Starts a program that goes on.
    pub(crate) fn start(&self, program: &str, arguments: &[&str]) -> Program {
        let mut command = self.command(program, arguments);
        let log = std::fs::File::create(self.folder.join("stderr.txt")).unwrap();
        let mut child =
            command.stderr(log).spawn().unwrap_or_else(|error| panic!("{program}: {error}; run make ros"));
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Program { child, lines, name: format!("{program} {arguments:?}") }
    }

    /// Starts one of this folder's rospy programs.
    pub(crate) fn rospy(&self, script: &str, arguments: &[&str]) -> Program {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/master/python").join(script);
        let arguments: Vec<&str> =
            std::iter::once(script.to_str().unwrap()).chain(arguments.iter().copied()).collect();
        self.start(PYTHON, &arguments)
    }

    /// Waits until the master's answer to a call is as it should be.
    pub(crate) async fn wait(&self, method: &str, params: Vec<Value>, is: impl Fn(i32, &Value) -> bool) {
        let waiting = async {
            loop {
                let (code, _, value) = self.call(method, params.clone()).await;
                if is(code, &value) {
                    return;
                }
                // The master tells nobody but nodes of a change.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("{method} {params:?} does not become so"));
    }

    /// Waits until a node is registered, or is no more.
    pub(crate) async fn wait_for_node(&self, node: &str, there: bool) {
        self.wait("lookupNode", vec![Value::String(node.into())], |code, _| (code == 1) == there).await;
    }
}

/// A program that runs.
pub(crate) struct Program {
    pub(crate) child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    name: String,
}

impl Program {
    /// Reads its lines up to one that is wanted.
    pub(crate) async fn line(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        let mut seen = Vec::new();
        let reading = async {
            while let Some(line) = self.lines.next_line().await.unwrap() {
                if wanted(&line) {
                    return line;
                }
                seen.push(line);
            }
            panic!("{} ended; it said {seen:?}", self.name);
        };
        match timeout(PATIENCE, reading).await {
            Ok(line) => line,
            Err(_) => panic!("{} does not say it", self.name),
        }
    }

    /// Asks it to end, as Ctrl-C does.
    pub(crate) async fn interrupt(&mut self) {
        let id = self.child.id().expect("it runs").to_string();
        Command::new("kill").args(["-INT", &id]).status().await.unwrap();
        timeout(PATIENCE, self.child.wait()).await.expect("it ends").unwrap();
    }
}

/// Debian's master, to compare ours with.
pub(crate) struct Theirs {
    pub(crate) ros: Ros,
    _child: Child,
}

impl Theirs {
    pub(crate) async fn start() -> Self {
        let port = free_block();
        let ros = Ros::at(format!("http://127.0.0.1:{port}"));
        let mut command = ros.command("rosmaster", &["--core", "-p", &port.to_string()]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.unwrap_or_else(|error| panic!("rosmaster: {error}; run make ros"));
        let waiting = async {
            let asked = || async {
                ros.master().call("getPid", vec![Value::String("/test".into())], Duration::from_secs(5)).await
            };
            while asked().await.is_err() {
                // It tells nobody that it listens.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(PATIENCE, waiting).await.expect("rosmaster listens");
        Self { ros, _child: child }
    }
}

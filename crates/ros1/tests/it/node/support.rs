//! Debian's master and its tools, nodes of ours, and patience.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

pub(crate) use latimer_e2e::PATIENCE;
use latimer_e2e::ports::free_block;
use latimer_listen::ListenerPolicy;
use latimer_ros1::master::Master as OurMaster;
use latimer_ros1::message::{Catalog, Layout};
use latimer_ros1::msgs::Time;
use latimer_ros1::node::{Ended, Incoming, MasterLink, Node, Settings, Subscription};
use latimer_ros1::xmlrpc::{Client, Guard, Value};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// The rule of a port of this machine.
pub(crate) fn here() -> Guard {
    Guard::new(std::net::Ipv4Addr::LOCALHOST.into(), Vec::new())
}

/// Between two looks at something that nobody tells.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Debian's Python, the one that knows rospy.
const PYTHON: &str = "/usr/bin/python3";

/// Debian's `rosmaster`, of one test only.
pub(crate) struct Master {
    process: Child,
    pub(crate) port: u16,
    folder: PathBuf,
}

impl Master {
    pub(crate) async fn start() -> Self {
        Self::at(free_block()).await
    }

    /// At a port, where one may have been before.
    pub(crate) async fn at(port: u16) -> Self {
        let folder = std::env::temp_dir().join(format!("latimer-ros-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = command("/usr/bin/rosmaster", port, &folder);
        command.args(["--core", "-p", &port.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().expect("Debian's ROS is installed; run `make ros`");
        let master = Self { process, port, folder };
        let client = Client::new(master.uri());
        until("rosmaster answers", async || {
            let answer = client.call("getPid", vec![Value::String("/test".to_owned())], LOOK_EVERY * 20);
            answer.await.is_ok()
        })
        .await;
        master
    }

    pub(crate) fn uri(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Ends it at once.
    pub(crate) async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }

    /// A tool of ROS, run to its end.
    pub(crate) async fn tool(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = command(program, self.port, &self.folder);
        let output = timeout(PATIENCE, command.args(arguments).output()).await;
        output.unwrap_or_else(|_| panic!("{program} {arguments:?} does not end")).unwrap()
    }

    /// What a tool prints, which has to succeed.
    pub(crate) async fn prints(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.tool(program, arguments).await;
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{program} {arguments:?}: {out}{err}");
        out.into_owned()
    }

    /// A file of this master's folder.
    pub(crate) fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// A program that runs until it is dropped.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> Child {
        let mut command = command(program, self.port, &self.folder);
        command
            .args(arguments)
            .stdout(Stdio::null())
            .spawn()
            .expect("Debian's ROS is installed; run `make ros`")
    }

    /// A script beside this file, run by Debian's Python.
    pub(crate) fn script(&self, name: &str, arguments: &[&str]) -> Script {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/node/python").join(name);
        let mut command = command(PYTHON, self.port, &self.folder);
        let mut process = command.arg(file).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Script { process, lines, name: name.to_owned() }
    }
}

impl Drop for Master {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn command(program: &str, port: u16, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("ROS_MASTER_URI", format!("http://127.0.0.1:{port}")).env("ROS_IP", "127.0.0.1");
    command.env("ROS_HOME", folder).env("ROS_LOG_DIR", folder).env("PYTHONUNBUFFERED", "1");
    command.env_remove("PYTHONPATH").stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// Our own master, which tests of the node alone use: it is there at once.
pub(crate) struct Ours {
    pub(crate) uri: String,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Ours {
    pub(crate) async fn start() -> Self {
        Self::at((Ipv4Addr::LOCALHOST, 0).into()).await
    }

    pub(crate) async fn at(address: SocketAddr) -> Self {
        let master = OurMaster::bind(address, "127.0.0.1").await.unwrap();
        let (uri, stop) = (master.uri().unwrap(), CancellationToken::new());
        let task = tokio::spawn(master.run(stop.clone()));
        Self { uri, stop, task }
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        timeout(PATIENCE, self.task).await.expect("the master does not end").unwrap();
    }

    /// A node that is registered.
    pub(crate) async fn node(&self, name: &str) -> Running {
        Running::at(name, &self.uri).await
    }
}

/// A program in Python that prints lines.
pub(crate) struct Script {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
    name: String,
}

impl Script {
    /// Ends it at once.
    pub(crate) async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }

    pub(crate) async fn line(&mut self) -> String {
        let line = timeout(PATIENCE, self.lines.next_line()).await;
        let line = line.unwrap_or_else(|_| panic!("{} prints nothing", self.name)).unwrap();
        line.unwrap_or_else(|| panic!("{} has ended", self.name))
    }
}

/// A node of ours that runs.
pub(crate) struct Running {
    pub(crate) node: Node,
    pub(crate) stop: CancellationToken,
    pub(crate) task: JoinHandle<Ended>,
}

impl Running {
    /// A node that may not be registered yet.
    pub(crate) async fn start(name: &str, master: &str) -> Self {
        Self::behind(name, master, ListenerPolicy::default()).await
    }

    /// The same with what listeners share.
    pub(crate) async fn behind(name: &str, master: &str, policy: ListenerPolicy) -> Self {
        let settings = Settings {
            name: name.to_owned(),
            master: master.to_owned(),
            bind: Ipv4Addr::LOCALHOST.into(),
            host: None,
            policy,
            remap: std::collections::BTreeMap::new(),
            now: Arc::new(|| Time { secs: 1_700_000_000, nsecs: 5 }),
        };
        let (node, running) = Node::bind(settings).await.unwrap();
        let stop = CancellationToken::new();
        let task = tokio::spawn(running.run(stop.clone()));
        Self { node, stop, task }
    }

    /// A node that its master knows.
    pub(crate) async fn at(name: &str, master: &str) -> Self {
        let running = Self::start(name, master).await;
        wait_for(running.node.link(), |link| *link == MasterLink::Up).await;
        running
    }

    pub(crate) async fn stop(self) -> Ended {
        self.stop.cancel();
        ended(self.task).await
    }
}

pub(crate) async fn ended(task: JoinHandle<Ended>) -> Ended {
    timeout(PATIENCE, task).await.expect("the node does not end").unwrap()
}

pub(crate) fn layout(type_name: &str) -> Arc<Layout> {
    Catalog::common().layout(type_name).unwrap()
}

/// Waits until a watched value is as wanted.
pub(crate) async fn wait_for<T>(mut watched: watch::Receiver<T>, wanted: impl FnMut(&T) -> bool) {
    let met = timeout(PATIENCE, watched.wait_for(wanted)).await;
    met.expect("what was waited for did not come").unwrap();
}

/// Looks again and again until something holds that nobody tells.
pub(crate) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let looks = async {
        while !holds().await {
            // Nobody tells; the next look is soon.
            sleep(LOOK_EVERY).await;
        }
    };
    timeout(PATIENCE, looks).await.unwrap_or_else(|_| panic!("it never holds: {what}"));
}

pub(crate) async fn next(subscription: &mut Subscription) -> Incoming {
    let message = timeout(PATIENCE, subscription.next()).await;
    message.expect("no message comes").expect("the node has ended")
}

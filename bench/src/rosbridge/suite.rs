//! The server of rosbridge_suite for ROS 1, where it is installed, and a robot in rospy.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use latimer_e2e::{PATIENCE, ports, program};
use latimer_ros1::master::Master;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio_util::sync::{CancellationToken, DropGuard};

/// What has the server, and the Python that it runs with.
const SERVER: &str = "ROSBRIDGE_SERVER";
const PYTHON: &str = "ROSBRIDGE_PYTHON";
/// Where packages of ROS have the server.
const PLACES: [&str; 2] = [
    "/opt/ros/noetic/lib/rosbridge_server/rosbridge_websocket",
    "/usr/lib/rosbridge_server/rosbridge_websocket",
];

/// What a machine without it lacks.
pub(super) const ADVICE: &str = "rosbridge_suite is not installed, so nothing stands beside. Install ros-noetic-rosbridge-server; or Debian's \
     python3-rospy, python3-sensor-msgs, python3-bson and python3-pil, from PyPI twisted, autobahn and pyopenssl, and the branch ros1 of \
     github.com/RobotWebTools/rosbridge_suite. Then set ROSBRIDGE_SERVER to its rosbridge_websocket.py, PYTHONPATH to its modules, and \
     ROSBRIDGE_PYTHON if it is another than /usr/bin/python3";

/// Where the server is, and its Python.
pub(super) struct Suite {
    server: PathBuf,
    python: String,
}

/// A server and its robot; both end when this is dropped.
pub(super) struct Running {
    pub(super) address: String,
    server: Child,
    _robot: Child,
    _master: DropGuard,
}

impl Running {
    pub(super) fn pid(&self) -> u32 {
        self.server.id().unwrap_or_default()
    }
}

impl Suite {
    /// The one that the environment names, or one that is installed.
    pub(super) fn found() -> Option<Self> {
        let named = std::env::var_os(SERVER).map(PathBuf::from);
        let installed = || PLACES.iter().map(|it| Path::new(it).to_owned()).find(|it| it.exists());
        let python = std::env::var(PYTHON).unwrap_or_else(|_| "/usr/bin/python3".to_owned());
        Some(Self { server: named.or_else(installed)?, python })
    }

    /// Starts the server, and a robot that publishes one topic.
    pub(super) async fn start(&self, what: &str, bytes: usize) -> anyhow::Result<Running> {
        let master = Master::bind(([127, 0, 0, 1], 0).into(), "127.0.0.1").await?;
        let (uri, stop) = (master.uri()?, CancellationToken::new());
        tokio::spawn(master.run(stop.clone()));
        let python = || {
            let mut command = Command::new(&self.python);
            command.env("ROS_MASTER_URI", &uri).env("ROS_HOSTNAME", "127.0.0.1").kill_on_drop(true);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let port = ports::free_block().to_string();
        let server = python().arg(&self.server).args(["--port", &port, "--address", "127.0.0.1"]).spawn();
        let server = server.with_context(|| format!("starting {}", self.server.display()))?;
        let script = program::repository().join("bench/src/rosbridge/publisher.py");
        let robot = python().arg(script).args([what, &bytes.to_string()]).spawn()?;
        let address = format!("127.0.0.1:{port}");
        let up = async {
            while TcpStream::connect(&address).await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        if tokio::time::timeout(PATIENCE, up).await.is_err() {
            bail!("{} does not listen on port {port}; start it by hand to see why", self.server.display());
        }
        Ok(Running { address, server, _robot: robot, _master: stop.drop_guard() })
    }
}

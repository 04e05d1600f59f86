//! Debian's ROS 1: its master on a free port, and its programs in an environment of their own.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use latimer_testing::PATIENCE;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use crate::{ports, program};

/// Debian's Python, for which rospy is; another one may come first in the path.
pub const PYTHON: &str = "/usr/bin/python3";
/// What makes Python of `.msg` files.
const GENERATOR: &str = "/usr/lib/genpy/genmsg_py.py";
/// What makes C++ of them, and its templates.
const CPP_GENERATOR: &str = "/usr/lib/gencpp/gen_cpp.py";
const CPP_TEMPLATES: &str = "/usr/share/gencpp";
/// What a node in roscpp is linked with.
const ROSCPP: [&str; 6] =
    ["roscpp", "rosconsole", "roscpp_serialization", "rostime", "boost_thread", "boost_system"];
/// How long a compiler may take for a program that includes roscpp.
const COMPILER: Duration = Duration::from_secs(240);
/// Packages whose messages those of a MiRo are made of.
const PACKAGES: [&str; 4] = ["std_msgs", "geometry_msgs", "sensor_msgs", "nav_msgs"];
/// Debian's master; its process ends when this is dropped.
#[derive(Debug)]
pub struct RosMaster {
    process: Child,
    port: u16,
    folder: Folder,
}

impl RosMaster {
    /// Whether this machine has it.
    pub fn is_installed() -> bool {
        Path::new("/usr/bin/rosmaster").exists()
    }

    /// A master on a free port.
    pub async fn start() -> Self {
        Self::start_at(ports::free_block()).await
    }

    /// A master on a port that is known to be free.
    pub async fn start_at(port: u16) -> Self {
        let folder = Folder::new();
        let mut command = command("/usr/bin/rosmaster", &uri(port), &folder);
        let process = command
            .args(["--core", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("rosmaster is installed: run `make setup`");
        let up = async {
            while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, up).await.expect("rosmaster listens in time");
        Self { process, port, folder }
    }

    /// Kills it, and starts another one on the same port, which knows nothing of the first.
    pub async fn restart(mut self) -> Self {
        self.process.kill().await.expect("it runs");
        drop(self.folder);
        Self::start_at(self.port).await
    }

    /// What `ROS_MASTER_URI` is set to.
    pub fn uri(&self) -> String {
        uri(self.port)
    }

    /// `host:port`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

fn uri(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

/// Where programs of ROS run: a master, and a folder with the messages of a MiRo for Python.
#[derive(Debug)]
pub struct Ros {
    uri: String,
    folder: Folder,
}

impl Ros {
    /// For a master.
    pub async fn at(uri: &str) -> Self {
        let ros = Self { uri: uri.to_owned(), folder: Folder::new() };
        ros.generate().await;
        ros
    }

    /// The folder that all of them share; gone when this is dropped.
    pub fn folder(&self) -> &Path {
        &self.folder.0
    }

    /// A program that sees this master and nothing of its caller's environment.
    pub fn command(&self, program: &str) -> Command {
        command(program, &self.uri, &self.folder)
    }

    /// A script of `tests/python`, for Debian's Python.
    pub fn script(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = self.command(PYTHON);
        command.arg(program::repository().join("tests/python").join(name)).args(arguments);
        command
    }

    /// Runs a program to its end, which must be a good one; what it wrote.
    pub async fn run(&self, patience: Duration, program: &str, arguments: &[&str]) -> String {
        let mut command = self.command(program);
        command.args(arguments);
        said(command, patience, &format!("{program} {arguments:?}")).await
    }

    /// Runs a script to its end, which must be a good one; what it wrote.
    pub async fn run_script(&self, patience: Duration, name: &str, arguments: &[&str]) -> String {
        said(self.script(name, arguments), patience, name).await
    }

    /// Runs a program that goes on for ever until a line fits; that line.
    pub async fn line(
        &self,
        patience: Duration,
        program: &str,
        arguments: &[&str],
        mut fits: impl FnMut(&str) -> bool,
    ) -> String {
        let mut child = self.command(program).args(arguments).spawn().expect("it is installed");
        let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let mut seen = Vec::new();
        let reading = async {
            while let Some(line) = lines.next_line().await.expect("its output is text") {
                if fits(&line) {
                    return Some(line);
                }
                seen.push(line);
            }
            None
        };
        let found = tokio::time::timeout(patience, reading).await.ok().flatten();
        let _ = child.kill().await;
        found.unwrap_or_else(|| panic!("{program} {arguments:?} shows only:\n{}", seen.join("\n")))
    }

    /// Compiles a program of `tests/cpp` with roscpp, and with the messages of a MiRo as a package has them; where it is.
    pub async fn compile(&self, name: &str, package: &str) -> String {
        let headers = self.folder.0.join("include");
        let out = headers.join(package);
        std::fs::create_dir_all(&out).expect("the temporary folder can be written");
        let messages = messages();
        for file in definitions(&messages) {
            let mut generate = self.command(PYTHON);
            generate.arg(CPP_GENERATOR).arg(file).args(["-p", package, "-e", CPP_TEMPLATES, "-o"]).arg(&out);
            for of in PACKAGES {
                generate.args(["-I", &format!("{of}:/usr/share/{of}/msg")]);
            }
            generate.args(["-I", &format!("{package}:{}", messages.display())]);
            said(generate, PATIENCE, CPP_GENERATOR).await;
        }
        let program = self.folder.0.join(format!("{name}_{package}"));
        let source = program::repository().join("tests/cpp").join(format!("{name}.cpp"));
        let mut compile = self.command("c++");
        compile.args(["-std=c++17", &format!("-DPACKAGE={package}"), "-I"]).arg(&headers).arg(&source);
        compile.arg("-o").arg(&program).args(ROSCPP.map(|library| format!("-l{library}")));
        said(compile, COMPILER, "c++ (roscpp's headers are installed by `make ros`)").await;
        program.display().to_string()
    }

    /// Makes Python of the `.msg` files that the dialect ships.
    async fn generate(&self) {
        let messages = messages();
        let out = self.folder.0.join("miro_msgs/msg");
        std::fs::create_dir_all(&out).expect("the temporary folder can be written");
        let mut all = self.command(PYTHON);
        all.args([GENERATOR, "-p", "miro_msgs"]);
        for package in PACKAGES {
            all.args(["-I", &format!("{package}:/usr/share/{package}/msg")]);
        }
        all.args(["-I", &format!("miro_msgs:{}", messages.display())])
            .arg("-o")
            .arg(&out)
            .args(definitions(&messages));
        said(all, PATIENCE, GENERATOR).await;
        let mut list = self.command(PYTHON);
        list.args([GENERATOR, "--initpy", "-p", "miro_msgs", "-o"]).arg(&out);
        said(list, PATIENCE, GENERATOR).await;
        std::fs::write(self.folder.0.join("miro_msgs/__init__.py"), "").expect("it can be written");
    }
}

/// The `.msg` files that the dialect ships.
fn messages() -> PathBuf {
    program::repository().join("crates/dialects/src/miro/messages")
}

fn definitions(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the dialect ships messages")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|it| it == "msg"))
        .collect();
    files.sort();
    files
}

/// Runs a command to its end, which must be a good one; what it wrote.
async fn said(mut command: Command, patience: Duration, name: &str) -> String {
    let output = tokio::time::timeout(patience, command.output()).await;
    let output: Output =
        output.unwrap_or_else(|_| panic!("{name} takes longer than {patience:?}")).expect("it is installed");
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name} ended with {}:\n{text}", output.status);
    text
}

fn command(program: &str, uri: &str, folder: &Folder) -> Command {
    let scripts = program::repository().join("tests/python");
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("HOME", &folder.0)
        .env("ROS_HOME", folder.0.join("home"))
        .env("ROS_LOG_DIR", folder.0.join("log"))
        .env("ROS_MASTER_URI", uri)
        .env("ROS_IP", "127.0.0.1")
        .env("PYTHONPATH", format!("{}:{}", folder.0.display(), scripts.display()))
        .env("PYTHONUNBUFFERED", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// A temporary folder; gone when this is dropped.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("latimer-ros-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary folder can be written");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

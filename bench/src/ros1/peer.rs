//! Those who publish, each a process of its own.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use latimer_e2e::{Gateway, Ros, RosMaster, program, ros};
use tokio::process::{Child, Command};

use super::{Load, What};

/// roscpp's programs in Debian.
const PLAY: &str = "/usr/lib/rosbag/play";
const IMAGE_PUBLISHER: &str = "/usr/lib/image_publisher/image_publisher";
/// Pictures of a bag that is played again and again.
const LOOP: u32 = 300;

/// Who publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    /// A gateway with a simulated MiRo, its world and its cameras.
    Gateway,
    /// A node of `latimer-ros1`, and nothing else.
    Node,
    /// A node of rospy.
    Rospy,
    /// roscpp's `image_publisher`; it publishes 30 pictures a second at most.
    ImagePublisher,
    /// roscpp, playing a bag.
    Play,
}

impl Peer {
    /// Those who can publish it.
    pub(super) fn all_for(load: Load) -> Vec<Self> {
        let paced = !load.is_too_much();
        let all = [
            (Self::Gateway, paced),
            (Self::Node, true),
            (Self::Rospy, true),
            (Self::ImagePublisher, paced && load.what == What::Image && Path::new(IMAGE_PUBLISHER).exists()),
            (Self::Play, (!paced || load.what == What::Sensors) && Path::new(PLAY).exists()),
        ];
        all.into_iter().filter(|(_, can)| *can).map(|(peer, _)| peer).collect()
    }

    /// Its name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gateway => "latimer, its world too",
            Self::Node => "latimer-ros1",
            Self::Rospy => "rospy",
            Self::ImagePublisher => "roscpp image_publisher",
            Self::Play => "roscpp rosbag play",
        }
    }
}

/// A publisher at work; it ends when this is dropped.
pub(super) struct Running {
    pub(super) peer: Peer,
    pub(super) topic: String,
    pub(super) plays_a_bag: bool,
    process: Process,
}

enum Process {
    Gateway(Gateway),
    Other(Child),
}

impl Running {
    /// Starts one that goes on for as long as that at least.
    pub(super) async fn start(
        ros: &Ros,
        master: &RosMaster,
        peer: Peer,
        load: Load,
        lasting: Duration,
    ) -> anyhow::Result<Self> {
        let mut topic = format!("/bench/{}", load.what.word());
        let rate = load.rate_hz.to_string();
        let mut command = match peer {
            Peer::Gateway => {
                let gateway = Gateway::with_text(&config(&master.uri())).await;
                let name = if load.what == What::Image { "caml" } else { "sensors" };
                let topic = format!("/miro/rob01/platform/{name}");
                return Ok(Self { peer, topic, plays_a_bag: false, process: Process::Gateway(gateway) });
            }
            Peer::Node => {
                let mut command = Command::new(std::env::current_exe()?);
                command.args(["ros1-publisher", &master.uri(), &topic, load.what.word(), &rate]);
                command.arg(program::repository().join("crates/dialects/src/miro/messages"));
                command
            }
            Peer::Rospy => {
                let mut command = ros.command(ros::PYTHON);
                command.arg(script("publisher.py")).args([&topic, load.what.word(), &rate]);
                command
            }
            Peer::ImagePublisher => {
                topic = "/image_publisher/image_raw".to_owned();
                image_publisher(ros, &rate).await?
            }
            Peer::Play => play(ros, &topic, load, lasting).await?,
        };
        // Nobody reads what they write.
        command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::null()).kill_on_drop(true);
        let child = command.spawn().with_context(|| format!("{peer:?} starts"))?;
        Ok(Self { peer, topic, plays_a_bag: peer == Peer::Play, process: Process::Other(child) })
    }

    /// Ends it, and waits until it is gone, so that nobody finds it any more.
    pub(super) async fn stop(self) -> anyhow::Result<()> {
        match self.process {
            Process::Gateway(gateway) => drop(gateway),
            Process::Other(mut child) => child.kill().await.context("a publisher ends")?,
        }
        Ok(())
    }

    /// Its process id.
    pub(super) fn pid(&self) -> u32 {
        match &self.process {
            Process::Gateway(gateway) => gateway.pid(),
            Process::Other(child) => child.id().unwrap_or_default(),
        }
    }
}

fn script(name: &str) -> PathBuf {
    program::repository().join("bench/src/ros1").join(name)
}

fn config(master: &str) -> String {
    format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'demo'\n\
         [[simulate]]\nrobot = 'miro-1'\nbody = 'miro'\nspawn = 'bedroom'\n\
         [miro.master]\nurl = '{master}'\n[[miro.serve]]\nrobot = 'miro-1'\nname = 'rob01'\n"
    )
}

/// A bag long enough, or a short one again and again if it is too much to be written.
async fn play(ros: &Ros, topic: &str, load: Load, lasting: Duration) -> anyhow::Result<Command> {
    let bag = ros.folder().join(format!("{}-{}.bag", load.what.word(), load.rate_hz));
    let count = match load.is_too_much() {
        true => LOOP,
        false => load.rate_hz * u32::try_from(lasting.as_secs() + 10)?,
    };
    if !bag.exists() {
        let (rate, count) = (load.rate_hz.to_string(), count.to_string());
        let mut write = ros.command(ros::PYTHON);
        write.arg(script("bag.py")).arg(&bag).args([topic, load.what.word(), &rate, &count]);
        let written = write.output().await?;
        anyhow::ensure!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    }
    let mut play = ros.command(PLAY);
    play.args(["--quiet", "--queue", "2"]).args(load.is_too_much().then_some("--loop")).arg(&bag);
    Ok(play)
}

/// It is a plug-in that its loader looks for among packages, which Debian has in packages for developers only.
async fn image_publisher(ros: &Ros, rate: &str) -> anyhow::Result<Command> {
    let packages = ros.folder().join("packages");
    let export = "<depend>nodelet</depend><export><nodelet plugin=\"${prefix}/plugins.xml\"/></export>";
    for (package, more) in [("nodelet", ""), ("image_publisher", export)] {
        let folder = packages.join(package);
        std::fs::create_dir_all(&folder)?;
        let text = format!(
            "<package format=\"2\"><name>{package}</name><version>0.0.0</version><description>for the loader</description>\
             <maintainer email=\"nobody@localhost\">nobody</maintainer><license>none</license>{more}</package>"
        );
        std::fs::write(folder.join("package.xml"), text)?;
    }
    std::fs::write(packages.join("image_publisher/plugins.xml"), PLUGINS)?;
    let library = packages.join("image_publisher/libimage_publisher.so");
    if !library.exists() {
        symlink(installed_library()?, library)?;
    }
    let picture = ros.folder().join("picture.ppm");
    let pixels: Vec<u8> = (0..320_u32 * 240 * 3).map(|i| i.to_le_bytes()[0]).collect();
    std::fs::write(&picture, [&b"P6\n320 240\n255\n"[..], &pixels].concat())?;
    let mut command = ros.command(IMAGE_PUBLISHER);
    command.arg(&picture).args([&format!("_publish_rate:={rate}"), "__name:=image_publisher"]);
    command.env("ROS_PACKAGE_PATH", &packages);
    Ok(command)
}

const PLUGINS: &str = "<library path=\"libimage_publisher\"><class name=\"image_publisher/image_publisher\" \
    type=\"image_publisher::ImagePublisherNodelet\" base_class_type=\"nodelet::Nodelet\">\
    <description>the plug-in</description></class></library>";

/// Debian's file, in the folder of this machine's architecture.
fn installed_library() -> anyhow::Result<PathBuf> {
    for folder in std::fs::read_dir("/usr/lib")? {
        for version in ["so.0d", "so"] {
            let path = folder.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?.path();
            let path = path.join(format!("libimage_publisher.{version}"));
            if path.exists() {
                return Ok(path);
            }
        }
    }
    anyhow::bail!("libimage_publisher is not installed")
}

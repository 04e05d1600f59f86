//! MiRo over ROS 1: the platform interface of its bridge, at a master of this program's or any other.
//!
//! | topic below `/miro/ROBOT/` | signal, command |
//! |---|---|
//! | `platform/sensors` | battery, temperature, imu, pose, velocity, joint, range, cliff, light, contact, pins |
//! | `platform/state` | device, status, alerts, playback |
//! | `platform/caml`, `platform/camr` | image |
//! | `platform/caml/compressed`, `platform/camr/compressed` | compressed_image |
//! | `platform/mics` | audio |
//! | `core/state` | behaviour_state |
//! | `log` | text |
//! | `sensors/…` | velocity, pose, joint, range again, in the units of ROS |
//! | `platform/control` | the commands Drive, Joints, Lamp, Play |
//! | `platform/config` | the command Camera |
//! | `core/control`, `core/config` | the commands BehaviourDrive, BehaviourSwitches |
//! | `bridge/stream` | the commands Play, StopSound |
//! | `control/cmd_vel`, `control/lights` | the commands Drive, Lamp |
//!
//! [`topic`] spells the topics, [`messages`] describes what is on them and holds the `.msg` texts, [`types`] the layouts made of these,
//! [`map`] translates what is no table; `session` is a program towards a robot's bridge, `facade` is a bridge.

mod clients;
mod config;
mod facade;
mod limits;
mod lines;
pub mod map;
pub mod messages;
pub mod node;
mod profile;
mod running;
mod session;
pub mod topic;
mod translate;
pub mod types;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use latimer_core::hub::Shared;
use latimer_core::model::{Kind, Native, RobotProfile};
use latimer_core::service::{BuildError, ConfigError, Rules, Service};
use latimer_core::{Hub, RobotId};

pub use config::{Connect, Layouts, Master, MiroConfig, Serve};

use crate::contract::{
    Answers, BuildContext, Built, Clients, Dialect, Entry, Translated, Translator, Transport,
};
use crate::inspect::Inspection;
use crate::lines::{Line, LineRequest};
use crate::table::MessageInfo;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "miro";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<MiroConfig>();

/// The words of a bridge, with the names of robots in ROS as far as the config says them.
struct Words(BTreeMap<RobotId, String>);

impl Translator for Words {
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated> {
        let name = self.0.get(&update.robot).cloned();
        translate::translate(hub, update, &name.unwrap_or_else(|| topic::ros_name(update.robot.as_str())))
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request)
    }
}

#[async_trait]
impl Dialect for MiroConfig {
    const NAME: &'static str = NAME;
    const ROBOTS: &'static str = "MiRo";
    const PROTOCOLS: &'static str = "ROS 1";
    const TRANSPORT: Transport = Transport::Ros1;
    const REPEATS_STATE: bool = true;
    const CALLED: Option<&'static str> = Some("name");
    const LIMITS: &'static [latimer_limits::Limit] = limits::LIMITS;
    const PORT: u16 = config::MASTER_PORT;
    const ANSWERS: Answers = Answers::Never;
    const COMMANDS: &'static [&'static str] = &[
        "drive",
        "stop",
        "joints",
        "lamp",
        "play",
        "stop_sound",
        "behaviour_drive",
        "behaviour_switches",
        "camera",
    ];
    const ABSENT: &'static str = "`log`: `{robot} has nothing that tells TOPIC; no message will come`, within a second of a subscription; in `platform/sensors` a temperature is `NaN`, a cliff reading 255 and a range 0 where nothing is measured, and the bits of `success_r` in `platform/state` are 0; a command is answered on `log`";
    const MESSAGES: &'static [MessageInfo] = messages::MESSAGES;
    const REFERENCE: &'static str = include_str!("reference.toml");

    fn clients(robot: &RobotId) -> Clients {
        clients::clients(robot)
    }

    fn profile() -> &'static LazyLock<Arc<RobotProfile>> {
        &profile::PROFILE
    }

    fn serve_table(robot: &RobotId, listen: SocketAddr) -> String {
        format!("[master]\nlisten = \"{listen}\"\n\n[[serve]]\nrobot = \"{robot}\"\n")
    }

    fn inspect(native: &Native, _: Kind) -> Option<Inspection> {
        types::inspect(native)
    }

    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        self.check(rules)
    }

    fn translator(&self) -> Arc<dyn Translator> {
        Arc::new(Words(self.serve.iter().map(|it| (it.robot.clone(), it.ros_name())).collect()))
    }

    fn connected(&self) -> Vec<&RobotId> {
        self.connect.iter().map(|it| &it.robot).collect()
    }

    fn connect(&self, robot: &RobotId, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        running::connect(self, robot, context)
    }

    /// The facade has a list of the robots that are connected to at its master, and the master one of its own nodes.
    fn connects_any_time(&self) -> bool {
        self.master.listen.is_none() && !self.serve_all && self.serve.is_empty()
    }

    async fn build_common(self, context: BuildContext) -> Result<Built, BuildError> {
        running::build(self, &context).await
    }
}

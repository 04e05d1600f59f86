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

pub mod calls;
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

use std::net::SocketAddr;

use latimer_ros1::name::base_name;

pub use config::{Connect, Layouts, Master, MiroConfig, Serve};

use crate::contract::prelude::*;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "miro";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<MiroConfig>();

impl Translator for MiroConfig {
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated> {
        let served = self.serve.iter().find(|it| it.robot == update.robot);
        let name = served.map_or_else(|| base_name(update.robot.as_str()), Serve::ros_name);
        translate::translate(hub, update, &name)
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request)
    }
}

impl Dialect for MiroConfig {
    type Connect = Connect;

    const NAME: &'static str = NAME;
    const ROBOTS: &'static str = "MiRo";
    const PROTOCOLS: &'static str = "ROS 1";
    const TRANSPORT: Transport = Transport::Ros1;
    const REPEATS_STATE: bool = true;
    const CALLED: Option<&'static str> = Some("name");
    const LIMITS: &'static [latimer_limits::Limit] = limits::LIMITS;
    const PORT: u16 = config::MASTER_PORT;
    const ANSWERS: Answers = Answers::Never;
    const COMMANDS: &'static [&'static str] =
        &["drive", "stop", "joints", "lamp", "play", "behaviour_drive", "behaviour_switches", "camera"];
    const CALLS: &'static [&'static CallDescription] = calls::CALLS;
    const ABSENT: &'static str = "`log`: `{robot} has nothing that tells TOPIC; no message will come`, within a second of a subscription; in `platform/sensors` a temperature is `NaN`, a cliff reading 255 and a range 0 where nothing is measured, and the bits of `success_r` in `platform/state` are 0; a command is answered on `log`";
    const MESSAGES: &'static [MessageInfo] = messages::MESSAGES;
    const REFERENCE: &'static str = include_str!("reference.toml");
    const PROFILE: &'static Profile = &profile::PROFILE;
    const CLIENTS: fn(&RobotId) -> Clients = clients::clients;

    fn serve_table(robot: &RobotId, listen: SocketAddr) -> String {
        format!("[master]\nlisten = \"{listen}\"\n\n[[serve]]\nrobot = \"{robot}\"\n")
    }

    fn inspect(native: &Native, _: Kind) -> Option<Inspection> {
        types::inspect(native)
    }

    fn connected(&self) -> &[Connect] {
        &self.connect
    }

    fn connect(&self, connect: &Connect, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        running::connect(self, connect, context)
    }

    /// The facade has a list of the robots that are connected to at its master, and the master one of its own nodes.
    fn connects_any_time(&self) -> bool {
        self.master.listen.is_none() && !self.serve_all && self.serve.is_empty()
    }

    fn build_common(self, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>> {
        Box::pin(async move { running::build(self, &context).await })
    }
}

//! rosbridge v2: messages of ROS as JSON over one WebSocket, as server for every robot and as client.
//!
//! | topic below a robot's name | type | signal or command |
//! |---|---|---|
//! | `battery` | `sensor_msgs/BatteryState` | battery |
//! | `pose` | `geometry_msgs/PoseStamped` | pose |
//! | `odom` | `nav_msgs/Odometry` | velocity, part `measured`, with the pose |
//! | `imu` | `sensor_msgs/Imu` | imu |
//! | `scan` | `sensor_msgs/LaserScan` | scan |
//! | `range/{part}` | `sensor_msgs/Range` | range |
//! | `joint_states` | `sensor_msgs/JointState` | joint |
//! | `{part}/compressed` | `sensor_msgs/CompressedImage` | compressed_image |
//! | `map` | `nav_msgs/OccupancyGrid` | map |
//! | `bumper/{part}`, `touch/{part}` | `std_msgs/Bool` | contact |
//! | `lamp/{part}` | `std_msgs/ColorRGBA` | lamp |
//! | `log` | `std_msgs/String` | text, channel `log` |
//! | `cmd_vel` | `geometry_msgs/Twist` | drive; all zero is stop |
//! | `goal`, `goal_pose`, `move_base_simple/goal` | `geometry_msgs/PoseStamped` | navigate |
//! | `move_base/{goal,cancel}`, action `navigate_to_pose` | `move_base_msgs`, `nav2_msgs` | navigate, cancel_navigation |
//! | `move_base/{status,feedback,result}` | `actionlib_msgs`, `move_base_msgs` | navigation, pose |
//! | `initialpose` | `geometry_msgs/PoseWithCovarianceStamped` | set_pose |
//! | `/tf`, `/tf_static`, `robot_description` | `tf2_msgs/TFMessage`, `std_msgs/String` | pose, joint; the profile |
//! | `set_lamp`, `set_joint` | `std_msgs/ColorRGBA`, `sensor_msgs/JointState` | lamp, joints |
//! | service `stop` | `std_srvs/Trigger` | stop |
//! | service `emergency_stop` | `std_srvs/SetBool` | emergency_stop |
//!
//! [`messages`] describes the messages, `codecs` how ROS spells values, `topics` lists the topics, [`protocol`] frames
//! them; `facade` is the server with its `rosapi`, `session` a client of one robot.
//!
//! Where the protocol is silent:
//! - A speed on `cmd_vel` holds for 0.5 s, as ROS's own controllers have it; a session repeats one that lasts.
//! - A command that a robot refuses, and whatever else is wrong, is a line on `/rosout`; a client that asks for it by `set_level` has
//!   a `status` with the `id` of its message.
//! - A new subscriber receives a robot's last state at once, as of a latched topic.
//! - A robot elsewhere is what the config says of its topics, then its preset, then their names and types

mod clients;
mod codecs;
mod config;
mod described;
mod facade;
mod fragments;
mod limits;
mod lines;
pub mod messages;
mod profile;
pub mod protocol;
mod session;
mod topics;
pub mod types;
mod whole;

use std::net::SocketAddr;
use std::sync::Arc;

use latimer_core::service::ConfigError;
use latimer_listen::Address;

use config::ROSBRIDGE_PORT;
pub use config::{Connect, RosbridgeConfig, Serve};
pub use described::{Role, Roles};
use facade::Facade;
use session::RosbridgeSession;

use crate::contract::prelude::*;
use crate::served_port::ServedPort;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "rosbridge";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<RosbridgeConfig>();

impl Translator for RosbridgeConfig {
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated> {
        let (_, path, message) = topics::translate(hub, update)?;
        let topic = format!("{}{path}", self.prefix(&update.robot));
        Some(Translated { topic: topic.into(), payload: message.into() })
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request, &self.prefix(request.robot))
    }
}

impl Dialect for RosbridgeConfig {
    type Connect = Connect;

    const NAME: &'static str = NAME;
    const ROBOTS: &'static str = "rosbridge robots";
    const PROTOCOLS: &'static str = "ROS messages as JSON over WebSocket";
    const TRANSPORT: Transport = Transport::Web;
    const LIMITS: &'static [latimer_limits::Limit] = limits::LIMITS;
    const PORT: u16 = config::ROSBRIDGE_PORT;
    const ANSWERS: Answers = Answers::Never;
    const COMMANDS: &'static [&'static str] =
        &["drive", "stop", "navigate", "cancel_navigation", "set_pose", "lamp", "joints", "emergency_stop"];
    const ABSENT: &'static str = "a line on `/rosout` (`rosgraph_msgs/Log`) that names the topic; `status` with the same after `{\"op\":\"set_level\",\"level\":\"error\"}`";
    const MESSAGES: &'static [MessageInfo] = topics::MESSAGES;
    const REFERENCE: &'static str = include_str!("reference.toml");
    const PROFILE: &'static Profile = &profile::PROFILE;
    const CLIENTS: fn(&RobotId) -> Clients = clients::clients;
    const CALLED: Option<&'static str> = Some("name");
    const STREAM: Option<Stream> = Some(Stream {
        address: "/rosbridge",
        summary: "Messages come after a subscription: send `{\"op\": \"subscribe\", \"topic\": \"/rover_1/odom\"}`. The port \
                  of `rosbridge.listen` has the same at any address.",
        envelope: None,
        status: None,
    });

    fn serve_table(robot: &RobotId, listen: SocketAddr) -> String {
        format!("listen = \"{listen}\"\n\n[[serve]]\nrobot = \"{robot}\"\n")
    }

    /// Topics of a robot that is the only one at its bridge have no name before them.
    fn observe_table(robot: &RobotId, address: &str) -> String {
        format!("{}name = \"\"\n", Self::connect_table(robot, address))
    }

    fn inspect(native: &Native, kind: Kind) -> Option<Inspection> {
        topics::inspect(native, kind)
    }

    fn connected(&self) -> &[Connect] {
        &self.connect
    }

    fn check_robots(&self, robots: &[RobotId]) -> Result<(), ConfigError> {
        self.check_names(robots.iter())
    }

    fn connect(&self, connect: &Connect, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        let address = address_of(NAME, &connect.address, ROSBRIDGE_PORT)?;
        let (robot, trust) = ((connect.prefix(), connect.described()), context.trust.clone());
        let session = RosbridgeSession::new(address.clone(), robot, trust, context.clock);
        Connected::register(&ENTRY, context, &connect.robot, address.to_string(), session)
    }

    fn served(&self) -> Vec<(usize, crate::config::Serve)> {
        self.own_ports().collect()
    }

    /// Names are those that the gateway started with.
    fn serves_any_time(&self, number: usize) -> bool {
        self.is_port_alone(number)
    }

    fn build_common(self, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>> {
        Box::pin(async move {
            let stop = CancellationToken::new();
            let facade = Facade::new(context.hub.clone(), Arc::new(self.clone()), stop.clone());
            let port = match self.listen {
                Some(listen) => Some(
                    ServedPort::bind(NAME, listen, &self.allow_origins, &context, facade.router()).await?,
                ),
                None => None,
            };
            let endpoints = port.iter().map(|port| endpoint(port.address())).collect();
            let mount = Some(facade.common_port());
            let running = Running { port, clients: facade.clients.clone(), stop: stop.clone() };
            let of_robot = facade.clone();
            let own_ports = OwnPorts::new(NAME, context, stop, own_endpoint, move |robot, stop| {
                of_robot.own_port(robot, stop)
            });
            let built = Built::new(endpoints, mount, Bridge { running, facade });
            Ok(Built { own_ports: Some(own_ports), ..built })
        })
    }
}

/// What runs: clients' sockets, and what follows the robots' names.
struct Bridge {
    running: Running,
    facade: Facade,
}

impl Service for Bridge {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let Self { running, facade } = *self;
            let names = facade.follow_names(shutdown.clone());
            drop(facade);
            tokio::join!(Box::new(running).run(shutdown), names);
        })
    }
}

/// One robot's own port.
fn own_endpoint(robot: &RobotId, port: &Address) -> Endpoint {
    Endpoint { robot: Some(robot.clone()), ..endpoint(port) }
}

/// One port for all robots.
fn endpoint(port: &Address) -> Endpoint {
    let ask = r#"{"op":"call_service","service":"/rosapi/topics"}"#;
    Endpoint {
        robot: None,
        dialect: NAME,
        url: port.ws("/"),
        try_line: format!("npx wscat -c {} -x '{ask}'", port.ws("/")),
    }
}

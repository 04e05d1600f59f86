//! AutoXing chassis: JSON topics over a WebSocket, and REST around them.
//!
//! | topic | signal | part |
//! |---|---|---|
//! | `/map`, `/map_v2` | map | `map` |
//! | `/maps/5cm/1hz`, `/map/costmap`, `/map/costmap_v2`; `/maps/1cm/1hz` | map | `costmap_5cm`; `costmap_1cm` |
//! | `/incremental_map`, `/incremental_map_v2` | map | `incremental_map` |
//! | `/env_match_map`; `/env_symmetry_map` | map | `match_map`; `symmetry_map` |
//! | `/map/info` | map_info | |
//! | `/tracked_pose` | pose | |
//! | `/slam/state`; `/odom_state`; `/global_positioning_state` | localization; odometry; relocation | |
//! | `/planning_state` | navigation | |
//! | `/path`; `/local_path`; `/trajectory` | path | `planned`; `local`; `trajectory` |
//! | `/platform_monitor/travelled_distance`; `/motion_metrics` | odometer; velocity | ; `measured` |
//! | `/scan_matched_points2`, `/horizontal_laser_2d/matched` | scan, point_cloud | |
//! | `/scan_matched_points2` of a robot with one range sensor | range | its own |
//! | `/battery_state`, `/detailed_battery_state` | battery | |
//! | `/wheel_state`, `/chassis_state`, `/sensor_manager_state` | control | |
//! | `/fused_sensor_state` | traction | |
//! | `/alerts` | alerts, hazard | |
//! | `/vision_detected_objects`; `/detected_rack`; `/detected_pallets` | objects | `vision`; `racks`; `pallets` |
//! | `/collected_barcode`; `/landmarks` | objects | `barcodes`; `landmarks` |
//! | `/rgb_cameras/…/video` | video | `camera_front`, `camera_back`, `camera_front_augmented` |
//! | `/rgb_cameras/…/compressed` | compressed_image | `camera_front`, `camera_back` |
//! | `/robot_model`, `/robot/footprint` | footprint | |
//! | `/nearby_robots`, `/nearby_robot_footprints`; `/nearby_auto_doors`, `/detected_features/gates` | neighbours; doors | |
//! | `/jack_state`; `/roller_state` | joint | `jack`; `roller` |
//! | `/bumper_state` | contact | `bump_front`, `bump_rear` |
//! | `/robot_signal`; `/io_pins_state`, `/raw_io_board_state` | indicators; pins | |
//! | `/device_info_brief` | device | |
//! | `/action`, `/imu_state` | task | |
//! | topics of [`needs`] that a client enables | other | the topic with `_` for `/` |
//! | anything else, binary frames | other | |
//!
//! [`topic`] lists the topics with their signals and rhythms, [`messages`] spells their words and what they mean, [`map`] translates
//! what is no table, [`wire`] reads and writes frames, [`session`] connects to a robot, `facade` is one. [`picture`], [`pbstream`] and
//! [`overlays`] hold maps and what is marked on them, [`codec`] the binary frames, [`rest`] the requests.
//!
//! Where papers and robots disagree, or both are silent:
//! - `/action` is the name, `/actions` is taken too; so are `/roll_state` for `/roller_state` and `/trajectory_node_list`.
//! - A new move is answered by the whole object; one that arrived has `succeeded`; a second move replaces the first.
//! - [`style`] holds what real clients disagree on, each with an option: `score` is text, stamps of scans and paths are
//!   milliseconds, `/tracked_pose` is latched, obstacle maps have a red palette over the grey values that robots send. A service
//!   that was carried out answers 200 unless `service_status` says 201.
//! - `mode` and `control_mode`, `set_emergency_stop` and `set_emergency_stop_pressed`, `clear_slipping_error` with and without
//!   `monitor/` are the same. `clear_flip_error` clears 4008; 8004 is a fault of the battery's board.
//! - `/submap_list` and its like are passed on as they come, but not made; `submaps` is not read.
//! - JSON with bare names or trailing commas is understood. Whatever is not is answered by a text `error` that says what
//!   to do, an unknown topic by the topics that are enabled as well; the connection stays.
//! - An answer to `disable_topic` is like that to `enable_topic`; enabling twice is no error.
//! - A drive by hand that is refused is answered by `error` and then by `/twist_feedback`, so that nobody waits for ever.
//! - With a `secret`, requests and sockets without it get 401. While it boots everything but `device/boot_progress` gets 503.
//! - `GET /chassis/pose` answers in the words of its POST.

pub mod calls;
mod clients;
pub mod codec;
mod config;
mod facade;
mod limits;
mod lines;
pub mod map;
pub mod messages;
pub mod needs;
pub mod overlays;
pub mod pbstream;
pub mod picture;
mod profile;
pub mod rest;
pub mod session;
pub mod style;
pub mod topic;
pub mod wire;

use latimer_listen::Address;

use config::AXBOT_PORT;
pub use config::{AxbotConfig, Connect};
pub use facade::request;
use facade::{Facade, Settings};
use session::AxbotSession;

use crate::contract::prelude::*;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "axbot";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<AxbotConfig>();

impl Translator for AxbotConfig {
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated> {
        facade::translate(hub, update, self.style())
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request)
    }
}

impl Dialect for AxbotConfig {
    type Connect = Connect;

    const NAME: &'static str = NAME;
    const ROBOTS: &'static str = "AutoXing chassis";
    const PROTOCOLS: &'static str = "JSON topics over WebSocket, REST";
    const TRANSPORT: Transport = Transport::Web;
    const LIMITS: &'static [latimer_limits::Limit] = limits::LIMITS;
    const PORT: u16 = config::AXBOT_PORT;
    const ANSWERS: Answers = Answers::InWords;
    const STREAM: Option<Stream> = Some(Stream {
        address: "/robots/{robot}/axbot/ws/v2/topics",
        summary: "Messages come after their topic was enabled: send `{\"enable_topic\": [\"/tracked_pose\", \"/battery_state\"]}`; \
                  the answer names all topics that are enabled. A robot's own port has the same at `/ws/v2/topics`.",
        envelope: None,
        status: None,
    });
    const COMMANDS: &'static [&'static str] = &[
        "drive",
        "set_pose",
        "use_map",
        "localization",
        "navigate",
        "cancel_navigation",
        "picture",
        "control_mode",
        "emergency_stop",
    ];
    const CALLS: &'static [&'static CallDescription] = calls::CALLS;
    const ABSENT: &'static str = "in the answer to `enable_topic`: `{\"enabled_topics\":[…],\"needs\":{\"/wheel_state\":\"a robot that publishes control\"}}`; a request for what the robot lacks is answered by 404 with `{\"detail\":\"…\"}` that names what it needs";
    const MESSAGES: &'static [MessageInfo] = wire::MESSAGES;
    const REFERENCE: &'static str = include_str!("reference.toml");
    const PROFILE: &'static Profile = &profile::PROFILE;
    const CLIENTS: fn(&RobotId) -> Clients = |_| clients::clients();
    const STOPS: StopsOf = facade::stops;

    fn inspect(native: &Native, _: Kind) -> Option<Inspection> {
        wire::inspect(native)
    }

    fn connected(&self) -> &[Connect] {
        &self.connect
    }

    fn connect(&self, connect: &Connect, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        let base = address_of(NAME, &connect.address, AXBOT_PORT)?;
        let (secret, trust) = (connect.secret.clone(), context.trust.clone());
        let session = AxbotSession::new(base.clone(), secret, trust, context.clock);
        Connected::register(&ENTRY, context, &connect.robot, base.to_string(), session)
    }

    fn served(&self) -> Vec<(usize, Serve)> {
        self.serve.iter().cloned().enumerate().collect()
    }

    fn build_common(self, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>> {
        Box::pin(async move {
            let stop = CancellationToken::new();
            let facade = Facade::new(context.hub.clone(), Settings::new(&self), stop.clone());
            let (mount, clients) = (Some(facade.common_port()), facade.clients());
            let ports =
                OwnPorts::new(NAME, context, stop, endpoint, move |robot, stop| facade.own_port(robot, stop));
            Ok(Built::on_own_ports(mount, clients, ports))
        })
    }
}

fn endpoint(robot: &RobotId, port: &Address) -> Endpoint {
    Endpoint {
        robot: Some(robot.clone()),
        dialect: NAME,
        url: port.ws(lines::TOPICS),
        try_line: format!("curl {}", port.http("/device/info")),
    }
}

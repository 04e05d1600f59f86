//! Pera Swarm: short texts and JSON over MQTT, with a simulator that answers for a mixed reality.
//!
//! | wire | signal or command | part |
//! |---|---|---|
//! | `robot/create`, `localization/update`, `localization/{id}`, `localization/data`, `mgt/robots/?` | pose | |
//! | `sensor/distance` with `dist`; `sensor/distance/{id}` | range | `front`; `virtual_front` |
//! | `sensor/color` with `R`, `G`, `B`; `sensor/color/{id}` | color | `front`; `virtual_front` |
//! | `sensor/proximity/{id}` | range, color | `virtual_left`, `virtual_front`, `virtual_right`, `virtual_angle_…` |
//! | `sensor/compass/` | imu | |
//! | `output/neopixel` | lamp | `neopixel` |
//! | `robot/log` | text | |
//! | `comm/out/{reach}`, `comm/in/{reach}/{id}` | text | `comm_out_…`, `comm_in_…` |
//! | `robot/msg/{id}` `STOP` | stop | |
//! | `robot/msg/{id}` `START`, `RESET`, `MODE`; `comm/in/{reach}/{id}` | a message to the robot's program | |
//! | `output/neopixel/{id}` | lamp, as a command | |
//! | `sensor/{sensor}/{id}/?` | sense | |
//! | `robot/live`, `ID?` | the link | |
//!
//! [`topic`] names the topics, [`messages`] describes what they hold, [`wire`] reads and writes, [`map`] translates,
//! `session` listens to one robot, `facade` is robots.
//!
//! Where the specification, its documents and real programs disagree, or all are silent:
//! - The answer to `sensor/color` goes to `sensor/color/{id}`; the specification's `sensor/distance/{id}` is a slip.
//! - No answer to `sensor/compass/{id}/?` is defined; a robot publishes `sensor/compass/` with the degrees clockwise from
//!   +y, as the later of two proposals for the reference's robots has it.
//! - `robot/delete` is written as `{"id":11}`, as documented and as screens read it; the reference writes `11`. Both are read.
//! - A robot that announces itself without x, y and heading is virtual and in the middle, whatever reality it says, as in the
//!   reference.
//! - A text in the place of a reality that is none of `R`, `V` and `M` means `M`, as in the reference.
//! - A list in another form is understood: an object by numbers, or one item alone. The reference refuses them.
//! - The swarm has no answers to commands: they are accepted when they were sent. A robot served here that refuses one
//!   says so on `robot/log`.
//! - A reading is published without `reality`; a robot that asks writes `M`, and notes on `robot/log` what came of it and how
//!   long it took, as the firmware notes the time.
//! - A robot that sees nothing within its range tells its range.

mod channels;
mod clients;
mod config;
mod facade;
pub mod geometry;
mod lenient;
mod limits;
mod lines;
pub mod map;
pub mod messages;
mod profile;
pub mod roster;
mod session;
mod simulator;
pub mod topic;
pub mod wire;

use std::time::Duration;

use latimer_core::BrokerAddress;
use latimer_core::frames::{Placement, Pose2, RobotFrames, WORLD};

pub use config::{Connect, PeraConfig, Serve};
use facade::Settings;
use roster::{Roster, SwarmId, number_of};
use session::PeraSession;
use simulator::Simulator;
use topic::Channel;

use crate::broker::{Reached, broker_address, broker_of, no_broker};
use crate::contract::prelude::*;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "pera";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<PeraConfig>();

impl PeraConfig {
    /// The number of a robot: the one it was given, or the one that its name ends with.
    fn number(&self, robot: &RobotId) -> Option<SwarmId> {
        let connected = || self.connect.iter().find(|it| it.robot == *robot)?.number();
        self.roster.number(robot).or_else(connected).or_else(|| number_of(robot))
    }
}

impl Translator for PeraConfig {
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated> {
        facade::translate(hub, update, self.number(&update.robot), &self.frame)
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request, self.number(request.robot))
    }

    fn robot_of_topic(&self, topic: &str) -> Option<RobotId> {
        let name = topic.strip_prefix(self.channel.trim_matches('/'))?;
        let id: SwarmId = name.split('/').find_map(|level| level.parse().ok())?;
        let connected = || self.connect.iter().find(|it| it.number() == Some(id)).map(|it| it.robot.clone());
        let joined = || format!("{}-{id}", self.name).parse().ok();
        self.roster.robot(id).or_else(connected).or_else(joined)
    }

    fn endpoints(&self, hub: &Hub) -> Vec<Endpoint> {
        let Some(broker) = self.all_at.get() else { return Vec::new() };
        let robots = hub.robots();
        let is_named = |robot: &RobotId| self.serve.iter().any(|it| it.robot == *robot);
        let found = robots.iter().filter(|report| !is_named(&report.info.robot));
        let numbered = found.filter_map(|report| Some((report, facade::enlist(&self.roster, report)?)));
        numbered.map(|(report, id)| endpoint(&report.info.robot, id, broker, &self.channel)).collect()
    }
}

impl Dialect for PeraConfig {
    type Connect = Connect;

    const NAME: &'static str = NAME;
    const ROBOTS: &'static str = "Pera Swarm";
    const PROTOCOLS: &'static str = "text and JSON over MQTT";
    const TRANSPORT: Transport = Transport::Mqtt;
    const LIMITS: &'static [latimer_limits::Limit] = limits::LIMITS;
    const ANSWERS: Answers = Answers::Never;
    const CALLED: Option<&'static str> = Some("id");
    const CHANNELS: Option<Channels> = Some(channels::CHANNELS);
    const COMMANDS: &'static [&'static str] = &["stop", "lamp", "skill_message", "navigate"];
    const ABSENT: &'static str =
        "`robot/log`: `{\"id\":ID,\"msg\":\"{robot} has no sensor for SENSOR\"}`, at once";
    const MESSAGES: &'static [MessageInfo] = &channels::MESSAGES;
    const REFERENCE: &'static str = include_str!("reference.toml");
    const PROFILE: &'static Profile = &profile::PROFILE;
    const CLIENTS: fn(&RobotId) -> Clients = |_| clients::clients();

    /// The path of the broker's address is the swarm's channel, as in `mqtt://host:port/v1`.
    fn observe_table(robot: &RobotId, address: &str) -> String {
        let (scheme, rest) = address.split_once("://").map_or(("", address), |(scheme, rest)| (scheme, rest));
        let (authority, channel) = rest.split_once('/').unwrap_or((rest, ""));
        let separator = if scheme.is_empty() { "" } else { "://" };
        let table = Self::connect_table(robot, &format!("{scheme}{separator}{authority}"));
        match channel.trim_matches('/') {
            "" => table,
            channel => format!("channel = \"{channel}\"\n\n{table}"),
        }
    }

    fn inspect(native: &Native, _: Kind) -> Option<Inspection> {
        channels::inspect(native)
    }

    fn may_bring(&self, robot: &RobotId) -> bool {
        let joins = self.simulator || self.observe;
        joins && robot.as_str().strip_prefix(&self.name).is_some_and(|rest| rest.starts_with('-'))
    }

    fn connected(&self) -> &[Connect] {
        &self.connect
    }

    fn connect(&self, connect: &Connect, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        let address = broker_address(NAME, &connect.address)?;
        let no_number = || BuildError::Other(format!("pera.connect: {}: it has no number", connect.robot));
        let id = connect.number().ok_or_else(no_number)?;
        let (channel, trust) = (Channel::new(&self.channel), context.trust.clone());
        let leaving = TaskTracker::new();
        let session = PeraSession::new(id, address.clone(), trust, channel, context.clock, leaving.clone());
        let info = ENTRY.robot(connect.robot.clone(), Origin::Connected(address.authority()));
        // Robots of a swarm tell their places in its arena.
        let arena = frame_of(&context.hub, &self.frame).into();
        let map = Some(Placement { parent: arena, at: Pose2::default() });
        let info = info.placed(RobotFrames { map, odom: None });
        Connected::register_leaving(context, info, session, leaving)
    }

    /// The facade and the simulator tell own robots from others by a list of those that are connected to at their broker.
    fn connects_any_time(&self) -> bool {
        !self.serves() && !self.simulator && !self.observe
    }

    fn build_common(self, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>> {
        Box::pin(async move {
            let hub = context.hub.clone();
            let channel = Channel::new(&self.channel);
            let roster = self.roster.clone();
            let broker = self.broker(&context)?;
            let simulator = Simulator::build(&self, &context, broker.clone(), roster.clone())?;
            let mut endpoints = Vec::new();
            let mut facade = None;
            if let Some(broker) = broker.filter(|_| self.serves()) {
                let serve =
                    self.serve.iter().filter_map(|serve| Some((serve.robot.clone(), serve.number()?)));
                let serve: Vec<_> = serve.collect();
                endpoints
                    .extend(serve.iter().map(|(robot, id)| endpoint(robot, *id, &broker, &self.channel)));
                for (robot, id) in &serve {
                    roster.serve(*id, robot);
                }
                if self.serve_all {
                    self.all_at.get_or_init(|| broker.clone());
                }
                let ask = self.ask.then(|| Duration::from_secs_f64(self.timeout_s));
                let channel = channel.clone();
                let trust = context.trust.clone();
                let frame = self.frame.clone();
                let bodies = self.serve.iter().filter(|it| it.body).filter_map(Serve::number).collect();
                let serve_all = self.serve_all;
                facade = Some(Settings { broker, trust, channel, serve, bodies, serve_all, ask, frame });
            }
            Ok(Built::new(endpoints, None, Swarm { facade, simulator, hub, roster }))
        })
    }
}

/// The frame in which robots of the swarm tell their places: the root if the site has none of that name.
fn frame_of<'f>(hub: &Hub, frame: &'f str) -> &'f str {
    if hub.frames().has(frame) { frame } else { WORLD }
}

impl PeraConfig {
    fn serves(&self) -> bool {
        self.serve_all || !self.serve.is_empty()
    }

    /// The broker of the swarm, if anything needs it.
    fn broker(&self, context: &BuildContext) -> Result<Option<BrokerAddress>, BuildError> {
        let broker = broker_of(NAME, self.broker.as_deref(), context)?;
        let is_needed = self.serves() || self.simulator || self.observe;
        if is_needed && broker.is_none() {
            return Err(no_broker(NAME));
        }
        Ok(broker)
    }
}

/// Where a robot is served; the channel stands behind the broker's address.
fn endpoint(robot: &RobotId, id: SwarmId, broker: &BrokerAddress, channel: &str) -> Endpoint {
    let channel = channel.trim_matches('/');
    let broker = Reached::from(broker);
    let at = broker.mosquitto();
    Endpoint {
        robot: Some(robot.clone()),
        dialect: NAME,
        url: format!("{}/{channel}", broker.url),
        try_line: format!(
            "mosquitto_rr {at} -t '{channel}/robot/msg/{id}' -e '{channel}/robot/live' -m 'ID? -1'"
        ),
    }
}

/// The gateway's places in the swarm.
struct Swarm {
    facade: Option<Settings>,
    simulator: Option<Simulator>,
    hub: Hub,
    roster: Roster,
}

impl Service for Swarm {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let Self { facade, simulator, hub, roster } = *self;
            let tasks = TaskTracker::new();
            if let Some(settings) = facade {
                tasks.spawn(facade::run(settings, hub.clone(), roster.clone(), shutdown.clone()));
            }
            if let Some(simulator) = simulator {
                tasks.spawn(simulator.run(shutdown.clone()));
            }
            tasks.close();
            shutdown.cancelled().await;
            tasks.wait().await;
        })
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{Frame, Pose};
    use latimer_core::{Clock, Update};

    use super::*;

    #[test]
    fn a_number_that_was_given_goes_before_the_names() {
        let config: PeraConfig =
            toml::from_str("[[connect]]\nrobot = \"far-7\"\nid = 70\naddress = \"127.0.0.1:1883\"").unwrap();
        assert!(config.roster.serve(40, &RobotId::new("rover-1").unwrap()));
        let hub = Hub::new(Clock::system());
        let number = |words: &PeraConfig, robot: &str| {
            let robot = RobotId::new(robot).unwrap();
            let _source = hub.register(ENTRY.robot(robot.clone(), Origin::Simulated)).unwrap();
            let pose = Pose::planar(Frame::Map, 1.0, 2.0, 0.0);
            let update = Shared::new(Update::now(&robot, hub.clock().now(), pose.into()), 1);
            let payload = words.translate(&hub, &update).unwrap().payload;
            let places: serde_json::Value = serde_json::from_slice(&payload).unwrap();
            places[0]["id"].as_i64()
        };
        assert_eq!(
            ["rover-1", "far-7", "pera-3"].map(|robot| number(&config, robot)),
            [Some(40), Some(70), Some(3)]
        );
        assert_eq!(number(&PeraConfig::default(), "rover-1"), Some(1), "another gateway gave it none");
    }
}

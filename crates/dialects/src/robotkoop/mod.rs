//! RobotKoop household robots: tasks and what becomes of them, as JSON over MQTT.
//!
//! | topic | who says it | signal, command |
//! |---|---|---|
//! | `/robots/status` | robots | task; of robots that do no tasks navigation and motion |
//! | `/robots/task`, `tts` | robots | text, part `chat` |
//! | `/robots/task`, `person_detected` | robots | face |
//! | `/dialogue/task` | the dialogue system | the command Task |
//! | `/dialogue/status` | the dialogue system | that it took a report |
//!
//! [`topic`] spells the topics, [`wire`] the envelope, [`messages`] describes what it carries, [`map`] translates whole
//! messages, [`life`] is the life of a task; `session` is the dialogue system towards a robot, `facade` are robots.
//!
//! Where the specification is silent:
//! - Times are whole seconds, as in its example. The leading slash of the topics is real.
//! - A report has one action and never none, for clients read the first and fall over if there is none. Several are read.
//! - `missing_parameters` is read as a list or as one text; `target_id` and `priority` of a report are read, not written.
//! - A task that is sent again adds to what was sent before. With another `object` and without `from`, `from` is forgotten.
//! - There is no word for calling a task off, and none for a refusal but `unkown` and `success` false. A task that was
//!   cancelled here is reported as `success` false.
//! - A report goes to everybody, so nobody is its target. Reports are QoS 2 and not retained.

mod channels;
mod clients;
mod config;
mod facade;
pub mod life;
mod limits;
mod lines;
pub mod map;
pub mod messages;
mod profile;
mod session;
pub mod topic;
pub mod wire;

use latimer_core::BrokerAddress;

pub use config::{Connect, RobotKoopConfig, Serve};
use facade::Facade;
use session::RobotKoopSession;

use crate::broker::{Reached, broker_address, broker_of, no_broker};
use crate::contract::prelude::*;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "robotkoop";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<RobotKoopConfig>();

impl Translator for RobotKoopConfig {
    fn translate(&self, _: &Hub, update: &Shared) -> Option<Translated> {
        let (topic, payload) = map::translate(update)?;
        Some(Translated { topic: topic.as_str().into(), payload })
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request)
    }
}

impl Dialect for RobotKoopConfig {
    type Connect = Connect;

    const NAME: &'static str = NAME;
    const ROBOTS: &'static str = "RobotKoop household robots";
    const PROTOCOLS: &'static str = "JSON over MQTT";
    const TRANSPORT: Transport = Transport::Mqtt;
    const LIMITS: &'static [latimer_limits::Limit] = limits::LIMITS;
    const ANSWERS: Answers = Answers::YesOrNo;
    const CALLED: Option<&'static str> = Some("id");
    const CHANNELS: Option<Channels> = Some(channels::CHANNELS);
    const COMMANDS: &'static [&'static str] = &["task", "navigate"];
    const ABSENT: &'static str =
        "a task that the robot cannot do is answered on `/robots/status` by the type `unkown`, at once";
    const MESSAGES: &'static [MessageInfo] = &channels::MESSAGES;
    const REFERENCE: &'static str = include_str!("reference.toml");
    const PROFILE: &'static Profile = &profile::PROFILE;
    const CLIENTS: fn(&RobotId) -> Clients = clients::clients;

    /// A robot that only is observed has no receipts of this program's.
    fn observe_table(robot: &RobotId, address: &str) -> String {
        format!("acknowledge = false\n\n{}", Self::connect_table(robot, address))
    }

    fn inspect(native: &Native, _: Kind) -> Option<Inspection> {
        wire::inspect(native)
    }

    fn connected(&self) -> &[Connect] {
        &self.connect
    }

    fn connect(&self, connect: &Connect, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        let broker = broker_address(NAME, &connect.address)?;
        let settings = session::Settings {
            broker: broker.clone(),
            trust: context.trust.clone(),
            robot: connect.source_id().to_owned(),
            sender: self.sender.clone(),
            acknowledge: self.acknowledge,
        };
        let leaving = TaskTracker::new();
        let session = RobotKoopSession::new(settings, context.clock, leaving.clone());
        let info = ENTRY.robot(connect.robot.clone(), Origin::Connected(broker.authority()));
        Connected::register_leaving(context, info, session, leaving)
    }

    /// The facade has a list of the robots that are connected to at its broker.
    fn connects_any_time(&self) -> bool {
        !self.serves()
    }

    fn build_common(self, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>> {
        Box::pin(async move {
            let (mut endpoints, mut facade) = (Vec::new(), None);
            if self.serves() {
                let broker = broker_of(NAME, self.broker.as_deref(), &context)?;
                let broker = broker.ok_or_else(|| no_broker(NAME))?;
                self.check_echo(&broker)?;
                // The gateway's login at a broker of its own says nothing of what others need.
                let login = self.broker.is_some() && broker.login.is_some();
                endpoints = self.serve.iter().map(|serve| endpoint(Some(serve), &broker, login)).collect();
                if self.serve_all {
                    endpoints.push(endpoint(None, &broker, login));
                }
                let connected = self.connect.iter().filter(|it| is_at(it, &broker));
                let connected = connected.map(|it| it.source_id().to_owned()).collect();
                let settings = facade::Settings {
                    broker,
                    trust: context.trust.clone(),
                    dialogue: self.dialogue.clone(),
                    serve: self.serve.clone(),
                    serve_all: self.serve_all,
                    connected,
                };
                facade = Some(Facade::new(&context, settings));
            }
            Ok(Built::new(endpoints, None, Running { facade }))
        })
    }
}

impl RobotKoopConfig {
    fn serves(&self) -> bool {
        self.serve_all || !self.serve.is_empty()
    }

    /// A robot that is connected to and served at one broker under one name would answer itself for ever.
    fn check_echo(&self, broker: &BrokerAddress) -> Result<(), BuildError> {
        let echoes = |connect: &&Connect| {
            let same =
                |serve: &Serve| serve.robot == connect.robot && serve.source_id() == connect.source_id();
            is_at(connect, broker) && self.serve.iter().any(same)
        };
        match self.connect.iter().find(echoes) {
            Some(connect) => Err(BuildError::Other(format!(
                "robotkoop.serve: {} is connected to at {broker} under the id {:?}; serve it there under another id",
                connect.robot,
                connect.source_id(),
            ))),
            None => Ok(()),
        }
    }
}

/// Whether a robot is connected to at this broker.
fn is_at(connect: &Connect, broker: &BrokerAddress) -> bool {
    broker_address(NAME, &connect.address).is_ok_and(|at| at.authority() == broker.authority())
}

fn endpoint(serve: Option<&Serve>, broker: &BrokerAddress, needs_login: bool) -> Endpoint {
    let broker = Reached::from(broker);
    let at = broker.mosquitto();
    let login = if needs_login { " -u USER -P PASSWORD" } else { "" };
    let try_line = match serve.map(Serve::source_id) {
        // Asks for something at once, since a robot without a task has nothing to report.
        Some(id) => format!(
            "mosquitto_rr {at}{login} -t /dialogue/task -e /robots/status -m '{{\"target_id\": \"{id}\", \
             \"source_id\": \"SI_1\", \"timestamp\": 0, \"task_id\": \"hello\", \"priority\": 3, \"type\": \"greet\", \
             \"parameter\": {{}}}}'"
        ),
        None => format!("mosquitto_sub {at}{login} -v -t /robots/status"),
    };
    Endpoint { robot: serve.map(|it| it.robot.clone()), dialect: NAME, url: broker.url, try_line }
}

/// The dialect at work: a task for all served robots.
struct Running {
    facade: Option<Facade>,
}

impl Service for Running {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            match self.facade {
                Some(facade) => facade.run(shutdown).await,
                None => shutdown.cancelled().await,
            }
        })
    }
}

//! An invented robot that speaks JSON on one WebSocket, `/socket`: the smallest whole dialect, to be copied. CONTRIBUTING goes
//! through it step by step. Tests alone know it; no list of the program has it.
//!
//! | frame | from | signal or command |
//! |---|---|---|
//! | `{"topic":"battery","percent":81,"volts":11.9}` | robot | battery |
//! | `{"topic":"pose","x":1.2,"y":0.4,"heading":90}` | robot | pose, on the map |
//! | `{"topic":"bump","bumper":"bump_front_left","pressed":true}` | robot | contact |
//! | `{"follow":["battery","pose"]}` | program | which topics the robot sends it from now on |
//! | `{"id":1,"drive":{"speed":20,"turn":-30,"seconds":2}}` | program | drive, cm/s and degrees a second; until the next without `seconds` |
//! | `{"id":2,"stop":true}` | program | stop |
//! | `{"id":1,"done":false,"why":"the stairs are ahead"}` | robot | outcome of the command of that number |
//!
//! [`messages`] describes what a robot tells, [`protocol`] all other frames; `session` is a client of such a robot, `facade`
//! serves any robot of the hub as one.

mod clients;
mod config;
mod facade;
mod limits;
mod lines;
pub mod messages;
mod profile;
pub mod protocol;
mod session;

use latimer_listen::Address;

use self::config::EXAMPLE_PORT;
pub use self::config::ExampleConfig;
use self::facade::Facade;
use self::session::ExampleSession;
use crate::config::Connect;
use crate::contract::prelude::*;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "example";

/// The path of the socket.
const SOCKET: &str = "/socket";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<ExampleConfig>();

impl Translator for ExampleConfig {
    fn translate(&self, _: &Hub, update: &Shared) -> Option<Translated> {
        let (topic, payload) = messages::encode(update)?;
        Some(Translated { topic: topic.into(), payload: payload.into() })
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request)
    }
}

impl Dialect for ExampleConfig {
    type Connect = Connect;

    const NAME: &'static str = NAME;
    const ROBOTS: &'static str = "example robots";
    const PROTOCOLS: &'static str = "JSON over WebSocket";
    const TRANSPORT: Transport = Transport::Web;
    const LIMITS: &'static [latimer_limits::Limit] = limits::LIMITS;
    const PORT: u16 = EXAMPLE_PORT;
    const ANSWERS: Answers = Answers::InWords;
    const COMMANDS: &'static [&'static str] = &["drive", "stop"];
    const ABSENT: &'static str = "nothing on a topic that the robot has nothing for";
    const MESSAGES: &'static [MessageInfo] = messages::MESSAGES;
    const REFERENCE: &'static str = include_str!("reference.toml");
    const PROFILE: &'static Profile = &profile::PROFILE;
    const CLIENTS: fn(&RobotId) -> Clients = |_| clients::clients();

    fn connected(&self) -> &[Connect] {
        &self.connect
    }

    fn connect(&self, connect: &Connect, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        let address = address_of(NAME, &connect.address, EXAMPLE_PORT)?;
        let session = ExampleSession::new(address.clone(), context.trust.clone(), context.clock);
        Connected::register(&ENTRY, context, &connect.robot, address.to_string(), session)
    }

    fn served(&self) -> Vec<(usize, Serve)> {
        self.serve.iter().cloned().enumerate().collect()
    }

    fn build_common(self, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>> {
        Box::pin(async move {
            let stop = CancellationToken::new();
            let clients = TaskTracker::new();
            let facade = Facade { hub: context.hub.clone(), clients: clients.clone() };
            let ports =
                OwnPorts::new(NAME, context, stop, endpoint, move |robot, stop| facade.own_port(robot, stop));
            Ok(Built::on_own_ports(None, clients, ports))
        })
    }
}

fn endpoint(robot: &RobotId, port: &Address) -> Endpoint {
    let url = port.ws(SOCKET);
    let try_line = format!(r#"npx wscat -c {url} -x '{{"follow":["battery"]}}'"#);
    Endpoint { robot: Some(robot.clone()), dialect: NAME, url, try_line }
}

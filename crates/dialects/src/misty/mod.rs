//! Misty II: JSON events over a WebSocket, commands over REST.
//!
//! | event type | signal | part |
//! |---|---|---|
//! | ActuatorPosition | joint | `head_pitch` … `arm_right` |
//! | AudioPlayComplete | playback | |
//! | BatteryCharge | battery | |
//! | BumpSensor | contact | `bump_front_left` … |
//! | DriveEncoders | encoders | |
//! | FaceRecognition | face | |
//! | FaceTraining | face_training | |
//! | HaltCommand | motion | |
//! | HazardNotification | hazard | |
//! | IMU | imu | |
//! | KeyPhraseRecognized | key_phrase | |
//! | LocomotionCommand | velocity | `commanded` |
//! | SelfState | pose, status, battery, localization | |
//! | SerialMessage, SkillData | text | |
//! | SlamStatus | localization | |
//! | SourceFocusConfigMessage | sound_focus | |
//! | SourceTrackDataMessage | sound_source | |
//! | TimeOfFlight | range (looking along the floor), cliff (looking down) | `front_left` … |
//! | TouchSensor | contact | `touch_chin` … |
//! | WorldState | objects | |
//!
//! [`messages`] describes the events, [`wire`] frames them, [`map`] holds what they share, `session` connects to a robot,
//! [`facade`] is one, [`rest`] holds the commands and [`lenient`] reads what clients really send.
//!
//! Where the specification and the known robots are silent, the friendliest behaviour was chosen:
//! - An unknown event type, a malformed message or a wrong condition is answered by a text frame that
//!   says what to do; the socket stays.
//! - Unsubscribing is not answered, as no client waits for it.
//! - A picture is the next one that the camera takes; nothing is stored or shown on a screen for it.
//! - An event name is unique per robot, as on the robot, but free again when its socket is gone.
//! - A `ReturnProperty` that the event does not have is sent as `null`.
//! - `delta` holds when a value changed by at least `Value` since the last message that was sent.
//! - A client that lost events gets a text frame `Event Status: …` under the event's name.

pub mod calls;
mod clients;
mod config;
pub mod facade;
pub mod lenient;
mod limits;
mod lines;
pub mod map;
pub mod messages;
mod profile;
pub mod rest;
pub mod session;
pub mod wire;

use latimer_listen::Address;

use config::MISTY_PORT;
pub use config::MistyConfig;
use facade::Facade;
use session::MistySession;

use crate::config::Connect;
use crate::contract::prelude::*;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "misty";

/// The path of the socket.
const PUBSUB: &str = "/pubsub";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<MistyConfig>();

impl Translator for MistyConfig {
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated> {
        facade::translate(hub, update, self.style())
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request)
    }
}

impl Dialect for MistyConfig {
    type Connect = Connect;

    const NAME: &'static str = NAME;
    const ROBOTS: &'static str = "Misty II";
    const PROTOCOLS: &'static str = "JSON events over WebSocket, commands over REST";
    const TRANSPORT: Transport = Transport::Web;
    const LIMITS: &'static [latimer_limits::Limit] = limits::LIMITS;
    const PORT: u16 = config::MISTY_PORT;
    const ANSWERS: Answers = Answers::InWords;
    const STREAM: Option<Stream> = Some(Stream {
        address: "/robots/{robot}/misty/pubsub",
        summary: "Messages come after a subscription: send `{\"Operation\": \"subscribe\", \"Type\": \"TimeOfFlight\", \
                  \"DebounceMs\": 100, \"EventName\": \"near\"}` with the message's name as `Type`. A robot's own port has \
                  the same at `/pubsub`.",
        envelope: Some(Envelope { name: "eventName", message: "message" }),
        status: Some(Status {
            name: "RegistrationStatus",
            summary: "What became of a subscription, in words; a text that says something else tells why it is refused.",
            examples: &[wire::envelope::REGISTERED],
        }),
    });
    const COMMANDS: &'static [&'static str] = &[
        "drive",
        "drive_tracks",
        "stop",
        "halt",
        "joints",
        "lamp",
        "play",
        "volume",
        "hazard_settings",
        "localization",
    ];
    const CALLS: &'static [&'static CallDescription] = calls::CALLS;
    const ABSENT: &'static str = "on the socket at once: `{\"eventName\":\"NAME\",\"message\":\"Registration Status: {robot} has nothing that tells TYPE; no such event will come.\"}`; a command is answered by 400 with the reason";
    const MESSAGES: &'static [MessageInfo] = wire::MESSAGES;
    const REFERENCE: &'static str = include_str!("reference.toml");
    const PROFILE: &'static Profile = &profile::PROFILE;
    const CLIENTS: fn(&RobotId) -> Clients = |_| clients::clients();
    const STOPS: StopsOf = facade::stops;

    fn connected(&self) -> &[Connect] {
        &self.connect
    }

    fn connect(&self, connect: &Connect, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        let address = address_of(NAME, &connect.address, MISTY_PORT)?;
        let session = MistySession::new(address.clone(), context.trust.clone(), context.clock);
        Connected::register(&ENTRY, context, &connect.robot, address.to_string(), session)
    }

    fn served(&self) -> Vec<(usize, Serve)> {
        self.serve.iter().cloned().enumerate().collect()
    }

    fn build_common(self, context: BuildContext) -> BoxFuture<'static, Result<Built, BuildError>> {
        Box::pin(async move {
            let stop = CancellationToken::new();
            let facade = Facade::new(context.hub.clone(), self.style(), context.http.ip(), stop.clone());
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
        url: port.ws(PUBSUB),
        try_line: format!("curl {}", port.http("/api/battery")),
    }
}

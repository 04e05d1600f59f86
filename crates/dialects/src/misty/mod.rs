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

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use axum::http::Method;
use latimer_core::hub::Shared;
use latimer_core::model::{CallDescription, RobotProfile};
use latimer_core::service::{BuildError, ConfigError, Rules, Service};
use latimer_core::{Hub, RobotId};
use latimer_listen::Address;
use tokio_util::sync::CancellationToken;

use config::MISTY_PORT;
pub use config::{Connect, MistyConfig};
use facade::Facade;
use session::MistySession;

use crate::config::{Serve, address_of};
use crate::contract::{
    Answers, BuildContext, Built, Clients, Dialect, Endpoint, Entry, Envelope, OwnPorts, Status, Stream,
    Translated, Translator, Transport,
};
use crate::lines::{Line, LineRequest};
use crate::pace::Stops;
use crate::running::{Connected, Running, entry_of};
use crate::table::MessageInfo;

/// The dialect's word in configs, addresses and `--as`.
pub const NAME: &str = "misty";

/// What the program knows of this dialect.
pub static ENTRY: Entry = Entry::of::<MistyConfig>();

/// Misty's words in a style.
struct Words(facade::Style);

impl Translator for Words {
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated> {
        facade::translate(hub, update, self.0)
    }

    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line> {
        lines::lines(request)
    }
}

#[async_trait]
impl Dialect for MistyConfig {
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

    fn clients(_: &RobotId) -> Clients {
        clients::clients()
    }

    fn profile() -> &'static LazyLock<Arc<RobotProfile>> {
        &profile::PROFILE
    }

    fn stops(method: &Method, path: &str) -> Stops {
        facade::stops(method, path)
    }

    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        self.check(rules)
    }

    fn translator(&self) -> Arc<dyn Translator> {
        Arc::new(Words(self.style()))
    }

    fn connected(&self) -> Vec<&RobotId> {
        self.connect.iter().map(|it| &it.robot).collect()
    }

    fn connect(&self, robot: &RobotId, context: &BuildContext) -> Result<Box<dyn Service>, BuildError> {
        let connect = entry_of(&self.connect, robot, |it| &it.robot)?;
        let address = address_of(NAME, &connect.address, MISTY_PORT)?;
        let session = MistySession::new(address.clone(), context.trust.clone(), context.clock);
        Connected::register(&ENTRY, context, robot, address.to_string(), session)
    }

    fn served(&self) -> &[Serve] {
        &self.serve
    }

    async fn build_common(self, context: BuildContext) -> Result<Built, BuildError> {
        let stop = CancellationToken::new();
        let facade = Facade::new(context.hub.clone(), self.style(), context.http.ip(), stop.clone());
        let running = Running { port: None, clients: facade.clients(), stop: stop.clone() };
        let built = Built::new(Vec::new(), Some(facade.common_port()), running);
        let router = Box::new(move |robot, stop| facade.own_port(robot, stop));
        Ok(Built { own_ports: Some(OwnPorts { dialect: NAME, context, router, endpoint, stop }), ..built })
    }
}

fn endpoint(robot: &RobotId, port: &Address) -> Endpoint {
    Endpoint {
        robot: Some(robot.clone()),
        dialect: NAME,
        url: port.ws("/pubsub"),
        try_line: format!("curl {}", port.http("/api/battery")),
    }
}

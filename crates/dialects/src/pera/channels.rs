//! Every topic of the swarm, for documents.

use latimer_core::model::signal::TextChannel;
use latimer_core::model::{Kind, Native};

use super::messages::comm::{CommIn, CommOut, Neopixel};
use super::messages::management::{Coordinates, Snapshot};
use super::messages::robot::{Coordinate, Log};
use super::messages::sensor::{
    ColorReply, ColorRequest, Compass, DistanceReply, DistanceRequest, ProximityReply,
};
use crate::channels::Way::{Both, Sent, Taken};
use crate::channels::{Channel, Channels, Parameter, PayloadEncoding};
use crate::describe::Described;
use crate::inspect::{self, Inspection, Numbers, message_of};
use crate::table::{Fields, MessageInfo};

/// Every topic that tells something of the model.
pub(super) static MESSAGES: [MessageInfo; CHANNELS.with_signals()] = CHANNELS.messages();

/// Holds a message against the description of its topic: JSON field by field, with numbers also as texts, as robots write them. What is
/// a text has no fields that could be missing.
pub(super) fn inspect(native: &Native) -> Option<Inspection> {
    let message = message_of(&MESSAGES, &native.topic)?;
    let channel = CHANNELS.list.iter().find(|channel| channel.address == message.topic)?;
    Some(match channel.form {
        PayloadEncoding::Json => inspect::of_json(message, &native.payload, Numbers::AlsoAsTexts),
        PayloadEncoding::Text(_) => Inspection::whole(message),
    })
}

/// See [`Channels`]; requests come with the QoS that a client chooses, answers with `reply_qos`.
pub(crate) const CHANNELS: Channels = Channels {
    prefix: "{channel}/",
    parameters: &[
        Parameter {
            name: "channel",
            summary: "Parts swarms at one broker from each other, `pera.channel` in the config",
            example: "v1",
        },
        Parameter { name: "id", summary: "The robot's number", example: "3" },
    ],
    list: &[
        Channel::json(
            "robot/create",
            Both,
            "A robot announces itself.",
            &[r#"{"id": 0, "x": 10, "y": 10, "heading": 0.0, "reality": "R"}"#],
        ).of_signals(&[Kind::Pose], Fields::of::<Coordinate>()),
        Channel::json(
            "robot/live",
            Both,
            "A robot is there; one that was not announced begins at the middle.",
            &[r#"{"id": 5, "reality": "V"}"#],
        ),
        Channel::json("robot/delete", Both, "A robot was silent for too long.", &["11", r#"{"id": 11}"#]),
        Channel::text(
            "robot/msg/{id}",
            Both,
            "What a robot shall do.",
            "TYPE VALUE, where TYPE is ID?, START, STOP, RESET or MODE",
            &["START -1", "STOP -1", "RESET -1", "MODE 1"],
        ),
        Channel::text("robot/msg/broadcast", Both, "What all shall do.", "TYPE VALUE", &["ID? -1", "STOP -1"])
            .qos(1),
        Channel::json("robot/log", Both, "What a robot notes.", &[r#"{"id": "5", "msg": "123"}"#]).of_signals(&[Kind::Text], Fields::of::<Log>()).of_texts(&[TextChannel::Log]),
        Channel::json("localization", Taken, "A robot asks where it is.", &["0"]),
        Channel::text(
            "localization/{id}",
            Sent,
            "Where a robot is.",
            "{x} {y} {heading}, in centimetres and degrees",
            &["12.345 -7.891 200"],
        ).of_signals(&[Kind::Pose], Fields::of::<Coordinates>())
        .qos(2),
        Channel::json(
            "localization/update",
            Both,
            "Where robots are, by themselves or by the camera above them, in centimetres and degrees.",
            &[r#"[{"id": 0, "x": 10, "y": 10, "heading": 0, "reality": "R"}]"#],
        ).of_signals(&[Kind::Pose], Fields::Each(Coordinate::FIELDS)),
        Channel::text("localization/update/?", Both, "Robots shall say where they are.", "?", &["?"]),
        Channel::text(
            "localization/data/?",
            Taken,
            "Somebody asks where all robots are.",
            "M, V or R",
            &["M", "V", "R"],
        ),
        Channel::json(
            "localization/data",
            Sent,
            "Where all robots are; numbers of robots are texts.",
            &[r#"[{"id": "0", "x": 10, "y": 10, "heading": 0, "reality": "R"}]"#],
        ).of_signals(&[Kind::Pose], Fields::Each(Coordinate::FIELDS))
        .qos(2),
        Channel::json(
            "sensor/distance",
            Both,
            "A robot asks for a distance, and may tell its own reading in centimetres, of the part `front`.",
            &[r#"{"id": 0, "reality": "M"}"#, r#"{"id": "5", "dist": "12"}"#],
        ).of_signals(&[Kind::Range], Fields::of::<DistanceRequest>()),
        Channel::text(
            "sensor/distance/{id}",
            Both,
            "The distance that a robot asked for, of the part `virtual_front`; whole centimetres, so that every program can read it.",
            "{distance}",
            &["74", "-6", "994"],
        ).of_signals(&[Kind::Range], Fields::of::<DistanceReply>())
        .qos(2),
        Channel::text("sensor/distance/{id}/?", Both, "A robot shall tell its distance.", "?", &["?"]),
        Channel::json(
            "sensor/color",
            Both,
            "A robot asks for a colour, and may tell its own reading, of the part `front`.",
            &[r#"{"id": 0, "R": 66, "G": 66, "B": 66, "ambient": 66, "reality": "M"}"#],
        ).of_signals(&[Kind::Color], Fields::of::<ColorRequest>()),
        Channel::text(
            "sensor/color/{id}",
            Both,
            "The colour that a robot asked for, of the part `virtual_front`, 0 to 255 each.",
            "{R} {G} {B} {ambient}",
            &["64 64 64 64", "0 0 0 0"],
        ).of_signals(&[Kind::Color], Fields::of::<ColorReply>())
        .qos(2),
        Channel::text("sensor/color/{id}/?", Both, "A robot shall tell its colour.", "?", &["?"]),
        Channel::json(
            "sensor/proximity",
            Both,
            "A robot asks for distances and colours at several angles; -90 is its left.",
            &[r#"{"id": 0, "angles": [-90, 0, 90], "reality": "V"}"#],
        ),
        Channel::text(
            "sensor/proximity/{id}",
            Both,
            "The distances that a robot asked for, then the colours, of parts such as `virtual_left` and `virtual_angle_45`.",
            "{distance} … {#colour} …",
            &["64 14 104 #000000 #404040 #000000"],
        ).of_signals(&[Kind::Range, Kind::Color], Fields::of::<ProximityReply>())
        .qos(2),
        Channel::text("sensor/compass/{id}/?", Both, "A robot shall tell its heading.", "?", &["?"]),
        Channel::json(
            "sensor/compass/",
            Both,
            "A robot's heading; the slash at the end is real.",
            &[r#"{"id": 0, "compass": 90}"#],
        ).of_signals(&[Kind::Imu], Fields::of::<Compass>()),
        Channel::json(
            "comm/out/simple",
            Both,
            "A robot speaks to all within a distance in centimetres; the part is `comm_out_simple`.",
            &[r#"{"id": 0, "msg": "hello", "dist": 60}"#],
        ).of_signals(&[Kind::Text], Fields::of::<CommOut>()).of_texts(&[TextChannel::Chat]),
        Channel::json(
            "comm/out/direct",
            Both,
            "A robot speaks to those in front of it; the part is `comm_out_direct`.",
            &[r#"{"id": 0, "msg": "hello", "dist": 60}"#],
        ).of_signals(&[Kind::Text], Fields::of::<CommOut>()).of_parts(&["comm_out_direct"]),
        Channel::text("comm/in/simple/{id}", Both, "What a robot hears; the part is `comm_in_simple`.", "the message", &["hello"]).of_signals(&[Kind::Text], Fields::of::<CommIn>()).of_parts(&["comm_in_simple"]).qos(2),
        Channel::text("comm/in/direct/{id}", Both, "What a robot hears from behind; the part is `comm_in_direct`.", "the message", &["hello"]).of_signals(&[Kind::Text], Fields::of::<CommIn>()).of_parts(&["comm_in_direct"])
            .qos(2),
        Channel::json(
            "output/neopixel",
            Both,
            "The colour of a robot's lamp, the part `neopixel`.",
            &[r#"{"id": 0, "R": 66, "G": 66, "B": 66}"#],
        ).of_signals(&[Kind::Lamp], Fields::of::<Neopixel>()),
        Channel::text(
            "output/neopixel/{id}",
            Both,
            "The colour that a robot's lamp shall have.",
            "{R} {G} {B}",
            &["255 0 0"],
        ),
        Channel::text("obstacles/?", Taken, "Somebody asks for obstacles.", "M, V or R", &["M", "V", "R"]),
        Channel::json(
            "obstacles",
            Sent,
            "The obstacles, as a visualiser draws them.",
            &[
                r##"[{"id": "2f1b1b6c-5a0e-4a8e-9d6e-0d4c7a1f2b3c (Wall)", "reality": "V", "geometry": {"type": "BoxGeometry", "width": 180, "height": 20, "depth": 2}, "material": {"type": "MeshStandardMaterial", "properties": {"color": "#404040"}}, "position": {"x": 0, "y": 90}, "rotation": {"x": 0, "y": 0, "z": 0}}]"##,
            ],
        )
        .qos(2)
        .retained(),
        Channel::text("obstacles/delete/all", Sent, "Forget all obstacles.", "?", &["?"]).qos(2),
        Channel::json(
            "config/arena/",
            Sent,
            "How large the arena is; the slash at the end is real.",
            &[r#"{"xMin": -90, "xMax": 90, "yMin": -90, "yMax": 90, "units": "virtual"}"#],
        )
        .retained(),
        Channel::json("mgt/robots/snapshot", Taken, "Somebody asks about a robot.", &[r#"{"id": 0}"#]),
        Channel::json(
            "mgt/robots/?",
            Sent,
            "What is known of a robot.",
            &[
                r#"{"id": 0, "reality": "R", "coordinates": {"x": 10, "y": 10, "heading": 0}, "live": "12:00:30", "data": {"distance": 74}}"#,
            ],
        ).of_signals(&[Kind::Pose], Fields::of::<Snapshot>()),
        Channel::json(
            "service/discovery",
            Sent,
            "Which simulator is there.",
            &[r#"{"uuid": "2f1b1b6c-5a0e-4a8e-9d6e-0d4c7a1f2b3c", "timestamp": "2026-01-01T12:00:00.000Z"}"#],
        ),
    ],
};

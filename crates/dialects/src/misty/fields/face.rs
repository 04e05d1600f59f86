//! Faces: seen, learnt.

use latimer_core::model::Kind;

use super::{CREATED, DEG, EXPIRY, message};
use crate::misty::wire::EventType;
use crate::table::{FieldPair, Message};

const NAME: &str = "`null`: a face is `detected`; `unknown_person`: a `stranger`; else `known` by that name";

pub(super) const FACE_RECOGNITION: Message = message(
    EventType::FaceRecognition,
    "A face was seen, and recognised if recognition runs.",
    &[
        FieldPair::number("bearing", "°", Kind::Face, "bearing_rad", DEG)
            .note("left is positive; the specification names no unit"),
        CREATED,
        FieldPair::number("distance", "cm", Kind::Face, "distance_m", 100.0)
            .note("the specification names no unit; its sample fits centimetres"),
        FieldPair::number("elevation", "°", Kind::Face, "elevation_rad", -DEG)
            .note("down is positive on the wire, up in the model"),
        EXPIRY,
        FieldPair::same("label", Kind::Face, "label").note("`personName` again; robots of 2020 and later"),
        FieldPair::same("personName", Kind::Face, "label").note(NAME),
        FieldPair::own("sensorId", "always `cv`"),
        FieldPair::own("sensorName", "not given"),
        FieldPair::same("trackId", Kind::Face, "track_id"),
    ],
);

pub(super) const FACE_TRAINING: Message = message(
    EventType::FaceTraining,
    "How learning a face goes.",
    &[
        CREATED,
        EXPIRY,
        FieldPair::same("isProcessComplete", Kind::FaceTraining, "complete"),
        FieldPair::same("message", Kind::FaceTraining, "message"),
        FieldPair::words(
            "messageType",
            Kind::FaceTraining,
            "level",
            &[("Status", "status"), ("Warning", "warning"), ("Error", "error")],
        ),
        FieldPair::own("sensorId", "always `cv`"),
        FieldPair::own("sensorName", "not given"),
    ],
);

//! Video and pictures.

use latimer_core::model::Kind;

use super::{STAMP, message};
use crate::axbot::topic::Topic;
use crate::table::{FieldPair, Message};

const VIDEO: &[FieldPair] =
    &[STAMP, FieldPair::same("data", Kind::Video, "data").note("H.264 with start codes, in Base64")];

const PICTURE: &[FieldPair] = &[
    STAMP,
    FieldPair::words("format", Kind::CompressedImage, "format", &[("jpeg", "jpeg"), ("png", "png")])
        .note("the specification has `jpeg` alone"),
    FieldPair::same("data", Kind::CompressedImage, "data").note("the file in Base64"),
];

const fn video(topic: Topic, summary: &'static str) -> Message {
    message(topic, &[Kind::Video], summary, VIDEO)
}

const fn picture(topic: Topic, summary: &'static str) -> Message {
    message(topic, &[Kind::CompressedImage], summary, PICTURE)
}

pub(super) const FRONT_VIDEO: Message = video(
    Topic::FrontVideo,
    "The front camera's video; the part is `camera_front`, of another robot its camera that looks ahead.",
);

pub(super) const BACK_VIDEO: Message =
    video(Topic::BackVideo, "The back camera's video; the part is `camera_back`.");

pub(super) const FRONT_AUGMENTED_VIDEO: Message = video(
    Topic::FrontAugmentedVideo,
    "The front camera's video with what is made out on it; the part is `camera_front_augmented`.",
);

pub(super) const FRONT_COMPRESSED: Message = picture(
    Topic::FrontCompressed,
    "The front camera's pictures; the part is `camera_front`, of another robot its camera that looks ahead.",
);

pub(super) const BACK_COMPRESSED: Message =
    picture(Topic::BackCompressed, "The back camera's pictures; the part is `camera_back`.");

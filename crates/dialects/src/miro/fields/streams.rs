//! The asynchronous streams, and the Standard Interface.

use latimer_core::model::Kind;

use super::{FLAGS, USEC, message};
use crate::miro::topic::Topic;
use crate::table::{FieldPair, Message};

const STAMP: FieldPair = FieldPair::time("header.stamp");

const PICTURE: &[FieldPair] = &[
    STAMP,
    FieldPair::own("header.frame_id", "`caml` or `camr`"),
    FieldPair::same("height", Kind::Image, "height"),
    FieldPair::same("width", Kind::Image, "width"),
    FieldPair::same("encoding", Kind::Image, "encoding").note("`rgb8`, of no more colours than R5G6B5 has"),
    FieldPair::own("is_bigendian", "0"),
    FieldPair::own("step", "bytes a row"),
    FieldPair::same("data", Kind::Image, "data").note("in Base64"),
];

const FILE: &[FieldPair] = &[
    STAMP,
    FieldPair::own("header.frame_id", "`caml` or `camr`"),
    FieldPair::words("format", Kind::CompressedImage, "format", &[("rgb8; jpeg compressed bgr8", "jpeg")]),
    FieldPair::same("data", Kind::CompressedImage, "data").note("the file in Base64"),
];

pub(super) const CAML: Message =
    message(Topic::CamL, &[Kind::Image], "What the left eye sees; the part is `camera_left`.", PICTURE);

pub(super) const CAMR: Message =
    message(Topic::CamR, &[Kind::Image], "What the right eye sees; the part is `camera_right`.", PICTURE);

pub(super) const CAML_COMPRESSED: Message = message(
    Topic::CamLCompressed,
    &[Kind::CompressedImage],
    "What the left eye sees, as files; the part is `camera_left`.",
    FILE,
);

pub(super) const CAMR_COMPRESSED: Message = message(
    Topic::CamRCompressed,
    &[Kind::CompressedImage],
    "What the right eye sees, as files; the part is `camera_right`.",
    FILE,
);

pub(super) const MICS: Message = message(
    Topic::Mics,
    &[Kind::Audio],
    "What the ears hear, a tenth of a second; the part is `mics`.",
    &[
        STAMP,
        FLAGS,
        USEC,
        FieldPair::same("data", Kind::Audio, "samples")
            .note("2,000 samples of each ear, 20,000 a second, left and right in turn"),
    ],
);

pub(super) const LOG: Message = message(
    Topic::Log,
    &[Kind::Text],
    "What the robot says of itself.",
    &[FieldPair::same("data", Kind::Text, "text")],
);

pub(super) const BODY_VEL: Message = message(
    Topic::BodyVel,
    &[Kind::Velocity],
    "Standard Interface: how fast it goes.",
    &[
        FieldPair::same("linear.x", Kind::Velocity, "linear_mps"),
        FieldPair::same("angular.z", Kind::Velocity, "angular_radps"),
    ],
);

pub(super) const ODOM: Message = message(
    Topic::Odom,
    &[Kind::Pose, Kind::Velocity],
    "Standard Interface: where it is by its wheels.",
    &[
        STAMP,
        FieldPair::own("header.frame_id", "`odom`"),
        FieldPair::own("child_frame_id", "`base_link`"),
        FieldPair::same("pose.pose.position.x", Kind::Pose, "x_m"),
        FieldPair::same("pose.pose.position.y", Kind::Pose, "y_m"),
        FieldPair::same("pose.pose.orientation.z", Kind::Pose, "yaw_rad").note("sine of half the angle"),
        FieldPair::same("pose.pose.orientation.w", Kind::Pose, "yaw_rad").note("cosine of half the angle"),
        FieldPair::same("twist.twist.linear.x", Kind::Velocity, "linear_mps"),
        FieldPair::same("twist.twist.angular.z", Kind::Velocity, "angular_radps"),
    ],
);

pub(super) const KINEMATIC_JOINTS: Message = message(
    Topic::KinematicJoints,
    &[Kind::Joint],
    "Standard Interface: how the neck stands.",
    &[
        STAMP,
        FieldPair::part("name[0]", &[("tilt", "tilt")]).of_part("tilt"),
        FieldPair::part("name[1]", &[("lift", "lift")]).of_part("lift"),
        FieldPair::part("name[2]", &[("yaw", "yaw")]).of_part("yaw"),
        FieldPair::part("name[3]", &[("pitch", "pitch")]).of_part("pitch"),
        FieldPair::same("position[0]", Kind::Joint, "position_rad").of_part("tilt"),
        FieldPair::same("position[1]", Kind::Joint, "position_rad").of_part("lift"),
        FieldPair::same("position[2]", Kind::Joint, "position_rad").of_part("yaw"),
        FieldPair::same("position[3]", Kind::Joint, "position_rad").of_part("pitch"),
        FieldPair::same("velocity[0]", Kind::Joint, "velocity_radps").of_part("tilt"),
        FieldPair::same("velocity[1]", Kind::Joint, "velocity_radps").of_part("lift"),
        FieldPair::same("velocity[2]", Kind::Joint, "velocity_radps").of_part("yaw"),
        FieldPair::same("velocity[3]", Kind::Joint, "velocity_radps").of_part("pitch"),
        FieldPair::own("effort[]", "not measured here"),
    ],
);

pub(super) const SONAR_RANGE: Message = message(
    Topic::SonarRange,
    &[Kind::Range],
    "Standard Interface: what the sonar measures.",
    &[
        STAMP,
        FieldPair::own("radiation_type", "0, sound"),
        FieldPair::same("field_of_view", Kind::Range, "field_of_view_rad"),
        FieldPair::same("min_range", Kind::Range, "min_m"),
        FieldPair::same("max_range", Kind::Range, "max_m"),
        FieldPair::same("range", Kind::Range, "distance_m").note("0 is nothing in view"),
    ],
);

//! `robot_description`: what a robot is built of, as URDF.

use std::fmt::Write;

use latimer_core::model::profile::{Axis, RobotProfile};
use latimer_core::model::signal::{Frame, Orientation};

use super::{Frames, links};

/// How high an outline is drawn where no sensor is above it, metres.
const OUTLINE_M: f64 = 0.1;

/// The robot as URDF: a box around its outline, and its sensors on their joints.
pub(in crate::rosbridge::facade) fn description(frames: &Frames<'_>) -> String {
    let profile = frames.hub.profile(frames.robot);
    let name = |frame: &str| escaped(&frames.name(frame));
    let mut urdf = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escaped(frames.robot.as_str()));
    let shape = outline(&profile);
    let _ = writeln!(urdf, "  <link name=\"{}\">{shape}</link>", name(Frame::BaseLink.as_str()));
    for link in links(&profile) {
        let (child, parent, [x, y, z]) = (name(&link.name), name(&link.parent), link.at_m);
        let Orientation { roll_rad, pitch_rad, yaw_rad } = link.turned;
        let (kind, axis) = match link.joint {
            None => ("fixed", ""),
            Some((_, Axis::Y)) => ("continuous", "<axis xyz=\"0 1 0\"/>"),
            Some((_, Axis::Z)) => ("continuous", "<axis xyz=\"0 0 1\"/>"),
        };
        // The joint of `joint_states` has the name of its part.
        let joint = link.joint.map_or_else(|| format!("{child}_mount"), |(part, _)| escaped(part.as_str()));
        let _ = write!(
            urdf,
            "  <link name=\"{child}\"/>\n  <joint name=\"{joint}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <origin xyz=\"{x} {y} {z}\" rpy=\"{roll_rad} {pitch_rad} {yaw_rad}\"/>{axis}</joint>\n"
        );
    }
    urdf + "</robot>\n"
}

/// The box around an outline; nothing if none is known.
fn outline(profile: &RobotProfile) -> String {
    let range = |of: fn(&[f64; 2]) -> f64| {
        let corners = profile.footprint_m.iter().map(of);
        corners.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
    };
    let ((x0, x1), (y0, y1)) = (range(|[x, _]| *x), range(|[_, y]| *y));
    if ![x0, y0, x1, y1].iter().all(|it| it.is_finite()) {
        return String::new();
    }
    let height = links(profile).iter().map(|it| it.at_m[2]).fold(OUTLINE_M, f64::max);
    let (x, y) = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
    let shape = format!(
        "<origin xyz=\"{x} {y} {}\"/><geometry><box size=\"{} {} {height}\"/></geometry>",
        height / 2.0,
        x1 - x0,
        y1 - y0
    );
    format!("<visual>{shape}</visual><collision>{shape}</collision>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

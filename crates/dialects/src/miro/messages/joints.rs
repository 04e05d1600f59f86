//! The joints of the neck, which stand in lists.

use latimer_core::model::signal::Joint;
use latimer_ros1::msgs::sensor_msgs::JointState;

use super::NECK;
use super::standard::finite;
use crate::describe::codec::{Codec, CodecInfo, Describe};
use crate::describe::describe;

describe! {
    JointState {
        /// When.
        #[field(model = "")]
        header,
        /// The joints.
        #[field(part, parts = &NECK, codec = Four)]
        name,
        /// Their angles.
        #[field(model = "position_rad", parts = &NECK, codec = Four)]
        position,
        /// Their rates.
        #[field(model = "velocity_radps", parts = &NECK, codec = Four)]
        velocity,
        /// Not measured here.
        #[field(own, codec = Four)]
        effort,
    }
}

/// A list of as many as the neck has joints.
struct Four;

impl Describe for Four {
    fn info(&self) -> CodecInfo {
        CodecInfo { length: Some(NECK.len()), ..CodecInfo::default() }
    }
}

/// Joints by their names, or in the order of the platform if they have none; written in that order.
pub(super) struct Neck;

impl Describe for Neck {}

impl<Cx> Codec<JointState, [Option<Joint>; 4], Cx> for Neck {
    fn decode(&self, wire: &JointState, _: &Cx) -> Option<[Option<Joint>; 4]> {
        let JointState { header: _, name, position, velocity, effort: _ } = wire;
        let joint = |at: usize| {
            let named = name.iter().position(|it| it.eq_ignore_ascii_case(NECK[at]));
            let index = if name.is_empty() { at } else { named? };
            let position_rad = position.get(index).copied().and_then(finite)?;
            let velocity_radps = velocity.get(index).copied().and_then(finite);
            Some(Joint { velocity_radps, ..Joint::hinge(position_rad) })
        };
        Some(std::array::from_fn(joint))
    }

    fn encode(&self, model: &[Option<Joint>; 4], _: &Cx) -> Option<JointState> {
        let numbers = |number: fn(&Joint) -> Option<f64>| {
            model.iter().map(|joint| joint.as_ref().and_then(number).unwrap_or_default()).collect()
        };
        Some(JointState {
            name: NECK.map(str::to_owned).to_vec(),
            position: numbers(|joint| joint.position_rad),
            velocity: numbers(|joint| joint.velocity_radps),
            // Programs read four of them; no robot here measures them.
            effort: vec![0.0; NECK.len()],
            ..JointState::default()
        })
    }
}

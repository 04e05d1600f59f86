//! `sensor_msgs/JointState` of all joints of a robot, taken apart.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::rosbridge::limits::MAX_JOINTS;

#[derive(Deserialize)]
struct Joints {
    #[serde(default)]
    header: Json,
    #[serde(default)]
    name: Vec<Json>,
    #[serde(default)]
    position: Vec<Json>,
    #[serde(default)]
    velocity: Vec<Json>,
}

/// A message of each joint; that of one, or of none, is as it came.
pub(super) fn apart(text: &str) -> Result<Vec<String>, serde_json::Error> {
    let Joints { header, name, position, velocity } = serde_json::from_str(text)?;
    if name.len() < 2 {
        return Ok(vec![text.to_owned()]);
    }
    let of = |list: &[Json], at: usize| list.get(at).cloned().into_iter().collect::<Vec<_>>();
    let joint = |(at, name): (usize, &Json)| {
        json!({"header": header, "name": [name], "position": of(&position, at), "velocity": of(&velocity, at)}).to_string()
    };
    Ok(name.iter().take(MAX_JOINTS).enumerate().map(joint).collect())
}

//! Standard Interface: lists of numbers, `std_msgs/UInt16MultiArray` and `std_msgs/Float32MultiArray` without how they are laid out.

use serde::{Deserialize, Serialize};

use super::{CLIFFS, LIGHTS, PlatformSensors, TOUCHES};
use crate::describe::Message;

/// Declares lists that repeat fields of `platform/sensors`.
macro_rules! repeated {
    ($($(#[doc = $about:literal])* $name:ident: $model:literal of $kind:ident in $parts:expr, $note:literal, |$sensors:ident| $data:expr;)*) => {
        $(
            $(#[doc = $about])*
            #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
            #[serde(default)]
            #[message(layout)]
            pub struct $name {
                /// The readings.
                #[field(model = $model, kind = $kind, parts = $parts, note = $note)]
                pub data: Vec<u16>,
            }

            impl From<PlatformSensors> for $name {
                fn from($sensors: PlatformSensors) -> Self {
                    Self { data: $data.into_iter().map(u16::from).collect() }
                }
            }
        )*
    };
}

repeated! {
    /// `sensors/cliff`.
    Cliffs: "status_code" of Cliff in &CLIFFS, "left and right; 0 no surface to 15 surely a surface", |sensors| sensors.cliff;
    /// `sensors/light`.
    Lights: "level_ratio" of Light in &LIGHTS, "front left, front right, rear left, rear right; 0 to 255", |sensors| sensors.light;
    /// `sensors/touch`.
    Touches: "contacted" of Contact in &TOUCHES, "four on the head, four down the back; 0 or 1",
        |sensors| [sensors.touch_head, sensors.touch_body].concat();
}

/// `control/cosmetic_joints`, and any other list of shares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shares {
    /// 0 to 1 each, the tail from -1.
    pub data: Vec<f32>,
}

/// A list of whole numbers, as `control/lights`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Numbers {
    /// The numbers.
    pub data: Vec<u16>,
}

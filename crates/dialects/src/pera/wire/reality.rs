//! Which reality: the room's, the simulation's, or both.

use latimer_core::model::{Realities, words};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::describe::lenient::Lenient;
use crate::describe::{HasWireType, WireType};

words! {
    /// `R`, `V` or `M`.
    pub enum Reality {
        /// Real.
        R = "R",
        /// Virtual.
        V = "V",
        /// Mixed; any other text counts as this.
        M = "M",
    }
}

impl Reality {
    /// What a text says.
    pub fn from_text(text: &str) -> Self {
        Self::from_word(text.trim()).unwrap_or(Self::M)
    }

    /// Which things count.
    pub const fn realities(self) -> Realities {
        match self {
            Self::R => Realities::Real,
            Self::V => Realities::Virtual,
            Self::M => Realities::Mixed,
        }
    }
}

impl Serialize for Reality {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A reality if there is one: null and what is no text count as not given.
impl Lenient for Reality {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        Ok(Value::deserialize(deserializer)?.as_str().map(Self::from_text))
    }
}

impl HasWireType for Reality {
    const WIRE_TYPE: WireType = WireType::Text;
}

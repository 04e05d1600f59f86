//! Which reality: the room's, the simulation's, or both.

use std::fmt;

use latimer_core::model::Realities;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::describe::lenient::Lenient;
use crate::describe::{Form, Formed};

/// `R`, `V` or `M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Reality {
    /// Real.
    R,
    /// Virtual.
    V,
    /// Mixed; any other text counts as this.
    M,
}

impl Reality {
    /// What a text says.
    pub fn from_text(text: &str) -> Self {
        match text.trim() {
            "R" => Self::R,
            "V" => Self::V,
            _ => Self::M,
        }
    }

    /// Its letter.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::R => "R",
            Self::V => "V",
            Self::M => "M",
        }
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

impl fmt::Display for Reality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A reality if there is one: null and what is no text count as not given.
impl Lenient for Reality {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        Ok(Value::deserialize(deserializer)?.as_str().map(Self::from_text))
    }
}

impl Formed for Reality {
    const FORM: Form = Form::Text;
}

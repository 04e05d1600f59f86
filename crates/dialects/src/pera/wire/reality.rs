//! Which reality: the room's, the simulation's, or both.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, Serialize};

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
}

/// A reality if there is one: null and what is no text count as not given.
pub(super) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Reality>, D::Error> {
    deserializer.deserialize_any(AnyReality)
}

struct AnyReality;

impl<'de> Visitor<'de> for AnyReality {
    type Value = Option<Reality>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("R, V or M")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Reality::from_text(text)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

//! The one array of these messages that serde has no words for.

use std::ops::{Deref, DerefMut};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How much six things vary with each other, row by row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covariance(pub [f64; 36]);

impl Default for Covariance {
    fn default() -> Self {
        Self([0.0; 36])
    }
}

impl Deref for Covariance {
    type Target = [f64; 36];

    fn deref(&self) -> &[f64; 36] {
        &self.0
    }
}

impl DerefMut for Covariance {
    fn deref_mut(&mut self) -> &mut [f64; 36] {
        &mut self.0
    }
}

impl Serialize for Covariance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Covariance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::<f64>::deserialize(deserializer)?;
        let count = values.len();
        values.try_into().map(Self).map_err(|_| D::Error::invalid_length(count, &"36 numbers"))
    }
}

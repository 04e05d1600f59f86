//! Colours, how much light comes back from them, and which world a thing belongs to.

use std::fmt;

use latimer_core::model::Realities;
use serde::Deserialize;

/// Which world a thing belongs to, for robots that live in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reality {
    /// It stands for something that is there in the room where physical robots drive.
    #[default]
    Real,
    /// It exists in the simulation only.
    Virtual,
}

/// A colour, written `"#rrggbb"`.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Color(pub [u8; 3]);

impl Color {
    /// What has no colour given: a light grey.
    pub const PLAIN: Self = Self([0xc8, 0xc8, 0xc8]);

    /// How much infrared light a matt surface of this colour sends back, 0.03..0.93.
    pub fn reflectivity(self) -> f64 {
        let [red, green, blue] = self.0.map(|part| f64::from(part) / 255.0);
        0.03 + 0.9 * (0.3 * red + 0.59 * green + 0.11 * blue)
    }
}

impl Reality {
    /// Whether a thing of this reality is among those that are asked about.
    pub fn is_among(self, asked: Realities) -> bool {
        match asked {
            Realities::Real => self == Self::Real,
            Realities::Virtual => self == Self::Virtual,
            Realities::Mixed => true,
        }
    }
}

impl Default for Color {
    fn default() -> Self {
        Self::PLAIN
    }
}

impl fmt::Debug for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// A text that is no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no colour; write it as \"#rrggbb\"")]
pub struct ColorError(String);

impl TryFrom<String> for Color {
    type Error = ColorError;

    fn try_from(text: String) -> Result<Self, ColorError> {
        let wrong = || ColorError(text.clone());
        let hex = |digits: &&str| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digits = text.strip_prefix('#').filter(hex).ok_or_else(wrong)?;
        let number = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_returns_little() {
        let color = |text: &str| Color::try_from(text.to_owned());
        assert!(color("#101010").unwrap().reflectivity() < 0.1);
        assert!(color("#ffffff").unwrap().reflectivity() > 0.9);
        for bad in ["red", "#fff", "#gggggg", "#+12345", "#ääÄ"] {
            assert!(color(bad).is_err(), "{bad}");
        }
    }
}

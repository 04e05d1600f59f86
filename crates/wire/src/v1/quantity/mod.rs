//! Numbers with bounds. Their JSON Schema and their form on the command line are declared here, once.
//!
//! | type | JSON and bounds | command line |
//! |---|---|---|
//! | [`Number`] | finite | `0.5` |
//! | [`NonNegative`] | 0 or more | `0.5` |
//! | [`Positive`] | above 0 | `0.5` |
//! | [`Ratio`] | 0 to 1 | `15%`, `0.15` |
//! | [`Share`] | -1 to 1 | `-50%`, `-0.5` |
//! | [`Radians`] | finite | `20deg`, `20°`, `0.35rad`, `0.35` |
//! | [`AngularSpeed`] | 0 or more | `20deg`, `0.35rad`, `0.35` a second |
//! | [`Celsius`] | finite | `85`, `85C`, `85°C` |
//! | [`Seconds`] | 0 to 86400 | `500ms`, `1m 30s` |

mod text;

use std::time::Duration;

use latimer_core::model::call::Quantity;
use serde::{Deserialize, Serialize};
pub use text::QuantityError;
pub(crate) use text::pixels;
pub use text::{duration, sides, speed};
use utoipa::ToSchema;

use super::field::InvalidField;

/// Longest duration of a command, a stimulus or an option: a day.
pub(crate) use latimer_core::model::call::MAX_DURATION_S;

/// A field of the API that becomes a value of the model when its bounds hold.
pub(super) trait Checked {
    /// What the model keeps.
    type Model;

    /// The value, or an error that names the field.
    fn checked(self, field: &'static str) -> Result<Self::Model, InvalidField>;
}

/// `checked!(x_m)` is the value of the field `x_m`, or returns an error that names the field.
macro_rules! checked {
    ($field:ident) => {
        $crate::v1::quantity::Checked::checked($field, stringify!($field))?
    };
}
pub(super) use checked;

impl<T: Checked> Checked for Option<T> {
    type Model = Option<T::Model>;

    fn checked(self, field: &'static str) -> Result<Self::Model, InvalidField> {
        self.map(|given| given.checked(field)).transpose()
    }
}

impl<T: Checked> Checked for Vec<T> {
    type Model = Vec<T::Model>;

    fn checked(self, field: &'static str) -> Result<Self::Model, InvalidField> {
        self.into_iter().map(|given| given.checked(field)).collect()
    }
}

/// Declares a number: what JSON Schema says of it, and what the model keeps; its bounds are those of the core's [`Quantity`].
macro_rules! quantities {
    ($(
        $(#[$meta:meta])*
        $name:ident: $model:ty = $convert:expr;
    )*) => {$(
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, ToSchema, Serialize, Deserialize)]
        $(#[$meta])*
        #[serde(transparent)]
        pub struct $name(pub f64);

        impl Checked for $name {
            type Model = $model;

            fn checked(self, field: &'static str) -> Result<$model, InvalidField> {
                match Quantity::$name.holds(self.0) {
                    true => Ok($convert(self.0)),
                    false => Err(InvalidField::new(field, format!("is {}", self.0), Quantity::$name.advice())),
                }
            }
        }
    )*};
}

quantities! {
    /// A finite number, in the unit that the field's name ends with.
    Number: f64 = std::convert::identity;
    /// A finite number of zero or more, in the unit that the field's name ends with.
    #[schema(minimum = 0)]
    NonNegative: f64 = std::convert::identity;
    /// A finite number above zero, in the unit that the field's name ends with.
    #[schema(exclusive_minimum = 0)]
    Positive: f64 = std::convert::identity;
    /// A part of a whole.
    #[schema(minimum = 0, maximum = 1)]
    Ratio: f64 = std::convert::identity;
    /// A part of a range with a neutral middle.
    #[schema(minimum = -1, maximum = 1)]
    Share: f64 = std::convert::identity;
    /// An angle or, in a field that ends with `_radps`, an angular speed.
    Radians: f64 = std::convert::identity;
    /// An angular speed without a direction, rad/s.
    #[schema(minimum = 0)]
    AngularSpeed: f64 = std::convert::identity;
    /// A temperature, degrees Celsius.
    Celsius: f64 = std::convert::identity;
    /// A duration of at most a day.
    #[schema(minimum = 0, maximum = 86400)]
    Seconds: Duration = Duration::from_secs_f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_bounds_is_an_error() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Number(bad).checked("x_m").is_err());
            assert!(NonNegative(bad).checked("x_m").is_err());
            assert!(Positive(bad).checked("x_m").is_err());
            assert!(Ratio(bad).checked("x_ratio").is_err());
            assert!(Share(bad).checked("x_ratio").is_err());
            assert!(Radians(bad).checked("x_rad").is_err());
            assert!(Celsius(bad).checked("x_c").is_err());
            assert!(Seconds(bad).checked("x_s").is_err());
        }
        assert!(Positive(0.0).checked("x_m").is_err() && NonNegative(0.0).checked("x_m").is_ok());
        assert!(Seconds(-1.0).checked("x_s").is_err() && Seconds(1e300).checked("x_s").is_err());
        assert_eq!(Seconds(0.5).checked("x_s"), Ok(Duration::from_millis(500)));
        assert_eq!(
            Ratio(15.0).checked("volume_ratio").unwrap_err().to_string(),
            "volume_ratio is 15; write a ratio from 0 to 1"
        );
    }
}

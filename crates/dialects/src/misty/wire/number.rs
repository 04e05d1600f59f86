//! Whole numbers, which some robots write as `6` and some as `6.0`.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Number;

/// Largest magnitude up to which every whole `f64` is exact: 2⁵³.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads a whole number or `null`; a fraction is an error.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(deserializer)? else {
        return Ok(None);
    };
    if let Some(whole) = number.as_i64() {
        return Ok(Some(whole));
    }
    match number.as_f64() {
        Some(float) if float.fract() == 0.0 && float.abs() <= EXACT => Ok(Some(float as i64)),
        _ => Err(Error::custom(format_args!("{number} is not a whole number of 64 bits"))),
    }
}

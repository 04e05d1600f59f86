//! What the messages carry, by their `type`, each field beside what it is in the model.
//!
//! Keys that nobody knows are passed over, and what is missing is nothing.

pub mod request;
pub mod status;
#[cfg(test)]
mod tests;

use serde::de::{Deserialize as _, Deserializer, Error as _};
use serde_json::Value;

use crate::describe::lenient::Lenient;

/// Most items of a list.
const MAX_ITEMS: usize = 256;

/// A list, or one item where a list belongs; what is `null` in it is left out.
fn list<'de, D: Deserializer<'de>, T: Lenient>(value: D) -> Result<Option<Vec<T>>, D::Error> {
    let items = match Value::deserialize(value)? {
        Value::Null => return Ok(None),
        Value::Array(items) if items.len() > MAX_ITEMS => {
            let problem = format_args!("{} items; {MAX_ITEMS} are read at most", items.len());
            return Err(D::Error::custom(problem));
        }
        Value::Array(items) => items,
        one => vec![one],
    };
    let read = |(i, item)| {
        T::read(item).map_err(|error: serde_json::Error| D::Error::custom(format_args!("[{i}]: {error}")))
    };
    items.into_iter().enumerate().map(read).filter_map(Result::transpose).collect::<Result<_, _>>().map(Some)
}

/// Declares what messages of a topic say, by their `type`, and what each means; the first word of each is the one that is
/// written.
macro_rules! types {
    ($(#[$about:meta])* $name:ident: $model:ty {
        $($(#[$doc:meta])* $word:literal $(| $other:literal)* => $variant:ident $(($body:ident))? is $meaning:expr,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $($(#[$doc])* $variant $(($body))?,)+
            /// Any other type, with its parameter as it came.
            Other(String, serde_json::Map<String, serde_json::Value>),
        }

        impl $name {
            /// What each `type` means.
            pub(in crate::robotkoop) const TYPES: &'static [(&'static str, $model)] = &[$(($word, $meaning)),+];

            /// The `type`.
            pub fn type_word(&self) -> &str {
                match self {
                    $(Self::$variant { .. } => $word,)+
                    Self::Other(word, _) => word,
                }
            }

            /// Reads its `parameter`; what is wrong and at which key, if that cannot be done.
            pub(in crate::robotkoop) fn read(
                word: String,
                parameter: serde_json::Map<String, serde_json::Value>,
            ) -> Result<Self, serde_path_to_error::Error<serde_json::Error>> {
                Ok(match word.as_str() {
                    $($word $(| $other)* => Self::$variant $(({
                        let body: $body = serde_path_to_error::deserialize(serde_json::Value::Object(parameter))?;
                        body
                    }))?,)+
                    _ => Self::Other(word, parameter),
                })
            }

            /// The fields of the `parameter` of a `type`, none if it has none; `None` if the type is not known.
            pub(in crate::robotkoop) fn fields(word: &str) -> Option<&'static [crate::describe::Field]> {
                Some(match word {
                    $($word $(| $other)* => {
                        const FIELDS: &[&[crate::describe::Field]] =
                            &[$(<$body as crate::describe::Described>::FIELDS)?];
                        FIELDS.first().copied().unwrap_or(&[])
                    })+
                    _ => return None,
                })
            }

            /// Its `parameter`.
            #[allow(unreachable_patterns, reason = "not each topic has types without one")]
            pub(in crate::robotkoop) fn parameter(&self) -> serde_json::Value {
                match self {
                    $($(Self::$variant(it @ $body { .. }) => serde_json::to_value(it).unwrap_or_default(),)?)+
                    Self::Other(_, parameter) => serde_json::Value::Object(parameter.clone()),
                    _ => serde_json::Value::Object(serde_json::Map::new()),
                }
            }
        }

        /// The parameters of all types.
        impl crate::describe::Described for $name {
            const FIELDS: &'static [crate::describe::Field] = {
                const ALL: &[&[crate::describe::Field]] =
                    &[$($(<$body as crate::describe::Described>::FIELDS,)?)+];
                &crate::describe::joined::<{ crate::describe::count(ALL) }>(ALL)
            };
        }
    };
}

use types;

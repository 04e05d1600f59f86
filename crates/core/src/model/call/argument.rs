//! Arguments of described commands: their bounds, their defaults, how they are written.

use std::time::Duration;

use super::{ArgumentError, Quantity};
use crate::model::Value;

/// An argument of a command.
#[derive(Debug)]
pub struct Argument {
    /// Its name; a number's ends with its unit.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What it can be.
    pub quantity: Quantity,
    /// What it is if it is not given.
    pub presence: Presence,
    /// How people write it on the command line.
    pub spelling: Spelling,
}

/// What an argument is that is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Presence {
    /// It has to be given.
    Required,
    /// Nothing.
    Optional,
    /// On or off.
    Flag(bool),
    /// A number.
    Number(f64),
}

/// How an argument is written on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// By its place.
    Place,
    /// By its place, and never left out though it has a default.
    Written,
    /// `--long VALUE`; `--long` alone if it is on or off.
    Long(&'static str, &'static str),
}

impl Argument {
    /// The value within its bounds, or the default.
    pub(super) fn checked(&self, value: Value) -> Result<Value, ArgumentError> {
        let error = |problem: String, advice| ArgumentError { name: self.name, problem, advice };
        match (value, self.presence) {
            (Value::Null, Presence::Required) => Err(error("is missing".to_owned(), self.quantity.advice())),
            (Value::Null, Presence::Optional) => Ok(Value::Null),
            (Value::Null, Presence::Flag(flag)) => Ok(Value::Bool(flag)),
            (Value::Null, Presence::Number(number)) => Ok(Value::Float(number)),
            (value, _) => {
                self.quantity.checked(value).map_err(|problem| error(problem, self.quantity.advice()))
            }
        }
    }
}

/// A type of arguments in the struct that describes their command.
pub trait ArgumentType: Sized {
    /// What it can be, unless the description says more.
    const QUANTITY: Quantity;

    /// The value as this type.
    fn from_argument(value: &Value) -> Option<Self>;

    /// As a value.
    fn into_argument(self) -> Value;
}

/// Types of one kind of value each.
macro_rules! argument_types {
    ($($type:ty: $quantity:ident, |$value:ident| $from:expr, |$given:ident| $into:expr;)*) => {$(
        impl ArgumentType for $type {
            const QUANTITY: Quantity = Quantity::$quantity;

            fn from_argument($value: &Value) -> Option<Self> {
                $from
            }

            fn into_argument(self) -> Value {
                let $given = self;
                $into
            }
        }
    )*};
}

argument_types! {
    f64: Number, |value| value.as_f64(), |given| Value::Float(given);
    bool: Flag, |value| value.as_bool(), |given| Value::Bool(given);
    u32: Whole, |value| whole(value), |given| Value::Int(given.into());
    String: Text, |value| value.as_str().map(str::to_owned), |given| Value::Text(given.into());
    Duration: Seconds, |value| seconds(value), |given| Value::Float(given.as_secs_f64());
    Vec<u32>: Wholes,
        |value| match value {
            Value::List(items) => items.iter().map(whole).collect(),
            _ => None,
        },
        |given| Value::List(given.into_iter().map(|it| Value::Int(it.into())).collect());
}

fn whole(value: &Value) -> Option<u32> {
    match value {
        Value::Int(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}

fn seconds(value: &Value) -> Option<Duration> {
    let seconds = value.as_f64().filter(|seconds| *seconds >= 0.0)?;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

impl<T: ArgumentType> ArgumentType for Option<T> {
    const QUANTITY: Quantity = T::QUANTITY;

    fn from_argument(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_argument(value).map(Some),
        }
    }

    fn into_argument(self) -> Value {
        self.map_or(Value::Null, T::into_argument)
    }
}

//! What an argument can be. Its bounds and the advice for what is out of them are declared here, once.

use crate::model::{Value, shape};

/// Longest duration of a command: a day.
pub const MAX_DURATION_S: f64 = 86_400.0;

/// What an argument of a command can be; numbers are in the unit that its name ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A finite number.
    Number,
    /// A finite number of zero or more.
    NonNegative,
    /// A finite number above zero.
    Positive,
    /// A part of a whole, 0 to 1.
    Ratio,
    /// A part of a range with a neutral middle, -1 to 1.
    Share,
    /// An angle or, in a name that ends with `_radps`, an angular speed.
    Radians,
    /// An angular speed without a direction.
    AngularSpeed,
    /// A temperature, degrees Celsius.
    Celsius,
    /// A duration of at most a day.
    Seconds,
    /// A whole number of zero or more.
    Whole,
    /// On or off; `start` and `stop` to people.
    Switch,
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// One of some words.
    Word(&'static [shape::Word]),
    /// Whole numbers of zero or more.
    Wholes,
}

impl Quantity {
    /// Whether a finite number is within the bounds.
    pub fn holds(self, number: f64) -> bool {
        let holds = match self {
            Self::Number | Self::Radians | Self::Celsius => true,
            Self::NonNegative | Self::AngularSpeed => number >= 0.0,
            Self::Positive => number > 0.0,
            Self::Ratio => (0.0..=1.0).contains(&number),
            Self::Share => (-1.0..=1.0).contains(&number),
            Self::Seconds => (0.0..=MAX_DURATION_S).contains(&number),
            Self::Whole => number >= 0.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX),
            Self::Switch | Self::Flag | Self::Text | Self::Word(_) | Self::Wholes => false,
        };
        number.is_finite() && holds
    }

    /// What to write.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Number | Self::Radians | Self::Celsius => "write a finite number",
            Self::NonNegative | Self::AngularSpeed => "write a finite number that is not negative",
            Self::Positive => "write a finite number above zero",
            Self::Ratio => "write a ratio from 0 to 1",
            Self::Share => "write a ratio from -1 to 1",
            Self::Seconds => "write seconds from 0 to 86400",
            Self::Whole => "write a whole number that is not negative",
            Self::Switch | Self::Flag => "write true or false",
            Self::Text => "write a text",
            Self::Word(_) => "write one of its words",
            Self::Wholes => "write whole numbers, such as [0, 9]",
        }
    }

    /// Whether it is a number with bounds.
    pub const fn is_number(self) -> bool {
        !matches!(self, Self::Switch | Self::Flag | Self::Text | Self::Word(_) | Self::Wholes)
    }

    /// The value if it can be this, or what is wrong with it.
    pub(super) fn checked(self, value: Value) -> Result<Value, String> {
        let is = match (&value, self) {
            (Value::Float(number), Self::Whole) if self.holds(*number) => {
                return Ok(Value::Int(*number as i64));
            }
            (Value::Int(number), quantity) => quantity.holds(*number as f64),
            (Value::Float(number), quantity) => quantity.holds(*number),
            (Value::Bool(_), Self::Switch | Self::Flag) | (Value::Text(_), Self::Text) => true,
            (Value::Text(given), Self::Word(words)) => words.iter().any(|it| it.word == given),
            (Value::List(items), Self::Wholes) => {
                items.iter().all(|it| matches!(it, Value::Int(number) if u32::try_from(*number).is_ok()))
            }
            _ => false,
        };
        match (is, value) {
            (true, Value::Int(number)) if self != Self::Whole => Ok(Value::Float(number as f64)),
            (true, value) => Ok(value),
            (false, value) => Err(format!("is {value}")),
        }
    }
}

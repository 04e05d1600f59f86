//! Made-up commands of one family, for tests of all that there are.

use super::{Argument, CallDescription, NativeCall, Quantity};
use crate::model::Value;

impl CallDescription {
    /// Commands with a value for each argument, numbers as great as they may be up to 5: one for each word of an argument that has words.
    pub fn samples(&'static self) -> Vec<NativeCall> {
        let words = self.arguments.iter().map(|argument| match argument.quantity {
            Quantity::Word(words) => words.len(),
            _ => 1,
        });
        (0..words.max().unwrap_or(1)).filter_map(|round| self.sample(round)).collect()
    }

    fn sample(&'static self, round: usize) -> Option<NativeCall> {
        let value = |(at, argument): (usize, &Argument)| match argument.quantity {
            Quantity::Flag | Quantity::Switch => Value::Bool(true),
            Quantity::Text => Value::Text("text".into()),
            Quantity::Word(words) => Value::Text(words[round % words.len()].word.into()),
            // No two lists have a number in common.
            Quantity::Wholes => Value::List(vec![Value::Int(at as i64)]),
            quantity if quantity.holds(5.0) => Value::Float(5.0),
            _ => Value::Float(1.0),
        };
        NativeCall::new(self, self.arguments.iter().enumerate().map(value).collect()).ok()
    }
}

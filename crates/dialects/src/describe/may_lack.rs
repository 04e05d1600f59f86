//! Fields of a record of which nothing may be known.

/// A field of a record that may lack a value, as messages may lack the field that tells it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` in the model has always a value, and a message may lack the field that tells it",
    label = "add `required` if the message tells nothing without it, or `or = …` for the value that it has then"
)]
pub trait MayLack {
    /// Its value.
    type Value;

    /// With a value, or without.
    fn of(value: Option<Self::Value>) -> Self;

    /// Its value, if there is one.
    fn known(&self) -> Option<&Self::Value>;
}

impl<T> MayLack for Option<T> {
    type Value = T;

    fn of(value: Self) -> Self {
        value
    }

    fn known(&self) -> Option<&T> {
        self.as_ref()
    }
}

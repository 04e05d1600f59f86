//! What a codec is, and what descriptions tell of it.

use crate::describe::Unit;

/// Translates between `W` on the wire and `M` in the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not translate between `{W}` on the wire and `{M}` in the model",
    label = "no codec for these two",
    note = "`codec = …` names another; a field of the model that is an `Option` takes no `required` and no `or`"
)]
pub trait Codec<W, M, Cx> {
    /// What a value of the wire means; `None` if that is not known.
    fn decode(&self, wire: &W, context: &Cx) -> Option<M>;

    /// The wire's value; `None` if it has none for this.
    fn encode(&self, model: &M, context: &Cx) -> Option<W>;
}

/// What descriptions tell of a codec.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodecInfo {
    /// The unit on the wire, if that is another than the model's.
    pub unit: Option<Unit>,
    /// The model's number in that unit times this is the number on the wire.
    pub factor: Option<f64>,
    /// What is added to that.
    pub offset: Option<f64>,
    /// A full turn on the wire, if numbers that differ by it mean the same.
    pub turn: Option<f64>,
    /// Words of the wire and those of the model, or parts of it.
    pub words: Vec<(&'static str, &'static str)>,
    /// The numbers on the wire that come back as they were read, if not all do.
    pub range: Option<(f64, f64)>,
    /// Whether axes are turned, so that the numbers of a point stand in other places and may change their sign.
    pub is_turned: bool,
    /// What it rounds to on the wire.
    pub precision: Option<f64>,
    /// Texts that it knows among others.
    pub examples: Vec<&'static str>,
    /// Whether its texts are moments.
    pub moment: bool,
    /// How many items its lists have, if the specification fixes that.
    pub length: Option<usize>,
    /// Where in an object the first of its items are, if they stand there as numbers.
    pub inside: &'static [&'static str],
}

impl CodecInfo {
    /// The unit on the wire, that of the model if it has none of its own, and how many of it the model's unit is. Words have
    /// none.
    pub fn measure(&self, of_model: Option<&'static str>) -> Option<(&'static str, f64)> {
        let of_model = of_model.filter(|_| self.words.is_empty());
        let symbol = self.unit.map(Unit::symbol).or(of_model).filter(|symbol| !symbol.is_empty())?;
        Some((symbol, self.scale()))
    }

    /// What the model's number times this is on the wire.
    pub fn scale(&self) -> f64 {
        self.unit.map_or(1.0, Unit::factor) * self.factor.unwrap_or(1.0)
    }
}

/// A codec that descriptions can tell something of.
pub trait Describe {
    /// What they tell.
    fn info(&self) -> CodecInfo {
        CodecInfo::default()
    }
}

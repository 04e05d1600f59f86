//! How a value on the wire and a value of the model stand for each other.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use latimer_core::model::{PartName, Word};

use super::lenient::EXACT;
use super::{Incomplete, Translate};
use crate::table::WordPair;

/// Translates between `W` on the wire and `M` in the model.
pub trait Codec<W, M, Cx> {
    /// What a value of the wire means; `None` if that is not known.
    fn decode(&self, wire: &W) -> Option<M>;

    /// The wire's value; `None` if it has none for this.
    fn encode(&self, model: &M, context: &Cx) -> Option<W>;
}

/// What descriptions tell of a codec.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodecInfo {
    /// The model's number times this is the number on the wire.
    pub factor: Option<f64>,
    /// What is added to that.
    pub offset: Option<f64>,
    /// A full turn on the wire, if numbers that differ by it mean the same.
    pub turn: Option<f64>,
    /// Words of the wire and those of the model.
    pub words: Vec<WordPair>,
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

/// A codec that descriptions can tell something of.
pub trait Describe {
    /// What they tell.
    fn info(&self) -> CodecInfo {
        CodecInfo::default()
    }
}

/// Declares codecs: what descriptions tell of each, what it decodes and what it encodes.
macro_rules! codecs {
    ($($(#[$about:meta])* $name:ident: $wire:ty, $model:ty {
        $info:expr, |$w:pat_param| $decode:expr, |$m:pat_param| $encode:expr
    })*) => {
        $(
            $(#[$about])*
            pub(crate) struct $name;

            impl $crate::describe::codec::Describe for $name {
                fn info(&self) -> $crate::describe::codec::CodecInfo {
                    $info
                }
            }

            impl<Cx> $crate::describe::codec::Codec<$wire, $model, Cx> for $name {
                fn decode(&self, $w: &$wire) -> Option<$model> {
                    $decode
                }

                fn encode(&self, $m: &$model, _: &Cx) -> Option<$wire> {
                    $encode
                }
            }
        )*
    };
}

/// Declares codecs of which descriptions tell nothing: what each decodes and what it encodes.
macro_rules! plain_codecs {
    ($($(#[$about:meta])* $name:ident: $wire:ty, $model:ty {
        |$w:pat_param| $decode:expr, |$m:pat_param| $encode:expr
    })*) => {
        $crate::describe::codec::codecs! {$(
            $(#[$about])*
            $name: $wire, $model {
                $crate::describe::codec::CodecInfo::default(), |$w| $decode, |$m| $encode
            }
        )*}
    };
}

pub(crate) use {codecs, plain_codecs};

/// The same value on both sides.
#[derive(Clone, Copy, Debug)]
pub struct Same;

impl Describe for Same {}

macro_rules! same {
    ($($wire:ty, $model:ty: |$w:ident| $decode:expr, |$m:ident| $encode:expr;)*) => {
        $(impl<Cx> Codec<$wire, $model, Cx> for Same {
            fn decode(&self, $w: &$wire) -> Option<$model> {
                $decode
            }

            fn encode(&self, $m: &$model, _: &Cx) -> Option<$wire> {
                $encode
            }
        })*
    };
}

same! {
    f64, f64: |wire| Some(*wire), |model| finite(*model);
    i64, i64: |wire| Some(*wire), |model| Some(*model);
    u8, u8: |wire| Some(*wire), |model| Some(*model);
    i64, u32: |wire| u32::try_from(*wire).ok(), |model| Some(i64::from(*model));
    bool, bool: |wire| Some(*wire), |model| Some(*model);
    String, String: |wire| Some(wire.clone()), |model| Some(model.clone());
    String, Arc<str>: |wire| Some(wire.as_str().into()), |model| Some(model.to_string());
    String, PartName: |wire| Some(PartName::of(wire)), |model| Some(model.to_string());
}

/// A number that JSON can hold; -0 becomes 0.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number + 0.0)
}

/// Degrees of a radian.
pub(crate) const DEGREES: f64 = 180.0 / std::f64::consts::PI;

/// Radians within ±π from degrees of any turn.
pub(crate) fn within_half_turn(degrees: f64) -> f64 {
    let turned = degrees.rem_euclid(360.0);
    (if turned > 180.0 { turned - 360.0 } else { turned }).to_radians()
}

/// A number in another unit: on the wire it is the model's times this.
#[derive(Clone, Copy, Debug)]
pub struct Factor(pub f64);

impl Describe for Factor {
    fn info(&self) -> CodecInfo {
        CodecInfo { factor: Some(self.0), ..CodecInfo::default() }
    }
}

impl<Cx> Codec<f64, f64, Cx> for Factor {
    fn decode(&self, wire: &f64) -> Option<f64> {
        // Without the sum 0 would become -0.
        Some(wire / self.0 + 0.0)
    }

    fn encode(&self, model: &f64, _: &Cx) -> Option<f64> {
        finite(model * self.0)
    }
}

impl<Cx> Codec<u8, f64, Cx> for Factor {
    fn decode(&self, wire: &u8) -> Option<f64> {
        Some(f64::from(*wire) / self.0)
    }

    fn encode(&self, model: &f64, _: &Cx) -> Option<u8> {
        Some((model * self.0).round() as u8)
    }
}

/// A number that robots write as an integer.
pub struct Whole<C>(pub C);

impl<C: Describe> Describe for Whole<C> {
    fn info(&self) -> CodecInfo {
        self.0.info()
    }
}

impl<C: Codec<f64, f64, Cx>, Cx> Codec<i64, f64, Cx> for Whole<C> {
    fn decode(&self, wire: &i64) -> Option<f64> {
        self.0.decode(&(*wire as f64))
    }

    fn encode(&self, model: &f64, context: &Cx) -> Option<i64> {
        self.0.encode(model, context).map(|number| number.round() as i64)
    }
}

/// A computed number, rounded to a fraction of its unit: `Rounded(1e4)` to a tenth of a thousandth.
#[derive(Clone, Copy, Debug)]
pub struct Rounded(pub f64);

impl Rounded {
    /// A number, rounded; as it is where it is too large to have such fractions.
    pub fn round(self, number: f64) -> f64 {
        let scaled = number * self.0;
        if scaled.abs() <= EXACT { scaled.round() / self.0 + 0.0 } else { number }
    }
}

impl Describe for Rounded {
    fn info(&self) -> CodecInfo {
        CodecInfo { precision: Some(1.0 / self.0), ..CodecInfo::default() }
    }
}

impl<Cx> Codec<f64, f64, Cx> for Rounded {
    fn decode(&self, wire: &f64) -> Option<f64> {
        Some(*wire)
    }

    fn encode(&self, model: &f64, _: &Cx) -> Option<f64> {
        finite(self.round(*model))
    }
}

/// An angle, rounded likewise.
#[derive(Clone, Copy, Debug)]
pub struct Angle(pub Rounded);

impl Describe for Angle {
    fn info(&self) -> CodecInfo {
        CodecInfo { turn: Some(std::f64::consts::TAU), ..self.0.info() }
    }
}

impl<Cx> Codec<f64, f64, Cx> for Angle {
    fn decode(&self, wire: &f64) -> Option<f64> {
        Some(*wire)
    }

    fn encode(&self, model: &f64, context: &Cx) -> Option<f64> {
        self.0.encode(model, context)
    }
}

/// A word for each value that the dialect knows; read in any case.
#[derive(Debug)]
pub struct Words<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Word> Words<T> {
    /// What a word stands for.
    pub fn meaning(&self, word: &str) -> Option<T> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, of)| *of)
    }

    /// The word for a value.
    pub fn word(&self, of: &T) -> Option<&'static str> {
        self.0.iter().find(|(_, known)| known == of).map(|(word, _)| *word)
    }
}

impl<T: Word> Describe for Words<T> {
    fn info(&self) -> CodecInfo {
        CodecInfo {
            words: self.0.iter().map(|(word, of)| (*word, of.word())).collect(),
            ..CodecInfo::default()
        }
    }
}

/// Numbers that stand for words; of several words of a number the first is meant.
impl<T: Word, Cx> Codec<i64, T, Cx> for Words<T> {
    fn decode(&self, wire: &i64) -> Option<T> {
        self.meaning(&wire.to_string())
    }

    fn encode(&self, model: &T, _: &Cx) -> Option<i64> {
        self.word(model)?.parse().ok()
    }
}

impl<T: Word, Cx> Codec<String, T, Cx> for Words<T> {
    fn decode(&self, wire: &String) -> Option<T> {
        self.meaning(wire)
    }

    fn encode(&self, model: &T, _: &Cx) -> Option<String> {
        self.word(model).map(str::to_owned)
    }
}

codecs! {
    /// Bytes as text; there are some.
    Base64: String, Bytes {
        CodecInfo { examples: vec!["/9j/4A=="], ..CodecInfo::default() },
        |wire| STANDARD.decode(wire.trim()).ok().filter(|bytes| !bytes.is_empty()).map(Bytes::from),
        |model| Some(STANDARD.encode(model))
    }
    /// The numbers of a matrix: all of them, or nothing if one is none or there are none.
    AllNumbers: Vec<f64>, Vec<f64> {
        CodecInfo::default(),
        |wire| Some(wire.clone()),
        // With one of the numbers left out the others would stand in wrong places.
        |model| model.iter().copied().map(finite).collect::<Option<Vec<f64>>>().filter(|all| !all.is_empty())
    }
    /// A flag as 0 or 1.
    Bit: i64, bool {
        CodecInfo { range: Some((0.0, 1.0)), ..CodecInfo::default() },
        |wire| Some(*wire != 0),
        |model| Some(i64::from(*model))
    }
}

/// A flag that is among the words of a list while it holds: its word, and the one for its contrary if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Flag(pub &'static str, pub Option<&'static str>);

impl Describe for Flag {}

impl<Cx> Codec<bool, Vec<Arc<str>>, Cx> for Flag {
    fn decode(&self, wire: &bool) -> Option<Vec<Arc<str>>> {
        let word = if *wire { Some(self.0) } else { self.1 };
        word.map(|word| vec![word.into()])
    }

    fn encode(&self, model: &Vec<Arc<str>>, _: &Cx) -> Option<bool> {
        let has = |word: &str| model.iter().any(|it| **it == *word);
        if has(self.0) { Some(true) } else { self.1.filter(|word| has(word)).map(|_| false) }
    }
}

/// A word that is among those of a list; the first of these that is there is written.
#[derive(Clone, Copy, Debug)]
pub struct OneOf(pub &'static [&'static str]);

impl Describe for OneOf {}

impl<Cx> Codec<String, Vec<Arc<str>>, Cx> for OneOf {
    fn decode(&self, wire: &String) -> Option<Vec<Arc<str>>> {
        Some(vec![wire.as_str().into()])
    }

    fn encode(&self, model: &Vec<Arc<str>>, _: &Cx) -> Option<String> {
        let known = self.0.iter().find(|word| model.iter().any(|it| **it == ***word));
        known.map(|word| (*word).to_owned())
    }
}

/// A list of which the last item is meant.
#[derive(Clone, Copy, Debug)]
pub struct Last<C>(pub C);

impl<C: Describe> Describe for Last<C> {
    fn info(&self) -> CodecInfo {
        self.0.info()
    }
}

impl<C, W, M, Cx> Codec<Vec<W>, Option<M>, Cx> for Last<C>
where
    C: Codec<W, M, Cx>,
{
    fn decode(&self, wire: &Vec<W>) -> Option<Option<M>> {
        Some(wire.last().and_then(|item| self.0.decode(item)))
    }

    fn encode(&self, model: &Option<M>, context: &Cx) -> Option<Vec<W>> {
        Some(model.iter().filter_map(|item| self.0.encode(item, context)).collect())
    }
}

/// A list of one item; of several the first is meant.
#[derive(Clone, Copy, Debug)]
pub struct Only<C>(pub C);

impl<C: Describe> Describe for Only<C> {
    fn info(&self) -> CodecInfo {
        self.0.info()
    }
}

impl<C, W, M, Cx> Codec<Vec<W>, M, Cx> for Only<C>
where
    C: Codec<W, M, Cx>,
{
    fn decode(&self, wire: &Vec<W>) -> Option<M> {
        self.0.decode(wire.first()?)
    }

    fn encode(&self, model: &M, context: &Cx) -> Option<Vec<W>> {
        self.0.encode(model, context).map(|item| vec![item])
    }
}

/// A message inside of a message.
#[derive(Clone, Copy, Debug)]
pub struct Nested;

impl Describe for Nested {}

impl<W, M, Cx> Codec<W, M, Cx> for Nested
where
    W: Translate<Record = M, Context = Cx>,
{
    fn decode(&self, wire: &W) -> Option<M> {
        // What is incomplete inside is as if it were missing.
        wire.decode().map_err(|Incomplete { .. }| ()).ok()
    }

    fn encode(&self, model: &M, context: &Cx) -> Option<W> {
        W::encode(model, context)
    }
}

/// The same for each item of a list; items that have no counterpart are left out.
#[derive(Clone, Copy, Debug)]
pub struct Each<C>(pub C);

impl<C: Describe> Describe for Each<C> {
    fn info(&self) -> CodecInfo {
        self.0.info()
    }
}

impl<C, W, M, Cx> Codec<Vec<W>, Vec<M>, Cx> for Each<C>
where
    C: Codec<W, M, Cx>,
{
    fn decode(&self, wire: &Vec<W>) -> Option<Vec<M>> {
        Some(wire.iter().filter_map(|item| self.0.decode(item)).collect())
    }

    fn encode(&self, model: &Vec<M>, context: &Cx) -> Option<Vec<W>> {
        Some(model.iter().filter_map(|item| self.0.encode(item, context)).collect())
    }
}

impl<C, W: Default, M, Cx, const N: usize> Codec<[W; N], [Option<M>; N], Cx> for Each<C>
where
    C: Codec<W, M, Cx>,
{
    fn decode(&self, wire: &[W; N]) -> Option<[Option<M>; N]> {
        Some(wire.each_ref().map(|item| self.0.decode(item)))
    }

    fn encode(&self, model: &[Option<M>; N], context: &Cx) -> Option<[W; N]> {
        let item = |item: &Option<M>| item.as_ref().and_then(|it| self.0.encode(it, context));
        Some(model.each_ref().map(|it| item(it).unwrap_or_default()))
    }
}

//! Lists, and messages inside of messages.

use super::{Codec, CodecInfo, Describe};
use crate::describe::{Incomplete, Translate};

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
    fn decode(&self, wire: &Vec<W>, context: &Cx) -> Option<Option<M>> {
        Some(wire.last().and_then(|item| self.0.decode(item, context)))
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
    fn decode(&self, wire: &Vec<W>, context: &Cx) -> Option<M> {
        self.0.decode(wire.first()?, context)
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
    fn decode(&self, wire: &W, context: &Cx) -> Option<M> {
        // What is incomplete inside is as if it were missing.
        wire.decode(context).map_err(|Incomplete { .. }| ()).ok()
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
    fn decode(&self, wire: &Vec<W>, context: &Cx) -> Option<Vec<M>> {
        Some(wire.iter().filter_map(|item| self.0.decode(item, context)).collect())
    }

    fn encode(&self, model: &Vec<M>, context: &Cx) -> Option<Vec<W>> {
        Some(model.iter().filter_map(|item| self.0.encode(item, context)).collect())
    }
}

impl<C, W: Default, M, Cx, const N: usize> Codec<[W; N], [Option<M>; N], Cx> for Each<C>
where
    C: Codec<W, M, Cx>,
{
    fn decode(&self, wire: &[W; N], context: &Cx) -> Option<[Option<M>; N]> {
        Some(wire.each_ref().map(|item| self.0.decode(item, context)))
    }

    fn encode(&self, model: &[Option<M>; N], context: &Cx) -> Option<[W; N]> {
        let item = |item: &Option<M>| item.as_ref().and_then(|it| self.0.encode(it, context));
        Some(model.each_ref().map(|it| item(it).unwrap_or_default()))
    }
}

//! Words of the wire for those of the model, and words that are among those of a list.

use std::sync::Arc;

use latimer_core::model::Word;

use super::{Codec, CodecInfo, Describe};

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
    fn decode(&self, wire: &i64, _: &Cx) -> Option<T> {
        self.meaning(&wire.to_string())
    }

    fn encode(&self, model: &T, _: &Cx) -> Option<i64> {
        self.word(model)?.parse().ok()
    }
}

impl<T: Word, Cx> Codec<String, T, Cx> for Words<T> {
    fn decode(&self, wire: &String, _: &Cx) -> Option<T> {
        self.meaning(wire)
    }

    fn encode(&self, model: &T, _: &Cx) -> Option<String> {
        self.word(model).map(str::to_owned)
    }
}

/// A flag that is among the words of a list while it holds: its word, and the one for its contrary if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Flag(pub &'static str, pub Option<&'static str>);

impl Describe for Flag {}

impl<Cx> Codec<bool, Vec<Arc<str>>, Cx> for Flag {
    fn decode(&self, wire: &bool, _: &Cx) -> Option<Vec<Arc<str>>> {
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
    fn decode(&self, wire: &String, _: &Cx) -> Option<Vec<Arc<str>>> {
        Some(vec![wire.as_str().into()])
    }

    fn encode(&self, model: &Vec<Arc<str>>, _: &Cx) -> Option<String> {
        let known = self.0.iter().find(|word| model.iter().any(|it| **it == ***word));
        known.map(|word| (*word).to_owned())
    }
}

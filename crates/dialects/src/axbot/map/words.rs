//! Words of the wire beside those of the model.

/// The word for something of the model.
pub(super) fn word_of<T: PartialEq>(words: &[(&'static str, T)], of: &T) -> Option<&'static str> {
    words.iter().find(|(_, known)| known == of).map(|(word, _)| *word)
}

/// What a word stands for.
pub(super) fn meaning_of<T: Clone>(words: &[(&'static str, T)], word: &str) -> Option<T> {
    words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, of)| of.clone())
}

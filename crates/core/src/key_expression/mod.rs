//! Key expressions, as in Zenoh: which keys `robot/kind[/part]` are meant.
//!
//! A key is chunks with `/` between them. In an expression the chunk `*` stands for any one chunk, `**` for any number of them, and `$*`
//! within a chunk for any number of characters. Two expressions that mean the same are spelled the same: `**` is never doubled and
//! stands behind the `*` beside it, and `$*` never stands alone. Chunks that begin with `@` are chunks as others are.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Why a text is no key expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Two slashes in a row, or one at an end.
    #[error("there is nothing before, between or after its slashes")]
    EmptyChunk,
    /// A character that is left for other uses.
    #[error("`#` and `?` may not be in it")]
    Reserved,
    /// A dollar that is not the one of `$*`.
    #[error("`$` may only be in `$*`")]
    Dollar,
    /// A star that is not a chunk by itself.
    #[error("`*` and `**` stand alone between slashes; within a word it is `$*`")]
    StarInChunk,
    /// Another spelling is the canonical one.
    #[error("the same is spelled otherwise: no `**/**`, `**/*`, `$*$*` and no `$*` alone")]
    NotCanonical,
}

/// A key expression that is kept.
///
/// ```
/// use latimer_core::key_expression::{Key, KeyExpression};
///
/// let ranges = KeyExpression::new("*/range/**")?;
/// assert!(ranges.includes(Key::new("rover-1/range/front")?));
/// assert!(ranges.intersects(Key::new("rover-1/**")?) && !ranges.includes(Key::new("rover-1/**")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyExpression(Arc<str>);

/// A key expression in a borrowed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key<'a>(&'a str);

impl KeyExpression {
    /// A canonical expression.
    pub fn new(text: impl AsRef<str>) -> Result<Self, KeyError> {
        Key::new(text.as_ref()).map(|key| Self(key.0.into()))
    }

    /// An expression in any spelling.
    pub fn canonical(text: &str) -> Result<Self, KeyError> {
        let mut chunks: Vec<String> = Vec::new();
        for chunk in text.split('/') {
            let mut chunk = chunk.to_owned();
            while chunk.contains("$*$*") {
                chunk = chunk.replace("$*$*", "$*");
            }
            let chunk = if chunk == "$*" { "*".to_owned() } else { chunk };
            // `**` moves behind each `*` that follows it.
            match (chunks.last().map(String::as_str), chunk.as_str()) {
                (Some("**"), "**") => {}
                (Some("**"), "*") => chunks.insert(chunks.len() - 1, chunk),
                _ => chunks.push(chunk),
            }
        }
        Self::new(chunks.join("/"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same, borrowed.
    pub fn as_key(&self) -> Key<'_> {
        Key(&self.0)
    }

    /// Whether every key that the other means is meant.
    pub fn includes(&self, other: Key<'_>) -> bool {
        self.as_key().includes(other)
    }

    /// Whether there is a key that both mean.
    pub fn intersects(&self, other: Key<'_>) -> bool {
        self.as_key().intersects(other)
    }
}

impl<'a> Key<'a> {
    /// A canonical expression.
    pub fn new(text: &'a str) -> Result<Self, KeyError> {
        let mut before = "";
        for chunk in text.split('/') {
            check(chunk)?;
            if before == "**" && matches!(chunk, "*" | "**") {
                return Err(KeyError::NotCanonical);
            }
            before = chunk;
        }
        Ok(Self(text))
    }

    /// The text.
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// Whether every key that the other means is meant.
    pub fn includes(self, other: Key<'_>) -> bool {
        if !self.0.contains('*') {
            return self.0 == other.0;
        }
        let (own, others): (Vec<_>, Vec<_>) = (self.0.split('/').collect(), other.0.split('/').collect());
        includes(&own, &others, |it| *it == "**", chunk_includes)
    }

    /// Whether there is a key that both mean.
    pub fn intersects(self, other: Key<'_>) -> bool {
        match (self.0.contains('*'), other.0.contains('*')) {
            (false, false) => self.0 == other.0,
            (_, false) => self.includes(other),
            (false, true) => other.includes(self),
            (true, true) => {
                let own: Vec<_> = self.0.split('/').collect();
                let others: Vec<_> = other.0.split('/').collect();
                intersect(&own, &others, |it| *it == "**", chunks_intersect)
            }
        }
    }
}

/// Whether a chunk may stand in a canonical expression.
fn check(chunk: &str) -> Result<(), KeyError> {
    if chunk.is_empty() {
        return Err(KeyError::EmptyChunk);
    }
    if chunk.contains(['#', '?']) {
        return Err(KeyError::Reserved);
    }
    if matches!(chunk, "*" | "**") || !chunk.contains(['*', '$']) {
        return Ok(());
    }
    if chunk == "$*" || chunk.contains("$*$*") {
        return Err(KeyError::NotCanonical);
    }
    let literal = chunk.replace("$*", "");
    match (literal.contains('$'), literal.contains('*')) {
        (true, _) => Err(KeyError::Dollar),
        (_, true) => Err(KeyError::StarInChunk),
        _ => Ok(()),
    }
}

fn chunk_includes(own: &&str, other: &&str) -> bool {
    match (*own, *other) {
        (_, "**") => false,
        ("*", _) => true,
        (_, "*") => false,
        (own, other) if !own.contains('$') => own == other,
        (own, other) => includes(&characters(own), &characters(other), Option::is_none, |a, b| a == b),
    }
}

fn chunks_intersect(own: &&str, other: &&str) -> bool {
    match (*own, *other) {
        ("*", _) | (_, "*") => true,
        (own, other) if !own.contains('$') && !other.contains('$') => own == other,
        (own, other) => intersect(&characters(own), &characters(other), Option::is_none, |a, b| a == b),
    }
}

/// The characters of a chunk; `None` for each `$*`.
fn characters(chunk: &str) -> Vec<Option<char>> {
    let mut all = Vec::with_capacity(chunk.len());
    for (i, literal) in chunk.split("$*").enumerate() {
        all.extend((i > 0).then_some(None));
        all.extend(literal.chars().map(Some));
    }
    all
}

/// Whether `own`, in which some items stand for any number of items, takes in all of `others`; in at most as many steps as the
/// product of their lengths.
fn includes<T>(
    own: &[T],
    others: &[T],
    is_many: impl Fn(&T) -> bool,
    meets: impl Fn(&T, &T) -> bool,
) -> bool {
    let (mut i, mut j) = (0, 0);
    // Of several items that stand for many, the last alone has to be tried with more.
    let mut retry: Option<(usize, usize)> = None;
    while let Some(other) = others.get(j) {
        match own.get(i) {
            Some(it) if is_many(it) => {
                i += 1;
                retry = Some((i, j));
            }
            Some(it) if !is_many(other) && meets(it, other) => (i, j) = (i + 1, j + 1),
            _ => match &mut retry {
                Some((after, from)) => {
                    *from += 1;
                    (i, j) = (*after, *from);
                }
                None => return false,
            },
        }
    }
    own.iter().skip(i).all(is_many)
}

/// Whether two such sequences have something in common; in as many steps as the product of their lengths.
fn intersect<T>(
    own: &[T],
    others: &[T],
    is_many: impl Fn(&T) -> bool,
    meets: impl Fn(&T, &T) -> bool,
) -> bool {
    // `row[j]`: whether what is left of `own` and `others[j..]` have something in common.
    let mut row = vec![false; others.len() + 1];
    for i in (0..=own.len()).rev() {
        let mut next = vec![false; others.len() + 1];
        for j in (0..=others.len()).rev() {
            next[j] = match (own.get(i), others.get(j)) {
                (None, None) => true,
                (Some(it), other) if is_many(it) => row[j] || (other.is_some() && next[j + 1]),
                (it, Some(other)) if is_many(other) => next[j + 1] || (it.is_some() && row[j]),
                (Some(it), Some(other)) => meets(it, other) && row[j + 1],
                _ => false,
            };
        }
        row = next;
    }
    row[0]
}

impl Deref for KeyExpression {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;

//! A set of kinds in one word, cheap enough to be asked at every step of a simulation.

use super::Kind;

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindSet(u64);

// A bit for each kind.
const _: () = assert!(Kind::ALL.len() <= 64);

impl KindSet {
    /// No kind.
    pub const NONE: Self = Self(0);

    /// Every kind.
    pub const ALL: Self = Self(u64::MAX);

    /// Whether a kind is in it.
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 >> (kind as u32) & 1 == 1
    }

    /// The same with one more kind.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << (kind as u32))
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether nothing is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Kind> for KindSet {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_bit_of_its_own() {
        for &kind in Kind::ALL {
            let one: KindSet = [kind].into_iter().collect();
            let inside: Vec<Kind> = Kind::ALL.iter().copied().filter(|it| one.contains(*it)).collect();
            assert_eq!(inside, [kind]);
        }
    }
}

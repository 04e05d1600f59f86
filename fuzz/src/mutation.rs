//! Mutations of seeds, the same in every run.

/// A generator of numbers: splitmix64.
#[derive(Clone, Debug)]
pub struct Mutator {
    state: u64,
}

/// Longest mutation, bytes.
const LONGEST: usize = 1 << 14;

/// Bytes that parsers treat in a way of their own.
const TELLING: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\"",
    b"'",
    b"{",
    b"}",
    b"[",
    b"]",
    b"<",
    b">",
    b"/",
    b"\\",
    b"%",
    b"=",
    b",",
    b":",
    b"\n",
    b"\r\n",
    b" ",
    b"-",
    b"0",
    b"1e308",
    b"-1e308",
    b"NaN",
    b"null",
    b"true",
    b"9223372036854775808",
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x80",
    b"\xef\xbf\xbd",
    b"\xed\xa0\x80",
    b"\xf0\x9f\xa4\x96",
];

impl Mutator {
    /// One whose mutations follow from a number.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which may be 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % (end.max(1) as u64)) as usize
    }

    /// A few changes to one of some inputs.
    pub fn mutation(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let chosen = self.below(seeds.len());
        let mut bytes = seeds.get(chosen).cloned().unwrap_or_default();
        for _ in 0..=self.below(4) {
            self.change(&mut bytes, seeds);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(bytes.len());
        let end = bytes.len().min(at + 1 + self.below(16));
        match self.below(9) {
            0 => {
                let bit = self.below(8);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
            }
            1 => {
                let new = self.next() as u8;
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = new);
            }
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at.min(end)..end)),
            4 => {
                let piece = bytes.get(at..end).unwrap_or_default().repeat(1 + self.below(8));
                bytes.splice(at..at, piece);
            }
            5 => {
                let telling = self.below(TELLING.len());
                bytes.splice(at..at, TELLING.get(telling).copied().unwrap_or_default().iter().copied());
            }
            6 => {
                let telling = self.below(TELLING.len());
                bytes.splice(
                    at.min(end)..end,
                    TELLING.get(telling).copied().unwrap_or_default().iter().copied(),
                );
            }
            7 => {
                let other = self.below(seeds.len());
                let other = seeds.get(other).map(Vec::as_slice).unwrap_or_default();
                let from = self.below(other.len());
                bytes.truncate(at);
                bytes.extend_from_slice(other.get(from..).unwrap_or_default());
            }
            _ => {
                let piece = bytes.get(at..end).unwrap_or_default().to_vec();
                let to = self.below(bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_are_the_same_in_every_run_and_differ_from_their_seeds() {
        let seeds = [b"{\"a\": 1}".to_vec(), b"<a></a>".to_vec()];
        let run = || {
            let mut mutator = Mutator::new(7);
            (0..1000).map(|_| mutator.mutation(&seeds)).collect::<Vec<_>>()
        };
        let mutations = run();
        assert_eq!(mutations, run());
        let other = mutations.iter().filter(|it| !seeds.contains(it)).count();
        assert!(other > 800, "{other} of 1000 are new");
    }

    #[test]
    fn no_seed_is_no_problem() {
        let mut mutator = Mutator::new(7);
        for _ in 0..100 {
            mutator.mutation(&[]);
        }
    }
}

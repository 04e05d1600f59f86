//! Made-up records for tests: the lists of fields that declare the records make them, so that a new kind has samples by itself.

use std::sync::Arc;
use std::time::Duration;

use super::Value;
use crate::clock::Timestamp;

/// Numbers that break naive arithmetic.
const STRANGE: [f64; 7] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, -0.0, 5e-324];

/// Most items of a list.
const MOST_ITEMS: usize = 4;

/// What made-up values come from: the same number makes the same values.
#[derive(Clone, Debug)]
pub struct Seed {
    state: u64,
    /// Numbers are finite.
    is_plain: bool,
}

/// Something that can be made up.
pub trait Sample: Sized {
    /// The next one.
    fn sample(seed: &mut Seed) -> Self;
}

impl Seed {
    /// Begins with a number.
    pub const fn new(number: u64) -> Self {
        Self { state: number, is_plain: false }
    }

    /// The same for numbers that are finite, as robots should send them.
    pub const fn plain(number: u64) -> Self {
        Self { state: number, is_plain: true }
    }

    /// The next number, of all (SplitMix64).
    pub const fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// One of some.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Whether something happens that does once in `times`.
    const fn is_one_in(&mut self, times: u64) -> bool {
        self.number().is_multiple_of(times)
    }
}

macro_rules! sample {
    ($($type:ty => |$seed:ident| $value:expr;)*) => {
        $(impl Sample for $type {
            fn sample($seed: &mut Seed) -> Self {
                $value
            }
        })*
    };
}

sample! {
    bool => |seed| seed.is_one_in(2);
    f64 => |seed| match seed.below(3) {
        _ if seed.is_plain => (seed.number() % 20_000) as f64 / 100.0 - 100.0,
        0 => seed.one_of(&STRANGE),
        1 => f64::from_bits(seed.number()),
        _ => (seed.number() % 20_000) as f64 / 100.0 - 100.0,
    };
    f32 => |seed| f64::sample(seed) as f32;
    i64 => |seed| seed.number().cast_signed();
    // Sizes, mostly: of a picture with more pixels than there is memory nothing is learned.
    u32 => |seed| (seed.number() % 8) as u32;
    u8 => |seed| (seed.number() % 256) as u8;
    String => |seed| seed.one_of(&["", "x", "front_left", "Küche", "\u{0}", "{\"a\":1}", "nan"]).to_owned();
    Arc<str> => |seed| String::sample(seed).into();
    Timestamp => |seed| Timestamp::from_nanos(i64::sample(seed));
    Duration => |seed| Duration::from_millis(seed.number() % 100_000);
    Value => |seed| Value::Text(String::sample(seed).into());
    bytes::Bytes => |seed| Vec::<u8>::sample(seed).into();
}

impl<T: Sample> Sample for Option<T> {
    fn sample(seed: &mut Seed) -> Self {
        (!seed.is_one_in(5)).then(|| T::sample(seed))
    }
}

impl<T: Sample> Sample for Vec<T> {
    fn sample(seed: &mut Seed) -> Self {
        (0..seed.below(MOST_ITEMS + 1)).map(|_| T::sample(seed)).collect()
    }
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(seed: &mut Seed) -> Self {
        std::array::from_fn(|_| T::sample(seed))
    }
}

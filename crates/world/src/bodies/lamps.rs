//! Coloured lamps of a body.

use latimer_core::model::Kind;
use latimer_core::model::signal::Lamp;
use latimer_core::{Outcome, PartName};

use super::moment::Moment;

/// Steps between two reports of a lamp that shows what it showed: 1 s.
const PERIOD: u64 = 100;

/// A lamp: its name, and where it shines from: forward, left, up in the chassis's axes, metres.
pub(super) type LampPlace = (&'static str, [f64; 3]);

/// A light that a robot shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glow {
    /// Forward, left, up in the chassis's axes, metres.
    pub at_m: [f64; 3],
    /// Its colour.
    pub rgb: [u8; 3],
}

/// So many lamps, dark at first.
pub(super) struct Lamps<const N: usize> {
    places: [LampPlace; N],
    lamps: [(PartName, [u8; 3]); N],
    published: [Option<[u8; 3]>; N],
}

impl<const N: usize> Lamps<N> {
    pub(super) fn new(places: [LampPlace; N]) -> Self {
        Self { places, lamps: places.map(|(name, _)| (PartName::of(name), [0; 3])), published: [None; N] }
    }

    /// The lamps that are on.
    pub(super) fn glows(&self) -> Vec<Glow> {
        let shown =
            self.places.iter().zip(&self.lamps).map(|((_, at_m), (_, rgb))| Glow { at_m: *at_m, rgb: *rgb });
        shown.filter(|glow| glow.rgb != [0; 3]).collect()
    }

    /// Gives a lamp a colour, or all of them.
    pub(super) fn set(&mut self, part: Option<&PartName>, rgb: [u8; 3]) -> Result<(), Outcome> {
        let mut found = false;
        for (name, shown) in &mut self.lamps {
            if part.is_none_or(|part| part == name) {
                *shown = rgb;
                found = true;
            }
        }
        if found {
            return Ok(());
        }
        let part = part.map(PartName::as_str).unwrap_or_default();
        let known: Vec<&str> = self.lamps.iter().map(|(name, _)| name.as_str()).collect();
        Err(Outcome::bad_argument(format!("no lamp {part}; there are: {}", known.join(", "))))
    }

    /// Reports changes at once.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        let due = now.due(Kind::Lamp, PERIOD);
        for ((name, shown), published) in self.lamps.iter().zip(&mut self.published) {
            if due || *published != Some(*shown) {
                *published = Some(*shown);
                let [red, green, blue] = *shown;
                now.reports.of(name, Lamp { red, green, blue });
            }
        }
    }
}

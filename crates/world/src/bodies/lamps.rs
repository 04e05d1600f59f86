//! Coloured lamps of a body.

use latimer_core::model::Kind;
use latimer_core::model::signal::Lamp;
use latimer_core::{Outcome, PartName};

use super::moment::Moment;

/// Steps between two reports of a lamp that shows what it showed: 1 s.
const PERIOD: u64 = 100;

/// So many lamps, dark at first.
pub(super) struct Lamps<const N: usize> {
    lamps: [(PartName, [u8; 3]); N],
    published: [Option<[u8; 3]>; N],
}

impl<const N: usize> Lamps<N> {
    pub(super) fn new(names: [&str; N]) -> Self {
        Self { lamps: names.map(|name| (PartName::of(name), [0; 3])), published: [None; N] }
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

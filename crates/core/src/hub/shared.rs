//! An update on its way to many: what is derived from it is computed once and shared.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use smallvec::SmallVec;

use super::meter::Meter;
use crate::model::Update;

type Cell = Arc<OnceLock<Arc<dyn Any + Send + Sync>>>;

/// Which derivation: the dialect, and which of its forms, e.g. `("misty", "Current")`.
type Form = (&'static str, Box<str>);

/// An [`Update`] with a memory of its encodings: one per (update, dialect, variant), however many
/// subscribers there are.
pub struct Shared {
    update: Update,
    sequence: u64,
    derived: Mutex<SmallVec<[(Form, Cell); 2]>>,
    /// Where the time that deriving takes is counted, if anywhere.
    meter: Option<Arc<Meter>>,
}

impl Shared {
    /// Wraps an update; `sequence` grows with each update of the same key.
    pub fn new(update: Update, sequence: u64) -> Self {
        Self { update, sequence, derived: Mutex::default(), meter: None }
    }

    /// The same with the time that deriving takes counted.
    pub(super) fn metered(update: Update, sequence: u64, meter: Arc<Meter>) -> Self {
        Self { meter: Some(meter), ..Self::new(update, sequence) }
    }

    /// Number of this update among those of its key.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// What `derive` makes of this update, computed by the first who asks.
    ///
    /// The first word of `dialect` names the dialect to which the hub's totals count the time it takes.
    /// Others who ask meanwhile wait for it. `derive` may ask for another form of the same update.
    pub fn derived<T: Any + Send + Sync>(
        &self,
        dialect: &'static str,
        form: &str,
        derive: impl FnOnce(&Update) -> T,
    ) -> Arc<T> {
        let cell = {
            let mut cells = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
            match cells.iter().find(|((of, known), _)| *of == dialect && **known == *form) {
                Some((_, cell)) => cell.clone(),
                None => {
                    let cell = Cell::default();
                    cells.push(((dialect, form.into()), cell.clone()));
                    cell
                }
            }
        };
        let mut derive = Some(derive);
        let value = cell.get_or_init(|| match derive.take() {
            Some(derive) => self.timed(dialect, || Arc::new(derive(&self.update))),
            None => Arc::new(()),
        });
        match value.clone().downcast::<T>() {
            Ok(value) => value,
            Err(_) => unreachable!("{dialect}/{form} is asked for as two types"),
        }
    }

    fn timed<T>(&self, dialect: &'static str, derive: impl FnOnce() -> T) -> T {
        let Some(meter) = &self.meter else { return derive() };
        let began = meter.now();
        let derived = derive();
        meter.encoded(dialect, began);
        derived
    }
}

impl Deref for Shared {
    type Target = Update;

    fn deref(&self) -> &Update {
        &self.update
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("update", &self.update).field("sequence", &self.sequence).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::model::signal::Range;
    use crate::{RobotId, Timestamp};

    fn shared() -> Shared {
        let robot = RobotId::new("r").unwrap();
        Shared::new(Update::now(&robot, Timestamp::default(), Range::valid(1.0).into()), 0)
    }

    #[test]
    fn a_thousand_askers_cost_one_encoding() {
        let update = shared();
        let encodings = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..125 {
                        let text = update.derived("misty", "Current", |update| {
                            encodings.fetch_add(1, Ordering::Relaxed);
                            update.key()
                        });
                        assert_eq!(*text, "r/range");
                    }
                });
            }
        });
        assert_eq!(encodings.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn one_form_may_be_derived_from_another() {
        let update = shared();
        let length =
            update.derived("misty", "length", |_| update.derived("misty", "text", Update::key).len());
        assert_eq!(*length, 7);
    }
}

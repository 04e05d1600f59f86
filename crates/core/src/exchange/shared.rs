//! An update on its way to many: what is derived from it is computed once and shared.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use smallvec::SmallVec;

use super::meter::Meter;
use super::topic::TopicName;
use crate::clock::Timestamp;
use crate::limits::MAX_ENCODINGS_PER_UPDATE;
use crate::model::Update;

/// A form that updates are encoded in: what of it must be equal so that an encoding can be shared, and what comes of it.
pub trait Encoding: PartialEq + Send + Sync + 'static {
    /// The dialect to which the hub's totals count the time that encoding takes.
    const DIALECT: &'static str;
    /// What an update becomes.
    type Output: Send + Sync + 'static;
}

/// An update in one form, once it was requested.
struct Cell<F: Encoding> {
    form: F,
    value: OnceLock<Arc<F::Output>>,
}

/// An [`Update`] with a memory of its encodings: one per (update, form), however many subscribers there are.
pub struct Shared {
    update: Update,
    sequence: u64,
    /// Of which topic, and when it was published, if it came through a hub.
    topic: Option<(Arc<TopicName>, Timestamp)>,
    /// Each a [`Cell`].
    derived: Mutex<SmallVec<[Arc<dyn Any + Send + Sync>; 2]>>,
    /// Where the time that deriving takes is counted, if anywhere.
    meter: Option<Arc<Meter>>,
}

impl Shared {
    /// Wraps an update; `sequence` grows with each update of the same key.
    pub fn new(update: Update, sequence: u64) -> Self {
        Self { update, sequence, topic: None, derived: Mutex::default(), meter: None }
    }

    /// The same of a topic of the hub, with the time that deriving takes counted.
    pub(super) fn of_topic(
        update: Update,
        sequence: u64,
        topic: Arc<TopicName>,
        now: Timestamp,
        meter: Arc<Meter>,
    ) -> Self {
        Self { topic: Some((topic, now)), meter: Some(meter), ..Self::new(update, sequence) }
    }

    /// The topic that it is an update of, and when it was published, if it came through a hub.
    pub(super) fn topic(&self) -> Option<(&Arc<TopicName>, Timestamp)> {
        self.topic.as_ref().map(|(topic, published)| (topic, *published))
    }

    /// Number of this update among those of its key.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// What `derive` makes of this update in a form, computed on the first request.
    ///
    /// Concurrent requests wait for it. `derive` may ask for another form of the same update.
    pub fn derived<F: Encoding>(&self, form: F, derive: impl FnOnce(&Update) -> F::Output) -> Arc<F::Output> {
        let derive = || self.timed(F::DIALECT, || Arc::new(derive(&self.update)));
        match self.cell(form) {
            Some(cell) => cell.value.get_or_init(derive).clone(),
            None => derive(),
        }
    }

    /// Where this form is kept; `None` if there is no room for one more.
    fn cell<F: Encoding>(&self, form: F) -> Option<Arc<Cell<F>>> {
        let mut cells = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        let of_form = cells.iter().filter_map(|cell| cell.clone().downcast::<Cell<F>>().ok());
        if let Some(known) = of_form.into_iter().find(|cell| cell.form == form) {
            return Some(known);
        }
        if cells.len() >= MAX_ENCODINGS_PER_UPDATE {
            return None;
        }
        let cell = Arc::new(Cell { form, value: OnceLock::new() });
        cells.push(cell.clone());
        Some(cell)
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

    #[derive(PartialEq)]
    struct Text(u8);

    impl Encoding for Text {
        const DIALECT: &'static str = "test";
        type Output = String;
    }

    #[derive(PartialEq)]
    struct Length;

    impl Encoding for Length {
        const DIALECT: &'static str = "test";
        type Output = usize;
    }

    #[test]
    fn a_thousand_askers_cost_one_encoding() {
        let update = shared();
        let encodings = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..125 {
                        let text = update.derived(Text(0), |update| {
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
        let length = update.derived(Length, |_| update.derived(Text(0), Update::key).len());
        assert_eq!(*length, 7);
    }

    #[test]
    fn forms_beyond_the_bound_are_derived_and_not_kept() {
        let update = shared();
        for form in 0..=u8::MAX {
            assert_eq!(*update.derived(Text(form), |_| form.to_string()), form.to_string());
        }
        assert_eq!(update.derived.lock().unwrap().len(), MAX_ENCODINGS_PER_UPDATE);
        assert_eq!(*update.derived(Text(0), |_| "new".to_owned()), "0", "it was kept");
        assert_eq!(*update.derived(Text(255), |_| "new".to_owned()), "new");
    }
}

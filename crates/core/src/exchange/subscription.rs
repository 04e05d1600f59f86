//! A subscription of a sink. Every dialect translates its own subscriptions into this one.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{Filter, ModelView, Selection, Shared, View};
use crate::model::{Path, Value};

/// Names one subscription within this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubscriptionId(u64);

impl SubscriptionId {
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What an interval between deliveries applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// To each key on its own, as `ros2 topic` and throttles do.
    #[default]
    PerKey,
    /// To the subscription as a whole: keys take turns, each with its most recent update.
    PerSubscription,
}

/// How much a subscription demands of the robots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DemandLevel {
    /// Publish at the full rate.
    #[default]
    Full,
    /// Publish; a state without any other subscriber is published about once a second.
    Slow,
    /// No demand: deliver only what other subscriptions demand.
    None,
}

/// Selection, filter, least time between deliveries, picked fields.
///
/// ```
/// use std::time::Duration;
///
/// use latimer_core::hub::Subscription;
///
/// let near = Subscription {
///     filter: "distance_m < 0.3".parse()?,
///     every: Duration::from_millis(250),
///     ..Subscription::to("rover-1/range".parse()?)
/// };
/// assert_eq!(near.to_string(), "rover-1/range every 250ms where distance_m < 0.3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Subscription {
    /// The updates.
    pub select: Selection,
    /// Conditions on values.
    pub filter: Filter,
    /// Least time between deliveries; zero delivers every change.
    pub every: Duration,
    /// What `every` applies to.
    pub pace: Pace,
    /// Deliver the last state again after `every` though nothing changed; needs `every` above zero.
    pub repeat: bool,
    /// Queue states like events, instead of keeping the latest for a slow reader.
    pub every_change: bool,
    /// Begin with the last states and newest frames that exist already; events from before never come.
    pub initial: bool,
    /// What it demands of the robots.
    pub demand: DemandLevel,
    /// Whether what is derived is demanded, too; who follows a robot of its own family has no use for it.
    pub derived: bool,
    /// Only these fields; all if empty.
    pub pick: Vec<Path>,
    /// The names that conditions and picked fields use.
    pub view: Arc<dyn View>,
}

impl Subscription {
    /// Every update of a selection, at once.
    pub fn to(select: Selection) -> Self {
        Self {
            select,
            filter: Filter::default(),
            every: Duration::ZERO,
            pace: Pace::PerKey,
            repeat: false,
            every_change: false,
            initial: true,
            demand: DemandLevel::Full,
            derived: true,
            pick: Vec::new(),
            view: Arc::new(ModelView),
        }
    }

    /// The values that the filter's conditions look at, in their order.
    pub(crate) fn values(&self, update: &Shared) -> Vec<Option<Value>> {
        self.filter.conditions().iter().map(|condition| self.view.value(update, &condition.path)).collect()
    }
}

/// For people: `rover-1/imu every 250ms where imu.orientation exists`.
impl fmt::Display for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.select.in_short())?;
        if !self.every.is_zero() {
            write!(f, " every {:?}", self.every)?;
        }
        if !self.filter.conditions().is_empty() {
            write!(f, " where {}", self.filter)?;
        }
        for (i, path) in self.pick.iter().enumerate() {
            write!(f, "{}{path}", if i == 0 { " pick " } else { "," })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription")
            .field("select", &format_args!("{}", self.select))
            .field("filter", &format_args!("{}", self.filter))
            .field("every", &self.every)
            .field("pace", &self.pace)
            .field("repeat", &self.repeat)
            .field("every_change", &self.every_change)
            .field("initial", &self.initial)
            .field("demand", &self.demand)
            .field("derived", &self.derived)
            .field("pick", &self.pick)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_it_was_asked_for() {
        let mut subscription = Subscription::to("rover-1/imu, */range/front".parse().unwrap());
        assert_eq!(subscription.to_string(), "rover-1/imu,*/range/front");
        subscription.every = Duration::from_millis(250);
        subscription.filter = "range.distance_m<0.3 and part != back && face.label exists".parse().unwrap();
        subscription.pick = vec!["distance_m".parse().unwrap(), "part".parse().unwrap()];
        let text = subscription.to_string();
        let conditions = "where range.distance_m < 0.3 and part != back and face.label exists";
        assert_eq!(text, format!("rover-1/imu,*/range/front every 250ms {conditions} pick distance_m,part"));
    }
}

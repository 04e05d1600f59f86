//! Who follows what, indexed by the key expressions that are followed: each distinct one is matched once, however many
//! subscriptions spell it.
//!
//! ```text
//! subscribe ──▶ expression (counted) ──first of its mailbox──▶ routes of the topics that it includes
//!                      └── first or last that needs something ──▶ demand, a snapshot for sources
//! ```

use std::ops::Bound;
use std::sync::Arc;

use crate::key_expression::{Key, KeyExpression};
use foldhash::HashMap;

use super::mailbox::Mailbox;
use super::topic::Topic;
use super::{DemandLevel, Selection, Subscription, Topics};
use crate::model::{Kind, KindSet};

/// Kinds of which an update means nothing without those before it: sources start anew for each new subscriber.
const INCREMENTAL: [Kind; 1] = [Kind::Video];

/// One expression with demand.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    pub(super) expression: KeyExpression,
    /// The kinds that it may select, of any robot.
    pub(super) kinds: KindSet,
    /// It is subscribed to at full rate.
    pub(super) full: bool,
    /// What the gateway derives is demanded, too.
    pub(super) derived: bool,
}

/// One expression and its subscribers.
struct Expression {
    kinds: KindSet,
    /// Subscriptions that demand it closely, and now and then.
    full: usize,
    slow: usize,
    /// Those of them that demand what is derived.
    derived: usize,
    /// Subscriptions of each mailbox, by its address.
    mailboxes: HashMap<usize, (Arc<Mailbox>, usize)>,
}

impl Expression {
    /// The demand that sources see: at full rate, or slow; and whether what is derived is demanded.
    const fn needed(&self) -> (bool, bool, bool) {
        (self.full > 0, self.slow > 0, self.derived > 0)
    }

    /// Counts the subscriptions of one demand by `change`; whether sources must look again.
    fn count(&mut self, demand: Needs, change: impl Fn(usize) -> usize) -> DemandChanged {
        let before = self.needed();
        let Needs { level, derived } = demand;
        match level {
            DemandLevel::Full => self.full = change(self.full),
            DemandLevel::Slow => self.slow = change(self.slow),
            DemandLevel::None => {}
        }
        if derived && level != DemandLevel::None {
            self.derived = change(self.derived);
        }
        before != self.needed()
    }
}

/// What a subscription demands.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    level: DemandLevel,
    derived: bool,
}

impl Needs {
    pub(super) const fn of(subscription: &Subscription) -> Self {
        Self { level: subscription.demand, derived: subscription.derived }
    }
}

/// The index; changes are serialised by the hub.
#[derive(Default)]
pub(super) struct Interests(HashMap<KeyExpression, Expression>);

/// Whether sources must look at what they are asked for.
type DemandChanged = bool;

fn address(mailbox: &Arc<Mailbox>) -> usize {
    Arc::as_ptr(mailbox).addr()
}

impl Interests {
    /// Adds a subscription; `topics` are those that are there.
    pub(super) fn add(
        &mut self,
        mailbox: &Arc<Mailbox>,
        select: &Selection,
        demand: Needs,
        topics: &Topics,
    ) -> DemandChanged {
        let mut changed = false;
        for expression in select.expressions() {
            let known = self.0.entry(expression.clone()).or_insert_with(|| Expression {
                kinds: Selection::of(expression.clone()).kinds(),
                full: 0,
                slow: 0,
                derived: 0,
                mailboxes: HashMap::default(),
            });
            changed |= known.count(demand, |count| count + 1);
            changed |= demand.level == DemandLevel::Full
                && INCREMENTAL.iter().any(|kind| known.kinds.contains(*kind));
            let (_, count) = known.mailboxes.entry(address(mailbox)).or_insert_with(|| (mailbox.clone(), 0));
            *count += 1;
            if *count == 1 {
                included(topics, expression.as_key()).for_each(|topic| topic.add_route(mailbox));
            }
        }
        changed
    }

    /// Takes out a subscription.
    pub(super) fn remove(
        &mut self,
        mailbox: &Arc<Mailbox>,
        select: &Selection,
        demand: Needs,
        topics: &Topics,
    ) -> DemandChanged {
        let mut changed = false;
        for expression in select.expressions() {
            let Some(known) = self.0.get_mut(expression) else { continue };
            changed |= known.count(demand, |count| count.saturating_sub(1));
            if let Some((_, count)) = known.mailboxes.get_mut(&address(mailbox)) {
                *count -= 1;
                if *count == 0 {
                    known.mailboxes.remove(&address(mailbox));
                    included(topics, expression.as_key()).for_each(|topic| topic.remove_route(mailbox));
                }
            }
            if known.mailboxes.is_empty() {
                self.0.remove(expression);
            }
        }
        changed
    }

    /// Gives a new topic its routes.
    pub(super) fn route(&self, topic: &Topic) {
        let includes =
            |(expression, _): &(&KeyExpression, &Expression)| expression.includes(topic.name.key.as_key());
        for (_, known) in self.0.iter().filter(includes) {
            known.mailboxes.values().for_each(|(mailbox, _)| topic.add_route(mailbox));
        }
    }

    /// Subscribers to anything below a key expression, each once.
    pub(super) fn followers(&self, below: Key<'_>) -> Vec<Arc<Mailbox>> {
        let touching = self.0.iter().filter(|(expression, _)| expression.intersects(below));
        let all: HashMap<usize, &Arc<Mailbox>> = touching
            .flat_map(|(_, known)| known.mailboxes.iter())
            .map(|(address, (mailbox, _))| (*address, mailbox))
            .collect();
        all.into_values().cloned().collect()
    }

    /// What sources are asked for.
    pub(super) fn demand(&self) -> Vec<Demand> {
        let needed = self.0.iter().filter(|(_, known)| (known.full, known.slow) != (0, 0));
        needed
            .map(|(expression, known)| Demand {
                expression: expression.clone(),
                kinds: known.kinds,
                full: known.full > 0,
                derived: known.derived > 0,
            })
            .collect()
    }
}

fn included<'a>(topics: &'a Topics, expression: Key<'a>) -> impl Iterator<Item = &'a Arc<Topic>> {
    below(topics, expression).filter(move |topic| expression.includes(topic.name.key.as_key()))
}

/// The topics whose keys begin as an expression does up to its first wildcard; others it cannot include.
pub(super) fn below<'a>(topics: &'a Topics, expression: Key<'a>) -> impl Iterator<Item = &'a Arc<Topic>> {
    let text = expression.as_str();
    let literal = text.find(['*', '$']).map_or(text, |end| text.get(..end).unwrap_or_default());
    // `r/range/**` includes `r/range` itself.
    let prefix = literal.trim_end_matches('/');
    let from = topics.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
    from.take_while(move |(key, _)| key.starts_with(prefix)).map(|(_, topic)| topic)
}

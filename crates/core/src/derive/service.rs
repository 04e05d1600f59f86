//! The task that derives: a rule works while somebody follows what it makes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use foldhash::HashMap;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::method::{Around, State};
use super::{Address, Method, Rule, Vocabulary};
use crate::hub::{
    Delivery, DemandLevel, DerivedTopic, Hub, MailboxLimits, Residency, Selection, Shared, Sink,
    Subscription, SubscriptionId, WakeUps,
};
use crate::limits::UNREAD_TIMEOUT;
use crate::model::{Provenance, RobotId, RobotProfile, Update, key};
use crate::service::Service;

/// Who it is in lists of the hub's sinks.
const NAME: &str = "derive";

/// Least time between two looks at who follows what; with many robots in proportion.
const REST: Duration = Duration::from_millis(20);

const LIMITS: MailboxLimits =
    MailboxLimits { events: 4_096, keys: 65_536, frames: 0, disconnect_after: UNREAD_TIMEOUT };

/// A robot, and what could be derived for it.
struct Robot {
    stay: Option<Residency>,
    profile: Arc<RobotProfile>,
    rules: Vec<Rule>,
    /// By the number of their rule.
    active: BTreeMap<usize, Active>,
}

/// A rule that somebody needs.
struct Active {
    level: DemandLevel,
    topic: DerivedTopic,
    subscriptions: Vec<SubscriptionId>,
    provenance: Provenance,
    state: State,
}

struct Deriver {
    hub: Hub,
    vocabulary: Arc<Vocabulary>,
    sink: Sink,
    robots: BTreeMap<RobotId, Robot>,
    /// Whose rule a subscription is for.
    by_id: HashMap<SubscriptionId, (RobotId, usize)>,
}

/// Derives by the hub's vocabulary.
pub struct Deriving(pub Hub);

impl Service for Deriving {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            run(self.0, shutdown).await;
        })
    }
}

/// Derives by the hub's vocabulary until the token is cancelled.
pub async fn run(hub: Hub, shutdown: CancellationToken) {
    let (mut population, mut demand) = (hub.population(), hub.demand_changes());
    let mut deriver = Deriver {
        sink: hub.internal_sink(NAME, NAME, LIMITS),
        vocabulary: hub.vocabulary(),
        hub,
        robots: BTreeMap::new(),
        by_id: HashMap::default(),
    };
    let mut deliveries = Vec::new();
    let mut rests_until = deriver.hub.clock().now();
    let mut is_behind = true;
    loop {
        let clock = deriver.hub.clock();
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = deriver.sink.receive(&mut deliveries) => deriver.take(&mut deliveries),
            () = population.changed() => {
                deriver.gather();
                is_behind = true;
            }
            Ok(()) = demand.changed() => is_behind = true,
            () = clock.sleep_until(rests_until), if is_behind => {
                is_behind = false;
                deriver.follow();
                let share = u32::try_from(deriver.robots.len() / 100 + 1).unwrap_or(u32::MAX);
                rests_until = clock.now().after(REST.saturating_mul(share));
            }
        }
    }
}

impl Deriver {
    /// Takes in robots that came, and lets go of those that went.
    fn gather(&mut self) {
        let reports: BTreeMap<_, _> =
            self.hub.robots().into_iter().map(|it| (it.info.robot.clone(), it.info.profile)).collect();
        let hub = &self.hub;
        let gone = self
            .robots
            .extract_if(.., |name, robot| !reports.contains_key(name) || robot.stay != hub.stay(name));
        let gone: Vec<Robot> = gone.map(|(_, robot)| robot).collect();
        for active in gone.into_iter().flat_map(|robot| robot.active.into_values()) {
            self.end(active);
        }
        for (name, profile) in reports {
            if !self.robots.contains_key(&name) {
                let (stay, rules) = (self.hub.stay(&name), self.vocabulary.rules(&profile));
                self.robots.insert(name, Robot { stay, profile, rules, active: BTreeMap::new() });
            }
        }
    }

    fn end(&mut self, active: Active) {
        for id in active.subscriptions {
            self.sink.unsubscribe(id);
            self.by_id.remove(&id);
        }
    }

    /// Begins what somebody follows, and ends what nobody does.
    fn follow(&mut self) {
        let index = self.hub.demand_index();
        let mut ended = Vec::new();
        for (name, robot) in &mut self.robots {
            for (i, rule) in robot.rules.iter().enumerate() {
                let wanted = index.level(name, &key(name, rule.to.0, rule.to.1.as_ref()));
                if robot.active.get(&i).map(|it| it.level) == wanted {
                    continue;
                }
                // What counts so far is kept while it is followed more or less closely.
                let before = robot.active.remove(&i);
                let Some(level) = wanted else {
                    ended.extend(before);
                    continue;
                };
                let topic = self.hub.derived_topic(name, rule.to.0, rule.to.1.as_ref());
                let (state, topic) = match before {
                    Some(Active { topic, subscriptions, state, .. }) => {
                        for id in subscriptions {
                            self.sink.unsubscribe(id);
                            self.by_id.remove(&id);
                        }
                        (state, Some(topic))
                    }
                    None => (State::default(), topic),
                };
                // The robot itself publishes it, against its profile.
                let Some(topic) = topic else { continue };
                let subscriptions = subscribe(&self.sink, name, rule, level);
                self.by_id.extend(subscriptions.iter().map(|id| (*id, (name.clone(), i))));
                let provenance = provenance(name, rule);
                robot.active.insert(i, Active { level, topic, subscriptions, provenance, state });
            }
        }
        ended.into_iter().for_each(|active| self.end(active));
    }

    fn take(&mut self, deliveries: &mut Vec<Delivery>) {
        let mut wakes = WakeUps::default();
        for delivery in deliveries.drain(..) {
            match delivery {
                Delivery::Update(id, update) => self.derive(id, &update, &mut wakes),
                Delivery::Gap(_) => {}
                Delivery::End(reason) => {
                    tracing::warn!(?reason, "deriving fell behind; it begins anew");
                    self.sink = self.hub.internal_sink(NAME, NAME, LIMITS);
                    self.by_id.clear();
                    self.robots.values_mut().for_each(|robot| robot.active.clear());
                    self.follow();
                    return;
                }
            }
        }
    }

    fn derive(&mut self, id: SubscriptionId, update: &Shared, wakes: &mut WakeUps) {
        let Some((name, i)) = self.by_id.get(&id) else { return };
        let Some(robot) = self.robots.get_mut(name) else { return };
        let Robot { profile, rules, active, .. } = robot;
        let (Some(rule), Some(active)) = (rules.get(*i), active.get_mut(i)) else { return };
        let around = Around { hub: &self.hub, robot: name, profile };
        let Some(signal) = active.state.derive(rule, update, &around) else { return };
        let derived = Update {
            robot: name.clone(),
            part: rule.to.1.clone(),
            stamp: update.stamp,
            received: update.received,
            signal,
            native: None,
            provenance: Some(active.provenance.clone()),
        };
        active.topic.publish(derived, wakes);
    }
}

fn provenance(robot: &RobotId, rule: &Rule) -> Provenance {
    let keys = rule.from.iter().map(|(kind, part)| key(robot, *kind, part.as_ref()));
    Provenance { from: keys.collect::<Vec<_>>().join(", ").into(), how: rule.method.words() }
}

/// Follows what a rule derives from, and what its method asks the hub for.
fn subscribe(sink: &Sink, robot: &RobotId, rule: &Rule, demand: DemandLevel) -> Vec<SubscriptionId> {
    // A scanner that is followed now and then scans not at all.
    let demand = if matches!(rule.method, Method::Cone(_)) { DemandLevel::Full } else { demand };
    let select = |(kind, part): &Address| Selection::of_key(robot, *kind, part.as_ref());
    let follow = |select: Selection| {
        sink.subscribe(Subscription { demand, derived: false, ..Subscription::to(select) })
    };
    let mut ids: Vec<SubscriptionId> = rule.from.iter().filter_map(select).map(follow).collect();
    for needed in rule.method.needs() {
        let selection = Selection::of_kinds(robot, std::slice::from_ref(needed));
        ids.push(sink.subscribe(Subscription {
            demand: DemandLevel::Slow,
            derived: false,
            ..Subscription::to(selection)
        }));
    }
    ids
}

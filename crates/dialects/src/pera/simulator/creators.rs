//! Which client of the broker within brought which robot of the swarm, so that none can fill it alone.
//!
//! ```text
//!  a client's message ──broker──▶ Creators: the first who speaks for a robot brought it ──▶ the simulator takes it in,
//!                                                                                           or not: nobody may have brought it
//! ```
//!
//! Another broker does not tell who sends: there only the bound of all robots holds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::{Clock, Timestamp};
use latimer_mqtt::broker::{Watcher, Watchers};

use crate::pera::map::{is_sent_by_robot, robot_of};
use crate::pera::roster::SwarmId;
use crate::pera::topic::{Channel, Topic};
use crate::pera::wire::Message;
use crate::throttled_warning::ThrottledWarning;

/// Robots that are remembered beside those of a full swarm, because their messages are on their way.
const ON_THEIR_WAY: usize = 4_096;

/// Clients of which refusals are reported one by one; all are forgotten past it.
const MAX_REPORTED: usize = 256;

/// Who brought which robot; clones share it.
#[derive(Clone, Debug)]
pub(super) struct Creators(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    channel: Channel,
    /// Whether only what brings a robot into a simulated swarm counts.
    speaks: bool,
    most_per_client: usize,
    most: usize,
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    by_robot: HashMap<SwarmId, Brought>,
    by_client: HashMap<Arc<str>, usize>,
    refused: HashMap<Arc<str>, ThrottledWarning>,
}

#[derive(Debug)]
struct Brought {
    /// `None` is the gateway itself.
    client: Option<Arc<str>>,
    /// Its message may not have arrived yet.
    is_new: bool,
}

impl Creators {
    /// Of a swarm of `most` robots, as many of each client, from now on.
    pub(super) fn watch(
        watchers: &Watchers,
        channel: Channel,
        speaks: bool,
        (most, most_per_client): (usize, usize),
        clock: Clock,
    ) -> Self {
        let most = most.saturating_add(ON_THEIR_WAY);
        let state = Mutex::default();
        let creators = Self(Arc::new(Shared { channel, speaks, most_per_client, most, clock, state }));
        watchers.add(Arc::new(creators.clone()));
        creators
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody brought a robot who may have one more.
    pub(super) fn has(&self, id: SwarmId) -> bool {
        self.state().by_robot.contains_key(&id)
    }

    /// A robot has gone; who brought it may bring another.
    pub(super) fn leave(&self, id: SwarmId) {
        self.state().remove(id);
    }

    /// Forgets robots that never became members, e.g. since their messages were lost.
    pub(super) fn tidy(&self, is_member: impl Fn(SwarmId) -> bool) {
        let mut state = self.state();
        let lost = state.by_robot.iter_mut().filter_map(|(id, brought)| {
            let was_new = std::mem::replace(&mut brought.is_new, false);
            (!was_new && !is_member(*id)).then_some(*id)
        });
        let lost: Vec<_> = lost.collect();
        lost.into_iter().for_each(|id| state.remove(id));
    }

    fn bring(&self, client: Option<&str>, id: SwarmId) {
        let now = self.0.clock.now();
        let mut state = self.state();
        if state.by_robot.contains_key(&id) || state.by_robot.len() >= self.0.most {
            return;
        }
        let client = client.map(Arc::<str>::from);
        if let Some(client) = &client {
            let count = state.by_client.get(client).copied().unwrap_or_default();
            if count >= self.0.most_per_client {
                return state.complain(client, id, self.0.most_per_client, now);
            }
            state.by_client.insert(client.clone(), count + 1);
        }
        state.by_robot.insert(id, Brought { client, is_new: true });
    }
}

impl State {
    fn remove(&mut self, id: SwarmId) {
        let Some(Brought { client: Some(client), .. }) = self.by_robot.remove(&id) else { return };
        if let Some(count) = self.by_client.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.by_client.remove(&client);
                self.refused.remove(&client);
            }
        }
    }

    fn complain(&mut self, client: &Arc<str>, id: SwarmId, most: usize, now: Timestamp) {
        if self.refused.len() >= MAX_REPORTED && !self.refused.contains_key(client) {
            self.refused.clear();
        }
        if let Some(count) = self.refused.entry(client.clone()).or_default().due(now, 1) {
            tracing::warn!(
                %client, id, most, count,
                "a client brings more robots into the swarm than it may; they get no answers (pera.max_robots_per_client)"
            );
        }
    }
}

impl Watcher for Creators {
    fn published(&self, client: Option<&str>, topic: &str, payload: &[u8]) {
        let Some(topic) = self.0.channel.topic(topic) else { return };
        let brings = matches!(topic, Topic::Create | Topic::Live | Topic::LocalizationUpdate);
        if self.0.speaks && !brings {
            return;
        }
        match Message::read(&topic, payload) {
            Ok(Message::LocalizationUpdate(list)) => list.iter().for_each(|it| self.bring(client, it.id)),
            Ok(Message::LocalizationData(list)) if !self.0.speaks => {
                list.iter().for_each(|it| self.bring(client, it.id));
            }
            Ok(message) => {
                let says_so = is_sent_by_robot(&message) || matches!(message, Message::LocalizationOf(..));
                if let Some(id) = robot_of(&message).filter(|_| says_so) {
                    self.bring(client, id);
                }
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn creators(most_per_client: usize) -> Creators {
        let bounds = (100, most_per_client);
        Creators::watch(&Watchers::default(), Channel::new("v1"), true, bounds, Clock::system())
    }

    #[test]
    fn a_client_brings_as_many_robots_as_it_may_and_others_bring_theirs() {
        let creators = creators(2);
        let create = |client: Option<&str>, id: SwarmId| {
            let payload = format!("{{\"id\":{id},\"x\":1,\"y\":1,\"heading\":0}}");
            creators.published(client, "v1/robot/create", payload.as_bytes());
            creators.has(id)
        };
        assert!(create(Some("a"), 1) && create(Some("a"), 2));
        assert!(!create(Some("a"), 3) && !create(Some("a"), 4));
        assert!(create(Some("b"), 3), "another client brings the robot that was refused");
        assert!((10..20).all(|id| create(None, id)), "the gateway's own robots");
        creators.published(
            Some("a"),
            "v1/localization/update",
            b"[{\"id\":1,\"x\":2,\"y\":1,\"heading\":0}]",
        );
        creators.published(Some("a"), "v2/robot/create", b"{\"id\":30}");
        creators.published(Some("b"), "v1/sensor/color", b"{\"id\":30}");
        assert!(!creators.has(30), "another channel, and nothing that brings a robot");
        creators.leave(1);
        assert!(create(Some("a"), 4) && !create(Some("a"), 1));
    }

    #[test]
    fn what_never_arrives_is_forgotten_and_members_are_not() {
        let creators = creators(2);
        let live = |id: SwarmId| {
            creators.published(Some("a"), "v1/robot/live", format!("{{\"id\":{id}}}").as_bytes())
        };
        live(1);
        live(2);
        creators.tidy(|id| id == 1);
        assert!(creators.has(2), "its message may be on its way");
        creators.tidy(|id| id == 1);
        assert!(creators.has(1) && !creators.has(2));
        live(3);
        assert!(creators.has(3));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let creators = creators(usize::MAX);
        for id in 0..10_000 {
            creators.bring(Some("a"), id);
        }
        assert_eq!(creators.state().by_robot.len(), 100 + ON_THEIR_WAY);
    }
}

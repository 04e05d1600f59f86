//! The graph: which nodes there are, what they publish, subscribe and serve, and which parameters they follow.
//!
//! A node is there for as long as it is registered for something. A second node of a name takes the first one's place:
//! what the first was registered for goes, its followers are notified, and it is asked to end.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::arguments::ANY_TYPE;
use super::notice::{Notice, Notification};
use super::providers::{Provider, Providers};
use super::quota::{Full, Peer, Quota, REGISTRATIONS};

/// What a node can be registered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Publisher,
    Subscriber,
    Follower,
}

#[derive(Debug)]
struct Node {
    address: String,
    registrations: usize,
}

#[derive(Debug)]
struct Service {
    node: String,
    address: String,
    peer: Peer,
}

/// Topics, services and nodes, each with who provides it.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: HashMap<String, Node>,
    pub(super) quota: Quota,
    publishers: Providers,
    subscribers: Providers,
    followers: Providers,
    services: IndexMap<String, Service>,
    types: IndexMap<String, String>,
}

impl Graph {
    /// Registers a node; the notifications that follow.
    pub(super) fn register(&mut self, role: Role, key: &str, node: Provider) -> Result<Vec<Notice>, Full> {
        let again = self.providers(role).of(key).contains(&node);
        let mut notices = self.arrive(&node, again)?;
        if self.providers_mut(role).add(key, node.clone()) {
            self.count(&node.node, node.peer);
        }
        if role == Role::Publisher {
            notices.extend(self.publishers_changed(key));
        }
        Ok(notices)
    }

    /// Unregisters a node; nothing if the node is unknown, else whether it was registered for this.
    pub(super) fn unregister(
        &mut self,
        role: Role,
        key: &str,
        node: &Provider,
    ) -> Option<(bool, Vec<Notice>)> {
        self.nodes.get(&node.node)?;
        let Some(removed) = self.providers_mut(role).remove(key, node) else {
            return Some((false, Vec::new()));
        };
        self.uncount(&node.node, removed.peer);
        let notices = if role == Role::Publisher { self.publishers_changed(key) } else { Vec::new() };
        Some((true, notices))
    }

    /// Registers a service, which only one node has.
    pub(super) fn register_service(
        &mut self,
        service: &str,
        address: String,
        node: &Provider,
    ) -> Result<Vec<Notice>, Full> {
        let again = self.services.get(service).is_some_and(|known| known.node == node.node);
        let notices = self.arrive(node, again)?;
        let entry = Service { node: node.node.clone(), address, peer: node.peer };
        self.count(&node.node, node.peer);
        if let Some(old) = self.services.insert(service.to_owned(), entry) {
            self.uncount(&old.node, old.peer);
        }
        Ok(notices)
    }

    /// Unregisters a service; nothing if the node is unknown, else whether the service was this one.
    pub(super) fn unregister_service(&mut self, service: &str, address: &str, node: &str) -> Option<bool> {
        self.nodes.get(node)?;
        let current = self.services.get(service);
        let Some(&Service { peer, .. }) = current.filter(|it| it.node == node && it.address == address)
        else {
            return Some(false);
        };
        self.services.shift_remove(service);
        self.uncount(node, peer);
        Some(true)
    }

    /// Notes a topic's type: a publisher's word counts, a subscriber's only while there is no other, `*` if there is none.
    pub(super) fn set_type(&mut self, topic: &str, type_name: String, role: Role) {
        let any = type_name == ANY_TYPE;
        let known = self.types.contains_key(topic);
        let counts = match role {
            Role::Publisher => !any || !known,
            _ => !any && !known,
        };
        if !counts {
            return;
        }
        if self.types.len() >= REGISTRATIONS {
            let (publishers, subscribers) = (&self.publishers, &self.subscribers);
            self.types.retain(|topic, _| publishers.contains(topic) || subscribers.contains(topic));
        }
        self.types.insert(topic.to_owned(), type_name);
    }

    /// Types of topics, also of those that are gone.
    pub(super) fn types(&self) -> &IndexMap<String, String> {
        &self.types
    }

    /// A node's address.
    pub(super) fn node(&self, name: &str) -> Option<&str> {
        self.nodes.get(name).map(|node| node.address.as_str())
    }

    /// The names of all nodes at an address.
    pub(super) fn nodes_at(&self, address: &str) -> Vec<String> {
        let here = self.nodes.iter().filter(|(_, node)| node.address == address);
        here.map(|(name, _)| name.clone()).collect()
    }

    /// A service's address.
    pub(super) fn service(&self, name: &str) -> Option<&str> {
        self.services.get(name).map(|service| service.address.as_str())
    }

    /// All services with the node of each.
    pub(super) fn services(&self) -> impl Iterator<Item = (&String, &String)> {
        self.services.iter().map(|(name, service)| (name, &service.node))
    }

    /// Who is registered in a role.
    pub(super) fn providers(&self, role: Role) -> &Providers {
        match role {
            Role::Publisher => &self.publishers,
            Role::Subscriber => &self.subscribers,
            Role::Follower => &self.followers,
        }
    }

    fn providers_mut(&mut self, role: Role) -> &mut Providers {
        match role {
            Role::Publisher => &mut self.publishers,
            Role::Subscriber => &mut self.subscribers,
            Role::Follower => &mut self.followers,
        }
    }

    /// How many nodes, topics and services there are.
    ///
    /// A node that only follows parameters is not counted: rospy's are never unregistered, even when they end.
    pub(super) fn counts(&self) -> (usize, usize, usize) {
        let topics = self.publishers.iter().chain(self.subscribers.iter());
        let by_topic = topics.flat_map(|(_, who)| who.iter().map(|provider| provider.node.as_str()));
        let nodes: HashSet<&str> =
            by_topic.chain(self.services.values().map(|service| service.node.as_str())).collect();
        let only_subscribed =
            self.subscribers.iter().filter(|(topic, _)| !self.publishers.contains(topic)).count();
        (nodes.len(), self.publishers.len() + only_subscribed, self.services.len())
    }

    /// Makes sure that a node is known, and has room for one more registration unless it has this one; one of its name at
    /// another address makes way.
    fn arrive(&mut self, node: &Provider, again: bool) -> Result<Vec<Notice>, Full> {
        let known = self.nodes.get(&node.node);
        let same = known.filter(|known| known.address == node.address);
        if !(again && same.is_some()) {
            let registered = same.map_or(0, |known| known.registrations);
            let freed = || if same.is_some() { 0 } else { self.registered_by(node) };
            self.quota.check(node.peer, &node.node, registered, freed)?;
        }
        if same.is_some() {
            return Ok(Vec::new());
        }
        let Some(old) = self.nodes.remove(&node.node) else {
            self.settle(node);
            return Ok(Vec::new());
        };
        tracing::warn!(node = node.node, old = old.address, new = node.address, "a second node of one name");
        let reason = format!("[{}] Reason: new node registered with same name", node.node);
        let mut notices = vec![Notice { to: old.address, notification: Notification::Shutdown { reason } }];
        for providers in [&mut self.subscribers, &mut self.followers] {
            for (_, gone) in providers.remove_node(&node.node) {
                self.quota.give_back(gone.peer);
            }
        }
        let quota = &mut self.quota;
        self.services.retain(|_, service| {
            let stays = service.node != node.node;
            if !stays {
                quota.give_back(service.peer);
            }
            stays
        });
        for (topic, gone) in self.publishers.remove_node(&node.node) {
            self.quota.give_back(gone.peer);
            notices.extend(self.publishers_changed(&topic));
        }
        self.settle(node);
        Ok(notices)
    }

    fn settle(&mut self, node: &Provider) {
        self.nodes.insert(node.node.clone(), Node { address: node.address.clone(), registrations: 0 });
    }

    /// How many registrations of a node's name its peer made.
    fn registered_by(&self, node: &Provider) -> usize {
        let roles = [&self.publishers, &self.subscribers, &self.followers];
        let providers = roles.into_iter().flat_map(Providers::iter).flat_map(|(_, who)| who);
        let services = self.services.values().map(|it| (&it.node, it.peer));
        let all = providers.map(|it| (&it.node, it.peer)).chain(services);
        all.filter(|(name, peer)| **name == node.node && *peer == node.peer).count()
    }

    fn count(&mut self, node: &str, peer: Peer) {
        self.quota.take(peer);
        if let Some(node) = self.nodes.get_mut(node) {
            node.registrations += 1;
        }
    }

    fn uncount(&mut self, name: &str, peer: Peer) {
        self.quota.give_back(peer);
        let Some(node) = self.nodes.get_mut(name) else { return };
        node.registrations = node.registrations.saturating_sub(1);
        if node.registrations == 0 {
            self.nodes.remove(name);
        }
    }

    /// Tells all subscribers of a topic who publishes it now.
    fn publishers_changed(&self, topic: &str) -> Vec<Notice> {
        let publishers = self.publishers.addresses(topic);
        let notification = Notification::Publishers { topic: topic.to_owned(), publishers };
        let subscribers = self.subscribers.addresses(topic).into_iter();
        subscribers.map(|to| Notice { to, notification: notification.clone() }).collect()
    }
}

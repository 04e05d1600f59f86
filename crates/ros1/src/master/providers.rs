//! Who provides what: nodes by topic, by service, or by parameter that they follow.

use indexmap::IndexMap;

use super::quota::Peer;

/// A node that is registered for something.
#[derive(Clone, Debug)]
pub(super) struct Provider {
    pub(super) node: String,
    pub(super) address: String,
    /// Who registered it.
    pub(super) peer: Peer,
}

/// A node is the same one, no matter who registers it.
impl PartialEq for Provider {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node && self.address == other.address
    }
}

impl Eq for Provider {}

/// Nodes by what they are registered for, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Providers {
    by_key: IndexMap<String, Vec<Provider>>,
}

impl Providers {
    /// Adds a node; false if it is there already.
    pub(super) fn add(&mut self, key: &str, provider: Provider) -> bool {
        let providers = self.by_key.entry(key.to_owned()).or_default();
        if providers.contains(&provider) {
            return false;
        }
        providers.push(provider);
        true
    }

    /// Removes a node, as it was registered; nothing if it is not there.
    pub(super) fn remove(&mut self, key: &str, provider: &Provider) -> Option<Provider> {
        let providers = self.by_key.get_mut(key)?;
        let at = providers.iter().position(|other| other == provider)?;
        let removed = providers.remove(at);
        if providers.is_empty() {
            self.by_key.shift_remove(key);
        }
        Some(removed)
    }

    /// Removes a node everywhere; for what it was registered, and how.
    pub(super) fn remove_node(&mut self, node: &str) -> Vec<(String, Provider)> {
        let mut removed = Vec::new();
        self.by_key.retain(|key, providers| {
            let gone = providers.extract_if(.., |provider| provider.node == node);
            removed.extend(gone.map(|provider| (key.clone(), provider)));
            !providers.is_empty()
        });
        removed
    }

    /// Those of a key.
    pub(super) fn of(&self, key: &str) -> &[Provider] {
        self.by_key.get(key).map_or(&[], Vec::as_slice)
    }

    /// Their addresses.
    pub(super) fn addresses(&self, key: &str) -> Vec<String> {
        self.of(key).iter().map(|provider| provider.address.clone()).collect()
    }

    /// All keys with their nodes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Vec<Provider>)> {
        self.by_key.iter()
    }

    /// Whether anybody is registered for a key.
    pub(super) fn contains(&self, key: &str) -> bool {
        self.by_key.contains_key(key)
    }

    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }
}

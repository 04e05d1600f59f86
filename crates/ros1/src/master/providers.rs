//! Who provides what: nodes by topic, by service, or by parameter that they follow.

use indexmap::IndexMap;

/// A node that is registered for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Provider {
    pub(super) node: String,
    pub(super) address: String,
}

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

    /// Removes a node; false if it is not there.
    pub(super) fn remove(&mut self, key: &str, provider: &Provider) -> bool {
        let Some(providers) = self.by_key.get_mut(key) else { return false };
        let before = providers.len();
        providers.retain(|other| other != provider);
        let removed = providers.len() < before;
        if providers.is_empty() {
            self.by_key.shift_remove(key);
        }
        removed
    }

    /// Removes a node everywhere and tells for what it was there.
    pub(super) fn remove_node(&mut self, node: &str) -> Vec<String> {
        let mut removed = Vec::new();
        self.by_key.retain(|key, providers| {
            let before = providers.len();
            providers.retain(|provider| provider.node != node);
            if providers.len() < before {
                removed.push(key.clone());
            }
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

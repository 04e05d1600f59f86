//! How many registrations a node and an address may have, and who was refused more.

use std::collections::HashMap;
use std::net::{IpAddr, UdpSocket};

use latimer_listen::ListenerPolicy;

/// Registrations that all nodes of other programs may have together.
pub(super) const REGISTRATIONS: usize = 1 << 16;

/// Addresses of which refusals are counted one by one; all are forgotten past it.
const MAX_REPORTED: usize = 256;

/// How many registrations there may be: topics that are published and subscribed, services, parameters that are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of one node.
    pub registrations_per_node: usize,
    /// Of all nodes that one address registers.
    pub registrations_per_address: usize,
}

impl Limits {
    /// The most that either bound can be: what all nodes may have together.
    pub const MOST: usize = REGISTRATIONS;
}

impl Default for Limits {
    /// A recorder of thousands of topics is one node, and one address leaves others half of the room.
    fn default() -> Self {
        Self { registrations_per_node: 1 << 14, registrations_per_address: REGISTRATIONS / 2 }
    }
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    /// A node of the master's own program, which always has room.
    Own,
    /// Any other, at its address.
    Other(IpAddr),
}

impl Peer {
    /// One at an address, which is the same one whichever way it is written.
    pub(super) const fn at(address: IpAddr) -> Self {
        Self::Other(address.to_canonical())
    }

    /// The master's own if it has such a name and calls from this machine.
    pub(super) fn of(address: IpAddr, has_own_name: bool) -> Self {
        if has_own_name && is_here(address) { Self::Own } else { Self::at(address) }
    }
}

/// Whether an address is this machine's: only then a socket can be bound to it.
fn is_here(address: IpAddr) -> bool {
    address.to_canonical().is_loopback() || UdpSocket::bind((address, 0)).is_ok()
}

/// There is no room for one more registration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Full {
    #[error(
        "ERROR: [{node}] has {most} registrations, and no node may have more; unregister some, or raise the master's registrations_per_node"
    )]
    Node { node: String, most: usize },
    #[error(
        "ERROR: nodes at {address} have {most} registrations, and no address may have more; unregister some, or raise the master's registrations_per_address"
    )]
    Address { address: IpAddr, most: usize },
    #[error(
        "ERROR: this master holds {REGISTRATIONS} registrations, and takes no more; unregister some, or restart it"
    )]
    All,
}

/// What is registered, by who registered it.
#[derive(Debug, Default)]
pub(super) struct Quota {
    pub(super) limits: Limits,
    all: usize,
    /// Only of those that have any.
    by_address: HashMap<IpAddr, usize>,
}

impl Quota {
    /// Whether a peer may register one more thing for a node that has `registered` of them, after it gave `freed` back.
    pub(super) fn check(
        &self,
        peer: Peer,
        node: &str,
        registered: usize,
        freed: impl FnOnce() -> usize,
    ) -> Result<(), Full> {
        let Peer::Other(address) = peer else { return Ok(()) };
        let Limits { registrations_per_node, registrations_per_address } = self.limits;
        if registered >= registrations_per_node {
            return Err(Full::Node { node: node.to_owned(), most: registrations_per_node });
        }
        let taken = self.by_address.get(&address).copied().unwrap_or_default();
        if taken < registrations_per_address && self.all < REGISTRATIONS {
            return Ok(());
        }
        let freed = freed();
        if taken.saturating_sub(freed) >= registrations_per_address {
            return Err(Full::Address { address, most: registrations_per_address });
        }
        if self.all.saturating_sub(freed) >= REGISTRATIONS { Err(Full::All) } else { Ok(()) }
    }

    pub(super) fn take(&mut self, peer: Peer) {
        if let Peer::Other(address) = peer {
            self.all += 1;
            *self.by_address.entry(address).or_default() += 1;
        }
    }

    pub(super) fn give_back(&mut self, peer: Peer) {
        let Peer::Other(address) = peer else { return };
        self.all = self.all.saturating_sub(1);
        if let Some(count) = self.by_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                self.by_address.remove(&address);
            }
        }
    }
}

/// Refusals, which the log has for each address at first and whenever they have doubled.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    /// Counts all of them.
    pub(super) policy: ListenerPolicy,
    by_address: HashMap<IpAddr, u64>,
}

impl Refusals {
    pub(super) fn count(&mut self, peer: Peer, full: &Full) {
        self.policy.count_refused_registration();
        let Peer::Other(address) = peer else { return };
        if let Some(count) = self.count_to_log(address) {
            tracing::warn!(%address, count, reason = %full, "the ROS master refuses registrations");
        }
    }

    /// One more of an address; how many there were, if that is to be logged.
    fn count_to_log(&mut self, address: IpAddr) -> Option<u64> {
        if self.by_address.len() >= MAX_REPORTED && !self.by_address.contains_key(&address) {
            self.by_address.clear();
        }
        let count = self.by_address.entry(address).or_default();
        *count += 1;
        count.is_power_of_two().then_some(*count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_each_address_are_logged_ever_more_seldom() {
        let mut refusals = Refusals::default();
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|it| it.parse::<IpAddr>().unwrap());
        let logged: Vec<u64> = (0..20).filter_map(|_| refusals.count_to_log(one)).collect();
        assert_eq!(logged, [1, 2, 4, 8, 16]);
        assert_eq!(refusals.count_to_log(other), Some(1));
        for last in 0..=u8::MAX {
            refusals.count_to_log([10, 0, 1, last].into());
        }
        assert!(refusals.by_address.len() <= MAX_REPORTED);
    }

    #[test]
    fn only_this_machine_can_be_the_masters_own_program() {
        for (address, own_name, own) in [
            ("127.0.0.1", true, true),
            ("::1", true, true),
            ("127.0.0.1", false, false),
            ("192.0.2.1", true, false),
            ("2001:db8::1", true, false),
        ] {
            let peer = Peer::of(address.parse().unwrap(), own_name);
            assert_eq!(peer == Peer::Own, own, "{address}");
        }
        assert_eq!(Peer::at("::ffff:10.0.0.1".parse().unwrap()), Peer::at("10.0.0.1".parse().unwrap()));
    }
}

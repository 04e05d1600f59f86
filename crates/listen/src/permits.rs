//! How many connections each address has.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::limits::MAX_REPORTED_ADDRESSES;

/// The seats at a listener.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seats(Arc<Mutex<Taken>>);

#[derive(Debug, Default)]
struct Taken {
    /// Only of those that have any.
    by_address: HashMap<IpAddr, usize>,
    reported: Vec<IpAddr>,
}

impl Seats {
    /// One more for an address; `None` if it has as many as it may have.
    pub(crate) fn take(&self, address: IpAddr, most: usize) -> Option<AddressPermit> {
        // One machine, whichever way its address is written.
        let address = address.to_canonical();
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.by_address.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(AddressPermit { address, seats: self.clone() })
    }

    /// Whether this address was refused nothing since it had no connection.
    pub(crate) fn is_news(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.reported.contains(&address) {
            return false;
        }
        if taken.reported.len() >= MAX_REPORTED_ADDRESSES {
            taken.reported.clear();
        }
        taken.reported.push(address);
        true
    }
}

/// A connection's seat among those of its address, free again when this is dropped.
#[derive(Debug)]
pub struct AddressPermit {
    address: IpAddr,
    seats: Seats,
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let mut taken = self.seats.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.by_address.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.by_address.remove(&self.address);
                taken.reported.retain(|it| *it != self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_counted_however_it_is_written_and_reported_once() {
        let seats = Seats::default();
        let (plain, mapped): (IpAddr, IpAddr) =
            ("10.0.0.1".parse().unwrap(), "::ffff:10.0.0.1".parse().unwrap());
        let seat = seats.take(plain, 1);
        assert!(seat.is_some() && seats.take(mapped, 1).is_none());
        assert!(seats.take("10.0.0.2".parse().unwrap(), 1).is_some());
        let third = seats.take(mapped, 2);
        assert!(third.is_some() && seats.take(plain, 2).is_none(), "a bound may change");
        assert!(seats.is_news(plain) && !seats.is_news(mapped));
        drop((seat, third));
        assert!(seats.take(mapped, 1).is_some() && seats.is_news(plain));
        assert!(seats.0.lock().unwrap().by_address.is_empty());
    }
}

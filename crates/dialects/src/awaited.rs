//! Waiting a moment for something that robots only tell while somebody listens.

use std::sync::Arc;
use std::time::Duration;

use latimer_core::hub::{Delivery, Shared, Sink, Subscription};

/// The first update of a subscription that will do; `None` if none comes in time.
pub(crate) async fn update(
    sink: Sink,
    subscription: Subscription,
    within: Duration,
    will_do: impl Fn(&Shared) -> bool,
) -> Option<Arc<Shared>> {
    sink.subscribe(subscription);
    let wait = async {
        let mut deliveries = Vec::new();
        loop {
            sink.receive(&mut deliveries).await;
            for delivery in deliveries.drain(..) {
                match delivery {
                    Delivery::Update(_, update) if will_do(&update) => return Some(update),
                    Delivery::End(_) => return None,
                    _ => {}
                }
            }
        }
    };
    tokio::time::timeout(within, wait).await.ok().flatten()
}

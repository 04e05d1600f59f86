//! One open connection: publishes from the outbox and receives into the inbox until it drops or `stop` is cancelled.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use latimer_listen::Trust;
use rumqttc::{AsyncClient, Event, EventLoop, Outgoing, Packet, PublishOptions};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::in_flight::InFlight;
use super::open::{Opened, message_from_publish, qos_to_wire};
use super::{DropReason, Inbox, Outbox};
use crate::Message;

/// How long DISCONNECT may take.
const GOODBYE: Duration = Duration::from_millis(700);

/// Serves the connection until it drops, which is an error, or `stop` is cancelled.
///
/// Unconfirmed messages are back in the outbox afterwards.
pub(crate) async fn serve(
    opened: Opened,
    outbox: &Outbox,
    inbox: &Inbox,
    stop: &CancellationToken,
) -> Result<(), DropReason> {
    let Opened { client, mut events, early, trust } = opened;
    for message in early {
        inbox.message(message);
    }
    let tracker = Tracker { in_flight: Mutex::default(), settled: Notify::new(), outbox };
    let dropped = tokio::select! {
        reason = receive(&mut events, inbox, &tracker, &trust) => Some(reason),
        () = send(&client, outbox, &tracker, stop) => None,
        () = async { stop.cancelled().await; tokio::time::sleep(GOODBYE).await } => None,
    };
    outbox.put_back(tracker.in_flight().unconfirmed());
    match dropped {
        Some(reason) if !stop.is_cancelled() => Err(reason),
        _ => Ok(()),
    }
}

/// The messages in flight; notifies when there are none, and reports their number to the outbox.
struct Tracker<'a> {
    in_flight: Mutex<InFlight>,
    settled: Notify,
    outbox: &'a Outbox,
}

impl Tracker<'_> {
    fn in_flight(&self) -> MutexGuard<'_, InFlight> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, update: impl FnOnce(&mut InFlight)) {
        let mut in_flight = self.in_flight();
        update(&mut in_flight);
        let unconfirmed = in_flight.len();
        drop(in_flight);
        self.outbox.set_in_flight(unconfirmed);
        if unconfirmed == 0 {
            self.settled.notify_one();
        }
    }

    async fn settled(&self) {
        while self.in_flight().len() > 0 {
            self.settled.notified().await;
        }
    }
}

async fn receive(events: &mut EventLoop, inbox: &Inbox, tracker: &Tracker<'_>, trust: &Trust) -> DropReason {
    loop {
        match events.poll().await {
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                if let Some(message) = message_from_publish(publish) {
                    inbox.message(message);
                }
            }
            Ok(Event::Incoming(Packet::PubAck(known))) => {
                tracker.update(|in_flight| in_flight.confirmed(known.pkid))
            }
            Ok(Event::Incoming(Packet::PubComp(known))) => {
                tracker.update(|in_flight| in_flight.confirmed(known.pkid))
            }
            Ok(Event::Outgoing(Outgoing::Publish(number))) => {
                tracker.update(|in_flight| in_flight.sent(number))
            }
            Ok(_) => {}
            Err(error) => return DropReason::of(&error, trust),
        }
    }
}

/// Never returns: DISCONNECT ends the connection, which [`receive`] notices.
async fn send(client: &AsyncClient, outbox: &Outbox, tracker: &Tracker<'_>, stop: &CancellationToken) {
    loop {
        let message = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            message = outbox.next() => message,
        };
        hand_over(client, message, tracker).await;
    }
    while let Some(message) = outbox.take() {
        hand_over(client, message, tracker).await;
    }
    // In the library, DISCONNECT overtakes messages that wait for the in-flight limit.
    tracker.settled().await;
    if client.disconnect_with_timeout(GOODBYE).await.is_ok() {
        std::future::pending::<()>().await;
    }
}

/// Adds the message to those in flight before it is handed over, so that it is never lost in between.
async fn hand_over(client: &AsyncClient, message: Message, tracker: &Tracker<'_>) {
    let Message { topic, payload, qos, retain } = message.clone();
    tracker.update(|in_flight| in_flight.handed(message));
    let options = PublishOptions::new(qos_to_wire(qos)).retain(retain);
    if client.publish(topic, payload, options).await.is_err() {
        // The outbox checks topics, so the library only refuses when its end of the connection is gone.
        std::future::pending::<()>().await;
    }
}

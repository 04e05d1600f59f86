//! One connection that is up: feeds it from the outbox and fills the inbox until it drops or is told to stop.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rumqttc::{AsyncClient, Event, EventLoop, Outgoing, Packet, PublishOptions};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::ledger::Ledger;
use super::open::{Opened, message_from_publish, qos_to_wire};
use super::{DropReason, Inbox, Outbox};
use crate::Message;

/// How long the goodbye may take.
const GOODBYE: Duration = Duration::from_millis(700);

/// Serves the connection; says why it dropped, or nothing when it was told to stop and said goodbye.
///
/// What the broker did not confirm is back in the outbox afterwards.
pub(crate) async fn serve(
    opened: Opened,
    outbox: &Outbox,
    inbox: &Inbox,
    stop: &CancellationToken,
) -> Result<(), DropReason> {
    let Opened { client, mut events, early } = opened;
    for message in early {
        inbox.message(message);
    }
    let books = Books { ledger: Mutex::default(), settled: Notify::new(), outbox };
    let dropped = tokio::select! {
        reason = hear(&mut events, inbox, &books) => Some(reason),
        () = feed(&client, outbox, &books, stop) => None,
        () = async { stop.cancelled().await; tokio::time::sleep(GOODBYE).await } => None,
    };
    outbox.put_back(books.ledger().unconfirmed());
    match dropped {
        Some(reason) if !stop.is_cancelled() => Err(reason),
        _ => Ok(()),
    }
}

/// The ledger, and a sign when nothing in it is unconfirmed. The outbox knows how many are.
struct Books<'a> {
    ledger: Mutex<Ledger>,
    settled: Notify,
    outbox: &'a Outbox,
}

impl Books<'_> {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, note: impl FnOnce(&mut Ledger)) {
        let mut ledger = self.ledger();
        note(&mut ledger);
        let unconfirmed = ledger.len();
        drop(ledger);
        self.outbox.set_under_way(unconfirmed);
        if unconfirmed == 0 {
            self.settled.notify_one();
        }
    }

    async fn settled(&self) {
        while self.ledger().len() > 0 {
            self.settled.notified().await;
        }
    }
}

async fn hear(events: &mut EventLoop, inbox: &Inbox, books: &Books<'_>) -> DropReason {
    loop {
        match events.poll().await {
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                if let Some(message) = message_from_publish(publish) {
                    inbox.message(message);
                }
            }
            Ok(Event::Incoming(Packet::PubAck(known))) => books.note(|ledger| ledger.confirmed(known.pkid)),
            Ok(Event::Incoming(Packet::PubComp(known))) => books.note(|ledger| ledger.confirmed(known.pkid)),
            Ok(Event::Outgoing(Outgoing::Publish(number))) => books.note(|ledger| ledger.sent(number)),
            Ok(_) => {}
            Err(error) => return DropReason::from(&error),
        }
    }
}

/// Never returns: the goodbye ends the connection, which [`hear`] notices.
async fn feed(client: &AsyncClient, outbox: &Outbox, books: &Books<'_>, stop: &CancellationToken) {
    loop {
        let message = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            message = outbox.next() => message,
        };
        hand_over(client, message, books).await;
    }
    while let Some(message) = outbox.take() {
        hand_over(client, message, books).await;
    }
    // The library lets a goodbye overtake messages that wait for room on the way.
    books.settled().await;
    if client.disconnect_with_timeout(GOODBYE).await.is_ok() {
        std::future::pending::<()>().await;
    }
}

/// Noted before it is handed over, so that it is never in neither place.
async fn hand_over(client: &AsyncClient, message: Message, books: &Books<'_>) {
    let Message { topic, payload, qos, retain } = message.clone();
    books.note(|ledger| ledger.handed(message));
    let options = PublishOptions::new(qos_to_wire(qos)).retain(retain);
    if client.publish(topic, payload, options).await.is_err() {
        // The outbox checks topics, so the library only refuses when its end of the connection is gone.
        std::future::pending::<()>().await;
    }
}

//! A stream as Server-Sent Events, for `curl -N` and `EventSource`.

use std::convert::Infallible;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::poll_fn;
use latimer_core::Clock;
use tokio::sync::mpsc;

use super::flow::{Ended, Gone, Outlet};
use super::piece::Piece;
use crate::limits::EVENT_STREAM_KEEP_ALIVE_INTERVAL;
use latimer_wire::v1::End;

/// Events that wait for the connection; what is more waits in the mailbox, where states coalesce.
const ROOM: usize = 16;

/// The writing end of an answer that goes on.
pub(super) struct Events(mpsc::Sender<Event>);

impl Events {
    /// An answer, and what is written to it.
    pub(super) fn open() -> (Self, Response) {
        let (out, mut waiting) = mpsc::channel(ROOM);
        let body = poll_fn(move |context| waiting.poll_recv(context)).map(Ok::<Event, Infallible>);
        let alive = KeepAlive::new().interval(EVENT_STREAM_KEEP_ALIVE_INTERVAL).text("alive");
        (Self(out), Sse::new(body).keep_alive(alive).into_response())
    }

    async fn write(&self, piece: Piece) -> Result<(), Gone> {
        let event = Event::default().event(piece.name).data(piece.text.as_str());
        self.0.send(event).await.map_err(|_| Gone)
    }
}

impl Outlet for Events {
    async fn serve(&mut self, _: &Clock) -> Ended {
        self.0.closed().await;
        Ended::Well("the client went")
    }

    async fn send(&mut self, pieces: Vec<Piece>) -> Result<(), Gone> {
        for piece in pieces {
            self.write(piece).await?;
        }
        Ok(())
    }

    async fn close(self, end: End) -> Result<(), Gone> {
        self.write(Piece::end(end)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_shows_that_it_lives() {
        let (events, answer) = Events::open();
        let clock = Clock::system();
        let began = clock.now();
        let mut body = answer.into_body().into_data_stream();
        assert_eq!(body.next().await.unwrap().unwrap(), ": alive\n\n");
        assert_eq!(clock.now().since(began).as_secs(), 15);
        // A robot's own JSON may have line breaks between its tokens.
        let piece = Piece { name: "update", text: "{\r\n\"a\": 1}".into() };
        assert!(events.write(piece).await.is_ok());
        let text = body.next().await.unwrap().unwrap();
        assert_eq!(text, "event: update\ndata: {\rdata: \ndata: \"a\": 1}\n\n");
        drop(events);
        assert!(body.next().await.is_none());
    }
}

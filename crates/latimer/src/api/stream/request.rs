//! What a stream shall bring: the parameters of `/api/v1/stream`, read and checked.

use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use axum::http::Uri;
use latimer_core::Hub;
use latimer_core::hub::{ModelView, Shared, Subscription};
use latimer_core::model::Path;
use latimer_dialects::{DIALECTS, Entry};

use super::super::params::Params;
use super::super::{Rejection, selection};
use crate::wire::v1::{Frame, Message, Update};
use crate::words::advice;

/// What a stream brings when nothing is selected.
const EVERYTHING: &str = "**";

/// Shortest time that one batch may cover.
const MIN_BATCH: Duration = Duration::from_millis(1);

/// Longest time that one batch may cover.
const MAX_BATCH: Duration = Duration::from_secs(10);

/// Which form the updates have.
pub(super) enum Form {
    /// All fields.
    Whole,
    /// Some fields.
    Picked(Vec<Path>),
    /// The words of a dialect.
    Dialect(&'static Entry),
}

/// A stream as it was asked for.
pub(super) struct StreamRequest {
    pub(super) subscription: Subscription,
    pub(super) form: Form,
    /// With what the robot really sent.
    pub(super) native: bool,
    /// What comes within so long is one message.
    pub(super) batch: Option<Duration>,
    /// End after so many updates.
    pub(super) count: Option<u64>,
}

impl StreamRequest {
    pub(super) fn of(uri: &Uri) -> Result<Self, Rejection> {
        let mut params = Params::of(uri)?;
        let select = params.one("select")?.unwrap_or_else(|| EVERYTHING.to_owned());
        let mut subscription = Subscription::to(selection::selection("select", &select)?);
        subscription.conditions = selection::conditions("where", &params.all("where"))?;
        subscription.every = params.duration("every")?.unwrap_or_default();
        let batch = params.duration("batch")?.map(checked_batch).transpose()?;
        // Without an interval nothing is held back, not even from a client that lags for a moment.
        subscription.every_change = subscription.every.is_zero() && batch.is_none();
        subscription.pick = selection::paths("pick", &params.all("pick"))?;
        let dialect = params.one("as")?.map(|name| dialect(&name)).transpose()?;
        let native = params.flag("native")?;
        let count = params.count("n")?;
        params.finish()?;
        let form = match dialect {
            Some(_) if !subscription.pick.is_empty() => {
                return Err(Rejection::bad("fields cannot be picked from a dialect's own words")
                    .at("pick")
                    .advice("leave out `pick` or `as`"));
            }
            Some(entry) => Form::Dialect(entry),
            None if subscription.pick.is_empty() => Form::Whole,
            None => Form::Picked(subscription.pick.clone()),
        };
        Ok(Self { subscription, form, native, batch, count })
    }

    /// The frame of an update; `None` if the dialect has no words for it.
    ///
    /// One encoding serves all streams of the same form; picked fields are each stream's own.
    pub(super) fn encode(&self, hub: &Hub, update: &Shared) -> Option<Utf8Bytes> {
        let text = |wire: Update| {
            let wire = if self.native { wire.with_native(update) } else { wire };
            Utf8Bytes::from(Frame::Update(Box::new(wire)).to_json())
        };
        match &self.form {
            Form::Whole => {
                let form = if self.native { "native" } else { "whole" };
                let encoded = update.derived("api", form, |_| text(Update::whole(update)));
                Some(Utf8Bytes::clone(&encoded))
            }
            Form::Picked(paths) => Some(text(Update::picked(update, &ModelView, paths))),
            Form::Dialect(entry) => {
                let dialect = if self.native { "api native, as" } else { "api, as" };
                let encoded = update.derived(dialect, entry.name, |_| {
                    let translated = (entry.translate)(hub, update)?;
                    let message = Message::new(entry.name, &translated.topic, &translated.payload);
                    Some(text(Update::translated(update, message)))
                });
                Option::<Utf8Bytes>::clone(&encoded)
            }
        }
    }
}

fn checked_batch(given: Duration) -> Result<Duration, Rejection> {
    if (MIN_BATCH..=MAX_BATCH).contains(&given) {
        return Ok(given);
    }
    let detail = format!("a batch cannot cover {}", humantime::format_duration(given));
    Err(Rejection::bad(detail).at("batch").advice("write from 1ms to 10s, such as 33ms"))
}

fn dialect(name: &str) -> Result<&'static Entry, Rejection> {
    let found = DIALECTS.iter().copied().find(|entry| entry.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        Rejection::bad(format!("no dialect is called {name}"))
            .at("as")
            .advice(advice(name, DIALECTS.iter().map(|entry| entry.name)))
    })
}

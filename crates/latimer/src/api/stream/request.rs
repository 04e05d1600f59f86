//! What a stream shall bring: the parameters of `/api/v1/stream`, read and checked.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use axum::http::Uri;
use latimer_core::Hub;
use latimer_core::frames::NoTransform;
use latimer_core::hub::{self, InFrameView, ModelView, Selection, Shared, Subscription};
use latimer_core::model::signal::FrameName;
use latimer_core::model::{Kind, KindSet, Path};
use latimer_dialects::{DIALECTS, Entry};

use super::super::frames::frame_of;
use super::super::params::Params;
use super::super::{Rejection, selection};
use crate::api::ApiState;
use crate::limits::{BATCH_MAX_INTERVAL, BATCH_MIN_INTERVAL};
use latimer_wire::v1::{BytesForm, Frame, NativeMessage, Update};
use latimer_wire::words::advice;

/// What a stream brings when nothing is selected.
const EVERYTHING: &str = "**";

/// The word for all dialects together.
pub(in crate::api) const ALL: &str = "all";

/// Which form the updates have.
enum Content {
    /// All fields.
    Whole,
    /// Some fields.
    Picked(Vec<Path>),
    /// The words of a dialect.
    Dialect(&'static Entry),
    /// All fields, and the words of every dialect.
    All,
}

/// An update as the text of a frame, as streams share it; `None` if the dialect has no words for it.
#[derive(PartialEq)]
struct AsText {
    /// In whose words.
    words: Option<&'static str>,
    native: bool,
    bytes: BytesForm,
}

impl hub::Encoding for AsText {
    const DIALECT: &'static str = "api";
    type Output = Option<Utf8Bytes>;
}

/// A stream as it was asked for.
pub(in crate::api) struct StreamRequest {
    pub(in crate::api) subscription: Subscription,
    /// What comes within so long is one message.
    pub(super) batch: Option<Duration>,
    /// End after so many updates.
    pub(super) count: Option<u64>,
    form: Content,
    /// With what the robot really sent.
    native: bool,
    bytes: BytesForm,
    /// Name of the frame that coordinates shall be in.
    to: Option<String>,
    frame: Option<FrameName>,
}

impl StreamRequest {
    pub(in crate::api) fn of(uri: &Uri) -> Result<Self, Rejection> {
        let mut params = Params::of(uri)?;
        let select = params.one("select")?.unwrap_or_else(|| EVERYTHING.to_owned());
        let selection = selection::selection("select", &select)?;
        let kinds = selection.kinds();
        let mut subscription = Subscription::to(selection);
        subscription.filter = selection::filter("where", &params.all("where"))?;
        subscription.every = params.duration("every")?.unwrap_or_default();
        let batch = params.duration("batch")?.map(checked_batch).transpose()?;
        // Without an interval nothing is held back, not even from a client that lags for a moment.
        subscription.every_change = subscription.every.is_zero() && batch.is_none();
        subscription.pick = selection::paths("pick", &params.all("pick"))?;
        let words = params.one("as")?;
        let native = params.flag("native")?;
        let bytes = params.bytes_form("bytes")?;
        let count = params.count("n")?;
        let to = params.one("in")?;
        params.finish()?;
        let form = match words.as_deref() {
            Some(_) if !subscription.pick.is_empty() => {
                return Err(Rejection::bad("fields cannot be picked from a dialect's own words")
                    .at("pick")
                    .advice("leave out `pick` or `as`"));
            }
            Some(ALL) => Content::All,
            Some(_) if to.is_some() => {
                return Err(Rejection::bad("a dialect's words are in the frames of the dialect")
                    .at("in")
                    .advice("leave out `in` or `as`"));
            }
            Some(name) => Content::Dialect(dialect_for(kinds, dialect(name)?)?),
            None if subscription.pick.is_empty() => Content::Whole,
            None => Content::Picked(subscription.pick.clone()),
        };
        Ok(Self { subscription, batch, count, form, native, bytes, to, frame: None })
    }

    /// The same with its frame found among those of a hub; conditions and picked fields see coordinates in it.
    pub(super) fn placed(mut self, hub: &Hub) -> Result<Self, Rejection> {
        if let Some(name) = &self.to {
            let frame = frame_of(hub, name)?;
            self.subscription.view = Arc::new(InFrameView::new(hub.clone(), frame));
            self.frame = Some(frame);
        }
        Ok(self)
    }

    /// The poses by which coordinates are moved, if they are: of the selected robots, and of the one whose frame was asked for.
    pub(super) fn poses(&self) -> Option<Selection> {
        let frame = self.frame?;
        let selected = selection::expressions(&self.subscription.select);
        let robots = selected
            .iter()
            .filter_map(|it| it.split('/').next())
            .map(|robot| if robot == "**" { "*" } else { robot });
        let robots = robots.chain(frame.as_str().rsplit_once('/').map(|(robot, _)| robot));
        let poses: Vec<String> = robots.map(|robot| format!("{robot}/{}/**", Kind::Pose)).collect();
        poses.join(",").parse().ok()
    }

    /// Whether it brings what may hold other kinds than those that are selected.
    pub(super) fn needs_whole(&self) -> bool {
        self.native || matches!(self.form, Content::Dialect(_) | Content::All)
    }

    /// The frame of an update; `None` if the dialect has no words for it.
    ///
    /// One encoding serves all streams of the same form; picked fields, and coordinates in another frame, are each stream's own.
    pub(super) fn encode(&self, state: &ApiState, update: &Shared) -> Result<Option<Utf8Bytes>, NoTransform> {
        if let Some(frame) = self.frame
            && let Some(placed) = state.hub.in_frame(update, frame)?
        {
            return Ok(self.text(state, update, Some((&placed, frame))));
        }
        Ok(self.shared(state, update))
    }

    fn shared(&self, state: &ApiState, update: &Shared) -> Option<Utf8Bytes> {
        let words = match &self.form {
            Content::Picked(_) => return self.text(state, update, None),
            Content::Whole => None,
            Content::Dialect(entry) => Some(entry.name),
            Content::All => Some(ALL),
        };
        let form = AsText { words, native: self.native, bytes: self.bytes };
        let encoded = update.derived(form, |_| self.text(state, update, None));
        Option::<Utf8Bytes>::clone(&encoded)
    }

    fn text(
        &self,
        state: &ApiState,
        update: &Shared,
        placed: Option<(&Shared, FrameName)>,
    ) -> Option<Utf8Bytes> {
        let shown = placed.map_or(update, |(placed, _)| placed);
        // Words of dialects are for those who see whole robots, and encoded once for all of them.
        let hub = &state.hub.unfiltered();
        let wire = match &self.form {
            Content::Whole => Update::whole_with(shown, self.bytes),
            Content::Picked(paths) => Update::picked(shown, &ModelView, paths, self.bytes),
            Content::Dialect(entry) => {
                let translated = state.translators.find(entry.name)?.translate(hub, update)?;
                let message = NativeMessage::new(entry.name, &translated.topic, &translated.payload);
                Update::translated(update, message)
            }
            Content::All => {
                let messages = state.translators.messages(hub, update);
                Update::whole_with(shown, self.bytes).with_messages(messages)
            }
        };
        let wire = match placed {
            Some((_, frame)) => wire.in_frame(frame),
            None => wire,
        };
        let wire = if self.native { wire.with_native(update) } else { wire };
        Some(Frame::Update(Box::new(wire)).to_json().into())
    }
}

fn checked_batch(given: Duration) -> Result<Duration, Rejection> {
    if (BATCH_MIN_INTERVAL..=BATCH_MAX_INTERVAL).contains(&given) {
        return Ok(given);
    }
    let detail = format!("a batch cannot cover {}", humantime::format_duration(given));
    Err(Rejection::bad(detail).at("batch").advice("write from 1ms to 10s, such as 33ms"))
}

/// A dialect that has messages for some of what is selected: of anything else a client would wait for ever.
fn dialect_for(selected: KindSet, entry: &'static Entry) -> Result<&'static Entry, Rejection> {
    let (has, lacks): (Vec<Kind>, Vec<Kind>) =
        Kind::ALL.iter().partition(|kind| entry.has_message_of(**kind));
    if selected.is_empty() || has.iter().any(|kind| selected.contains(*kind)) {
        return Ok(entry);
    }
    let words = |kinds: &[Kind]| kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
    let lacks: Vec<Kind> = lacks.into_iter().filter(|kind| selected.contains(*kind)).collect();
    Err(Rejection::bad(format!("{} has no message for {}", entry.name, words(&lacks)))
        .at("as")
        .advice(format!("it has some for: {}", words(&has))))
}

fn dialect(name: &str) -> Result<&'static Entry, Rejection> {
    let found = DIALECTS.iter().copied().find(|entry| entry.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        Rejection::bad(format!("no dialect is called {name}"))
            .at("as")
            .advice(advice(name, DIALECTS.iter().map(|entry| entry.name).chain([ALL])))
    })
}

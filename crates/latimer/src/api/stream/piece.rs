//! What is written to a client: each frame's text, or many of them as one batch.

use std::collections::HashSet;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use latimer_core::Update;
use latimer_core::frames::NoTransform;
use latimer_core::hub::{Delivery, Gap, SubscriptionId};

use super::request::StreamRequest;
use crate::api::ApiState;
use crate::limits::MAX_KEYS_WITHOUT_TRANSFORM;
use latimer_wire::v1::{End, EndWhy, Frame, Gap as WireGap, MAX_MESSAGE_BYTES, batch_of};

/// Bytes of a batch without frames, rounded up.
const EMPTY_BATCH: usize = 64;

/// One message to a client.
#[derive(Clone, Debug)]
pub(in crate::api) struct Piece {
    /// The `type` of its frame.
    pub(in crate::api) name: &'static str,
    /// The frame.
    pub(in crate::api) text: Utf8Bytes,
}

impl Piece {
    /// The last one.
    pub(super) fn end(end: End) -> Self {
        Self { name: "end", text: Frame::End(end).to_json().into() }
    }

    /// An update as a text, or that it is left out because that is too long.
    fn update(text: Utf8Bytes, update: &Update, longest: usize) -> Self {
        if text.len() <= longest {
            return Self { name: "update", text };
        }
        Self { name: "gap", text: Frame::Gap(WireGap::too_large(update, text.len())).to_json().into() }
    }
}

/// Many frames as one message, or as few as are no longer than that.
fn batches(pieces: &[Piece], longest: usize) -> Vec<Piece> {
    let mut batches = Vec::new();
    let mut rest = pieces;
    while !rest.is_empty() {
        let mut length = EMPTY_BATCH;
        let fits = rest.iter().take_while(|piece| {
            length += piece.text.len() + 1;
            length <= longest
        });
        // What fits alone fits nearly; a batch of one is the frame with a few bytes around it.
        let (now, later) = rest.split_at(fits.count().max(1));
        // The texts are shared with other streams, hence joined as they are.
        let text = batch_of(now.iter().map(|piece| piece.text.as_str()));
        batches.push(Piece { name: "batch", text: text.into() });
        rest = later;
    }
    batches
}

/// Keys for which the client has already been sent a gap of the reason `no_transform`.
#[derive(Default)]
struct Absent(HashSet<String>);

impl Absent {
    /// Remembers a key; true if it was not remembered. At the bound all keys are forgotten, so that a gap may be sent a second time.
    fn insert(&mut self, key: String) -> bool {
        if self.0.len() >= MAX_KEYS_WITHOUT_TRANSFORM {
            self.0.clear();
        }
        self.0.insert(key)
    }

    fn remove(&mut self, update: &Update) {
        if !self.0.is_empty() {
            self.0.remove(&update.key());
        }
    }
}

/// Makes pieces of deliveries, as many updates as were asked for.
pub(super) struct Composer {
    request: StreamRequest,
    left: Option<u64>,
    /// A subscription whose deliveries are not for the client.
    silent: Option<SubscriptionId>,
    /// Keys without a transform, of which the client knows.
    absent: Absent,
}

impl Composer {
    pub(super) fn new(request: StreamRequest, silent: Option<SubscriptionId>) -> Self {
        Self { left: request.count, request, silent, absent: Absent::default() }
    }

    /// What to write, and the end if this is the last of it.
    pub(super) fn pieces(
        &mut self,
        state: &ApiState,
        deliveries: impl Iterator<Item = Delivery>,
    ) -> (Vec<Piece>, Option<End>) {
        let mut pieces = Vec::new();
        let mut end = None;
        for delivery in deliveries {
            match &delivery {
                Delivery::Update(id, _) | Delivery::Gap(Gap { subscription: id, .. })
                    if self.silent == Some(*id) => {}
                Delivery::Update(_, update) => {
                    let text = match self.request.encode(state, update) {
                        Ok(text) => text,
                        Err(why) => {
                            pieces.extend(self.no_transform(update, &why));
                            continue;
                        }
                    };
                    self.absent.remove(update);
                    let Some(text) = text else { continue };
                    pieces.push(Piece::update(text, update, MAX_MESSAGE_BYTES));
                    if self.is_last() {
                        let detail = "as many updates as were asked for".to_owned();
                        end = Some(End { reason: EndWhy::Complete, detail });
                        break;
                    }
                }
                Delivery::Gap(gap) => {
                    pieces.push(Piece { name: "gap", text: Frame::Gap(gap.into()).to_json().into() });
                }
                Delivery::End(reason) => {
                    end = Some(reason.into());
                    break;
                }
            }
        }
        if self.request.batch.is_some() && !pieces.is_empty() {
            pieces = batches(&pieces, MAX_MESSAGE_BYTES);
        }
        (pieces, end)
    }

    /// Says once that a key is left out, and anew once it was there in between.
    fn no_transform(&mut self, update: &Update, why: &NoTransform) -> Option<Piece> {
        self.absent.insert(update.key()).then(|| {
            let gap = WireGap::no_transform(update, why);
            Piece { name: "gap", text: Frame::Gap(gap).to_json().into() }
        })
    }

    /// What comes within so long is one message.
    pub(super) fn batch(&self) -> Option<Duration> {
        self.request.batch
    }

    fn is_last(&mut self) -> bool {
        match &mut self.left {
            None => false,
            Some(left) => {
                *left = left.saturating_sub(1);
                *left == 0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{Text, TextChannel};
    use latimer_core::{Clock, RobotId};

    use super::*;

    fn piece(length: usize) -> Piece {
        Piece { name: "update", text: format!("\"{}\"", "x".repeat(length - 2)).into() }
    }

    #[test]
    fn a_batch_that_would_be_too_long_is_several() {
        let pieces = [100, 300, 50, 1000, 2].map(piece);
        let lengths = |longest: usize| -> Vec<usize> {
            batches(&pieces, longest)
                .iter()
                .map(|batch| batch.text.matches("\"x").count() + batch.text.matches("\"\"").count())
                .collect()
        };
        assert_eq!(lengths(10_000), [5]);
        assert_eq!(lengths(600), [3, 1, 1]);
        assert_eq!(lengths(1), [1; 5]);
        assert!(batches(&pieces, 600)[0].text.len() <= 600);
    }

    #[test]
    fn what_is_left_out_is_told_once_and_never_remembered_without_end() {
        let mut absent = Absent::default();
        let key = |number: usize| format!("pera-{number}/pose");
        assert!(absent.insert(key(0)) && !absent.insert(key(0)));
        for number in 0..3 * MAX_KEYS_WITHOUT_TRANSFORM {
            absent.insert(key(number));
            assert!(absent.0.len() <= MAX_KEYS_WITHOUT_TRANSFORM);
        }
        assert!(absent.insert(key(0)), "told once more rather than never");
    }

    #[test]
    fn an_update_that_is_too_long_is_a_gap() {
        let robot = RobotId::new("misty-1").unwrap();
        let update = Update::now(
            &robot,
            Clock::system().now(),
            Text { channel: TextChannel::Chat, text: "x".into(), data: None, truncated: None }.into(),
        );
        let kept = Piece::update("{}".into(), &update, 2);
        assert_eq!((kept.name, kept.text.as_str()), ("update", "{}"));
        let left_out = Piece::update("{ }".into(), &update, 2);
        let Frame::Gap(gap) = Frame::parse(&left_out.text).unwrap() else { panic!("{left_out:?}") };
        assert_eq!((gap.robot.as_str(), gap.reason.as_str(), gap.lost), ("misty-1", "too_large", Some(1)));
        assert!(gap.detail.contains("3 bytes"), "{}", gap.detail);
    }
}

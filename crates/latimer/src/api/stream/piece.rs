//! What is written to a client: each frame's text, or many of them as one batch.

use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use latimer_core::Hub;
use latimer_core::hub::Delivery;

use super::request::StreamRequest;
use crate::wire::v1::{End, EndWhy, Frame, batch_of};

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
}

/// Makes pieces of deliveries, as many updates as were asked for.
pub(super) struct Composer {
    request: StreamRequest,
    left: Option<u64>,
}

impl Composer {
    pub(super) fn new(request: StreamRequest) -> Self {
        Self { left: request.count, request }
    }

    /// What to write, and the end if this is the last of it.
    pub(super) fn pieces(
        &mut self,
        hub: &Hub,
        deliveries: impl Iterator<Item = Delivery>,
    ) -> (Vec<Piece>, Option<End>) {
        let mut pieces = Vec::new();
        let mut end = None;
        for delivery in deliveries {
            match &delivery {
                Delivery::Update(_, update) => {
                    let Some(text) = self.request.encode(hub, update) else { continue };
                    pieces.push(Piece { name: "update", text });
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
            // The texts are shared with other streams, hence joined as they are.
            let text = batch_of(pieces.iter().map(|piece| piece.text.as_str()));
            pieces = vec![Piece { name: "batch", text: text.into() }];
        }
        (pieces, end)
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

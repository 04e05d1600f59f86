//! How Misty spells moments and shares.

use latimer_core::Timestamp;

use crate::describe::codec::{Codec, CodecInfo, Describe, Rounded};
use crate::misty::map::time::{timestamp_from_utc, utc_from_timestamp};
use crate::misty::map::units::ratio_from_charge;

/// What rounds away what a computation adds.
const COMPUTED: Rounded = Rounded(1e9);

/// A moment in UTC.
pub(super) struct Utc;

impl Describe for Utc {}

impl<Cx> Codec<String, Timestamp, Cx> for Utc {
    fn decode(&self, wire: &String) -> Option<Timestamp> {
        timestamp_from_utc(wire)
    }

    fn encode(&self, model: &Timestamp, _: &Cx) -> Option<String> {
        Some(utc_from_timestamp(*model))
    }
}

/// A share, which is read as percent above 1.
pub(super) struct Charge;

impl Describe for Charge {
    fn info(&self) -> CodecInfo {
        CodecInfo { range: Some((0.0, 1.0)), ..COMPUTED.info() }
    }
}

impl<Cx> Codec<f64, f64, Cx> for Charge {
    fn decode(&self, wire: &f64) -> Option<f64> {
        Some(ratio_from_charge(*wire))
    }

    fn encode(&self, model: &f64, context: &Cx) -> Option<f64> {
        COMPUTED.encode(model, context)
    }
}

//! Status codes of time-of-flight sensors: what they say in words of the model, and back.
//!
//! | model | Range | Edge |
//! |---|---|---|
//! | valid | 0 | 0 |
//! | noisy | 101 | (211) |
//! | weak_signal | 102 | 207 |
//! | misconfigured | 103 | (-1) |
//! | too_far | 104 | 213 |
//! | wrapped | 207 | (-1) |
//! | nothing_in_view | (102) | 206, 208 |
//! | too_near | (-1) | 212, 214 |
//! | ambient_light | (101) | 211 |
//! | hardware_fault | (-1) | 201 to 205 |
//! | unknown | -1 and codes outside of the tables | the same |
//!
//! In brackets: the nearest that such a sensor can say, for robots whose sensors say more.

use latimer_core::model::signal::{Range, RangeStatus};

use super::names::Family;
use crate::misty::wire::tof_status::{EdgeStatus, RangeStatus as WireRange};

/// The word for a code.
pub(super) fn status_from_code(family: Family, code: Option<i64>) -> RangeStatus {
    let word = match family {
        Family::Edge => code.and_then(EdgeStatus::from_code).map(status_from_edge),
        _ => code.and_then(WireRange::from_code).map(status_from_range),
    };
    word.unwrap_or(RangeStatus::Unknown)
}

const fn status_from_range(code: WireRange) -> RangeStatus {
    match code {
        WireRange::Unknown => RangeStatus::Unknown,
        WireRange::RangeValid => RangeStatus::Valid,
        WireRange::SigmaFail => RangeStatus::Noisy,
        WireRange::SignalFail => RangeStatus::WeakSignal,
        WireRange::RoiOutOfBounds => RangeStatus::Misconfigured,
        WireRange::OutOfBounds => RangeStatus::TooFar,
        WireRange::WrapTargetFail => RangeStatus::Wrapped,
    }
}

const fn status_from_edge(code: EdgeStatus) -> RangeStatus {
    match code {
        EdgeStatus::Unknown => RangeStatus::Unknown,
        EdgeStatus::RangeValid => RangeStatus::Valid,
        EdgeStatus::HardwareFail
        | EdgeStatus::HardwareFail2
        | EdgeStatus::HardwareFail3
        | EdgeStatus::HardwareFail4
        | EdgeStatus::HardwareFail5 => RangeStatus::HardwareFault,
        EdgeStatus::EarlyConvergence | EdgeStatus::RangeIgnore => RangeStatus::NothingInView,
        EdgeStatus::MaxConvergence => RangeStatus::WeakSignal,
        EdgeStatus::SignalToNoiseRatioFail => RangeStatus::AmbientLight,
        EdgeStatus::RawRangeUnderflow | EdgeStatus::RangingUnderflow => RangeStatus::TooNear,
        EdgeStatus::OutOfBounds => RangeStatus::TooFar,
    }
}

/// The code of a reading: its own if that is Misty's word for the status, else the nearest in the table.
pub(super) fn code_from_range(family: Family, range: &Range) -> Option<i64> {
    let own = range.status_code.filter(|code| status_from_code(family, Some(*code)) == range.status);
    own.or_else(|| match family {
        Family::Edge => edge_from_status(range.status).map(EdgeStatus::code),
        _ => range_from_status(range.status).map(WireRange::code),
    })
}

const fn range_from_status(status: RangeStatus) -> Option<WireRange> {
    Some(match status {
        RangeStatus::Valid => WireRange::RangeValid,
        RangeStatus::Noisy | RangeStatus::AmbientLight => WireRange::SigmaFail,
        RangeStatus::WeakSignal | RangeStatus::NothingInView => WireRange::SignalFail,
        RangeStatus::TooFar => WireRange::OutOfBounds,
        RangeStatus::Wrapped => WireRange::WrapTargetFail,
        RangeStatus::Misconfigured => WireRange::RoiOutOfBounds,
        RangeStatus::TooNear | RangeStatus::HardwareFault => WireRange::Unknown,
        RangeStatus::Unknown => return None,
    })
}

const fn edge_from_status(status: RangeStatus) -> Option<EdgeStatus> {
    Some(match status {
        RangeStatus::Valid => EdgeStatus::RangeValid,
        RangeStatus::Noisy | RangeStatus::AmbientLight => EdgeStatus::SignalToNoiseRatioFail,
        RangeStatus::WeakSignal => EdgeStatus::MaxConvergence,
        RangeStatus::TooFar => EdgeStatus::OutOfBounds,
        RangeStatus::TooNear => EdgeStatus::RawRangeUnderflow,
        RangeStatus::NothingInView => EdgeStatus::EarlyConvergence,
        RangeStatus::HardwareFault => EdgeStatus::HardwareFail,
        RangeStatus::Wrapped | RangeStatus::Misconfigured => EdgeStatus::Unknown,
        RangeStatus::Unknown => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(status: RangeStatus, status_code: Option<i64>) -> Range {
        Range { status, status_code, ..Range::valid(0.5) }
    }

    #[test]
    fn every_code_comes_back() {
        let codes = (-2..300).chain([i64::MIN, i64::MAX]);
        for code in codes {
            for family in [Family::Range, Family::Edge] {
                let status = status_from_code(family, Some(code));
                assert_eq!(code_from_range(family, &range(status, Some(code))), Some(code));
            }
        }
    }

    #[test]
    fn the_same_code_says_another_thing_by_type() {
        assert_eq!(status_from_code(Family::Range, Some(207)), RangeStatus::Wrapped);
        assert_eq!(status_from_code(Family::Edge, Some(207)), RangeStatus::WeakSignal);
    }

    #[test]
    fn a_code_of_another_maker_is_not_passed_off_as_mistys() {
        assert_eq!(code_from_range(Family::Range, &range(RangeStatus::Valid, Some(207))), Some(0));
        assert_eq!(code_from_range(Family::Range, &range(RangeStatus::TooFar, Some(9))), Some(104));
        assert_eq!(code_from_range(Family::Edge, &range(RangeStatus::TooFar, None)), Some(213));
        assert_eq!(code_from_range(Family::Edge, &range(RangeStatus::Unknown, None)), None);
    }

    #[test]
    fn every_word_but_unknown_has_a_code() {
        for &status in RangeStatus::ALL {
            for family in [Family::Range, Family::Edge] {
                let code = code_from_range(family, &range(status, None));
                assert_eq!(code.is_none(), status == RangeStatus::Unknown, "{status}");
            }
        }
    }
}

//! As much of DER as a revocation list needs.

/// Tags of X.690.
pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SET: u8 = 0x31;

/// `id-at-commonName`, 2.5.4.3.
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];

/// Letters of a name that the log has.
const NAME_CHARS: usize = 64;

/// An element.
pub(super) struct Element<'a> {
    tag: u8,
    pub(super) value: &'a [u8],
    /// With its tag and length.
    pub(super) whole: &'a [u8],
}

/// The next element, which is taken off.
pub(super) fn next<'a>(input: &mut &'a [u8]) -> Option<Element<'a>> {
    let (&tag, rest) = input.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        // The length of a length of one to four bytes.
        0x81..=0x84 => {
            let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (length.iter().fold(0, |length, &byte| (length << 8) | usize::from(byte)), rest)
        }
        _ => return None,
    };
    let (value, after) = rest.split_at_checked(length)?;
    let whole = input.get(..input.len() - after.len())?;
    *input = after;
    Some(Element { tag, value, whole })
}

/// The same if it has this tag.
pub(super) fn next_of<'a>(tag: u8, input: &mut &'a [u8]) -> Option<Element<'a>> {
    next(input).filter(|element| element.tag == tag)
}

/// A moment.
#[derive(Clone, Debug)]
pub(super) struct Time {
    pub(super) unix_s: u64,
    /// For people.
    pub(super) text: String,
}

impl Time {
    pub(super) fn of(element: &Element<'_>) -> Option<Self> {
        let digits = std::str::from_utf8(element.value).ok()?.strip_suffix('Z')?;
        if !digits.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
        let (year, rest) = match (element.tag, digits.len()) {
            (UTC_TIME, 12) => {
                let (year, rest) = digits.split_at(2);
                let year: u64 = year.parse().ok()?;
                // RFC 5280, 4.1.2.5.1.
                (year + if year < 50 { 2000 } else { 1900 }, rest)
            }
            (GENERALIZED_TIME, 14) => {
                let (year, rest) = digits.split_at(4);
                (year.parse().ok()?, rest)
            }
            _ => return None,
        };
        let part = |at: usize| rest.get(at..at + 2)?.parse::<u64>().ok();
        let (month, day, hour, minute, second) = (part(0)?, part(2)?, part(4)?, part(6)?, part(8)?);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let days = days_since_1970(year, month, day);
        let unix_s = (days * 24 + hour) * 3600 + minute * 60 + second;
        let text = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC");
        Some(Self { unix_s, text })
    }
}

/// Days since 1970 in the calendar of today; 0 before.
const fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    // A year begins in March, so that its last day is the one that may be missing; year 0 is in none.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.saturating_sub(1), month + 9) };
    let before = year * 365 + year / 4 - year / 100 + year / 400;
    (before + (153 * month + 2) / 5 + day - 1).saturating_sub(719_468)
}

/// The common name in a distinguished name, without what would spoil a log.
pub(super) fn common_name(mut name: &[u8]) -> String {
    while let Some(mut set) = next_of(SET, &mut name).map(|it| it.value) {
        while let Some(mut pair) = next_of(SEQUENCE, &mut set).map(|it| it.value) {
            let is_common = next_of(OBJECT_IDENTIFIER, &mut pair).is_some_and(|it| it.value == COMMON_NAME);
            if let Some(value) = next(&mut pair).filter(|_| is_common) {
                let text = String::from_utf8_lossy(value.value);
                let text: String = text.chars().filter(|it| !it.is_control()).take(NAME_CHARS).collect();
                return format!("{text:?}");
            }
        }
    }
    "an authority without a name".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(tag: u8, text: &str) -> Option<(u64, String)> {
        let element = Element { tag, value: text.as_bytes(), whole: &[] };
        Time::of(&element).map(|it| (it.unix_s, it.text))
    }

    #[test]
    fn times_are_those_of_the_calendar() {
        let second = |tag, text| time(tag, text).map(|it| it.0);
        assert_eq!(second(UTC_TIME, "700101000000Z"), Some(0));
        assert_eq!(second(UTC_TIME, "240229120000Z"), Some(1_709_208_000));
        assert_eq!(second(GENERALIZED_TIME, "21000301000000Z"), Some(4_107_542_400));
        assert_eq!(second(GENERALIZED_TIME, "00000101000000Z"), Some(0));
        assert_eq!(time(UTC_TIME, "491231235959Z").unwrap().1, "2049-12-31 23:59:59 UTC");
        for wrong in ["", "Z", "240229120000", "2402291200Z", "24022912000\u{e9}Z", "241329120000Z"] {
            assert_eq!(time(UTC_TIME, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_claims_to_be_longer_than_it_is_is_no_element() {
        for wrong in [
            &[][..],
            &[0x30],
            &[0x30, 1],
            &[0x30, 0x82, 1],
            &[0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
            &[0x30, 0x80],
        ] {
            assert!(next(&mut &*wrong).is_none(), "{wrong:?}");
        }
        let mut input: &[u8] = &[0x30, 0x81, 1, 7, 5];
        let element = next(&mut input).unwrap();
        assert_eq!((element.value, element.whole.len(), input), (&[7][..], 4, &[5][..]));
    }
}

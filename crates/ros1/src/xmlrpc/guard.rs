//! What is looked at before a document is parsed: the parser recurses, and takes characters that others stumble over.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

use super::DocumentError;

/// How deep elements may lie in each other; an array or a struct is three.
const DEPTH: usize = 32 * 3 + 8;
/// How many elements a document may have.
const ELEMENTS: usize = 1 << 20;

/// Whether a document is well-formed, neither too deep nor of too many elements, and free of forbidden characters.
pub(super) fn check(document: &str) -> Result<(), DocumentError> {
    if let Some((at, _)) = document.char_indices().find(|(_, character)| is_forbidden(*character)) {
        return Err(DocumentError::Character { at });
    }
    let mut reader = Reader::from_str(document);
    let (mut depth, mut elements) = (0_usize, 0_usize);
    loop {
        let event = reader.read_event();
        let at = reader.buffer_position();
        match event.map_err(|error| DocumentError::Xml { at, reason: error.to_string() })? {
            Event::Start(_) => {
                depth += 1;
                elements += 1;
                if depth > DEPTH {
                    return Err(DocumentError::Deep { at });
                }
            }
            Event::Empty(_) => elements += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::GeneralRef(reference) if refers_to_forbidden(&reference) => {
                return Err(DocumentError::Character { at: usize::try_from(at).unwrap_or(usize::MAX) });
            }
            Event::DocType(_) => return Err(DocumentError::DocType),
            Event::Eof if depth > 0 => {
                return Err(DocumentError::Xml { at, reason: "it ends in the middle of an element".into() });
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
        if elements > ELEMENTS {
            return Err(DocumentError::Many);
        }
    }
}

/// The document with every forbidden character replaced, so that readers can read the rest.
pub(super) fn cleaned(document: String) -> String {
    if !document.contains(is_forbidden) {
        return document;
    }
    document.replace(is_forbidden, "\u{FFFD}")
}

/// Characters that no XML 1.0 document may have; one of them in an answer makes all of it unreadable.
fn is_forbidden(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}

fn refers_to_forbidden(reference: &BytesRef<'_>) -> bool {
    match reference.resolve_char_ref() {
        Ok(character) => character.is_some_and(is_forbidden),
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> String {
        format!("{}1{}", "<value><array><data>".repeat(levels), "</data></array></value>".repeat(levels))
    }

    #[test]
    fn thirty_two_arrays_in_each_other_are_fine_and_forty_are_not() {
        assert_eq!(check(&nested(32)), Ok(()));
        assert!(matches!(check(&nested(40)), Err(DocumentError::Deep { .. })));
        assert!(matches!(check(&"<a>".repeat(1_000_000)), Err(DocumentError::Deep { .. })));
    }

    #[test]
    fn a_million_values_are_too_many() {
        assert_eq!(check(&"<value/>".repeat(ELEMENTS + 1)), Err(DocumentError::Many));
    }

    #[test]
    fn characters_that_xml_forbids_are_found_however_they_are_written() {
        for document in ["<a>\u{1}</a>", "<a>&#1;</a>", "<a>&#x0;</a>", "<a>\u{FFFE}</a>", "<a>&#xD800;</a>"]
        {
            assert!(matches!(check(document), Err(DocumentError::Character { .. })), "{document:?}");
        }
        assert_eq!(check("<a>&amp;&#10;\t\r\n&#x1F916;</a>"), Ok(()));
        assert_eq!(cleaned("<a>\u{1}b\n</a>".into()), "<a>\u{FFFD}b\n</a>");
    }

    #[test]
    fn what_is_not_well_formed_is_reported_with_its_place() {
        for document in
            ["<a>", "<a></b>", "<a><b></a>", "</a>", "<a", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"]
        {
            assert!(check(document).is_err(), "{document:?}");
        }
    }
}

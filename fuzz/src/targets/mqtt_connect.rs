//! The beginning of a page's connection to the broker: what is passed on is the same whatever the pieces, and all of it unless it is
//! MQTT 3.1. The first byte tells how large the pieces are.

use latimer_mqtt::broker::fuzzing::translate;

pub(super) fn run(bytes: &[u8]) {
    let Some((size, bytes)) = bytes.split_first() else { return };
    let whole = translate([bytes]);
    assert_eq!(translate(bytes.chunks(usize::from(size % 32) + 1)), whole);
    assert!(whole.len() <= bytes.len(), "{} bytes of {}", whole.len(), bytes.len());
    if !whole.is_empty() && !bytes.windows(6).any(|it| it == b"MQIsdp") {
        assert_eq!(whole, bytes);
    }
}

//! Packets as the broker reads them: no panic, no room made for what does not come, and the same packets whatever the pieces.
//! The first byte tells how large these are.

use latimer_mqtt::broker::fuzzing::decode;

/// Room beside what came.
const ROOM: usize = 64 << 10;

pub(super) fn run(bytes: &[u8]) {
    let Some((size, bytes)) = bytes.split_first() else { return };
    let whole = decode([bytes]);
    let pieces = decode(bytes.chunks(usize::from(size % 32) + 1));
    assert_eq!((&pieces.packets, pieces.malformed), (&whole.packets, whole.malformed));
    assert!(pieces.room <= 4 * bytes.len() + ROOM, "{} bytes of room", pieces.room);
}

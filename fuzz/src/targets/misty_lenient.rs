//! The lenient JSON reader: no panic, and whatever it accepts, it reads the same again.

use latimer_dialects::misty::lenient;

pub(super) fn run(text: &str) {
    let Ok(Some(value)) = lenient::read(text) else { return };
    let written = value.to_string();
    // Written out, a number or an escaped letter may take more room than it did.
    if written.len() <= lenient::MAX_BYTES {
        let again = lenient::read(&written).expect("what was written is read").expect("is not empty");
        assert_eq!(again, value);
    }
}
